/** Options of `compile`, and their validation. */
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { type Float32MatmulPrecision, float32MatmulPrecisions } from '../tensor/precision.js'
import { describeValue } from './capture/tree.js'
import { type Buckets, isBuckets } from './guards/buckets.js'

/**
 * How much compile time to spend on speed. On the CPU 'default' and 'reduce-overhead' are the same: a call checks its
 * guards, patches what changed and runs the whole plan in one native call, so no launch overhead is left to reduce. On a GPU
 * 'default' queues one launch per kernel; the other modes run the plan as one CUDA graph whose nodes are patched.
 * 'max-autotune' compiles with several choices of block sizes and measures them on the first call's tensors; the choice is
 * cached on disk. `stats().tuned` says what was chosen.
 */
export type CompileMode = (typeof compileModes)[number]

export const compileModes = ['default', 'reduce-overhead', 'max-autotune'] as const

/** How `compile` compiles. */
export interface CompileOptions {
  /** Default 'default'; see `CompileMode`. */
  readonly mode?: CompileMode
  /** A read of values inside the function is an error instead of a graph break. Default false. */
  readonly fullgraph?: boolean
  /**
   * Which argument sizes are symbolic. false: none, every shape compiles separately. true: all sizes above 1 from the start.
   * 'auto' (default): the first shape is specialised; a dim seen with a second size becomes symbolic.
   */
  readonly dynamic?: boolean | 'auto'
  /**
   * Compiles a version per range of symbolic sizes, with block sizes chosen for it: faster than one version for all sizes,
   * fewer versions than one per size. 'pow2': up to 2, 4, 8, …; a list of ascending sizes: up to each, and all above
   * the last. Nothing is padded in memory. Default: one range for all sizes.
   */
  readonly bucket?: Buckets
  /**
   * true: results are bit-identical in every run with the same inputs, for any number of threads. CPU code always is: the
   * order of every sum is fixed at compile time. On a GPU, sums and products of floats by index (scatterAdd, indexAdd) are
   * otherwise done in any order. Default false.
   */
  readonly deterministic?: boolean
  /**
   * Precision of f32 matmuls; see `Float32MatmulPrecision`. Default: the setting of `setFloat32MatmulPrecision` at each
   * call, which is guarded.
   */
  readonly float32MatmulPrecision?: Float32MatmulPrecision
  /**
   * What a compilation after the first does: nothing ('ignore', default), a process warning, or a RecompileError.
   * `warmup` may always compile, so a service can warm up first and then forbid compiling.
   */
  readonly onRecompile?: 'ignore' | 'warn' | 'error'
  /** Compiled versions kept; beyond it the least recently used one is dropped, with a warning. Default 8; with `bucket` 32. */
  readonly recompileLimit?: number
  /** Name in messages and reports. Default: the function's. */
  readonly name?: string
}

const choices: { readonly [K in keyof CompileOptions]-?: readonly unknown[] | ((value: unknown) => boolean) } = {
  mode: compileModes,
  fullgraph: [true, false],
  dynamic: [true, false, 'auto'],
  bucket: isBuckets,
  deterministic: [true, false],
  float32MatmulPrecision: float32MatmulPrecisions,
  onRecompile: ['ignore', 'warn', 'error'],
  recompileLimit: value => Number.isSafeInteger(value) && (value as number) >= 1,
  name: value => typeof value === 'string',
}

const wanted: { readonly [name: string]: string } = {
  bucket: "'pow2', or ascending integers above 1, as [64, 256]",
  recompileLimit: 'an integer of at least 1',
  name: 'a string',
}

/** Throws ArgumentError when `fn` is no function, an option does not exist, or its value is not allowed. */
export function checkCompileCall(fn: unknown, options: CompileOptions): void {
  if (typeof fn !== 'function') {
    throw new ArgumentError(`compile: ${describeValue(fn)} is no function`, {
      fix: 'pass a function of tensors: compile((x: Tensor) => …)',
    })
  }
  checkOptionsObject('compile', options, Object.keys(choices))
  for (const [name, value] of Object.entries(options)) {
    const choice = choices[name as keyof CompileOptions]
    const fits = value === undefined || (typeof choice === 'function' ? choice(value) : choice.includes(value))
    if (fits) continue
    const fix =
      typeof choice === 'function' ? `pass ${wanted[name]}` : `use one of ${choice.map(describeValue).join(', ')}`
    throw new ArgumentError(`compile: option ${name} is ${describeValue(value)}`, { fix })
  }
  if (options.bucket !== undefined && options.dynamic === false) {
    throw new ArgumentError('compile: bucket and dynamic: false exclude each other', {
      fix: 'drop one: buckets are of run-time sizes, and without those every shape compiles on its own',
    })
  }
  if (options.deterministic && options.mode === 'max-autotune') {
    throw new ArgumentError("compile: deterministic: true and mode: 'max-autotune' exclude each other", {
      fix: 'drop one: measuring chooses block sizes, and those decide the order of sums',
    })
  }
}
