/**
 * Software prefetch of the block that is packed next: while a blocked dot computes, each of its register blocks prefetches a
 * few cache lines of that block. Otherwise packing would wait for memory, which is idle while the dot computes.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, viewType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { combine, type IndexForm, isConstant } from '../shared/index-analysis.js'
import type { Scope } from '../shared/structure.js'
import type { Step } from './nests.js'
import type { DotRoot, PackRoot } from './plan.js'
import type { State } from './state.js'

/** Rows of a view that a later pack reads: contiguous, at a constant pitch of `pitch` elements. */
interface Block {
  readonly load: Extract<TileNode, { op: 'load' }>
  readonly dims: readonly IndexForm[]
  readonly rows: number
  readonly pitch: number
  readonly columns: number
}

const lineBytes = 64
/** Share of the L2 cache for prefetched data; more would evict the dot's own operands. */
const shareOfCache = 1 / 8

/** Called for each register block of a dot, with its number. */
export type Prefetch = (block: LaneNode) => void

/**
 * Prefetches for the packs after a dot, up to the next dot; after a loop's last dot, for the packs of its next iteration.
 */
export function prefetchOf(state: State, scope: Scope, root: DotRoot, blocks: number): Prefetch {
  const found = packsAfter(scope, state.steps.get(scope)!, root).flatMap(
    ({ pack, isNext }) => blockOf(state, scope, pack, isNext) ?? [],
  )
  const bytes = found.reduce((sum, block) => sum + block.rows * linesOf(block) * lineBytes, 0)
  if (bytes > state.target.l2Bytes * shareOfCache) return () => {}
  return block => {
    for (const each of found) emitPrefetch(state, each, block, blocks)
  }
}

/** The packing of operands between this dot and the next one; after a loop's last dot, that of the next iteration. */
function packsAfter(scope: Scope, steps: readonly Step[], root: DotRoot): { pack: PackRoot; isNext: boolean }[] {
  const isDot = (step: Step): boolean => step.kind === 'root' && step.root.kind === 'dot'
  const packsOf = (list: readonly Step[], isNext: boolean): { pack: PackRoot; isNext: boolean }[] =>
    list.flatMap(step =>
      step.kind === 'nest'
        ? step.nest.roots.flatMap(each => (each.kind === 'pack' ? [{ pack: each, isNext }] : []))
        : [],
    )
  const upToDot = (list: readonly Step[]): readonly Step[] => {
    const dot = list.findIndex(isDot)
    return dot < 0 ? list : list.slice(0, dot)
  }
  const rest = steps.slice(steps.findIndex(step => step.kind === 'root' && step.root === root) + 1)
  const isLast = scope.owner?.op === 'range' && !rest.some(isDot)
  return [...packsOf(upToDot(rest), false), ...(isLast ? packsOf(upToDot(steps), true) : [])]
}

/** The rows that a pack reads, in this iteration or the next; null: not a block of rows. */
function blockOf(state: State, scope: Scope, pack: PackRoot, isNext: boolean): Block | null {
  const [access, ...others] = state.plan.cones.get(pack)!.accesses
  if (access === undefined || others.length > 0 || access.node.op !== 'load') return null
  const load = access.node
  const { shape } = load.attrs
  const { strides } = viewType(load.inputs[0]!)
  const wide = shape.flatMap((size, d) => (size > 1 ? [d] : []))
  const along = wide.find(d => strides[d] === 1)
  const across = wide.find(d => d !== along)
  const pitch = across === undefined ? null : (strides[across] ?? null)
  if (wide.length !== 2 || along === undefined || pitch === null) return null
  const offsets = shape.map((_, d) => state.plan.index.affine(load.inputs[1 + d]!))
  if (!offsets.every(offset => isPlain(offset))) return null
  const dims = isNext ? offsets.map(offset => nextIteration(state, scope, offset)) : offsets
  if (dims.includes(null)) return null
  return { load, dims: dims as IndexForm[], rows: shape[across!]!, pitch, columns: shape[along]! }
}

/** True for a form of counters and arguments only: it can be evaluated before the pack, and for another iteration. */
function isPlain(form: IndexForm): boolean {
  const stack = [...form.terms.keys()].flatMap(atom => (atom.kind === 'node' ? [atom.node] : []))
  const seen = new Set<TileNode>()
  while (stack.length > 0) {
    const node = stack.pop()!
    if (seen.has(node)) continue
    seen.add(node)
    if (plainOps.has(node.op)) continue
    if (node.op !== 'map' && node.op !== 'cast') return false
    stack.push(...node.inputs)
  }
  return true
}

const plainOps: ReadonlySet<TileNode['op']> = new Set([
  'const',
  'scalar',
  'size',
  'stride',
  'programId',
  'numPrograms',
  'param',
])

/**
 * The form in the loop's next iteration; null if the step is not constant. Prefetching past the last iteration is harmless.
 */
function nextIteration(state: State, scope: Scope, form: IndexForm): IndexForm | null {
  const { index } = state.plan
  const step = index.affine(scope.owner!.inputs[2]!)
  if (!isConstant(step)) return null
  const [counter] = index.affine(scope.block.params[0]!).terms.keys()
  const factor = counter === undefined ? 0 : (form.terms.get(counter) ?? 0)
  return combine(form, step, factor)
}

const bytesOf = ({ load }: Block): number => itemBytes(viewType(load.inputs[0]!).dtype)
const linesOf = (block: Block): number => Math.ceil((block.columns * bytesOf(block)) / lineBytes)

/** Prefetches the part of the rows that is assigned to one of the dot's register blocks. */
function emitPrefetch(state: State, block: Block, number: LaneNode, blocks: number): void {
  const { lanes } = state
  const view = block.load.inputs[0]!
  const pointer = state.viewPointer(view)
  const start = block.dims.reduce(
    (sum, form, d) => lanes.add(sum, lanes.mul(state.form(form), state.viewStride(view, d))),
    lanes.index(0),
  )
  const each = Math.ceil(block.rows / blocks)
  const first = lanes.add(start, lanes.mul(number, lanes.index(each * block.pitch)))
  const bounds = {
    from: lanes.index(0),
    to: lanes.index(each),
    step: lanes.index(1),
    name: 'u',
    comment: 'prefetch',
  }
  lanes.loop(bounds, [], u => {
    const row = lanes.add(first, lanes.mul(u, lanes.index(block.pitch)))
    for (let line = 0; line < linesOf(block); line++)
      lanes.prefetch(pointer, lanes.add(row, lanes.index((line * lineBytes) / bytesOf(block))))
    return []
  })
}
