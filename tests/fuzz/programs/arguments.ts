/** The arguments of random programs: what they are, how they are made for other sizes, and what may happen to them. */
import type { Choices } from '../../support/choices.js'
import type { Feature } from './features.js'

/** A size: a number, or a variable that changes between calls. */
type SizeText = string

/** One variable of the driver: the text that makes it anew, and lines that change it in place. */
export interface Argument {
  readonly name: string
  /** Its value, with fresh values of tensors. */
  readonly make: () => string
  /** Lines that may stand between calls. */
  readonly changes: readonly (() => string)[]
  readonly uses: readonly Feature[]
  /** A rest parameter: an array whose items are passed. */
  readonly isRest?: boolean
  /** Lines of setup that it needs. */
  readonly declares?: string
}

type Maker = (a: ArgumentMaker, name: string) => Argument

export class ArgumentMaker {
  #seed = 0

  constructor(
    readonly choices: Choices,
    readonly features: ReadonlySet<Feature>,
    readonly used: Set<Feature>,
  ) {}

  has(feature: Feature): boolean {
    return this.features.has(feature)
  }

  shape(): readonly SizeText[] {
    return this.choices.of([
      ['N'],
      ['N', '3'],
      ['N', 'M'],
      ['2', 'N'],
      ['3'],
      ['N', '2', '2'],
      ['1', 'N'],
      ['2', '3'],
      [],
      ['N', '1'],
    ] as const)
  }

  tensor(shape: readonly SizeText[] = this.shape(), dtype = this.dtype()): string {
    const layouts = ['transposed', 'strided', 'offset', ...(this.has('expanded') ? ['expanded'] : [])]
    const layout = this.has('layouts') && this.choices.oneIn(3) ? this.choices.of(layouts) : 'dense'
    if (layout !== 'dense') this.used.add('layouts')
    if (layout === 'expanded') this.used.add('expanded')
    return `make('${dtype}', [${shape.join(', ')}], '${layout}', ${this.#seed++})`
  }

  dtype(): string {
    if (!this.has('dtypes') || !this.choices.oneIn(4)) return 'f32'
    this.used.add('dtypes')
    return this.choices.of(['f64', 'f16', 'bf16', 'i32', 'i64', 'u8', 'bool'] as const)
  }

  /** One of the kinds of arguments that the features allow. */
  argument(name: string, isFirst: boolean): Argument {
    if (isFirst) return tensorArgument(this, name)
    const kinds = argumentKinds.filter(([, , ...needs]) => needs.every(feature => this.has(feature)))
    const total = kinds.reduce((sum, [weight]) => sum + weight, 0)
    let rest = this.choices.below(total)
    for (const [weight, maker, ...needs] of kinds) {
      rest -= weight
      if (rest < 0) {
        const made = maker(this, name)
        for (const feature of [...needs, ...made.uses]) this.used.add(feature)
        return made
      }
    }
    return tensorArgument(this, name)
  }
}

/** A tensor of one shape and dtype, whose layout stays. */
function remake(a: ArgumentMaker): () => string {
  const [shape, dtype] = [a.shape(), a.dtype()]
  return () => a.tensor(shape, dtype)
}

const tensorArgument: Maker = (a, name) => {
  const make = remake(a)
  return { name, make, changes: [() => `${name} = ${make()}`], uses: [] }
}

const arrayArgument: Maker = (a, name) => {
  const make = remake(a)
  const list = (count: number): string => `[${Array.from({ length: count }, make).join(', ')}]`
  const changes = [
    () => `${name}[0] = ${make()}`,
    () => `${name}.push(${make()})`,
    () => `if (${name}.length > 1) ${name}.pop()`,
    () => `${name}.reverse()`,
    () => `${name} = ${list(2)}`,
  ]
  return { name, make: () => list(2), changes, uses: ['arrays'] }
}

const objectArgument: Maker = (a, name) => {
  const [first, second] = [remake(a), remake(a)]
  const nested = a.choices.oneIn(4) ? () => `{ w: ${second()} }` : second
  const scale = a.has('numbers') && a.choices.oneIn(2) ? () => `, k: ${a.choices.below(3)}` : () => ''
  const plain = (): string => `{ a: ${first()}, b: ${nested()}${scale()} }`
  const changes = [
    () => `${name}.a = ${first()}`,
    () => `${name} = ${plain()}`,
    ...(a.has('keyOrder') ? [() => `${name} = { b: ${nested()}, a: ${first()}${scale()} }`] : []),
    () => `${name}.c = ${first()}`,
    () => `delete ${name}.c`,
    () => `${name} = { ...${name}, a: ${first()} }`,
    ...(a.has('numbers') ? [() => `${name}.k = ${a.choices.below(4)}`] : []),
  ]
  return { name, make: plain, changes, uses: ['objects', ...(a.has('keyOrder') ? (['keyOrder'] as const) : [])] }
}

