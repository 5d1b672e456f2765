/** Finds values that are provably uniform over a block: branches on them do not diverge. */
import { type LaneNode, laneDialect } from '../../lane/ir.js'

export class Uniformity {
  readonly #known = new Map<LaneNode, boolean>()

  /** True when all threads run a `for` with the same trip count; its counter is then uniform. */
  loop(node: Extract<LaneNode, { op: 'for' }>): boolean {
    const uniform = node.inputs.slice(0, 3).every(bound => this.of(bound))
    this.#known.set(node.blocks[0]!.params[0]!, uniform)
    return uniform
  }

  /** True when all threads of a block have the same value. */
  of(node: LaneNode): boolean {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    // Inputs first; iterative, because graphs are deep.
    const stack = [node]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const missing = isPure(top) ? top.inputs.filter(input => !this.#known.has(input)) : []
      if (missing.length > 0) {
        stack.push(...missing)
        continue
      }
      stack.pop()
      this.#known.set(top, this.#follows(top))
    }
    return this.#known.get(node)!
  }

  #follows(node: LaneNode): boolean {
    if (node.op === 'arg' || node.op === 'programId' || node.op === 'numPrograms') return true
    if (node.op === 'threadId' || node.op === 'item' || !isPure(node)) return false
    return node.inputs.every(input => this.#known.get(input)!)
  }
}

const isPure = (node: LaneNode): boolean => laneDialect.ops[node.op].effect === 'pure' && node.op !== 'item'
