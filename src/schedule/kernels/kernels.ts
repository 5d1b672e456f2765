/** Groups become kernels and launches. */

import { InternalError } from '../../base/errors.js'
import { type GraphNode, type GroupStrategy, printType, typeOf } from '../../graph/ir.js'
import { print } from '../../ir/print.js'
import { nodesOf } from '../../ir/walk.js'
import { userKernel } from '../../kernels/user-kernel.js'
import { costOf } from '../../loop/analysis.js'
import { coordsOf, type LoopNode, type LoopProgram, storesOf, templatesOf, updateOf } from '../../loop/ir.js'
import { addSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { type Hints, type TileNode, type TileProgram, tileDialect } from '../../tile/ir.js'
import type { ViewDims } from '../../tile/kernel.js'
import { specialise } from '../../tile/specialise.js'
import { itemBytes } from '../../types/dtype.js'
import type { ControlNode, LaunchNode } from '../groups/group.js'
import { isRowMajor } from '../groups/layout.js'
import type { Buffers } from '../memory/buffers.js'
import type { StepUse } from '../memory/slots.js'
import {
  type BlockStep,
  isLaunch,
  type LaunchStep,
  onlyDevice,
  type PlanArgument,
  type PlanGroup,
  type PlanTensor,
} from '../plan/plan.js'
import type { SchedulePolicy } from '../policy.js'
import { splitTemplate, stagesOf } from '../templates/index.js'
import type { SplitTemplate } from '../templates/template.js'
import { type Axes, collapse } from '../tiling/axes.js'
import type { Grid } from '../tiling/grid.js'
import { writeLoops } from '../tiling/loops.js'
import type { Tiling } from '../tiling/tiling.js'
import { writeUpdate } from '../tiling/updates.js'
import { KernelWriter } from '../tiling/writer.js'
import { bindRows, withDynamicRows } from './dynamic-rows.js'
import { type FormLaunches, formOf, type ProgramForm, repeated } from './forms.js'
import { bestStrategy, estimateGroup } from './group-cost.js'
import { movedAsBits } from './moves.js'
import { kernelName, linesBehind, UniqueNames } from './names.js'
import { programFlops } from './program-flops.js'
import { partMaker, partsOf, splitProgram } from './split.js'

/** The kernels of a plan and all its blocks, deduplicated. */
export class KernelTable {
  readonly kernels: TileProgram[] = []
  readonly #known = new Map<string, number>()
  readonly #names = new UniqueNames()
  readonly #forms = new Map<string, FormLaunches>()

  hint(kernel: number, hints: Hints): void {
    const known = this.kernels[kernel]!
    this.kernels[kernel] = { ...known, hints: { ...known.hints, ...hints } }
  }

  /** The launches of a program of the same form. */
  known({ text }: ProgramForm): FormLaunches | undefined {
    return this.#forms.get(text)
  }

  learn({ text }: ProgramForm, launches: FormLaunches): void {
    this.#forms.set(text, launches)
  }

  intern(program: TileProgram): number {
    const text = print<TileNode>(tileDialect, program.body).replaceAll(/name: "[^"]*"/g, '')
    const key = `${text}${JSON.stringify(program.equalSizes)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const index = this.kernels.push({ ...program, name: this.#names.take(program.name) }) - 1
    this.#known.set(key, index)
    return index
  }
}

/** Collects the steps of a plan or a block. */
export class StepList {
  readonly uses: StepUse[] = []
  readonly groups: PlanGroup[] = []

  constructor(
    readonly table: KernelTable,
    readonly policy: SchedulePolicy,
    readonly buffers: Buffers,
  ) {}

  /** Adds the launches of a program: one, two for a reduction that is split, or as many as its template takes. */
  add(given: LoopProgram): void {
    if (isEmpty(given)) return
    const program = this.policy.movesBits ? movedAsBits(given) : given
    const form = formOf(program)
    const known = this.table.known(form)
    if (known !== undefined) {
      this.uses.push(...repeated(known, program, form, this.buffers))
      return
    }
    const [uses, buffers] = [this.uses.length, this.buffers.drafts.length]
    this.#write(program)
    const made = this.buffers.drafts.slice(buffers)
    this.table.learn(form, { uses: this.uses.slice(uses), buffers: form.buffers, first: buffers, made })
  }

  #write(program: LoopProgram): void {
    const axes = collapse(program)
    if (templatesOf(program).length > 0) {
      const split = splitTemplate(program, this.policy, this.buffers)
      if (split === null) this.#addTemplate(program, axes, this.policy)
      else this.#addParts(split)
      return
    }
    const update = updateOf(program)
    if (update !== undefined) {
      const how = this.policy.updateTiling(program, axes, update)
      this.#launch(program, axes, '', writer => writeUpdate(update, how, writer))
      return
    }
    const tiling = this.policy.tiling(program, axes)
    const count = partsOf(program, axes, tiling, this.policy)
    if (count !== null) this.#addSplit(program, count)
    else this.#launch(program, axes, suffixOf(axes, tiling), writer => writeLoops(program, tiling, writer))
  }

  #addTemplate(program: LoopProgram, axes: Axes, policy: SchedulePolicy, part = ''): LaunchStep | null {
    const stages = stagesOf({ program, axes, policy, buffers: this.buffers })
    return stages.map(({ suffix, write }) => this.#launch(program, axes, part || suffix, write)).at(-1) ?? null
  }

  /** Adds the launches of independent matmuls. */
  addGroup(programs: readonly LoopProgram[], asked: GroupStrategy): void {
    const first = this.uses.length
    const matmuls = programs.filter(program => !isEmpty(program))
    const common = matmuls.length === 0 ? null : this.policy.groupPolicy(matmuls)
    for (const program of matmuls) {
      if (common === null) this.add(program)
      else this.#addRows(program, common)
    }
    const count = this.uses.length - first
    if (count === 0) return
    const steps = this.uses
      .slice(first)
      .map(({ step }) => step)
      .filter(isLaunch)
    const hints = this.policy.hints(steps.map(({ grid }) => grid))
    if (hints !== null) for (const { kernel } of steps) this.table.hint(kernel, hints)
    const estimates = estimateGroup(steps, this.policy.rates)
    const strategy = asked === 'auto' ? bestStrategy(estimates, count) : asked
    this.groups.push({ first, count, asked, strategy, estimates })
  }

  /** Adds a matmul as a kernel for any number of rows, so that matmuls with other M can share it. */
  #addRows(program: LoopProgram, policy: SchedulePolicy): void {
    const rows = withDynamicRows(program)
    const written = rows?.program ?? program
    const step = this.#addTemplate(written, collapse(written), policy)
    if (rows === null || step === null) return
    const use = this.uses.pop()!
    this.uses.push({ ...use, step: bindRows(step, rows.count) })
  }

  /** Adds a user's kernel, specialised for the sizes and strides that are known here. */
  addLaunch(node: LaunchNode): void {
    const { kernel, args, writes, grid } = node.attrs
    if (grid.includes(0)) return
    const located = node.inputs.map((input, i) =>
      writes.includes(i) ? this.buffers.locateWritten(node, i) : this.buffers.locate(input),
    )
    const { program: general } = userKernel(kernel)
    const planned = args.map((arg, i): PlanArgument | null => {
      if ('scalar' in arg) return null
      if ('size' in arg) return { kind: 'size', value: arg.size }
      if ('scalarInput' in arg) {
        return { kind: 'scalarInput', input: arg.scalarInput, dtype: general.params[i]!.type.dtype }
      }
      const { buffer, layout } = located[arg.input]!
      return { kind: 'view', buffer, ...layout }
    })
    const known = args.map((arg, i) => {
      if ('scalar' in arg) return arg.scalar
      return planned[i]!.kind === 'view' ? knownDims(planned[i]!) : null
    })
    const program = specialise(general, known)
    const given = planned.filter(arg => arg !== null)
    const step: LaunchStep = {
      kind: 'launch',
      device: onlyDevice,
      kernel: this.table.intern(program),
      args: given,
      grid,
      bytes: bytesOf(given, this.buffers),
      flops: mulSizes(grid.reduce<Size>(mulSizes, 1), programFlops(program)),
      ops: [kernel.name],
      lines: linesBehind([node]),
    }
    this.uses.push({ step, elementwise: false, writes: new Set(writes.map(i => located[i]!.buffer)), joins: false })
  }

  /** Adds control flow. `blocks`: the indices of its blocks in the plan. */
  addControl(node: ControlNode, blocks: readonly number[]): void {
    const operands = node.inputs.map(input => this.#operand(input))
    const items = this.buffers.itemsOf(node)
    const common = {
      device: onlyDevice,
      results: items.map(item => item && this.buffers.of(item)),
      lines: linesBehind([node]),
    }
    const step: BlockStep = { ...controlStep(node, operands, blocks), ...common }
    const written = common.results.filter(buffer => buffer !== null)
    this.uses.push({ step, elementwise: false, writes: new Set(written), joins: false })
  }

  #operand(node: GraphNode): PlanTensor {
    const { buffer, layout } = this.buffers.locate(node)
    const { dtype } = typeOf(node)
    if (!isRowMajor(layout))
      throw new InternalError(`schedule: an operand of control flow, ${printType(node.type)}, is not row-major`)
    return { dtype, buffer, ...layout }
  }

  #addParts({ partial, finals }: SplitTemplate): void {
    this.#addTemplate(partial, collapse(partial), this.policy, finals.length === 0 ? '' : 'partial')
    for (const final of finals) this.#addFinal(final)
  }

  #addFinal(final: LoopProgram): void {
    const axes = collapse(final)
    const tiling = this.policy.tiling(final, axes)
    this.#launch(final, axes, 'final', writer => writeLoops(final, tiling, writer))
  }

  /** Adds a split reduction: one kernel for the partial results of `count` parts, one that combines them. */
  #addSplit(program: LoopProgram, count: number): void {
    const { partial, parts, final } = splitProgram(program, count, this.buffers)
    const axes = collapse(partial)
    const chosen = this.policy.tiling(partial, axes)
    // Each part is one block of the grid.
    const tiling: Tiling = { ...chosen, extents: new Map(chosen.extents).set(axes.of(parts), 1) }
    const write = (writer: KernelWriter): Grid => writeLoops(partial, tiling, writer, partMaker(axes, tiling, parts))
    this.#launch(partial, axes, 'partial', write)
    this.#addFinal(final)
  }

  /** `suffix`: of the kernel's name. */
  #launch(loops: LoopProgram, axes: Axes, suffix: string, write: (writer: KernelWriter) => Grid): LaunchStep | null {
    const { ops, lines } = loops
    const writer = new KernelWriter(kernelName(ops, suffix), axes, buffer => this.buffers.drafts[buffer]!.name)
    const grid = write(writer)
    if (grid.includes(0)) return null
    const program = writer.finish()
    const step: LaunchStep = {
      kind: 'launch',
      device: onlyDevice,
      kernel: this.table.intern(program),
      args: writer.args,
      grid,
      bytes: bytesOf(writer.args, this.buffers),
      flops: flopsOf(loops, axes),
      ops,
      lines,
    }
    this.uses.push({
      step,
      elementwise: isElementwise(loops) && readsFirst(program),
      writes: writtenBy(program, writer.args),
      joins: templatesOf(loops).length === 0 && updateOf(loops) === undefined,
    })
    return step
  }
}

function knownDims(view: PlanArgument): ViewDims {
  if (view.kind !== 'view') throw new InternalError(`schedule: a kernel's view is a ${view.kind}`)
  const known = (size: Size): number | null => (typeof size === 'number' ? size : null)
  return { sizes: view.shape.map(known), strides: view.strides.map(known) }
}

/** True when nothing is stored, whatever the arguments hold. */
function isEmpty(program: LoopProgram): boolean {
  const { coords, reduced } = program
  const [template] = templatesOf(program)
  // Templates that store their results themselves.
  const storesRows = template?.type.kind === 'nothing'
  if (!storesRows && storesOf(program).length === 0 && updateOf(program) === undefined) return true
  const isRow = template !== undefined && template.attrs.row !== null
  return [...coords].some(([coord, size]) => size === 0 && (isRow || !reduced.has(coord)))
}

function suffixOf(axes: Axes, tiling: Tiling): string {
  if (axes.reduced.length === 0 || axes.kept.length === 0) return ''
  return tiling.order.at(-1)!.reduced ? 'rows' : 'columns'
}

function isElementwise(program: LoopProgram): boolean {
  if (program.reduced.size > 0 || templatesOf(program).length > 0 || updateOf(program) !== undefined) return false
  return nodesOf<LoopNode>(program.body).every(node => node.op !== 'gather')
}

/** True when all loads precede all stores, since a store may alias another store's input. */
function readsFirst({ body }: TileProgram): boolean {
  const firstStore = body.body.findIndex(({ op }) => op === 'store')
  return firstStore < 0 || body.body.slice(firstStore).every(({ op }) => op === 'store')
}

/** The buffers that a kernel writes. */
function writtenBy(program: TileProgram, args: readonly PlanArgument[]): Set<number> {
  const written = new Set<number>()
  for (const node of nodesOf<TileNode>(program.body)) {
    if (node.op !== 'store' && node.op !== 'scatter' && node.op !== 'atomic') continue
    const view = node.inputs[0]!
    const arg = view.op === 'view' ? args[view.attrs.index] : undefined
    if (arg?.kind === 'view') written.add(arg.buffer)
  }
  return written
}

/** Bytes of the views, each element once. */
function bytesOf(args: readonly PlanArgument[], buffers: Buffers): Size {
  let bytes: Size = 0
  for (const arg of args) {
    if (arg.kind !== 'view') continue
    const elements = productOf(arg.shape.filter((_, d) => arg.strides[d] !== 0))
    bytes = addSizes(bytes, mulSizes(elements, itemBytes(buffers.drafts[arg.buffer]!.dtype)))
  }
  return bytes
}

function flopsOf(program: LoopProgram, axes: Axes): Size {
  const count = (coords: Iterable<number>): Size => productOf(axes.spanning(coords).map(axis => axis.size))
  return nodesOf<LoopNode>(program.body).reduce<Size>((sum, node) => addSizes(sum, flopsAt(node, count)), 0)
}

function flopsAt(node: LoopNode, count: (coords: Iterable<number>) => Size): Size {
  switch (node.op) {
    case 'reduce':
      return mulSizes(count(new Set([...coordsOf(node), ...node.attrs.over])), costOf(node))
    case 'template':
      return node.attrs.work.reduce<Size>((sum, { over, each }) => addSizes(sum, mulSizes(count(over), each)), 0)
    default:
      return costOf(node) === 0 ? 0 : mulSizes(count(coordsOf(node)), costOf(node))
  }
}

/** What is special to each kind of control flow. */
function controlStep(
  node: ControlNode,
  operands: readonly PlanTensor[],
  [first, second]: readonly number[],
): OwnFields<BlockStep> {
  switch (node.op) {
    case 'cond':
      return { kind: 'cond', predicate: operands[0]!, operands: operands.slice(1), branches: [first!, second!] }
    case 'loop':
      return { kind: 'loop', operands, condition: first!, body: second! }
    case 'steps': {
      const { carried, sequences, reverse } = node.attrs
      return { kind: 'steps', operands, body: first!, carried, sequences, reverse }
    }
    default:
      return node satisfies never
  }
}

type OwnFields<Step> = Step extends unknown ? Omit<Step, 'device' | 'results' | 'lines'> : never
