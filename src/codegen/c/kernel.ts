/**
 * One lane program as one C function. Statements follow the engine's placement; each op's text comes from the tables in
 * ops.ts and memory.ts; this file knows blocks, loops, carried values, names and comments.
 */
import { basename } from 'node:path'
import { InternalError } from '../../base/errors.js'
import { placement } from '../../ir/walk.js'
import { isLoop, type LaneBlock, type LaneNode, type LaneProgram, laneDialect, valueType } from '../../lane/ir.js'
import { liveUses } from '../../lane/live.js'
import { alwaysInline, planBlock } from './inline.js'
import { Names } from './names.js'
import {
  accessExpression,
  accessStatement,
  argumentExpression,
  elementType,
  nameHint,
  type ReadNode,
  type ValueNode,
  valueExpression,
  variableType,
} from './ops.js'
import { type ScratchLayout, scratchLayout } from './scratch.js'
import { binary, condition as conditionOf, type Expression, primary, Writer } from './text.js'

/** Longer expressions are broken up by giving their parts names. */
const longestInline = 72

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** The function's text. */
export function kernelText(program: LaneProgram, vectorBytes: number): string {
  return new KernelEmitter(program, vectorBytes).text()
}

class KernelEmitter {
  readonly #names = new Names()
  /** What stands for each node in text: its variable, or the expression to inline. */
  readonly #expressions = new Map<LaneNode, Expression>()
  /** The variables that hold the results of control flow, for `item`. */
  readonly #results = new Map<LaneNode, readonly string[]>()
  readonly #uses: ReadonlyMap<LaneNode, number>
  readonly #order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  readonly #scratch: ScratchLayout
  #out = new Writer()
  #line = ''

  constructor(
    readonly program: LaneProgram,
    readonly vectorBytes: number,
  ) {
    this.#uses = liveUses(program.body)
    this.#order = placement(laneDialect, program.body, isLoop)
    this.#scratch = scratchLayout(program)
  }

