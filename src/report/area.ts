/** Amounts over time or over launches, stacked. */
import { formatBytes } from '../base/units.js'
import { frameHtml, legendHtml, seriesCount } from './frame.js'
import { type Html, html } from './html.js'

export interface AreaPlot {
  /** For readers who do not see it. */
  readonly label: string
  readonly xLabel: string
  readonly yLabel: string
  /** Bottom to top. */
  readonly names: readonly string[]
  /** In order of `x`; from there on each name has its number of bytes. */
  readonly samples: readonly { readonly x: number; readonly bytes: readonly number[] }[]
  /** Where the last sample ends. */
  readonly end: number
}

/** Samples that are drawn: beyond that each stands for several, with the largest sum among them. */
const mostSamples = 800

/** The plot and its legend. Ticks are round in the binary unit of the largest sum. */
export function areaHtml({ label, xLabel, yLabel, names, samples, end }: AreaPlot): Html {
  const drawn = thinned(samples)
  const most = Math.max(1, ...drawn.map(({ bytes }) => sum(bytes)))
  const unit = 1024 ** Math.min(4, Math.floor(Math.log2(most) / 10))
  const x = { label: xLabel, scale: 'linear', values: [drawn[0]?.x ?? 0, end] } as const
  const y = {
    label: `${yLabel} (${formatBytes(unit).replace(/^[\d.]+ /, '')})`,
    scale: 'linear',
    values: [0, (most * 1.05) / unit],
  } as const
  const plot = frameHtml({ label, x, y }, (across, up) =>
    names.map((name, i) => {
      const edge = (below: number): (readonly [number, number])[] =>
        drawn.flatMap(({ x: from, bytes }, k) => {
          const height = up.at(sum(bytes.slice(0, i + below)) / unit)
          return [
            [across.at(from), height],
            [across.at(drawn[k + 1]?.x ?? end), height],
          ] as const
        })
      const outline = [...edge(1), ...edge(0).reverse()].map(([px, py]) => `${px} ${py}`).join('L')
      return html`<path class="area series-${i % seriesCount}" d="M${outline}Z"><title>${name}</title></path>`
    }),
  )
  return html`${plot}${legendHtml(names)}`
}

function thinned(samples: AreaPlot['samples']): AreaPlot['samples'] {
  const step = Math.ceil(samples.length / mostSamples)
  if (step <= 1) return samples
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, i) => {
    const part = samples.slice(i * step, (i + 1) * step)
    const largest = part.reduce((a, b) => (sum(b.bytes) > sum(a.bytes) ? b : a))
    return { x: part[0]!.x, bytes: largest.bytes }
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
