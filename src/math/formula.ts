/**
 * Builder for formulas in lane ops: arithmetic on nodes of one dtype and lane count, in which plain numbers stand for
 * constants. Ops that the target lacks are expanded at once. `Hints` describe what the target offers beyond plain arithmetic;
 * formulas take shortcuts there.
 */
import type { Builder } from '../ir/builder.js'
import { type LaneNode, type LaneOps, valueType } from '../lane/ir.js'
import type { ScalarOpName } from '../scalar/ops.js'
import type { Dtype } from '../types/dtype.js'

export type FormulaOperand = LaneNode | number

/** Expands one op into native ops. Injected, because the expansions use each other. */
export type Expand = (b: Builder<LaneNode>, fn: ScalarOpName, inputs: readonly LaneNode[]) => LaneNode

export interface Hints {
  /** Whether hardware approximations of f32 functions (the lane op `approximate`) may be used, by the results' precision. */
  readonly approximate: 'never' | Results
  /** The target has instructions for x · 2^n with any n, and for x minus its nearest integer (the lane op `builtin`). */
  readonly scale: boolean
  /** f64 arithmetic is available where f32 is not precise enough, and libm for rare arguments (the lane op `builtin`). */
  readonly f64: boolean
}

/** The precision to which values are needed: a formula need not compute what a 16-bit store rounds away. */
export type Results = 'full' | 'f16' | 'bf16'

/** The target that formulas are written for. */
export interface Machine {
  /** Whether the target computes the op itself; other ops are expanded into native ones. */
  isNative(fn: ScalarOpName, dtype: Dtype): boolean
  /** Builds a native op in the target's simplest form. */
  map(b: Builder<LaneNode>, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode
  cast(b: Builder<LaneNode>, to: Dtype, x: LaneNode): LaneNode
  readonly hints: Hints
}

const names = new WeakMap<LaneNode, string>()

/** The name that a formula gave to the node, for variables in generated code. */
export const nameOf = (node: LaneNode): string | undefined => names.get(node)

export class Formula {
  constructor(
    readonly b: Builder<LaneNode>,
    readonly dtype: Dtype,
    readonly lanes: number,
    readonly machine: Machine,
    readonly expand: Expand,
  ) {}

  /** A formula builder for another dtype or lane count. */
  as(dtype: Dtype, lanes = this.lanes): Formula {
    return new Formula(this.b, dtype, lanes, this.machine, this.expand)
  }

  get hints(): Hints {
    return this.machine.hints
  }

  /** Names the node for generated code; returns it. */
  named(name: string, node: LaneNode): LaneNode {
    if (!names.has(node)) names.set(node, name)
    return node
  }

  /** The native op, even if the target has a longer expansion that is faster. */
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

  /** Scalar: whether the condition holds in any lane. */
  any(condition: LaneNode): LaneNode {
    return this.lanes === 1 ? condition : this.b.node('fold', [condition], { fn: 'or' })
  }

  /**
   * Slow path for rare arguments: `usual`, except in lanes where the condition holds, which take the values of `rare`.
   * `rare` runs only if `isAny`: some lane needs it.
   */
  slowPath(
    condition: LaneNode,
    usual: readonly LaneNode[],
    rare: () => readonly LaneNode[],
    isAny = this.any(condition),
  ): LaneNode[] {
    return this.branch(isAny, usual, () => rare().map((value, i) => this.where(condition, value, usual[i]!)))
  }

  /** As `slowPath`, with a branch for each lane of x: long code for all lanes at once would need many registers. */
  slowPathByLane(
    condition: LaneNode,
    usual: readonly LaneNode[],
    x: LaneNode,
    rare: (f: Formula, x: LaneNode) => readonly LaneNode[],
  ): LaneNode[] {
    if (this.lanes === 1) return this.branch(condition, usual, () => rare(this, x))
    const lane = (vector: LaneNode, at: number): LaneNode => this.b.node('extract', [vector], { lane: at })
    const one = this.as(this.dtype, 1)
    return this.branch(this.any(condition), usual, () => {
      const lanes = Array.from({ length: this.lanes }, (_, at) => {
        const own = usual.map(value => lane(value, at))
        return one.branch(lane(condition, at), own, () => rare(one, lane(x, at)))
      })
      return usual.map((_, i) => {
        const values = lanes.map(values => values[i]!)
        return this.b.node('concat', values, {})
      })
    })
  }

  /** The values of `then` if the scalar condition holds, else `otherwise`. */
  private branch(condition: LaneNode, otherwise: readonly LaneNode[], then: () => readonly LaneNode[]): LaneNode[] {
    const blocks = [this.b.block([], then), this.b.block([], () => otherwise)]
    const node = this.b.node('if', [condition], { comment: '' }, blocks)
    return otherwise.map((_, index) => this.b.node('item', [node], { index }))
  }

  /** Repeats `body` while `condition` holds in any lane; lanes in which it does not hold keep their values. */
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

/** A float from C's hexadecimal notation, such as 0x1.62e43p-1, in which coefficients are written exactly. */
export function hex(text: string): number {
  const match = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([-+]\d+)$/.exec(text)
  if (match === null) throw new SyntaxError(`'${text}' is not a hexadecimal float`)
  const [, sign, whole, fraction = '', exponent] = match
  const digits = Number.parseInt(`${whole}${fraction}`, 16)
  return (sign === '-' ? -1 : 1) * digits * 2 ** (Number(exponent) - 4 * fraction.length)
}
export const hexes = (...texts: readonly string[]): number[] => texts.map(hex)
