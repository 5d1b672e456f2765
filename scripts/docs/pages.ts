/** Parses the documentation pages: headings with their anchors, and links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lexer, type Token, type TokensList, walkTokens } from 'marked'

export const project = fileURLToPath(new URL('../..', import.meta.url))

/** README.md, CONTRIBUTING.md and docs/*.md, relative to the project. */
export const pageNames: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(project, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

export interface Heading {
  readonly depth: number
  /** The text without markup. */
  readonly text: string
  /** The anchor, as GitHub derives it. */
  readonly anchor: string
}

export interface Page {
  /** Path relative to the project. */
  readonly name: string
  readonly tokens: TokensList
  /** Headings in order. */
  readonly headings: readonly Heading[]
  /** Link targets, as written. */
  readonly links: readonly string[]
}

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(token => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

/** Anchors of headings in order; those that would be equal are numbered. */
export function anchors(): (heading: string) => string {
  const counts = new Map<string, number>()
  return heading => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

export function parsePage(name: string, text: string): Page {
  const tokens = lexer(text)
  const [headings, links, anchorOf]: [Heading[], string[], ReturnType<typeof anchors>] = [[], [], anchors()]
  walkTokens(tokens, token => {
    if (token.type === 'link') links.push(token.href)
    if (token.type !== 'heading') return
    const heading = plainText(token.tokens ?? [])
    headings.push({ depth: token.depth, text: heading, anchor: anchorOf(heading) })
  })
  return { name, tokens, headings, links }
}

const read = new Map<string, Page>()

/** `name`: relative to the project. */
export function pageOf(name: string): Page {
  const page = read.get(name) ?? parsePage(name, readFileSync(join(project, name), 'utf8'))
  read.set(name, page)
  return page
}

/** The target of a page's relative link: a file or folder of the project, and an anchor in it. Null: another site. */
export function targetOf(page: string, link: string): { readonly file: string; readonly anchor: string | null } | null {
  if (/^[a-z]+:/.test(link)) return null
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : relative(project, resolve(project, dirname(page), path))
  return { file, anchor: anchor ?? null }
}

/** The page's relative links whose file, or heading in a page, does not exist. */
export function deadLinks({ name, links, headings }: Page): string[] {
  return links.filter(link => {
    const target = targetOf(name, link)
    if (target === null) return false
    if (target.file !== name && !existsSync(join(project, target.file))) return true
    if (target.anchor === null) return false
    if (!target.file.endsWith('.md')) return true
    const there = target.file === name ? headings : pageOf(target.file).headings
    return !there.some(({ anchor }) => anchor === target.anchor)
  })
}
