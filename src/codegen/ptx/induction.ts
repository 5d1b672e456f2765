/**
 * Strength reduction of the addresses of a loop's async copies: an address that grows by a constant per iteration is kept in
 * a register and incremented. That saves arithmetic and avoids stalls: a copy holds its address registers until the memory
 * system has consumed them, and writing to them earlier stalls. Applied to loops with deferred wgmma, unless a target
 * occupancy limits the registers.
 */
import { nodesOf } from '../../ir/walk.js'
import { type LaneBlock, type LaneNode, type LaneProgram, pointerType, valueType } from '../../lane/ir.js'
import { type Affine, integerForms } from '../../scalar/affine.js'
import type { Addresses } from './address.js'
import type { Code } from './code.js'
import { isPredicated } from './predication.js'
import { bytesOf } from './types.js'
import type { Values } from './values.js'

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>
type Loop = NodeOfOp<'for'>
type Copy = NodeOfOp<'asyncCopy'>

/** An index as a linear form: loop-invariant nodes times constants, the counter times a constant, and a constant. */
type Linear = Affine<LaneNode>

/** An address pointer + base · size whose base grows with the loop counter. */
interface Step {
  readonly pointer: LaneNode
  readonly base: LaneNode
  /** The base before the first iteration. */
  readonly first: Linear
  /** Increment in bytes per iteration. */
  readonly bytes: number
}

/** Maximum number of such addresses: more would raise register pressure too far. */
const maxSteps = 12

/** The largest factor of mad.wide.s32. */
const maxFactor = 2 ** 31 - 1

const { atom, combine, constant, scale, substitute } = integerForms

export class Inductions {
  readonly #loops = new Map<Loop, LoopSteps>()
  readonly #ofCopy = new Map<LaneNode, LoopSteps>()
  readonly #predicated = new Set<LaneNode>()

  constructor(
    { body, block }: LaneProgram,
    readonly order: ReadonlyMap<LaneBlock, readonly LaneNode[]>,
    readonly addresses: Addresses,
  ) {
    if (block?.perMultiprocessor !== undefined) return
    for (const node of nodesOf(body)) if (node.op === 'for' && issuesWgmma(node)) this.#add(node)
  }

  #add(loop: Loop): void {
    const steps = new LoopSteps(loop, this.order, this.addresses)
    for (const branch of steps.predicated) this.#predicated.add(branch)
    if (steps.all.length === 0 || steps.all.length > maxSteps) return
    this.#loops.set(loop, steps)
    for (const copy of steps.copies) this.#ofCopy.set(copy, steps)
  }

  of(loop: Loop): LoopSteps | null {
    return this.#loops.get(loop) ?? null
  }

  /** True for a branch in such a loop whose copies are predicated instead of branched around. */
  predicates(branch: LaneNode): boolean {
    return this.#predicated.has(branch)
  }

  /** The nodes that replace the source index of a copy whose address is incremented. */
  sourcesOf(copy: LaneNode): readonly LaneNode[] | null {
    return this.#ofCopy.get(copy)?.leaves ?? null
  }

  /** Called before each copy; before an iteration's first one, emits the increments of the addresses. */
  advance(code: Code, copy: LaneNode): void {
    const steps = this.#ofCopy.get(copy)
    if (steps?.copies[0] === copy) steps.advance(code)
  }
}

/** True for a loop that issues wgmma. */
const issuesWgmma = ({ blocks: [body] }: Loop): boolean => body!.body.some(({ op }) => op === 'wgmmaCommit')

/** The incremented addresses of one loop. */
export class LoopSteps {
  readonly all: readonly Step[]
  /** The copies in the order in which an iteration issues them. */
  readonly copies: readonly Copy[]
  /** Predicated branches: their code runs in every iteration. */
  readonly predicated: readonly LaneNode[]
  /** The inputs from which the first addresses are computed. */
  readonly leaves: readonly LaneNode[]
  readonly #inside = new Set<LaneNode>()
  readonly #registers: string[] = []

