/**
 * Grouped GEMM over rows stored group by group, each group with a matrix of its own (experts). The groups' ends are a
 * device tensor, so the host never waits for them. Operands and dtypes as in quantised.ts.
 */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, type Size } from '../../scalar/size.js'
import { type Dtype, isFloat, type TensorDtype } from '../../types/dtype.js'
import { castTo, countOf, dtypeOf, expandTo, full, map, reduce, reshapeTo, shapeOf, swapDims } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { timesPower } from '../quant/decode.js'
import { type HostTensor, type OpInput, op, type Value } from '../record.js'
import { printShape, requireEqual, SymbolicShapeError, surelyDiffer, surelyEqual } from '../sizes.js'
import { call } from './arguments.js'
import {
  activate,
  commonCodes,
  cut,
  type Elements,
  elementsOf,
  type GateActivation,
  gates,
  type HostSide,
  hostSide,
  multiplyDtype,
  ownDtypes,
  type QuantAttrs,
  type QuantOperand,
  resultDtype,
  rounded,
  type Side,
  sideOf,
} from './quantised.js'

// --- groups of rows ----------------------------------------------------------------------------------------------------------

interface Groups {
  /** [T] i64: the group of every row. */
  readonly of: GraphNode
  readonly count: Size
  readonly rows: Size
}

/** How many leading ends end no group: 1 if the ends begin with the first group's start. */
function skipped(name: string, ends: Shape, count: Size): 0 | 1 {
  const [length] = ends
  const what = (): string => `${name}: offsets ${printShape(ends)} for ${count} groups`
  const fix = 'give the ends of the groups [G], or a 0 before them [G + 1]'
  if (ends.length !== 1 || length === undefined) throw new ShapeError(what(), { fix })
  if (surelyEqual(length, count)) return 0
  if (surelyEqual(length, addSizes(count, 1))) return 1
  if (surelyDiffer(length, count) && surelyDiffer(length, addSizes(count, 1))) throw new ShapeError(what(), { fix })
  throw new SymbolicShapeError(what(), [length, count])
}

/** The group of each row, from the ends of the groups. */
function groupsOf(b: GraphBuilder, name: string, offsets: GraphNode, count: Size, rows: Size): Groups {
  const given = dtypeOf(offsets)
  if (given !== 'i32' && given !== 'i64')
    throw new DtypeError(`${name}: offsets are ${given}`, { fix: "give i32 or i64: offsets.to('i32')" })
  const skip = skipped(name, shapeOf(offsets), count)
  const length = shapeOf(offsets)[0]!
  const ascending = b.node('scan', [castTo(b, offsets, 'i64')], { fn: 'max', dim: 0, reverse: false })
  const table: Shape = [rows, length]
  const row = reshapeTo(b, b.node('iota', [], { length: rows, dtype: 'i64' }), [rows, 1])
  const isPast = map(b, 'le', expandTo(b, ascending, table), expandTo(b, row, table))
  const passed = reduce(b, 'add', castTo(b, isPast, 'i64'), [1])
  const number = skip === 0 ? passed : map(b, 'sub', passed, full(b, 'i64', [rows], skip))
  return { of: b.node('groupOf', [offsets, number], { skip }), count, rows }
}

/** Rows [… , N] of a table with one for each group: [T, … , N]; 0 for rows of no group. */
function rowsOfGroups(b: GraphBuilder, { of, rows }: Groups, table: GraphNode): GraphNode {
  const shape: Shape = [rows, ...shapeOf(table).slice(1)]
  const index = expandTo(b, reshapeTo(b, of, [rows, ...shape.slice(1).map(() => 1)]), shape)
  return b.node('gather', [table, index], { dim: 0 })
}

const hasMatrix = (b: GraphBuilder, { of, count, rows }: Groups): GraphNode =>
  map(
    b,
    'and',
    map(b, 'ge', of, full(b, 'i64', [rows], 0)),
    map(b, 'lt', of, expandTo(b, countOf(b, count, 'i64'), [rows])),
  )

