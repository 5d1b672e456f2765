/** `bisect`: which part of the compiler gives a wrong number, on the smallest part of the function that shows it. */
import { computeDevice } from '../backends/index.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import type { SourceLocation } from '../base/source.js'
import type { TensorFunction } from '../compile/capture/capture.js'
import { type Anomaly, firstAnomaly } from './anomaly.js'
import { type Case, caseOf, tensorNodes } from './case.js'
import { type Judge, judgeOf } from './differences.js'
import { caseOfSubgraph, printReproduction, type Subgraph } from './reproduction.js'
import { shrink, workOf } from './shrink.js'
import { type CompilerParts, kernelsOf, type Stage, stagesOf } from './stages.js'

/** What gives the wrong number. */
export interface Culprit {
  /**
   * pass: a graph pass · rule: one of its rewrite rules · fusion: several ops in one kernel · kernel: a kernel of one op ·
   * lowering: from tiles to code · code: what is emitted, and the system's compiler or driver.
   */
  readonly kind: 'pass' | 'rule' | 'fusion' | 'kernel' | 'lowering' | 'code'
  /** `rule 'softmax' of pass 'patterns'`. */
  readonly name: string
  /** What the smallest failing part launches, each with its ops: `exp_sum_rows (exp, sum)`. Empty for passes. */
  readonly kernels: readonly string[]
  /** The user's line of the smallest failing part; null: none is known. */
  readonly at: SourceLocation | null
}

/** What `bisect` found. */
export interface BisectReport {
  /** The function's name. */
  readonly name: string
  /** Null: generated code agrees with the interpreter. */
  readonly culprit: Culprit | null
  /** How the function's results differ: the first wrong element. Null: they agree. */
  readonly difference: string | null
  /** Ops of the function's graph, and of the smallest part that fails. */
  readonly ops: readonly [all: number, smallest: number]
  /** The first op that gives NaN, or an infinity of finite numbers, in the interpreter; null: none does. */
  readonly anomaly: Anomaly | null
  /** A TypeScript file that shows the difference; null: there is none, or it cannot be written (a kernel, control flow). */
  readonly reproduction: string | null
  /** The report as text. */
  toString(): string
}

/** Options of `bisect`. */
export interface BisectOptions {
  /** Default: the function's name. */
  readonly name?: string
  /** Parts of the compiler to look at instead of its own: for testing them. */
  readonly compiler?: CompilerParts
}

/**
 * Compiles a function for these arguments, for their sizes, and compares each stage (every graph pass, fusion, lowering, generated code) with
 * the graph interpreter. Where they differ it finds the part of the compiler that is wrong, cuts the function to the
 * smallest part that shows it, and writes that as a file. No argument changes. The interpreter is slow: use small sizes.
 *
 * @param fn a function as for `compile`, or a compiled one
 * @param args its arguments
 * @param options name; compiler: parts of the compiler that stand in for its own
 * @returns the culprit, or null where all agrees: within the rounding that the narrowest float in the graph explains
 * @throws ArgumentError for other arguments, CaptureError where the function reads values (a graph break)
 */
export function bisect(fn: TensorFunction, args: readonly unknown[], options: BisectOptions = {}): BisectReport {
  if (typeof (fn as unknown) !== 'function')
    throw new ArgumentError(`bisect: fn is ${describeAny(fn)}, not a function`, { fix: 'bisect(fn, [x, y])' })
  if (!Array.isArray(args))
    throw new ArgumentError(`bisect: the arguments are ${describeAny(args)}, not an array`, {
      fix: 'bisect(fn, [x, y])',
    })
  checkOptionsObject('bisect', options, ['name', 'compiler'])
  const { name = fn.name || 'the function', compiler = {} } = options
  return new Bisection(name, compiler, caseOf(name, fn, args)).report(true)
}

/**
 * Compares generated code of a subgraph with the interpreter, as `bisect` does: what its files call.
 *
 * @param subgraph inputs, and the nodes of the graph IR between them and the results
 * @param compiler as in `bisect`
 * @returns the culprit, or null where all agrees
 */
