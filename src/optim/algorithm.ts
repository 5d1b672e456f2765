/**
 * An optimiser as data: its options, the state that it keeps for a parameter, and one update as pure tensor code. How updates
 * are run, eagerly or in a capture, is the same for all (update.ts).
 */
import type { Tensor } from '../tensor/tensor.js'
import type { Fields, Settings } from './options.js'

/** A tensor that is kept for each parameter, of its shape and dtype, or of one number. */
export interface StateField {
  /** As in PyTorch's state dicts. */
  readonly name: string
  readonly initial: number
  /** Of one number: 0-d, f64 of f64 parameters, else f32. Default false. */
  readonly isScalar?: boolean
}

/** State tensors by their names. */
export type State = Readonly<Record<string, Tensor>>

/** A parameter with its gradient and state: those before an update, in the dtype that it computes in. */
export interface Slot {
  readonly param: Tensor
  readonly grad: Tensor
  readonly state: State
}

/** Their values after the update. */
export type Updated = Omit<Slot, 'grad'>

/** What coefficients are made of: 0-d f64 tensors, but for the steps. */
export interface Given<O> {
  /** An option of one number. */
  readonly number: (name: keyof O) => Tensor
  readonly pair: (name: keyof O) => readonly [Tensor, Tensor]
  /** f64 [parameters]: how many steps each of them has made, with this one. */
  readonly steps: Tensor
}

/** What decides the code of an update: the options that do not vary, and the features in use. */
export interface Shape<O> {
  readonly settings: Settings<O>
  readonly features: readonly string[]
}

export interface Algorithm<O extends object> {
  /** The class that users make. */
  readonly name: string
  readonly fields: Fields<O>
  /** Parts of the update that only some values of its numbers need, such as momentum; in use from the start, or never. */
  readonly features: (settings: Settings<O>) => readonly string[]
  readonly state: (shape: Shape<O>) => readonly StateField[]
  /** PyTorch's state dicts have the number of steps as `step`. */
  readonly savesSteps: boolean
  /** Updates matrices as such, rather than each element on its own. */
  readonly isMatrixwise: boolean
  /** All that depends on numbers and steps alone: f64, of 0 dims or one value per parameter. */
  readonly coefficients: (given: Given<O>, shape: Shape<O>) => readonly Tensor[]
  /** `coefficients`: those above, for this parameter, 0-d each. */
  readonly update: (slot: Slot, coefficients: readonly Tensor[], shape: Shape<O>) => Updated
}

/** An algorithm that treats each element on its own and saves its steps, as most do. */
export const elementwise = { features: () => [], savesSteps: true, isMatrixwise: false } as const

/** The direction to descend: the gradient, reversed to maximise. */
export const descent = (grad: Tensor, maximize: boolean): Tensor => (maximize ? grad.neg() : grad)
