/**
 * What compiling a function did and why, as plain data (serialisable with `JSON.stringify`) and as readable text. Numbers
 * are for the arguments of `explain()`; formulas of symbolic sizes are listed with them.
 */
import type { FiredRule } from '../../graph/patterns/index.js'
import type { Advice } from '../advice/advice.js'
import type { SegmentFacts } from '../advice/facts.js'
import type { Tuning } from '../autotune.js'
import type { GraphBreak } from '../capture/capture.js'
import type { MemoryExplanation } from '../execute/memory-use.js'
import type { MachineLimits } from '../limits.js'
import type { GroupExplanation } from './explain-group.js'
import type { KernelExplanation } from './explain-kernel.js'
import type { OpExplanation } from './explain-ops.js'

export interface PrintExplanationOptions {
  /** Which graphs to print: as captured, both before and after the graph passes, or none. Default 'none'. */
  readonly graphs?: 'none' | 'captured' | 'both'
  /** Print the generated code. Default false. */
  readonly code?: boolean
}

/** A tensor that the function reads. */
export interface InputExplanation {
  /** `args[0].w`, `closure 2`, … */
  readonly path: string
  /** closure: a tensor of the surrounding code, read at each call. constant: host data that capture froze. */
  readonly kind: 'argument' | 'closure' | 'constant' | 'grad'
  /** dtype, shape and device. */
  readonly tensor: string
  /** The kernels that read it. */
  readonly readBy: readonly string[]
}

/** One compiled graph: the whole function, or the part between two graph breaks. */
export interface SegmentExplanation {
  /** The graph as captured. */
  readonly graph: string
  /** The graph after the graph passes. */
  readonly optimised: string
  /** The captured graph as the ops that the function calls, views too. */
  readonly ops: readonly OpExplanation[]
  /** Pattern rules that recognised hand-written compositions: which, where, how often. */
  readonly recognised: readonly FiredRule[]
  /** Number of ops that the function calls, without views: eagerly each is a separate kernel. */
  readonly opCount: number
  /** The tensors that it reads. */
  readonly inputs: readonly InputExplanation[]
  /** The symbolic sizes. */
  readonly symbols: readonly SymbolExplanation[]
  /** The kernel launches, in order. */
  readonly kernels: readonly KernelExplanation[]
  /** Groups of independent GEMMs. */
  readonly groups: readonly GroupExplanation[]
  /** Memory of inputs, outputs and temporaries, and what sharing slots saves. */
  readonly memory: MemoryExplanation
  /**
   * Of the backward passes in it, in bytes: the values that are kept for them (arguments not counted; those that checkpoints compute again
   * neither), and those that they read but compute again from what is kept.
   */
  readonly backward: { readonly kept: number; readonly recomputed: number }
  /** Under max-autotune: the measured choices of block sizes; kernels and code are of the chosen one. Else null. */
  readonly tuning: Tuning | null
  /** What advice is made of: gradients, dtypes and views of memory. */
  readonly facts: SegmentFacts
  /** The generated translation unit. */
  readonly code: string
}

/** A size that is read at each call. */
export interface SymbolExplanation {
  readonly name: string
  /** `size 0 of args[1]` */
  readonly from: string
  readonly value: number
}

export interface ExplanationData {
  /** The function's name. */
  readonly name: string
  /** In order; graph breaks separate them. */
  readonly segments: readonly SegmentExplanation[]
  /** The checks of each call: where one fails, another version is compiled. */
  readonly guards: readonly string[]
  /** Reads of values, each of which ends a graph. */
  readonly breaks: readonly GraphBreak[]
  /** The guard that failed, for each compilation after the first that has happened so far. */
  readonly recompiles: readonly string[]
  /** The machine limits that kernels are compared with; null: none yet. */
  readonly limits: MachineLimits | null
}

/** What compiling a function did and why: plain data, and text for people. */
export interface Explanation extends ExplanationData {
  /** What to change, problems first; then what is worth knowing. With limits it has more. */
  readonly advice: readonly Advice[]
  /** Number of ops in all segments. */
  readonly opCount: number
  /** The kernel launches, in order. */
  readonly kernels: readonly KernelExplanation[]
  /** The graphs as captured. */
  readonly graph: string
  /** The graphs after the graph passes. */
  readonly optimised: string
  /** The generated code. */
  readonly code: string
  /** The tensors that the function reads. */
  readonly inputs: readonly InputExplanation[]
  /** The explanation with each kernel classified as memory- or compute-bound by these limits, with its time at the bound. */
  against(limits: MachineLimits): Explanation
  /** Readable text; `graphs` and `code` add the graphs before and after the passes, and the generated code. */
  toText(options?: PrintExplanationOptions): string
  /**
   * A report as one HTML page, which loads nothing: the graph before and after fusion, kernels with their code beside the user's lines, work
   * and roofline, memory, guards, graph breaks, recompiles, choices of block sizes. It contains the lines of source that ops come from.
   *
   * @param path a file that it is written to, too. Default: none
   */
  toHtml(path?: string): string
  /** As `toText`, with the captured graph. */
  toString(): string
}
