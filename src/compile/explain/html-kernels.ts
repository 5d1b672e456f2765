/** The section of a page with the kernels: each with its work, and its code beside the user's lines. */
import { formatBytes, formatCount, formatTime, threeDigits } from '../../base/units.js'
import { type Html, html } from '../../report/html.js'
import type { Section } from '../../report/page.js'
import { shownLocation, shownPath, sourceLines } from '../../report/source.js'
import { barHtml } from '../../report/table.js'
import type { KernelExplanation } from './explain-kernel.js'
import { groupLines, kernelLines } from './explain-text.js'
import type { Explanation } from './explanation.js'
import { costOf, type KernelTimes } from './html-parts.js'

export function kernelsSection({ kernels, segments }: Explanation, times: KernelTimes): Section {
  const costs = kernels.map(kernel => costOf(kernel, times))
  const most = Math.max(0, ...costs.map(({ amount }) => amount))
  const rows = kernels.map((kernel, i) => {
    const { amount, text } = costs[i]!
    return kernelHtml(kernel, i, text, most === 0 ? 0 : amount / most, amount, times(kernel.name))
  })
  const groups = segments.flatMap(segment => segment.groups)
  return {
    id: 'kernels',
    title: 'Kernels',
    count: kernels.length,
    body: html`<div class="tools"><input type="search" id="kernel-search" placeholder="Filter kernels, ops, lines" aria-label="Filter kernels"><output></output>
<span class="buttons" role="group" aria-label="Order"><button type="button" data-order="cost" aria-pressed="true">By cost</button><button type="button" data-order="launch" aria-pressed="false">In order</button></span></div>
<p class="note">Bars: ${costs[0]?.what ?? 'cost'}. Open a kernel to see its code beside the lines that it comes from.</p>
<div id="kernel-list">${rows}</div>
${groups.length === 0 ? null : html`<h3>Groups of independent matmuls</h3>${groups.map(group => html`<pre class="facts">${groupLines(group).join('\n')}</pre>`)}`}`,
  }
}

function kernelHtml(
  kernel: KernelExplanation,
  i: number,
  cost: string,
  share: number,
  amount: number,
  measured: number | null,
): Html {
  const { name, ops, bytes, flops, bound, lines } = kernel
  const searched = [name, ...ops, ...lines.map(line => `${shownLocation(line)} ${line.module ?? ''}`)].join(' ')
  return html`<details class="kernel" id="kernel-${i}" data-kernel="${i}" data-cost="${amount}" data-search="${searched.toLowerCase()}">
<summary><span class="name">${name}</span><span class="ops">${ops.join(', ')}</span>${barHtml(share)}<span class="number">${cost}</span><span class="number wide">${formatBytes(bytes)}</span><span class="number wide">${flops === 0 ? '' : formatCount(flops, 'FLOP')}</span><span class="bound ${bound ?? ''}">${bound ?? ''}</span></summary>
<pre class="facts">${[...measuredLines(kernel, measured), ...kernelLines({ ...kernel, lines: [] }).slice(1)].map(line => line.trimStart()).join('\n')}</pre>
</details>
`
}

function measuredLines({ bytes, flops, limitNanoseconds }: KernelExplanation, measured: number | null): string[] {
  if (measured === null || measured <= 0) return []
  const rates = [
    `${threeDigits(bytes / measured)} GB/s`,
    ...(flops === 0 ? [] : [`${threeDigits(flops / measured)} GFLOP/s`]),
    ...(limitNanoseconds === null ? [] : [`${threeDigits((limitNanoseconds / measured) * 100)} % of the limit`]),
  ]
  return [`measured ${formatTime(measured)}: ${rates.join(', ')}`]
}

/** For the page's script: the code of each kernel's name, the lines of each file, and what each kernel comes from. */
export function kernelData({ kernels, segments }: Explanation): Readonly<Record<string, unknown>> {
  const files = [...sourceLines(kernels.flatMap(({ lines }) => lines))]
  const numbers = new Map(files.map(([file], i) => [file, i]))
  const codes = segments.map(({ code, kernels: own }) => codeByKernel(code, new Set(own.map(({ name }) => name))))
  return {
    sources: files.map(([file, lines]) => ({ path: shownPath(file), lines })),
    code: codes.map(({ parts }) => parts),
    kernels: segments.flatMap(({ kernels: own }, segment) =>
      own.map(({ name, lines }) => ({
        name,
        segment,
        at: [...new Set(lines.map(({ file, line }) => `${numbers.get(file)}:${line}`))].map(text =>
          text.split(':').map(Number),
        ),
      })),
    ),
  }
}

/** A unit of generated code, in which a comment `// name(…)` stands above each kernel, in parts by name; '' is what stands before the first. */
export function codeByKernel(
  code: string,
  names: ReadonlySet<string>,
): { readonly parts: Readonly<Record<string, string>> } {
  const starts = [...code.matchAll(/^\/\/ ([\w$]+)\(/gm)].filter(([, name]) => names.has(name!))
  const ends = [...starts.slice(1).map(({ index }) => index), code.length]
  return {
    parts: Object.fromEntries([
      ['', code.slice(0, starts[0]?.index ?? code.length)],
      ...starts.map((match, i) => [match[1]!, code.slice(match.index, ends[i]).trimEnd()]),
    ]),
  }
}
