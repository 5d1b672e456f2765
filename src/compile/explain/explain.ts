/** Builds the explanation (explanation.ts) of a capture. */
import { writeFileSync } from 'node:fs'
import type { ComputeDevice, KernelResourceUse } from '../../backends/device.js'
import { computeDevice } from '../../backends/index.js'
import { graphDialect } from '../../graph/ir.js'
import { print } from '../../ir/print.js'
import { evaluateSize } from '../../scalar/size.js'
import { explainedAdvice } from '../advice/explained.js'
import { segmentFacts } from '../advice/facts.js'
import { policyOf, type Tuning } from '../autotune.js'
import { type ArgumentTree, slotPaths } from '../capture/argument-tree.js'
import type { Capture, PinnedSizes } from '../capture/capture.js'
import type { Segment } from '../capture/segment.js'
import { childrenOf, describeValue } from '../capture/tree.js'
import { planMemoryUse } from '../execute/memory-use.js'
import type { MachineLimits } from '../limits.js'
import { runPipeline, type Stages } from '../pipeline.js'
import { explainGroups, groupAgainst } from './explain-group.js'
import { explanationPage } from './explain-html.js'
import { explainKernels } from './explain-kernel.js'
import { explainOps } from './explain-ops.js'
import { printExplanation } from './explain-text.js'
import type { Explanation, ExplanationData, SegmentExplanation } from './explanation.js'

/**
 * @param segments all segments in order: those that graph breaks ended, then the last one
 * @param tuningFor what max-autotune chose for a segment; null: the usual block sizes
 */
export function explainCapture(
  name: string,
  { args, guards, breaks }: Capture,
  recompiles: readonly string[],
  segments: readonly Segment[],
  reads: PinnedSizes,
  tuningFor: (segment: Segment) => Tuning | null,
): Explanation {
  return explanationOf({
    name,
    segments: segments.map(segment => explainSegment(segment, tuningFor(segment))),
    guards: [...guards.describe(), ...describeFields(args), ...describeReads(args, reads), ...precisionGuard(segments)],
    breaks,
    recompiles,
    limits: null,
  })
}

/** The guards on values and on the structure of objects. */
function describeFields(tree: ArgumentTree): string[] {
  const below = childrenOf(tree).flatMap(describeFields)
  switch (tree.kind) {
    case 'value':
      return [`${tree.path}: ${describeValue(tree.value)}`]
    case 'record':
      return tree.prototype === Object.prototype || tree.prototype === null
        ? [`${tree.path}: an object with the keys ${tree.keys.join(', ')}, in this order`, ...below]
        : [
            `${tree.path}: ${tree.guarded === null ? 'a' : 'this very'} ${tree.prototype.constructor.name} with the fields ${tree.keys.join(', ')}`,
            ...below,
          ]
    case 'map':
    case 'set':
      return [`${tree.path}: a ${tree.kind === 'map' ? 'Map' : 'Set'} of ${tree.items.length}`, ...below]
    case 'bytes':
      return [`${tree.path}: ${tree.content.length} bytes`]
    case 'date':
      return [`${tree.path}: a date`]
    default:
      return below
  }
}

/** The guards on numbers and sizes that the function reads: each new value costs a trace. */
function describeReads(args: ArgumentTree, reads: PinnedSizes): string[] {
  const numbers = slotPaths(args, 'number').map(
    path => `${path}: a number; a new value is traced once (pass scalar(v) to save that)`,
  )
  const sizes = [...reads].map(([key, at]) => {
    const [, path, dim] = /^(.*):(\d+)$/.exec(key) ?? []
    const line = at === null ? '' : ` at ${at.file}:${at.line}`
    return `${path}: size ${dim} is read${line}; a new value is traced once (take ${path}.dim(${dim}) to save that)`
  })
  return [...numbers, ...sizes]
}

const precisionGuard = (segments: readonly Segment[]): string[] =>
  segments.some(({ graph }) => graph.float32Matmul === 'tf32')
    ? ["float32MatmulPrecision 'high': f32 matmuls round their operands to tf32"]
    : []

