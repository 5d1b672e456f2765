/**
 * The results of a captured function: outputs of its graph, tensors among its arguments, and views of either. Results share
 * memory exactly if they do when the function runs eagerly.
 */
import { evaluateSize, SizeExpr } from '../../scalar/size.js'
import type { TensorLayout } from '../../tensor/layout.js'
import { Tensor } from '../../tensor/tensor.js'
import type { Dtype } from '../../types/dtype.js'
import { type LayoutIndices, type SizeTable, SizeTableBuilder } from '../guards/size-table.js'
import type { SymbolicView } from './symbolic-view.js'

/** Where a result of a segment comes from. */
export interface ResultSource {
  /** An input, an output of the graph, or an earlier result, by its index. */
  readonly from: 'input' | 'output' | 'result'
  readonly index: number
  /** Its view of that tensor's memory, relative to the tensor's first element; null: it is that very tensor. */
  readonly view: (SymbolicView & { readonly dtype: Dtype }) | null
}

interface BoundView {
  readonly dtype: Dtype
  readonly sizes: LayoutIndices
  /** At the present symbol values. */
  layout: TensorLayout
}

/** What a segment's results are made of, without its graph. */
export class ResultMap {
  readonly #sources: readonly ResultSource[]
  readonly #table: SizeTable
  readonly #views: readonly (BoundView | null)[]
  /** The symbols' values for which the views' layouts were last computed. */
  readonly #laidOut: Float64Array
  /** The results are the graph's outputs, in order. */
  readonly #isDirect: boolean
  /** The outputs that results are views of. */
  readonly #viewed: readonly number[]

  /** `symbols`: the names of the graph's symbols, in order. */
  constructor(sources: readonly ResultSource[], symbols: readonly string[]) {
    this.#sources = sources
    const builder = new SizeTableBuilder()
    const sizes = sources.map(({ view }) => (view === null ? null : builder.addLayout(view)))
    const table = builder.build(symbols)
    this.#table = table
    this.#views = sizes.map((indices, i) =>
      indices === null ? null : { dtype: sources[i]!.view!.dtype, sizes: indices, layout: table.layout(indices) },
    )
    this.#laidOut = new Float64Array(symbols.length).fill(Number.NaN)
    this.#isDirect = sources.every(({ from, index, view }, i) => from === 'output' && index === i && view === null)
    this.#viewed = sources.flatMap(({ from, index, view }) => (from === 'output' && view !== null ? [index] : []))
  }

  /** The results, from the inputs and the graph's outputs. */
  pick(inputs: readonly Tensor[], made: readonly Tensor[], symbols: Float64Array): readonly Tensor[] {
    if (this.#isDirect) return made
    const outputs = this.#rowMajor(made)
    if (this.#moved(symbols)) this.#layOut(symbols)
    const sources = this.#sources
    const results = new Array<Tensor>(sources.length)
    for (let i = 0; i < sources.length; i++) {
      const { from, index } = sources[i]!
      const base = (from === 'input' ? inputs : from === 'output' ? outputs : results)[index]!
      const view = this.#views[i]!
      results[i] = view === null ? base : viewOf(base, view)
    }
    return results
  }

  /** Views assume row-major memory, as eager results have; a graph may have made its output in another order of dims. */
  #rowMajor(outputs: readonly Tensor[]): readonly Tensor[] {
    if (this.#viewed.every(index => outputs[index]!.isContiguous())) return outputs
    return outputs.map((output, i) => (this.#viewed.includes(i) ? output.contiguous() : output))
  }

  #moved(symbols: Float64Array): boolean {
    for (let i = 0; i < symbols.length; i++) if (this.#laidOut[i] !== symbols[i]) return true
    return false
  }

  #layOut(symbols: Float64Array): void {
    this.#laidOut.set(symbols)
    this.#table.update(symbols)
    for (const view of this.#views) {
      if (view !== null && !view.sizes.isFixed) view.layout = this.#table.layout(view.sizes)
    }
  }
}

/** A view that starts where its base does has the layout that all calls share. */
const viewOf = ({ source, layout: { offset } }: Tensor, { dtype, layout }: BoundView): Tensor =>
  new Tensor(source, dtype, layout.startingAt(offset + layout.offset), false)

/** Attributes with every symbolic size at its value in the call that is captured. */
export function evaluateAttrs(attrs: unknown, values: ReadonlyMap<string, number>): unknown {
  if (attrs instanceof SizeExpr) return evaluateSize(attrs, values)
  if (Array.isArray(attrs)) return attrs.map(item => evaluateAttrs(item, values))
  if (typeof attrs !== 'object' || attrs === null) return attrs
  return Object.fromEntries(Object.entries(attrs).map(([key, value]) => [key, evaluateAttrs(value, values)]))
}
