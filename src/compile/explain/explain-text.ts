/** An explanation as text. */
import type { SourceLocation } from '../../base/source.js'
import { formatBytes, formatCount, formatTime, plural, threeDigits } from '../../base/units.js'
import type { FiredRule } from '../../graph/patterns/index.js'
import { adviceLines } from '../advice/advice.js'
import { choiceText, type MeasuredChoice, type Tuning } from '../autotune.js'
import type { GroupExplanation } from './explain-group.js'
import type { Decoding, KernelExplanation } from './explain-kernel.js'
import type { Explanation, PrintExplanationOptions, SegmentExplanation } from './explanation.js'

type Lines = readonly string[]

/** The explanation as text; `options` adds graphs and generated code. */
export function printExplanation(explanation: Explanation, options: PrintExplanationOptions = {}): string {
  const { name, opCount, kernels, segments, breaks } = explanation
  const several = segments.length > 1
  const parts = several ? `, ${plural(breaks.length, 'graph break')}` : ''
  return [
    `${name}: ${plural(opCount, 'op')} in ${plural(kernels.length, 'kernel')}${parts}`,
    ...section('advice', adviceLines(explanation.advice)),
    ...section('guards', explanation.guards),
    ...section(
      'graph breaks',
      breaks.map(({ reader, at }) => `${reader} at ${locationText(at)}`),
    ),
    ...section('recompiles', explanation.recompiles),
    ...limitLines(explanation),
    ...segments.flatMap((segment, i) => [
      ...(several ? ['', `── part ${i + 1} of ${segments.length} ──`] : []),
      ...segmentLines(segment, options),
    ]),
    '',
  ].join('\n')
}

function limitLines({ limits }: Explanation): Lines {
  if (limits === null) return []
  const { flopsPerNanosecond, matrixFlopsPerNanosecond, copyBytesPerNanosecond, readBytesPerNanosecond } = limits
  const matrix =
    matrixFlopsPerNanosecond === undefined
      ? ''
      : ` ${threeDigits(matrixFlopsPerNanosecond)} GFLOP/s (16-bit matrix instructions),`
  return section('measured limits, memory outside of caches', [
    `${threeDigits(flopsPerNanosecond)} GFLOP/s (f32),${matrix} copy ${threeDigits(copyBytesPerNanosecond)} GB/s, read ${threeDigits(readBytesPerNanosecond)} GB/s`,
  ])
}

/** The lines of one segment: the graph between two breaks. */
function segmentLines(segment: SegmentExplanation, { graphs = 'none', code = false }: PrintExplanationOptions): Lines {
  const { inputs, symbols, kernels, memory, backward, tuning } = segment
  return [
    ...section(
      'inputs',
      inputs.map(({ path, kind, tensor, readBy }) => {
        const readers = readBy.length === 0 ? '' : `, read by ${readBy.join(', ')}`
        return `${path}: ${kind}, ${tensor}${readers}`
      }),
    ),
    ...section(
      'symbolic sizes',
      symbols.map(({ name, from, value }) => `${name} = ${from}${Number.isNaN(value) ? '' : `, here ${value}`}`),
    ),
    ...section('recognised', segment.recognised.map(recognisedLine)),
    ...(tuning === null ? [] : tuningLines(tuning)),
    ...section('kernels', kernels.flatMap(kernelLines)),
    ...section('grouped matmuls', segment.groups.flatMap(groupLines)),
    ...section('memory of a call', [...memoryLines(memory), ...backwardLines(backward)]),
    ...(graphs === 'none' ? [] : section('graph', lines(segment.graph))),
    ...(graphs === 'both' ? section('graph after the passes', lines(segment.optimised)) : []),
    ...(code ? section('code', lines(segment.code)) : []),
  ]
}

function tuningLines({ choices, gain, chosen }: Tuning): Lines {
  const result = gain === null ? 'all give the same code' : `${chosen}: ${gain.toFixed(2)}× the usual speed`
  return section(`choices of block sizes, measured (${result})`, choices.map(choiceLine))
}

function choiceLine({ nanoseconds, outcome, ...choice }: MeasuredChoice): string {
  const time = nanoseconds === null ? '' : ` ${formatTime(nanoseconds)},`
  return `${choiceText(choice)}:${time} ${outcome}`
}

function recognisedLine({ rule, count, lines: locations, note }: FiredRule): string {
  const times = count === 1 ? '' : `, ${count} times`
  const where = locations.length === 0 ? '' : `, from ${locations.map(locationText).join(', ')}`
  return `${rule}${times}${where} (${note})`
}

