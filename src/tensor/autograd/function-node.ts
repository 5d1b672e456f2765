/** The nodes of functions that are no ops, whose gradients are functions too. */
import type { Tensor } from '../tensor-type.js'
import { isDetectingAnomalies, markPlace } from './anomaly.js'
import { checkGradientOf } from './engine.js'
import { type Edge, GradNode, type ResultType, type TensorOps, typeOfResult } from './history.js'
import { edgeOf, setNode } from './op-node.js'
import { SavedTensor, usedTwice } from './saved.js'

/** What a function got and gave. Reading it throws GradientError when it was changed in place since. */
export interface SavedCall {
  readonly inputs: readonly Tensor[]
  readonly results: readonly Tensor[]
}

/** The gradients of a function's inputs (null: zeros), from those of its results. */
export type FunctionGradient = (gradients: readonly Tensor[], call: SavedCall) => readonly (Tensor | null)[]

class FunctionNode extends GradNode {
  readonly results: readonly ResultType[]
  readonly #inputs: readonly ResultType[]
  /** Null: it was freed. */
  #saved: { readonly inputs: readonly SavedTensor[]; readonly results: readonly SavedTensor[] } | null

  constructor(
    readonly name: string,
    readonly edges: readonly (Edge | null)[],
    inputs: readonly Tensor[],
    results: readonly Tensor[],
    saves: boolean,
    readonly gradient: FunctionGradient,
  ) {
    super()
    this.results = results.map(typeOfResult)
    this.#inputs = inputs.map(typeOfResult)
    this.#saved = {
      inputs: saves ? inputs.map((input, i) => new SavedTensor(name, input, edges[i]!)) : [],
      results: saves ? results.map((result, i) => new SavedTensor(name, result, { node: this, output: i })) : [],
    }
  }

  override get isForeign(): boolean {
    return true
  }

  apply(gradients: readonly (Tensor | null)[], ops: TensorOps): readonly (Tensor | null)[] {
    const { name } = this
    const saved = this.#saved
    if (saved === null) throw usedTwice(name)
    const unpacked = (tensors: readonly SavedTensor[]): readonly Tensor[] => tensors.map(each => each.unpack(name))
    const given = this.gradient(
      gradients.map((gradient, i) => gradient ?? ops.zeros(this.results[i]!)),
      {
        get inputs() {
          return unpacked(saved.inputs)
        },
        get results() {
          return unpacked(saved.results)
        },
      },
    )
    return this.#inputs.map((type, i) => {
      const gradient = given[i] ?? null
      return gradient === null ? null : checkGradientOf(`${this.name}: the gradient of input ${i}`, gradient, type)
    })
  }

  override saved(): readonly SavedTensor[] {
    return [...(this.#saved?.inputs ?? []), ...(this.#saved?.results ?? [])]
  }

  protected override drop(): void {
    this.#saved = null
  }
}

/**
 * Makes `results` what a function gave for `inputs`; they have memory of their own. `saves`: the gradient gets the inputs and the
 * results.
 */
export function recordFunction(
  name: string,
  inputs: readonly Tensor[],
  results: readonly Tensor[],
  saves: boolean,
  gradient: FunctionGradient,
  ops: TensorOps,
): void {
  const edges = inputs.map(input => edgeOf(input, ops))
  const node = new FunctionNode(name, edges, inputs, results, saves, gradient)
  if (isDetectingAnomalies()) markPlace(node)
  for (const [i, result] of results.entries()) setNode(result, node, i)
}
