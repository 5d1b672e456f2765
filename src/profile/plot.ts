/**
 * Line plots as SVG, written here: no library of plots works without a browser's DOM and weighs less than this file. Colours follow
 * the reader's light or dark scheme.
 */

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
/** Told apart by people with any colour vision (Okabe and Ito 2008). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f']
const wantedTicks = 6

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
    logX,
  )
  const y = axisOf(
    [...points.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]), ...(logY ? [] : [0])],
    up,
    logY,
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

/** Maps values to pixels. */
interface Axis {
  at(value: number): number
  readonly ticks: readonly number[]
}

function axisOf(values: readonly number[], { from, to }: { from: number; to: number }, log: boolean): Axis {
  const finite = values.filter(value => Number.isFinite(value) && (!log || value > 0))
  const [low, high] = finite.length === 0 ? [1, 2] : [Math.min(...finite), Math.max(...finite)]
  const [first, last] = low === high ? [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2] : [low, high]
  const scale = log ? Math.log2 : (value: number): number => value
  const [start, end] = [scale(first), scale(last)]
  return {
    at: value => round(from + ((scale(value) - start) / (end - start)) * (to - from)),
    ticks: log ? powersBetween(first, last) : roundBetween(first, last),
  }
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function roundBetween(low: number, high: number): number[] {
  const raw = (high - low) / wantedTicks
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5].find(factor => factor * power >= raw) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Powers of two, every second or fourth of them when there are many. */
function powersBetween(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log2(low) - 1e-9), Math.floor(Math.log2(high) + 1e-9)]
  const step = Math.max(1, Math.ceil((last - first) / (2 * wantedTicks)))
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 2 ** (first + i * step))
}

const verticalTick = (x: number, value: number): string =>
  `<path class="grid" d="M${x} ${margin.top}V${height - margin.bottom}"/>` +
  `<text x="${x}" y="${height - margin.bottom + 16}" text-anchor="middle">${tickText(value)}</text>`

const horizontalTick = (y: number, value: number): string =>
  `<path class="grid" d="M${margin.left} ${y}H${width - margin.right}"/>` +
  `<text x="${margin.left - 6}" y="${y + 4}" text-anchor="end">${tickText(value)}</text>`

/** 4096 → '4k' where it is a whole number of 1024s, else at most four digits. */
function tickText(value: number): string {
  if (value >= 2 ** 20 && value % 2 ** 20 === 0) return `${value / 2 ** 20}M`
  if (value >= 2 ** 10 && value % 2 ** 10 === 0) return `${value / 2 ** 10}k`
  return String(Number(value.toPrecision(4)))
}

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

const round = (value: number): number => Math.round(value * 10) / 10

/** Text for XML and HTML. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
