/** An explanation as a page (report/page.ts): the answer first, then the evidence. */
import { formatBytes, formatCount, formatTime, plural, threeDigits } from '../../base/units.js'
import { areaHtml } from '../../report/area.js'
import { type Content, type Html, html } from '../../report/html.js'
import { pageText, type Section } from '../../report/page.js'
import { type Roof, rooflineHtml } from '../../report/roofline.js'
import { barHtml, listHtml, tableHtml, tilesHtml } from '../../report/table.js'
import { choiceText } from '../autotune.js'
import type { MachineLimits } from '../limits.js'
import type { KernelExplanation } from './explain-kernel.js'
import type { Explanation, SegmentExplanation } from './explanation.js'
import { adviceSection } from './html-advice.js'
import { graphSection } from './html-graph.js'
import { kernelData, kernelsSection } from './html-kernels.js'
import { costOf, type KernelTimes, partHeading } from './html-parts.js'
import { checksSection, tensorsSection } from './html-versions.js'

const unmeasured: KernelTimes = () => null

/** The page of `Explanation.toHtml`. */
export const explanationPage = (explanation: Explanation): string =>
  pageText({
    title: explanation.name,
    lead: explanationLead(explanation),
    sections: [...adviceSection(explanation.advice), overviewSection(explanation), ...explanationSections(explanation)],
  })

/** What fused, what it costs. */
export function explanationLead({ opCount, kernels, segments, breaks }: Explanation): Content {
  const least = leastTime(kernels)
  const bound = kernels.filter(kernel => kernel.bound === 'memory')
  const share = least === null ? 0 : (leastTime(bound) ?? 0) / least
  const cost =
    least === null
      ? ''
      : ` At this machine's measured limits a call takes at least ${formatTime(least)}; ${Math.round(share * 100)}\u00a0% of that is moving data.`
  const parts =
    breaks.length === 0
      ? ''
      : ` ${plural(breaks.length, 'graph break')} cut it into ${plural(segments.length, 'part')}.`
  return `${plural(opCount, 'op')} became ${plural(kernels.length, 'kernel')}.${parts}${cost}`
}

/** The sum of the limits of kernels that run once per call; null: none was compared with limits. */
function leastTime(kernels: readonly KernelExplanation[]): number | null {
  const times = kernels.flatMap(({ limitNanoseconds, within }) => (within === null ? (limitNanoseconds ?? []) : []))
  return times.length === 0 ? null : sum(times)
}

/** The numbers that matter, and the kernels that cost most. */
export function overviewSection(explanation: Explanation, times: KernelTimes = unmeasured): Section {
  const { kernels, opCount, segments, breaks, recompiles } = explanation
  const least = leastTime(kernels)
  const peak = Math.max(0, ...segments.map(({ memory }) => memory.peak))
  const bytes = sum(kernels.map(kernel => kernel.bytes))
  const tiles = [
    { value: `${opCount} → ${kernels.length}`, label: 'ops → kernels' },
    ...(least === null ? [] : [{ value: formatTime(least), label: 'least time of a call, by the limits' }]),
    { value: formatBytes(bytes), label: 'read and written' },
    { value: formatCount(sum(kernels.map(({ flops }) => flops)), 'FLOP'), label: 'arithmetic' },
    { value: formatBytes(peak), label: 'peak memory' },
    {
      value: String(breaks.length + recompiles.length),
      label: html`<a href="#checks">graph breaks and recompiles</a>`,
    },
  ]
  const { rows, unit } = costsByName(kernels, times)
  const all = sum(rows.map(({ amount }) => amount))
  const most = rows[0]?.amount ?? 0
  return {
    id: 'overview',
    title: 'Overview',
    body: html`${tilesHtml(tiles)}
<h3>Where it goes <small>kernels by ${unit}</small></h3>
<ol class="bars">${rows.slice(0, 6).map(({ name, first, count, amount, text }) => {
      const launches = count === 1 ? '' : ` × ${count}`
      const [ofMost, ofAll] = [most, all].map(whole => (whole === 0 ? 0 : amount / whole)) as [number, number]
      return html`<li><span><a href="#kernel-${first}">${name}</a>${launches}</span>${barHtml(ofMost)}<span class="number">${text}</span><span class="number">${threeDigits(ofAll * 100)}\u00a0%</span></li>`
    })}</ol>`,
  }
}

/** The kernels by name, the costliest first: several launches may run one. */
function costsByName(kernels: readonly KernelExplanation[], times: KernelTimes) {
  const rows = new Map<string, { name: string; first: number; count: number; amount: number }>()
  const costs = kernels.map(kernel => costOf(kernel, times))
  for (const [i, { amount }] of costs.entries()) {
    const { name } = kernels[i]!
    const row = rows.get(name) ?? { name, first: i, count: 0, amount: 0 }
    rows.set(name, { ...row, count: row.count + 1, amount: row.amount + amount })
  }
  const unit = costs[0]?.what ?? 'bytes'
  const text = unit === 'bytes' ? formatBytes : formatTime
  return {
    unit,
    rows: [...rows.values()].sort((a, b) => b.amount - a.amount).map(row => ({ ...row, text: text(row.amount) })),
  }
}

/** All sections but the overview. */
export function explanationSections(explanation: Explanation, times: KernelTimes = unmeasured): Section[] {
  const { segments, kernels, limits } = explanation
  const tuned = segments.flatMap(({ tuning }) => tuning ?? [])
  return [
    graphSection(explanation),
    { ...kernelsSection(explanation, times), data: kernelData(explanation) },
    ...rooflineSection(kernels, limits, times),
    memorySection(segments),
    checksSection(explanation),
    ...(tuned.length === 0 ? [] : [tuningSection(segments)]),
    tensorsSection(segments),
    textSection(segments),
  ]
}

