/**
 * The graph interpreter: runs the primitives on plain arrays, one value at a time. It is the oracle for everything the
 * compiler makes of a graph, so it takes no short cuts: each map rounds to its dtype; reductions and matmuls are exact
 * (integers) or in float64, and rounded once.
 */
import { InternalError, ShapeError } from '../base/errors.js'
import { ownNodesOf } from '../ir/walk.js'
import { argExtreme, bitcastValue, finishFold, foldValues, sortedIndices } from '../scalar/folds.js'
import { castValue, evaluate, type ReductionName, reductionIdentity, type Value, wrapValue } from '../scalar/ops.js'
import { philoxUniform } from '../scalar/philox.js'
import { evaluateSize, type Size } from '../scalar/size.js'
import { type Dtype, type Float8, isFloat } from '../types/dtype.js'
import { decodeMinifloat, minifloatOf } from '../types/minifloat.js'
import { expandGradients } from './derivatives/expand.js'
import { elementAt, elementCount, forEachIndex, hostFrom, rowMajorStrides } from './host.js'
import {
  attentionGradientInputs,
  attentionInputs,
  type Graph,
  type GraphBlock,
  type GraphNode,
  type GraphOps,
  type Shape,
  symbolValue,
  type Type,
  typeOf,
} from './ir.js'
import type { HostTensor } from './record.js'
import { onAllDims, type Windows } from './windows.js'

type Symbols = ReadonlyMap<string, number>
type Results = readonly HostTensor[]
type NodeOfOp<Op extends GraphNode['op']> = Extract<GraphNode, { op: Op }>

/** The symbols' values in a call: sizes from the inputs' shapes, strides from their row-major layout. */
export function symbolValues(graph: Graph, inputs: readonly HostTensor[]): Map<string, number> {
  return new Map(
    graph.symbols.map(symbol => {
      const { name, input, kind, dim } = symbol
      const { shape } = inputs[input]!
      return [name, kind === 'size' ? symbolValue(symbol, shape[dim]!) : rowMajorStrides(shape)[dim]!]
    }),
  )
}

/**
 * How reductions and matmuls of floats accumulate. sequential: term by term, each step rounded to the dtype, as a plain
 * loop does; used to measure the error of plain code.
 */
export type Sums = 'float64' | 'sequential'

/**
 * The graph's results (outputs, then the values of its write-backs) on row-major `inputs` and `scalars`, the values of its
 * scalar inputs. Throws ShapeError when an input's shape does not match the graph's.
 */
export function interpretGraph(
  graph: Graph,
  inputs: readonly HostTensor[],
  scalars: readonly Value[] = [],
  symbols: Symbols = symbolValues(graph, inputs),
  sums: Sums = 'float64',
): HostTensor[] {
  return runBlock(expandGradients.run(graph).body, { inputs, scalars, symbols, sums })
}

/** The results of one primitive on operands. Throws as `interpretGraph`. */
export const interpretNode = (node: GraphNode, operands: readonly HostTensor[], symbols: Symbols): Results =>
  run(node, operands, { inputs: [], scalars: [], symbols, sums: 'float64' })

function runBlock(block: GraphBlock, frame: Frame): HostTensor[] {
  const values = new Map<GraphNode, Results>()
  for (const node of ownNodesOf(block)) {
    // Only `item` takes a tuple, as its one input, so tuples can be flattened into the operand list.
    const operands = node.inputs.flatMap(input => values.get(input)!)
    values.set(node, run(node, operands, frame))
  }
  return block.results.map(result => values.get(result)![0]!)
}

interface Frame {
  readonly inputs: readonly HostTensor[]
  readonly scalars: readonly Value[]
  readonly symbols: Symbols
  readonly sums: Sums
}

