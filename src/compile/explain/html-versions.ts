/** The sections of a page about what a compiled version is for: guards, graph breaks, recompiles, and the tensors that it reads. */
import { plural } from '../../base/units.js'
import { html } from '../../report/html.js'
import type { Section } from '../../report/page.js'
import { shownLocation } from '../../report/source.js'
import { listHtml, tableHtml } from '../../report/table.js'
import type { Explanation, SegmentExplanation } from './explanation.js'

export function checksSection({ guards, breaks, recompiles }: Explanation): Section {
  const none = html`<p class="good">None.</p>`
  return {
    id: 'checks',
    title: 'Guards, breaks, recompiles',
    body: html`<h3>Graph breaks <small>reads of values, each of which ends a graph</small></h3>
${breaks.length === 0 ? none : listHtml(breaks.map(({ reader, at }) => html`<code>${reader}</code> at ${at === null ? '(no line)' : shownLocation(at)}`))}
<h3>Recompiles <small>the guard that failed, for each compilation after the first</small></h3>
${recompiles.length === 0 ? none : listHtml(recompiles)}
<h3>Guards <small>${plural(guards.length, 'check')} of each call; where one fails, another version is compiled</small></h3>
${guards.length === 0 ? none : listHtml(guards.map(guard => html`<code>${guard}</code>`))}`,
  }
}

export function tensorsSection(segments: readonly SegmentExplanation[]): Section {
  type Input = SegmentExplanation['inputs'][number]
  type Symbol = SegmentExplanation['symbols'][number]
  const inputs = segments.flatMap(segment => segment.inputs)
  const symbols = segments.flatMap(segment => segment.symbols)
  const inputColumns = [
    { head: 'tensor', cell: ({ path }: Input) => html`<code>${path}</code>` },
    { head: 'is', cell: ({ tensor }: Input) => tensor },
    { head: 'kind', cell: ({ kind }: Input) => kind },
    { head: 'kernels that read it', number: true, cell: ({ readBy }: Input) => readBy.length },
  ]
  const symbolColumns = [
    { head: 'size', cell: ({ name }: Symbol) => html`<code>${name}</code>` },
    { head: 'read from', cell: ({ from }: Symbol) => from },
    { head: 'here', number: true, cell: ({ value }: Symbol) => (Number.isNaN(value) ? '' : value) },
  ]
  return {
    id: 'tensors',
    title: 'Tensors that it reads',
    count: inputs.length,
    body: html`${tableHtml(inputColumns, inputs, 15)}
${symbols.length === 0 ? null : html`<h3>Symbolic sizes <small>read at each call</small></h3>${tableHtml(symbolColumns, symbols, 15)}`}`,
  }
}
