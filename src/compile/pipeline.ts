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
import { isLogged, log } from '../base/log.js'
import { span } from '../base/spans.js'
import type { DiskCache } from '../cache/disk-cache.js'
import { mapBlocks } from '../graph/blocks.js'
import { expandedGradients, holdsGradients } from '../graph/derivatives/expand.js'
import { type BackwardMemory, noMemory } from '../graph/derivatives/recompute.js'
import { type Graph, type GraphNode, graphDialect } from '../graph/ir.js'
import { canonicalPasses, type GraphPass, viewPasses } from '../graph/passes/index.js'
import {
  type FiredRule,
  type PatternPass,
  type PatternResult,
  recognise,
  recogniseOps,
} from '../graph/patterns/index.js'
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

/** A pass over graphs in the pipeline: the graph that it makes, and what it tells of it. */
export interface GraphStep {
  readonly name: string
  /** The names of its rules, in order, if it consists of rules. */
  readonly rules?: readonly string[]
  /** `count`: only so many of its rules, the first ones; default: all. */
  run(graph: Graph, count?: number): Pick<Optimised, 'graph'> & Partial<Optimised>
}

const stepOf = ({ run, ...pass }: GraphPass): GraphStep => ({
  ...pass,
  run: (graph, count) => ({ graph: run(graph, count) }),
})

const unlessOff = ({ run, ...pass }: PatternPass): GraphStep => ({
  ...pass,
  run: (graph, count) => (usesPatterns() ? run(graph, count) : { graph }),
})

/** What is written out of ops that have gradients of their own becomes these ops, before gradients are taken. */
export const recognisedOps = (graph: Graph): Pick<PatternResult, 'graph'> =>
  unlessOff(recogniseOps).run(verified(graph))

/** The passes over graphs, in order. Those after the first two keep control-flow blocks, to which all are applied at the end. */
export const graphSteps: readonly GraphStep[] = [
  {
    ...recogniseOps,
    run: (graph, count) => (holdsGradients(graph) ? unlessOff(recogniseOps).run(graph, count) : { graph }),
  },
  { name: 'gradients', run: expandedGradients },
  ...canonicalPasses.map(stepOf),
  unlessOff(recognise),
  ...viewPasses.map(stepOf),
]

/**
 * Requires: a verified graph. Guarantees: the same function, with views at the inputs, no dead or constant work, hand-written
 * compositions (a softmax, a layer norm) in the form of the built-in op, and only primitives that fusion knows.
 */
export function optimise(graph: Graph, steps: readonly GraphStep[] = graphSteps): Optimised {
  const all: FiredRule[] = []
  let [current, memory] = [verified(graph), noMemory]
  for (const step of steps) {
    const { graph: made, fired = [], memory: kept = memory } = step.run(current)
    all.push(...fired)
    memory = kept
    current = made === current ? made : verified(made)
  }
  const optimised = mapBlocks(current, block => {
    const inner = optimise(block, steps)
    all.push(...inner.fired)
    return inner.graph
  })
  return { graph: verified(optimised), fired: all, memory }
}

const usesPatterns = (): boolean => flag('patterns')

function verified(graph: Graph): Graph {
  verify(graphDialect, graph.body)
  return graph
}

export interface PipelineOptions {
  /** The scheduler's policy. Default: the target's usual one. */
  readonly policy?: SchedulePolicy
  /** What the code may assume of launches, on targets that specialise code for it. Default: the best variant. */
  readonly variant?: Variant
  /** The function or op that the graph is of, for the log. */
  readonly name?: string
}

const unnamed = 'a graph'

/** As the compiler's own parts, others that `bisect` is to look at. */
export interface PipelineParts {
  /** Default: `graphSteps`. */
  readonly steps?: readonly GraphStep[]
  /** Default: `scheduleGraph`. */
  readonly schedule?: typeof scheduleGraph
}

/** Takes kernels as they are emitted (`Emitter.alone`), so that the device's compiler works meanwhile. */
type Ahead = (source: string) => void

/** Every pass in order. It yields between them, so that the driver may let the event loop run. */
function* pipeline(
  graph: Graph,
  target: Target,
  { steps, schedule = scheduleGraph, ...options }: PipelineOptions & PipelineParts,
  ahead: Ahead | null,
): Generator<void, Stages> {
  const { graph: optimised, fired: recognised, memory } = span('phase', 'passes', () => optimise(graph, steps))
  if (isLogged('graph')) logGraph(options.name ?? unnamed, graph, optimised, recognised)
  yield
  const plan = span('phase', 'scheduling', () => schedule(optimised, options.policy ?? target.policy))
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

/** Logs what the passes made of a graph, and what each rule recognised, at the lines that it replaces. */
function logGraph(name: string, captured: Graph, optimised: Graph, fired: readonly FiredRule[]): void {
  const lines = nodesOf<GraphNode>(captured.body).map(({ origin }) => origin.at)
  const sizes = [captured, optimised].map(({ body }) => nodesOf<GraphNode>(body).length)
  const first = lines.find(at => at !== null) ?? null
  log('graph', name, () => `${sizes[0]} nodes captured, ${sizes[1]} after the passes: ${describeOps(optimised)}`, first)
  for (const { rule, count, lines: places } of fired)
    log('graph', name, () => `rule '${rule}' replaced ${count} ${count === 1 ? 'place' : 'places'}`, places[0] ?? first)
}

/** The ops of a graph but for its inputs, in order. */
const describeOps = ({ body }: Graph): string =>
  nodesOf<GraphNode>(body)
    .filter(({ inputs }) => inputs.length > 0)
    .map(node => (node.op === 'map' || node.op === 'reduce' ? `${node.op} ${node.attrs.fn}` : node.op))
    .join(', ')

/** The indices of kernels in the order in which they are lowered: those whose code takes longest to compile first. */
function productsFirst(kernels: readonly TileProgram[]): readonly number[] {
  const isProduct = kernels.map(({ body }) => nodesOf(body).some(({ op }) => op === 'dot'))
  return [...kernels.keys()].sort((a, b) => Number(isProduct[b]) - Number(isProduct[a]))
}

/** Runs every pass and returns all intermediate results. `ahead`: default: the device's compiler is not called. */
export function runPipeline(
  graph: Graph,
  target: Target,
  options: PipelineOptions & PipelineParts = {},
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
  const known = recall(cache, key, options)
  return known ?? remember(cache, key, runPipeline(graph, target, options, device.compileAhead()))
}

/** As `compileGraph`, but lets the event loop run between passes. */
export async function compileGraphAsync(
  graph: Graph,
  device: ComputeDevice,
  options: PipelineOptions = {},
): Promise<Artifact> {
  const { cache, target } = device
  const key = artifactKey(graph, target, options)
  const known = recall(cache, key, options)
  return known ?? remember(cache, key, await runPipelineAsync(graph, target, options, device.compileAhead()))
}

function recall(cache: DiskCache, key: string, { name = unnamed }: PipelineOptions): Artifact | null {
  return span('phase', 'cache', () => {
    const known = cache.get(key)
    log('cache', name, () => `${known === null ? 'no plan yet' : `a plan of ${known.byteLength} bytes`} under ${key}`)
    return known === null ? null : decodeArtifact(known)
  })
}

function remember(cache: DiskCache, key: string, stages: Stages): Artifact {
  const artifact = artifactOf(stages)
  span('phase', 'cache', () => cache.put(key, encodeArtifact(artifact)))
  return artifact
}
