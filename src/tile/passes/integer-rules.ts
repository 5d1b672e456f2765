/**
 * Rules of integer and bool arithmetic. Sums and products wrap, so they form a ring and can be reassociated freely;
 * divisions and comparisons are rewritten only where bounds prove that nothing wraps.
 */
import type { Rule } from '../../ir/rewrite.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import type { TileNode } from '../ir.js'
import { dtypeOf, integerLike, integerSplat, isInt, isMap, type MapNode, map, type TileBuild } from './patterns.js'
import type { BoundsTable } from './ranges.js'

type Rewrite = (a: TileNode, b: TileNode, build: TileBuild, node: MapNode) => TileNode | null

/** A rule on a binary map over integers (or bool, with `bool: true`). */
function binaryRule(name: string, fn: ScalarOpName, apply: Rewrite, bool = false): Rule<TileNode> {
  return {
    name,
    ops: ['map'],
    apply(node, build) {
      if (!isMap(node, fn)) return null
      const [a, b] = node.inputs as [TileNode, TileNode]
      return isInt(dtypeOf(a)) || (bool && dtypeOf(a) === 'bool') ? apply(a, b, build, node) : null
    },
  }
}

const zero = (build: TileBuild, node: TileNode): TileNode => integerLike(build, node, 0n)

/** Constants of commutative ops move to the right, so that other rules need to check only one side. */
const commutative: readonly ScalarOpName[] = ['add', 'mul', 'min', 'max', 'and', 'or', 'xor']
const constantsRight = commutative.map(fn =>
  binaryRule(
    'constant right',
    fn,
    (a, b, build) => (integerSplat(a) !== undefined && integerSplat(b) === undefined ? map(build, fn, b, a) : null),
    true,
  ),
)

const add: Rewrite = (a, b, build) => {
  const c = integerSplat(b)
  if (c === 0n) return a
  if (c === undefined) return null
  const inner = isMap(a, 'add') ? integerSplat(a.inputs[1]!) : undefined
  return inner === undefined ? null : map(build, 'add', a.inputs[0]!, integerLike(build, a, inner + c))
}

const sub: Rewrite = (a, b, build) => {
  if (a === b) return zero(build, a)
  const c = integerSplat(b)
  if (c !== undefined) return map(build, 'add', a, integerLike(build, b, -c))
  if (isMap(a, 'add') && a.inputs[1] === b) return a.inputs[0]!
  return isMap(a, 'add') && a.inputs[0] === b ? a.inputs[1]! : null
}

const mul: Rewrite = (a, b, build) => {
  const c = integerSplat(b)
  if (c === 0n) return zero(build, a)
  if (c === 1n) return a
  if (c === undefined) return null
  const inner = isMap(a, 'mul') ? integerSplat(a.inputs[1]!) : undefined
  return inner === undefined ? null : map(build, 'mul', a.inputs[0]!, integerLike(build, a, inner * c))
}

interface Multiple {
  /** Builds x·factor with the rule's builder, only when it is used. */
  readonly times: (build: TileBuild, factor: bigint) => TileNode
  readonly factor: bigint
}

/** a as x·factor with a constant factor, also through a broadcast. */
function factored(a: TileNode): Multiple | null {
  if (a.op === 'broadcast') {
    const inner = factored(a.inputs[0]!)
    if (inner === null) return null
    const { shape } = a.attrs
    return { ...inner, times: (build, factor) => build.node('broadcast', [inner.times(build, factor)], { shape }) }
  }
  if (!isMap(a, 'mul')) return null
  const [x, by] = a.inputs as [TileNode, TileNode]
  const factor = integerSplat(by)
  if (factor === undefined) return null
  return { times: (build, other) => map(build, 'mul', x, integerLike(build, x, other)), factor }
}

/** a as x·factor + rest, where `divisor` divides factor and nothing wraps. */
function splitMultiple(
  a: TileNode,
  divisor: bigint,
  bounds: BoundsTable,
): { readonly multiple: Multiple; readonly rest: TileNode } | null {
  if (!isMap(a, 'add') || bounds.of(a) === null) return null
  const [left, right] = a.inputs as [TileNode, TileNode]
  for (const [product, rest] of [
    [left, right],
    [right, left],
  ] as const) {
    const multiple = factored(product)
    const isSafe = bounds.of(product) !== null && bounds.of(rest) !== null
    if (multiple !== null && isSafe && multiple.factor % divisor === 0n) return { multiple, rest }
  }
  return null
}

const floorDiv =
  (bounds: BoundsTable): Rewrite =>
  (a, b, build) => {
    const divisor = integerSplat(b)
    if (divisor === undefined || divisor <= 0n) return null
    if (divisor === 1n) return a
    const range = bounds.of(a)
    if (range !== null && range.min >= 0 && range.max < Number(divisor)) return zero(build, a)
    const whole = factored(a)
    if (whole !== null && range !== null && whole.factor % divisor === 0n) {
      return whole.times(build, whole.factor / divisor)
    }
    const inner = isMap(a, 'floorDiv') ? integerSplat(a.inputs[1]!) : undefined
    if (
      inner !== undefined &&
      inner > 0n &&
      BigInt.asIntN(32, inner * divisor) === inner * divisor &&
      dtypeOf(a) === 'i64'
    ) {
      return map(build, 'floorDiv', (a as MapNode).inputs[0]!, integerLike(build, a, inner * divisor))
    }
    const split = splitMultiple(a, divisor, bounds)
    if (split === null) return null
    const quotient = split.multiple.times(build, split.multiple.factor / divisor)
    return map(build, 'add', quotient, map(build, 'floorDiv', split.rest, b))
  }

