/** The pages that people read: links lead somewhere, here and in the site, and examples run as they stand. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { deadLinks, pageNames, pageOf, parsePage, project, targetOf } from '../../scripts/docs/pages.js'
import { buildSite } from '../../scripts/docs/site.js'
import * as data from '../../src/data/index.js'
import * as tegula from '../../src/index.js'
import * as kernelLanguage from '../../src/kernel.js'
import * as nn from '../../src/nn/index.js'
import * as optim from '../../src/optim/index.js'
import * as quant from '../../src/quant/index.js'
import { hasCompiler } from '../support/compiler.js'

const textOf = (page: string): string => readFileSync(join(project, page), 'utf8')

describe('links have targets', () => {
  it.each(pageNames)('%s', name => {
    expect(deadLinks(pageOf(name))).toEqual([])
  })

  it('a broken link is found', () => {
    const text = `# One two\n\n[a](#one-two) [b](#three) [c](cli.md#cases) [d](cli.md#no) [e](gone.md) [f](https://x.y/z#w)
      [g](../src/index.ts) [h](../src/index.ts#x)\n\n    [i](code.md)\n\n## One two\n\n[j](#one-two-1) [k](#one-two-2)`
    const dead = deadLinks(parsePage('docs/page.md', text))
    expect(dead).toEqual(['#three', 'cli.md#no', 'gone.md', '../src/index.ts#x', '#one-two-2'])
  })
})

it('the README links to every page', () => {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const link of pageOf(name).links) {
      const target = targetOf(name, link)
      if (target !== null && pageNames.includes(target.file)) visit(target.file)
    }
  }
  visit('README.md')
  expect(pageNames.filter(name => !reached.has(name))).toEqual([])
})

describe('the site', () => {
  const site = mkdtempSync(join(tmpdir(), 'tegula-site-'))
  afterAll(() => rmSync(site, { recursive: true, force: true }))

  it('has every page, and every op from its record, and all its links have targets', () => {
    expect(buildSite(site)).toBe(pageNames.length + 1)
    const files = readdirSync(site).filter(name => name.endsWith('.html'))
    const read = new Map(files.map(name => [name, readFileSync(join(site, name), 'utf8')]))
    const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)
    for (const [name, html] of read) {
      const links = [...html.matchAll(/ href="(?!https?:)([^"]*)"/g)].map(([, link = '']) => link)
      const dead = links.filter(link => {
        const [file = '', anchor] = link.split('#')
        if (!existsSync(join(site, file))) return true
        return anchor !== undefined && !idsOf(read.get(file || name) ?? '').includes(anchor)
      })
      expect(dead, name).toEqual([])
    }
    const ops = idsOf(read.get('ops-a-z.html')!)
    for (const name of ['softmax', 'matmul', 'crossentropy']) expect(ops).toContain(name)
    expect(read.get('ops-a-z.html')).toContain('<code>softmax(dim, { dtype = null })</code>')
    expect(read.get('quant.html')).toContain('<td><code>nvfp4</code></td>')
  })
})

const packages: Readonly<Record<string, object>> = {
  tegula,
  'tegula/kernel': kernelLanguage,
  'tegula/nn': nn,
  'tegula/optim': optim,
  'tegula/data': data,
  'tegula/quant': quant,
}

/** Programs of a page: a block of TypeScript that imports begins one, blocks after it go on. (`ts fragment`: not run.) */
function programsOf(page: string): string[] {
  const programs: string[] = []
  for (const [, text = ''] of textOf(page).matchAll(/^```ts\n(.*?)^```$/gms)) {
    if (/^import /m.test(text)) programs.push(text)
    else programs.push(`${programs.pop() ?? ''}\n${text}`)
  }
  return programs
}

/** The examples annotate with Tensor only, so that this is enough to make JavaScript of them. */
const toJavaScript = (text: string): string =>
  text
    .replaceAll(/, type Tensor\b|type Tensor, /g, '')
    .replaceAll(/: Tensor\b/g, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^import \{(.*?)\} from '(.*?)'$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = packages['${from}']`
    })

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<unknown>

describe.skipIf(!hasCompiler)('examples run as they stand (needs a C compiler)', () => {
  const examples = ['getting-started', 'dynamic-shapes', 'kernel-language', 'from-pytorch', 'nn'].flatMap(name => {
    const page = `docs/${name}.md`
    return programsOf(page).map((text, i) => [`${page}, program ${i + 1}`, text] as const)
  })
  it.each(examples)('%s', async (_, text) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await new AsyncFunction('packages', toJavaScript(text))(packages)
    log.mockRestore()
  })
})