/** Computes a node from its operands. */
function run(node: GraphNode, operands: readonly HostTensor[], frame: Frame): Results {
  const size = (value: Size): number => evaluateSize(value, frame.symbols)
  const sizes = (shape: Shape): number[] => shape.map(size)
  const [x, y] = operands as [HostTensor, HostTensor]
  switch (node.op) {
    case 'input':
      return [checkedInput(node.attrs, frame.inputs[node.attrs.index], sizes(node.attrs.shape))]
    case 'scalarInput':
      return [scalar(node.attrs.dtype, castScalar(node.attrs.dtype, frame.scalars[node.attrs.index]))]
    case 'constant':
      return [scalar(node.attrs.dtype, node.attrs.value)]
    case 'size':
      return [scalar('i64', BigInt(size(node.attrs.size)))]
    case 'iota':
      return [hostFrom(node.attrs.dtype, [size(node.attrs.length)], (_, i) => fromInteger(node.attrs.dtype, i))]
    case 'map':
      return [runMap(node, operands)]
    case 'cast':
      return [{ ...x, dtype: node.attrs.to, data: x.data.map(value => castValue(x.dtype, node.attrs.to, value)) }]
    case 'bitcast':
      return [{ ...x, dtype: node.attrs.to, data: x.data.map(value => bitcastValue(x.dtype, node.attrs.to, value)) }]
    case 'copy':
      return [x]
    case 'permute':
      return [runPermute(x, node.attrs.dims)]
    case 'expand':
      return [hostFrom(x.dtype, sizes(node.attrs.shape), index => elementAt(x, index))]
    case 'reshape':
      return [runReshape(x, sizes(node.attrs.shape))]
    case 'slice':
      return [runSlice(x, sizes(node.attrs.starts), node.attrs.steps, sizes(node.attrs.sizes))]
    case 'affine':
      return [runAffine(x, sizes(node.attrs.shape), node.attrs)]
    case 'pad':
      return [runPad(x, node.attrs)]
    case 'reduce':
      return [runReduce(x, node.attrs.fn, node.attrs.dims, frame.sums)]
    case 'scan':
      return [runScan(x, node.attrs, frame.sums)]
    case 'matmul':
      return [runMatmul(x, y, node.attrs, frame.sums)]
    case 'conv': {
      const before = sizes(node.attrs.padding.map(([first]) => first))
      return [runConv(operands, node.attrs, sizes(typeOf(node).shape), before, frame.sums)]
    }
    case 'convLast':
      return [runConvLast(x, y, node.attrs, sizes(typeOf(node).shape), frame.sums)]
    case 'convWeight':
      return [runConvWeight(x, y, node.attrs, sizes(typeOf(node).shape), frame.sums)]
    case 'maxPool':
      return runMaxWindows(x, onAllDims(node.attrs), node.type, sizes)
    case 'foldWindows':
      if (node.attrs.places) return runMaxWindows(x, node.attrs, node.type, sizes)
      return [runFoldWindows(operands, node.attrs, sizes(typeOf(node).shape), frame.sums)]
    case 'groupOf':
      return [y]
    case 'raggedMatmul':
      return node.attrs.along === 'depth'
        ? [runRaggedDepth(operands, sizes(typeOf(node).shape), node.attrs, frame.sums)]
        : [runRagged(operands, node.attrs, frame.sums)]
    case 'attention':
      return runAttention(operands, node.attrs, frame.sums)
    case 'attentionGradient':
      return runAttentionGradient(operands, node.attrs, frame.sums)
    case 'cat':
      return [runCat(operands, node.attrs.dim)]
    case 'gather':
      return [runGather(x, y, node.attrs.dim)]
    case 'scatter':
      return [runScatter(x, y, operands[2]!, node.attrs)]
    case 'sort':
      return runSort(x, node.attrs.dim, node.attrs.descending, x.shape[node.attrs.dim]!)
    case 'topk':
      return runSort(x, node.attrs.dim, node.attrs.largest, node.attrs.k)
    case 'nth':
      return runNth(x, y, node.attrs.dim)
    case 'random':
      return [runRandom(x, y, sizes(node.attrs.shape), node.attrs.dtype)]
    case 'launch':
      return runLaunch(node.attrs, operands, frame)
    case 'region':
      return operands.slice(node.attrs.operands)
    case 'cond': {
      const [predicate, ...given] = operands as [HostTensor, ...HostTensor[]]
      return runBlock(node.blocks[holds(predicate) ? 0 : 1]!, { ...frame, inputs: given, scalars: [] })
    }
    case 'loop':
      return runLoop(node, operands, frame)
    case 'steps':
      return runSteps(node, operands, frame)
    case 'detach':
    case 'fence':
    case 'variable':
      return [x]
    case 'custom':
      return operands.slice(node.attrs.given.length, node.attrs.given.length + node.attrs.results)
    case 'gradient':
      throw new InternalError('interpret: a gradient that is not expanded')
    case 'item':
      return [operands[node.attrs.index]!]
    default:
      return node satisfies never
  }
}

const holds = ({ data }: HostTensor): boolean => Boolean(data[0])

function runLoop({ attrs, blocks }: NodeOfOp<'loop'>, operands: readonly HostTensor[], frame: Frame): Results {
  const [condition, body] = blocks as readonly [GraphBlock, GraphBlock]
  const invariants = operands.slice(attrs.carried)
  let carried: Results = operands.slice(0, attrs.carried)
  for (;;) {
    const inner = { ...frame, inputs: [...carried, ...invariants], scalars: [] }
    if (!holds(runBlock(condition, inner)[0]!)) return carried
    carried = runBlock(body, inner)
  }
}

