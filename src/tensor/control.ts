/**
 * Control flow on the values of tensors. Without `compile` the predicate is read and the chosen function runs; in a
 * compiled function both functions become blocks of its graph, so that a branch or a loop is no graph break.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { SymbolicShapeError, surelyDiffer, surelyEqual } from '../graph/sizes.js'
import { requireTensor } from './dispatch.js'
import { stack } from './functions.js'
import { TensorHandle } from './handle.js'
import type { Tensor } from './tensor.js'
import { type BlockFunction, currentTracer } from './tracer.js'

/** The result of a branch or loop body: a tensor, or a list of tensors. */
export type BlockResult = Tensor | readonly Tensor[]

/**
 * `trueFn(...operands)` where `predicate` holds, else `falseFn(...operands)`, as `torch.cond`. In a compiled function both
 * are traced, once each, and only the chosen one runs at a call; the host reads the predicate then. The functions may use
 * other tensors from around them, too.
 *
 * @param predicate a tensor of one element (it holds unless it is 0), or a boolean, which decides at once
 * @param trueFn gives a tensor or a list of tensors
 * @param falseFn gives as many, of the same shapes and dtypes
 * @param operands what both get; default: nothing
 * @returns what the function gave; never one of its operands itself, but a copy
 * Throws ShapeError for a predicate of several elements; in a compiled function also ShapeError and DtypeError where the
 * functions' results differ in type, and CaptureError where one changes an operand in place, reads values or draws
 * random numbers.
 */
export function cond<R extends BlockResult>(
  predicate: Tensor | boolean,
  trueFn: (...operands: Tensor[]) => R,
  falseFn: (...operands: Tensor[]) => R,
  operands: readonly Tensor[] = [],
): R {
  requireFunction('cond', trueFn, 'trueFn')
  requireFunction('cond', falseFn, 'falseFn')
  const given = requireTensors('cond', operands, 'operand')
  const choose = (holds: boolean): R => ownResults((holds ? trueFn : falseFn)(...given), given)
  if (typeof predicate === 'boolean') return choose(predicate)
  const decides = singleValue('cond', requireTensor('cond', predicate, 'the predicate'))
  const tracer = currentTracer()
  if (tracer === null) return choose(Boolean(decides.itemSync()))
  let isList = false
  let first: readonly Tensor[] | null = null
  const branch =
    (fn: (...values: Tensor[]) => R): BlockFunction =>
    (...values) => {
      const result = fn(...values)
      const list = listOf('cond', result)
      if (first === null) isList = Array.isArray(result)
      else requireSameTypes('cond', first, list, (i, a, b) => `result ${i} is ${a} in trueFn and ${b} in falseFn`)
      first ??= list
      return list
    }
  const results = tracer.cond({
    predicate: decides.to('bool'),
    branches: [branch(trueFn), branch(falseFn)],
    operands: given,
  })
  return (isList ? results : results[0]) as R
}

/**
 * Repeats `carried = bodyFn(...carried)` for as long as `condFn(...carried)` holds, as PyTorch's `while_loop`; gives the
 * last values. In a compiled function both functions are traced, once each, and the host reads the condition before each
 * iteration. They may use other tensors from around them, too.
 *
 * @param condFn gives a tensor of one element: the loop goes on unless it is 0
 * @param bodyFn gives the carried values of the next iteration (a list, or a tensor where one is carried), of the shapes
 *   and dtypes that they had
 * @param carried the first values
 * Throws ShapeError and DtypeError when a carried value changes its type; in a compiled function CaptureError as `cond`.
 */
