/** HTML that cannot be injected into: what a template is filled with is escaped, unless it is HTML made by a template. */

/** Text that is HTML already. */
export class Html {
  /** @param text trusted: made by `html`, or by code of this folder that escapes what it is given */
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template may be filled with; null is nothing. */
export type Content = Html | string | number | null | readonly Content[]

/** HTML of a template: html`<td>${name}</td>`. Attributes must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : contentText(values[i - 1]!) + text)).join(''))
}

function contentText(content: Content): string {
  if (content === null) return ''
  if (content instanceof Html) return content.text
  return Array.isArray(content) ? content.map(contentText).join('') : escapeXml(String(content))
}

/** Text for XML and HTML. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Data inside a script element: JSON without the characters that could end the element. */
export function jsonScript(id: string, data: unknown): Html {
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, found => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return new Html(`<script type="application/json" id="${id}">${text}</script>`)
}