function rooflineSection(
  kernels: readonly KernelExplanation[],
  limits: MachineLimits | null,
  times: KernelTimes,
): Section[] {
  if (limits === null) return []
  const points = kernels.map(({ name, bytes, flops, limitNanoseconds }, i) => ({
    name,
    bytes,
    flops,
    nanoseconds: times(name) ?? limitNanoseconds ?? 0,
    href: `#kernel-${i}`,
  }))
  const measured = kernels.some(({ name }) => times(name) !== null)
  const plot = rooflineHtml(roofsOf(limits), points)
  if (plot === null) return []
  const note = measured
    ? 'Each point is a kernel at its measured rate; the distance to the line above is what could be gained. Data in a cache may be above the slope.'
    : 'Each point is a kernel at the rate that the machine’s limits allow: left of the ridge memory decides, right of it arithmetic. A profile shows measured rates.'
  return [
    { id: 'roofline', title: 'Roofline', body: html`<p class="note">${note} A point’s area is its time.</p>${plot}` },
  ]
}

/** The machine's roofs: f32 and, if it has them, matrix instructions. */
export function roofsOf(limits: MachineLimits): Roof[] {
  const bytesPerNanosecond = Math.max(limits.copyBytesPerNanosecond, limits.readBytesPerNanosecond)
  const { flopsPerNanosecond, matrixFlopsPerNanosecond } = limits
  return [
    { name: 'f32', bytesPerNanosecond, flopsPerNanosecond },
    ...(matrixFlopsPerNanosecond === undefined
      ? []
      : [{ name: '16-bit matrix', bytesPerNanosecond, flopsPerNanosecond: matrixFlopsPerNanosecond }]),
  ]
}

function memorySection(segments: readonly SegmentExplanation[]): Section {
  return {
    id: 'memory',
    title: 'Memory of a call',
    body: html`<p class="note">As planned, for these arguments.</p>${segments.map((segment, i) => segmentMemory(segment, i, segments.length))}`,
  }
}

function segmentMemory({ memory, backward, kernels }: SegmentExplanation, i: number, count: number): Html {
  const { inputs, outputs, slots, temporaries, peak, live } = memory
  const saved = temporaries - sum(slots)
  const facts = [
    `Inputs ${formatBytes(inputs)}, outputs ${formatBytes(outputs)}, peak ${formatBytes(peak)}.`,
    temporaries === 0
      ? 'No temporaries.'
      : `Temporaries ${formatBytes(temporaries)} in ${formatBytes(sum(slots))}: sharing saves ${formatBytes(Math.max(0, saved))}.`,
    ...(backward.kept + backward.recomputed === 0
      ? []
      : [
          `${formatBytes(backward.kept)} are kept for the backward pass, ${formatBytes(backward.recomputed)} are computed again in it.`,
        ]),
  ]
  const plot =
    live.length < 2
      ? null
      : areaHtml({
          label: `Memory over the ${live.length} launches of a call`,
          xLabel: 'launch',
          yLabel: 'memory',
          names: ['inputs', 'outputs', 'temporaries in use'],
          samples: live.map((bytes, x) => ({ x, bytes: [inputs, outputs, bytes] })),
          end: live.length,
        })
  const most = live.indexOf(Math.max(...live))
  const top =
    most < 0 || live[most] === 0
      ? null
      : html` Most temporaries are in use at launch ${most}, <code>${kernels[most]?.name ?? ''}</code>.`
  return html`${partHeading(i, count)}<p>${facts.join(' ')}${top}</p>${plot}`
}

function tuningSection(segments: readonly SegmentExplanation[]): Section {
  const body = segments.map(({ tuning }, i) => {
    if (tuning === null) return null
    const { gain, chosen, choices } = tuning
    const said = gain === null ? 'All choices give the same code.' : `${chosen}: ${gain.toFixed(2)}× the usual speed.`
    const columns = [
      { head: 'choice', cell: (each: (typeof choices)[number]) => choiceText(each) },
      {
        head: 'fastest call',
        number: true,
        cell: ({ nanoseconds }: (typeof choices)[number]) => (nanoseconds === null ? '' : formatTime(nanoseconds)),
      },
      { head: 'outcome', cell: ({ outcome }: (typeof choices)[number]) => outcome },
    ]
    return html`${partHeading(i, segments.length)}<p>${said}</p>${tableHtml(columns, choices)}`
  })
  return { id: 'tuning', title: 'Tuning', body: html`${body}` }
}

function textSection(segments: readonly SegmentExplanation[]): Section {
  return {
    id: 'graphs',
    title: 'Graphs as text',
    body: html`${segments.map(
      ({ recognised }, i) => html`${partHeading(i, segments.length)}
${recognised.length === 0 ? null : html`<p>Recognised as built-in ops:</p>${listHtml(recognised.map(({ rule, count, note }) => `${rule}${count === 1 ? '' : `, ${count} times`} (${note})`))}`}
<details class="text" data-text="graph-${i}"><summary>As captured</summary></details>
<details class="text" data-text="optimised-${i}"><summary>After the passes, before fusion</summary></details>
<details class="text" data-text="code-${i}"><summary>All generated code</summary></details>`,
    )}`,
    data: Object.fromEntries(
      segments.flatMap(({ graph, optimised }, i) => [
        [`graph-${i}`, graph],
        [`optimised-${i}`, optimised],
      ]),
    ),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