/** The lines of one kernel. */
export function kernelLines(kernel: KernelExplanation): Lines {
  const { name, ops, bytes, flops, intensity, formulas, grid, reads, writes } = kernel
  const work = `${formatBytes(bytes)}, ${formatCount(flops, 'FLOP')}, ${threeDigits(intensity)} FLOP/byte${judgement(kernel)}`
  const programs = grid[0] * grid[1] * grid[2]
  const size = grid.filter((_, axis) => axis === 0 || grid.slice(axis).some(count => count > 1)).join('×')
  return [
    `${name}: ${ops.join(', ')}${kernel.within === null ? '' : ` (in ${kernel.within})`}`,
    `  ${work}`,
    ...(formulas === null ? [] : [`  in general ${formulas.bytes} bytes, ${formulas.flops} FLOP`]),
    `  grid ${size} (${plural(programs, 'program')})${tileText(kernel)}`,
    ...kernel.decoding.map(decodingLine),
    `  ${[`reads ${reads.join(', ') || 'nothing'}`, `writes ${writes.join(', ') || 'nothing'}`].join('; ')}`,
    ...resourceLines(kernel),
    ...(kernel.lines.length === 0 ? [] : [`  from ${kernel.lines.map(locationText).join(', ')}`]),
  ]
}

const decodingLine = ({ from, to }: Decoding): string =>
  from === to
    ? `  tensor cores multiply ${to} codes directly`
    : `  ${from} codes are dequantised to ${to} before they are multiplied`

/** The lines of a group of matmuls. */
export function groupLines(group: GroupExplanation): Lines {
  const { asked, strategy, products, tiles, waves, bytes, flops, estimates, inOrder } = group
  const { byteNanoseconds, flopNanoseconds } = group
  const choice = asked === strategy ? 'as requested' : `chosen for '${asked}'`
  const limits =
    byteNanoseconds === null || flopNanoseconds === null
      ? ''
      : `; at the limit ${formatTime(byteNanoseconds)} for the bytes, ${formatTime(flopNanoseconds)} for the arithmetic`
  const each = Object.entries(estimates ?? {}).map(([name, nanoseconds]) => `${name} ${formatTime(nanoseconds)}`)
  return [
    `${plural(products, 'matmul')}: ${strategy}, ${choice}${inOrder ? '; a CPU has no streams: one after another' : ''}`,
    `  ${plural(tiles, 'tile')}, ${threeDigits(waves)} waves, ${formatBytes(bytes)}, ${formatCount(flops, 'FLOP')}${limits}`,
    ...(each.length === 0 ? [] : [`  expected: ${each.join(', ')}`]),
  ]
}

function resourceLines({ resources }: KernelExplanation): Lines {
  if (resources === null) return []
  const { threads, registers, spilledBytes, sharedBytes, note } = resources
  const spills = spilledBytes === 0 ? 'no spills' : `${formatBytes(spilledBytes)} spilled`
  const shared = sharedBytes === 0 ? '' : `, ${formatBytes(sharedBytes)} of shared memory`
  return [
    `  blocks of ${threads} threads, ${registers} registers each, ${spills}${shared}`,
    ...(note === null ? [] : [`  ${note}`]),
  ]
}

function judgement({ bound, limitNanoseconds }: KernelExplanation): string {
  if (bound === null || limitNanoseconds === null) return ''
  return `: ${bound}-bound, ${formatTime(limitNanoseconds)} at the limit`
}

/** The shapes of a kernel's tiles. */
function tileText({ tiles: { stores, dots, loopSteps } }: KernelExplanation): string {
  const texts = (all: readonly (readonly number[])[]): string[] => all.map(shape => shape.join('×') || 'scalar')
  const counted = (all: readonly string[]): string[] =>
    [...new Set(all)].map(text => {
      const count = all.filter(other => other === text).length
      return count === 1 ? text : `${count} × ${text}`
    })
  return [
    stores.length === 0 ? '' : `, stores tiles of ${texts(stores).join(', ')}`,
    dots.length === 0 ? '' : `, matmuls of ${counted(texts(dots)).join(', ')} (M×N×K)`,
    loopSteps.length === 0 ? '' : `, loops by ${loopSteps.join(', ')}`,
  ].join('')
}

const backwardLines = ({ kept, recomputed }: SegmentExplanation['backward']): Lines =>
  kept + recomputed === 0
    ? []
    : [`${formatBytes(kept)} are kept for the backward pass, ${formatBytes(recomputed)} are computed again in it`]

function memoryLines({ inputs, outputs, slots, temporaries, peak }: SegmentExplanation['memory']): Lines {
  const shared = slots.length === 0 ? '' : ` in ${plural(slots.length, 'slot')}: ${slots.map(formatBytes).join(', ')}`
  return [
    `inputs ${formatBytes(inputs)}, outputs ${formatBytes(outputs)}, peak ${formatBytes(peak)}`,
    temporaries === 0 ? 'no temporaries' : `temporaries ${formatBytes(temporaries)}${shared}`,
  ]
}

const lines = (text: string): Lines => text.trimEnd().split('\n')

const section = (title: string, body: Lines): Lines =>
  body.length === 0 ? [] : ['', `${title}:`, ...body.map(line => `  ${line}`)]

const locationText = (at: SourceLocation | null): string => (at === null ? '(no line)' : `${at.file}:${at.line}`)
