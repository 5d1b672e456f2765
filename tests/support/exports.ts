/** Walks the exports of the entry points with TypeScript's checker, and reports missing docstrings. */
import { fileURLToPath } from 'node:url'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, type Checker, type Project, SymbolFlags, type Symbol as TsSymbol } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entryPoints = [
  'index',
  'kernel',
  'nn/index',
  'optim/index',
  'data/index',
  'quant/index',
  'profile/index',
  'debug/index',
]

/** The project in TypeScript's checker; `close` ends the compiler process. */
export function openProject(): { readonly project: Project; readonly close: () => void } {
  const api = new API({ cwd: root })
  const config = `${root}tsconfig.json`
  return { project: api.updateSnapshot({ openProjects: [config] }).getProject(config)!, close: () => api.close() }
}

/** The docstring with its tags, as an editor shows it. */
function textOf(symbol: TsSymbol, checker: Checker): string {
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => `@${name} ${JSON.stringify(text ?? '')}`)
  return [symbol.getDocumentationComment(checker), ...tags].join('\n')
}

type Declaration = NonNullable<ReturnType<TsSymbol['declarations'][number]['resolve']>>

const declarationsOf = (symbol: TsSymbol): readonly Declaration[] =>
  symbol.declarations.flatMap(handle => handle.resolve() ?? [])

/**
 * The names that a docstring must mention: the parameters of all overloads; for inline options, their fields (an interface
 * documents its own fields); nothing for the tuples of named forms.
 */
function namesToSay(declaration: Declaration): readonly string[] {
  const names: string[] = []
  declaration.forEachChild(child => {
    if (child.kind !== SyntaxKind.Parameter) return
    const { name, type } = child as unknown as {
      readonly name: { readonly text?: string }
      readonly type?: Declaration
    }
    if (name.text === 'options') names.push(...fieldNames(type))
    else if (name.text !== undefined && name.text !== 'args' && name.text !== 'this') names.push(name.text)
  })
  return names
}

function fieldNames(type: Declaration | undefined): readonly string[] {
  const names: string[] = []
  if (type?.kind !== SyntaxKind.TypeLiteral) return names
  type.forEachChild(member => {
    const { name } = member as unknown as { readonly name?: { readonly text?: string } }
    if (name?.text !== undefined) names.push(name.text)
  })
  return names
}

const isHidden = ({ name, flags }: TsSymbol): boolean =>
  name.startsWith('#') || name.startsWith('__') || name === 'prototype' || (flags & SymbolFlags.TypeParameter) !== 0
const isPrivate = (declaration: Declaration): boolean =>
  'modifiers' in declaration &&
  ((declaration.modifiers as readonly { readonly kind: SyntaxKind }[] | undefined) ?? []).some(
    ({ kind }) => kind === SyntaxKind.PrivateKeyword || kind === SyntaxKind.ProtectedKeyword,
  )

const hasBody = (declaration: Declaration): boolean =>
  (declaration as unknown as { readonly body?: unknown }).body !== undefined

/** The texts missing from the docstrings of `symbol` and its members. */
function lacking(symbol: TsSymbol, path: string, checker: Checker): readonly string[] {
  const declarations = declarationsOf(symbol)
  if (isHidden(symbol) || declarations.some(isPrivate)) return []
  const text = textOf(symbol, checker)
  if (text.trim() === '') return [`${path}: no docstring`]
  // An implementation behind overloads is not visible to users.
  const shown = declarations.length > 1 ? declarations.filter(each => !hasBody(each)) : declarations
  const names = new Set(shown.flatMap(namesToSay))
  const unnamed = [...names].filter(name => !new RegExp(`\\b${name}\\b`).test(text))
  if (unnamed.length > 0) return [`${path}: says nothing of ${unnamed.join(', ')}`]
  return []
}

/** Own members, and inherited ones that are declared in this project. */
function membersOf(symbol: TsSymbol, checker: Checker): readonly TsSymbol[] {
  if ((symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) === 0) return []
  const statics = (symbol.flags & SymbolFlags.Class) !== 0 ? [...symbol.getExports().values()] : []
  const own = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
  return [...own, ...statics].filter(member => member.declarations.some(({ path }) => path.includes('/src/')))
}

/** Every export of the entry points once, by the names of the entry point and the export; walks into namespaces. */
export function exportsOf(project: Project): ReadonlyMap<string, TsSymbol> {
  const { checker } = project
  const found = new Map<string, TsSymbol>()
  const walk = (module: TsSymbol, path: string): void => {
    for (const symbol of checker.getExportsOfModule(module)) {
      const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
      const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol
      if ((target.flags & SymbolFlags.ValueModule) !== 0) walk(target, `${path}.${symbol.name}`)
      else found.set(`${path}.${symbol.name}`, target)
    }
  }
  for (const entry of entryPoints) {
    const file = project.program.getSourceFile(`${root}src/${entry}.ts`)!
    walk(checker.getSymbolAtLocation(file)!, entry)
  }
  return found
}

/** The texts missing from the docstrings of all exports. */
export function allLacking(project: Project): readonly string[] {
  const seen = new Set<number>()
  const problems: string[] = []
  for (const [path, symbol] of exportsOf(project)) {
    if (seen.has(symbol.id)) continue
    seen.add(symbol.id)
    problems.push(...lacking(symbol, path, project.checker))
    for (const member of membersOf(symbol, project.checker))
      problems.push(...lacking(member, `${path}.${member.name}`, project.checker))
  }
  return problems
}