// --- matmuls ----------------------------------------------------------------------------------------------------------------

/** Optional bias and factor of one matmul. */
interface Extras {
  /** [G, N]. */
  readonly bias: GraphNode | null
  /** [G]. */
  readonly factor: GraphNode | null
}

function checkSides(name: string, left: Side, right: Side): void {
  const [a, c] = [left.shape, right.shape]
  if (a.length !== 2 || c.length !== 3)
    throw new ShapeError(`${name}: a ${printShape(a)} and b ${printShape(c)} are no [T, K] and [G, N, K]`, {
      fix: 'give a all rows, group after group, and b a matrix for each group, stacked',
    })
  const what = (): string => `${name}: K differs, a ${printShape(a)} and b ${printShape(c)} (b is [G, N, K])`
  requireEqual(a[1]!, c[2]!, what, 'K is the last dim of both')
}

/** In f32 with every scale: [T, N]; rows of no group are 0, whatever the scales are. */
function raggedMatmul(
  b: GraphBuilder,
  name: string,
  left: Side,
  right: Side,
  dtype: Dtype,
  groups: Groups,
  extras: Extras,
): GraphNode {
  const [G, N] = right.shape as [Size, Size]
  const shape: Shape = [groups.rows, N]
  const zero = full(b, 'f32', shape, 0)
  if (G === 0) return zero
  const codes = commonCodes(left, right)
  const [own, other] = [left, right].map(side => elementsOf(side, codes, dtype)) as [Elements, Elements]
  const matrices = swapDims(b, other.node, 1, 2)
  const attrs = { accumulate: 'f32', to: 'f32', ...(codes && { codes }) } as const
  const product = b.node('raggedMatmul', [own.node, matrices, groups.of], attrs)
  let result = timesPower(b, product, own.factor * other.factor)
  const times = (factor: GraphNode): void => {
    result = map(b, 'mul', result, expandTo(b, factor, shape))
  }
  const column = (rows: GraphNode): GraphNode => reshapeTo(b, rows, [groups.rows, 1])
  if (left.rowScale !== null) times(column(left.rowScale))
  if (right.rowScale !== null) times(rowsOfGroups(b, groups, right.rowScale))
  const whole = [left.tensorScale, right.tensorScale].filter(scale => scale !== null)
  if (whole.length > 0) times(whole.reduce((x, y) => map(b, 'mul', x, y)))
  if (extras.factor !== null) times(column(extra(b, name, 'factor', groups, extras.factor, [G])))
  if (result !== product) {
    const isOwn = expandTo(b, column(hasMatrix(b, groups)), shape)
    result = map(b, 'where', isOwn, result, zero)
  }
  if (extras.bias === null) return result
  return map(b, 'add', result, extra(b, name, 'bias', groups, extras.bias, [G, N]))
}

/** A per-group value broadcast to rows, in f32. */
function extra(
  b: GraphBuilder,
  name: string,
  role: 'bias' | 'factor',
  groups: Groups,
  given: GraphNode,
  wanted: Shape,
): GraphNode {
  const what = (): string => `${name}: the ${role} ${printShape(shapeOf(given))} must be ${printShape(wanted)}`
  const fix = `give a ${role} of shape ${role === 'bias' ? '[G, N]' : '[G]'}`
  if (shapeOf(given).length !== wanted.length) throw new ShapeError(what(), { fix })
  for (const [d, size] of wanted.entries()) requireEqual(shapeOf(given)[d]!, size, what, fix)
  if (!isFloat(dtypeOf(given)))
    throw new DtypeError(`${name}: the ${role} is ${dtypeOf(given)}, not a float`, {
      fix: `cast it: ${role}.to('f32')`,
    })
  return castTo(b, rowsOfGroups(b, groups, given), 'f32')
}

