/** What the plots of a page have in common: a frame with ticks and labels, in the page's colours. */
import { type Axis, axisOf, type Scale } from './axes.js'
import { type Content, type Html, html } from './html.js'

export const [frameWidth, frameHeight] = [860, 340]
const margin = { left: 68, right: 20, top: 14, bottom: 46 }

export interface Frame {
  /** For readers who do not see it. */
  readonly label: string
  readonly x: FrameAxis
  readonly y: FrameAxis
}

export interface FrameAxis {
  readonly label: string
  readonly scale: Scale
  /** Those that must fit. */
  readonly values: readonly number[]
  readonly tick?: (value: number) => string
}

/** The plot; `draw` gets the axes. */
export function frameHtml({ label, x, y }: Frame, draw: (across: Axis, up: Axis) => Content): Html {
  const across = axisOf(x.values, { from: margin.left, to: frameWidth - margin.right }, x.scale)
  const up = axisOf(y.values, { from: frameHeight - margin.bottom, to: margin.top }, y.scale)
  const text = ({ tick = plainTick }: FrameAxis, value: number): string => tick(value)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frameWidth} ${frameHeight}">
${across.ticks.map(value => html`<path class="grid" d="M${across.at(value)} ${margin.top}V${frameHeight - margin.bottom}"/><text x="${across.at(value)}" y="${frameHeight - margin.bottom + 16}" class="middle">${text(x, value)}</text>`)}
${up.ticks.map(value => html`<path class="grid" d="M${margin.left} ${up.at(value)}H${frameWidth - margin.right}"/><text x="${margin.left - 6}" y="${up.at(value) + 4}" class="end">${text(y, value)}</text>`)}
<text x="${(margin.left + frameWidth - margin.right) / 2}" y="${frameHeight - 8}" class="middle label">${x.label}</text>
<text transform="translate(14 ${(margin.top + frameHeight - margin.bottom) / 2})rotate(-90)" class="middle label">${y.label}</text>
${draw(across, up)}
</svg></div>`
}

const plainTick = (value: number): string => String(Number(value.toPrecision(4)))

/** The names of colours, `series-0` and so on, beside names. */
export const legendHtml = (names: readonly string[]): Html =>
  html`<ul class="legend">${names.map((name, i) => html`<li><span class="swatch series-${i % seriesCount}"></span>${name}</li>`)}</ul>`

/** Of the page's style. */
export const seriesCount = 7
