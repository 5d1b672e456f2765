/** Emits scopes: loop nests and dots in order, control flow around inner scopes, and single loads into registers. */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType, viewType } from '../../tile/ir.js'
import { constantForm, subtract, zero } from '../shared/index-analysis.js'
import { isSingle, type Scope } from '../shared/structure.js'
import { uniformValue } from './axes.js'
import { emitBins } from './bins.js'
import { emitBlockedDot } from './blocked-dot.js'
import { jammedOf } from './jammed.js'
import { NestWriter } from './loops.js'
import type { Nest } from './nests.js'
import type { ControlRoot, Root, SingleRoot } from './plan.js'
import { squaresOf } from './squares.js'
import type { State } from './state.js'
import { emitTransposedPack, isTransposedPack } from './transposed-pack.js'
import { emitWordPack } from './word-pack.js'

export function emitScope(state: State, scope: Scope): void {
  for (const step of state.steps.get(scope)!) {
    if (step.kind === 'nest') {
      const [root] = step.nest.roots
      if (root !== undefined) state.at(leader(root), () => emitLooped(state, step.nest, root))
    } else emitRoot(state, scope, step.root)
  }
}

function emitLooped(state: State, nest: Nest, root: Root): void {
  if (root.kind === 'pack' && root.words !== null) emitWordPack(state, nest, root, root.words)
  else if (root.kind === 'pack' && isTransposedPack(state.plan, root)) emitTransposedPack(state, nest, root)
  else (squaresOf(state, nest) ?? jammedOf(state, nest) ?? new NestWriter(state, nest)).write()
}

/** The node whose source location a root's code gets. */
function leader(root: Root): TileNode {
  switch (root.kind) {
    case 'store':
      return root.nodes[0]!
    case 'assign':
      return root.value
    case 'pack':
      return root.value.node
    default:
      return root.node
  }
}

/** Emits a root that is not part of a nest. */
function emitRoot(state: State, scope: Scope, root: Root): void {
  state.at(leader(root), () => {
    switch (root.kind) {
      case 'control':
        return emitControl(state, root)
      case 'single':
        return emitSingle(state, root)
      case 'bins':
        return emitBins(state, root)
      case 'dot':
        return emitBlockedDot(state, scope, root, state.plan.ranges.get(root)!)
    }
  })
}

/** A load or gather of one element; if it is out of bounds or masked out, the result is the padding value or 0. */
function emitSingle(state: State, { node }: SingleRoot): void {
  const { lanes } = state
  const { index } = state.plan
  const view = node.inputs[0]!
  const rank = viewType(view).sizes.length
  let [at, inside] = [
    lanes.index(0),
    node.op === 'gather' ? state.scalar(node.inputs.at(-1)!) : lanes.constant('bool', 1),
  ]
  for (let d = 0; d < rank; d++) {
    const offset = index.affine(node.inputs[1 + d]!)
    const lane = state.form(offset)
    if (!index.atMost(zero, offset)) inside = lanes.and(inside, lanes.map('ge', lane, lanes.index(0)))
    const last = subtract(index.size(view, d), constantForm(1))
    if (!index.atMost(offset, last)) inside = lanes.and(inside, lanes.map('lt', lane, state.viewSize(view, d)))
    at = lanes.add(at, lanes.mul(lane, state.viewStride(view, d)))
  }
  const pointer = state.viewPointer(view)
  const isInside = inside.op === 'const' && Number(inside.attrs.value) === 1
  const loaded = isInside ? lanes.load(pointer, at, 1) : lanes.gather(pointer, at, inside)
  const padding = node.op === 'load' ? node.inputs[1 + rank] : undefined
  const padded = padding !== undefined && !isInside && !Object.is(Number(uniformValue(padding) ?? Number.NaN), 0)
  state.setScalar(node, padded ? lanes.select(inside, loaded, state.scalar(padding)) : loaded)
}

function emitControl(state: State, { node }: ControlRoot): void {
  switch (node.op) {
    case 'range':
      emitRange(state, node)
      break
    case 'while':
      emitWhile(state, node)
      break
    case 'if':
      emitIf(state, node)
  }
}

const scopeOf = (state: State, node: TileNode, block: number): Scope =>
  state.plan.structure.scopes.get(node.blocks[block]!)!

/** The slots whose carried values are passed in registers. */
const singleSlots = (nodes: readonly TileNode[]): number[] =>
  nodes.flatMap((node, slot) => (isSingle(node) ? [slot] : []))

/** Sets a control node's results by slot, from those in registers. */
function setResults(state: State, node: TileNode, slots: readonly number[], lanes: readonly LaneNode[]): void {
  const items: (LaneNode | null)[] = []
  slots.forEach((slot, i) => {
    items[slot] = lanes[i]!
  })
  state.setTuple(node, items)
}

/** Emits a loop that carries single values in registers; carried tiles live in their slots' buffers. */
function emitRange(state: State, node: Extract<TileNode, { op: 'range' }>): void {
  const [block] = node.blocks
  const slots = singleSlots(node.inputs.slice(3))
  const [from, to, step] = node.inputs.slice(0, 3).map(input => state.scalar(input)) as [LaneNode, LaneNode, LaneNode]
  const inits = slots.map(slot => state.scalar(node.inputs[3 + slot]!))
  const results = state.lanes.loop({ from, to, step, name: 'step', comment: '' }, inits, (counter, carried) => {
    state.setScalar(block!.params[0]!, counter)
    slots.forEach((slot, i) => void state.setScalar(block!.params[1 + slot]!, carried[i]!))
    emitScope(state, scopeOf(state, node, 0))
    return slots.map(slot => state.scalar(block!.results[slot]!))
  })
  setResults(state, node, slots, results)
}

/** Emits a while loop; carried values as in `emitRange`. */
function emitWhile(state: State, node: Extract<TileNode, { op: 'while' }>): void {
  const { builder } = state.lanes
  const slots = singleSlots(node.inputs)
  const inits = slots.map(slot => state.scalar(node.inputs[slot]!))
  const inBlock = (block: number, results: () => readonly LaneNode[]) => {
    const params = slots.map(slot => state.lanes.param(tileType(node.inputs[slot]!).dtype, 1, 'carried'))
    return builder.block(params, () => {
      slots.forEach((slot, i) => void state.setScalar(node.blocks[block]!.params[slot]!, params[i]!))
      emitScope(state, scopeOf(state, node, block))
      return results()
    })
  }
  const condition = inBlock(0, () => [state.scalar(node.blocks[0]!.results[0]!)])
  const body = inBlock(1, () => slots.map(slot => state.scalar(node.blocks[1]!.results[slot]!)))
  const loop = builder.node('while', inits, { comment: '' }, [condition, body])
  setResults(
    state,
    node,
    slots,
    slots.map((_, i) => state.lanes.item(loop, i)),
  )
}

function emitIf(state: State, node: Extract<TileNode, { op: 'if' }>): void {
  const slots = singleSlots(node.blocks[0]!.results)
  const side = (block: number) => (): LaneNode[] => {
    emitScope(state, scopeOf(state, node, block))
    return slots.map(slot => state.scalar(node.blocks[block]!.results[slot]!))
  }
  setResults(state, node, slots, state.lanes.branch(state.scalar(node.inputs[0]!), '', side(0), side(1)))
}
