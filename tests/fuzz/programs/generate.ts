/**
 * Random programs: a function in the way that people write them, and a sequence of calls. A statement is kept when the
 * whole program still runs in the plain evaluator with results that every right implementation has; so the generator
 * needs to know no op's rules, and programs fit all sizes that they are called with.
 */
import { Choices } from '../../support/choices.js'
import { PlainError, PlainTensor, Unfit } from '../plain/index.js'
import { type Argument, ArgumentMaker, restArgument } from './arguments.js'
import { apart, chosenFeatures, type Feature } from './features.js'
import { probe } from './run.js'
import { type Line, printStatements, type Result, type Script, type Statement } from './script.js'
import { expressions, numbers, type Offer, statements } from './templates.js'

/** An expression and what it is at every call. */
export interface Known {
  readonly text: string
  readonly values: readonly unknown[]
}

export function randomScript(seed: number, chosen: ReadonlySet<Feature> = chosenFeatures()): Script {
  return new Writer(seed, chosen).script()
}

/** What lets other things than sizes change between calls, or makes versions for some sizes on purpose. */
const unsteady: readonly Feature[] = [
  ...(['layouts', 'expanded', 'empty', 'reads', 'branches', 'numbers', 'optional', 'reassigned', 'state'] as const),
  ...(['newKeys', 'typedArrays', 'dates', 'sameTensor', 'sharedMemory', 'closedOver', 'catches'] as const),
  // Guarded by identity, and made anew for each call.
  ...(['guardKeys', 'callbacks'] as const),
]

export class Writer {
  readonly choices: Choices
  readonly features: ReadonlySet<Feature>
  readonly used = new Set<Feature>()
  readonly #arguments: ArgumentMaker
  /** Closed-over variables are assigned between calls. */
  readonly #reassigns: boolean
  /** Only sizes change between calls. */
  readonly isSteady: boolean
  #setup: Line[] = []
  #params: Argument[] = []
  #body: Statement[] = []
  #driver: Line[] = []
  #names = 0
  /** Local variables. */
  readonly #locals: string[] = []
  /** Closed-over variables. */
  readonly #outer: string[] = []
  #calls: readonly Readonly<Record<string, unknown>>[] = []

  constructor(
    readonly seed: number,
    chosen: ReadonlySet<Feature>,
  ) {
    this.choices = new Choices(seed)
    const features = new Set(chosen)
    for (const [a, b, both] of apart) if (!chosen.has(both)) features.delete(this.choices.oneIn(2) ? a : b)
    this.isSteady = features.has('steady') && this.choices.oneIn(10)
    if (this.isSteady) {
      this.used.add('steady')
      for (const feature of unsteady) features.delete(feature)
    }
    if (features.has('identity')) this.used.add('identity')
    this.features = features
    this.#arguments = new ArgumentMaker(this.choices, features, this.used)
    this.#reassigns = this.features.has('reassigned') && this.choices.oneIn(12)
  }

  script(): Script {
    this.#declare()
    this.#writeCalls()
    this.#probe()
    const wanted = 2 + this.choices.below(8)
    for (let tries = 0, kept = 0; kept < wanted && tries < 4 * wanted; tries++) if (this.#statement()) kept++
    if (this.used.has('expanded') && this.used.has('inPlace')) this.used.add('expandedWrites')
    const script = this.#current(this.#result())
    return this.isSteady ? script : this.#withWrites(script)
  }

  has(feature: Feature): boolean {
    return this.features.has(feature)
  }

  name(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  #current(result: Result = { items: [] }): Script {
    const params = this.#params.map(({ name, isRest }) => (isRest ? `...${name}` : name))
    const [setup, body, driver] = [this.#setup, this.#body, this.#driver]
    return { seed: this.seed, setup, params, body, result, driver, steady: this.isSteady, features: this.used }
  }

  /** Closed-over state and parameters. */
  #declare(): void {
    if (this.has('closures')) {
      for (let i = this.choices.below(3); i > 0; i--) {
        const name = this.name('w')
        const value = this.choices.oneIn(4) ? `{ v: ${this.#arguments.tensor(['3'])} }` : this.#arguments.tensor(['3'])
        this.#setup.push({ text: `let ${name} = ${value}`, defines: name })
        this.#outer.push(name)
        this.used.add('closures')
      }
    }
    const params = 1 + this.choices.below(3)
    for (let i = 0; i < params; i++) {
      const argument = this.#arguments.argument(this.name('x'), i === 0)
      if (argument.declares !== undefined) this.#setup.push({ text: argument.declares })
      this.#params.push(argument)
    }
    if (this.has('rest') && this.choices.oneIn(8)) {
      this.used.add('rest')
      this.#params.push(restArgument(this.#arguments, this.name('x')))
    }
    if (this.has('nested') && this.choices.oneIn(4)) {
      const body = this.choices.of(['return a.mul(2).add(b)', 'return b', 'const n = a.numel()\n  return b.mul(n)'])
      this.#setup.push({ text: `const g = compile(function g(a, b) {\n  ${body}\n})` })
      this.#outer.push('g')
    }
  }

  #size(): string {
    if (this.has('empty') && this.choices.oneIn(6)) {
      this.used.add('empty')
      return String(this.choices.below(2))
    }
    return String(2 + this.choices.below(5))
  }

