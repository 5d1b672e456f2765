/**
 * What a captured function returns: outputs of its graph, and the very tensors that it was given where it changed them in
 * place, or views of those.
 */
import { InternalError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import type { OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import { evaluateSize, SizeExpr } from '../scalar/size.js'
import type { Tensor } from '../tensor/tensor.js'
import { viewResult } from '../tensor/views.js'

/** A view op. */
export interface ViewStep {
  readonly record: OpRecord
  readonly attrs: Attrs
  /** The attributes with all sizes as in the call that is captured. */
  readonly example: Attrs
  readonly at: SourceLocation | null
}

/**
 * Where a result of a segment comes from: the graph's next output, or an input that the segment wrote to in place, or a
 * view of one: the function then returns the very tensor (or memory) that it was given.
 */
export type ResultPlace =
  | { readonly kind: 'output' }
  | { readonly kind: 'input'; readonly input: number; readonly path: readonly ViewStep[] }

/** What a segment's results are made of, without its graph. */
export class ResultMap {
  readonly #places: readonly ResultPlace[]
  readonly #symbols: readonly string[]

  /** `symbols`: the names of the graph's symbols, in order. */
  constructor(places: readonly ResultPlace[], symbols: readonly string[]) {
    this.#places = places
    this.#symbols = symbols
  }

  /** The results, from the inputs and the graph's outputs. */
  pick(inputs: readonly Tensor[], outputs: readonly Tensor[], symbols: Float64Array): readonly Tensor[] {
    if (this.#places.length === outputs.length) return outputs
    let next = 0
    return this.#places.map(place => {
      if (place.kind === 'output') return outputs[next++]!
      const values = new Map(this.#symbols.map((name, i) => [name, symbols[i]!]))
      return place.path.reduce((tensor: Tensor, { record, attrs }) => {
        const view = viewResult(record, [tensor], evaluateAttrs(attrs, values) as Attrs)
        if (view === null) throw new InternalError(`${record.name}: a view when captured, a copy now`)
        return view
      }, inputs[place.input]!)
    })
  }
}

/** Attributes with every symbolic size at its value in the call that is captured. */
export function evaluateAttrs(attrs: unknown, values: ReadonlyMap<string, number>): unknown {
  if (attrs instanceof SizeExpr) return evaluateSize(attrs, values)
  if (Array.isArray(attrs)) return attrs.map(item => evaluateAttrs(item, values))
  if (typeof attrs !== 'object' || attrs === null) return attrs
  return Object.fromEntries(Object.entries(attrs).map(([key, value]) => [key, evaluateAttrs(value, values)]))
}
