/**
 * Emits one lane program as one C function. Statements follow the IR's placement. The text of each op comes from the tables in
 * ops.ts and memory.ts; this file handles blocks, loops, carried values, names and comments.
 */
import { basename } from 'node:path'
import { InternalError } from '../../base/errors.js'
import { nodesOf, placement } from '../../ir/walk.js'
import {
  isGpuOnly,
  isLoop,
  type LaneBlock,
  type LaneNode,
  type LaneProgram,
  laneDialect,
  pointerType,
  valueType,
} from '../../lane/ir.js'
import { isUnchanged, type Liveness, liveness } from '../../lane/live.js'
import { alwaysInline, planBlock } from './inline.js'
import { Names } from './names.js'
import {
  accessExpression,
  accessStatement,
  argumentExpression,
  elementType,
  isHalf,
  isStreamed,
  nameHint,
  prefetchStatement,
  programs,
  type ReadNode,
  type ValueNode,
  valueExpression,
  variableType,
} from './ops.js'
import { type ScratchLayout, scratchLayout } from './scratch.js'
import { binary, condition as conditionOf, type Expression, primary, Writer } from './text.js'
import { wordDotStatement } from './word-dots.js'

/** Longer expressions are split into named parts. */
const longestInline = 56

/** Streamed stores are not ordered with others. */
const fence: readonly string[] = ['#if GCC_AVX512', '  __builtin_ia32_sfence();', '#endif']

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>
type Param = NodeOfOp<'param'>

/** A variable that takes a block's result at the block's end; `param`: the node that reads it inside, if any. */
interface Slot {
  readonly variable: string
  readonly param: LaneNode | null
  readonly result: LaneNode
}

/** The function's text. */
export function kernelText(program: LaneProgram, symbol: string, vectorBytes: number): string {
  return new KernelEmitter(program, vectorBytes).text(symbol)
}

/**
 * The statements of a function whose parameters are the block's params, by name, and which returns the block's only result.
 * The program has no arguments.
 */
export function functionBody(program: LaneProgram, vectorBytes: number): string {
  return new KernelEmitter(program, vectorBytes).functionBody().trimEnd()
}

class KernelEmitter {
  readonly #names = new Names()
  /** The text of each node: its variable, or an expression to inline. */
  readonly #expressions = new Map<LaneNode, Expression>()
  /** The variables of control flow's live results, for `item`. */
  readonly #results = new Map<LaneNode, ReadonlyMap<number, Expression>>()
  readonly #live: Liveness
  readonly #order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  readonly #scratch: ScratchLayout
  /** Loads of f16 or bf16 of which the codes are used: in variables of their own they would be converted twice. */
  readonly #recoded: ReadonlySet<LaneNode>
  #out = new Writer()
  #line = ''

  constructor(
    readonly program: LaneProgram,
    readonly vectorBytes: number,
  ) {
    this.#live = liveness(program.body)
    this.#order = placement(laneDialect, program.body, isLoop)
    this.#scratch = scratchLayout(program)
    const recoded = [...nodesOf(program.body)].flatMap(node => (node.op === 'bitcast' ? node.inputs : []))
    this.#recoded = new Set(recoded.filter(node => node.op === 'load' && isHalf(valueType(node).dtype)))
  }

