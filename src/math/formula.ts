/**
 * Writes formulas in lane ops: arithmetic on nodes of one dtype and length, where plain numbers stand for constants. Ops
 * that the target lacks are expanded on the spot. What a target has beyond plain arithmetic its hints say, and formulas
 * take shorter ways there.
 */
import type { Builder } from '../ir/builder.js'
import { type LaneNode, type LaneOps, valueType } from '../lane/ir.js'
import type { ScalarOpName } from '../scalar/ops.js'
import type { Dtype } from '../types/dtype.js'

export type FormulaOperand = LaneNode | number

/** Expands one op; injected, for the expansions use each other. */
export type Expand = (b: Builder<LaneNode>, fn: ScalarOpName, inputs: readonly LaneNode[]) => LaneNode

export interface Hints {
  /** f32 approximations in hardware (the lane op `approximate`) serve, as far as results of this precision allow. */
  readonly approximate: 'never' | Results
  /** An instruction multiplies f32 by any power of two, others split off the rest of an integer (the lane op `builtin`). */
  readonly scale: boolean
  /** f64 arithmetic is at hand where f32 falls short, and a library for rare arguments (the lane op `builtin`). */
  readonly wide: boolean
}

/** How a kernel's results are stored, where that is all the same: what 16 bits round away need not be computed. */
export type Results = 'full' | 'f16' | 'bf16'

/** What formulas are written for. */
export interface Machine {
  /** Whether the target computes the op itself; the other ops are expanded into these. */
  isNative(fn: ScalarOpName, dtype: Dtype): boolean
  /** The node of a native op, in the target's simplest form. */
  map(b: Builder<LaneNode>, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode
  cast(b: Builder<LaneNode>, to: Dtype, x: LaneNode): LaneNode
  readonly hints: Hints
}

const names = new WeakMap<LaneNode, string>()

/** What a formula calls the node, if anything. */
export const nameOf = (node: LaneNode): string | undefined => names.get(node)

export class Formula {
  constructor(
    readonly b: Builder<LaneNode>,
    readonly dtype: Dtype,
    readonly lanes: number,
    readonly machine: Machine,
    readonly expand: Expand,
  ) {}

  /** The formula's like on another dtype or length. */
  as(dtype: Dtype, lanes = this.lanes): Formula {
    return new Formula(this.b, dtype, lanes, this.machine, this.expand)
  }

  get hints(): Hints {
    return this.machine.hints
  }

  /** The node, which text may call by that name. */
  named(name: string, node: LaneNode): LaneNode {
    if (!names.has(node)) names.set(node, name)
    return node
  }

  /** A native op, though the target may have a longer way that is faster. */
  native(fn: ScalarOpName, ...operands: readonly FormulaOperand[]): LaneNode {
    return this.machine.map(
      this.b,
      fn,
      operands.map(operand => this.node(operand)),
    )
  }

  const(value: number | bigint): LaneNode {
    const { dtype, lanes } = this
    return this.b.node('const', [], { dtype, value: dtype === 'i64' ? BigInt(value) : value, lanes })
  }

  node(operand: FormulaOperand | bigint): LaneNode {
    return typeof operand === 'object' ? operand : this.const(operand)
  }

  map(fn: ScalarOpName, ...operands: readonly (FormulaOperand | bigint)[]): LaneNode {
    return this.expand(
      this.b,
      fn,
      operands.map(operand => this.node(operand)),
    )
  }

  add = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('add', a, b)
  /** a + c; a where c is 0. */
  plus = (a: LaneNode, c: number): LaneNode => (c === 0 ? a : this.add(a, c))
  sub = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('sub', a, b)
  mul = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('mul', a, b)
  div = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('div', a, b)
  /** a · b + c */
  fma = (a: FormulaOperand, b: FormulaOperand, c: FormulaOperand): LaneNode => this.map('fma', a, b, c)
  neg = (a: FormulaOperand): LaneNode => this.map('neg', a)
  abs = (a: FormulaOperand): LaneNode => this.map('abs', a)
  sqrt = (a: FormulaOperand): LaneNode => this.map('sqrt', a)
  min = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('min', a, b)
  max = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('max', a, b)
  copysign = (magnitude: FormulaOperand, sign: FormulaOperand): LaneNode => this.map('copysign', magnitude, sign)
  lt = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('lt', a, b)
  le = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('le', a, b)
  gt = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('gt', a, b)
  ge = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('ge', a, b)
  eq = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('eq', a, b)
  ne = (a: FormulaOperand, b: FormulaOperand): LaneNode => this.map('ne', a, b)

