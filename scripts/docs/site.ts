/** The documentation as a static site: README.md, docs/*.md and every op from its record. */
import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { documentOf, type Section, type Shown, style } from './html.js'
import { opsPage } from './ops.js'
import { type Page, pageNames, pageOf, parsePage, project, targetOf } from './pages.js'

/** The sidebar, by audience: pages in reading order. */
const contents: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Start', ['README.md', 'docs/getting-started.md', 'docs/from-pytorch.md']],
  ['Compile', ['docs/compile.md', 'docs/dynamic-shapes.md', 'docs/patterns.md', 'docs/gpu.md']],
  ['Kernels', ['docs/kernel-language.md']],
  ['Training', ['docs/autograd.md', 'docs/nn.md', 'docs/training.md']],
  ['Low precision', ['docs/quant.md']],
  ['Reference', ['docs/ops.md', 'docs/ops-a-z.md', 'docs/attention.md', 'docs/cli.md']],
  ['Debugging', ['docs/debugging.md']],
  ['Speed', ['docs/profiling.md', 'docs/advice.md', 'docs/lessons.md', 'docs/benchmarks.md', 'docs/workloads.md']],
  [
    'Inside',
    ['docs/architecture.md', 'docs/cuda-lowering.md', 'docs/cuda-runtime.md', 'docs/glossary.md', 'CONTRIBUTING.md'],
  ],
]

const written: ReadonlyMap<string, () => string> = new Map([['docs/ops-a-z.md', opsPage]])

const fileOf = (name: string): string =>
  name === 'README.md'
    ? 'index.html'
    : `${name
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase()}.html`

function shownOf(name: string): Shown {
  const write = written.get(name)
  const page = write === undefined ? pageOf(name) : parsePage(name, write())
  return { page, title: name === 'README.md' ? 'Overview' : (page.headings[0]?.text ?? name), file: fileOf(name) }
}

function* filesIn(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) yield path
  else for (const name of readdirSync(path).sort()) yield* filesIn(join(path, name))
}

/** Linked files that are not pages: copied; for a folder, a page that lists its files. */
class Attachments {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The location of `path` in the site. */
  add(path: string): string {
    const files = [...filesIn(join(project, path))].map(file => relative(project, file))
    for (const file of files) {
      mkdirSync(dirname(join(this.#folder, 'files', file)), { recursive: true })
      copyFileSync(join(project, file), join(this.#folder, 'files', file))
    }
    if (files.length === 1 && files[0] === path) return `files/${path}`
    const list = parsePage(path, [`# ${path}`, ...files.map(file => `- [${file}](${file})`)].join('\n\n'))
    const name = `files-${path.replaceAll('/', '-')}.html`
    const shown = { page: list, title: path, file: name }
    writeFileSync(
      join(this.#folder, name),
      documentOf([], shown, link => (link.startsWith('#') ? link : `files/${link}`)),
    )
    return name
  }
}

/** Writes the site into a folder; returns the number of pages. Throws if a page of docs/ is missing in the sidebar. */
export function buildSite(folder: string): number {
  const known = new Set(contents.flatMap(([, pages]) => pages))
  const missing = pageNames.filter(name => !known.has(name))
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: in no section of scripts/docs/site.ts`)
  mkdirSync(folder, { recursive: true })
  const sections: readonly Section[] = contents.map(([title, pages]) => ({ title, pages: pages.map(shownOf) }))
  const attachments = new Attachments(folder)
  const hrefOf = ({ name }: Page, link: string): string => {
    const target = targetOf(name, link)
    if (target === null) return link
    const { file, anchor } = target
    return `${known.has(file) ? fileOf(file) : attachments.add(file)}${anchor === null ? '' : `#${anchor}`}`
  }
  const all = sections.flatMap(({ pages }) => pages)
  for (const shown of all)
    writeFileSync(
      join(folder, shown.file),
      documentOf(sections, shown, link => hrefOf(shown.page, link)),
    )
  writeFileSync(join(folder, 'style.css'), style)
  return all.length
}
