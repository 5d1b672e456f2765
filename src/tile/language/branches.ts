/**
 * Finds JavaScript branches on tiles. `if (tile)`, `!tile`, `tile && …`, `tile ? a : b` and `tile === 0` are decided while the
 * kernel is built, always the same way, and JavaScript gives a tile no hook to object. So the text of the body is parsed: an
 * expression that is certainly a tile (created by `t`, or by a method of such a value; a scalar parameter; a size; a loop's
 * index) must not be used as a condition. Names that may be something else are ignored, and so are functions outside of the
 * body's own text.
 */
import { scalarOpNames } from '../../scalar/ops.js'

/** The names of the body's view and scalar parameters. */
export interface BodyNames {
  readonly views: readonly string[]
  readonly scalars: readonly string[]
}

interface Token {
  readonly text: string
  readonly kind: 'name' | 'punctuator' | 'literal'
  readonly from: number
  readonly to: number
}

const makers = new Set(
  'programId numPrograms const full zeros iota map where cdiv load gather atomic atomicAdd atomicMul atomicMin atomicMax atomicExchange atomicCompareExchange atomicLoad dot'.split(
    ' ',
  ),
)
const methods = new Set<string>([
  ...scalarOpNames,
  ...'to bitcast clamp sum prod amax amin argmax argmin any all cumsum cumprod cummax cummin'.split(' '),
  ...'reshape transpose expandDims squeeze broadcastTo'.split(' '),
])
const controls = new Set(['range', 'while', 'if'])

/** The piece of the body's text that branches on a tile; null: none was found. */
export function branchOnTile(source: string, names: BodyNames): string | null {
  const tokens = tokensOf(source)
  return tokens === null ? null : new Finder(source, tokens, names).find()
}

const tokenPattern =
  /(?<space>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<name>[\p{L}_$#][\p{L}\p{N}_$]*)|(?<literal>\d[\w.]*|\.\d\w*|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")|(?<punctuator>=>|===|!==|==|!=|<=|>=|\?\.(?!\d)|\?\?=?|&&=?|\|\|=?|\+\+|--|\*\*=?|[-+*/%&|^]=|\.\.\.|[-+*/%&|^~!<>=?:;,.()[\]{}])/uy

/** Null: the text contains syntax that this tokeniser does not handle (templates, regular expressions that look like quotients). */
function tokensOf(source: string): Token[] | null {
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const from = tokenPattern.lastIndex
    if (source[from] === '`') {
      const end = templateEnd(source, from)
      if (end === null) return null
      tokens.push({ text: '``', kind: 'literal', from, to: end })
      tokenPattern.lastIndex = end
      continue
    }
    const groups = tokenPattern.exec(source)?.groups
    if (groups === undefined) return null
    const to = tokenPattern.lastIndex
    if (groups.space !== undefined) continue
    const kind = groups.name !== undefined ? 'name' : groups.literal !== undefined ? 'literal' : 'punctuator'
    tokens.push({ text: source.slice(from, to), kind, from, to })
  }
  return tokens
}

/** The end of a template that contains no nested templates. */
function templateEnd(source: string, from: number): number | null {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '`') return at + 1
  }
  return null
}

const opening: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** Values that a tile may be compared with, to test whether it exists. */
const nothing = new Set(['undefined', 'null', 'void'])
const keywords = new Set(['if', 'while', 'for', 'switch', 'catch', 'with', 'function', 'return', 'typeof'])

class Finder {
  /** For each opening token, the index of its closing token, and vice versa. */
  readonly #partner = new Map<number, number>()
  /** Per bound name: true if all of its bindings are tiles. */
  readonly #bindings = new Map<string, boolean>()
  readonly #bindingPlaces = new Set<number>()
  #t = ''
  /** The name of the parameters object; empty if it is destructured. */
  #params = ''
  readonly #views = new Set<string>()
  /** True if a name of the header is bound again: scopes are not told apart. */
  #isShadowed = false

  constructor(
    readonly source: string,
    readonly tokens: readonly Token[],
    readonly names: BodyNames,
  ) {}

  find(): string | null {
    if (!this.#match() || !this.#header()) return null
    this.#functions()
    this.#declarations()
    this.#assignments()
    if (this.#isShadowed) return null
    for (let i = 0; i < this.tokens.length; i++) {
      const found = this.#branchAt(i)
      if (found !== null) return found
    }
    return null
  }

  #text(i: number): string {
    return this.tokens[i]?.text ?? ''
  }

  #isName(i: number): boolean {
    return this.tokens[i]?.kind === 'name'
  }

