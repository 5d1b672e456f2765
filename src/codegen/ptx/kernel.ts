/**
 * Emits one lane program as one PTX entry: blocks in the IR's placement, control flow as labels and branches, carried
 * values as mutable registers. The instructions of each op are in the tables of the other files.
 */
import { basename } from 'node:path'
import { InternalError } from '../../base/errors.js'
import { nodesOf, placement } from '../../ir/walk.js'
import {
  isLoop,
  type LaneBlock,
  type LaneNode,
  type LaneProgram,
  laneDialect,
  type ValueType,
  valueType,
} from '../../lane/ir.js'
import { isUnchanged, type Liveness, liveness } from '../../lane/live.js'
import type { CudaTarget } from '../../target/cuda.js'
import { Addresses } from './address.js'
import { atomic } from './atomic.js'
import { LoopBounds, runsOnce } from './bounds.js'
import { Code, type Held } from './code.js'
import { Inductions } from './induction.js'
import { inPlace, type Users, usersOf } from './inplace.js'
import { Launch } from './launch.js'
import { immediate } from './literal.js'
import { asyncCopy, type NodeOfOp, scatter, store } from './memory.js'
import { moveAll } from './moves.js'
import { arithmetic, bytesOf, isPackable, kindOf } from './types.js'
import { Uniformity } from './uniform.js'
import { type Context, computed } from './value.js'
import { Values } from './values.js'
import { wantedNodes } from './wanted.js'
import { barrier } from './warp.js'

/**
 * The entry's text. `needs` is called with each PTX version that an instruction requires. `early`: programmatic dependent
 * launch; the kernel waits for its predecessor before it accesses memory.
 */
export function kernelText(
  program: LaneProgram,
  symbol: string,
  target: CudaTarget,
  needs: (version: number) => void,
  early = false,
): string {
  return new KernelEmitter(program, symbol, target, needs, early).text()
}

/** The registers that take a block's result at the block's end. */
interface Slot {
  readonly registers: readonly string[]
  readonly type: ValueType
  readonly result: LaneNode
}

class KernelEmitter {
  readonly #code: Code
  readonly #values: Values
  readonly #addresses: Addresses
  readonly #launch: Launch
  readonly #live: Liveness
  readonly #order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  readonly #uniform = new Uniformity()
  readonly #variables = new Map<LaneNode, string>()
  /** The registers of control flow's live results, for `item`. */
  readonly #results = new Map<LaneNode, ReadonlyMap<number, readonly string[]>>()
  readonly #inductions: Inductions
  readonly #wanted: ReadonlySet<LaneNode>
  readonly #users: Users
  /** Destination registers of nodes that do not write to fresh ones. */
  readonly #destinations = new Map<LaneNode, readonly string[]>()
  readonly #context: Context
  #line = ''

