/**
 * The compiler on one screen: every pass by name, in order, from a captured graph to native code.
 *
 *     canonical passes → patterns → views → schedule → per kernel: simplify, lower → emit C
 *
 * Each step is a pure function; what it requires and guarantees stands with it. Finding or making the library for the
 * text, and remembering the whole result, is `compileGraph`.
 */
import { contentHash } from '../base/canonical.js'
import { env } from '../base/env.js'
import type { DiskCache } from '../cache/disk-cache.js'
import { emitC, scratchBytes, symbolOf } from '../codegen/c/emit.js'
import { type Graph, type GraphNode, graphDialect } from '../graph/ir.js'
import { canonicalPasses, type GraphPass, viewPasses } from '../graph/passes/index.js'
import { type FiredRule, type PatternResult, recognise } from '../graph/patterns/index.js'
import { print } from '../ir/print.js'
import { verify } from '../ir/verify.js'
import { type LaneProgram, laneDialect } from '../lane/ir.js'
import { lowerTile } from '../lower/lower.js'
import type { CpuDevice } from '../runtime/cpu/device.js'
import type { Plan } from '../schedule/plan.js'
import { type ScheduleOptions, scheduleGraph } from '../schedule/schedule.js'
import { type CpuTarget, cpuTarget } from '../target/target.js'
import { type TileProgram, tileDialect } from '../tile/ir.js'
import { simplify } from '../tile/passes/simplify.js'
import { type Artifact, decodeArtifact, encodeArtifact } from './artifact.js'
import { codeFingerprint } from './fingerprint.js'

/** Everything that compiling a graph passes through, for `explain()` and for people who look. */
export interface Stages {
  readonly captured: Graph
  readonly optimised: Graph
  /** What the pattern rules recognised. */
  readonly recognised: readonly FiredRule[]
  readonly plan: Plan
  /** One lane program per kernel of the plan, with the plan's names made unique. */
  readonly lanes: readonly LaneProgram[]
  readonly source: string
}

/**
 * Requires: a verified graph. Guarantees: the same function, with views at the inputs, no dead or constant work, and
 * what was written out (a softmax, a layer norm) in the form of the built-in op.
 */
export function optimise(graph: Graph): PatternResult {
  const canonical = runPasses(verified(graph), canonicalPasses)
  const { graph: recognised, fired } = usesPatterns() ? recognise(canonical) : { graph: canonical, fired: [] }
  return { graph: runPasses(verified(recognised), viewPasses), fired }
}

const usesPatterns = (): boolean => env('patterns') !== '0'

const runPasses = (graph: Graph, passes: readonly GraphPass[]): Graph =>
  passes.reduce((current, pass) => verified(pass.run(current)), graph)

function verified(graph: Graph): Graph {
  verify(graphDialect, graph.body)
  return graph
}

/** Requires: a verified kernel. Guarantees: a verified lane program of the same meaning. */
export function lowerKernel(program: TileProgram, target: CpuTarget): LaneProgram {
  verify(tileDialect, program.body)
  const lane = lowerTile(simplify(program), target)
  verify(laneDialect, lane.body)
  return lane
}

/** The translation unit of some kernels. */
export function sourceOf(lanes: readonly LaneProgram[], { vectorBytes }: CpuTarget): string {
  return emitC(lanes, { vectorBytes })
}

/** Every pass in order. It stops between them, so that whoever drives it may let the event loop turn. */
function* pipeline(graph: Graph, target: CpuTarget, options: ScheduleOptions): Generator<void, Stages> {
  const { graph: optimised, fired: recognised } = optimise(graph)
  yield
  const plan = scheduleGraph(optimised, target, options)
  yield
  const lanes: LaneProgram[] = []
  for (const kernel of plan.kernels) {
    lanes.push(lowerKernel(kernel, target))
    yield
  }
  const source = lanes.length === 0 ? '' : sourceOf(lanes, target)
  return { captured: graph, optimised, recognised, plan, lanes, source }
}

/** Runs every pass and returns what each made; compiles nothing. */
export function runPipeline(graph: Graph, target: CpuTarget, options: ScheduleOptions = {}): Stages {
  const passes = pipeline(graph, target, options)
  for (;;) {
    const { done, value } = passes.next()
    if (done) return value
  }
}

/** As `runPipeline`, letting the event loop turn whenever the passes have held it for `sliceMs`. */
async function runPipelineAsync(graph: Graph, target: CpuTarget, options: ScheduleOptions): Promise<Stages> {
  const passes = pipeline(graph, target, options)
  let started = performance.now()
  for (;;) {
    const { done, value } = passes.next()
    if (done) return value
    if (performance.now() - started < sliceMs) continue
    await new Promise(resolve => setImmediate(resolve))
    started = performance.now()
  }
}

const sliceMs = 5

export function artifactOf({ plan: { kernels, ...plan }, lanes, source }: Stages): Artifact {
  const interfaces = kernels.map(({ params }, i) => {
    const lane = lanes[i]!
    return { symbol: symbolOf(lane), params, scratchBytes: scratchBytes(lane) }
  })
  return { plan, kernels: interfaces, source }
}

/** What a graph computes as text: two graphs with equal text are the same function. */
export function graphText(graph: Graph): string {
  const { outputs, writeBacks, symbols } = graph
  const places = writeBacks.map(({ offset, shape, strides, ...rest }) => ({
    ...rest,
    offset: String(offset),
    shape: shape.map(String),
    strides: strides.map(String),
  }))
  return `${print<GraphNode>(graphDialect, graph.body)}${JSON.stringify({ outputs, places, symbols })}`
}

export const targetOf = (device: CpuDevice): CpuTarget => cpuTarget(device.facts)

/** The key of a graph's artifact: everything that it depends on. */
function artifactKey(graph: Graph, target: CpuTarget, options: ScheduleOptions): string {
  const choices = JSON.stringify([target, options, usesPatterns()])
  return contentHash(['artifact', graphText(graph), choices, codeFingerprint()])
}

/**
 * The artifact of a graph: from the disk cache when this graph was compiled before for this target by this very
 * compiler, else made and remembered.
 */
export function compileGraph(graph: Graph, device: CpuDevice, options: ScheduleOptions = {}): Artifact {
  const target = targetOf(device)
  const { cache } = device.toolchain
  const key = artifactKey(graph, target, options)
  return recall(cache, key) ?? remember(cache, key, runPipeline(graph, target, options))
}

/** As `compileGraph`, letting the event loop turn between passes. */
export async function compileGraphAsync(
  graph: Graph,
  device: CpuDevice,
  options: ScheduleOptions = {},
): Promise<Artifact> {
  const target = targetOf(device)
  const { cache } = device.toolchain
  const key = artifactKey(graph, target, options)
  return recall(cache, key) ?? remember(cache, key, await runPipelineAsync(graph, target, options))
}

function recall(cache: DiskCache, key: string): Artifact | null {
  const known = cache.get(key)
  return known === null ? null : decodeArtifact(known)
}

function remember(cache: DiskCache, key: string, stages: Stages): Artifact {
  const artifact = artifactOf(stages)
  cache.put(key, encodeArtifact(artifact))
  return artifact
}
