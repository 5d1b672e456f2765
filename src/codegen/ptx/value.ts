/** Dispatch for ops with a value: one case per op; the instructions are in the tables of the other files. */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, valueType } from '../../lane/ir.js'
import type { Addresses } from './address.js'
import { bitcast } from './bitcast.js'
import type { Code, Held } from './code.js'
import { cast, concatenated, fold, halves, interleaved, mapped, mapResult, sliced } from './elementwise.js'
import { hintOf } from './hints.js'
import type { Launch } from './launch.js'
import { gather, load, type NodeOfOp } from './memory.js'
import { kindOf } from './types.js'
import type { Values } from './values.js'
import { approximation, loadMatrix, match, memoryName, mma, shuffle } from './warp.js'
import { wgmma, wgmmaFence, wgmmaHold, wgmmaWait } from './warpgroup.js'

/** The state that emission of a kernel's instructions needs. */
export interface Context {
  readonly code: Code
  readonly values: Values
  readonly addresses: Addresses
  readonly launch: Launch
  /** Destination registers of nodes that do not write to fresh ones. */
  readonly destinations: ReadonlyMap<LaneNode, readonly string[]>
}

/** Selects one of several pointers by number: a chain of selects. */
function picked({ code, values, addresses }: Context, node: NodeOfOp<'pick'>): Held {
  const [which, first, ...others] = node.inputs as readonly [LaneNode, LaneNode, ...LaneNode[]]
  const index = values.element(which)
  const last = others.reduce((before, option, i) => {
    const [isThis, made] = [code.temporary('pred'), code.registers.one('b64', `${memoryName(option)}_picked`)]
    code.op('setp.eq.s32', isThis, index, String(i + 1))
    code.op('selp.b64', made, addresses.argument(option), before, isThis)
    return made
  }, addresses.argument(first))
  return { elements: [last] }
}

type Statement =
  | 'arg'
  | 'param'
  | 'alloc'
  | 'store'
  | 'prefetch'
  | 'wordDot'
  | 'scatter'
  | 'atomic'
  | 'for'
  | 'if'
  | 'while'
type Synchronisation = 'barrier' | 'fence' | 'asyncCopy' | 'asyncCommit' | 'asyncWait' | 'proxyFence' | 'wgmmaCommit'

/** Emits the instructions of a node that is not a statement; returns the registers that hold its value. */
export function computed(context: Context, node: Exclude<LaneNode, NodeOfOp<Statement | Synchronisation>>): Held {
  const { code, values, addresses, launch, destinations } = context
  const hint = hintOf(node)
  switch (node.op) {
    case 'const':
    case 'iota':
    case 'splat':
    case 'item':
    case 'shared':
    case 'builtin':
    case 'prefix':
      throw new InternalError(`PTX: ${node.op} (node ${node.id}) has no instructions`)
    case 'programId':
      return { elements: [launch.programId(node.attrs.axis)] }
    case 'numPrograms':
      return { elements: [launch.numPrograms(node.attrs.axis)] }
    case 'threadId': {
      const register = code.registers.one('b32', 'thread')
      code.op('mov.u32', register, '%tid.x')
      return { elements: [register] }
    }
    case 'map':
      return mapped(code, values, node, destinations.get(node) ?? mapResult(code, node, hint))
    case 'cast':
      return cast(code, values, node, hint, launch)
    case 'bitcast':
      return bitcast(code, values, node)
    case 'extract':
      return { elements: [values.element(node.inputs[0]!, node.attrs.lane)] }
    case 'pick':
      return picked(context, node)
    case 'concat':
      return concatenated(values, node)
    case 'slice':
      return sliced(values, node)
    case 'interleave':
      return interleaved(code, values, node)
    case 'fold':
      return { elements: [fold(code, values, node, hint)] }
    case 'load':
      return load(code, values, addresses, node, hint)
    case 'gather':
      return gather(code, values, addresses, node, hint)
    case 'shuffle':
      return shuffle(code, values, node, hint)
    case 'match':
      return match(code, values, node, hint)
    case 'mma': {
      const dest = destinations.get(node) ?? code.registers.many(kindOf(valueType(node).dtype), hint, 4)
      mma(code, values, node, dest)
      return { elements: dest }
    }
    case 'wgmmaFence':
      return wgmmaFence(code, values, node, destinations.get(node) ?? null)
    case 'wgmmaHold':
      return wgmmaHold(code, values, node)
    case 'wgmma':
      return wgmma(code, values, addresses, node)
    case 'wgmmaWait':
      return wgmmaWait(code, values, node)
    case 'loadMatrix':
      return loadMatrix(code, addresses, node, hint)
    case 'approximate': {
      const { dtype, lanes } = valueType(node)
      const results = code.registers.many(kindOf(dtype), hint, lanes)
      values.elements(node.inputs[0]!).forEach((element, lane) => {
        code.op(approximation(node.attrs.fn, dtype), results[lane]!, values.register(dtype, element))
      })
      return { elements: results }
    }
    case 'halves':
      return halves(code, values, node, hint)
    default:
      return node satisfies never
  }
}
