/**
 * Values that loops compute element by element: at which indices each needs its inputs, and what it is in the loop dialect.
 * Scalars and pointwise primitives are the same ops there; others have a record each.
 */
import { InternalError } from '../../base/errors.js'
import { type GraphNode, hasRole, isView, type NodeOfRole, typeOf } from '../../graph/ir.js'
import { indexOf, type RowAccess, type Windows } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type LoopOpName, type LoopOps } from '../../loop/ir.js'
import { isArgReduction, reductionIdentity } from '../../scalar/ops.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { type CoordSplit, dotAffine, type IndexMap, rowMajorStrides, zeroIndex } from './affine.js'
import {
  type Group,
  type GroupOfNode,
  isTrivialReduction,
  keepWhole,
  knowsGroup,
  mapsOf,
  type Need,
  reducedSizes,
  sizesIn,
  splitCoord,
  touch,
} from './group.js'
import { paddedCoords, padInputMap, reduceInputMap, viewInputMap } from './layout.js'

/** A loop program under construction. */
export interface ProgramContext {
  readonly group: Group
  /** Its reduced coordinates. */
  readonly reduced: readonly number[]
  value(node: GraphNode, map: IndexMap): LoopNode
  /** Loads the node from memory. */
  load(node: GraphNode, map: IndexMap): LoopNode
  /** The rows of a node in memory along `dim`, read inside the windows around the expression. */
  rowsOf(node: GraphNode, map: IndexMap, dim: number): RowAccess
  /** What `build` makes reads nothing outside of these windows. */
  within<T>(windows: Windows, build: () => T): T
  /** What `build` makes is read along all of the reduced coordinates: the padding around a reduction does not bound its loops. */
  throughout<T>(build: () => T): T
  make<Op extends LoopOpName>(node: GraphNode, op: Op, inputs: readonly LoopNode[], attrs: LoopOps[Op]): LoopNode
}

interface LoopValue<Node extends GraphNode> {
  /** The indices at which it needs inputs; null where one is not affine. */
  needs(node: Node, map: IndexMap, group: Group): readonly Need[] | null
  build(program: ProgramContext, node: Node, map: IndexMap): LoopNode
  /** The input that it reads from memory at any index. */
  readonly reads?: number
  /** Coordinates that must not be split. */
  whole?(node: Node, map: IndexMap): Iterable<number>
}

type ValueNode = NodeOfRole<'scalar' | 'pointwise' | 'computed'>
type ValueOp = ValueNode['op']
type NodeOfOp<Op extends ValueOp> = Extract<ValueNode, { op: Op }>

const constant = (program: ProgramContext, node: GraphNode, dtype: Dtype, value: number | bigint): LoopNode =>
  program.make(node, 'constant', [], { dtype, value })

/** The ends of the groups of rows. */
export const endsOf = (
  program: ProgramContext,
  { inputs, attrs }: GroupOfNode,
): { readonly ends: RowAccess; readonly skip: 0 | 1 } => ({
  ends: program.rowsOf(inputs[0]!, [zeroIndex], 0),
  skip: attrs.skip,
})

/** The group at an index, found from the ends. */
export const groupAt = (program: ProgramContext, node: GroupOfNode, map: IndexMap): LoopNode =>
  program.make(node, 'group', [], { ...endsOf(program, node), row: indexOf(map[0]!) })

const reduce: LoopValue<NodeOfOp<'reduce'>> = {
  needs(node, map, { folded }) {
    const { dims } = node.attrs
    const indices = isTrivialReduction(node) ? dims.map(() => zeroIndex) : folded!.indices
    return [{ node: node.inputs[0]!, map: reduceInputMap(map, dims, indices) }]
  },
  build(program, node, map) {
    const { fn } = node.attrs
    const { dtype } = typeOf(node)
    const [need] = reduce.needs(node, map, program.group)!
    const input = (): LoopNode => program.value(need!.node, need!.map)
    if (isTrivialReduction(node)) return isArgReduction(fn) ? constant(program, node, dtype, 0n) : input()
    if (reducedSizes(node).includes(0))
      return constant(program, node, dtype, isArgReduction(fn) ? 0n : reductionIdentity(fn, dtype))
    return program.make(node, 'reduce', [program.throughout(input)], { fn, over: program.reduced })
  },
}

const isZero = (value: number | bigint): boolean => value === 0n || Object.is(value, 0)

/**
 * Padding: the input, read at the output's indices less the padding. A plain load is masked to the input's bounds and gives
 * 0 outside them, which suffices to pad with 0; any other padding, or a computed input, needs a select on the index.
 */
