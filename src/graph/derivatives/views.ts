/** Derivatives of what only moves elements: each is linear, so forward mode is the node itself on the tangent. */
import { addSizes, ceilDivSizes, mulSizes, type Size, subSizes } from '../../scalar/size.js'
import {
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  permuteTo,
  reshapeTo,
  shapeOf,
  sliceTo,
  toCompute,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode, GraphOpName, GraphOps, Shape } from '../ir.js'
import { type Rule, type Slope, summed, sumOf, sumTo, zerosOf } from './rule.js'

/** A linear op of one input, which is applied to the tangent as it stands. */
function linear<Op extends GraphOpName>(
  reverse: (b: GraphBuilder, g: GraphNode, x: GraphNode, attrs: GraphOps[Op]) => GraphNode,
): Rule<Op> {
  return {
    reverse: ({ b, node, cotangents: [g] }) => [reverse(b, g!, node.inputs[0]!, node.attrs as GraphOps[Op])],
    forward: ({ b, node, tangents }) => [b.node(node.op, tangents as readonly GraphNode[], node.attrs as never)],
  }
}

// --- placing -------------------------------------------------------------------------------------------------------------

/** The elements of a dim in one of `length` elements, from `start` on; zeros elsewhere. */
export function placeIn(b: GraphBuilder, node: GraphNode, dim: number, start: Size, length: Size): GraphNode {
  const shape = shapeOf(node)
  const after = subSizes(subSizes(length, start), shape[dim]!)
  if (typeof start === 'number' && typeof after === 'number') {
    if (start === 0 && after === 0) return node
    const at = (size: number): number[] => shape.map((_, d) => (d === dim ? size : 0))
    return b.node('pad', [node], { before: at(start), after: at(after), value: dtypeOf(node) === 'i64' ? 0n : 0 })
  }
  const zeros = (size: Size): GraphNode[] =>
    size === 0 ? [] : [full(b, dtypeOf(node), shape.with(dim, size) as Shape, 0)]
  return b.node('cat', [...zeros(start), node, ...zeros(after)], { dim })
}

/** The elements of a dim `step` apart, with zeros between them: (n − 1) · step + 1 elements; none of none. */
function dilate(b: GraphBuilder, node: GraphNode, dim: number, step: number): GraphNode {
  const shape = shapeOf(node)
  const size = shape[dim]!
  if (step === 1 || size === 0 || size === 1) return node
  const apart = reshapeTo(b, node, [...shape.slice(0, dim + 1), 1, ...shape.slice(dim + 1)])
  const filled = placeIn(b, apart, dim + 1, 0, step)
  const whole = reshapeTo(b, filled, shape.with(dim, mulSizes(size, step)) as Shape)
  const { starts, steps, sizes } = wholeSlice(shapeOf(whole))
  const used = addSizes(mulSizes(addSizes(size, -1), step), 1)
  return sliceTo(b, whole, { starts, steps, sizes: sizes.with(dim, used) })
}

/** The elements of a dim in the opposite order. */
function flip(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
  const { starts, steps, sizes } = wholeSlice(shapeOf(node))
  for (const dim of dims) {
    starts[dim] = addSizes(sizes[dim]!, -1)
    steps[dim] = -1
  }
  return dims.length === 0 ? node : sliceTo(b, node, { starts, steps, sizes })
}

/** The elements where the slice took them from, zeros elsewhere. */
function unslice(b: GraphBuilder, g: GraphNode, x: GraphNode, { starts, steps, sizes }: GraphOps['slice']): GraphNode {
  const shape = shapeOf(x)
  if (sizes.includes(0)) return zerosOf(b, { kind: 'tensor', dtype: dtypeOf(x), shape })
  const backwards = steps.flatMap((step, d) => (step < 0 && sizes[d] !== 1 ? [d] : []))
  return shape.reduce<GraphNode>(
    (node, length, d) => {
      const step = Math.abs(steps[d]!)
      const reach = mulSizes(addSizes(sizes[d]!, -1), step)
      const start = backwards.includes(d) ? subSizes(starts[d]!, reach) : starts[d]!
      return placeIn(b, dilate(b, node, d, step), d, start, length)
    },
    flip(b, g, backwards),
  )
}

/** The part of a padded tensor that is no padding. */
const unpad = (b: GraphBuilder, g: GraphNode, x: GraphNode, { before }: GraphOps['pad']): GraphNode =>
  sliceTo(b, g, { starts: before, steps: before.map(() => 1), sizes: shapeOf(x) })

// --- affine views --------------------------------------------------------------------------------------------------------

/** Taps of windows up to which each is placed by itself; beyond, all elements are added by their indices. */
const mostTaps = 64

