/** Pages as HTML: one template, no script. */
import { Marked } from 'marked'
import { anchors, type Page } from './pages.js'

export interface Shown {
  readonly page: Page
  /** The title in the sidebar and of the window. */
  readonly title: string
  /** The page's file in the site. */
  readonly file: string
}

export interface Section {
  readonly title: string
  readonly pages: readonly Shown[]
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** @param hrefOf the target of a link in the site */
export function bodyOf({ tokens }: Page, hrefOf: (link: string) => string): string {
  const anchorOf = anchors()
  const marked = new Marked({
    renderer: {
      heading({ tokens: inline, depth }) {
        const text = this.parser.parseInline(inline)
        const anchor = anchorOf(this.parser.parseInline(inline, this.parser.textRenderer))
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${text}</a></h${depth}>\n`
      },
      link({ href, tokens: inline }) {
        return `<a href="${escaped(hrefOf(href))}">${this.parser.parseInline(inline)}</a>`
      },
    },
  })
  return marked.parser(tokens)
}

/** The sidebar; below the current page, its headings. */
function sidebar(sections: readonly Section[], shown: Shown): string {
  const entry = (each: Shown): string => {
    if (each.file !== shown.file) return `<li><a href="${each.file}">${escaped(each.title)}</a></li>`
    const parts = each.page.headings
      .filter(({ depth }) => depth === 2)
      .map(({ anchor, text }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`)
    return `<li class="shown"><a href="${each.file}">${escaped(each.title)}</a><ul>${parts.join('')}</ul></li>`
  }
  return sections
    .map(({ title, pages }) => `<h2>${escaped(title)}</h2>\n<ul>${pages.map(entry).join('\n')}</ul>`)
    .join('\n')
}

export function documentOf(sections: readonly Section[], shown: Shown, hrefOf: (link: string) => string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(shown.title)} · Tegula</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav>
<a class="home" href="index.html">Tegula</a>
${sidebar(sections, shown)}
</nav>
<main>
${bodyOf(shown.page, hrefOf)}</main>
</body>
</html>
`
}

export const style = `:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f6f6f4, #222); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; display: flex; font: 1rem/1.55 system-ui, sans-serif; }
nav { flex: 0 0 16rem; height: 100vh; position: sticky; top: 0; overflow-y: auto; padding: 1.5rem; border-right: 1px solid var(--line); }
nav .home { font-size: 1.3rem; font-weight: 600; }
nav h2 { margin: 1.2rem 0 .3rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li ul { margin: .1rem 0 .4rem .8rem; font-size: .9rem; }
nav .shown > a { font-weight: 600; }
main { flex: 1; min-width: 0; padding: 1.5rem 2.5rem 6rem; }
a { color: light-dark(#0b5cad, #7fb8f0); text-decoration: none; }
a:hover { text-decoration: underline; }
:is(h1, h2, h3) > a { color: inherit; }
main h2 { margin-top: 2.2rem; padding-top: .4rem; border-top: 1px solid var(--line); }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: 6px; background: var(--soft); font-size: .88rem; line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
:not(pre) > code { padding: .1em .3em; border-radius: 4px; background: var(--soft); }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .93rem; }
th, td { padding: .35rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`
