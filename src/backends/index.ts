/** The list of back ends: the only place outside their folders that names them. */
import { InternalError } from '../base/errors.js'
import type { Device } from '../tensor/device.js'
import type { Backend } from './backend.js'
import { cpuBackend } from './cpu/backend.js'
import { cudaBackend } from './cuda/backend.js'
import type { ComputeDevice } from './device.js'
import type { Target } from './target.js'

const all = [cpuBackend, cudaBackend] as const satisfies readonly Backend[]

export const backends: readonly Backend[] = all

/** Names of targets whose code can be printed. */
export type CodeTarget = keyof UnionToIntersection<(typeof all)[number]['shown']>
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/** Targets whose code can be printed, by name. */
export const shownTargets: ReadonlyMap<string, () => Target> = new Map(
  backends.flatMap(({ shown }) => Object.entries(shown)),
)

/** The back end of the device called `name`. */
export function backendOf(name: Device): Backend {
  const found = backends.find(each => each.owns(name))
  if (found === undefined) throw new InternalError(`no back end has a device '${name}'`)
  return found
}

/** The device called `name`. Throws DeviceError when this machine has none. */
export const computeDevice = (name: Device): ComputeDevice => backendOf(name).device(name)

/** The devices in use. */
export const openDevices = (): readonly ComputeDevice[] => backends.flatMap(each => each.opened())
