/**
 * What compiling a function did and why, as plain data (`JSON.stringify` takes it) and as text for people. Numbers hold
 * for the arguments that were explained; symbolic sizes stand beside them.
 */
import type { FiredRule } from '../../graph/patterns/index.js'
import type { Tuning } from '../autotune.js'
import type { GraphBreak } from '../capture/capture.js'
import type { MemoryExplanation } from '../execute/memory-use.js'
import type { MachineLimits } from '../limits.js'
import type { GroupExplanation } from './explain-group.js'
import type { KernelExplanation } from './explain-kernel.js'

export interface PrintExplanationOptions {
  /** Which graphs to print: as captured, both before and after the graph passes, or none. Default 'none'. */
  readonly graphs?: 'none' | 'captured' | 'both'
  /** Print the generated C. Default false. */
  readonly code?: boolean
}

/** A tensor that the function reads. */
export interface InputExplanation {
  /** `args[0].w`, `closure 2`, … */
  readonly path: string
  /** closure: a tensor of the surrounding code, read at each call. constant: host data that capture froze. */
  readonly kind: 'argument' | 'closure' | 'constant'
  /** dtype, shape and device. */
  readonly tensor: string
  /** The kernels that read it. */
  readonly readBy: readonly string[]
}

/** One compiled graph: the whole function, or the stretch between two graph breaks. */
export interface SegmentExplanation {
  /** The graph as captured. */
  readonly graph: string
  /** The graph after the graph passes. */
  readonly optimised: string
  /** Pattern rules that recognised what was written out: which, where, how often. */
  readonly recognised: readonly FiredRule[]
  /** Ops that the function calls, views left out: each is a kernel of its own when run eagerly. */
  readonly opCount: number
  /** The tensors that it reads. */
  readonly inputs: readonly InputExplanation[]
  /** The sizes that stay open. */
  readonly symbols: readonly SymbolExplanation[]
  /** The kernel launches, in order. */
  readonly kernels: readonly KernelExplanation[]
  /** Products that were asked for together. */
  readonly groups: readonly GroupExplanation[]
  /** What temporaries take, and what reusing their memory saves. */
  readonly memory: MemoryExplanation
  /** Under max-autotune: the choices of block sizes as measured; kernels and code are the chosen one's. Else null. */
  readonly tuning: Tuning | null
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
  /** The function's. */
  readonly name: string
  /** One, and one more per graph break, in order. */
  readonly segments: readonly SegmentExplanation[]
  /** What a call is compared with: where one fails, the function compiles anew. */
  readonly guards: readonly string[]
  /** Where the function reads values, so that the graph ends there. */
  readonly breaks: readonly GraphBreak[]
  /** The guard that failed, for each compilation after the first that has happened so far. */
  readonly recompiles: readonly string[]
  /** What the kernels were judged against; null: nothing yet. */
  readonly limits: MachineLimits | null
}

/** What compiling a function did and why: plain data, and text for people. */
export interface Explanation extends ExplanationData {
  /** Of all segments together. */
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
  /** The same with each kernel judged memory- or compute-bound by measured limits, with its time at the limit. */
  against(limits: MachineLimits): Explanation
  /** For people; `graphs` and `code` add the graphs before and after the passes, and the generated C. */
  toText(options?: PrintExplanationOptions): string
  /** As `toText`, with the captured graph. */
  toString(): string
}