/**
 * What an affine view of a tensor of this shape read, summed where it read an element several times. A result's dim that several dims
 * of the input follow (a diagonal) is spread over the product of dims first, so that each dim of the input has dims of its own.
 */
export function putBack(b: GraphBuilder, read: GraphNode, shape: Shape, attrs: GraphOps['affine']): GraphNode {
  const wide = toCompute(b, read)
  const separate = separated(b, wide, attrs)
  const repeated = sumOfWindows(b, separate, shape, attrs)
  if (repeated !== null) return castTo(b, repeated, dtypeOf(read))
  const taps = separate.dims.flatMap(dims => tapsOf(shapeOf(separate.g), dims))
  const count = taps.reduce<number>((product, d) => {
    const size = shapeOf(separate.g)[d]!
    return typeof size === 'number' ? product * size : Number.POSITIVE_INFINITY
  }, 1)
  const sum = count <= mostTaps ? placeTaps(b, separate, taps, shape, attrs) : addByIndex(b, wide, shape, attrs)
  return castTo(b, sum, dtypeOf(read))
}

/**
 * Windows that start at every element, and of which each repeats one value for all its taps, as gradients of sums do: an element's
 * sum is one over the windows that cover it, a window itself. null: others.
 */
function sumOfWindows(
  b: GraphBuilder,
  { g, dims }: Separate,
  shape: Shape,
  { starts }: GraphOps['affine'],
): GraphNode | null {
  const taps = dims.flatMap(follows => follows.slice(1).map(({ dim }) => dim))
  const sizes = shapeOf(g)
  const isPlain = dims.every(([place, tap, ...more]) => {
    const isKnown = tap === undefined || (typeof sizes[tap.dim] === 'number' && sizes[tap.dim] !== 0)
    return place?.factor === 1 && isKnown && more.length === 0
  })
  if (!isPlain || taps.length === 0 || starts.some(start => start !== 0) || g.op !== 'expand') return null
  const [source] = g.inputs as [GraphNode]
  const own: Shape = [...sizes.slice(shapeOf(source).length).map((): Size => 1), ...shapeOf(source)]
  if (taps.some(dim => own[dim] !== 1)) return null
  // One value per window, in the order of the dims of the tensor that was read.
  const places = dims.map(follows => follows[0]!.dim)
  const kept = [...sizes.keys()].filter(d => !taps.includes(d))
  const values = expandTo(
    b,
    reshapeTo(
      b,
      source,
      kept.map(d => own[d]!),
    ),
    kept.map(d => sizes[d]!),
  )
  const ordered = permuteTo(
    b,
    values,
    places.map(d => kept.indexOf(d)),
  )
  const windows = dims.map(([, tap]) => ({
    size: tap === undefined ? 1 : (sizes[tap.dim] as number),
    step: 1,
    dilation: tap?.factor ?? 1,
  }))
  const before = windows.map(({ size, dilation }) => (size - 1) * dilation)
  const after = shape.map((size, d) => subSizes(size, shapeOf(ordered)[d]!))
  if (!after.every(size => typeof size === 'number')) return null
  const padded = b.node('pad', [ordered], { before, after, value: dtypeOf(g) === 'i64' ? 0n : 0 })
  const [moved, covered] = [windows.flatMap(({ size }, d) => (size === 1 ? [] : [d])), shape.length]
  const view = b.node('affine', [padded], {
    shape: [...shape, ...moved.map(d => windows[d]!.size)],
    starts: shape.map(() => 0),
    factors: shape.map((_, d) => [
      ...shape.map((__, o) => (o === d ? 1 : 0)),
      ...moved.map(o => (o === d ? windows[d]!.dilation : 0)),
    ]),
  })
  return summed(
    b,
    view,
    moved.map((_, i) => covered + i),
  )
}

interface Separate {
  readonly g: GraphNode
  /** For each dim of the input the dims of g that it follows, and the factors. */
  readonly dims: readonly (readonly Follows[])[]
}
interface Follows {
  readonly dim: number
  readonly factor: number
}

function separated(b: GraphBuilder, g: GraphNode, { factors }: GraphOps['affine']): Separate {
  let node = g
  const taken = new Set<number>()
  const dims = factors.map(row =>
    row.flatMap((factor, o): Follows[] => {
      if (factor === 0) return []
      if (!taken.has(o)) {
        taken.add(o)
        return [{ dim: o, factor }]
      }
      node = onDiagonal(b, node, o)
      return [{ dim: shapeOf(node).length - 1, factor }]
    }),
  )
  const unused = shapeOf(g).flatMap((_, o) => (taken.has(o) ? [] : [o]))
  // What no dim follows was repeated.
  const kept = summed(b, node, unused)
  const place = (dim: number): number => dim - unused.filter(one => one < dim).length
  return { g: kept, dims: dims.map(list => list.map(({ dim, factor }) => ({ dim: place(dim), factor }))) }
}

