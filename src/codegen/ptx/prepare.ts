/**
 * Rebuilds a lane program for emission, in placement order: ops that PTX lacks are expanded into formulas (math/), loops
 * marked `unroll` are unrolled, constants are folded, and index sums are reassociated with their constant outermost, so
 * that addresses share registers.
 */
import { Builder } from '../../ir/builder.js'
import { placement } from '../../ir/walk.js'
import { isLoop, type LaneBlock, type LaneNode, type LaneProgram, laneDialect, valueType } from '../../lane/ir.js'
import type { Expand, Results } from '../../math/formula.js'
import { expander } from '../../math/functions.js'
import { isLanewise, lanewiseResults } from './lanewise.js'
import { ptxMachine } from './machine.js'
import type { NodeOfOp } from './memory.js'
import { packedMap } from './packed.js'
import { resultsOf } from './results.js'
import { simplified } from './simplify.js'

export function prepare(program: LaneProgram): LaneProgram {
  return { ...program, body: new Preparation(program).run() }
}

class Preparation {
  readonly #builder = new Builder<LaneNode>(laneDialect)
  readonly #order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  /** Old nodes to new ones. Each iteration of an unrolled body maps its nodes anew. */
  readonly #renamed = new Map<LaneNode, LaneNode>()
  readonly #needed: (node: LaneNode) => Results
  readonly #expanders = new Map<Results, Expand>()
  /** What is computed lane by lane (lanewise.ts), and the lanes of it and of what it is made of, by old nodes. */
  readonly #lanewise: ReadonlySet<LaneNode>
  readonly #lanes = new Map<LaneNode, LaneNode[]>()
  /** The items of removed control flow. */
  readonly #items = new Map<LaneNode, readonly LaneNode[]>()

  constructor(readonly program: LaneProgram) {
    this.#order = placement(laneDialect, program.body, isLoop)
    this.#needed = resultsOf(program)
    this.#lanewise = lanewiseResults(program)
  }

  run(): LaneBlock {
    const { body } = this.program
    const params = body.params.map(param => this.#param(param))
    const results = this.#statements(body)
    return this.#builder.finish(results, params)
  }

  #param(param: LaneNode): LaneNode {
    const made = this.#builder.withOrigin(param.origin, () => this.#builder.node(param.op, [], param.attrs as never))
    this.#renamed.set(param, made)
    return made
  }

  #statements(block: LaneBlock): LaneNode[] {
    for (const node of this.#order.get(block)!) {
      const made = this.#builder.withOrigin(node.origin, () => this.#rebuilt(node))
      if (made !== null) this.#renamed.set(node, made)
    }
    return block.results.map(result => this.#new(result))
  }

  #block(block: LaneBlock): LaneBlock {
    const params = block.params.map(param => this.#param(param))
    return this.#builder.block(params, () => this.#statements(block))
  }

  #new(node: LaneNode): LaneNode {
    return this.#renamed.get(node)!
  }

  /** A node of the prepared program; null for control flow that was unrolled or decided. */
  #rebuilt(node: LaneNode): LaneNode | null {
    if (node.op === 'item') {
      const items = this.#items.get(node.inputs[0]!)
      if (items !== undefined) return items[node.attrs.index]!
    }
    if (this.#lanewise.has(node)) {
      const lanes = Array.from({ length: valueType(node).lanes }, (_, lane) => this.#lane(node, lane))
      return this.#builder.node('concat', lanes, {})
    }
    const inputs = node.inputs.map(input => this.#new(input))
    if (node.op === 'for') {
      const counts = counterValues(node, inputs)
      if (counts !== null) {
        this.#unroll(node, inputs.slice(3), counts)
        return null
      }
    }
    if (node.op === 'if' && inputs[0]!.op === 'const') {
      this.#items.set(node, this.#statements(node.blocks[Number(inputs[0]!.attrs.value) !== 0 ? 0 : 1]!))
      return null
    }
    // An earlier iteration of an unrolled loop may have removed this control flow.
    this.#items.delete(node)
    const blocks = node.blocks.map(block => this.#block(block))
    return this.#made(node, inputs) ?? this.#builder.copy(node, inputs, blocks)
  }

  /** An op on new inputs in another form; null: as it was. */
  #made(node: LaneNode, inputs: readonly LaneNode[]): LaneNode | null {
    if (node.op !== 'map') return simplified(this.#builder, node, inputs)
    const { fn } = node.attrs
    return packedMap(this.#builder, fn, inputs) ?? this.#expanderFor(this.#needed(node))(this.#builder, fn, inputs)
  }

  /** A lane of the value of an old node; of ops that compute or move lanes from the lanes of their inputs. */
  #lane(node: LaneNode, lane: number): LaneNode {
    const known = this.#lanes.get(node) ?? []
    this.#lanes.set(node, known)
    known[lane] ??= this.#builder.withOrigin(node.origin, () => this.#makeLane(node, lane))
    return known[lane]
  }

  #makeLane(node: LaneNode, lane: number): LaneNode {
    if (isLanewise(node)) {
      const inputs = node.inputs.map(input => this.#lane(input, lane))
      return this.#made(node, inputs) ?? this.#builder.node(node.op, inputs, node.attrs as never)
    }
    const [first] = node.inputs
    switch (node.op) {
      case 'const':
        return this.#builder.node('const', [], { ...node.attrs, lanes: 1 })
      case 'splat':
        return this.#new(first!)
      case 'slice':
        return this.#lane(first!, node.attrs.from + lane)
      case 'extract':
        return this.#lane(first!, node.attrs.lane)
      case 'concat':
        return this.#laneAmong(node.inputs, lane)
      default: {
        const made = this.#new(node)
        return valueType(made).lanes === 1 ? made : this.#builder.node('extract', [made], { lane })
      }
    }
  }

  #laneAmong([first, ...rest]: readonly LaneNode[], lane: number): LaneNode {
    const { lanes } = valueType(first!)
    return lane < lanes ? this.#lane(first!, lane) : this.#laneAmong(rest, lane - lanes)
  }

  #expanderFor(results: Results): Expand {
    const known = this.#expanders.get(results) ?? expander(ptxMachine(results))
    this.#expanders.set(results, known)
    return known
  }

  /** Repeats a loop's body for each value of the counter. */
  #unroll(node: NodeOfOp<'for'>, inits: readonly LaneNode[], counts: readonly bigint[]): void {
    const [block] = node.blocks as [LaneBlock]
    const [counter, ...params] = block.params as [LaneNode, ...LaneNode[]]
    const { dtype } = valueType(counter)
    let carried = inits
    for (const count of counts) {
      const value = dtype === 'i64' ? count : Number(count)
      this.#lanes.clear()
      this.#renamed.set(counter, this.#builder.node('const', [], { dtype, value, lanes: 1 }))
      for (const [i, param] of params.entries()) this.#renamed.set(param, carried[i]!)
      carried = this.#statements(block)
    }
    this.#items.set(node, carried)
  }
}

/** The counter values of a loop to be unrolled; null for other loops. */
function counterValues(node: NodeOfOp<'for'>, inputs: readonly LaneNode[]): bigint[] | null {
  if (!node.attrs.unroll) return null
  const bounds = inputs.slice(0, 3)
  const [from, to, step] = bounds.flatMap(bound => (bound.op === 'const' ? [BigInt(bound.attrs.value)] : []))
  if (from === undefined || to === undefined || step === undefined || step === 0n) return null
  const counts: bigint[] = []
  for (let counter = from; step > 0n ? counter < to : counter > to; counter += step) counts.push(counter)
  return counts
}