  /** Pairs up brackets; false: they do not match, so the text was not understood. */
  #match(): boolean {
    const open: number[] = []
    for (const [i, { text, kind }] of this.tokens.entries()) {
      if (kind !== 'punctuator') continue
      if (text in opening) open.push(i)
      else if (text === ')' || text === ']' || text === '}') {
        const from = open.pop()
        if (from === undefined || opening[this.#text(from)] !== text) return false
        this.#partner.set(from, i).set(i, from)
      }
    }
    return open.length === 0
  }

  /** Reads `(t, { x, out }, …)`. */
  #header(): boolean {
    const from = this.tokens.findIndex(({ text }) => text === '(')
    if (from < 0 || from > 3 || !this.#isName(from + 1)) return false
    this.#t = this.#text(from + 1)
    this.#bind(from + 1, false)
    const second = from + 3
    if (this.#text(from + 2) !== ',') return true
    if (this.#isName(second)) {
      this.#params = this.#text(second)
      this.#bind(second, false)
    } else if (this.#text(second) === '{') this.#pattern(second, name => this.names.scalars.includes(name))
    return true
  }

  #bind(at: number, isTile: boolean): void {
    const name = this.#text(at)
    const isKnown = this.#bindings.has(name)
    if (isKnown && (name === this.#t || name === this.#params || this.#views.has(name))) this.#isShadowed = true
    this.#bindings.set(name, (this.#bindings.get(name) ?? true) && isTile)
    this.#bindingPlaces.add(at)
  }

  /** The names that a pattern `{ a, b: c }` binds, and `isTile` of their keys; other and nested patterns bind no tiles. */
  #pattern(from: number, isTile: (key: string) => boolean): void {
    const end = this.#partner.get(from) as number
    for (let i = from + 1; i < end; i++) {
      const isKey = this.#text(i - 1) === '{' || this.#text(i - 1) === ','
      if (!this.#isName(i)) continue
      if (this.#text(i + 1) === ':' && isKey) {
        const isSimple = this.#isName(i + 2) && this.#text(i + 3) !== '='
        if (this.#isName(i + 2)) this.#bind(i + 2, isSimple && this.#text(from) === '{' && isTile(this.#text(i)))
        if (isSimple && this.names.views.includes(this.#text(i))) this.#views.add(this.#text(i + 2))
        i += 2
      } else {
        const isSimple = isKey && this.#text(i + 1) !== '='
        this.#bind(i, isSimple && this.#text(from) === '{' && isTile(this.#text(i)))
        if (isSimple && this.names.views.includes(this.#text(i))) this.#views.add(this.#text(i))
      }
    }
  }

  #declarations(): void {
    for (const [i, { text, kind }] of this.tokens.entries()) {
      if (kind !== 'name' || (text !== 'const' && text !== 'let' && text !== 'var')) continue
      for (let at = i + 1; at > 0; ) at = this.#declaration(at, text === 'const')
    }
  }

  /** Reads one declarator; returns the position of the next one, or 0. */
  #declaration(at: number, isConst: boolean): number {
    const isPattern = this.#text(at) === '{' || this.#text(at) === '['
    const after = isPattern ? (this.#partner.get(at) ?? at) + 1 : at + 1
    const value = this.#text(after) === '=' ? after + 1 : 0
    if (isPattern) {
      const fromControl =
        isConst &&
        value > 0 &&
        this.#text(value) === this.#t &&
        this.#text(value + 1) === '.' &&
        controls.has(this.#text(value + 2))
      const end = fromControl ? this.#partner.get(value + 3) : undefined
      this.#pattern(at, () => end !== undefined && this.#endsExpression(end + 1))
      return 0
    }
    if (!this.#isName(at)) return 0
    const end = value > 0 ? this.#chain(value) : null
    this.#bind(at, isConst && end !== null && this.#endsExpression(end))
    return end !== null && this.#text(end) === ',' ? end + 1 : 0
  }

  /** True if the expression ends before this token: it continues with neither an operator nor a call. */
  #endsExpression(at: number): boolean {
    const { text = '', kind = 'punctuator' } = this.tokens[at] ?? {}
    return text === '' || text === ';' || text === ',' || text === '}' || text === ')' || kind === 'name'
  }

  /** Binds the parameters of inner functions: those of control-flow callbacks are tiles. */
  #functions(): void {
    for (let i = 1; i < this.tokens.length; i++) {
      if (this.#text(i) === '=>') {
        if (this.#isName(i - 1)) this.#bind(i - 1, this.#isCallback(i - 1))
        else this.#parameters(this.#partner.get(i - 1) ?? i, this.#isCallback(this.#partner.get(i - 1) ?? i))
      }
      const isMethod = this.#text(i) === ')' && this.#text(i + 1) === '{'
      const from = isMethod ? (this.#partner.get(i) as number) : 0
      const isHeader = from <= 3 // the body's own parameter list
      if (isMethod && !isHeader && (!keywords.has(this.#text(from - 1)) || this.#text(from - 1) === 'function'))
        this.#parameters(from, false)
    }
  }

  /** True if a function starts as an argument of t.range, t.while or t.if. */
  #isCallback(at: number): boolean {
    let depth = 0
    for (let i = at - 1; i > 0; i--) {
      const { text } = this.tokens[i] as Token
      if (text === ')' || text === ']' || text === '}') depth++
      else if (text in opening && depth-- === 0)
        return (
          text === '(' && controls.has(this.#text(i - 1)) && this.#text(i - 2) === '.' && this.#text(i - 3) === this.#t
        )
    }
    return false
  }

  /** Binds the names in the parameter list that opens at token `from`; `areTiles`: they stand for tiles. */
  #parameters(from: number, areTiles: boolean): void {
    const end = this.#partner.get(from)
    if (end === undefined || this.#bindingPlaces.has(from + 1)) return
    for (let i = from + 1; i < end; i++) {
      const startsParameter = this.#text(i - 1) === '(' || this.#text(i - 1) === ','
      if (this.#text(i) === '{' || this.#text(i) === '[') {
        this.#pattern(i, () => areTiles)
        i = this.#partner.get(i) as number
      } else if (this.#isName(i))
        // A plain name is a loop's index, or the object of carried values.
        this.#bind(i, areTiles && startsParameter && i === from + 1 && this.#isIndex(from, end))
    }
  }

  /** In `(index, carried) =>` and `(index) =>` the first is an index; the only parameter of a while's callback is `carried`. */
  #isIndex(from: number, end: number): boolean {
    if (this.#text(end + 1) !== '=>') return false
    for (let i = from - 1, depth = 0; i > 0; i--) {
      const { text } = this.tokens[i] as Token
      if (text === ')' || text === ']' || text === '}') depth++
      else if (text in opening && depth-- === 0) return this.#text(i - 1) === 'range'
    }
    return false
  }

  /** A name that is assigned to may hold anything. */
  #assignments(): void {
    const operators = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&&=', '||=', '??=', '++', '--', '|=', '&=', '^='])
    for (let i = 0; i < this.tokens.length; i++) {
      if (!this.#isName(i) || this.#bindingPlaces.has(i) || this.#text(i - 1) === '.') continue
      if (operators.has(this.#text(i + 1))) this.#bindings.set(this.#text(i), false)
    }
  }

  /** The end of an expression that is certainly a tile: a name or call, and methods of it. Null: it may not be a tile. */
  #chain(from: number): number | null {
    let at = this.#head(from)
    while (at !== null && this.#text(at) === '.') {
      const isMethod = methods.has(this.#text(at + 1)) && this.#text(at + 2) === '('
      at = isMethod ? (this.#partner.get(at + 2) as number) + 1 : null
    }
    const next = at === null ? '' : this.#text(at)
    return next === '[' || next === '(' || next === '?.' || next === '``' ? null : at
  }

  #head(from: number): number | null {
    if (!this.#isName(from) || ['.', '?.'].includes(this.#text(from - 1))) return null
    const name = this.#text(from)
    const member = this.#text(from + 1) === '.' ? this.#text(from + 2) : ''
    const callEnd = (open: number): number | null =>
      this.#text(open) === '(' ? (this.#partner.get(open) as number) + 1 : null
    if (name === this.#t) return makers.has(member) ? callEnd(from + 3) : null
    if (this.#views.has(name)) return member === 'size' || member === 'stride' ? callEnd(from + 3) : null
    if (name === this.#params && this.#params !== '') {
      if (this.names.scalars.includes(member)) return from + 3
      const isExtent = this.#text(from + 3) === '.' && ['size', 'stride'].includes(this.#text(from + 4))
      return this.names.views.includes(member) && isExtent ? callEnd(from + 5) : null
    }
    return this.#bindings.get(name) === true ? from + 1 : null
  }

  #branchAt(i: number): string | null {
    const isKey = this.#text(i + 1) === ':' && (this.#text(i - 1) === '{' || this.#text(i - 1) === ',')
    const end = isKey || this.#bindingPlaces.has(i) ? null : this.#chain(i)
    if (end === null) return null
    const [before, after] = [this.#text(i - 1), this.#text(end)]
    const show = (from: number, to: number): string =>
      this.source.slice((this.tokens[from] as Token).from, (this.tokens[to] as Token).to).replaceAll(/\s+/g, ' ')
    if (before === 'typeof') return null
    if (before === '!') return show(i - 1, end - 1)
    if (
      before === '(' &&
      after === ')' &&
      ['if', 'while', 'switch'].includes(this.#text(i - 2)) &&
      this.#text(i - 3) !== '.'
    )
      return show(i - 2, end)
    if (after === '&&' || after === '||' || after === '?') return show(i, end)
    const isIdentity = (text: string): boolean => text === '===' || text === '!=='
    if (isIdentity(after) && !nothing.has(this.#text(end + 1))) return show(i, end + 1)
    const isNothing = nothing.has(this.#text(i - 2)) || this.#text(i - 3) === 'void'
    return isIdentity(before) && !isNothing ? show(i - 2, end - 1) : null
  }
}
