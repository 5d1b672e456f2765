/** The state of emission of one program: its lane arguments, scratch pointers and the scalars computed so far. */
import { InternalError, unreachable } from '../../base/errors.js'
import type { LaneNode } from '../../lane/ir.js'
import type { CpuTarget } from '../../target/cpu.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { Arguments } from '../shared/arguments.js'
import type { IndexForm } from '../shared/index-analysis.js'
import type { Scope } from '../shared/structure.js'
import { isElementwise } from './axes.js'
import type { Step } from './nests.js'
import { type Buffer, type LoweringPlan, memoryOf } from './plan.js'
import type { AxisRange, Term } from './ranges.js'
import { ValueBounds } from './value-bounds.js'

export class State extends Arguments {
  readonly valueBounds = new ValueBounds()
  readonly #scalars = new Map<TileNode, LaneNode>()
  readonly #tuples = new Map<TileNode, readonly (LaneNode | null)[]>()
  readonly #memory = new Map<Buffer, LaneNode>()

  constructor(
    readonly plan: LoweringPlan,
    readonly steps: ReadonlyMap<Scope, readonly Step[]>,
    readonly target: CpuTarget,
  ) {
    super(plan.structure.program.params)
  }

  /** Reserves the scratch of every buffer that the plan's roots use; called once, at the start of the program. */
  reserve(buffers: Iterable<Buffer>): void {
    for (const buffer of buffers) {
      const memory = memoryOf(this.plan.aliases, buffer)
      if (this.#memory.has(memory)) continue
      this.#memory.set(memory, this.lanes.alloc(memory.dtype, memory.count, memory.name))
    }
  }

  bufferPointer(buffer: Buffer): LaneNode {
    const known = this.#memory.get(memoryOf(this.plan.aliases, buffer))
    if (known === undefined) throw new InternalError(`lower: no scratch was reserved for '${buffer.name}'`)
    return known
  }

  setScalar(node: TileNode, lane: LaneNode): void {
    this.#scalars.set(node, lane)
  }

  setTuple(node: TileNode, items: readonly (LaneNode | null)[]): void {
    this.#tuples.set(node, items)
  }

  /** The register of a one-element tile. Iterative, because long chains would overflow the call stack. */
  scalar(node: TileNode): LaneNode {
    const stack = [node]
    for (;;) {
      const top = stack.at(-1)!
      const known = this.#scalars.get(top)
      if (known !== undefined) {
        stack.pop()
        if (stack.length === 0) return known
        continue
      }
      const missing = isElementwise(top) ? top.inputs.filter(input => !this.#scalars.has(input)) : []
      if (missing.length > 0) stack.push(...missing)
      else
        this.#scalars.set(
          top,
          this.at(top, () => this.#makeScalar(top)),
        )
    }
  }

  /** Computes a single value (a scalar, or a tile of one element). */
  #makeScalar(node: TileNode): LaneNode {
    const { lanes } = this
    const input = (i: number): LaneNode => this.scalar(node.inputs[i]!)
    switch (node.op) {
      case 'const':
        return lanes.constant(node.attrs.dtype, node.attrs.value)
      case 'scalar':
        return this.scalarArgument(node.attrs.index)
      case 'size':
        return this.viewSize(node.inputs[0]!, node.attrs.dim)
      case 'stride':
        return this.viewStride(node.inputs[0]!, node.attrs.dim)
      case 'programId':
        return lanes.builder.node('programId', [], node.attrs)
      case 'numPrograms':
        return lanes.builder.node('numPrograms', [], node.attrs)
      case 'iota':
        return lanes.constant(node.attrs.dtype, 0)
      case 'map':
        return lanes.map(node.attrs.fn, ...node.inputs.map(each => this.scalar(each)))
      case 'cast':
        return lanes.cast(input(0), node.attrs.to)
      case 'bitcast':
        return lanes.bitcast(input(0), node.attrs.to)
      case 'broadcast':
      case 'reshape':
      case 'transpose':
      case 'scan':
        return input(0)
      case 'item':
        return this.#item(node)
      case 'param':
      case 'load':
      case 'gather':
      case 'reduce':
      case 'histogram':
      case 'binOrder':
      case 'take':
      case 'dot':
      case 'atomic':
        throw new InternalError(`lower: ${node.op} (node ${node.id}) is used before it is computed`)
      case 'view':
      case 'store':
      case 'scatter':
      case 'range':
      case 'if':
      case 'while':
        throw new InternalError(`lower: ${node.op} (node ${node.id}) is not a scalar`)
      default:
        return unreachable(node, 'scalar')
    }
  }

  #item(node: Extract<TileNode, { op: 'item' }>): LaneNode {
    const lane = this.#tuples.get(node.inputs[0]!)?.[node.attrs.index]
    if (lane === undefined || lane === null)
      throw new InternalError(`lower: ${tileType(node).dtype} item ${node.attrs.index} is not in a register`)
    return lane
  }

  /** The value of a linear form. */
  form(form: IndexForm): LaneNode {
    const { lanes } = this
    let sum: LaneNode | null = null
    for (const [atom, coefficient] of form.terms) {
      const lane = atom.kind === 'size' ? this.viewSize(atom.view, atom.dim) : this.scalar(atom.node)
      if (sum === null) sum = lanes.mul(lane, lanes.index(coefficient))
      else if (coefficient === -1) sum = lanes.sub(sum, lane)
      else sum = lanes.add(sum, lanes.mul(lane, lanes.index(coefficient)))
    }
    const constant = lanes.index(form.offset)
    return sum === null ? constant : lanes.add(sum, constant)
  }

  #term(term: Term): LaneNode {
    const raw = this.form(term.affine)
    return term.align === 1 ? raw : this.roundUp(raw, term.align)
  }

  /** The value rounded up to a multiple of `step`. */
  roundUp(lane: LaneNode, step: number): LaneNode {
    const { lanes } = this
    const raised = lanes.add(lane, lanes.index(step - 1))
    return this.roundDown(raised, step)
  }

  roundDown(lane: LaneNode, step: number): LaneNode {
    const { lanes } = this
    if (step === 1) return lane
    if (Number.isInteger(Math.log2(step))) return lanes.and(lane, lanes.index(-step))
    return lanes.mul(lanes.map('floorDiv', lane, lanes.index(step)), lanes.index(step))
  }

  rangeStart(range: AxisRange): LaneNode {
    return range.lo.reduce((start, form) => this.lanes.max(start, this.form(form)), this.lanes.index(0))
  }

  rangeEnd(range: AxisRange): LaneNode {
    const ends = range.hi.map(terms =>
      terms.reduce((end, term) => this.lanes.min(end, this.#term(term)), this.lanes.index(range.size)),
    )
    return ends.reduce((a, b) => this.lanes.max(a, b))
  }
}
