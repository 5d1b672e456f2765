/**
 * Advice that follows from how a function is compiled: one rule each, a function of the explanation. What only shows when a program runs
 * is in observed.ts.
 */
import type { SourceLocation } from '../../base/source.js'
import { formatBytes, plural, threeDigits } from '../../base/units.js'
import type { ExplanationData } from '../explain/explanation.js'
import { type Advice, advise, ranked } from './advice.js'

type Rule = (explanation: ExplanationData) => readonly Advice[]

const rules: readonly Rule[] = [
  roundTrips,
  graphBreaks,
  recompiles,
  f32Weights,
  f32Products,
  awkwardViews,
  boundOf,
  oneKernel,
  fusion,
]

/** The advice that an explanation gives, problems first. */
export const explainedAdvice = (explanation: ExplanationData): Advice[] =>
  ranked(rules.flatMap(rule => rule(explanation)))

/** Products of fewer operations run in microseconds at any precision. */
const largeFlops = 1e8

/** Values that are read, and come back as a tensor: host values of the shape of what an earlier part of the call computed. */
function roundTrips({ segments, limits }: ExplanationData): Advice[] {
  return segments.flatMap(({ facts: { device, constants } }) =>
    constants.flatMap(({ at, isReturned, bytes }) => {
      if (!isReturned) return []
      const computed = device === 'cpu' ? 'kernels' : device
      return [
        advise({
          kind: 'round-trip',
          message: `${formatBytes(bytes)} that ${computed} computed go to JavaScript and back at each call`,
          at,
          fix: 'compute it with tensor ops, so that it stays on the device',
          evidence: [{ name: 'moved each way', value: bytes, unit: 'bytes' }],
          nanoseconds: limits === null ? null : (2 * bytes) / limits.copyBytesPerNanosecond,
        }),
      ]
    }),
  )
}

/** Those of a round trip are its advice. */
function graphBreaks(explanation: ExplanationData): Advice[] {
  const returned = new Set(roundTrips(explanation).map(({ at }) => lineKey(at)))
  const ends = explanation.breaks.filter(({ at }) => at === null || !returned.has(lineKey(at)))
  return ends.map(({ reader, at }) =>
    advise({
      kind: 'graph-break',
      message: `${reader} reads values, which ends the graph: the function runs again at each call`,
      at,
      fix: 'choose with where() or cond(), or read the result after the call',
    }),
  )
}

const lineKey = (at: SourceLocation | null): string => (at === null ? '' : `${at.file}:${at.line}`)

function recompiles({ recompiles: reasons, name }: ExplanationData): Advice[] {
  return reasons.length === 0 ? [] : [recompileAdvice(name, reasons)]
}

/** Advice for a function that compiled again, for these reasons. */
export function recompileAdvice(
  name: string,
  reasons: readonly string[],
  more: Pick<Advice, 'at' | 'nanoseconds'> = { at: null, nanoseconds: null },
): Advice {
  const last = reasons.at(-1)!
  return advise({
    kind: 'recompiles',
    message: `${name} compiled again ${reasons.length === 1 ? 'once' : `${reasons.length} times`}: ${last}`,
    fix: recompileFix(last),
    evidence: [{ name: 'compilations after the first', value: reasons.length, unit: 'count' }],
    ...more,
  })
}

function recompileFix(reason: string): string {
  if (/ size of dim /.test(reason)) return "compile with { dynamic: true } or { bucket: 'pow2' }, or pad to one size"
  if (/ was -?[\d.]+(?:e-?\d+)?, now -?[\d.]/.test(reason))
    return 'a number that is computed with: pass it as scalar(v) or a 0-d tensor; a loop count: keep to few values, each compiles once'
  if (/strides|layout/.test(reason)) return 'pass tensors of one layout: contiguous() them once, outside of the loop'
  return 'keep it the same at each call, or compile a function for each of its values'
}

function f32Weights({ segments }: ExplanationData): Advice[] {
  return segments.flatMap(({ facts: { widened } }) =>
    widened.map(({ at, from, weights, bytes }) =>
      advise({
        kind: 'f32-weights',
        message: `${from} activations become f32 to meet f32 weights (${weights}, ${formatBytes(bytes)})`,
        at,
        fix: `make the weights ${from}, net.to('${from}'), or use autocast: half the bytes, 16-bit matrix units`,
        evidence: [{ name: 'f32 weights', value: bytes, unit: 'bytes' }],
      }),
    ),
  )
}