const pad: LoopValue<NodeOfOp<'pad'>> = {
  needs(node, map) {
    const input = padInputMap(node, map)
    return input === null ? null : [{ node: node.inputs[0]!, map: input }]
  },
  build(program, node, map) {
    const [input] = node.inputs as readonly [GraphNode]
    const { before, after, value } = node.attrs
    // Both exist for a member of a group.
    const windows = paddedCoords(node, map)!
    const inner = padInputMap(node, map)!
    const read = program.within(windows, () => program.value(input, inner))
    // A load that does not depend on a loop, as along a dim of size 1, is not bounded by it.
    const ends = read.op === 'load' && [...windows.keys()].every(coord => read.attrs.access.windows?.has(coord))
    if (ends && isZero(value)) return read
    const conditions = map.flatMap((_, d): LoopNode[] => {
      if (before[d] === 0 && after[d] === 0) return []
      const index = program.make(node, 'index', [], { index: indexOf(inner[d]!), dtype: 'i64' })
      const size = program.make(node, 'size', [], { size: typeOf(input).shape[d]! })
      const compare = (fn: 'ge' | 'lt', limit: LoopNode): LoopNode => program.make(node, 'map', [index, limit], { fn })
      return [compare('ge', constant(program, node, 'i64', 0n)), compare('lt', size)]
    })
    const inside = conditions.reduce((a, b) => program.make(node, 'map', [a, b], { fn: 'and' }))
    const { dtype } = typeOf(node)
    const wide = computeDtype(dtype)
    const cast = (of: LoopNode, to: Dtype): LoopNode =>
      dtypeOf(of) === to ? of : program.make(node, 'cast', [of], { to })
    const chosen = [inside, cast(read, wide), constant(program, node, wide, value)]
    return cast(program.make(node, 'map', chosen, { fn: 'where' }), dtype)
  },
  /** Loops that extend beyond the input. */
  whole: (node, map) => paddedCoords(node, map)?.keys() ?? [],
}

/** The same op on the inputs' elements at the same index. */
const same = <Op extends ValueOp & LoopOpName>(op: Op): LoopValue<NodeOfOp<Op>> => ({
  needs: ({ inputs }: ValueNode, map) => inputs.map(node => ({ node, map })),
  build: (program, node: ValueNode, map) =>
    program.make(
      node,
      op,
      (node.inputs as readonly GraphNode[]).map(input => program.value(input, map)),
      node.attrs as never,
    ),
})

const values: { readonly [Op in ValueOp]: LoopValue<NodeOfOp<Op>> } = {
  scalarInput: same('scalarInput'),
  constant: same('constant'),
  size: same('size'),
  map: same('map'),
  cast: same('cast'),
  bitcast: same('bitcast'),
  copy: {
    needs: ({ inputs }, map) => [{ node: inputs[0]!, map }],
    build: (program, { inputs }, map) => program.value(inputs[0]!, map),
  },
  iota: {
    needs: () => [],
    build: (program, node, [at]) => program.make(node, 'index', [], { index: indexOf(at!), dtype: node.attrs.dtype }),
  },
  random: {
    needs: ({ inputs }) => inputs.map(node => ({ node, map: [] })),
    build(program, node, map) {
      const index = indexOf(dotAffine(map, rowMajorStrides(typeOf(node).shape)))
      const operands = node.inputs.map(input => program.value(input, []))
      return program.make(node, 'random', operands, { index, dtype: node.attrs.dtype })
    },
  },
  gather: {
    needs: ({ inputs }, map) => [{ node: inputs[1]!, map }],
    build(program, node, map) {
      const { access, stride, length } = program.rowsOf(node.inputs[0]!, map, node.attrs.dim)
      const index = program.value(node.inputs[1]!, map)
      return program.make(node, 'gather', [index], { access, stride, size: length })
    },
    reads: 0,
  },
  groupOf: {
    needs: (node, map, group) => (knowsGroup(group, node, map) ? [] : [{ node: node.inputs[1]!, map }]),
    build: (program, node, map) =>
      knowsGroup(program.group, node, map) ? groupAt(program, node, map) : program.value(node.inputs[1]!, map),
  },
  reduce,
  pad,
}

/** Throws InternalError for a node that is no such value. */
export function loopValue(node: GraphNode): LoopValue<GraphNode> {
  if (hasRole(node, 'scalar', 'pointwise', 'computed')) return values[node.op] as LoopValue<GraphNode>
  throw new InternalError(`schedule: ${node.op} is no part of a loop`)
}

/** The group with a node as a member, so that its inputs are needed. Null when their indices are not affine. */
export function include(group: Group, node: GraphNode): Group | null {
  const maps = mapsOf(group, node)
  const needs: Need[] = []
  for (const map of maps) {
    const own = needsOf(group, node, map)
    if (own !== null && 'coord' in own) {
      const refined = splitCoord(group, own)
      return refined && include(refined, node)
    }
    if (own === null) return null
    needs.push(...own)
  }
  const touched = touch(group, needs, group.touched.get(node)!.phases)
  const whole = isView(node) ? [] : maps.flatMap(map => [...(loopValue(node).whole?.(node, map) ?? [])])
  return keepWhole({ ...touched, members: new Set(group.members).add(node) }, whole)
}

/** Where a node needs its inputs; or a split of a coordinate without which their indices are not affine, or null. */
function needsOf(group: Group, node: GraphNode, map: IndexMap): readonly Need[] | CoordSplit | null {
  if (!isView(node)) return loopValue(node).needs(node, map, group)
  const input = viewInputMap(node, map, sizesIn(group))
  return input !== null && 'split' in input ? input.split : input && [{ node: node.inputs[0]!, map: input.map }]
}
