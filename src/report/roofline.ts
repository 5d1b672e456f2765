/** The roofline: each kernel's rate over its operations per byte, below what the machine can do. */
import { formatTime, threeDigits } from '../base/units.js'
import type { Axis } from './axes.js'
import { frameHtml } from './frame.js'
import { type Html, html } from './html.js'

export interface RooflinePoint {
  readonly name: string
  readonly bytes: number
  readonly flops: number
  /** Measured, or at the limit. */
  readonly nanoseconds: number
  /** The address that it links to; null: none. */
  readonly href: string | null
}

/** Rates per nanosecond, that is GB/s and GFLOP/s. */
export interface Roof {
  readonly name: string
  readonly bytesPerNanosecond: number
  readonly flopsPerNanosecond: number
}

/** The plot; kernels without operations have no place in it. Area of a point: its time. Null: no kernel has operations. */
export function rooflineHtml(roofs: readonly Roof[], points: readonly RooflinePoint[]): Html | null {
  const shown = points.filter(({ bytes, flops, nanoseconds }) => bytes > 0 && flops > 0 && nanoseconds > 0)
  if (shown.length === 0 || roofs.length === 0) return null
  const x = (point: RooflinePoint): number => point.flops / point.bytes
  const y = (point: RooflinePoint): number => point.flops / point.nanoseconds
  const ridges = roofs.map(roof => roof.flopsPerNanosecond / roof.bytesPerNanosecond)
  const widest = [...shown.map(x), ...ridges.flatMap(ridge => [ridge / 4, ridge * 8])]
  const [low, high] = [Math.min(...widest) / 1.5, Math.max(...widest) * 1.5]
  const longest = Math.max(...shown.map(({ nanoseconds }) => nanoseconds))
  const lowest = Math.min(...shown.map(y)) / 2
  const highest = Math.max(...roofs.map(roof => roof.flopsPerNanosecond), ...shown.map(y)) * 3
  const frame = {
    label: `Roofline of ${shown.length} kernels`,
    x: { label: 'operations per byte (FLOP/B)', scale: 'log10', values: [low, high] },
    y: { label: 'GFLOP/s', scale: 'log10', values: [lowest, highest] },
  } as const
  const largestFirst = shown.toSorted((a, b) => b.nanoseconds - a.nanoseconds)
  return frameHtml(frame, (across, up) => [
    roofs.map(roof => roofHtml(roof, low, high, lowest, across, up)),
    largestFirst.map(point => {
      const radius = 3 + 11 * Math.sqrt(point.nanoseconds / longest)
      return dotHtml(point, across.at(x(point)), up.at(y(point)), radius)
    }),
  ])
}

function roofHtml(roof: Roof, low: number, high: number, lowest: number, across: Axis, up: Axis): Html {
  const { name, bytesPerNanosecond: bandwidth, flopsPerNanosecond: peak } = roof
  const ridge = peak / bandwidth
  const start = Math.max(low, lowest / bandwidth)
  const path = `M${across.at(start)} ${up.at(start * bandwidth)}L${across.at(ridge)} ${up.at(peak)}H${across.at(high)}`
  return html`<path class="roof" d="${path}"/><text x="${across.at(high) - 6}" y="${up.at(peak) - 16}" class="end">${name}: ${threeDigits(peak)} GFLOP/s, ${threeDigits(bandwidth)} GB/s</text>`
}

function dotHtml({ name, flops, bytes, nanoseconds, href }: RooflinePoint, x: number, y: number, radius: number): Html {
  const title = `${name}: ${threeDigits(flops / nanoseconds)} GFLOP/s, ${threeDigits(bytes / nanoseconds)} GB/s, ${formatTime(nanoseconds)}`
  const dot = html`<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}"><title>${title}</title></circle>`
  return href === null ? dot : html`<a href="${href}" aria-label="${title}">${dot}</a>`
}
