/**
 * Line plots as SVG, written here: no library of plots works without a browser's DOM and weighs less than this file. Colours follow
 * the reader's light or dark scheme.
 */

import { type Axis, axisOf, colours, tickText } from './axes.js'
import { escapeXml } from './html.js'

export interface PlotPoint {
  readonly x: number
  readonly y: number
  /** The ends of a bar through the point; absent: none. */
  readonly low?: number
  readonly high?: number
}

export interface Series {
  readonly name: string
  readonly points: readonly PlotPoint[]
}

export interface LinePlot {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** Logarithmic axes; all values must be positive. Default false. */
  readonly logX?: boolean
  readonly logY?: boolean
  readonly series: readonly Series[]
}

const [width, height] = [720, 420]
const margin = { left: 72, right: 150, top: 40, bottom: 52 }

const style = `text{font:12px system-ui,sans-serif;fill:#222}.grid{stroke:#8884}.axis{stroke:#888}
@media(prefers-color-scheme:dark){text{fill:#ddd}}`

/** The plot as an SVG document of 720 × 420. */
export function linePlotSvg({ title, xLabel, yLabel, logX = false, logY = false, series }: LinePlot): string {
  const points = series.flatMap(each => each.points)
  const across = { from: margin.left, to: width - margin.right }
  const up = { from: height - margin.bottom, to: margin.top }
  const x = axisOf(
    points.map(point => point.x),
    across,
    logX ? 'log2' : 'linear',
  )
  const y = axisOf(
    [...points.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]), ...(logY ? [] : [0])],
    up,
    logY ? 'log2' : 'linear',
  )
  const parts = [
    `<text x="${width / 2}" y="20" text-anchor="middle">${escapeXml(title)}</text>`,
    ...x.ticks.map(tick => verticalTick(x.at(tick), tick)),
    ...y.ticks.map(tick => horizontalTick(y.at(tick), tick)),
    `<path class="axis" fill="none" d="M${across.from} ${up.to}V${up.from}H${across.to}"/>`,
    `<text x="${(across.from + across.to) / 2}" y="${height - 12}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text transform="translate(16 ${(up.from + up.to) / 2})rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
    ...series.map((each, i) => seriesSvg(each, i, x, y)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeXml(title)}</title><style>${style}</style>
${parts.join('\n')}
</svg>
`
}

const verticalTick = (x: number, value: number): string =>
  `<path class="grid" d="M${x} ${margin.top}V${height - margin.bottom}"/>` +
  `<text x="${x}" y="${height - margin.bottom + 16}" text-anchor="middle">${tickText(value)}</text>`

const horizontalTick = (y: number, value: number): string =>
  `<path class="grid" d="M${margin.left} ${y}H${width - margin.right}"/>` +
  `<text x="${margin.left - 6}" y="${y + 4}" text-anchor="end">${tickText(value)}</text>`

function seriesSvg({ name, points }: Series, index: number, x: Axis, y: Axis): string {
  const colour = colours[index % colours.length]!
  const path = points.map(point => `${x.at(point.x)} ${y.at(point.y)}`).join('L')
  const bars = points
    .filter(({ low, high }) => low !== undefined && high !== undefined)
    .map(({ x: at, low, high }) => `<path stroke="${colour}" d="M${x.at(at)} ${y.at(low!)}V${y.at(high!)}"/>`)
  const dots = points.map(
    point =>
      `<circle cx="${x.at(point.x)}" cy="${y.at(point.y)}" r="3" fill="${colour}"><title>${escapeXml(`${name}: ${point.x}, ${Number(point.y.toPrecision(4))}`)}</title></circle>`,
  )
  const at = margin.top + 16 * index
  const legend =
    `<path stroke="${colour}" stroke-width="2" d="M${width - margin.right + 12} ${at}h18"/>` +
    `<text x="${width - margin.right + 36}" y="${at + 4}">${escapeXml(name)}</text>`
  const line = points.length === 0 ? '' : `<path fill="none" stroke="${colour}" stroke-width="2" d="M${path}"/>`
  return [line, ...bars, ...dots, legend].join('')
}
