/**
 * From a plan's steps to launches: one per step, except that those of a batch become one kernel with a block per tile
 * (lower/shared/join.ts), and a group of steps may become a persistent one, which needs a launch before it that sets its tile
 * counter to 0.
 */

import type { Target } from '../../backends/target.js'
import { groupBy } from '../../base/group-by.js'
import type { LaneProgram } from '../../lane/ir.js'
import { joinPrograms, type Member, resetProgram } from '../../lower/shared/join.js'
import { addSizes, productOf, type Size } from '../../scalar/size.js'
import {
  type LaunchStep,
  launchesAmong,
  type Plan,
  type PlanArgument,
  type PlanBatch,
  type PlanBlock,
  type PlanBuffer,
  type PlanGroup,
  type PlanStep,
} from '../../schedule/plan/plan.js'
import type { Parameter, TileProgram } from '../../tile/ir.js'
import { writtenViews } from '../../tile/written.js'

/** A kernel as it is emitted, and its parameters. */
export interface LaunchedKernel {
  readonly lane: LaneProgram
  readonly params: readonly Parameter[]
  /** Indices of the parameters that it writes. */
  readonly writes: readonly number[]
}

/** How a kernel of a plan is lowered. */
interface Lowering {
  readonly program: TileProgram
  readonly target: Target
  /** It may become part of other kernels, and not be launched itself. */
  readonly isJoined: boolean
}

/** What a call of a plan launches: the plan after joining groups, and its kernels. */
export interface Launches {
  readonly plan: Omit<Plan, 'kernels'>
  readonly kernels: readonly LaunchedKernel[]
  /** For each launch of the original plan (in the order of `everyLaunch`), the kernel that does its work. */
  readonly kernelOfStep: readonly number[]
}

/**
 * A kernel and the target to lower it for. Those of batches are lowered to be joined, wherever else they are launched. The kernels of a group are lowered as members of a persistent kernel under every
 * strategy: the number of warps decides the order of sums, and all strategies must give the same bits.
 */
export function loweringOf(plan: Plan, kernel: number, target: Target): Lowering {
  const program = plan.kernels[kernel]!
  for (const block of [plan, ...plan.blocks]) {
    const group = block.groups.find(each => stepsOf(block, each).some(step => step.kernel === kernel))
    if (group === undefined) continue
    const members = stepsOf(block, group).map(step => plan.kernels[step.kernel]!)
    return { ...target.persistent.member(program, members), isJoined: isJoined(group) }
  }
  if (isBatched(plan, kernel)) return { program: target.persistent.inBatch(program), target, isJoined: true }
  return { program, target, isJoined: false }
}

const isBatched = (plan: Plan, kernel: number): boolean =>
  [plan, ...plan.blocks].some(block =>
    block.batches.some(batch => stepsOf(block, batch).some(step => step.kernel === kernel)),
  )

const isJoined = ({ strategy }: PlanGroup): boolean => strategy === 'persistent'
const stepsOf = ({ steps }: PlanBlock, { first, count }: PlanBatch): readonly LaunchStep[] =>
  launchesAmong(steps.slice(first, first + count))

/** `lanes`: the plan's kernels, lowered for what `loweringOf` returns. */
export function launchesOf(plan: Plan, lanes: readonly LaneProgram[], target: Target): Launches {
  const shared: SharedLaunches = { kernels: [], kernelIndices: new Map(), kernelOfStep: [] }
  const launched = [plan, ...plan.blocks].map(block => new Launcher(plan, block, lanes, target, shared).launches())
  const [main, ...blocks] = launched as [PlanBlock, ...PlanBlock[]]
  const { symbols, devices } = plan
  const { kernels, kernelOfStep } = shared
  return { plan: { symbols, devices, ...main, blocks }, kernels, kernelOfStep }
}

/** State that the blocks of a plan share. */
interface SharedLaunches {
  readonly kernels: LaunchedKernel[]
  readonly kernelOfStep: number[]
  /** Kernels of the plan that are launched alone: their index in `kernels`. */
  readonly kernelIndices: Map<number, number>
}

class Launcher {
  readonly #kernels: LaunchedKernel[]
  readonly #steps: PlanStep[] = []
  readonly #groups: PlanGroup[] = []
  readonly #buffers: PlanBuffer[]
  readonly #kernelOfStep: number[]
  readonly #kernelIndices: Map<number, number>
  #slots: number

  constructor(
    readonly plan: Plan,
    readonly block: PlanBlock,
    readonly lanes: readonly LaneProgram[],
    readonly target: Target,
    { kernels, kernelIndices, kernelOfStep }: SharedLaunches,
  ) {
    this.#kernels = kernels
    this.#kernelIndices = kernelIndices
    this.#kernelOfStep = kernelOfStep
    this.#buffers = [...block.buffers]
    this.#slots = block.slots
  }

