/**
 * A back end: the devices of one kind, and what code is generated for without one. Each lies in a folder of its own, whose
 * inside nothing else imports; index.ts lists them. docs/architecture.md says what a new one needs.
 */
import type { Device } from '../tensor/device.js'
import type { ComputeDevice, ExportRequirements } from './device.js'
import type { Target } from './target.js'

export interface Backend {
  readonly name: string
  /** Whether `name` is the name of one of its devices, there or not. */
  owns(name: Device): boolean
  /** The device, opened at its first use. Throws DeviceError when this machine has none of that name. */
  device(name: Device): ComputeDevice
  /** The devices in use. */
  opened(): readonly ComputeDevice[]
  /** What a kernel's code can be shown for, by the names that `kernel.code()` takes, whether there is a device or not. */
  readonly shown: Readonly<Record<string, () => Target>>
  /**
   * The device for code that was exported with these requirements, made ready for it. Calls `refuse` when the machine
   * does not meet them.
   */
  deviceForExport(name: Device, requirements: ExportRequirements, refuse: Refuse): ComputeDevice
}

/** Throws the error for exported code that does not run here: what it was ("compiled for …"), and what helps. */
export type Refuse = (what: string, fix: string, cause?: unknown) => never
