/** What the layers of this library share: options, new parameters, and their print. */
import { ArgumentError } from '../base/errors.js'
import { empty } from '../tensor/create.js'
import type { DeviceName } from '../tensor/device.js'
import type { TensorOptions } from '../tensor/host-data.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Dtype, TensorDtype } from '../types/dtype.js'
import { Module } from './module.js'
import { Parameter } from './parameter.js'

/** Where a layer's parameters are made: f32 on the default device, unless said otherwise. */
export type LayerOptions = TensorOptions

/** The named arguments of `LayerOptions`, as the end of a signature. */
export const placed = 'dtype: dtype | null = null, device: string | null = null'

/** What those arguments are bound to. */
export interface Placed {
  readonly dtype: Dtype | null
  readonly device: string | null
}

/** Options for creation functions. */
export const placement = ({ dtype, device }: Placed): TensorOptions => ({
  dtype: (dtype ?? 'f32') as TensorDtype,
  ...(device === null ? {} : { device: device as DeviceName }),
})

/** A parameter whose values are still to be written. */
export const newParameter = (shape: readonly number[], where: Placed): Parameter =>
  new Parameter(empty(shape, placement(where)))

/** A layer prints its settings: fields that hold numbers, flags, texts and lists of them. */
export abstract class Layer extends Module {
  /** Fields that are not shown. */
  protected hidden(): readonly string[] {
    return []
  }

  override extraRepr(): string {
    const hidden = new Set(['training', ...this.hidden()])
    return Object.entries(this)
      .filter(([field, value]) => !hidden.has(field) && isSetting(value))
      .map(([field, value]) => `${field}=${settingText(value)}`)
      .join(', ')
  }
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'

const isSetting = (value: unknown): boolean => isPlain(value) || (Array.isArray(value) && value.every(isPlain))

const settingText = (value: unknown): string =>
  Array.isArray(value) ? `[${value.join(', ')}]` : typeof value === 'string' ? `'${value}'` : String(value)

/** A number for all spatial dims, or one per dim. */
export type PerDim = number | readonly number[]

/** One number per spatial dim, frozen. Throws ArgumentError for another count of them. */
export function perDim(layer: string, name: string, value: PerDim, dims: number): readonly number[] {
  if (typeof value === 'number') return Object.freeze(new Array<number>(dims).fill(value))
  if (value.length === dims) return Object.freeze([...value])
  throw new ArgumentError(`${layer}: ${name} has ${value.length} numbers: [${value.join(', ')}]`, {
    fix: `give one number, or one per spatial dim: ${dims}`,
  })
}

/** Layers of one tensor. */
export type TensorModule = Module & ((input: Tensor) => Tensor)
