/**
 * The compiler on one screen: every pass by name, in order, from a captured graph to native code.
 *
 *     ops written out → gradients → canonical passes → patterns → views → schedule → per kernel: simplify, lower → emit
 *
 * Each step is a pure function, documented by what it requires and guarantees. `compileGraph` adds the disk cache around
 * all of them.
 */

import { type Artifact, decodeArtifact, encodeArtifact } from '../backends/artifact.js'
import type { ComputeDevice } from '../backends/device.js'
import type { Target } from '../backends/target.js'
import { contentHash } from '../base/canonical.js'
import { flag } from '../base/env.js'
import { span } from '../base/spans.js'
import type { DiskCache } from '../cache/disk-cache.js'
import { mapBlocks } from '../graph/blocks.js'
import { expandedGradients, holdsGradients } from '../graph/derivatives/expand.js'
import type { BackwardMemory } from '../graph/derivatives/recompute.js'
import { type Graph, type GraphNode, graphDialect } from '../graph/ir.js'
import { canonicalPasses, type GraphPass, viewPasses } from '../graph/passes/index.js'
import { type FiredRule, type PatternResult, recognise, recogniseOps } from '../graph/patterns/index.js'
import { print } from '../ir/print.js'
import { verify } from '../ir/verify.js'
import { nodesOf } from '../ir/walk.js'
import type { LaneProgram } from '../lane/ir.js'
import type { Plan } from '../schedule/plan/plan.js'
import type { SchedulePolicy } from '../schedule/policy.js'
import { scheduleGraph } from '../schedule/schedule.js'
import type { TileProgram } from '../tile/ir.js'
import { type Launches, launchesOf, loweringOf } from './execute/launches.js'
import { bestVariant, launchFacts, type Variant } from './execute/variant.js'
import { codeFingerprint } from './fingerprint.js'
import { lowerKernel } from './generate.js'

/** All intermediate results of compiling a graph, for `explain()` and for debugging. */
export interface Stages {
  readonly target: Target
  readonly captured: Graph
  readonly optimised: Graph
  /** What the pattern rules recognised. */
  readonly recognised: readonly FiredRule[]
  readonly memory: BackwardMemory
  readonly plan: Plan
  /** One lane program per kernel of the plan, with the plan's names made unique. */
  readonly lanes: readonly LaneProgram[]
  /** What a call launches: one launch per step of the plan, or one for several steps. */
  readonly launches: Launches
  readonly source: string
}

/** A graph after the graph passes. */
export interface Optimised extends PatternResult {
  /** What its backward passes keep and compute again. */
  readonly memory: BackwardMemory
}

/**
 * Requires: a verified graph. Guarantees: the same function, with views at the inputs, no dead or constant work, hand-written
 * compositions (a softmax, a layer norm) in the form of the built-in op, and only primitives that fusion knows.
 */
export function optimise(graph: Graph): Optimised {
  const { graph: forward, fired: before } = holdsGradients(graph) ? recognisedOps(graph) : { graph, fired: [] }
  const { graph: expanded, memory } = expandedGradients(verified(forward))
  const canonical = runPasses(verified(expanded), canonicalPasses)
  const { graph: recognised, fired } = usesPatterns() ? recognise(canonical) : { graph: canonical, fired: [] }
  const all = [...before, ...fired]
  const optimised = mapBlocks(runPasses(verified(recognised), viewPasses), block => {
    const inner = optimise(block)
    all.push(...inner.fired)
    return inner.graph
  })
  return { graph: verified(optimised), fired: all, memory }
}

/** What is written out of ops that have gradients of their own becomes these ops, before gradients are taken. */
export const recognisedOps = (graph: Graph): PatternResult =>
  usesPatterns() ? recogniseOps(verified(graph)) : { graph, fired: [] }

const usesPatterns = (): boolean => flag('patterns')

const runPasses = (graph: Graph, passes: readonly GraphPass[]): Graph =>
  passes.reduce((current, pass) => verified(pass.run(current)), graph)

function verified(graph: Graph): Graph {
  verify(graphDialect, graph.body)
  return graph
}

export interface PipelineOptions {
  /** The scheduler's policy. Default: the target's usual one. */
  readonly policy?: SchedulePolicy
  /** What the code may assume of launches, on targets that specialise code for it. Default: the best variant. */
  readonly variant?: Variant
}

/** Takes kernels as they are emitted (`Emitter.alone`), so that the device's compiler works meanwhile. */
type Ahead = (source: string) => void