  where(condition: LaneNode, a: FormulaOperand, b: FormulaOperand): LaneNode {
    return this.machine.map(this.b, 'where', [condition, this.node(a), this.node(b)])
  }
  and = (...conditions: readonly LaneNode[]): LaneNode =>
    conditions.reduce((a, b) => this.machine.map(this.b, 'and', [a, b]))
  or = (...conditions: readonly LaneNode[]): LaneNode =>
    conditions.reduce((a, b) => this.machine.map(this.b, 'or', [a, b]))
  not = (condition: LaneNode): LaneNode => this.machine.map(this.b, 'not', [condition])

  /** The first coefficient + x · (the second + x · (…)). */
  polynomial(x: LaneNode, coefficients: readonly number[]): LaneNode {
    const [last, ...rest] = coefficients.toReversed()
    return rest.reduce<LaneNode>((sum, c) => this.named('p', this.fma(sum, x, c)), this.const(last!))
  }

  approximate(fn: LaneOps['approximate']['fn'], x: LaneNode): LaneNode {
    return this.b.node('approximate', [x], { fn })
  }

  builtin(fn: LaneOps['builtin']['fn'], ...operands: readonly LaneNode[]): LaneNode {
    return this.b.node('builtin', operands, { fn })
  }

  cast(to: Dtype, x: LaneNode): LaneNode {
    return this.machine.cast(this.b, to, x)
  }

  bitcast(to: Dtype, x: LaneNode): LaneNode {
    return this.b.node('bitcast', [x], { to })
  }

  /** Whether the condition holds for any lane, as a scalar. */
  any(condition: LaneNode): LaneNode {
    return this.lanes === 1 ? condition : this.b.node('fold', [condition], { fn: 'or' })
  }

  /**
   * Where the condition holds for any lane (`isAny`), `rare` gives the values, for all lanes; else they are the given
   * ones.
   */
  rarely(
    condition: LaneNode,
    usual: readonly LaneNode[],
    rare: () => readonly LaneNode[],
    isAny = this.any(condition),
  ): LaneNode[] {
    const then = this.b.block([], () => rare().map((value, i) => this.where(condition, value, usual[i]!)))
    const otherwise = this.b.block([], () => usual)
    const node = this.b.node('if', [isAny], { comment: '' }, [then, otherwise])
    return usual.map((_, index) => this.b.node('item', [node], { index }))
  }

  /** Repeats `body` while `condition` holds for any lane; lanes for which it does not keep their values. */
  while(
    inits: readonly LaneNode[],
    condition: (values: readonly LaneNode[]) => LaneNode,
    body: (values: readonly LaneNode[]) => readonly LaneNode[],
  ): LaneNode[] {
    const params = (): LaneNode[] => inits.map(init => this.b.node('param', [], { type: valueType(init), name: '' }))
    const [before, inside] = [params(), params()]
    const test = this.b.block(before, () => [this.any(condition(before))])
    const block = this.b.block(inside, () => {
      const active = condition(inside)
      return body(inside).map((value, i) => this.where(active, value, inside[i]!))
    })
    const node = this.b.node('while', inits, { comment: '' }, [test, block])
    return inits.map((_, index) => this.b.node('item', [node], { index }))
  }
}

/** A float from C's hexadecimal notation, such as 0x1.62e43p-1: how coefficients are written exactly. */
export function hex(text: string): number {
  const match = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([-+]\d+)$/.exec(text)
  if (match === null) throw new SyntaxError(`'${text}' is no hexadecimal float`)
  const [, sign, whole, fraction = '', exponent] = match
  const digits = Number.parseInt(`${whole}${fraction}`, 16)
  return (sign === '-' ? -1 : 1) * digits * 2 ** (Number(exponent) - 4 * fraction.length)
}
export const hexes = (...texts: readonly string[]): number[] => texts.map(hex)