  #writeCalls(): void {
    const driver = this.#driver
    const [n, m] = this.isSteady ? [5, 7] : [this.#size(), 2 + this.choices.below(4)]
    driver.push({ text: `let N = ${n}`, defines: 'N' }, { text: `let M = ${m}`, defines: 'M' })
    for (const { name, make } of this.#params) driver.push({ text: `let ${name} = ${make()}`, defines: name })
    const calls = this.isSteady ? 8 : 2 + this.choices.below(4)
    for (let call = 0; call < calls; call++) {
      if (call > 0) this.#between()
      driver.push({ text: `let r${call} = f(${this.#actuals()})`, defines: `r${call}` })
    }
  }

  /** What a call passes: the variables, now and then one of them twice, or views of one memory. */
  #actuals(): string {
    const names = this.#params.map(({ name, isRest }) => (isRest ? `...${name}` : name))
    const tensors = this.#params.filter(({ uses, changes }) => uses.length === 0 && changes.length === 1)
    if (tensors.length >= 2 && this.choices.oneIn(8)) {
      const [a, b] = [names.indexOf(tensors[0]!.name), names.indexOf(tensors[1]!.name)]
      if (this.has('sameTensor') && this.choices.oneIn(2)) {
        this.used.add('sameTensor')
        return names.with(b, names[a]!).join(', ')
      }
      if (this.has('sharedMemory')) {
        this.used.add('sharedMemory')
        return names.with(b, `${names[a]}.reshape([-1])`).join(', ')
      }
    }
    if (this.has('closedOver') && tensors.length > 0 && this.#outer.length > 0 && this.choices.oneIn(8)) {
      const place = names.indexOf(this.choices.of(tensors).name)
      const closed = this.#setup
        .filter(({ text }) => /^let \w+ = make/.test(text))
        .flatMap(({ defines }) => defines ?? [])
      if (closed.length > 0) {
        this.used.add('closedOver')
        return names.with(place, this.choices.of(closed)).join(', ')
      }
    }
    if (this.has('optional') && this.#params.at(-1)!.uses.includes('optional') && this.choices.oneIn(3)) names.pop()
    return names.join(', ')
  }

  /** Other sizes, other values, or changes of what is there. */
  #between(): void {
    const driver = this.#driver
    if (this.isSteady) {
      const call = this.#driver.filter(({ text }) => text.startsWith('let r')).length
      driver.push(
        { text: `N = ${[5, 9, 4, 11, 6, 12, 8, 10][call]}` },
        { text: `M = ${[7, 6, 10, 4, 13, 5, 11, 8][call]}` },
      )
      for (const { name, make } of this.#params) driver.push({ text: `${name} = ${make()}` })
      return
    }
    if (this.choices.oneIn(2)) {
      driver.push({ text: `N = ${this.#size()}` })
      if (this.choices.oneIn(3)) driver.push({ text: `M = ${2 + this.choices.below(4)}` })
      for (const { name, make } of this.#params) driver.push({ text: `${name} = ${make()}` })
    }
    for (let i = 1 + this.choices.below(3); i > 0; i--) {
      const argument = this.choices.of(this.#params)
      driver.push({ text: this.choices.of(argument.changes)() })
    }
    if (this.#reassigns && this.#outer.some(name => name !== 'g') && this.choices.oneIn(4)) {
      this.used.add('reassigned')
      const variables = this.#outer.filter(name => name !== 'g')
      driver.push({ text: `${this.choices.of(variables)} = ${this.#arguments.tensor(['3'], 'f32')}` })
    }
  }

  /** Runs what is written so far; throws when it does not run. */
  #probe(): void {
    const names = [...this.#outer, ...this.#params.map(({ name }) => name), ...this.#locals]
    this.#calls = probe(this.#current(), names)
  }

  /** Adds a statement if the program then still runs. */
  #statement(): boolean {
    const before = { names: this.#names, used: new Set(this.used), body: this.#body, locals: [...this.#locals] }
    const offer = this.#offer()
    if (offer === null) return false
    this.#body = [...this.#body, ...offer.statements]
    this.#locals.push(...(offer.defines ?? []))
    try {
      this.#probe()
      for (const feature of offer.uses) this.used.add(feature)
      return true
    } catch (error) {
      if (!isRejection(error)) throw error
      this.#body = before.body
      this.#locals.length = 0
      this.#locals.push(...before.locals)
      return false
    }
  }

  #offer(): Offer | null {
    const fitting = statements.filter(([, , ...needs]) => needs.every(feature => this.has(feature)))
    const total = fitting.reduce((sum, [weight]) => sum + weight, 0)
    let rest = this.choices.below(total)
    for (const [weight, template, ...needs] of fitting) {
      rest -= weight
      if (rest >= 0) continue
      const offer = template(this)
      return offer === null ? null : { ...offer, uses: [...needs, ...offer.uses] }
    }
    return null
  }

  // What templates ask for.

  /** Everything that can be named, down to fields and elements. */
  known(): Known[] {
    const names = [...this.#outer, ...this.#params.map(({ name }) => name), ...this.#locals]
    return names.flatMap(name =>
      parts(
        name,
        this.#calls.map(call => call[name]),
      ),
    )
  }

  /** A value that fits at every call; later ones rather than earlier ones. */
  find(fits: (value: unknown, known: Known) => boolean): Known | null {
    const found = this.known().filter(known => known.values.every(value => fits(value, known)))
    if (found.length === 0) return null
    return found[Math.max(this.choices.below(found.length), this.choices.below(found.length))]!
  }

  tensor(fits: (tensor: PlainTensor) => boolean = () => true): Known | null {
    return this.find(value => value instanceof PlainTensor && fits(value))
  }

  /** Whether it is declared outside of the function. */
  isOuter({ text }: Known): boolean {
    return this.#outer.some(name => text === name || text.startsWith(`${name}.`))
  }

  /** A tensor, or an expression of one. */
  expression(): string | null {
    return this.#pick(expressions)
  }

  /** A number that the program has: a size, a field, or arithmetic on them. */
  number(): string | null {
    return this.#pick(numbers)
  }

  #pick(templates: readonly (readonly [number, (w: Writer) => string | null, ...Feature[]])[]): string | null {
    const fitting = templates.filter(([, , ...needs]) => needs.every(feature => this.has(feature)))
    const total = fitting.reduce((sum, [weight]) => sum + weight, 0)
    let rest = this.choices.below(total)
    for (const [weight, template, ...needs] of fitting) {
      rest -= weight
      if (rest >= 0) continue
      const text = template(this)
      if (text !== null) for (const feature of needs) this.used.add(feature)
      return text
    }
    return null
  }

  // Results, and what happens to them.

  /** Mostly what nothing else uses; now and then anything, also twice. */
  #result(): Result {
    const tensors = this.known().filter(({ values }) => values.every(value => value instanceof PlainTensor))
    const text = printStatements(this.#body)
    const unused = tensors.filter(known => this.#locals.includes(known.text) && text.split(known.text).length === 2)
    if (tensors.length === 0) return 'undefined'
    const pick = (): string =>
      tensors[Math.max(this.choices.below(tensors.length), this.choices.below(tensors.length))]!.text
    const wanted = unused.filter(() => !this.choices.oneIn(6)).map(({ text }) => text)
    while (wanted.length < 1 || this.choices.oneIn(3)) wanted.push(pick())
    if (wanted.length === 1 && !this.choices.oneIn(3)) return wanted[0]!
    switch (this.choices.below(3)) {
      case 0:
        return { items: wanted }
      case 1:
        return { fields: wanted.map((one, i) => [`k${i}`, one] as const) }
      default:
        return { items: [{ fields: [['y', wanted[0]!]] }, { items: wanted.slice(1) }] }
    }
  }

  /** Puts writes, disposals and other uses of what exists between the calls. */
  #withWrites(script: Script): Script {
    let current = script
    for (let i = this.choices.below(4); i > 0; i--) {
      const at = script.driver.findIndex(({ defines }) => defines === 'r0') + 1
      const place = at + this.choices.below(current.driver.length - at + 1)
      const line = this.#interference(current, place)
      if (line === null) continue
      const next = { ...current, driver: current.driver.toSpliced(place, 0, line) }
      if (runs(next)) current = next
    }
    return current
  }

  #interference(script: Script, place: number): Line | null {
    const before = script.driver.slice(0, place)
    const names = [...script.setup, ...before].flatMap(({ defines }) => defines ?? [])
    const values = valuesAfter({ ...script, driver: before }, names)
    const tensors = names
      .flatMap(name => parts(name, [values[name]]))
      .filter(({ values: [v] }) => v instanceof PlainTensor)
    if (tensors.length === 0) return null
    const {
      text,
      values: [chosen],
    } = this.choices.of(tensors)
    const kind = this.choices.below(8)
    const { memory } = chosen as PlainTensor
    const sharing = tensors.filter(({ values: [value] }) => (value as PlainTensor).memory === memory).length
    if (kind === 0 && this.has('dispose') && /^r/.test(text) && (sharing === 1 || this.has('identity'))) {
      this.used.add('dispose')
      return { text: `${text}.dispose()` }
    }
    const params = script.params.filter(name => values[name] instanceof PlainTensor)
    if (kind === 1 && this.has('resultsAsArguments') && /^r/.test(text) && params.length > 0) {
      this.used.add('resultsAsArguments')
      return { text: `${this.choices.of(params)} = ${text}` }
    }
    if (!this.has('writesBetween')) return null
    this.used.add('writesBetween')
    return { text: `${text}.${this.choices.of(['add_(1)', 'mul_(2)', 'fill_(3)', 'neg_()', 'zero_()'])}` }
  }
}

/** What a statement that does not fit throws; anything else is a mistake of the generator. */
const isRejection = (error: unknown): boolean =>
  error instanceof Unfit || error instanceof PlainError || error instanceof TypeError

function runs(script: Script): boolean {
  try {
    probe(script, [])
    return true
  } catch (error) {
    if (!isRejection(error)) throw error
    return false
  }
}

function valuesAfter(script: Script, names: readonly string[]): Readonly<Record<string, unknown>> {
  const caught: Readonly<Record<string, unknown>>[] = []
  const line = { text: `probe({ ${names.join(', ')} })` }
  try {
    caught.push(...probe({ ...script, driver: [...script.driver, line] }, []))
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
  }
  return caught.at(-1) ?? {}
}

const isIdentifier = /^[a-z]\w*$/i

/** An expression, and those of its fields and elements that exist at every call. */
function parts(text: string, values: readonly unknown[], depth = 0): Known[] {
  const self = { text, values }
  const [first] = values
  if (depth > 2 || values.some(value => typeof value !== typeof first || value === null)) return [self]
  if (first instanceof PlainTensor || typeof first !== 'object' || first === null) return [self]
  const below = (part: string, of: (value: never) => unknown): Known[] => {
    const made = values.map(value => of(value as never))
    return made.some(value => value === undefined) ? [] : parts(part, made, depth + 1)
  }
  if (!values.every(value => Object.getPrototypeOf(value) === Object.getPrototypeOf(first))) return [self]
  if (first instanceof Map)
    return [
      self,
      ...['a', 'b'].flatMap(key => below(`${text}.get('${key}')`, (map: Map<string, unknown>) => map.get(key))),
    ]
  if (first instanceof Set || first instanceof Date || ArrayBuffer.isView(first)) return [self]
  if (Array.isArray(first)) {
    return [self, ...first.flatMap((_, i) => below(`${text}[${i}]`, (list: unknown[]) => list[i]))]
  }
  const keys = Object.keys(first).filter(key => isIdentifier.test(key))
  return [self, ...keys.flatMap(key => below(`${text}.${key}`, (object: Record<string, unknown>) => object[key]))]
}