export const checkSubgraph = (subgraph: Subgraph, compiler: CompilerParts = {}): BisectReport =>
  new Bisection('the subgraph', compiler, caseOfSubgraph(subgraph)).report(false)

class Bisection {
  readonly #device
  readonly #stages: readonly Stage[]
  readonly #judges = new WeakMap<Case, Judge>()

  constructor(
    readonly name: string,
    readonly compiler: CompilerParts,
    readonly given: Case,
  ) {
    this.#device = computeDevice(given.device)
    this.#stages = stagesOf(this.#device, compiler)
  }

  /** `shrinks`: looks for a smaller part of the graph, and writes it. */
  report(shrinks: boolean): BisectReport {
    const { name, given } = this
    const difference = this.#differs(this.#stages.at(-1)!, given)
    const all = workOf(given)
    const base = { name, difference, anomaly: firstAnomaly(given), toString: () => printReport(made) }
    let made: BisectReport = { ...base, culprit: null, ops: [all, all], reproduction: null }
    if (difference === null) return made
    const at = this.#stages.findIndex(stage => this.#differs(stage, given) !== null)
    const smallest = shrinks ? shrink(given, smaller => this.#failsAt(at, smaller)) : given
    const culprit = this.#culprit(this.#stages[at]!, smallest)
    const found = this.#differs(this.#stages[at]!, smallest)!
    const heading = { title: `${name}: ${culprit.name} gives a wrong number.`, difference: found }
    const reproduction = shrinks ? printReproduction(smallest, heading) : null
    made = { ...base, culprit, ops: [all, workOf(smallest)], reproduction }
    return made
  }

  #differs(stage: Stage, given: Case, count?: number): string | null {
    const judge = this.#judges.get(given) ?? judgeOf(given)
    this.#judges.set(given, judge)
    return judge(stage.run(given, count))
  }

  /** Whether the stage is the first that differs. */
  #failsAt(stage: number, given: Case): boolean {
    const isRight = stage === 0 || this.#differs(this.#stages[stage - 1]!, given) === null
    return isRight && this.#differs(this.#stages[stage]!, given) !== null
  }

  #culprit(stage: Stage, smallest: Case): Culprit {
    const at = tensorNodes(smallest).findLast(({ origin }) => origin.at !== null)?.origin.at ?? null
    if (stage.kind === 'pass') {
      const rule = this.#rule(stage, smallest)
      if (rule === null) return { kind: 'pass', name: `pass '${stage.name}'`, kernels: [], at }
      return { kind: 'rule', name: `rule '${rule}' of pass '${stage.name}'`, kernels: [], at }
    }
    const kernels = kernelsOf(smallest, this.compiler, this.#device)
    const kind = stage.kind === 'fusion' && workOf(smallest) === 1 ? 'kernel' : stage.kind
    return { kind, name: kind === 'kernel' ? 'a kernel' : stage.name, kernels, at }
  }

  /** The rule without which, and all that follow, the pass is right. */
  #rule(stage: Stage, given: Case): string | null {
    return stage.rules?.find((_, i) => this.#differs(stage, given, i + 1) !== null) ?? null
  }
}

function printReport({ name, culprit, difference, ops: [all, smallest], anomaly }: BisectReport): string {
  const placed = (at: SourceLocation | null): string => (at === null ? '' : ` at ${at.file}:${at.line}`)
  const odd = anomaly === null ? [] : [`  first anomaly: ${anomaly.op} gives ${anomaly.what}${placed(anomaly.at)}`]
  if (culprit === null) return [`${name}: no difference: generated code agrees with the interpreter`, ...odd].join('\n')
  return [
    `${name}: ${difference}`,
    `  culprit: ${culprit.name}${placed(culprit.at)}`,
    ...culprit.kernels.map(kernel => `  kernel: ${kernel}`),
    `  smallest failing part: ${smallest} of ${all} nodes`,
    ...odd,
  ].join('\n')
}