// --- references --------------------------------------------------------------------------------------------------------------

/** The group of every row: the first whose end is beyond it; −1 for rows of none. */
function hostGroups(offsets: HostTensor, rows: number, count: number): number[] {
  const skip = offsets.shape[0]! - count
  return Array.from({ length: rows }, (_, t) => {
    const found = offsets.data.findIndex(end => Number(end) > t)
    return found < 0 ? -1 : found - skip
  })
}

interface HostExtras {
  readonly bias: HostTensor | null
  readonly factor: HostTensor | null
}

/** In float64. */
function hostRagged(a: HostSide, c: HostSide, offsets: HostTensor, { bias, factor }: HostExtras): HostTensor {
  const [T, K] = a.shape as [number, number]
  const [G, N] = c.shape as [number, number]
  const groups = hostGroups(offsets, T, G)
  const data = Array.from({ length: T * N }, (_, flat) => {
    const [row, column] = [Math.floor(flat / N), flat % N]
    const group = groups[row]!
    if (group < 0) return 0
    let sum = 0
    for (let k = 0; k < K; k++) sum += a.at(row * K + k) * c.at((group * N + column) * K + k)
    const scaled = factor === null ? sum : sum * Number(factor.data[group])
    return bias === null ? scaled : scaled + Number(bias.data[group * N + column])
  })
  return { dtype: 'f64', shape: [T, N], data }
}

// --- records -----------------------------------------------------------------------------------------------------------------

/** The matrices of one matmul as passed, with its bias and factor. */
interface Weights {
  readonly b: QuantOperand
  readonly bias: Value | null
  readonly factor: Value | null
}
type WeightAttrs = {
  readonly quant: QuantAttrs | null
  readonly bias: boolean
  readonly factor: boolean
}
type RaggedAttrs = {
  readonly a: QuantAttrs | null
  readonly weights: readonly WeightAttrs[]
  /** The activation between the two matmuls of a gated pair; null for a single matmul. */
  readonly activation: GateActivation | null
  readonly outDtype: Dtype | null
}

/** The call of a ragged matmul. */
function raggedCall(
  a: QuantOperand,
  offsets: Value,
  weights: readonly Weights[],
  activation: GateActivation | null,
  outDtype: TensorDtype | null,
) {
  const tensors = weights.flatMap(({ b, bias, factor }) => [
    ...b.tensors,
    ...[bias, factor].filter(extra => extra !== null),
  ])
  const attrs: RaggedAttrs = {
    a: a.quant,
    weights: weights.map(({ b, bias, factor }) => ({ quant: b.quant, bias: bias !== null, factor: factor !== null })),
    activation,
    outDtype,
  }
  return call([...a.tensors, offsets, ...tensors], attrs)
}

interface Parted<T> {
  readonly left: readonly T[]
  readonly offsets: T
  readonly matmuls: readonly { readonly right: readonly T[]; readonly bias: T | null; readonly factor: T | null }[]
}

/** A call's inputs by role. */
function parted<T>(inputs: readonly T[], { a, weights }: RaggedAttrs): Parted<T> {
  const rest = [...inputs]
  const take = (quant: QuantAttrs | null): T[] => rest.splice(0, cut(rest, [quant])[0]!.length)
  const left = take(a)
  const offsets = rest.shift()!
  const matmuls = weights.map(({ quant, bias, factor }) => ({
    right: take(quant),
    bias: bias ? rest.shift()! : null,
    factor: factor ? rest.shift()! : null,
  }))
  return { left, offsets, matmuls }
}

/** As for other matmuls, from both operands' dtypes; for a gated pair, the activations'. */
function dtypeOfResult<T extends { readonly dtype: Dtype }>({ left, matmuls }: Parted<T>, attrs: RaggedAttrs): Dtype {
  const [first] = matmuls
  const sides = attrs.activation === null ? [left, first!.right] : [left]
  const quants = attrs.activation === null ? [attrs.a, attrs.weights[0]!.quant] : [attrs.a]
  return resultDtype(ownDtypes(sides, quants), attrs.outDtype)
}