  /** The block with its groups joined into persistent kernels where their strategy asks for it. */
  launches(): PlanBlock {
    const { outputs, steps } = this.block
    const groups = new Map(this.block.groups.map(group => [group.first, group]))
    const batches = new Map(this.block.batches.map(batch => [batch.first, batch]))
    for (let at = 0; at < steps.length; ) {
      const [group, batch] = [groups.get(at), batches.get(at)]
      if (group !== undefined) this.#addGroup(group)
      else if (batch !== undefined) this.#addBatch(stepsOf(this.block, batch))
      else this.#add(steps[at]!)
      at += group?.count ?? batch?.count ?? 1
    }
    return {
      outputs,
      steps: this.#steps,
      groups: this.#groups,
      batches: [],
      buffers: this.#buffers,
      slots: this.#slots,
    }
  }

  #addGroup(group: PlanGroup): void {
    if (isJoined(group)) this.#joinAll(group)
    else {
      this.#groups.push({ ...group, first: this.#steps.length })
      for (const step of stepsOf(this.block, group)) this.#single(step)
    }
  }

  /** Joins those whose blocks have as many threads, as far as the limit of arguments allows. */
  #addBatch(steps: readonly LaunchStep[]): void {
    const kernelOf = new Map<LaunchStep, number>()
    for (const alike of groupBy(steps, ({ kernel }) => this.lanes[kernel]!.block?.threads).values()) {
      for (const part of this.#parts(alike)) {
        const kernel = part.length === 1 ? this.#launchAlone(part[0]!) : this.#joinBatch(part)
        for (const step of part) kernelOf.set(step, kernel)
      }
    }
    for (const step of steps) this.#kernelOfStep.push(kernelOf.get(step)!)
  }

  #parts(steps: readonly LaunchStep[]): readonly (readonly LaunchStep[])[] {
    const { maxArguments } = this.target.persistent
    return splitByCost(longestTilesFirst(steps), step => this.#arguments(step), maxArguments)
  }

  /** The index of the kernel with a block for each tile of these launches. */
  #joinBatch(steps: readonly LaunchStep[]): number {
    const name = this.#nameFor(`${this.lanes[steps[0]!.kernel]!.name}_batch`)
    const lane = this.#joined(name, steps, null)
    const kernels = steps.map(step => this.#unjoined(step.kernel))
    const params = kernels.flatMap(each => each.params)
    const kernel = this.#kernels.push({ lane, params, writes: writesOf(kernels, params.length, 0) }) - 1
    const tiles = steps.map(tilesOf).reduce(addSizes)
    const args = steps.flatMap(step => step.args)
    this.#steps.push(joinedStep(steps, kernel, args, [tiles, 1, 1]))
    return kernel
  }

  #joined(name: string, steps: readonly LaunchStep[], preassigned: number | null): LaneProgram {
    const numbers = [...new Set(steps.map(({ kernel }) => kernel))]
    const indices = new Map(numbers.map((kernel, i) => [kernel, i]))
    const members = steps.map(({ kernel, grid }): Member => {
      const [x, y, z] = grid.map(size => (typeof size === 'number' ? size : null)) as [null, null, null]
      return { program: indices.get(kernel)!, grid: [x, y, z] }
    })
    const programs = numbers.map(kernel => this.lanes[kernel]!)
    return joinPrograms(name, programs, members, preassigned)
  }

  /** Adds a step that is in no group. */
  #add(step: PlanStep): void {
    switch (step.kind) {
      case 'launch':
        this.#single(step)
        break
      case 'cond':
      case 'loop':
      case 'steps':
        this.#steps.push(step)
        break
      default:
        step satisfies never
    }
  }

  #single(step: LaunchStep): void {
    this.#kernelOfStep.push(this.#launchAlone(step))
  }

  /** The index of its kernel. */
  #launchAlone(step: LaunchStep): number {
    const known = this.#kernelIndices.get(step.kernel)
    const kernel = known ?? this.#kernels.push(this.#unjoined(step.kernel)) - 1
    this.#kernelIndices.set(step.kernel, kernel)
    this.#steps.push({ ...step, kernel })
    return kernel
  }

  #unjoined(kernel: number): LaunchedKernel {
    const program = this.plan.kernels[kernel]!
    return { lane: this.lanes[kernel]!, params: program.params, writes: writtenViews(program) }
  }

  /** Joins a group into as few persistent kernels as the limit of arguments allows. */
  #joinAll(group: PlanGroup): void {
    const before = this.#kernels.length
    for (const steps of this.#parts(stepsOf(this.block, group))) this.#join(group, steps)
    // A group that was split is explained by its first part.
    const first = this.#kernels.findIndex(({ lane }, i) => i >= before && !lane.name.endsWith(resetSuffix))
    for (let i = 0; i < group.count; i++) this.#kernelOfStep.push(first)
  }

  /** Number of arguments that a step adds to a joined launch: its kernel's, and its symbolic grid sizes. */
  #arguments({ kernel, grid }: LaunchStep): number {
    return this.lanes[kernel]!.args.length + grid.filter(size => typeof size !== 'number').length
  }

  /** Joins these launches into one persistent kernel. */
  #join(group: PlanGroup, steps: readonly LaunchStep[]): void {
    const { claims, instances } = this.target.persistent
    const name = this.#nameFor(`${this.lanes[steps[0]!.kernel]!.name}_persistent`)
    const lane = this.#joined(name, steps, claims?.preassigned ?? 0)
    const kernels = steps.map(({ kernel }) => this.#unjoined(kernel))
    const open = steps.flatMap(({ grid }) => grid.filter(size => typeof size !== 'number'))
    const { device } = steps[0]!
    const counter = claims === null ? [] : [this.#counter(name, device)]
    const params = [
      ...kernels.flatMap(each => each.params),
      ...open.map((_, i): Parameter => ({ name: `tiles_${i}`, type: { kind: 'scalar', dtype: 'i64' } })),
      ...counter.map(() => counterParam),
    ]
    const args = [...steps.flatMap(step => step.args), ...open.map(sizeArgument), ...counter]
    const kernel = this.#kernels.push({ lane, params, writes: writesOf(kernels, params.length, counter.length) }) - 1
    const grid = [instances(steps.map(tilesOf).reduce(addSizes), lane), 1, 1] as const
    const at = this.#steps.push(joinedStep(steps, kernel, args, grid)) - 1
    this.#groups.push({ ...group, first: at, count: 1 })
  }

  #nameFor(wanted: string): string {
    const isTaken = (name: string): boolean => this.#kernels.some(({ lane }) => lane.name === name)
    let name = wanted
    for (let i = 2; isTaken(name); i++) name = `${wanted}_${i}`
    return name
  }

  /** Adds the counter of a persistent kernel, and the launch that sets it to 0. */
  #counter(name: string, device: number): PlanArgument {
    const buffer =
      this.#buffers.push({ kind: 'temp', device, dtype: 'i32', elements: 1, slot: this.#slots++, at: 0 }) - 1
    const counter: PlanArgument = { kind: 'view', buffer, offset: 0, shape: [1], strides: [1] }
    const lane = resetProgram(`${name}${resetSuffix}`)
    const kernel = this.#kernels.push({ lane, params: [counterParam], writes: [0] }) - 1
    this.#steps.push({
      kind: 'launch',
      device,
      kernel,
      args: [counter],
      grid: [1, 1, 1],
      bytes: 4,
      flops: 0,
      ops: [],
      lines: [],
    })
    return counter
  }
}

