/** The section of a page that says what to change: problems first, then what is worth knowing. */
import { formatTime } from '../../base/units.js'
import { type Html, html } from '../../report/html.js'
import type { Section } from '../../report/page.js'
import { shownLocation } from '../../report/source.js'
import type { Advice } from '../advice/advice.js'

/** Nothing where there is no advice. */
export function adviceSection(advice: readonly Advice[]): Section[] {
  if (advice.length === 0) return []
  return [
    {
      id: 'advice',
      title: 'Advice',
      count: advice.length,
      body: html`<ul class="advice">${advice.map(adviceHtml)}</ul>`,
    },
  ]
}

const adviceHtml = ({ severity, message, at, fix, nanoseconds }: Advice): Html =>
  html`<li class="${severity}"><p>${message}${nanoseconds === null ? null : html` <small>${formatTime(nanoseconds)} per call</small>`}</p>
${fix === null ? null : html`<p class="fix">Fix: ${fix}</p>`}
${at === null ? null : html`<p class="fix"><code>${shownLocation(at)}</code></p>`}</li>\n`