export function whileLoop(
  condFn: (...carried: Tensor[]) => Tensor,
  bodyFn: (...carried: Tensor[]) => BlockResult,
  carried: readonly Tensor[],
): Tensor[] {
  requireFunction('whileLoop', condFn, 'condFn')
  requireFunction('whileLoop', bodyFn, 'bodyFn')
  const initial = requireTensors('whileLoop', carried, 'carried value')
  if (initial.length === 0) {
    throw new ArgumentError('whileLoop: nothing is carried', { fix: 'pass the first values: whileLoop(f, g, [x])' })
  }
  const condition = (...values: readonly Tensor[]): Tensor =>
    singleValue('whileLoop', requireTensor('whileLoop', condFn(...values), 'what condFn gives'))
  const body: BlockFunction = (...values) => {
    const next = listOf('whileLoop', bodyFn(...values))
    requireSameTypes('whileLoop', values, next, (i, a, b) => `carried value ${i} is ${a} and becomes ${b}`)
    return next
  }
  const tracer = currentTracer()
  if (tracer !== null) {
    return [...tracer.whileLoop({ condition: (...values) => condition(...values).to('bool'), body, carried: initial })]
  }
  let values: readonly Tensor[] = initial
  while (condition(...values).itemSync()) values = body(...values)
  return ownResults([...values], initial)
}

/** Options of `scan`. */
export interface ScanOptions {
  /** Whether the last element comes first; results stay at the places of their elements. Default: false. */
  readonly reverse?: boolean | undefined
}

/**
 * A loop over the elements along dim 0 of sequences, as `jax.lax.scan`: `[states, outputs] = fn(states, elements)`, once per
 * element. In a compiled function `fn` is traced once, however long the sequences are, and gradients flow through it: the backward
 * pass is such a loop, too. `fn` may use other tensors from around it.
 *
 * @param fn gets the states and one element of each sequence; gives the next states, of the shapes and dtypes that they had, and
 *   one element of each output
 * @param states the first states; may be an empty list
 * @param sequences tensors of the same size along dim 0, at least one and not of size 0
 * @param options `reverse`
 * @returns [the last states, the outputs of all steps along a new dim 0]
 * @throws ShapeError, DtypeError when a state changes its type, and for sequences of several lengths or of none; in a compiled
 *   function CaptureError as `cond`
 * @example const [[total], [sums]] = scan(([s], [x]) => [[s.add(x)], [s.add(x)]], [zeros([])], [x])   // cumulative sums
 */
export function scan(
  fn: (states: Tensor[], elements: Tensor[]) => readonly [states: readonly Tensor[], outputs: readonly Tensor[]],
  states: readonly Tensor[],
  sequences: readonly Tensor[],
  options: ScanOptions = {},
): [states: Tensor[], outputs: Tensor[]] {
  requireFunction('scan', fn, 'fn')
  checkOptionsObject('scan', options, ['reverse'])
  const { reverse = false } = options
  if (typeof reverse !== 'boolean')
    throw new ArgumentError(`scan: reverse is ${describeAny(reverse)}, not a boolean`, {
      fix: 'pass { reverse: true }',
    })
  const initial = requireTensors('scan', states, 'state')
  const whole = requireTensors('scan', sequences, 'sequence')
  requireOneLength(whole)
  const body: BlockFunction = (...values) => {
    const given: unknown = fn(values.slice(0, initial.length), values.slice(initial.length))
    const [next, outputs] = Array.isArray(given) && given.length === 2 ? given.map(each => listOf('scan', each)) : []
    if (next === undefined || outputs === undefined)
      throw new ArgumentError(`scan: fn gave ${describeAny(given)}, not [states, outputs]`, {
        fix: 'return two lists of tensors: [[h], [y]]',
      })
    requireSameTypes('scan', values.slice(0, initial.length), next, (i, a, b) => `state ${i} is ${a} and becomes ${b}`)
    return [...next, ...outputs]
  }
  const tracer = currentTracer()
  if (tracer !== null) {
    const results = tracer.scan({ body, carried: initial, sequences: whole, reverse })
    return [results.slice(0, initial.length), results.slice(initial.length)]
  }
  const length = whole[0]!.shape[0]!
  const outputs: Tensor[][] = []
  let values: readonly Tensor[] = initial
  for (let n = 0; n < length; n++) {
    const at = reverse ? length - 1 - n : n
    const results = body(...values, ...whole.map(sequence => sequence.select(0, at)))
    values = results.slice(0, initial.length)
    outputs[at] = results.slice(initial.length)
  }
  const stacked = outputs[0]!.map((_, i) => stack(outputs.map(each => each[i]!)))
  return [ownResults([...values], initial), stacked]
}

