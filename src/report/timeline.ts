/** Spans over time in tracks, drawn by the page's script; they may be many, so they are no elements of the page. */
import { plural } from '../base/units.js'
import { html } from './html.js'
import type { Section } from './page.js'

/** Times in nanoseconds from the start. */
export interface TimelineSpan {
  readonly track: string
  /** Row in its track; what lies inside a span is below it. */
  readonly depth: number
  readonly start: number
  readonly duration: number
  /** Decides its colour. */
  readonly kind: string
  readonly name: string
}

/** Spans that a page holds: beyond that the longest ones. */
const mostSpans = 40_000

/** @param id of the data, unique in the page */
export function timelineHtml(
  id: string,
  spans: readonly TimelineSpan[],
  duration: number,
): Pick<Section, 'body' | 'data'> {
  const shown = longest(spans)
  const tracks = [...new Set(shown.map(({ track }) => track))]
  const names = new Map<string, number>()
  const kinds = new Map<string, number>()
  const numberOf = (known: Map<string, number>, text: string): number => {
    if (!known.has(text)) known.set(text, known.size)
    return known.get(text)!
  }
  const numbers = shown.flatMap(({ track, depth, start, duration: length, name, kind }) => [
    tracks.indexOf(track),
    depth,
    Math.round(start),
    Math.round(length),
    numberOf(names, name),
    numberOf(kinds, kind),
  ])
  const depthOf = (track: string): number =>
    shown.reduce((most, span) => (span.track === track ? Math.max(most, span.depth + 1) : most), 1)
  const less = spans.length - shown.length
  const left = less === 0 ? '' : ` The ${plural(less, 'shortest span')} of ${spans.length} are left out.`
  return {
    body: html`<p class="note">Drag to move, Ctrl and wheel to zoom. With the keyboard: arrows, plus, minus, 0 for all.${left}</p>
<div class="timeline" data-timeline="${id}">
<div class="tools"><span class="legend-slot">${legend([...kinds.keys()])}</span><span class="buttons"><button type="button" data-zoom="in" aria-label="Zoom in">+</button><button type="button" data-zoom="out" aria-label="Zoom out">−</button><button type="button" data-zoom="fit">All</button></span></div>
<canvas tabindex="0" role="img" aria-label="${plural(shown.length, 'span')} in ${plural(tracks.length, 'track')}; the tables have the same numbers"></canvas>
<p class="tip">Point at a span for its time.</p>
</div>`,
    data: {
      [id]: {
        tracks: tracks.map(name => ({ name, depth: depthOf(name) })),
        names: [...names.keys()],
        kinds: [...kinds.keys()],
        spans: numbers,
        duration: Math.max(1, Math.round(duration)),
      },
    },
  }
}

const legend = (kinds: readonly string[]) =>
  html`<ul class="legend">${kinds.map((kind, i) => html`<li><span class="swatch series-${i % 7}"></span>${kind}</li>`)}</ul>`

/** The longest, in the order given; of those that take as long as each other, the earlier ones. */
export function longest(spans: readonly TimelineSpan[], most = mostSpans): readonly TimelineSpan[] {
  if (spans.length <= most) return spans
  const kept = new Set(spans.toSorted((a, b) => b.duration - a.duration).slice(0, most))
  return spans.filter(span => kept.has(span))
}
