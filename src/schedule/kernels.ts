/** Groups become kernels and launches. */

import { InternalError } from '../base/errors.js'
import type { GroupStrategy } from '../graph/ir.js'
import { print } from '../ir/print.js'
import { nodesOf } from '../ir/walk.js'
import { userKernel } from '../kernels/user-kernel.js'
import { addSizes, mulSizes, productOf, type Size } from '../scalar/size.js'
import { type Hints, type TileNode, type TileProgram, tileDialect } from '../tile/ir.js'
import type { ViewDims } from '../tile/kernel.js'
import { specialise } from '../tile/specialise.js'
import { itemBytes } from '../types/dtype.js'
import { type Axes, collapse } from './axes.js'
import { type Anchor, type Body, costOf, type Expr, exprsOf, rootsOf } from './body.js'
import type { Buffers } from './buffers.js'
import type { Grid } from './grid.js'
import type { LaunchNode } from './group.js'
import { bestStrategy, estimateGroup } from './group-cost.js'
import { writeLoops } from './loops.js'
import type { StepUse } from './memory.js'
import { kernelName, linesBehind, opsBehind, UniqueNames } from './names.js'
import { closeRows, openRows } from './open-rows.js'
import type { LaunchStep, PlanArgument, PlanGroup } from './plan.js'
import type { SchedulePolicy } from './policy.js'
import { programFlops } from './program-flops.js'
import { partMaker, partsOf, splitBody } from './split.js'
import { writeTemplate } from './templates.js'
import type { Tiling } from './tiling.js'
import { KernelWriter } from './writer.js'

/** Collects the kernels and steps of a plan; equal kernels are kept once. */
export class KernelList {
  readonly kernels: TileProgram[] = []
  readonly uses: StepUse[] = []
  readonly groups: PlanGroup[] = []
  readonly #known = new Map<string, number>()
  readonly #names = new UniqueNames()

  constructor(
    readonly policy: SchedulePolicy,
    readonly buffers: Buffers,
  ) {}

  /** Adds the launches of a body: one, or two for a reduction that is split. */
  add(body: Body): void {
    if (isEmpty(body)) return
    const ops = opsBehind(body.nodes)
    const axes = collapse(body)
    if (body.anchor !== null) {
      const { anchor } = body
      const write = (writer: KernelWriter): Grid => writeTemplate(body, anchor, writer, this.policy, this.buffers)
      this.#launch(body, axes, kernelName(ops, ''), ops, write)
      return
    }
    const tiling = this.policy.tiling(body, axes)
    const count = partsOf(body, axes, tiling, this.policy)
    if (count !== null) this.#addSplit(body, count, ops)
    else {
      const name = kernelName(ops, suffixOf(axes, tiling))
      this.#launch(body, axes, name, ops, writer => writeLoops(body, tiling, writer))
    }
  }

  /** Adds the launches of products that do not need each other. */
  addTogether(bodies: readonly Body[], asked: GroupStrategy): void {
    const first = this.uses.length
    const products = bodies.filter(body => !isEmpty(body))
    const common = products.length === 0 ? null : this.policy.together(products)
    for (const body of products) {
      if (common === null) this.add(body)
      else this.#addRows(body, common)
    }
    const count = this.uses.length - first
    if (count === 0) return
    const steps = this.uses.slice(first).map(({ step }) => step)
    const hints = this.policy.hints(steps.map(({ grid }) => grid))
    if (hints !== null) for (const { kernel } of steps) this.#hint(kernel, hints)
    const estimates = estimateGroup(steps, this.policy.rates)
    const strategy = asked === 'auto' ? bestStrategy(estimates, count) : asked
    this.groups.push({ first, count, asked, strategy, estimates })
  }

  /** A product as a kernel for any number of rows, so that products of other heights may share it. */
  #addRows(body: Body, policy: SchedulePolicy): void {
    const rows = openRows(body)
    const ops = opsBehind(body.nodes)
    const written = rows?.body ?? body
    const write = (writer: KernelWriter): Grid => writeTemplate(written, written.anchor!, writer, policy, this.buffers)
    const step = this.#launch(written, collapse(written), kernelName(ops, ''), ops, write)
    if (rows === null || step === null) return
    const use = this.uses.pop()!
    this.uses.push({ ...use, step: closeRows(step, rows.count) })
  }

  /** A person's kernel, for the sizes and strides that are known here. */
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
      kernel: this.#intern(program),
      args: given,
      grid,
      bytes: bytesOf(given, this.buffers),
      flops: mulSizes(grid.reduce<Size>(mulSizes, 1), programFlops(program)),
      ops: [kernel.name],
      lines: linesBehind([node]),
    }
    this.uses.push({ step, elementwise: false, writes: new Set(writes.map(i => located[i]!.buffer)) })
  }

  #addSplit(body: Body, count: number, ops: readonly string[]): void {
    const { partial, parts, final } = splitBody(body, count, this.buffers)
    const axes = collapse(partial)
    const chosen = this.policy.tiling(partial, axes)
    // A part is a program of its own.
    const tiling: Tiling = { ...chosen, extents: new Map(chosen.extents).set(axes.of(parts), 1) }
    const write = (writer: KernelWriter): Grid => writeLoops(partial, tiling, writer, partMaker(axes, tiling, parts))
    this.#launch(partial, axes, kernelName(ops, 'partial'), ops, write)
    const finalAxes = collapse(final)
    const finalTiling = this.policy.tiling(final, finalAxes)
    this.#launch(final, finalAxes, kernelName(ops, 'final'), ops, writer => writeLoops(final, finalTiling, writer))
  }

  #launch(
    body: Body,
    axes: Axes,
    name: string,
    ops: readonly string[],
    write: (writer: KernelWriter) => Grid,
  ): LaunchStep | null {
    const writer = new KernelWriter(name, axes, buffer => this.buffers.drafts[buffer]!.name)
    const grid = write(writer)
    if (grid.includes(0)) return null
    const program = writer.finish()
    const step: LaunchStep = {
      kind: 'launch',
      kernel: this.#intern(program),
      args: writer.args,
      grid,
      bytes: bytesOf(writer.args, this.buffers),
      flops: flopsOf(body, axes),
      ops,
      lines: linesBehind(body.nodes),
    }
    this.uses.push({
      step,
      elementwise: isElementwise(body) && readsFirst(program),
      writes: writtenBy(program, writer.args),
    })
    return step
  }

  #hint(kernel: number, hints: Hints): void {
    const known = this.kernels[kernel]!
    this.kernels[kernel] = { ...known, hints: { ...known.hints, ...hints } }
  }

  #intern(program: TileProgram): number {
    const text = print<TileNode>(tileDialect, program.body).replaceAll(/name: "[^"]*"/g, '')
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const index = this.kernels.push({ ...program, name: this.#names.take(program.name) }) - 1
    this.#known.set(text, index)
    return index
  }
}