/** The graph of a ragged matmul, or of two with a joint activation. */
function build(name: string, b: GraphBuilder, inputs: readonly OpInput[], attrs: RaggedAttrs): GraphNode[] {
  const given = parted(
    inputs.map(({ node }) => ({ node, dtype: dtypeOf(node) })),
    attrs,
  )
  const nodesOf = (side: readonly { readonly node: GraphNode }[]): GraphNode[] => side.map(({ node }) => node)
  const left = sideOf(b, name, attrs.a, nodesOf(given.left))
  const quants = [attrs.a, ...attrs.weights.map(({ quant }) => quant)]
  const dtype = multiplyDtype(quants, ownDtypes([given.left, ...given.matmuls.map(({ right }) => right)], quants))
  let groups: Groups | null = null
  const sums = given.matmuls.map(({ right, bias, factor }, i) => {
    const weight = sideOf(b, name, attrs.weights[i]!.quant, nodesOf(right))
    checkSides(name, left, weight)
    groups ??= groupsOf(b, name, given.offsets.node, weight.shape[0]!, left.shape[0]!)
    const what = (): string => `${name}: b1 and b2 have different numbers of groups`
    requireEqual(weight.shape[0]!, groups.count, what, 'give both a matrix for each group')
    return raggedMatmul(b, name, left, weight, dtype, groups, {
      bias: bias?.node ?? null,
      factor: factor?.node ?? null,
    })
  })
  const [first, second] = sums as [GraphNode, GraphNode?]
  const to = dtypeOfResult(given, attrs)
  if (second === undefined) return [castTo(b, first, to)]
  const what = (): string => `${name}: b1 and b2 give ${shapeOf(first)[1]} and ${shapeOf(second)[1]} columns`
  requireEqual(shapeOf(first)[1]!, shapeOf(second)[1]!, what, 'give both as many rows')
  return [castTo(b, map(b, 'mul', activate(b, attrs.activation!, first), second), to)]
}

function reference(inputs: readonly HostTensor[], attrs: RaggedAttrs): HostTensor[] {
  const given = parted(inputs, attrs)
  const left = hostSide(attrs.a, given.left)
  const sums = given.matmuls.map(({ right, bias, factor }, i) =>
    hostRagged(left, hostSide(attrs.weights[i]!.quant, right), given.offsets, { bias, factor }),
  )
  const [first, second] = sums as [HostTensor, HostTensor?]
  const gate = (x: number): number => gates[attrs.activation!](x)
  const data =
    second === undefined ? first.data : first.data.map((value, i) => gate(Number(value)) * Number(second.data[i]!))
  return [rounded({ ...first, data }, dtypeOfResult(given, attrs))]
}

// --- depth in groups ---------------------------------------------------------------------------------------------------------

type DepthAttrs = { readonly outDtype: Dtype | null }