function requireOneLength(sequences: readonly Tensor[]): void {
  const [first] = sequences
  const size = first?.sizes[0]
  if (first === undefined || size === undefined || size === 0)
    throw new ShapeError(
      `scan: ${first === undefined ? 'there are no sequences' : `a sequence is ${first.describe()}`}`,
      {
        fix: 'pass at least one tensor with a dim 0 that is not empty: scan(f, [h], [x])',
      },
    )
  for (const other of sequences) {
    const own = other.sizes[0]
    if (own !== undefined && surelyEqual(own, size)) continue
    const text = `scan: sequences ${first.describe()} and ${other.describe()}`
    if (own === undefined || surelyDiffer(own, size))
      throw new ShapeError(text, { fix: 'give them the same size along dim 0' })
    throw new SymbolicShapeError(text, [own, size])
  }
}

function requireFunction(op: string, fn: unknown, role: string): void {
  if (typeof fn === 'function') return
  throw new ArgumentError(`${op}: ${role} is ${describeAny(fn)}, not a function`, { fix: 'pass one: x => x.add(1)' })
}

const requireTensors = (op: string, tensors: readonly Tensor[], role: string): Tensor[] => {
  if (!Array.isArray(tensors)) {
    throw new ArgumentError(`${op}: the ${role}s are no list of tensors`, { fix: 'pass a list: [x, y]' })
  }
  // Holes are visited too.
  return Array.from(tensors, (tensor, i) => requireTensor(op, tensor, `${role} ${i}`))
}

const listOf = (op: string, result: unknown): readonly Tensor[] =>
  Array.from(Array.isArray(result) ? (result as unknown[]) : [result], (each, i) =>
    requireTensor(op, each, `result ${i} of a function`),
  )

/** A tensor of one element as one without dims. */
function singleValue(op: string, tensor: Tensor): Tensor {
  if (tensor.sizes.some(size => size !== 1)) {
    throw new ShapeError(`${op}: ${tensor.describe()} cannot decide: it has not one element`, {
      fix: 'reduce it: x.any() or x.all()',
    })
  }
  return tensor.ndim === 0 ? tensor : tensor.reshape([])
}

/** Throws ShapeError or DtypeError unless the values have the same types. */
function requireSameTypes(
  op: string,
  before: readonly Tensor[],
  after: readonly Tensor[],
  tell: (index: number, before: string, after: string) => string,
): void {
  if (before.length !== after.length) {
    throw new ShapeError(`${op}: ${before.length} values became ${after.length}`, { fix: 'give as many values' })
  }
  for (const [i, old] of before.entries()) {
    const now = after[i]!
    const text = (): string => `${op}: ${tell(i, old.describe(), now.describe())}`
    if (old.dtype !== now.dtype) throw new DtypeError(text(), { fix: `cast it: x.to('${old.dtype}')` })
    const pairs = old.sizes.map((size, d) => [size, now.sizes[d] ?? -1] as const)
    if (old.ndim !== now.ndim || pairs.some(([a, b]) => surelyDiffer(a, b))) {
      throw new ShapeError(text(), { fix: 'give a tensor of the same shape' })
    }
    const open = pairs.filter(([a, b]) => !surelyEqual(a, b))
    if (open.length > 0) throw new SymbolicShapeError(text(), open.flat())
  }
}

/** Results in memory of their own: a returned operand is copied. */
function ownResults<R extends BlockResult>(result: R, operands: readonly Tensor[]): R {
  const own = (tensor: Tensor): Tensor => {
    const isShared = tensor instanceof TensorHandle && operands.some(({ source }) => source === tensor.source)
    return isShared ? tensor.clone() : tensor
  }
  return (Array.isArray(result) ? (result as Tensor[]).map(own) : own(result as Tensor)) as R
}