  constructor(
    readonly program: LaneProgram,
    readonly symbol: string,
    target: CudaTarget,
    needs: (version: number) => void,
    readonly early: boolean,
  ) {
    this.#code = new Code(target.arch, needs)
    this.#values = new Values(this.#code)
    this.#live = liveness(program.body)
    this.#order = placement(laneDialect, program.body, isLoop)
    this.#launch = new Launch(program, this.#code, this.#live)
    this.#addresses = new Addresses(
      this.#code,
      this.#values,
      node => (node.op === 'arg' ? this.#launch.pointer(node) : this.#values.element(node)),
      node => this.#variables.get(node)!,
    )
    this.#users = usersOf(nodesOf(program.body))
    this.#inductions = new Inductions(program, this.#order, this.#addresses)
    this.#wanted = wantedNodes(program.body, this.#live, this.#addresses, this.#inductions)
    this.#context = {
      code: this.#code,
      values: this.#values,
      addresses: this.#addresses,
      launch: this.#launch,
      destinations: this.#destinations,
    }
  }

  /** The text of the kernel. */
  text(): string {
    this.#launch.unpack(this.#values)
    this.#block(this.program.body)
    this.#code.bare('ret')
    const { frames, prologue, registers, variables } = this.#code
    const [root] = frames as [(typeof frames)[number]]
    return [
      ...this.program.comment.map(line => `// ${line}`),
      ...this.#launch.head(this.symbol),
      '{',
      ...[...variables, ...registers.declarations()].map(line => `  ${line}`),
      '',
      ...prologue,
      ...(this.early ? ['  griddepcontrol.launch_dependents;', '  griddepcontrol.wait;'] : []),
      ...root.lines,
      '}',
      '',
    ].join('\n')
  }

  #block(block: LaneBlock, slots: readonly Slot[] = []): void {
    for (const node of this.#order.get(block)!) if (this.#wanted.has(node)) this.#node(node)
    this.#assign(slots)
  }

  /** Writes one node. */
  #node(node: LaneNode): void {
    const { op } = node
    if (op === 'const' || op === 'iota' || op === 'splat' || op === 'item' || op === 'shared') {
      this.#free(node)
      return
    }
    this.#origin(node)
    switch (node.op) {
      case 'arg':
      case 'param':
        throw new InternalError(`PTX: ${node.op} (node ${node.id}) outside its block`)
      case 'prefetch':
      case 'wordDot':
        throw new InternalError(`PTX: ${node.op} (node ${node.id}) is for CPUs only`)
      case 'alloc':
        this.#alloc(node)
        return
      case 'store':
        store(this.#code, this.#values, this.#addresses, node)
        return
      case 'scatter':
        scatter(this.#code, this.#values, this.#addresses, node)
        return
      case 'for':
        this.#for(node)
        return
      case 'if':
        this.#if(node)
        return
      case 'while':
        this.#while(node)
        return
      case 'barrier':
        barrier(this.#code, node.attrs.scope)
        return
      case 'fence':
        this.#code.bare('fence.acq_rel.gpu')
        return
      case 'asyncCopy':
        this.#copy(node, null)
        return
      case 'asyncCommit':
        this.#code.bare('cp.async.commit_group')
        return
      case 'asyncWait':
        this.#code.op('cp.async.wait_group', String(node.attrs.pending))
        return
      case 'proxyFence':
        this.#code.bare('fence.proxy.async.shared::cta')
        return
      case 'wgmmaCommit':
        this.#code.bare('wgmma.commit_group.sync.aligned')
        return
      case 'atomic': {
        const old = atomic(this.#code, this.#values, this.#addresses, node, this.#live.uses.get(node)! > 0)
        if (old !== null) this.#values.set(node, { elements: [old] })
        return
      }
      default:
        this.#values.set(node, computed(this.#context, node))
    }
  }

  /** Handles nodes without an instruction. */
  #free(node: LaneNode): void {
    switch (node.op) {
      case 'iota':
        this.#values.set(node, {
          elements: Array.from({ length: node.attrs.lanes }, (_, i) => immediate(node.attrs.dtype, i)),
        })
        return
      case 'splat': {
        const element = this.#values.element(node.inputs[0]!)
        this.#values.set(node, { elements: new Array<string>(node.attrs.lanes).fill(element) })
        return
      }
      case 'item': {
        const registers = this.#results.get(node.inputs[0]!)!.get(node.attrs.index)!
        this.#values.set(node, inForm(valueType(node), registers))
        return
      }
    }
  }

  #alloc(node: NodeOfOp<'alloc'>): void {
    const variable = this.#code.registers.label(`${node.attrs.name}_local`)
    const bytes = Math.max(1, node.attrs.count * bytesOf(node.attrs.dtype))
    this.#code.variables.push(`.local .align 16 .b8 ${variable}[${bytes}];`)
    this.#variables.set(node, variable)
  }

  /** Writes a for loop; carried values are registers that the body overwrites. */
  #for(node: NodeOfOp<'for'>): void {
    const [from, to, step, ...inits] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
    const [block] = node.blocks as [LaneBlock]
    const [counterParam, ...params] = block.params as [NodeOfOp<'param'>, ...NodeOfOp<'param'>[]]
    if (step.op === 'const' && BigInt(step.attrs.value) === 0n)
      throw new InternalError('PTX: a for loop with step 0', { at: step.origin.at })
    this.#comment(node.attrs.comment)
    const [code, values] = [this.#code, this.#values]
    const { dtype } = valueType(counterParam)
    const name = counterParam.attrs.name === '' ? 'i' : counterParam.attrs.name
    const slots = this.#carry(node, inits, [params], block.results)
    const uniform = this.#uniform.loop(node)
    const counter = code.registers.one(kindOf(dtype), name)
    const bounds = new LoopBounds(code, arithmetic(dtype), kindOf(dtype), values.element(to), values.element(step))
    code.op(`mov.${kindOf(dtype)}`, counter, values.element(from))
    const [start, end] = [code.registers.label(`loop_${name}`), code.registers.label(`end_${name}`)]
    const last = bounds.prepare()
    const steps = this.#inductions.of(node)
    steps?.prepare(code, values, this.#addresses)
    const loop = (): void =>
      code.within(true, () => {
        code.label(start)
        values.set(counterParam, { elements: [counter] })
        steps?.enter(this.#addresses)
        this.#accumulate(block, slots, params)
        this.#block(block, slots)
        const again = bounds.advance(counter, last)
        code.branch(start, { predicate: again, uniform })
      })
    if (runsOnce(from, to, step)) loop()
    else {
      code.branch(end, { predicate: bounds.isOver(counter), uniform })
      // The loop may be skipped by this branch, so values hoisted out of it are not available after it.
      code.within(false, loop)
    }
    code.label(end)
  }

  /** Finds the operations of a loop's body that write directly to the carried registers. */
  #accumulate(block: LaneBlock, slots: readonly Slot[], params: readonly LaneNode[]): void {
    const carried = slots.flatMap(({ registers, type, result }) => {
      const param = params[block.results.indexOf(result)]!
      const isAlone = block.results.indexOf(result) === block.results.lastIndexOf(result)
      return isAlone && type.dtype !== 'bool' && !isPackable(type) ? [{ param, registers, result }] : []
    })
    const found = inPlace(this.#order.get(block)!, carried, this.#users, this.#live)
    for (const [node, registers] of found) this.#destinations.set(node, registers)
  }

  #copy(node: NodeOfOp<'asyncCopy'>, predicate: string | null): void {
    this.#inductions.advance(this.#code, node)
    asyncCopy(this.#code, this.#values, this.#addresses, node, predicate)
  }

  /** A predicated branch: its copies are predicated, all other code runs in all threads. `within`: the outer predicate. */
  #predicated(node: NodeOfOp<'if'>, within: string | null = null): void {
    const [condition] = node.inputs as [LaneNode]
    this.#comment(node.attrs.comment)
    const [own, code] = [this.#values.element(condition), this.#code]
    const predicate = within === null ? own : code.temporary('pred')
    if (within !== null) code.op('and.pred', predicate, within, own)
    for (const inner of this.#order.get(node.blocks[0]!)!) {
      if (!this.#wanted.has(inner)) continue
      if (inner.op === 'if') this.#predicated(inner, predicate)
      else if (inner.op === 'asyncCopy') this.#copy(inner, predicate)
      else this.#node(inner)
    }
  }

  /** Writes a branch: by predicated instructions if it is short, else by jumps. */
  #if(node: NodeOfOp<'if'>): void {
    if (this.#inductions.predicates(node)) {
      this.#predicated(node)
      return
    }
    const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
    const [condition] = node.inputs as [LaneNode]
    this.#comment(node.attrs.comment)
    const code = this.#code
    const results = new Map<number, readonly string[]>()
    then.results.forEach((result, index) => {
      if (this.#live.carries(node, index)) results.set(index, this.#carriers(valueType(result), 'chosen'))
    })
    this.#results.set(node, results)
    const slotsOf = (block: LaneBlock): Slot[] =>
      [...results].map(([index, registers]) => {
        const result = block.results[index]!
        return { registers, type: valueType(result), result }
      })
    const predicate = this.#values.element(condition)
    const uniform = this.#uniform.of(condition)
    const hasElse = otherwise.body.length > 0 || results.size > 0
    const end = code.registers.label('endif')
    const no = hasElse ? code.registers.label('else') : end
    code.branch(no, { predicate: `!${predicate}`, uniform })
    code.within(false, () => this.#block(then, slotsOf(then)))
    if (hasElse) {
      code.branch(end)
      code.label(no)
      code.within(false, () => this.#block(otherwise, slotsOf(otherwise)))
    }
    code.label(end)
  }

  /** Writes a while loop. */
  #while(node: NodeOfOp<'while'>): void {
    const [condition, body] = node.blocks as [LaneBlock, LaneBlock]
    this.#comment(node.attrs.comment)
    const code = this.#code
    const lists = [body.params, condition.params] as NodeOfOp<'param'>[][]
    const slots = this.#carry(node, node.inputs, lists, body.results)
    const [start, end] = [code.registers.label('while'), code.registers.label('endwhile')]
    code.within(isLoop(node), () => {
      code.label(start)
      this.#block(condition)
      const go = this.#values.element(condition.results[0]!)
      code.branch(end, { predicate: `!${go}`, uniform: false })
      this.#block(body, slots)
      code.branch(start)
    })
    code.label(end)
  }

  /** The registers of a carried value: packed words if its elements fill them. */
  #carriers(type: ValueType, hint: string): readonly string[] {
    if (isPackable(type)) return this.#code.registers.many('b32', hint, (type.lanes * bytesOf(type.dtype)) / 4)
    return this.#code.registers.many(kindOf(type.dtype), hint, type.lanes)
  }

  /** Declares the registers of a loop's live carried values with their initial values; returns the slots that change. */
  #carry(
    node: LaneNode,
    inits: readonly LaneNode[],
    params: readonly (readonly NodeOfOp<'param'>[])[],
    results: readonly LaneNode[],
  ): Slot[] {
    const slots: Slot[] = []
    const first: Slot[] = []
    const kept = new Map<number, readonly string[]>()
    inits.forEach((init, index) => {
      if (!this.#live.carries(node, index)) return
      const type = valueType(init)
      const param = params[0]![index]!
      const registers = this.#carriers(type, param.attrs.name === '' ? 'carried' : param.attrs.name)
      first.push({ registers, type, result: init })
      kept.set(index, registers)
      for (const list of params) this.#values.set(list[index]!, inForm(type, registers))
      if (!isUnchanged(node, index)) slots.push({ registers, type, result: results[index]! })
    })
    this.#results.set(node, kept)
    this.#assign(first)
    return slots
  }

  /** Assigns results to all slots as a parallel move. */
  #assign(slots: readonly Slot[]): void {
    moveAll(
      this.#code,
      slots.flatMap(({ registers, type, result }) => {
        const packed = isPackable(type)
        const sources = packed ? this.#values.words(result) : this.#values.elements(result)
        const kind = packed ? 'b32' : kindOf(type.dtype)
        return registers.map((to, i) => ({ to, from: sources[i]!, kind }))
      }),
    )
  }

  #comment(text: string): void {
    if (text !== '') this.#code.comment(text)
  }

  /** Writes the user's source line as a comment where it changes. */
  #origin(node: LaneNode): void {
    const { at } = node.origin
    if (at === null) return
    const line = `${basename(at.file)}:${at.line}`
    if (line !== this.#line) this.#code.comment(line)
    this.#line = line
  }
}

const inForm = (type: ValueType, registers: readonly string[]): Held =>
  isPackable(type) ? { words: registers } : { elements: registers }
