/** A case of the survey as plain data: an op, and the arguments of one call, whose tensors are described. */
import type { RecordName } from '../../src/graph/ops/index.js'
import type { TensorDtype } from '../../src/types/dtype.js'

/** What a tensor holds; both this package and the peer compute it from the same hash of an element's place (inputs.ts). */
export type Values =
  | { readonly from: number; readonly to: number }
  /** Integers from 0 up to this one, excluded. */
  | { readonly below: number }
  /** 1 or −1 */
  | 'sign'
  /** Ascending from −2 to 2 along the last dim. */
  | 'ascending'

/** How a matrix lies in memory. Sliced: the second half of each row of a matrix of twice the width. */
export type Layout = 'dense' | 'transposed' | 'sliced'

/** A tensor among a case's arguments. */
export class TensorArgument {
  constructor(
    readonly dtype: TensorDtype,
    readonly shape: readonly number[],
    readonly values: Values,
    readonly layout: Layout = 'dense',
    /** Its elements are read at places that other arguments say, so it is not part of the bytes to read. */
    readonly picked = false,
  ) {}
}

/** How large the work is: tiny up to 4 k elements, small up to 128 k, medium up to 4 M, large. */
export type SizeClass = 'tiny' | 'small' | 'medium' | 'large'

export interface SurveyCase {
  /** Op, dtype, layout and shapes: unique. */
  readonly id: string
  readonly op: RecordName | FunctionName
  readonly family: string
  readonly sizeClass: SizeClass
  /** Of its largest input. */
  readonly dtype: TensorDtype
  /** As the user writes them, with the method's `this` first. */
  readonly args: readonly unknown[]
  /** Measured are the op and its gradients by these tensors among the arguments; null: the op alone. */
  readonly variables: readonly TensorArgument[] | null
  /** Arithmetic that must be done; 0: not counted. */
  readonly flops: number
  /** The results depend on an order that is free, so they are not compared. */
  readonly unordered: boolean
}

/** Functions of docs/ops.md that are no single op, because what they return depends on values: they run eagerly only. */
export const functionNames = ['nonzero', 'unique', 'maskedSelect', 'bincount', 'multinomial'] as const
export type FunctionName = (typeof functionNames)[number]

export const elementsOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** The tensors among arguments, also inside lists and options, in order. */
export function tensorsIn(value: unknown): TensorArgument[] {
  if (value instanceof TensorArgument) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(tensorsIn)
}

/** The arguments with their tensors replaced, also inside lists and options. */
export function replaceTensors(value: unknown, replace: (tensor: TensorArgument) => unknown): unknown {
  if (value instanceof TensorArgument) return replace(value)
  if (Array.isArray(value)) return value.map(one => replaceTensors(one, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceTensors(one, replace)]))
}