const classArgument: Maker = (a, name) => {
  const w = remake(a)
  const kind = a.choices.of(['open', 'open', 'open', 'opaque', 'guarded', 'guarded'] as const)
  const isGuarded = kind === 'guarded' && a.has('guardKeys')
  const isPrivate = isGuarded || (kind === 'opaque' && a.has('privateFields'))
  const Class = `C${name.slice(1)}`
  const secret = isPrivate
    ? '#bias = 1\n  setBias(bias) { this.#bias = bias }'
    : 'bias = 1\n  setBias(bias) { this.bias = bias }'
  const bias = isPrivate ? 'this.#bias' : 'this.bias'
  const declares = `class ${Class} {
  count = 0
  ${secret}${isGuarded ? "\n  [Symbol.for('tegula.guard')]() { return [this.#bias, this.w, this.count] }" : ''}
  constructor(w) { this.w = w }
  get doubled() { return this.w.mul(2) }
  apply(x) { return x.mul(2).add(${bias}) }
  step() { this.w = this.w.add(1); return this.w }
}`
  const changes = [
    () => `${name}.w = ${w()}`,
    () => `${name}.setBias(${1 + a.choices.below(4)})`,
    () => `${name}.count = ${a.choices.below(4)}`,
    () => `${name} = new ${Class}(${w()})`,
    () => `${name}.extra = ${w()}`,
  ]
  const uses: Feature[] = [
    'classes',
    ...(isGuarded ? (['guardKeys'] as const) : isPrivate ? (['privateFields'] as const) : []),
  ]
  return { name, make: () => `new ${Class}(${w()})`, changes, uses, declares }
}

const mapArgument: Maker = (a, name) => {
  const w = remake(a)
  const make = (): string => `new Map([['a', ${w()}], ['b', ${w()}]])`
  const changes = [
    () => `${name}.set('a', ${w()})`,
    () => `${name}.set('c', ${w()})`,
    () => `${name}.delete('c')`,
    () => `${name} = new Map([['b', ${w()}], ['a', ${w()}]])`,
    () => `${name} = new Map(${name})`,
  ]
  return { name, make, changes, uses: ['maps'] }
}

const setArgument: Maker = (a, name) => {
  const w = remake(a)
  const changes = [() => `${name}.add(${w()})`, () => `${name}.clear(), ${name}.add(${w()})`]
  return { name, make: () => `new Set([${w()}, ${w()}])`, changes, uses: ['sets'] }
}

const typedArgument: Maker = (a, name) => {
  const Class = a.choices.of(['Float32Array', 'Int32Array', 'Uint8Array'] as const)
  const make = (): string => `new ${Class}([${a.choices.below(4)}, ${a.choices.below(4)}, 1])`
  const changes = [() => `${name}[0] = ${a.choices.below(5)}`, () => `${name} = ${make()}`]
  return { name, make, changes, uses: ['typedArrays'] }
}

const dateArgument: Maker = (a, name) => {
  const make = (): string => `new Date(${a.choices.below(4)})`
  return {
    name,
    make,
    changes: [() => `${name}.setTime(${a.choices.below(4)})`, () => `${name} = ${make()}`],
    uses: ['dates'],
  }
}

const valueArgument: Maker = (a, name) => {
  const kind = a.choices.of(['number', 'number', 'boolean', 'string', 'fraction'] as const)
  const make = (): string =>
    kind === 'number'
      ? String(a.choices.below(4))
      : kind === 'fraction'
        ? a.choices.of(['0.5', '1.5', '-2.25'])
        : kind === 'boolean'
          ? a.choices.of(['true', 'false'])
          : a.choices.of(["'sum'", "'twice'"])
  return { name, make, changes: [() => `${name} = ${make()}`], uses: ['numbers'] }
}

const optionalArgument: Maker = (a, name) => {
  const w = remake(a)
  const make = (): string => a.choices.of([w(), 'undefined', 'null'])
  return { name, make, changes: [() => `${name} = ${make()}`], uses: ['optional'] }
}

const callbackArgument: Maker = (a, name) => {
  const make = (): string => a.choices.of(['t => t.mul(2)', 't => t.add(1)', 't => t.neg()', 't => t.sum()'])
  return { name, make, changes: [() => `${name} = ${make()}`], uses: ['callbacks'] }
}

/** The last parameter. */
export const restArgument: Maker = (a, name) => ({ ...arrayArgument(a, name), isRest: true, uses: ['rest'] })

const argumentKinds: readonly (readonly [weight: number, Maker, ...Feature[]])[] = [
  [14, tensorArgument],
  [6, arrayArgument, 'arrays'],
  [8, objectArgument, 'objects'],
  [6, classArgument, 'classes'],
  [5, mapArgument, 'maps'],
  [2, setArgument, 'sets'],
  [3, typedArgument, 'typedArrays'],
  [2, dateArgument, 'dates'],
  [6, valueArgument, 'numbers'],
  [3, optionalArgument, 'optional'],
  [2, callbackArgument, 'callbacks'],
]