const mod =
  (bounds: BoundsTable): Rewrite =>
  (a, b, build) => {
    const divisor = integerSplat(b)
    if (divisor === undefined || divisor <= 0n) return null
    if (divisor === 1n) return zero(build, a)
    const range = bounds.of(a)
    if (range !== null && range.min >= 0 && range.max < Number(divisor)) return a
    const whole = factored(a)
    if (whole !== null && range !== null && whole.factor % divisor === 0n) return zero(build, a)
    const inner = isMap(a, 'mod') ? integerSplat(a.inputs[1]!) : undefined
    if (inner !== undefined && inner > 0n && inner % divisor === 0n)
      return map(build, 'mod', (a as MapNode).inputs[0]!, b)
    const split = splitMultiple(a, divisor, bounds)
    return split === null ? null : map(build, 'mod', split.rest, b)
  }

/** and, or, xor on integers: 0 and all ones; on bool: false and true. */
function bitRule(fn: 'and' | 'or' | 'xor'): Rule<TileNode> {
  return binaryRule(
    `${fn} of constants`,
    fn,
    (a, b, build) => {
      const ones = dtypeOf(a) === 'bool' ? 1n : dtypeOf(a) === 'u8' ? 255n : -1n
      if (a === b) return fn === 'xor' ? zero(build, a) : a
      const c = integerSplat(b)
      if (c === 0n) return fn === 'and' ? b : a
      if (c !== ones) return null
      if (fn === 'xor') return map(build, 'not', a)
      return fn === 'and' ? a : b
    },
    true,
  )
}

const opposite = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', le: 'gt', gt: 'le' } as const
type Comparison = keyof typeof opposite

/** Folds comparisons that bounds decide, and comparisons of a value with itself. */
function compareRule(fn: Comparison, bounds: BoundsTable): Rule<TileNode> {
  return binaryRule(
    'decided comparison',
    fn,
    (a, b, build, node) => {
      const decided = a === b ? fn === 'eq' || fn === 'le' || fn === 'ge' : decide(fn, bounds.of(a), bounds.of(b))
      return decided === null ? null : integerLike(build, node, decided ? 1n : 0n)
    },
    true,
  )
}

function decide(fn: Comparison, a: ReturnType<BoundsTable['of']>, b: ReturnType<BoundsTable['of']>): boolean | null {
  if (a === null || b === null) return null
  if (fn === 'gt') return decide('lt', b, a)
  if (fn === 'ge') return decide('le', b, a)
  const never = a.min > b.max || a.max < b.min
  if (fn === 'eq') return never ? false : null
  if (fn === 'ne') return never ? true : null
  if (fn === 'lt') return a.max < b.min ? true : a.min >= b.max ? false : null
  return a.max <= b.min ? true : a.min > b.max ? false : null
}

function extremeRule(fn: 'min' | 'max', bounds: BoundsTable): Rule<TileNode> {
  return binaryRule(
    `decided ${fn}`,
    fn,
    (a, b) => {
      if (a === b) return a
      const firstIsLess = decide('le', bounds.of(a), bounds.of(b))
      if (firstIsLess === true) return fn === 'min' ? a : b
      return decide('le', bounds.of(b), bounds.of(a)) === true ? (fn === 'min' ? b : a) : null
    },
    true,
  )
}

const notRule: Rule<TileNode> = {
  name: 'not of not, not of comparison',
  ops: ['map'],
  apply(node, build) {
    if (!isMap(node, 'not')) return null
    const [inner] = node.inputs as [TileNode]
    if (inner.op !== 'map') return null
    if (inner.attrs.fn === 'not') return inner.inputs[0]!
    const opposed = opposite[inner.attrs.fn as Comparison]
    // A float comparison with NaN is false, and so is its opposite.
    const total = opposed !== undefined && (dtypeOf(inner.inputs[0]!) === 'bool' || isInt(dtypeOf(inner.inputs[0]!)))
    return total || opposed === 'eq' || opposed === 'ne' ? map(build, opposed, ...inner.inputs) : null
  },
}

export function integerRules(bounds: BoundsTable): readonly Rule<TileNode>[] {
  return [
    ...constantsRight,
    binaryRule('add of constants', 'add', add),
    binaryRule('sub', 'sub', sub),
    binaryRule('mul of constants', 'mul', mul),
    binaryRule('floorDiv by a constant', 'floorDiv', floorDiv(bounds)),
    binaryRule('mod by a constant', 'mod', mod(bounds)),
    ...(['and', 'or', 'xor'] as const).map(bitRule),
    ...(Object.keys(opposite) as Comparison[]).map(fn => compareRule(fn, bounds)),
    extremeRule('min', bounds),
    extremeRule('max', bounds),
    notRule,
  ]
}