/** On devices with tensor cores. */
function f32Products({ segments, limits }: ExplanationData): Advice[] {
  return segments.flatMap(({ kernels, facts: { device } }) =>
    kernels.flatMap(kernel => {
      if (device === 'cpu' || kernel.tiles.dots.length === 0 || kernel.narrowProducts) return []
      if (kernel.flops < largeFlops) return []
      const { flopsPerNanosecond, matrixFlopsPerNanosecond } = limits ?? {}
      const saved =
        flopsPerNanosecond === undefined || matrixFlopsPerNanosecond === undefined
          ? null
          : kernel.flops / flopsPerNanosecond - kernel.flops / matrixFlopsPerNanosecond
      return [
        advise({
          kind: 'f32-products',
          message: `${kernel.name} multiplies f32 without tensor cores`,
          at: kernel.lines[0] ?? null,
          fix: "setFloat32MatmulPrecision('high') for tf32, or bf16 weights and activations",
          evidence: [{ name: 'work', value: kernel.flops, unit: 'flops' }],
          nanoseconds: saved,
        }),
      ]
    }),
  )
}

function awkwardViews({ segments }: ExplanationData): Advice[] {
  return segments.flatMap(({ facts: { views } }) =>
    views.map(({ kind, path, at, offsetBytes, stride, bytes }) =>
      kind === 'unaligned'
        ? advise({
            kind,
            message: `${path} starts ${formatBytes(offsetBytes)} into its memory, no multiple of 16: its loads are narrow`,
            at,
            fix: 'start the view at a multiple of 16 bytes, or clone() it once, outside of the loop',
            evidence: [{ name: 'read', value: bytes, unit: 'bytes' }],
          })
        : advise({
            kind,
            message: `${path} has its elements ${stride} apart: each load fetches what it does not use`,
            at,
            fix: 'contiguous() it once, outside of the loop',
            evidence: [{ name: 'read', value: bytes, unit: 'bytes' }],
          }),
    ),
  )
}

/** Memory-bound or compute-bound, by the kernels' time at the machine's limits. */
function boundOf({ segments, limits }: ExplanationData): Advice[] {
  if (limits === null) return []
  const kernels = segments.flatMap(segment => segment.kernels)
  const timeOf = (bound: 'memory' | 'compute'): number =>
    kernels.reduce((sum, each) => sum + (each.bound === bound ? (each.limitNanoseconds ?? 0) : 0), 0)
  const [memory, compute] = [timeOf('memory'), timeOf('compute')]
  if (memory + compute === 0) return []
  const bound = compute > memory ? 'compute' : 'memory'
  const share = Math.max(memory, compute) / (memory + compute)
  const longest = kernels.reduce((a, b) => ((b.limitNanoseconds ?? 0) > (a.limitNanoseconds ?? 0) ? b : a))
  return [
    advise({
      kind: `${bound}-bound`,
      severity: 'fact',
      message: `${bound}-bound: ${threeDigits(share * 100)} % of the time at the machine's limits is ${bound === 'memory' ? 'moving bytes' : 'arithmetic'}; most of it in ${longest.name}`,
      at: longest.lines[0] ?? null,
      fix:
        bound === 'memory'
          ? 'narrower dtypes or fewer passes over the data make it faster'
          : 'fewer operations or 16-bit products make it faster',
      evidence: [
        { name: 'bytes', value: kernels.reduce((sum, { bytes }) => sum + bytes, 0), unit: 'bytes' },
        { name: 'operations', value: kernels.reduce((sum, { flops }) => sum + flops, 0), unit: 'flops' },
        { name: 'at the limits', value: memory + compute, unit: 'ns' },
      ],
    }),
  ]
}

function oneKernel({ segments }: ExplanationData): Advice[] {
  const [segment] = segments
  const [kernel] = segment?.kernels ?? []
  if (segments.length !== 1 || segment!.kernels.length !== 1 || segment!.opCount !== 1) return []
  return [
    advise({
      kind: 'one-kernel',
      severity: 'fact',
      message: `one op, one kernel (${kernel!.name}): there is nothing to fuse, so compiling saves the dispatch alone`,
      at: kernel!.lines[0] ?? null,
      fix: null,
    }),
  ]
}

function fusion({ segments }: ExplanationData): Advice[] {
  const ops = segments.reduce((sum, { opCount }) => sum + opCount, 0)
  const kernels = segments.reduce((sum, segment) => sum + segment.kernels.length, 0)
  if (kernels === 0 || ops <= kernels) return []
  return [
    advise({
      kind: 'fusion',
      severity: 'fact',
      message: `${plural(ops, 'op')} run as ${plural(kernels, 'kernel')}: ${ops - kernels} fewer, and what lies between them is in no memory`,
      at: null,
      fix: null,
      evidence: [
        { name: 'ops', value: ops, unit: 'count' },
        { name: 'kernels', value: kernels, unit: 'count' },
      ],
    }),
  ]
}
