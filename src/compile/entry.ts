/** One compiled version of a function: what it assumes, and how a call that meets it runs. */
import type { Tensor } from '../tensor/tensor.js'
import type { Capture } from './capture.js'
import type { Runner } from './executable.js'
import type { Guards } from './guards.js'
import { type RandomDraw, ResultMap, shareMemory } from './tracer.js'
import { explainMismatch, matchTree, rebuildTree, type Tree } from './tree.js'

/** An argument's place among the inputs between calls: an entry keeps no argument of an earlier call alive. */
const vacant = undefined as unknown as Tensor

export class Entry {
  readonly guards: Guards
  readonly #args: Tree
  readonly #result: Tree
  readonly #leaves: Tensor[] = []
  /** Arguments first (vacant between calls), then the tensors that the function closes over. */
  readonly #inputs: Tensor[]
  readonly #paths: readonly string[]
  /** The input that each leaf is; several leaves are one input when the same tensor was passed for them. */
  readonly #inputOfLeaf: readonly number[]
  readonly #argumentInputs: number
  readonly #writes: boolean
  /** The inputs that the graph writes to. */
  readonly #written: readonly number[]
  readonly #draws: readonly RandomDraw[]
  readonly #results: ResultMap
  readonly #scalars: bigint[] = []
  calls = 0

  /** @param leaves the tensors of the captured call, in the order of `capture.args` */
  constructor(
    { args, result, guards, segment }: Capture,
    leaves: readonly Tensor[],
    readonly runner: Runner,
  ) {
    this.#args = args
    this.#result = result
    this.guards = guards
    this.#inputs = segment.inputs.map(({ tensor }) => tensor)
    this.#paths = segment.inputs.map(({ path }) => path)
    this.#inputOfLeaf = leaves.map(leaf => this.#inputs.indexOf(leaf))
    this.#argumentInputs = segment.inputs.filter(({ kind }) => kind === 'argument').length
    this.#written = [...new Set(segment.graph.writeBacks.map(({ input }) => input))]
    this.#writes = this.#written.length > 0
    this.#draws = segment.draws
    this.#results = new ResultMap(segment)
    this.#vacate()
  }

  /** True when the call meets every guard; `run` then runs it. */
  match(args: readonly unknown[]): boolean {
    if (matchTree(this.#args, args, this.#leaves) && this.#takeLeaves() && this.guards.match(this.#inputs)) return true
    this.#vacate()
    return false
  }

  /** Why the call does not meet the guards; null when it does. */
  explain(args: readonly unknown[]): string | null {
    const mismatch = explainMismatch(this.#args, args)
    if (mismatch !== null) return mismatch
    matchTree(this.#args, args, this.#leaves)
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
        if (this.#inputs[i]!.freed !== null) this.#inputs[i]!.requireAlive(name, this.#paths[i]!)
      }
      this.#draw()
      const { symbols } = this.guards
      const outputs = this.runner.run(this.#inputs, this.#scalars, symbols)
      const results = this.#results.pick(this.#inputs, outputs, symbols)
      return this.#result.kind === 'tensor' ? results[this.#result.index] : rebuildTree(this.#result, results)
    } finally {
      this.#vacate()
    }
  }

  /** Lets go of the arguments of a call that `match` accepted and that will not run. */
  release(): void {
    this.#vacate()
  }

  #draw(): void {
    for (let i = 0; i < this.#draws.length; i++) {
      const { generator, elements } = this.#draws[i]!
      const { seed, offset } = generator.take(elements)
      this.#scalars[2 * i] = seed
      this.#scalars[2 * i + 1] = offset
    }
  }

  /** Moves the leaves to their inputs; false when tensors are shared in another way than at capture. */
  #takeLeaves(): boolean {
    const places = this.#inputOfLeaf
    for (let leaf = 0; leaf < places.length; leaf++) this.#inputs[places[leaf]!] = this.#leaves[leaf]!
    for (let leaf = 0; leaf < places.length; leaf++) {
      if (this.#inputs[places[leaf]!] !== this.#leaves[leaf]) return false
    }
    return !this.#writes || this.#writtenApart()
  }

  /** A graph that writes to inputs was recorded for written inputs that share no memory with others. */
  #writtenApart(): boolean {
    for (const written of this.#written) {
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
