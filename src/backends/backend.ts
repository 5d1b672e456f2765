/**
 * A back end: the devices of one kind, and the targets that code can be generated for without a device. Each is a folder
 * whose modules nothing else imports; index.ts lists them. docs/architecture.md says what a new one needs.
 */
import type { Device } from '../tensor/device.js'
import type { ComputeDevice, ExportRequirements } from './device.js'
import type { Target } from './target.js'

export interface Backend {
  readonly name: string
  /** Whether `name` names one of its devices, present or not. */
  owns(name: Device): boolean
  /** The device, opened at first use. Throws DeviceError when this machine has none of that name. */
  device(name: Device): ComputeDevice
  /** The devices in use. */
  opened(): readonly ComputeDevice[]
  /** Targets that `kernel.code()` can print code for, by name, whether or not a device is present. */
  readonly shown: Readonly<Record<string, () => Target>>
  /**
   * The device for code that was exported with these requirements, made ready for it. Calls `refuse` when the machine
   * does not meet them.
   */
  deviceForExport(name: Device, requirements: ExportRequirements, refuse: Refuse): ComputeDevice
}

/** Throws the error for exported code that does not run here: what it was ("compiled for …"), and what helps. */
export type Refuse = (what: string, fix: string, cause?: unknown) => never
