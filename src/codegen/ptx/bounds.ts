/**
 * Loop tests. A loop runs while counter < to (step > 0) or counter > to (step < 0). The test before the counter advances
 * compares with to − step, so that the counter never overflows.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { Code } from './code.js'
import { isImmediate } from './literal.js'
import type { RegisterKind } from './registers.js'
import { inRegister } from './values.js'

export class LoopBounds {
  constructor(
    readonly code: Code,
    /** s32 or s64 */
    readonly type: string,
    readonly kind: RegisterKind,
    readonly to: string,
    readonly step: string,
  ) {}

  /** to − step */
  prepare(): string {
    if (isImmediate(this.to) && isImmediate(this.step)) return String(BigInt(this.to) - BigInt(this.step))
    const last = this.code.temporary(this.kind)
    this.code.op(`sub.${this.type}`, last, this.to, this.step)
    return last
  }

  /** Returns a predicate: the loop has no iterations. */
  isOver(counter: string): string {
    if (isImmediate(this.step)) return this.#compare(BigInt(this.step) > 0n ? 'ge' : 'le', counter, this.to)
    const goesOn = this.#goesOn(counter, this.to)
    const over = this.code.temporary('pred')
    this.code.op('not.pred', over, goesOn)
    return over
  }

  /** Advances the counter; returns a predicate: another iteration follows. */
  advance(counter: string, last: string): string {
    const again = this.#goesOn(counter, last)
    this.code.op(`add.${this.type}`, counter, counter, this.step)
    return again
  }

  #goesOn(counter: string, limit: string): string {
    if (isImmediate(this.step)) return this.#compare(BigInt(this.step) > 0n ? 'lt' : 'gt', counter, limit)
    const [isUp, result] = [this.#compare('gt', this.step, '0'), this.code.temporary('pred')]
    const [below, above] = [this.#compare('lt', counter, limit), this.#compare('gt', counter, limit)]
    const [up, down] = [this.code.temporary('pred'), this.code.temporary('pred')]
    this.code.op('and.pred', up, isUp, below)
    this.code.op('not.pred', result, isUp)
    this.code.op('and.pred', down, result, above)
    this.code.op('or.pred', result, up, down)
    return result
  }

  #compare(test: string, a: string, b: string): string {
    const predicate = this.code.temporary('pred')
    const register = this.kind === 'b64' ? inRegister(this.code, 'i64', a) : inRegister(this.code, 'i32', a)
    this.code.op(`setp.${test}.${this.type}`, predicate, register, b)
    return predicate
  }
}

/** True when constant bounds say that the loop runs at least once. */
export function runsOnce(from: LaneNode, to: LaneNode, step: LaneNode): boolean {
  if (from.op !== 'const' || to.op !== 'const' || step.op !== 'const') return false
  const [start, end, by] = [from, to, step].map(node => BigInt(node.attrs.value)) as [bigint, bigint, bigint]
  return by > 0n ? start < end : start > end
}