  constructor(
    readonly loop: Loop,
    order: ReadonlyMap<LaneBlock, readonly LaneNode[]>,
    addresses: Addresses,
  ) {
    const found: Copy[] = []
    const branches: LaneNode[] = []
    const visit = (block: LaneBlock): void => {
      for (const node of order.get(block)!) {
        this.#inside.add(node)
        if (node.op === 'asyncCopy') found.push(node)
        if (node.op !== 'if' || !isPredicated(node, order)) continue
        branches.push(node)
        visit(node.blocks[0]!)
      }
    }
    visit(loop.blocks[0]!)
    this.predicated = branches
    const steps = new Map<string, Step>()
    this.copies = found.filter(copy => {
      const [, , pointer, index] = copy.inputs as [LaneNode, LaneNode, LaneNode, LaneNode]
      const step = this.#stepOf(pointer, addresses.base(pointer, index, 0)?.node)
      if (step !== null) steps.set(`${pointer.id} ${step.base.id}`, step)
      return step !== null
    })
    this.all = [...steps.values()]
    this.leaves = [...new Set(this.all.flatMap(({ pointer, first }) => [pointer, ...first.terms.keys()]))]
  }

  #stepOf(pointer: LaneNode, base: LaneNode | undefined): Step | null {
    const [from, , step] = this.loop.inputs as [LaneNode, LaneNode, LaneNode]
    const index = base === undefined ? null : this.#linear(base)
    const growth = index?.terms.get(this.#counter)
    if (base === undefined || index === null || growth === undefined || step.op !== 'const') return null
    const start: Linear = from.op === 'const' ? constant(Number(from.attrs.value)) : atom(from)
    const first = substitute(index, this.#counter, start)
    const size = bytesOf(pointerType(pointer).dtype)
    if ([growth, ...first.terms.values()].some(factor => Math.abs(factor * size) > maxFactor)) return null
    return { pointer, base, first, bytes: growth * Number(step.attrs.value) * size }
  }

  /** Null: the index is not a linear form. */
  #linear(node: LaneNode): Linear | null {
    if (node === this.#counter) return atom(node)
    if (!isIndex(node) || this.loop.blocks[0]!.params.includes(node)) return null
    if (node.op === 'const') return constant(Number(node.attrs.value))
    if (!this.#inside.has(node)) return atom(node)
    if (node.op === 'cast') return this.#linear(node.inputs[0]!)
    if (node.op !== 'map') return null
    const { fn } = node.attrs
    if (fn !== 'add' && fn !== 'sub' && fn !== 'mul') return null
    const [a, b] = node.inputs.map(input => this.#linear(input)) as [Linear | null, Linear | null]
    if (a === null || b === null) return null
    if (fn !== 'mul') return combine(a, b, fn === 'add' ? 1 : -1)
    return b.terms.size === 0 ? scale(a, b.offset) : a.terms.size === 0 ? scale(b, a.offset) : null
  }

  get #counter(): LaneNode {
    return this.loop.blocks[0]!.params[0]!
  }

  /** Before the loop: sets the registers to the addresses of the iteration before the first. */
  prepare(code: Code, values: Values, addresses: Addresses): void {
    for (const { pointer, first, bytes } of this.all) {
      const start = addresses.argument(pointer)
      const size = bytesOf(pointerType(pointer).dtype)
      const register = code.registers.one('b64', `${start.slice(1)}_next`)
      code.op('add.s64', register, start, String(first.offset * size - bytes))
      for (const [node, factor] of first.terms) {
        const name = valueType(node).dtype === 'i64' ? 'mad.lo.s64' : 'mad.wide.s32'
        code.op(name, register, values.element(node), String(factor * size), register)
      }
      this.#registers.push(register)
    }
  }

  /** In the loop: makes accesses use these registers. */
  enter(addresses: Addresses): void {
    this.all.forEach(({ pointer, base }, i) => {
      addresses.know(pointer, base, this.#registers[i]!)
    })
  }

  advance(code: Code): void {
    this.all.forEach(({ bytes }, i) => {
      code.op('add.s64', this.#registers[i]!, this.#registers[i]!, String(bytes))
    })
  }
}

const isIndex = (node: LaneNode): boolean => {
  const { dtype, lanes } = valueType(node)
  return lanes === 1 && (dtype === 'i32' || dtype === 'i64')
}