function runSteps({ attrs, blocks, type }: NodeOfOp<'steps'>, operands: readonly HostTensor[], frame: Frame): Results {
  const { carried: count, sequences, reverse } = attrs
  const whole = operands.slice(count, count + sequences)
  const invariants = operands.slice(count + sequences)
  const length = whole[0]!.shape[0]!
  const stacked = (type.kind === 'tuple' ? type.items : []).slice(count).map(item => ({
    dtype: item.dtype,
    shape: item.shape.map(size => evaluateSize(size, frame.symbols)),
    parts: new Array<HostTensor['data']>(length),
  }))
  let carried: Results = operands.slice(0, count)
  for (let n = 0; n < length; n++) {
    const t = reverse ? length - 1 - n : n
    const elements = whole.map(sequence => rowOf(sequence, t))
    const results = runBlock(blocks[0]!, { ...frame, inputs: [...carried, ...elements, ...invariants], scalars: [] })
    carried = results.slice(0, count)
    for (const [i, { parts }] of stacked.entries()) parts[t] = results[count + i]!.data
  }
  return [...carried, ...stacked.map(({ dtype, shape, parts }) => ({ dtype, shape, data: parts.flat() }))]
}

function rowOf({ data, dtype, shape: [, ...shape] }: HostTensor, index: number): HostTensor {
  const count = elementCount(shape)
  return { dtype, shape, data: data.slice(index * count, (index + 1) * count) }
}

/** Substitutes the numbers of this call for scalar inputs and sizes. */
function runLaunch(attrs: GraphOps['launch'], operands: readonly HostTensor[], frame: Frame): Results {
  const size = (value: Size): number => evaluateSize(value, frame.symbols)
  const args = attrs.args.map(arg => {
    if ('size' in arg) return { scalar: size(arg.size) }
    return 'scalarInput' in arg ? { scalar: Number(frame.scalars[arg.scalarInput]) } : arg
  })
  return attrs.kernel.run(operands, { ...attrs, args }, attrs.grid.map(size))
}

// --- leaves ------------------------------------------------------------------------------------------------------------

const scalar = (dtype: Dtype, value: Value): HostTensor => ({ dtype, shape: [], data: [value] })

function castScalar(dtype: Dtype, value: Value | undefined): Value {
  if (value === undefined) throw new InternalError('interpret: a scalar input has no value')
  return castValue(typeof value === 'bigint' ? 'i64' : 'f64', dtype, value)
}

const fromInteger = (dtype: Dtype, value: number): Value => castValue('f64', dtype, value)

function checkedInput(attrs: GraphOps['input'], tensor: HostTensor | undefined, shape: readonly number[]): HostTensor {
  const fits =
    tensor !== undefined &&
    tensor.dtype === attrs.dtype &&
    tensor.shape.length === shape.length &&
    shape.every((size, d) => size === tensor.shape[d])
  if (fits) return tensor
  const got = tensor === undefined ? 'nothing' : `${tensor.dtype}[${tensor.shape.join(', ')}]`
  throw new ShapeError(`interpret: input ${attrs.index} is ${got}, the graph takes ${attrs.dtype}[${shape.join(', ')}]`)
}

function runRandom(seed: HostTensor, offset: HostTensor, shape: readonly number[], dtype: 'f32' | 'f64'): HostTensor {
  const [key, first] = [BigInt(seed.data[0]!), BigInt(offset.data[0]!)]
  return hostFrom(dtype, shape, (_, i) => philoxUniform(dtype, key, first, i))
}

// --- elementwise ---------------------------------------------------------------------------------------------------------

function runMap(node: GraphNode & { op: 'map' }, operands: readonly HostTensor[]): HostTensor {
  const { fn } = node.attrs
  const model = operands.at(-1)!
  const lists = operands.map(({ data }) => data)
  const values = new Array<Value>(lists.length)
  const data = model.data.map((_, i) => {
    for (let k = 0; k < lists.length; k++) values[k] = lists[k]![i]!
    return evaluate(fn, model.dtype, values)
  })
  return { dtype: typeOf(node).dtype, shape: model.shape, data }
}

// --- views ---------------------------------------------------------------------------------------------------------------

function runPad(x: HostTensor, { before, after, value }: GraphOps['pad']): HostTensor {
  return hostFrom(
    x.dtype,
    x.shape.map((size, d) => before[d]! + size + after[d]!),
    index => {
      const at = index.map((i, d) => i - before[d]!)
      return at.every((i, d) => i >= 0 && i < x.shape[d]!) ? elementAt(x, at) : value
    },
  )
}

function runPermute(x: HostTensor, dims: readonly number[]): HostTensor {
  const strides = rowMajorStrides(x.shape)
  return hostFrom(
    x.dtype,
    dims.map(dim => x.shape[dim]!),
    index => x.data[index.reduce((at, i, d) => at + i * strides[dims[d]!]!, 0)]!,
  )
}

function runReshape(x: HostTensor, shape: readonly number[]): HostTensor {
  if (elementCount(shape) === x.data.length) return { ...x, shape }
  throw new ShapeError(`reshape: [${x.shape.join(', ')}] does not fit [${shape.join(', ')}] at run time`)
}

/** A slice. Throws ShapeError when it reaches outside at run time. */
function runSlice(
  x: HostTensor,
  starts: readonly number[],
  steps: readonly number[],
  sizes: readonly number[],
): HostTensor {
  const strides = rowMajorStrides(x.shape)
  return hostFrom(x.dtype, sizes, index => {
    const value = x.data[index.reduce((at, i, d) => at + (starts[d]! + i * steps[d]!) * strides[d]!, 0)]
    if (value === undefined) throw new ShapeError(`slice: reaches outside [${x.shape.join(', ')}] at run time`)
    return value
  })
}