/** The explanation with what derives from its segments. */
function explanationOf(data: ExplanationData): Explanation {
  const { segments } = data
  const joined = (part: (segment: SegmentExplanation) => string): string => segments.map(part).join('\n')
  const explanation: Explanation = {
    ...data,
    advice: explainedAdvice(data),
    opCount: segments.reduce((sum, { opCount }) => sum + opCount, 0),
    kernels: segments.flatMap(({ kernels }) => kernels),
    graph: joined(({ graph }) => graph),
    optimised: joined(({ optimised }) => optimised),
    code: joined(({ code }) => code),
    inputs: segments.flatMap(({ inputs }) => inputs),
    against: limits => explanationOf({ ...data, segments: segments.map(each => judged(each, limits)), limits }),
    toText: options => printExplanation(explanation, options),
    toHtml: path => {
      const page = explanationPage(explanation)
      if (path !== undefined) writeFileSync(path, page)
      return page
    },
    toString: () => printExplanation(explanation, { graphs: 'captured' }),
  }
  return explanation
}

/** The segment with each kernel judged against the machine's roofline. */
function judged(segment: SegmentExplanation, limits: MachineLimits): SegmentExplanation {
  const bandwidth = Math.max(limits.copyBytesPerNanosecond, limits.readBytesPerNanosecond)
  const { flopsPerNanosecond, matrixFlopsPerNanosecond = flopsPerNanosecond } = limits
  const kernels = segment.kernels.map(kernel => {
    const memory = kernel.bytes / bandwidth
    const compute = kernel.flops / (kernel.narrowProducts ? matrixFlopsPerNanosecond : flopsPerNanosecond)
    return {
      ...kernel,
      bound: compute > memory ? ('compute' as const) : ('memory' as const),
      limitNanoseconds: Math.max(memory, compute),
    }
  })
  return { ...segment, kernels, groups: segment.groups.map(group => groupAgainst(group, limits)) }
}

/** Compiles a segment and explains its kernels, memory and groups. */
function explainSegment(segment: Segment, tuning: Tuning | null): SegmentExplanation {
  const device = computeDevice(segment.device)
  const options = tuning === null ? {} : { policy: policyOf(tuning, device) }
  const stages = runPipeline(segment.graph, device.target, options)
  const { plan } = stages
  const paths = segment.inputs.map(({ path }) => path)
  const values = new Map(plan.symbols.map(({ name }, i) => [name, segment.symbols[i] ?? Number.NaN]))
  const uses = resourceUses(stages, device)
  const kernels = explainKernels(plan, paths, values).map((each, step) => ({
    ...each,
    resources: uses[stages.launches.kernelOfStep[step]!] ?? null,
  }))
  return {
    graph: print(graphDialect, stages.captured.body, { origins: true }),
    optimised: print(graphDialect, stages.optimised.body),
    ops: explainOps(stages.captured),
    recognised: stages.recognised,
    opCount: segment.ops,
    inputs: segment.inputs.map(({ kind, path, tensor }) => {
      const readBy = kernels.filter(({ reads }) => reads.includes(path)).map(({ name }) => name)
      return { path, kind, tensor: tensor.describe(), readBy }
    }),
    symbols: plan.symbols.map(({ name, kind, input, dim, unit }) => {
      const whole = kind === 'value' ? `the value of scalar ${input}` : `${kind} ${dim} of ${paths[input]}`
      const less = unit === undefined || unit.rest === 0 ? whole : `(${whole} − ${unit.rest})`
      const from = unit === undefined ? whole : `${less} / ${unit.divisor}`
      return { name, from, value: values.get(name) ?? Number.NaN }
    }),
    kernels,
    groups: explainGroups(stages, values, launch => kernels[launch]!.narrowProducts),
    memory: planMemoryUse(plan, segment.inputs, values),
    backward: {
      kept: evaluateSize(stages.memory.kept, values),
      recomputed: evaluateSize(stages.memory.recomputed, values),
    },
    tuning,
    facts: segmentFacts(segment),
    code: stages.source,
  }
}

/** Resources of each kernel, as the device's compiler reports them. */
function resourceUses({ launches, target, source }: Stages, device: ComputeDevice): readonly KernelResourceUse[] {
  if (source === '') return []
  const kernels = launches.kernels.map(({ lane }) => ({
    symbol: target.symbolOf(lane),
    resources: target.resourcesOf(lane),
  }))
  return device.kernelUses(source, kernels) ?? []
}
