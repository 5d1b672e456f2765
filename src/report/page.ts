/**
 * A report: one self-contained HTML page of sections. It loads nothing, and its content security policy forbids it to: only the one
 * script whose hash the policy names may run.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { version } from '../base/version.js'
import { type Content, Html, html, jsonScript } from './html.js'

/** A part of a page, with a heading and an entry in the table of contents. */
export interface Section {
  /** Unique in the page; the address of the section is `#id`. */
  readonly id: string
  readonly title: string
  /** In the table of contents, behind the title: how many there are. */
  readonly count?: number
  readonly body: Html
  /** What the page's script shows on demand, by name; names are unique in the page. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Page {
  /** What the report is of. */
  readonly title: string
  /** The answer in one or two sentences. */
  readonly lead: Content
  readonly sections: readonly Section[]
}

const asset = (name: string): string => readFileSync(new URL(`../../assets/report/${name}`, import.meta.url), 'utf8')

/** The page as text. */
export function pageText({ title, lead, sections }: Page): string {
  const [style, script] = [asset('report.css'), asset('report.js')]
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const data = Object.assign({}, ...sections.map(section => section.data ?? {})) as Record<string, unknown>
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="tegula ${version}">
<link rel="icon" href="data:,">
<title>${title} · Tegula</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<nav aria-label="Contents">
<p class="brand">Tegula</p>
<ol>${sections.map(contentsEntry)}</ol>
</nav>
<main id="main" tabindex="-1">
<header><h1>${title}</h1><p class="lead">${lead}</p></header>
${sections.map(sectionHtml)}
<footer>Made by Tegula ${version}. This page is one file and loads nothing.</footer>
</main>
${jsonScript('data', data)}
<script>${new Html(script)}</script>
</body>
</html>
`.text
}

const contentsEntry = ({ id, title, count }: Section): Html =>
  html`<li><a href="#${id}">${title}${count === undefined ? null : html` <span class="count">${count}</span>`}</a></li>`

const sectionHtml = ({ id, title, body }: Section): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>
`