function runAffine(x: HostTensor, shape: readonly number[], { starts, factors }: GraphOps['affine']): HostTensor {
  const strides = rowMajorStrides(x.shape)
  return hostFrom(x.dtype, shape, index => {
    const places = starts.map((start, d) => index.reduce((at, i, o) => at + i * factors[d]![o]!, start))
    const inside = places.every((place, d) => place >= 0 && place < x.shape[d]!)
    if (!inside) throw new ShapeError(`affine: reaches outside [${x.shape.join(', ')}] at run time`)
    return x.data[places.reduce((at, place, d) => at + place * strides[d]!, 0)]!
  })
}

// --- folds ---------------------------------------------------------------------------------------------------------------

const roundingOf = (dtype: Dtype, sums: Sums): ((value: number) => number) =>
  sums === 'float64' ? value => value : value => Number(wrapValue(dtype, value))

/** For each element of the result, the values along the reduced dims. */
function lists(
  x: HostTensor,
  dims: readonly number[],
): { readonly kept: readonly number[]; readonly lists: Value[][] } {
  const kept = x.shape.filter((_, d) => !dims.includes(d))
  const strides = rowMajorStrides(kept)
  const place = x.shape.map((_, d) =>
    dims.includes(d) ? 0 : strides[x.shape.slice(0, d).filter((_, e) => !dims.includes(e)).length]!,
  )
  const found: Value[][] = Array.from({ length: elementCount(kept) }, () => [])
  forEachIndex(x.shape, (index, flat) => {
    found[index.reduce((at, i, d) => at + i * place[d]!, 0)]!.push(x.data[flat]!)
  })
  return { kept, lists: found }
}

function runReduce(x: HostTensor, fn: ReductionName, dims: readonly number[], sums: Sums): HostTensor {
  const { kept, lists: found } = lists(x, dims)
  if (fn === 'argmin' || fn === 'argmax') {
    return { dtype: 'i64', shape: kept, data: found.map(values => BigInt(argExtreme(values, fn === 'argmax'))) }
  }
  return {
    dtype: x.dtype,
    shape: kept,
    data: found.map(values => finishFold(x.dtype, foldValues(fn, x.dtype, values, roundingOf(x.dtype, sums)))),
  }
}

/** A scan along a dim. */
function runScan(x: HostTensor, { fn, dim, reverse }: GraphOps['scan'], sums: Sums): HostTensor {
  const stride = rowMajorStrides(x.shape)[dim]!
  const size = x.shape[dim]!
  const round = roundingOf(x.dtype, sums)
  const data = new Array<Value>(x.data.length)
  for (let first = 0; first < data.length; first++) {
    if (Math.floor(first / stride) % size !== 0) continue // not the first of a row
    let total: Value | null = null
    for (let i = 0; i < size; i++) {
      const at: number = first + (reverse ? size - 1 - i : i) * stride
      const value = x.data[at]!
      total = foldValues(fn, x.dtype, total === null ? [value] : [total, value], round)
      data[at] = finishFold(x.dtype, total)
    }
  }
  return { dtype: x.dtype, shape: x.shape, data }
}

/** A matmul with batch dims; integers are summed exactly. */
function runMatmul(a: HostTensor, b: HostTensor, attrs: GraphOps['matmul'], sums: Sums): HostTensor {
  const { accumulate, to, codes } = attrs
  const [x, y] = [decodedCodes(a, codes?.[0]), decodedCodes(b, codes?.[1])]
  const round = roundingOf(accumulate, sums)
  const [rows, inner] = x.shape.slice(-2) as [number, number]
  const columns = y.shape.at(-1)!
  const exact = !isFloat(accumulate)
  return hostFrom(to, [...x.shape.slice(0, -1), columns], (index, flat) => {
    const [batch, m, n] = [Math.floor(flat / (rows * columns)), index.at(-2)!, index.at(-1)!]
    const [left, right] = [(batch * rows + m) * inner, batch * inner * columns + n]
    let [sum, whole] = [0, 0n]
    for (let k = 0; k < inner; k++) {
      const [p, q] = [x.data[left + k]!, y.data[right + k * columns]!]
      if (exact) whole += BigInt(p) * BigInt(q)
      else sum = round(sum + round(Number(p) * Number(q)))
    }
    return castValue(accumulate, to, wrapValue(accumulate, exact ? whole : sum))
  })
}

