/**
 * Users' kernels, as the graph sees them. A kernel's code is opaque to the graph IR behind this interface, which the layer
 * that knows tile programs implements (kernels/user-kernel.ts). Which tensors a launch reads and writes is in the node.
 */
import type { CanonicalText } from '../base/canonical.js'
import type { Size, SizeExpr } from '../scalar/size.js'
import type { HostTensor } from './value.js'

/** `canonicalText` is equal for equal programs only: it is part of the graph's text, which the cache is keyed by. */
export interface GraphKernel extends CanonicalText {
  readonly name: string
  /**
   * Whether a launch stores every element of the view parameter `param` and reads none. `shapes`: those of the views by
   * parameter, null for scalars.
   */
  overwrites(param: number, shapes: readonly (readonly Size[] | null)[], grid: readonly [Size, Size, Size]): boolean
  /** The written tensors after a launch of `grid` on plain arrays, in the order of `writes`. */
  run(inputs: readonly HostTensor[], launch: LaunchArguments, grid: readonly number[]): HostTensor[]
}

/** The arguments of a launch, and which of them the kernel writes. */
export type LaunchArguments = {
  /** In the order of the kernel's parameters. */
  readonly args: readonly LaunchArgument[]
  /** Indices of the inputs that it changes, ascending. */
  readonly writes: readonly number[]
  /** Indices of the inputs that it writes completely and never reads. */
  readonly overwritten: readonly number[]
}

/** The value of a kernel parameter: the node's input of this index, or a number, which may differ per call. */
export type LaunchArgument =
  | { readonly input: number }
  | { readonly scalar: number | bigint }
  | { readonly size: SizeExpr }
  /** The graph's scalar input of that index. */
  | { readonly scalarInput: number }