/** Every pass in order. It yields between them, so that the driver may let the event loop run. */
function* pipeline(
  graph: Graph,
  target: Target,
  options: PipelineOptions,
  ahead: Ahead | null,
): Generator<void, Stages> {
  const { graph: optimised, fired: recognised, memory } = span('phase', 'passes', () => optimise(graph))
  yield
  const plan = span('phase', 'scheduling', () => scheduleGraph(optimised, options.policy ?? target.policy))
  yield
  const facts = target.specialises ? launchFacts(plan, options.variant ?? bestVariant) : []
  const emitter = target.emitter()
  const emit = (lane: LaneProgram): void => {
    if (ahead === null) return
    span('phase', 'emission', () => {
      const source = emitter.alone(lane)
      if (source !== null) ahead(source)
    })
  }
  const lanes: LaneProgram[] = []
  for (const i of productsFirst(plan.kernels)) {
    const { program, target: loweredFor, isJoined } = loweringOf(plan, i, target)
    lanes[i] = span('phase', 'lowering', () => lowerKernel(program, loweredFor, facts[i]))
    if (!isJoined) emit(lanes[i]!)
    yield
  }
  const launches = span('phase', 'lowering', () => launchesOf(plan, lanes, target))
  const emitted = launches.kernels.map(({ lane }) => lane)
  for (const lane of emitted) {
    emit(lane)
    yield
  }
  const source = emitted.length === 0 ? '' : span('phase', 'emission', () => emitter.unit(emitted))
  return { target, captured: graph, optimised, recognised, memory, plan, lanes, launches, source }
}

/** The indices of kernels in the order in which they are lowered: those whose code takes longest to compile first. */
function productsFirst(kernels: readonly TileProgram[]): readonly number[] {
  const isProduct = kernels.map(({ body }) => nodesOf(body).some(({ op }) => op === 'dot'))
  return [...kernels.keys()].sort((a, b) => Number(isProduct[b]) - Number(isProduct[a]))
}

/** Runs every pass and returns all intermediate results. `ahead`: default: the device's compiler is not called. */
export function runPipeline(
  graph: Graph,
  target: Target,
  options: PipelineOptions = {},
  ahead: Ahead | null = null,
): Stages {
  const passes = pipeline(graph, target, options, ahead)
  for (;;) {
    const { done, value } = passes.next()
    if (done) return value
  }
}

/** As `runPipeline`, but lets the event loop run whenever the passes have blocked it for `sliceMs`. */
async function runPipelineAsync(
  graph: Graph,
  target: Target,
  options: PipelineOptions,
  ahead: Ahead | null,
): Promise<Stages> {
  const passes = pipeline(graph, target, options, ahead)
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

export function artifactOf({ target, launches: { plan, kernels }, source }: Stages): Artifact {
  const interfaces = kernels.map(({ lane, params, writes }) => ({
    symbol: target.symbolOf(lane),
    params,
    writes,
    resources: target.resourcesOf(lane),
  }))
  return { plan, kernels: interfaces, source }
}

/** A graph as text: two graphs with equal text are the same function. */
export function graphText(graph: Graph): string {
  const known = texts.get(graph)
  if (known !== undefined) return known
  const text = textOf(graph)
  texts.set(graph, text)
  return text
}

const texts = new WeakMap<Graph, string>()

function textOf(graph: Graph): string {
  const { outputs, writeBacks, symbols, float32Matmul, deterministic } = graph
  const targets = writeBacks.map(({ offset, shape, strides, ...rest }) => ({
    ...rest,
    offset: String(offset),
    shape: shape.map(String),
    strides: strides.map(String),
  }))
  return `${print<GraphNode>(graphDialect, graph.body)}${JSON.stringify({ outputs, targets, symbols, float32Matmul, deterministic })}`
}

/** The cache key of a graph's artifact: a hash of everything that it depends on. */
function artifactKey(
  graph: Graph,
  { name, facts, policy: usual }: Target,
  { policy = usual, variant }: PipelineOptions,
): string {
  const choices = JSON.stringify([name, facts, policy.limits, variant ?? null, usesPatterns()])
  return contentHash(['artifact', graphText(graph), choices, codeFingerprint()])
}

/**
 * The artifact of a graph: from the disk cache when this build of the compiler compiled the graph for this target before,
 * else made and cached.
 */
export function compileGraph(graph: Graph, device: ComputeDevice, options: PipelineOptions = {}): Artifact {
  const { cache, target } = device
  const key = span('phase', 'cache', () => artifactKey(graph, target, options))
  return recall(cache, key) ?? remember(cache, key, runPipeline(graph, target, options, device.compileAhead()))
}

/** As `compileGraph`, but lets the event loop run between passes. */
export async function compileGraphAsync(
  graph: Graph,
  device: ComputeDevice,
  options: PipelineOptions = {},
): Promise<Artifact> {
  const { cache, target } = device
  const key = artifactKey(graph, target, options)
  return (
    recall(cache, key) ?? remember(cache, key, await runPipelineAsync(graph, target, options, device.compileAhead()))
  )
}

function recall(cache: DiskCache, key: string): Artifact | null {
  return span('phase', 'cache', () => {
    const known = cache.get(key)
    return known === null ? null : decodeArtifact(known)
  })
}

function remember(cache: DiskCache, key: string, stages: Stages): Artifact {
  const artifact = artifactOf(stages)
  span('phase', 'cache', () => cache.put(key, encodeArtifact(artifact)))
  return artifact
}