/** Window by window, channel by channel. */
function runConv(
  [x, weight, bias]: readonly HostTensor[],
  attrs: GraphOps['conv'],
  shape: readonly number[],
  before: readonly number[],
  sums: Sums,
): HostTensor {
  const { groups, accumulate, to } = attrs
  const round = roundingOf(accumulate, sums)
  const [outputs, inner, ...kernel] = weight!.shape as [number, number, ...number[]]
  const [channels, ...sizes] = x!.shape.slice(1) as [number, ...number[]]
  const [area, taps, places] = [sizes, kernel, shape.slice(2)].map(elementCount) as [number, number, number]
  const elements = windowElements(attrs, before, sizes, kernel, shape.slice(2))
  return hostFrom(to, shape, ([batch, output], flat) => {
    const first = batch! * channels + Math.floor(output! / (outputs / groups)) * inner
    let sum = 0
    for (let i = 0; i < inner * taps; i++) {
      const element = elements[(flat % places) * taps + (i % taps)]!
      const value = element < 0 ? 0 : Number(x!.data[(first + Math.floor(i / taps)) * area + element]!)
      sum = round(sum + round(value * Number(weight!.data[output! * inner * taps + i]!)))
    }
    const whole = wrapValue(accumulate, sum)
    return castValue(
      accumulate,
      to,
      bias !== undefined ? evaluate('add', accumulate, [whole, bias.data[output!]!]) : whole,
    )
  })
}

/** The element that a tap of the window at `place` is on; in padding it is outside. */
const tappedAt = (
  place: readonly number[],
  tap: readonly number[],
  { stride, dilation, padding }: Pick<Windows, 'stride' | 'dilation' | 'padding'>,
): readonly number[] => place.map((at, d) => at * stride[d]! + tap[d]! * dilation[d]! - padding[d]![0])

/** Tap by tap, channel by channel. */
function runConvLast(
  x: HostTensor,
  weight: HostTensor,
  attrs: GraphOps['convLast'],
  shape: readonly number[],
  sums: Sums,
): HostTensor {
  const { accumulate, to } = attrs
  const round = roundingOf(accumulate, sums)
  const [groups, outputs, ...rest] = weight.shape as [number, number, ...number[]]
  const [kernel, inner, sizes] = [rest.slice(0, -1), rest.at(-1)!, x.shape.slice(1, -2)]
  const taps: (readonly number[])[] = []
  forEachIndex(kernel, index => void taps.push([...index]))
  return hostFrom(to, shape, index => {
    const [batch, ...places] = index.slice(0, -2) as [number, ...number[]]
    const [group, output] = index.slice(-2) as [number, number]
    let sum = 0
    for (const [t, tap] of taps.entries()) {
      const at = tappedAt(places, tap, attrs)
      const isInside = at.every((i, d) => i >= 0 && i < sizes[d]!)
      const pixel = at.reduce((flat, i, d) => flat * sizes[d]! + i, batch)
      const row = ((group * outputs + output) * taps.length + t) * inner
      for (let c = 0; c < inner; c++) {
        const value = isInside ? Number(x.data[(pixel * groups + group) * inner + c]!) : 0
        sum = round(sum + round(value * Number(weight.data[row + c]!)))
      }
    }
    return castValue(accumulate, to, wrapValue(accumulate, sum))
  })
}

/** Image by image, place by place. */
function runConvWeight(
  x: HostTensor,
  g: HostTensor,
  attrs: GraphOps['convWeight'],
  shape: readonly number[],
  sums: Sums,
): HostTensor {
  const { accumulate, to } = attrs
  const round = roundingOf(accumulate, sums)
  const [images, sizes] = [g.shape.slice(0, -2), x.shape.slice(1, -2)]
  return hostFrom(to, shape, index => {
    const [group, output, ...tap] = index.slice(0, -1) as [number, number, ...number[]]
    const channel = index.at(-1)!
    let sum = 0
    forEachIndex(images, ([image, ...places]) => {
      const at = tappedAt(places, tap, attrs)
      const isInside = at.every((i, d) => i >= 0 && i < sizes[d]!)
      const element = isInside ? Number(elementAt(x, [image!, ...at, group, channel])) : 0
      sum = round(sum + round(element * Number(elementAt(g, [image!, ...places, group, output]))))
    })
    return castValue(accumulate, to, wrapValue(accumulate, sum))
  })
}

function runFoldWindows(
  [x, weight]: readonly HostTensor[],
  attrs: GraphOps['foldWindows'],
  shape: readonly number[],
  sums: Sums,
): HostTensor {
  const { fn, kernel, value, channel, accumulate } = attrs
  const round = roundingOf(accumulate, sums)
  return hostFrom(accumulate, shape, index => {
    let folded: number | null = null
    forEachIndex(kernel, tap => {
      const at = tappedAt(index, tap, attrs)
      const isInside = at.every((i, d) => i >= 0 && i < x!.shape[d]!)
      const element = isInside ? Number(elementAt(x!, at)) : value
      const own = tap.map((i, d) => (d === channel ? index[d]! : i))
      const one = weight === undefined ? element : round(element * Number(elementAt(weight, own)))
      if (folded === null) folded = one
      else folded = fn === 'add' ? round(folded + one) : Number(evaluate(fn, accumulate, [folded, one]))
    })
    return wrapValue(accumulate, folded!)
  })
}

