/** Tables of a page. */
import { type Content, type Html, html } from './html.js'

export interface PageColumn<Row> {
  readonly head: string
  /** Aligned to the right. Default false. */
  readonly number?: boolean
  readonly cell: (row: Row) => Content
}

/** A table that scrolls sideways where it does not fit; `shown` rows, and the others behind a button. */
export function tableHtml<Row>(columns: readonly PageColumn<Row>[], rows: readonly Row[], shown = 30): Html {
  const side = ({ number }: PageColumn<Row>): Content => (number ? html` class="number"` : null)
  const row = (each: Row): Html =>
    html`<tr>${columns.map(column => html`<td${side(column)}>${column.cell(each)}</td>`)}</tr>\n`
  const rest = rows.slice(shown)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${columns.map(column => html`<th scope="col"${side(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.slice(0, shown).map(row)}</tbody>
${rest.length === 0 ? null : html`<tbody hidden>${rest.map(row)}</tbody>`}
</table></div>
${rest.length === 0 ? null : html`<button type="button" class="more">${rest.length} more</button>`}`
}

/** A list; beyond `shown` entries it is folded. */
export function listHtml(entries: readonly Content[], shown = 8): Html {
  const item = (entry: Content): Html => html`<li>${entry}</li>\n`
  const rest = entries.slice(shown)
  return html`<ul>${entries.slice(0, shown).map(item)}</ul>
${rest.length === 0 ? null : html`<details><summary>${rest.length} more</summary><ul>${rest.map(item)}</ul></details>`}`
}

/** A share as a bar, 0 to 1. */
export const barHtml = (share: number): Html =>
  html`<span class="bar" aria-hidden="true"><span style="width:${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}%"></span></span>`

/** Numbers that answer first: a value each, with what it is. */
export const tilesHtml = (tiles: readonly { readonly value: string; readonly label: Content }[]): Html =>
  html`<dl class="tiles">${tiles.map(({ value, label }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
