/** One compiled version of a function: what it assumes, and how a call that meets it runs. */
import type { SizeSymbol } from '../graph/ir.js'
import type { Float32MatmulPrecision } from '../tensor/precision.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Capture } from './capture.js'
import type { Runner } from './executable.js'
import { Guards, type SizeCondition, type TensorGuard } from './guards.js'
import { shareMemory } from './overlap.js'
import { ResultMap, type ResultPlace } from './results.js'
import type { RandomDraw } from './tracer.js'
import { explainMismatch, matchTree, rebuildTree, type Tree } from './tree.js'

/** An argument's place among the inputs between calls: an entry keeps no argument of an earlier call alive. */
const vacant = undefined as unknown as Tensor

/** All of an entry but what runs it, as data: what `exportCompiled` writes. */
export interface EntryData {
  readonly args: Tree
  readonly result: Tree
  readonly guards: readonly TensorGuard[]
  readonly symbols: readonly SizeSymbol[]
  /** Arguments first (null: given at each call), then the tensors that the function closes over. */
  readonly inputs: readonly { readonly path: string; readonly tensor: Tensor | null }[]
  /** The input that each leaf is; several leaves are one input when the same tensor was passed for them. */
  readonly inputOfLeaf: readonly number[]
  /** The inputs that the graph writes to. */
  readonly written: readonly number[]
  readonly draws: readonly RandomDraw[]
  readonly results: readonly ResultPlace[]
  /** What the sizes must meet beside the guards. */
  readonly conditions: readonly SizeCondition[]
}

/** @param leaves the tensors of the captured call, in the order of the tree of its arguments */
export function entryData({ args, result, guards, segment }: Capture, leaves: readonly Tensor[]): EntryData {
  const { inputs, graph, draws, results } = segment
  return {
    args,
    result,
    guards: guards.tensors,
    symbols: graph.symbols,
    inputs: inputs.map(({ path, kind, tensor }) => ({ path, tensor: kind === 'argument' ? null : tensor })),
    inputOfLeaf: leaves.map(leaf => inputs.findIndex(({ tensor }) => tensor === leaf)),
    written: [...new Set(graph.writeBacks.map(({ input }) => input))],
    draws,
    results,
    conditions: guards.conditions,
  }
}

export class Entry {
  readonly guards: Guards
  readonly #leaves: Tensor[] = []
  /** Arguments first (vacant between calls), then the tensors that the function closes over. */
  readonly #inputs: Tensor[]
  readonly #argumentInputs: number
  readonly #results: ResultMap
  readonly #scalars: bigint[] = []
  calls = 0

  constructor(
    readonly data: EntryData,
    readonly runner: Runner,
    /** The precision of f32 products that its code has; null: it has none that it matters to. */
    readonly precision: Float32MatmulPrecision | null = null,
  ) {
    this.guards = new Guards(data.guards, data.symbols, data.conditions)
    this.#inputs = data.inputs.map(({ tensor }) => tensor ?? vacant)
    this.#argumentInputs = data.inputs.filter(({ tensor }) => tensor === null).length
    this.#results = new ResultMap(
      data.results,
      data.symbols.map(({ name }) => name),
    )
    this.#vacate()
  }

  /** True when the call meets every guard; `run` then runs it. */
  match(args: readonly unknown[]): boolean {
    if (matchTree(this.data.args, args, this.#leaves) && this.#takeLeaves() && this.guards.match(this.#inputs))
      return true
    this.#vacate()
    return false
  }

  /** Why the call does not meet the guards; null when it does. */
  explain(args: readonly unknown[]): string | null {
    const mismatch = explainMismatch(this.data.args, args)
    if (mismatch !== null) return mismatch
    matchTree(this.data.args, args, this.#leaves)
    const reason = this.#takeLeaves()
      ? this.guards.explain(this.#inputs)
      : 'tensors are shared between arguments in another way than when the function was captured'
    this.#vacate()
    return reason
  }

  /** Runs the call that `match` accepted. Throws DisposedError for a tensor that is gone. */
  run(name: string): unknown {
    this.calls++
    try {
      for (let i = 0; i < this.#inputs.length; i++) {
        if (this.#inputs[i]!.freed !== null) this.#inputs[i]!.requireAlive(name, this.data.inputs[i]!.path)
      }
      this.#draw()
      const { symbols } = this.guards
      const outputs = this.runner.run(this.#inputs, this.#scalars, symbols)
      const results = this.#results.pick(this.#inputs, outputs, symbols)
      return this.data.result.kind === 'tensor'
        ? results[this.data.result.index]
        : rebuildTree(this.data.result, results)
    } finally {
      this.#vacate()
    }
  }

  /** Lets go of the arguments of a call that `match` accepted and that will not run. */
  release(): void {
    this.#vacate()
  }

  #draw(): void {
    for (let i = 0; i < this.data.draws.length; i++) {
      const { generator, elements } = this.data.draws[i]!
      const { seed, offset } = generator.take(elements)
      this.#scalars[2 * i] = seed
      this.#scalars[2 * i + 1] = offset
    }
  }

  /** Moves the leaves to their inputs; false when tensors are shared in another way than at capture. */
  #takeLeaves(): boolean {
    const places = this.data.inputOfLeaf
    for (let leaf = 0; leaf < places.length; leaf++) this.#inputs[places[leaf]!] = this.#leaves[leaf]!
    for (let leaf = 0; leaf < places.length; leaf++) {
      if (this.#inputs[places[leaf]!] !== this.#leaves[leaf]) return false
    }
    return this.data.written.length === 0 || this.#writtenApart()
  }

  /** A graph that writes to inputs was recorded for written inputs that share no memory with others. */
  #writtenApart(): boolean {
    for (const written of this.data.written) {
      for (let i = 0; i < this.#inputs.length; i++) {
        if (i !== written && shareMemory(this.#inputs[written]!, this.#inputs[i]!)) return false
      }
    }
    return true
  }

  #vacate(): void {
    for (let i = 0; i < this.#argumentInputs; i++) this.#inputs[i] = vacant
    for (let i = 0; i < this.#leaves.length; i++) this.#leaves[i] = vacant
  }
}