/** The largest element of each window and its number; the first `places[d]` elements of a dim do not count. */
function runMaxWindows(
  x: HostTensor,
  attrs: Windows & Pick<GraphOps['foldWindows'], 'places'>,
  type: Type,
  sizes: (shape: Shape) => readonly number[],
): Results {
  const { kernel, places = [] } = attrs
  if (type.kind !== 'tuple') throw new InternalError('graph: max pooling gives a tuple')
  const shape = sizes(type.items[0]!.shape)
  const largest: Value[] = []
  const numbers: Value[] = []
  forEachIndex(shape, index => {
    const found: { readonly value: Value; readonly number: number }[] = []
    forEachIndex(kernel, (tap, number) => {
      const at = tappedAt(index, tap, attrs)
      if (at.every((i, d) => i >= (places[d] ?? 0) && i < x.shape[d]!)) found.push({ value: elementAt(x, at), number })
    })
    const best =
      found[
        argExtreme(
          found.map(({ value }) => value),
          true,
        )
      ]
    largest.push(best?.value ?? reductionIdentity('max', x.dtype))
    numbers.push(best?.number ?? 0)
  })
  return [
    { dtype: x.dtype, shape, data: largest },
    { dtype: type.items[1]!.dtype, shape, data: numbers },
  ]
}

/** For each window, the flat indices of the elements that it covers in a channel; −1 for zeros of dilation and padding. */
function windowElements(
  { stride, dilation, inputDilation }: GraphOps['conv'],
  before: readonly number[],
  sizes: readonly number[],
  kernel: readonly number[],
  places: readonly number[],
): readonly number[] {
  const elements: number[] = []
  forEachIndex([...places, ...kernel], index => {
    const at = sizes.map((_, d) => {
      const far = index[d]! * stride[d]! + index[sizes.length + d]! * dilation[d]! - before[d]!
      return far / inputDilation[d]!
    })
    const isElement = at.every((i, d) => Number.isInteger(i) && i >= 0 && i < sizes[d]!)
    elements.push(isElement ? at.reduce((sum, i, d) => sum * sizes[d]! + i, 0) : -1)
  })
  return elements
}

const decodedCodes = (tensor: HostTensor, float: Float8 | undefined): HostTensor =>
  float === undefined
    ? tensor
    : { ...tensor, data: tensor.data.map(code => decodeMinifloat(minifloatOf(float), Number(code))) }

/** A ragged matmul over rows: each row times the matrix of its group. */
function runRagged(operands: readonly HostTensor[], { to, codes }: GraphOps['raggedMatmul'], sums: Sums): HostTensor {
  const [a, b] = [0, 1].map(side => decodedCodes(operands[side]!, codes?.[side])) as [HostTensor, HostTensor]
  const group = operands[2]!
  const round = roundingOf('f32', sums)
  const [groups, inner, columns] = b.shape as [number, number, number]
  return hostFrom(to, [a.shape[0]!, columns], ([row, column]) => {
    const own = Number(group.data[row!]!)
    let sum = 0
    for (let k = 0; k < inner && own >= 0 && own < groups; k++) {
      const product = Number(a.data[row! * inner + k]!) * Number(b.data[(own * inner + k) * columns + column!]!)
      sum = round(sum + round(product))
    }
    return castValue('f32', to, wrapValue('f32', sum))
  })
}

/** A ragged matmul over K: one result per group, summed over the group's k. */
function runRaggedDepth(
  operands: readonly HostTensor[],
  shape: readonly number[],
  { to, codes }: GraphOps['raggedMatmul'],
  sums: Sums,
): HostTensor {
  const [a, b] = [0, 1].map(side => decodedCodes(operands[side]!, codes?.[side])) as [HostTensor, HostTensor]
  const groups = operands[2]!.data.map(Number)
  const round = roundingOf('f32', sums)
  const columns = b.shape[1]!
  return hostFrom(to, shape, ([group, row, column]) => {
    let sum = 0
    for (const [k, own] of groups.entries()) {
      if (own !== group) continue
      sum = round(sum + round(Number(a.data[row! * groups.length + k]!) * Number(b.data[k * columns + column!]!)))
    }
    return castValue('f32', to, wrapValue('f32', sum))
  })
}

/** What attention and its gradient compute of each row (query), numbered through all batch dims. */
interface AttentionRows {
  /** −∞ for hidden keys. */
  scores(line: number): number[]
  /** What dropout makes of a weight of 1. */
  keptShare(line: number, key: number): number
  isPast(line: number, key: number): boolean
}