/** Another dim at the end, as long as dim `o`: the elements stand where the two are equal, zeros elsewhere. */
function onDiagonal(b: GraphBuilder, node: GraphNode, o: number): GraphNode {
  const shape = [...shapeOf(node), shapeOf(node)[o]!]
  const index = b.node('iota', [], { length: shapeOf(node)[o]!, dtype: 'i64' })
  const along = (dim: number): GraphNode =>
    expandTo(
      b,
      reshapeTo(
        b,
        index,
        shape.map((size, d) => (d === dim ? size : 1)),
      ),
      shape,
    )
  const spread = expandTo(b, reshapeTo(b, node, [...shapeOf(node), 1]), shape)
  const isSame = map(b, 'eq', along(o), along(shape.length - 1))
  return map(b, 'where', isSame, spread, full(b, dtypeOf(node), shape, 0))
}

/** All dims but the largest of those that one dim of the input follows. */
function tapsOf(shape: Shape, follows: readonly Follows[]): readonly number[] {
  const sizeOf = ({ dim }: Follows): number => {
    const size = shape[dim]!
    return typeof size === 'number' ? size : Number.POSITIVE_INFINITY
  }
  const [, ...rest] = [...follows].sort((one, other) => sizeOf(other) - sizeOf(one))
  return rest.map(({ dim }) => dim)
}

/** Some taps of a dim, and where they were read: at `phase` and the places behind it of every `step` elements, `shift` steps on. */
interface Placed {
  readonly taps: ReadonlyMap<number, readonly [first: number, count: number]>
  readonly shift: number
  readonly phase: number
}

/** How the elements that one dim of the input was read by are put together: the dim is counted in steps, and places within a step. */
interface Placement {
  /** The dim of g that windows are counted along; null: the dim was read at one place. */
  readonly along: number | null
  readonly taps: readonly number[]
  readonly step: number
  readonly placed: readonly Placed[]
}

function placementOf(shape: Shape, follows: readonly Follows[], taps: readonly number[], start: number): Placement {
  const own = follows.find(({ dim }) => !taps.includes(dim))
  const step = own?.factor ?? 1
  const others = follows.filter(({ dim }) => taps.includes(dim))
  const [only] = others
  const at = (offset: number): Omit<Placed, 'taps'> => ({ shift: Math.floor(offset / step), phase: offset % step })
  const base = { along: own?.dim ?? null, taps: others.map(({ dim }) => dim), step }
  if (step > 1 && only?.factor === 1 && others.length === 1) {
    // Neighbours within a step are put together at once.
    const count = shape[only.dim] as number
    const placed: Placed[] = []
    for (let first = 0; first < count; ) {
      const next = Math.min(count, first + step - ((start + first) % step))
      placed.push({ taps: new Map([[only.dim, [first, next - first]]]), ...at(start + first) })
      first = next
    }
    return { ...base, placed }
  }
  const places = others.reduce<readonly (readonly number[])[]>(
    (lists, { dim }) => lists.flatMap(list => Array.from({ length: shape[dim] as number }, (_, i) => [...list, i])),
    [[]],
  )
  const placed = places.map(place => ({
    taps: new Map(others.map(({ dim }, i) => [dim, [place[i]!, 1]] as const)),
    ...at(others.reduce((sum, { factor }, i) => sum + factor * place[i]!, start)),
  }))
  return { ...base, placed }
}

/** Sums what each tap read, placed where it was read. */
function placeTaps(
  b: GraphBuilder,
  { g, dims }: Separate,
  taps: readonly number[],
  shape: Shape,
  { starts }: GraphOps['affine'],
): GraphNode {
  const plan = dims.map((follows, d) => placementOf(shapeOf(g), follows, taps, starts[d]!))
  const order = plan.flatMap(({ along, taps: own }) => (along === null ? own : [along, ...own]))
  const choices = plan.reduce<readonly (readonly Placed[])[]>(
    (lists, { placed }) => lists.flatMap(list => placed.map(one => [...list, one])),
    [[]],
  )
  const terms = choices.map(chosen => {
    const whole = wholeSlice(shapeOf(g))
    for (const { taps: read } of chosen)
      for (const [dim, [first, count]] of read) {
        whole.starts[dim] = first
        whole.sizes[dim] = count
      }
    const part = permuteTo(b, sliceTo(b, g, whole), order)
    const sizes = plan.flatMap(({ along, taps: own, step }): Size[] => {
      const windows = along === null ? 1 : whole.sizes[along]!
      return step === 1 ? [windows] : [windows, own.reduce((count, dim) => count * (whole.sizes[dim] as number), 1)]
    })
    let node = reshapeTo(b, part, sizes)
    let dim = 0
    for (const [d, { step }] of plan.entries()) {
      const { shift, phase } = chosen[d]!
      node = placeIn(b, node, dim++, shift, ceilDivSizes(shape[d]!, step))
      if (step > 1) node = placeIn(b, node, dim++, phase, step)
    }
    return node
  })
  if (terms.length === 0) return zerosOf(b, { kind: 'tensor', dtype: dtypeOf(g), shape })
  const steps = plan.map(({ step }, d) => mulSizes(ceilDivSizes(shape[d]!, step), step))
  const joined = reshapeTo(b, sumOf(b, terms), steps)
  return sliceTo(b, joined, { ...wholeSlice(steps), sizes: shape })
}