  /** The C function `symbol`, which runs the programs first … last − 1 of the grid. */
  text(symbol: string): string {
    const { comment, body } = this.program
    for (const line of comment) this.#out.line(`// ${line}`)
    this.#out.line(
      `void ${symbol}(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {`,
    )
    const streams = [...nodesOf(body)].some(isStreamed)
    this.#out.indented(() => {
      if (streams) this.#out.line(`const i64 ${this.#names.fresh(programs)} = grid[0] * grid[1] * grid[2];`)
      for (const node of body.params) if (node.op === 'arg') this.#unpack(node)
      this.#out.braces('for (i64 program = first; program < last; program++)', () => this.#block(body))
    })
    if (streams) for (const line of fence) this.#out.line(line)
    this.#out.line('}')
    return this.#out.toString()
  }

  functionBody(): string {
    const { params, results } = this.program.body
    for (const param of params)
      if (param.op === 'param') this.#expressions.set(param, primary(this.#names.fresh(param.attrs.name)))
    this.#block(this.program.body, [], results)
    this.#out.line(`return ${results.map(result => this.#expression(result).text).join()};`)
    return this.#out.toString()
  }

  #unpack(node: NodeOfOp<'arg'>): void {
    if (!this.#live.uses.has(node)) return
    const { index, name, type } = node.attrs
    const variable = this.#names.fresh(name)
    this.#expressions.set(node, primary(variable))
    if (type.kind === 'opaque') throw new InternalError(`${this.program.name}: '${name}' is an argument for GPUs only`)
    if (type.kind === 'pointer') this.#out.line(`${elementType(type.dtype)} *${variable} = args[${index}].ptr;`)
    else this.#out.line(`const ${variableType(type)} ${variable} = ${argumentExpression(index, type.dtype).text};`)
  }

  /** Writes a block; at its end, `slots` are assigned their results. */
  #block(
    block: LaneBlock,
    slots: readonly Slot[] = [],
    results: readonly LaneNode[] = slots.map(slot => slot.result),
  ): void {
    const list = this.#order.get(block)!.filter(node => this.#live.uses.has(node))
    const params = slots.flatMap(slot => (slot.param === null ? [] : [slot.param]))
    const plan = planBlock(list, results, this.#live, params)
    for (const node of list) {
      const index = plan.assign.get(node)
      if (index === undefined) this.#node(node, plan.inline.has(node))
      else this.#update(node as ValueNode | ReadNode, slots[index]!.variable)
    }
    this.#assign(slots)
  }

  /** Assigns a carried variable its new value, at a point after which the old value is not read. */
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

  /** Writes one node. `mayInline`: its text may be inlined into its only user. */
  #node(node: LaneNode, mayInline: boolean): void {
    if (isGpuOnly(node)) throw new InternalError(`C: ${node.op} (node ${node.id}) is for GPUs only`)
    switch (node.op) {
      case 'item':
        this.#expressions.set(node, this.#results.get(node.inputs[0]!)!.get(node.attrs.index)!)
        return
      case 'alloc':
        this.#alloc(node)
        return
      case 'pick':
        this.#pick(node)
        return
      case 'store':
      case 'scatter':
        this.#origin(node)
        this.#out.line(`${accessStatement(node, this.#operands(node)).text};`)
        return
      case 'prefetch':
        this.#out.line(`${prefetchStatement(this.#operands(node)).text};`)
        return
      case 'wordDot':
        this.#origin(node)
        this.#out.line(`${wordDotStatement(node.attrs, this.#operands(node)).text};`)
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

  /** Writes a value as a variable, or keeps its expression for inlining. */
  #value(node: ValueNode | ReadNode, mayInline: boolean): void {
    const expression = this.#text(node)
    if (alwaysInline(node) || (mayInline && (expression.text.length <= longestInline || this.#recoded.has(node)))) {
      this.#expressions.set(node, expression)
      return
    }
    this.#origin(node)
    if (node.op === 'atomic' && this.#live.uses.get(node) === 0) {
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
      `${type} *${variable} = (${type} *)${offset === 0 ? 'scratch' : `(scratch + ${offset})`}; // ${count} elements`,
    )
    this.#expressions.set(node, primary(variable))
  }

  #pick(node: NodeOfOp<'pick'>): void {
    const [which, ...options] = node.inputs.map(input => this.#expression(input).text) as [string, ...string[]]
    const variable = this.#names.fresh('picked')
    const chosen = options.reduceRight((rest, option, i) => `${which} == ${i} ? ${option} : ${rest}`)
    this.#out.line(`${elementType(pointerType(node).dtype)} *${variable} = ${chosen};`)
    this.#expressions.set(node, primary(variable))
  }

  /** Writes a for loop; carried values are variables that the body assigns. */
  #for(node: NodeOfOp<'for'>): void {
    const [from, to, step, ...inits] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
    const [block] = node.blocks as [LaneBlock]
    const [counterParam, ...params] = block.params as [Param, ...Param[]]
    this.#control(node)
    const slots = this.#carry(node, inits, [params], block.results)
    this.#names.within(() => {
      const hint = counterParam.attrs.name
      const counter = hint === '' ? this.#names.counter() : this.#names.fresh(hint)
      this.#expressions.set(counterParam, primary(counter))
      if (node.attrs.unroll && [from, to, step].every(bound => bound.op === 'const')) this.#out.line('UNROLL')
      this.#out.braces(this.#forHead(counter, from, to, step), () => this.#block(block, slots))
    })
  }

  /** The head of a for loop; a step that is not constant may have either sign. */
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

  /** Writes a branch; its results are variables that both blocks assign. */
  #if(node: NodeOfOp<'if'>): void {
    const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
    this.#control(node)
    const variables = new Map<number, Expression>()
    then.results.forEach((result, index) => {
      if (!this.#live.carries(node, index)) return
      const name = this.#names.fresh('chosen')
      this.#out.line(`${variableType(valueType(result))} ${name};`)
      variables.set(index, primary(name))
    })
    this.#results.set(node, variables)
    const branch = (block: LaneBlock) => () =>
      this.#names.within(() => {
        this.#block(
          block,
          [...variables].map(([index, { text }]) => ({ variable: text, param: null, result: block.results[index]! })),
        )
      })
    this.#out.braces(`if (${conditionOf(this.#expression(node.inputs[0]!)).text})`, branch(then))
    if (otherwise.body.length > 0 || variables.size > 0) this.#out.braces('else', branch(otherwise))
  }

  /** Writes a while loop, as an endless loop with a break. */
  #while(node: NodeOfOp<'while'>): void {
    const [condition, body] = node.blocks as [LaneBlock, LaneBlock]
    this.#control(node)
    const slots = this.#carry(node, node.inputs, [body.params as Param[], condition.params as Param[]], body.results)
    this.#out.braces('for (;;)', () =>
      this.#names.within(() => {
        this.#block(condition)
        const go = conditionOf(this.#expression(condition.results[0]!))
        this.#out.line(`if (!(${go.text})) break;`)
        this.#block(body, slots)
      }),
    )
  }

  /** The source line and the comment above a control-flow statement. */
  #control(node: NodeOfOp<'for' | 'if' | 'while'>): void {
    this.#origin(node)
    if (node.attrs.comment !== '') this.#out.line(`// ${node.attrs.comment}`)
  }

  /**
   * Declares the variables of a loop's live carried values with their initial values; `params` are the lists of nodes that
   * stand for them in the loop's blocks. Returns the slots that change.
   */
  #carry(
    node: LaneNode,
    inits: readonly LaneNode[],
    params: readonly (readonly Param[])[],
    results: readonly LaneNode[],
  ): Slot[] {
    const slots: Slot[] = []
    const held = new Map<number, Expression>()
    inits.forEach((init, index) => {
      if (!this.#live.carries(node, index)) return
      const param = params[0]![index]!
      const variable = this.#names.fresh(param.attrs.name === '' ? 'carried' : param.attrs.name)
      const unchanged = isUnchanged(node, index)
      this.#out.line(
        `${unchanged ? 'const ' : ''}${variableType(param.attrs.type)} ${variable} = ${this.#expression(init).text};`,
      )
      held.set(index, primary(variable))
      for (const list of params) this.#expressions.set(list[index]!, primary(variable))
      if (!unchanged) slots.push({ variable, param, result: results[index]! })
    })
    this.#results.set(node, held)
    return slots
  }

  /** Assigns all results as a parallel move: ordered so that no variable is overwritten before another assignment reads it. */
  #assign(slots: readonly Slot[]): void {
    let pending = slots
      .map(({ variable, result }) => ({
        variable,
        value: this.#expression(result).text,
        type: variableType(valueType(result)),
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
      // A cycle, such as a swap: one value is saved in a temporary.
      const [first, ...rest] = pending as [(typeof pending)[number], ...typeof pending]
      const name = this.#names.fresh(`${first.variable}_next`)
      this.#out.line(`const ${first.type} ${name} = ${first.value};`)
      pending = [...rest, { ...first, value: name }]
    }
  }

  #operands(node: LaneNode): Expression[] {
    return node.inputs.map(input => this.#expression(input))
  }

  #expression(node: LaneNode): Expression {
    const known = this.#expressions.get(node)
    if (known !== undefined) return known
    throw new InternalError(`C: ${node.op} (node ${node.id}) has no text yet`, { at: node.origin.at })
  }

  /** Writes the user's source line as a comment where it changes. */
  #origin(node: LaneNode): void {
    const { at } = node.origin
    if (at === null) return
    const line = `${basename(at.file)}:${at.line}`
    if (line !== this.#line) this.#out.line(`// ${line}`)
    this.#line = line
  }
}