/** sequential: scores are rounded to `stored`'s dtype, as if they were materialised. */
function attentionRows(
  [q, k]: readonly [HostTensor, HostTensor, HostTensor],
  mask: HostTensor | null,
  random: readonly HostTensor[] | null,
  { causal, scale, dropout = 0 }: Pick<GraphOps['attention'], 'causal' | 'scale' | 'dropout'>,
  { round, stored }: { readonly [Name in 'round' | 'stored']: (value: number) => number },
): AttentionRows {
  const [rows, depth] = q.shape.slice(-2) as [number, number]
  const keys = k.shape.at(-2)!
  const isPast = (line: number, key: number): boolean => causal && key > line % rows
  return {
    isPast,
    keptShare(line, key) {
      if (random === null) return 1
      const [seed, offset] = random.map(({ data }) => BigInt(data[0]!)) as [bigint, bigint]
      const drawn = philoxUniform('f32', seed, offset, line * keys + key)
      return drawn < Math.fround(dropout) ? 0 : 1 / (1 - dropout)
    },
    scores(line) {
      const batch = Math.floor(line / rows)
      return Array.from({ length: keys }, (_, j) => {
        if (isPast(line, j)) return Number.NEGATIVE_INFINITY
        if (mask?.dtype === 'bool' && numberAt(mask, line * keys + j) === 0) return Number.NEGATIVE_INFINITY
        let sum = 0
        for (let e = 0; e < depth; e++)
          sum = round(sum + round(numberAt(q, line * depth + e) * numberAt(k, (batch * keys + j) * depth + e)))
        const scaled = stored(stored(sum) * scale)
        return mask === null || mask.dtype === 'bool' ? scaled : stored(scaled + numberAt(mask, line * keys + j))
      })
    },
  }
}

const numberAt = ({ data }: HostTensor, index: number): number => Number(data[index]!)

/** Row by row. sequential: scores and weights are rounded to the result's dtype, as if they were materialised. */
function runAttention(inputs: readonly HostTensor[], attrs: GraphOps['attention'], sums: Sums): Results {
  const { operands, mask, random } = attentionInputs(inputs, attrs)
  const [q, , v] = operands
  const { fullyMasked, accumulate, to } = attrs
  const round = roundingOf(accumulate, sums)
  const stored = sums === 'sequential' ? (value: number): number => Number(wrapValue(to, value)) : round
  const { scores, keptShare, isPast } = attentionRows(operands, mask, random, attrs, { round, stored })
  const rows = q.shape.at(-2)!
  const [keys, columns] = v.shape.slice(-2) as [number, number]
  const lineOf = (line: number): { readonly weights: readonly number[]; readonly lse: number } => {
    const own = scores(line)
    const isFullyMasked = own.every(score => score === Number.NEGATIVE_INFINITY)
    if (isFullyMasked) {
      return { weights: own.map(() => (fullyMasked === 'zero' ? 0 : Number.NaN)), lse: Number.NEGATIVE_INFINITY }
    }
    const largest = own.reduce((a, b) => Math.max(a, b))
    const powers = own.map(score => round(Math.exp(score - largest)))
    const total = powers.reduce((a, b) => round(a + b), 0)
    const weights = powers.map((power, j) => {
      const share = keptShare(line, j)
      return share === 0 ? 0 : stored(stored(power / total) * share)
    })
    return { weights, lse: largest + Math.log(total) }
  }
  const shape = q.shape.slice(0, -1)
  const lse = (): HostTensor =>
    hostFrom(accumulate, shape, (_, line) => castValue(accumulate, accumulate, wrapValue(accumulate, lineOf(line).lse)))
  let known = { line: -1, weights: [] as readonly number[] }
  const result = hostFrom(to, [...shape, columns], (_, flat) => {
    const line = Math.floor(flat / columns)
    if (known.line !== line) known = { line, weights: lineOf(line).weights }
    const first = Math.floor(line / rows) * keys
    let sum = 0
    for (const [j, weight] of known.weights.entries()) {
      if (weight === 0 && isPast(line, j)) continue
      sum = round(sum + round(weight * numberAt(v, (first + j) * columns + (flat % columns))))
    }
    return castValue(accumulate, to, wrapValue(accumulate, sum))
  })
  return attrs.lse ? [result, lse()] : [result]
}