const resetSuffix = '_reset'

/** The steps in order, split into parts that cost at most `max`. */
function splitByCost(steps: readonly LaunchStep[], cost: (step: LaunchStep) => number, max: number): LaunchStep[][] {
  const parts: LaunchStep[][] = []
  let taken = 0
  for (const step of steps) {
    taken += cost(step)
    if (parts.length === 0 || taken > max) {
      parts.push([])
      taken = cost(step)
    }
    parts.at(-1)!.push(step)
  }
  return parts
}

const counterParam: Parameter = {
  name: 'counter',
  type: { kind: 'view', dtype: 'i32', sizes: [1], strides: [1] },
}

const sizeArgument = (value: Size): PlanArgument => ({ kind: 'size', value })
const tilesOf = ({ grid }: LaunchStep): Size => productOf(grid)

/** Steps with the longest tiles first, so that short ones fill the last wave; steps of one kernel stay adjacent. */
function longestTilesFirst(steps: readonly LaunchStep[]): LaunchStep[] {
  const length = (step: LaunchStep): number => {
    const [flops, tiles] = [step.flops, tilesOf(step)]
    return typeof flops === 'number' && typeof tiles === 'number' ? flops / tiles : 0
  }
  const longest = new Map<number, number>()
  for (const step of steps) longest.set(step.kernel, Math.max(longest.get(step.kernel) ?? 0, length(step)))
  return steps.toSorted(
    (a, b) => longest.get(b.kernel)! - longest.get(a.kernel)! || a.kernel - b.kernel || length(b) - length(a),
  )
}

function writesOf(kernels: readonly LaunchedKernel[], params: number, counters: number): number[] {
  const writes: number[] = []
  let before = 0
  for (const each of kernels) {
    writes.push(...each.writes.map(param => before + param))
    before += each.params.length
  }
  return counters === 0 ? writes : [...writes, params - 1]
}

/** The launch of a joined kernel, with the work and the source lines of all its members. */
function joinedStep(
  steps: readonly LaunchStep[],
  kernel: number,
  args: readonly PlanArgument[],
  grid: LaunchStep['grid'],
): LaunchStep {
  const lines = new Map(steps.flatMap(step => step.lines).map(line => [`${line.file}:${line.line}`, line]))
  return {
    kind: 'launch',
    device: steps[0]!.device,
    kernel,
    args,
    grid,
    bytes: steps.map(({ bytes }) => bytes).reduce(addSizes),
    flops: steps.map(({ flops }) => flops).reduce(addSizes),
    ops: [...new Set(steps.flatMap(step => step.ops))],
    lines: [...lines.values()],
  }
}