/** For each group of k, a's columns times b's rows: [G, M, N]. */
function buildDepth(b: GraphBuilder, inputs: readonly OpInput[], { outDtype }: DepthAttrs): GraphNode[] {
  const name = 'groupedMatmul'
  const [left, right, offsets] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
  const [x, y, ends] = [left, right, offsets].map(shapeOf) as [Shape, Shape, Shape]
  if (x.length !== 2 || y.length !== 2)
    throw new ShapeError(`${name}: a ${printShape(x)} and b ${printShape(y)} are no [M, K] and [K, N]`, {
      fix: 'groups of K: give two matrices; groups of rows, each with a matrix of its own: raggedMatmul',
    })
  const what = (): string => `${name}: K differs, a ${printShape(x)} and b ${printShape(y)} (b is [K, N])`
  requireEqual(x[1]!, y[0]!, what, 'K is the last dim of a and the first of b')
  if (ends.length !== 1)
    throw new ShapeError(`${name}: offsets ${printShape(ends)}`, { fix: 'give where the groups of K end: [G]' })
  for (const node of [left, right]) sideOf(b, name, null, [node])
  const dtype = dtypeOf(left)
  if (dtype !== dtypeOf(right))
    throw new DtypeError(`${name}: a and b are ${dtype} and ${dtypeOf(right)}`, { fix: `cast b: b.to('${dtype}')` })
  const to = outDtype ?? dtype
  const [G] = ends as [Size]
  const [M, N] = [x[0]!, y[1]!]
  const groups = groupsOf(b, name, offsets, G, x[1]!)
  if ([G, M, N, x[1]!].includes(0)) return [full(b, to, [G, M, N], 0)]
  return [b.node('raggedMatmul', [left, right, groups.of], { along: 'depth', accumulate: 'f32', to })]
}

/** In float64. */
function referenceDepth([a, b, offsets]: readonly HostTensor[], { outDtype }: DepthAttrs): HostTensor[] {
  const [M, K] = a!.shape as [number, number]
  const [N, G] = [b!.shape[1]!, offsets!.shape[0]!]
  const groups = hostGroups(offsets!, K, G)
  const data = Array.from({ length: G * M * N }, (_, flat) => {
    const [group, row, column] = [Math.floor(flat / (M * N)), Math.floor(flat / N) % M, flat % N]
    return groups.reduce((sum, own, k) => {
      return own === group ? sum + Number(a!.data[row * K + k]) * Number(b!.data[k * N + column]) : sum
    }, 0)
  })
  return [rounded({ dtype: 'f64', shape: [G, M, N], data }, outDtype ?? a!.dtype)]
}

export interface RaggedCall {
  readonly bias: Value | null
  readonly factor: Value | null
  readonly outDtype: TensorDtype | null
}

export interface RaggedDualCall {
  readonly bias1: Value | null
  readonly bias2: Value | null
  readonly factor1: Value | null
  readonly factor2: Value | null
  readonly activation: GateActivation
  readonly outDtype: TensorDtype | null
}

export const raggedRecords = {
  raggedMatmul: op({
    name: 'raggedMatmul',
    summary: 'Each row of a times the matrix of its group, by where the groups end; summed in f32.',
    category: 'matmul',
    call: (a: QuantOperand, b: QuantOperand, offsets: Value, { bias, factor, outDtype }: RaggedCall) =>
      raggedCall(a, offsets, [{ b, bias, factor }], null, outDtype),
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: RaggedAttrs) => build('raggedMatmul', b, inputs, attrs),
    reference,
  }),
  groupedDepthMatmul: op({
    name: 'groupedDepthMatmul',
    summary: 'For each group of K, by where the groups end, a’s columns times b’s rows; summed in f32.',
    category: 'matmul',
    call: (a: Value, b: Value, offsets: Value, { outDtype }: DepthAttrs) => call([a, b, offsets], { outDtype }),
    results: null,
    build: buildDepth,
    reference: referenceDepth,
  }),
  raggedDualMatmul: op({
    name: 'raggedDualMatmul',
    summary: 'activation(a · b1ᵀ + bias1) · (a · b2ᵀ + bias2), each row with the matrices of its group.',
    category: 'matmul',
    call: (a: QuantOperand, b1: QuantOperand, b2: QuantOperand, offsets: Value, options: RaggedDualCall) => {
      const { bias1, bias2, factor1, factor2, activation, outDtype } = options
      const weights = [
        { b: b1, bias: bias1, factor: factor1 },
        { b: b2, bias: bias2, factor: factor2 },
      ]
      return raggedCall(a, offsets, weights, activation, outDtype)
    },
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: RaggedAttrs) =>
      build('raggedDualMatmul', b, inputs, attrs),
    reference,
  }),
}