function knownDims(view: PlanArgument): ViewDims {
  if (view.kind !== 'view') throw new InternalError(`schedule: a kernel's view is a ${view.kind}`)
  const known = (size: Size): number | null => (typeof size === 'number' ? size : null)
  return { sizes: view.shape.map(known), strides: view.strides.map(known) }
}

/** Nothing to store, whatever the arguments hold. */
function isEmpty({ coords, reduced, anchor, stores }: Body): boolean {
  const rows = anchor !== null && anchor.kind !== 'matmul' && anchor.kind !== 'attention'
  if (stores.length === 0 && (!rows || anchor.kind === 'scan')) return true
  return [...coords].some(([coord, size]) => size === 0 && (rows || !reduced.has(coord)))
}

function suffixOf(axes: Axes, tiling: Tiling): string {
  if (axes.reduced.length === 0 || axes.kept.length === 0) return ''
  return tiling.order.at(-1)!.reduced ? 'rows' : 'columns'
}

function isElementwise(body: Body): boolean {
  if (body.anchor !== null || body.reduced.size > 0) return false
  return exprsOf(rootsOf(body)).every(expr => expr.kind !== 'gather')
}

/** No value is read after one is stored: of several stores, one might else write over what another is made of. */
function readsFirst({ body }: TileProgram): boolean {
  const firstStore = body.body.findIndex(({ op }) => op === 'store')
  return firstStore < 0 || body.body.slice(firstStore).every(({ op }) => op === 'store')
}

/** The buffers that a kernel writes. */
function writtenBy(program: TileProgram, args: readonly PlanArgument[]): Set<number> {
  const written = new Set<number>()
  for (const node of nodesOf<TileNode>(program.body)) {
    if (node.op !== 'store' && node.op !== 'scatter') continue
    const view = node.inputs[0]!
    const arg = view.op === 'view' ? args[view.attrs.index] : undefined
    if (arg?.kind === 'view') written.add(arg.buffer)
  }
  return written
}

/** What the views show, each element once. */
function bytesOf(args: readonly PlanArgument[], buffers: Buffers): Size {
  let bytes: Size = 0
  for (const arg of args) {
    if (arg.kind !== 'view') continue
    const elements = productOf(arg.shape.filter((_, d) => arg.strides[d] !== 0))
    bytes = addSizes(bytes, mulSizes(elements, itemBytes(buffers.drafts[arg.buffer]!.dtype)))
  }
  return bytes
}

function flopsOf(body: Body, axes: Axes): Size {
  let flops: Size = 0
  const count = (coords: Iterable<number>): Size => productOf(axes.spanning(coords).map(axis => axis.size))
  for (const expr of exprsOf(rootsOf(body))) {
    const cost = costOf(expr)
    const coords: Iterable<number> = expr.kind === 'reduce' ? coordsOfReduce(expr, body) : expr.coords
    if (cost > 0) flops = addSizes(flops, mulSizes(count(coords), cost))
  }
  if (body.anchor?.kind === 'matmul') {
    // Each row meets the matrix of one group.
    const { ragged } = body.anchor
    const multiplied = [...body.coords.keys()].filter(coord => !ragged?.group.has(coord))
    flops = addSizes(flops, mulSizes(count(multiplied), 2 * body.anchor.products.length))
  }
  if (body.anchor?.kind === 'attention') flops = addSizes(flops, attentionFlops(body.anchor, count, body.coords.keys()))
  return flops
}

/** Two per product and pair of a query and a key, some tens for each pair's exponential; a causal half of all pairs. */
function attentionFlops(
  { depth, columns, attrs }: Extract<Anchor, { kind: 'attention' }>,
  count: (coords: Iterable<number>) => Size,
  coords: Iterable<number>,
): Size {
  const inner = new Set([...depth, ...columns])
  const pairs = count([...coords].filter(coord => !inner.has(coord)))
  const perPair = addSizes(addSizes(count(depth), count(columns)), softmaxFlops / 2)
  return mulSizes(mulSizes(pairs, perPair), attrs.causal ? 1 : 2)
}
const softmaxFlops = 16

const coordsOfReduce = (expr: Expr, body: Body): Set<number> => new Set([...expr.coords, ...body.reduced])
