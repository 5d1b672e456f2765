/** Reports as text: escaping, layout, ops, and what the sections hold. What a browser makes of them: page.slow.test.ts. */
import { compile, randn, type Tensor } from 'tegula'
import { Profile, type ProfileRecord } from 'tegula/profile'
import { describe, expect, it } from 'vitest'
import { explanationPage } from '../../src/compile/explain/explain-html.js'
import { codeByKernel } from '../../src/compile/explain/html-kernels.js'
import { html, jsonScript } from '../../src/report/html.js'
import { type Edge, layoutOf } from '../../src/report/layout.js'
import { sourceLines } from '../../src/report/source.js'
import { longest } from '../../src/report/timeline.js'
import { attack, attacked, exampleRecord } from './attack.js'

const limits = { flopsPerNanosecond: 100, copyBytesPerNanosecond: 10, readBytesPerNanosecond: 12 }
const layer = () => {
  const weight = randn([8, 8])
  const f = compile((x: Tensor) => x.matmul(weight).add(1).relu().sum(-1).sqrt(), { name: 'layer' })
  return f.explain(randn([4, 8]))
}

describe('HTML', () => {
  it('escapes all but HTML, also in lists and attributes', () => {
    const made = html`<a title="${'"><b>'}">${['<i>', html`<u>${'&'}</u>`, null, 3]}</a>`
    expect(made.text).toBe('<a title="&quot;&gt;&lt;b&gt;">&lt;i&gt;<u>&amp;</u>3</a>')
  })

  it('data cannot end the element that it is in, and reads back', () => {
    const data = { '</script><!--': ['<script>', '\u2028&'] }
    const { text } = jsonScript('data', data)
    expect(text.match(/<\/?script/g)).toEqual(['<script', '</script'])
    expect(JSON.parse(text.replace(/^<[^>]*>|<[^>]*>$/g, ''))).toEqual(data)
  })
})

describe('the layout of graphs', () => {
  const box = { width: 100, height: 40 }

  it('puts what reads below what writes; nothing overlaps; edges over many layers and lone nodes have a place', () => {
    const chain: Edge[] = Array.from({ length: 11 }, (_, i) => [i, i + 1])
    const { nodes, edges, width, height } = layoutOf(Array(14).fill(box), [...chain, [0, 11]])
    for (const [from, to] of chain) expect(nodes[to]!.y).toBeGreaterThan(nodes[from]!.y + box.height)
    for (const [i, a] of nodes.entries()) {
      expect(a.x >= box.width / 2 && a.x <= width && a.y >= box.height / 2 && a.y <= height).toBe(true)
      for (const b of nodes.slice(i + 1))
        expect(Math.abs(a.x - b.x) >= box.width || Math.abs(a.y - b.y) >= box.height).toBe(true)
    }
    expect(edges.slice(0, 11).every(points => points !== null && points.length >= 2)).toBe(true)
    expect(edges[11]).toBeNull()
  })

  it('keeps the only edge of a node, however long', () => {
    const chain = Array.from({ length: 7 }, (_, i): Edge => [i + 1, i + 2])
    const { edges } = layoutOf(Array(9).fill(box), [...chain, [0, 8], [1, 8]])
    expect(edges.map(points => points === null)).toEqual([...chain.map(() => false), false, true])
  })
})

describe('the timeline', () => {
  it('of too many spans keeps the longest in their order, and as many as it can of equally long ones', () => {
    const spans = [2, 1, 1, 3, 1].map((duration, start) => ({
      track: 'host',
      depth: 0,
      start,
      duration,
      kind: 'op',
      name: 'add',
    }))
    expect(longest(spans, 3).map(({ start }) => start)).toEqual([0, 1, 3])
  })
})