/** Adds each element to the one that it was read from. */
function addByIndex(b: GraphBuilder, g: GraphNode, shape: Shape, { starts, factors }: GraphOps['affine']): GraphNode {
  const places = shapeOf(g)
  const count = (sizes: Shape): Size => sizes.reduce<Size>(mulSizes, 1)
  const constant = (size: Size): GraphNode =>
    expandTo(
      b,
      typeof size === 'number'
        ? b.node('constant', [], { dtype: 'i64', value: BigInt(size) })
        : b.node('size', [], { size }),
      places,
    )
  let index = constant(starts.reduce<Size>((at, start, d) => addSizes(mulSizes(at, shape[d]!), start), 0))
  for (const [o, size] of places.entries()) {
    const step = factors.reduce<Size>((sum, row, d) => addSizes(mulSizes(sum, shape[d]!), row[o]!), 0)
    const iota = reshapeTo(
      b,
      b.node('iota', [], { length: size, dtype: 'i64' }),
      places.map((s, d) => (d === o ? s : 1)),
    )
    index = map(b, 'add', index, map(b, 'mul', expandTo(b, iota, places), constant(step)))
  }
  const flat = (node: GraphNode): GraphNode => reshapeTo(b, node, [count(places)])
  const zeros = full(b, dtypeOf(g), [count(shape)], 0)
  return reshapeTo(b, b.node('scatter', [zeros, flat(index), flat(g)], { dim: 0, fold: 'add' }), shape)
}

// --- rules -----------------------------------------------------------------------------------------------------------------

export const permute = linear<'permute'>((b, g, _, { dims }) =>
  permuteTo(
    b,
    g,
    dims.map((_, d) => dims.indexOf(d)),
  ),
)
export const expand = linear<'expand'>((b, g, x) => sumTo(b, g, shapeOf(x)))
export const reshape = linear<'reshape'>((b, g, x) => reshapeTo(b, g, shapeOf(x)))
export const slice = linear<'slice'>(unslice)
export const affine = linear<'affine'>((b, g, x, attrs) => castTo(b, putBack(b, g, shapeOf(x), attrs), dtypeOf(x)))
export const copy: Rule<'copy'> = {
  reverse: ({ cotangents: [g] }) => [g!],
  forward: ({ tangents: [t] }) => [t!],
}
export const fence: Rule<'fence'> = {
  reverse: ({ node, cotangents: [g] }) => node.inputs.map((_, i) => (i === 0 ? g! : null)),
  forward: ({ tangents: [t] }) => [t!],
}
export const pad: Rule<'pad'> = {
  reverse: ({ b, node, cotangents: [g] }) => [unpad(b, g!, node.inputs[0]!, node.attrs)],
  forward: ({ b, node, tangents: [t] }) => [b.node('pad', [t!], { ...node.attrs, value: 0 })],
}
export const cat: Rule<'cat'> = {
  reverse: ({ b, node, cotangents: [g], needs }) => {
    const { dim } = node.attrs
    let start: Size = 0
    return node.inputs.map((part, i): Slope => {
      const { starts, steps } = wholeSlice(shapeOf(part))
      const own = needs[i] ? sliceTo(b, g!, { starts: starts.with(dim, start), steps, sizes: shapeOf(part) }) : null
      start = addSizes(start, shapeOf(part)[dim]!)
      return own
    })
  },
  forward: ({ b, node, tangents }) => [
    b.node(
      'cat',
      node.inputs.map((part, i) => tangents[i] ?? full(b, dtypeOf(part), shapeOf(part), 0)),
      node.attrs,
    ),
  ],
}
export const cast: Rule<'cast'> = {
  reverse: ({ b, node, cotangents: [g] }) => [castTo(b, g!, dtypeOf(node.inputs[0]!))],
  forward: ({ b, node, tangents: [t] }) => [castTo(b, t!, node.attrs.to)],
}