/** Row by row; `sequential` as for attention. */
function runAttentionGradient(
  inputs: readonly HostTensor[],
  attrs: GraphOps['attentionGradient'],
  sums: Sums,
): Results {
  const { operands, lse, g, inner, mask, random } = attentionGradientInputs(inputs, attrs)
  const [q, k, v] = operands
  const { wrt, fullyMasked, accumulate, scale, to } = attrs
  const round = roundingOf(accumulate, sums)
  const stored = sums === 'sequential' ? (value: number): number => Number(wrapValue(to, value)) : round
  const { scores, keptShare, isPast } = attentionRows(operands, mask, random, attrs, { round, stored })
  const [rows, depth] = q.shape.slice(-2) as [number, number]
  const [keys, columns] = v.shape.slice(-2) as [number, number]
  const found = [q, k, v].map(({ data }) => new Float64Array(data.length))
  const [ofQuery, ofKey, ofValue] = found as [Float64Array, Float64Array, Float64Array]
  const add = (to: Float64Array, at: number, term: number): void => {
    to[at] = round(to[at]! + round(term))
  }
  for (let line = 0; line < lse.data.length; line++) {
    const total = numberAt(lse, line)
    const first = Math.floor(line / rows) * keys
    for (const [j, score] of scores(line).entries()) {
      const isUnseen = total === Number.NEGATIVE_INFINITY
      if (isUnseen ? fullyMasked === 'zero' : score === Number.NEGATIVE_INFINITY && isPast(line, j)) continue
      const weight = isUnseen ? Number.NaN : stored(round(Math.exp(score - total)))
      const share = keptShare(line, j)
      let slope = 0
      for (let c = 0; c < columns; c++) {
        const [row, column] = [line * columns + c, (first + j) * columns + c]
        slope = round(slope + round(numberAt(g, row) * numberAt(v, column)))
        if (share !== 0) add(ofValue, column, stored(weight * share) * numberAt(g, row))
      }
      const dropped = share === 0 ? 0 : stored(slope) * share
      const ofScore = stored(weight * (dropped - numberAt(inner, line)) * scale)
      for (let e = 0; e < depth; e++) {
        const [row, column] = [line * depth + e, (first + j) * depth + e]
        if (wrt === 'query') add(ofQuery, row, ofScore * numberAt(k, column))
        else add(ofKey, column, ofScore * numberAt(q, row))
      }
    }
  }
  const result = (own: Float64Array, { shape }: HostTensor): HostTensor =>
    hostFrom(to, shape, (_, i) => castValue(accumulate, to, wrapValue(accumulate, own[i]!)))
  return wrt === 'query' ? [result(ofQuery, q)] : [result(ofKey, k), result(ofValue, v)]
}

// --- order and choice ------------------------------------------------------------------------------------------------------

function runCat(tensors: readonly HostTensor[], dim: number): HostTensor {
  const total = tensors.reduce((sum, tensor) => sum + tensor.shape[dim]!, 0)
  const shape = tensors[0]!.shape.with(dim, total)
  const owner = tensors.flatMap(tensor => Array.from({ length: tensor.shape[dim]! }, (_, place) => ({ tensor, place })))
  return hostFrom(tensors[0]!.dtype, shape, index => {
    const { tensor, place } = owner[index[dim]!]!
    return elementAt(tensor, index.with(dim, place))
  })
}

function runGather(x: HostTensor, index: HostTensor, dim: number): HostTensor {
  const strides = rowMajorStrides(x.shape)
  return hostFrom(x.dtype, index.shape, (at, flat) => {
    const place = Number(index.data[flat]!)
    if (place < 0 || place >= x.shape[dim]!) return castValue('f64', x.dtype, 0)
    return x.data[at.reduce((sum, i, d) => sum + (d === dim ? place : i) * strides[d]!, 0)]!
  })
}

/** A scatter, element by element in order; `fold` combines with what is there. */
function runScatter(
  x: HostTensor,
  index: HostTensor,
  source: HostTensor,
  { dim, fold }: GraphOps['scatter'],
): HostTensor {
  const strides = rowMajorStrides(x.shape)
  const data = [...x.data]
  forEachIndex(index.shape, (at, flat) => {
    const place = Number(index.data[flat]!)
    if (place < 0 || place >= x.shape[dim]!) return
    const target = at.reduce((sum, i, d) => sum + (d === dim ? place : i) * strides[d]!, 0)
    const value = source.data[flat]!
    data[target] = fold === 'set' ? value : evaluate(fold, x.dtype, [data[target]!, value])
  })
  return { ...x, data }
}

/** The elements at positions of each row's ascending order: values and where they were. */
function runNth(x: HostTensor, positions: HostTensor, dim: number): Results {
  return runSort(x, dim, false, x.shape[dim]!).map(sorted => runGather(sorted, positions, dim))
}

/** The first `count` of each row in order: values and where they were. */
function runSort(x: HostTensor, dim: number, descending: boolean, count: number): Results {
  const size = x.shape[dim]!
  if (count > size) throw new ShapeError(`topk: ${count} of ${size} elements at run time`)
  const stride = rowMajorStrides(x.shape)[dim]!
  const orders = new Map<number, readonly number[]>()
  const orderOf = (first: number): readonly number[] => {
    const known = orders.get(first)
    if (known !== undefined) return known
    const row = Array.from({ length: size }, (_, i) => x.data[first + i * stride]!)
    const order = sortedIndices(row, descending)
    orders.set(first, order)
    return order
  }
  const strides = rowMajorStrides(x.shape)
  const firstOf = (index: readonly number[]): number =>
    index.reduce((sum, i, d) => sum + (d === dim ? 0 : i * strides[d]!), 0)
  const shape = x.shape.with(dim, count)
  const place = (index: readonly number[]): number => orderOf(firstOf(index))[index[dim]!]!
  return [
    hostFrom(x.dtype, shape, index => x.data[firstOf(index) + place(index) * stride]!),
    hostFrom('i64', shape, index => BigInt(place(index))),
  ]
}
