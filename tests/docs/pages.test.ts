/** The pages that people read: links lead somewhere, and examples run as they stand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import * as tegula from '../../src/index.js'
import * as kernelLanguage from '../../src/kernel.js'
import * as nn from '../../src/nn/index.js'
import * as quant from '../../src/quant/index.js'
import { hasCompiler } from '../support/compiler.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(project, 'docs')).map(name => `docs/${name}`),
].filter(name => name.endsWith('.md'))
const textOf = (page: string): string => readFileSync(join(project, page), 'utf8')

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )

function deadLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter(link => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? join(project, page) : resolve(project, dirname(page), path)
    if (!existsSync(file)) return true
    return anchor !== undefined && !anchorsOf(relative(project, file)).has(anchor)
  })
}

describe('links lead somewhere', () => {
  it.each(pages)('%s', page => {
    expect(deadLinks(page)).toEqual([])
  })
})

it('the README leads to every page', () => {
  const reached = new Set<string>()
  const visit = (page: string): void => {
    if (reached.has(page)) return
    reached.add(page)
    for (const [, link = ''] of textOf(page).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g)) {
      if (!link.startsWith('http')) visit(relative(project, resolve(project, dirname(page), link)))
    }
  }
  visit('README.md')
  expect(pages.filter(page => !reached.has(page))).toEqual([])
})

const packages: Readonly<Record<string, object>> = {
  tegula,
  'tegula/kernel': kernelLanguage,
  'tegula/nn': nn,
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
  const examples = ['getting-started', 'dynamic-shapes', 'kernel-language', 'from-pytorch'].flatMap(name => {
    const page = `docs/${name}.md`
    return programsOf(page).map((text, i) => [`${page}, program ${i + 1}`, text] as const)
  })
  it.each(examples)('%s', async (_, text) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await new AsyncFunction('packages', toJavaScript(text))(packages)
    log.mockRestore()
  })
})
