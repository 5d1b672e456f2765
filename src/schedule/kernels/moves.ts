/**
 * Narrow elements that are only moved. Registers of a CPU hold truth values and 16-bit floats wider than memory does, so each
 * element is widened and rounded again; programs that only move them move integers of their width.
 */
import { transplant } from '../../ir/transplant.js'
import { nodesOf } from '../../ir/walk.js'
import { type Access, accessOf } from '../../loop/access.js'
import {
  dtypeOf,
  type LoopBuilder,
  type LoopNode,
  type LoopProgram,
  loopBuilder,
  loopDialect,
  type StoreNode,
  type UpdateNode,
} from '../../loop/ir.js'
import { codecOf } from '../../types/codec.js'
import type { Dtype } from '../../types/dtype.js'

/** The integers of a dtype's width. */
const bitsOf: Partial<Record<Dtype, Dtype>> = { bool: 'u8', f16: 'i16', bf16: 'i16' }

/** The program with integers in place of narrow elements, unless it computes with what it moves. */
export function movedAsBits(program: LoopProgram): LoopProgram {
  const moves = new Moves()
  const statements = new Set(program.body.body.filter(node => isWrite(node) && moves.take(node)))
  if (statements.size === 0 || !areOnlyMoved(program, moves.nodes, statements)) return program
  const b = loopBuilder()
  transplant<LoopNode>(loopDialect, b, program.body, node => (statements.has(node) ? written(b, node as Write) : null))
  return { ...program, body: b.finish() }
}

type Write = StoreNode | UpdateNode

const isWrite = (node: LoopNode): node is Write =>
  node.op === 'store' || (node.op === 'update' && node.attrs.fold === 'set')

/** Finds what is moved: elements, choices among them, and for truth values what works on bits. */
class Moves {
  readonly nodes = new Set<LoopNode>()

  /** Whether what is stored is moved. */
  take({ inputs, attrs: { access } }: Write): boolean {
    const found = new Set<LoopNode>()
    const isMoved = bitsOf[access.dtype] !== undefined && moves(inputs[0]!, access.dtype, found)
    if (isMoved) for (const node of found) this.nodes.add(node)
    return isMoved
  }
}

/** Whether a value of `dtype`, held in that dtype or a wider one, is moved. */
function moves(node: LoopNode, dtype: Dtype, found: Set<LoopNode>): boolean {
  found.add(node)
  const all = (inputs: readonly LoopNode[]): boolean => inputs.every(input => moves(input, dtype, found))
  switch (node.op) {
    case 'load':
    case 'gather':
      return dtypeOf(node) === dtype
    case 'constant':
      return codeOf(node.attrs.value, dtype) !== null
    case 'cast':
      if (dtype === 'bool') return false
      return isWidening(dtypeOf(node.inputs[0]!), node.attrs.to, dtype) && all(node.inputs)
    case 'map':
      if (node.attrs.fn === 'where') return all(node.inputs.slice(1))
      return dtype === 'bool' && onBits.has(node.attrs.fn) && dtypeOf(node.inputs[0]!) === 'bool' && all(node.inputs)
    default:
      return false
  }
}

/** Whether a cast is from a float dtype to a wider one, or back. */
const isWidening = (from: Dtype, to: Dtype, narrow: Dtype): boolean =>
  (from === narrow && wider.has(to)) || (to === narrow && wider.has(from))
const wider: ReadonlySet<Dtype> = new Set(['f32', 'f64'])

/** Of truth values, stored as 0 and 1. */
const onBits: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'not'])

/** A constant's bits; null: the dtype does not hold it. */
function codeOf(value: number | bigint, dtype: Dtype): number | null {
  const codec = codecOf(dtype)
  if (codec === null) return Number(value) === 0 ? 0 : 1
  const code = codec.encode(Number(value))
  return Object.is(codec.decode(code), Number(value)) ? (code << 16) >> 16 : null
}

/** True unless something else uses what is read, or what is made of it: it would be read twice. */
function areOnlyMoved({ body }: LoopProgram, moved: ReadonlySet<LoopNode>, statements: ReadonlySet<LoopNode>): boolean {
  const isPart = (user: LoopNode, place: number): boolean =>
    statements.has(user) ? place === 0 : moved.has(user) && !(isChoice(user) && place === 0) && user.op !== 'gather'
  return nodesOf<LoopNode>(body).every(user =>
    user.inputs.every((input, place) => !moved.has(input) || input.op === 'constant' || isPart(user, place)),
  )
}

const isChoice = (node: LoopNode): boolean => node.op === 'map' && node.attrs.fn === 'where'

function written(b: LoopBuilder, node: Write): LoopNode {
  const { access } = node.attrs
  const value = asBits(b, node.inputs[0]!, access.dtype)
  return b.withOrigin(node.origin, () => {
    if (node.op === 'store') return b.node('store', [value], { access: retyped(access) })
    return b.node('update', [value, copied(b, node.inputs[1]!)], { ...node.attrs, access: retyped(access) })
  })
}

/** The bits of a value that is moved. */
function asBits(b: LoopBuilder, node: LoopNode, dtype: Dtype): LoopNode {
  const bits = (input: LoopNode): LoopNode => asBits(b, input, dtype)
  const to = bitsOf[dtype]!
  return b.withOrigin(node.origin, () => {
    switch (node.op) {
      case 'load':
        return b.node('load', [], { access: retyped(node.attrs.access) })
      case 'gather':
        return b.node('gather', [copied(b, node.inputs[0]!)], { ...node.attrs, access: retyped(node.attrs.access) })
      case 'constant':
        return b.node('constant', [], { dtype: to, value: codeOf(node.attrs.value, dtype)! })
      case 'map':
        return mapOfBits(b, node, bits, to)
      default:
        return bits(node.inputs[0]!)
    }
  })
}

function mapOfBits(
  b: LoopBuilder,
  { inputs, attrs: { fn } }: Extract<LoopNode, { op: 'map' }>,
  bits: (input: LoopNode) => LoopNode,
  to: Dtype,
): LoopNode {
  if (fn === 'where') return b.node('map', [copied(b, inputs[0]!), ...inputs.slice(1).map(bits)], { fn })
  if (fn !== 'not') return b.node('map', inputs.map(bits), { fn })
  return b.node('map', [bits(inputs[0]!), b.node('constant', [], { dtype: to, value: 1 })], { fn: 'xor' })
}

const retyped = ({ buffer, dtype, index, windows }: Access): Access => accessOf(buffer, bitsOf[dtype]!, index, windows)

/** Pure nodes are interned: a copy is the one that the rest of the program uses. */
const copied = (b: LoopBuilder, node: LoopNode): LoopNode =>
  transplant<LoopNode>(loopDialect, b, { params: [], body: [], results: [node] }, () => null)[0]!