describe('the page of an explanation', () => {
  it('has the ops before fusion, in order, with what they read and the primitives that they are', () => {
    const { segments, opCount } = layer()
    const { ops } = segments[0]!
    expect(ops.map(({ name }) => name)).toEqual(['matmul', 'add', 'relu', 'sum', 'sqrt'])
    expect(ops.length).toBe(opCount)
    expect(ops.map(({ inputs }) => inputs)).toEqual([[], [0], [1], [2], [3]])
    expect(ops.at(-1)!.type).toBe('f32[4]')
    expect(ops.every(({ at }) => at!.file.endsWith('report.test.ts'))).toBe(true)
    expect(ops[2]!.primitives).toContain('max')
  })

  it('one op called twice in one line is two ops', () => {
    const f = compile((x: Tensor) => x.exp().exp())
    expect(f.explain(randn([4])).segments[0]!.ops.map(({ name, inputs }) => [name, inputs])).toEqual([
      ['exp', []],
      ['exp', [0]],
    ])
  })

  it('gives each kernel its own part of the code', () => {
    const { code, kernels } = layer()
    const { parts } = codeByKernel(code, new Set(kernels.map(({ name }) => name)))
    expect(Object.keys(parts)).toEqual(['', ...kernels.map(({ name }) => name)])
    for (const { name } of kernels) expect(parts[name]).toMatch(new RegExp(`^// ${name}\\(`))
    expect(Object.values(parts).join('\n').replaceAll(/\s/g, '')).toBe(code.replaceAll(/\s/g, ''))
  })

  it('answers first, and links kernels, guards and sections', () => {
    const page = layer().against(limits).toHtml()
    expect(page).toContain('5 ops became')
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
    for (const id of ['overview', 'graph', 'kernels', 'roofline', 'memory', 'checks']) expect(ids).toContain(id)
  })

  it('begins with the advice, if there is some', () => {
    const explanation = layer()
    const advice = [
      {
        kind: 'unaligned',
        severity: 'problem',
        message: 'it is slow',
        at: null,
        fix: 'change it',
        evidence: [],
        nanoseconds: 2e6,
      },
    ] as const
    const page = explanationPage({ ...explanation, advice })
    const first = page.slice(page.indexOf('<section'))
    expect(first).toMatch(
      /^<section id="advice".*it is slow.*2\.00 ms per call.*Fix: change it.*<section id="overview"/s,
    )
    expect(explanationPage({ ...explanation, advice: [] })).not.toContain('id="advice"')
  })

  it('shows nothing that it is given as HTML', () => {
    const page = explanationPage(attacked(layer().against(limits)))
    expect(page).not.toContain(attack)
    expect(page.match(/<img/g)).toBeNull()
    expect(page.match(/<script/g)!.length).toBe(2)
    expect(page).toContain('&lt;/script&gt;&lt;img')
  })
})

describe('the page of a profile', () => {
  it('has tables, timeline, memory, roofline and compilations; with an explanation, its kernels at their measured times', () => {
    const alone = new Profile(exampleRecord).toHtml()
    for (const id of ['time', 'timeline', 'memory-over-time', 'roofline', 'compilations'])
      expect(alone).toContain(`<section id="${id}"`)
    expect(alone).toContain('1 from the disk cache')
    expect(alone).not.toContain('<section id="kernels"')
    const explanation = layer()
    const { name } = explanation.kernels[0]!
    const spans = exampleRecord.spans.map(span => (span.kind === 'kernel' ? { ...span, name } : span))
    const both = new Profile({ ...exampleRecord, spans }).toHtml(undefined, { explanation })
    expect(both).toContain('<section id="kernels"')
    expect(both).toMatch(/measured [\d.]+ µs/)
  })

  it('shows nothing that it is given as HTML', () => {
    const page = new Profile(attacked<ProfileRecord>(exampleRecord)).toHtml(undefined, { title: attack })
    expect(page).not.toContain(attack)
    expect(page.match(/<img/g)).toBeNull()
    expect(page.match(/<script/g)!.length).toBe(2)
  })

  it('refuses options that it does not know', () => {
    expect(() => new Profile(exampleRecord).toHtml(undefined, { tilte: 'x' } as never)).toThrow(/tilte/)
  })
})

describe("the user's lines", () => {
  it('are those around the locations; a file that is gone has its numbers alone', () => {
    const here = import.meta.filename
    const found = sourceLines([
      { file: here, line: 1, column: 1 },
      { file: '/no/such/file.ts', line: 7, column: 1 },
    ])
    expect(found.get(here)!.map(([line, , named]) => [line, named])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
    expect(found.get(here)![0]![1]).toContain('/** Reports as text')
    expect(found.get('/no/such/file.ts')).toEqual([[7, '', true]])
  })
})