  text(): string {
    const { name, comment, body } = this.program
    for (const line of comment) this.#out.line(`// ${line}`)
    this.#out.line(`void ${name}(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {`)
    this.#out.indented(() => {
      for (const node of body.params) if (node.op === 'arg') this.#unpack(node)
      this.#out.braces('for (i64 program = first; program < last; program++)', () => this.#block(body))
    })
    this.#out.line('}')
    return this.#out.toString()
  }

  #unpack(node: NodeOfOp<'arg'>): void {
    if (!this.#uses.has(node)) return
    const { index, name, type } = node.attrs
    const variable = this.#names.fresh(name)
    this.#expressions.set(node, primary(variable))
    if (type.kind === 'pointer') this.#out.line(`${elementType(type.dtype)} *${variable} = args[${index}].ptr;`)
    else this.#out.line(`const ${variableType(type)} ${variable} = ${argumentExpression(index, type.dtype).text};`)
  }

  /** Writes a block's statements; `variables` are what its results will be assigned to, `params` what reads them. */
  #block(block: LaneBlock, variables: readonly string[] = [], params: readonly LaneNode[] = []): void {
    const list = this.#order.get(block)!.filter(node => this.#uses.has(node))
    const plan = planBlock(block, list, this.#uses, params)
    for (const node of list) {
      const index = plan.assign.get(node)
      if (index === undefined) this.#node(node, plan.inline.has(node))
      else this.#update(node as ValueNode | ReadNode, variables[index]!)
    }
  }

  /** A carried variable's new value, where nothing needs the old one any more. */
  #update(node: ValueNode | ReadNode, variable: string): void {
    this.#origin(node)
    this.#out.line(`${variable} = ${this.#text(node).text};`)
    this.#expressions.set(node, primary(variable))
  }

  #text(node: ValueNode | ReadNode): Expression {
    const operands = this.#operands(node)
    const isAccess = node.op === 'load' || node.op === 'gather' || node.op === 'atomic'
    return isAccess ? accessExpression(node, operands) : valueExpression(node, operands, this.vectorBytes)
  }

  #node(node: LaneNode, mayInline: boolean): void {
    switch (node.op) {
      case 'item':
        this.#expressions.set(node, primary(this.#results.get(node.inputs[0]!)![node.attrs.index]!))
        return
      case 'alloc':
        this.#alloc(node)
        return
      case 'store':
      case 'scatter':
        this.#origin(node)
        this.#out.line(`${accessStatement(node, this.#operands(node)).text};`)
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
      case 'arg':
      case 'param':
        throw new InternalError(`C: ${node.op} (node ${node.id}) outside its block`)
      default:
        this.#value(node, mayInline)
    }
  }

  #value(node: ValueNode | ReadNode, mayInline: boolean): void {
    const expression = this.#text(node)
    if (alwaysInline(node) || (mayInline && expression.text.length <= longestInline)) {
      this.#expressions.set(node, expression)
      return
    }
    this.#origin(node)
    if (node.op === 'atomic' && this.#uses.get(node) === 0) {
      this.#out.line(`${expression.text};`)
      return
    }
    const name = this.#names.fresh(nameHint(node, this.#operands(node)))
    this.#out.line(`const ${variableType(valueType(node))} ${name} = ${expression.text};`)
    this.#expressions.set(node, primary(name))
  }

  #alloc(node: NodeOfOp<'alloc'>): void {
    const { name, dtype, count } = node.attrs
    const variable = this.#names.fresh(name)
    const type = elementType(dtype)
    const offset = this.#scratch.offsets.get(node)!
    this.#origin(node)
    this.#out.line(
      `${type} *${variable} = (${type} *)(scratch${offset === 0 ? '' : ` + ${offset}`}); // ${count} elements`,
    )
    this.#expressions.set(node, primary(variable))
  }

  #for(node: NodeOfOp<'for'>): void {
    const [from, to, step, ...inits] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
    const [block] = node.blocks as [LaneBlock]
    const [counterParam, ...params] = block.params as [NodeOfOp<'param'>, ...NodeOfOp<'param'>[]]
    this.#origin(node)
    if (node.attrs.comment !== '') this.#out.line(`// ${node.attrs.comment}`)
    const variables = this.#carry(node, params, inits)
    this.#names.within(() => {
      const hint = counterParam.attrs.name
      const counter = hint === '' ? this.#names.counter() : this.#names.fresh(hint)
      this.#expressions.set(counterParam, primary(counter))
      if (node.attrs.unroll && [from, to, step].every(bound => bound.op === 'const')) this.#out.line('UNROLL')
      const head = this.#forHead(counter, from, to, step)
      this.#out.braces(head, () => {
        this.#block(block, variables, params)
        this.#assign(variables, block.results)
      })
    })
    this.#markUsed(node, params, variables)
  }

  #forHead(counter: string, from: LaneNode, to: LaneNode, step: LaneNode): string {
    const [start, end, by] = [from, to, step].map(bound => this.#expression(bound)) as [
      Expression,
      Expression,
      Expression,
    ]
    const i = primary(counter)
    const up = binary('<', i, end).text
    const down = binary('>', i, end).text
    const init = `for (i64 ${counter} = ${start.text}`
    if (step.op !== 'const')
      return `${init}; ${by.text} > 0 ? ${up} : ${by.text} < 0 && ${down}; ${counter} += ${by.text})`
    const value = BigInt(step.attrs.value)
    if (value === 0n) throw new InternalError('C: a for loop with step 0', { at: step.origin.at })
    const advance =
      value === 1n
        ? `${counter}++`
        : value > 0n
          ? `${counter} += ${value}`
          : value === -1n
            ? `${counter}--`
            : `${counter} -= ${-value}`
    return `${init}; ${value > 0n ? up : down}; ${advance})`
  }

  #if(node: NodeOfOp<'if'>): void {
    const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
    this.#origin(node)
    if (node.attrs.comment !== '') this.#out.line(`// ${node.attrs.comment}`)
    const variables = then.results.map(result => {
      const name = this.#names.fresh('chosen')
      this.#out.line(`${variableType(valueType(result))} ${name};`)
      return name
    })
    this.#results.set(node, variables)
    const branch = (block: LaneBlock) => () =>
      this.#names.within(() => {
        this.#block(block)
        this.#assign(variables, block.results)
      })
    this.#out.braces(`if (${conditionOf(this.#expression(node.inputs[0]!)).text})`, branch(then))
    if (otherwise.body.length > 0 || otherwise.results.length > 0) this.#out.braces('else', branch(otherwise))
    this.#markUsed(node, [], variables)
  }

  #while(node: NodeOfOp<'while'>): void {
    const [condition, body] = node.blocks as [LaneBlock, LaneBlock]
    this.#origin(node)
    if (node.attrs.comment !== '') this.#out.line(`// ${node.attrs.comment}`)
    const params = body.params as NodeOfOp<'param'>[]
    const variables = this.#carry(node, params, node.inputs)
    condition.params.forEach((param, i) => {
      this.#expressions.set(param, primary(variables[i]!))
    })
    this.#out.braces('for (;;)', () =>
      this.#names.within(() => {
        this.#block(condition)
        const go = conditionOf(this.#expression(condition.results[0]!))
        this.#out.line(`if (!(${go.text})) break;`)
        this.#block(body, variables, params)
        this.#assign(variables, body.results)
      }),
    )
    this.#markUsed(node, [...params, ...condition.params], variables)
  }

  /** Declares the mutable variables that carry values through a loop, set to their first values. */
  #carry(node: LaneNode, params: readonly NodeOfOp<'param'>[], inits: readonly LaneNode[]): string[] {
    const variables = params.map((param, i) => {
      const first = this.#expression(inits[i]!)
      const name = this.#names.fresh(param.attrs.name === '' ? 'carried' : param.attrs.name)
      this.#out.line(`${variableType(param.attrs.type)} ${name} = ${first.text};`)
      this.#expressions.set(param, primary(name))
      return name
    })
    this.#results.set(node, variables)
    return variables
  }

  /** Assigns all results at once in meaning: in an order in which none is overwritten before another reads it. */
  #assign(variables: readonly string[], results: readonly LaneNode[]): void {
    let pending = variables
      .map((variable, i) => ({
        variable,
        value: this.#expression(results[i]!).text,
        type: variableType(valueType(results[i]!)),
      }))
      .filter(({ variable, value }) => variable !== value)
    const reads = (text: string, variable: string): boolean => new Set<string>(text.match(/\w+/g)).has(variable)
    while (pending.length > 0) {
      const free = pending.find(one => pending.every(other => other === one || !reads(other.value, one.variable)))
      if (free !== undefined) {
        this.#out.line(`${free.variable} = ${free.value};`)
        pending = pending.filter(other => other !== free)
        continue
      }
      // A cycle, such as a swap: one value waits in a variable of its own.
      const [first, ...rest] = pending as [(typeof pending)[number], ...typeof pending]
      const name = this.#names.fresh(`${first.variable}_next`)
      this.#out.line(`const ${first.type} ${name} = ${first.value};`)
      pending = [...rest, { ...first, value: name }]
    }
  }

  /** Compilers warn of variables that are set and never read. `params` hold one or more lists, variable by variable. */
  #markUsed(node: LaneNode, params: readonly LaneNode[], variables: readonly string[]): void {
    const read = new Set(params.filter(param => this.#uses.has(param)).map(param => this.#expression(param).text))
    for (const user of this.#uses.keys()) {
      if (user.op === 'item' && user.inputs[0] === node) read.add(variables[user.attrs.index]!)
    }
    for (const variable of variables) if (!read.has(variable)) this.#out.line(`(void)${variable};`)
  }

  #operands(node: LaneNode): Expression[] {
    return node.inputs.map(input => this.#expression(input))
  }

  #expression(node: LaneNode): Expression {
    const known = this.#expressions.get(node)
    if (known !== undefined) return known
    throw new InternalError(`C: ${node.op} (node ${node.id}) has no text yet`, { at: node.origin.at })
  }

  /** The user's line, where it changes. */
  #origin(node: LaneNode): void {
    const { at } = node.origin
    if (at === null) return
    const line = `${basename(at.file)}:${at.line}`
    if (line !== this.#line) this.#out.line(`// ${line}`)
    this.#line = line
  }
}
