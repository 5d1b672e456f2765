/**
 * The last calls of each op with what was found out about them, so that a call like one of them needs no key: programs call
 * an op with few layouts and attributes, in loops. Comparing them costs less than writing them down.
 */
import { copyPlain, samePlain } from '../base/canonical.js'
import type { OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import type { Dtype } from '../types/dtype.js'
import { numberDtype } from '../types/promotion.js'
import { TensorHandle } from './handle.js'
import type { TensorLayout } from './layout.js'
import type { OpArgument } from './tracer.js'

/** Calls remembered of each op, where finding out again is cheap. */
const callsPerOp = 8

/** 'assign' writes a tensor into another: no op, but called like one. */
type Op = OpRecord | 'assign'

const assign = {}
const keyOf = (op: Op): object => (op === 'assign' ? assign : op)

interface Call<V> {
  /** Null for a plain number. */
  readonly layouts: readonly (TensorLayout | null)[]
  readonly dtypes: readonly Dtype[]
  readonly attrs: Attrs
  readonly value: V
}

export class RecentCalls<V> {
  /** Ops are forgotten with their records: those of compiled functions go with them. */
  readonly #calls = new WeakMap<object, Call<V>[]>()

  /** `most`: calls remembered of each op. */
  constructor(readonly most = callsPerOp) {}

  /**
   * What was added for a call with the same attributes, and inputs of the same dtypes, sizes and strides; offsets, and the
   * values of plain numbers, may differ. Undefined: none of the last ones was like it.
   */
  find(op: Op, inputs: readonly OpArgument[], attrs: Attrs): V | undefined {
    const calls = this.#calls.get(keyOf(op))
    if (calls === undefined) return undefined
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i]!
      if (hasInputs(call, inputs) && samePlain(call.attrs, attrs)) return call.value
    }
    return undefined
  }

  /** Copies the attributes: the caller may change its lists later. */
  add(op: Op, inputs: readonly OpArgument[], attrs: Attrs, value: V): void {
    const calls = this.#calls.get(keyOf(op)) ?? []
    const layouts = inputs.map(input => (input instanceof TensorHandle ? input.layout : null))
    const dtypes = inputs.map(dtypeOf)
    if (calls.length === this.most) calls.pop()
    calls.unshift({ layouts, dtypes, attrs: copyPlain(attrs) as Attrs, value })
    this.#calls.set(keyOf(op), calls)
  }
}

function hasInputs({ layouts, dtypes }: Call<unknown>, inputs: readonly OpArgument[]): boolean {
  if (layouts.length !== inputs.length) return false
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!
    const layout = layouts[i] ?? null
    if (dtypeOf(input) !== dtypes[i]) return false
    // A plain number may have the dtype that a tensor had.
    if (input instanceof TensorHandle ? layout === null || !input.layout.isLike(layout) : layout !== null) return false
  }
  return true
}

/** Of a plain number that of the scalar which a kernel gets. */
const dtypeOf = (input: OpArgument): Dtype => (input instanceof TensorHandle ? input.dtype : numberDtype(input, 'f64'))
