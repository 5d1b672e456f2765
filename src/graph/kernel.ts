/**
 * Kernels that people write, as the graph sees them. The graph IR does not know what a kernel is made of: it holds this
 * interface, which the layer that knows tile programs fills (kernels/user-kernel.ts). What the graph must know of a
 * launch, which tensors it reads and writes, stands in the node.
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

/** What a launch gives a kernel, and what the kernel does with it. */
export type LaunchArguments = {
  /** In the order of the kernel's parameters. */
  readonly args: readonly LaunchArgument[]
  /** Indices of the inputs that it changes, ascending. */
  readonly writes: readonly number[]
  /** Indices of the inputs that it writes everywhere and reads nowhere. */
  readonly overwritten: readonly number[]
}

/** What a kernel's parameter gets: the tensor that is the node's input of this index, or a number, also of each call. */
export type LaunchArgument =
  | { readonly input: number }
  | { readonly scalar: number | bigint }
  | { readonly size: SizeExpr }
  /** The graph's scalar input of that index. */
  | { readonly scalarInput: number }
