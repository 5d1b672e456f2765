/** Makes random training programs: statements and lines are kept when the program, run eagerly, accepts them. */
import { Tensor } from '../../../src/index.js'
import { Choices } from '../../support/choices.js'
import { type Program, probe, valuesAfter } from './run.js'
import { calls, driverLines, type Known, type Line, pick, statements, type Writer } from './templates.js'

const leafShapes = ['[3]', '[2, 3]', '[3, 3]', '[]', '[1, 3]', '[3, 2]'] as const
const models = [
  'new Sequential(new Linear(3, 3, { dtype: "f64" }), new Tanh())',
  'new Sequential(new Linear(3, 3, { dtype: "f64" }), new BatchNorm1d(3, { dtype: "f64" }))',
  'new Sequential(new Linear(3, 4, { dtype: "f64" }), new Dropout(0.5), new Linear(4, 3, { dtype: "f64" }))',
  'new Sequential(new LayerNorm(3, { dtype: "f64" }), new GELU(), new Linear(3, 3, { dtype: "f64" }))',
]
const optimizers = [
  'new SGD(%, { lr: 0.1 })',
  'new SGD(%, { lr: 0.1, momentum: 0.9, nesterov: true })',
  'new Adam(%, { lr: 0.01 })',
  'new AdamW(%, { lr: 0.01, amsgrad: true })',
  'new RMSprop(%, { lr: 0.01, momentum: 0.5 })',
  'new Adagrad(%, { lr: 0.01 })',
  'new Lion(%, { lr: 0.01 })',
]
const nestedFunctions = ['a.sin().add(b)', 'a.mul(b).sum()', 'noGrad(() => a.mul(2)).add(b)', 'a.tanh()']

class Generator implements Writer {
  readonly choices: Choices
  readonly #leaves: string[] = []
  readonly #locals: string[] = []
  readonly #setup: string[] = []
  #body: readonly string[] = []
  #driver: readonly Line[] = []
  #known: Known[] = []
  /** As the body's end sees it. */
  #inside: readonly Known[] = []
  #names = 0
  readonly hasModel: boolean
  readonly hasOptimizer: boolean
  readonly hasNested: boolean

  constructor(readonly seed: number) {
    this.choices = new Choices(seed)
    const leaves = 1 + this.choices.below(3)
    for (let i = 0; i < leaves; i++) {
      this.#leaves.push(`p${i}`)
      this.#setup.push(`const p${i} = leaf(${this.choices.of(leafShapes)}, ${i})`)
    }
    this.#setup.push(`const c = data([2, 3], 7)`)
    this.hasModel = this.choices.oneIn(3)
    if (this.hasModel) this.#setup.push(`const model = ${this.choices.of(models)}`)
    this.hasOptimizer = this.choices.oneIn(3)
    const params = `[${this.#leaves.join(', ')}${this.hasModel ? ', ...model.parameters()' : ''}]`
    if (this.hasOptimizer) this.#setup.push(`const opt = ${this.choices.of(optimizers).replace('%', params)}`)
    this.hasNested = this.choices.oneIn(5)
    if (this.hasNested) this.#setup.push(`const g = compile((a, b) => ${this.choices.of(nestedFunctions)})`)
    this.#setup.push('let x = data([2, 3], 9)')
  }

  program(): Program {
    const call = (i: number): Line => ({ text: `const r${i} = ${pick(this.choices, calls)}`, defines: [`r${i}`] })
    // Different calls from the start, so that what is chosen fits all.
    this.#driver = [
      { text: 'const r0 = f(x, k)', defines: ['r0'] },
      { text: 'N = 3, k = 2, x = data([N, 3], S++)', defines: [] },
      call(1),
    ]
    this.#probe()
    const wanted = 2 + this.choices.below(9)
    for (let kept = 0, tries = 0; kept < wanted && tries < 5 * wanted; tries++) if (this.#addStatement()) kept++
    const lines = 2 + this.choices.below(6)
    for (let kept = 0, tries = 0; kept < lines && tries < 4 * lines; tries++) if (this.#addLine()) kept++
    for (let i = 2; i < 4; i++) {
      this.#keep(call(i))
      if (this.choices.oneIn(2)) this.#addLine()
    }
    return this.#current()
  }

  #current(): Program {
    const used = this.#body.join('\n')
    const fresh = this.#locals.filter(name => used.split(new RegExp(`\\b${name}\\b`)).length === 2)
    const result = (fresh.length > 0 ? fresh : this.#locals.slice(-1)).map(name =>
      this.#shares(name, fresh) ? `${name}.clone()` : name,
    )
    const watched = [
      'x',
      'c',
      'seen',
      ...this.#leaves,
      ...(this.hasModel ? ['model'] : []),
      ...(this.hasOptimizer ? ['opt'] : []),
    ]
    return { seed: this.seed, setup: this.#setup, body: this.#body, result, driver: this.#driver, watched }
  }

  /** Compiled functions give views of memory that others have too, but into which gradients flow, as copies. */
  #shares(name: string, fresh: readonly string[]): boolean {
    const sourcesOf = (known: Known): readonly unknown[] => known.values.map(value => value.source)
    const own = this.#inside.find(known => known.name === name)
    if (own === undefined || own.values.every(value => !value.requiresGrad)) return false
    return this.#inside.some(other => {
      if (other === own || !(fresh.includes(other.name) || !this.#locals.includes(other.name))) return false
      return sourcesOf(other).some((source, i) => source === own.values[i]!.source)
    })
  }

  /** Throws what the program throws, and an error for values that are not finite. */
  #probe(): void {
    const names = [...new Set(['x', 'c', ...this.#leaves, ...this.#locals])]
    const made = probe(this.#current(), names)
    const isTensor = (value: unknown): value is Tensor => value instanceof Tensor
    this.#known = names.flatMap(name => {
      const values = made.map(call => call[name])
      return values.length > 0 && values.every(isTensor) ? [{ name, values, isLeaf: this.#leaves.includes(name) }] : []
    })
    this.#inside = this.#known
    requireFinite(this.#known.flatMap(({ values }) => values))
  }

  #addStatement(): boolean {
    const [body, locals, known, inside] = [this.#body, [...this.#locals], this.#known, this.#inside]
    const offer = pick(this.choices, statements)(this)
    if (offer === null) return false
    this.#body = [...body, offer.text]
    this.#locals.push(...offer.defines)
    try {
      this.#probe()
      return true
    } catch {
      this.#body = body
      this.#locals.splice(0, this.#locals.length, ...locals)
      this.#known = known
      this.#inside = inside
      return false
    }
  }

  #addLine(): boolean {
    try {
      const values = valuesAfter(this.#current())
      this.#known = Object.entries(values).flatMap(([name, value]) =>
        value instanceof Tensor
          ? [{ name, values: [value], isLeaf: false }]
          : Array.isArray(value)
            ? value.flatMap((each, i) =>
                each instanceof Tensor ? [{ name: `${name}[${i}]`, values: [each], isLeaf: false }] : [],
              )
            : [],
      )
    } catch {
      return false
    }
    const offer = pick(this.choices, driverLines)(this)
    return offer !== null && this.#keep(offer)
  }

  #keep(line: Line): boolean {
    const driver = this.#driver
    this.#driver = [...driver, line]
    try {
      const values = valuesAfter(this.#current())
      requireFinite(
        Object.values(values)
          .flat()
          .filter(each => each instanceof Tensor) as Tensor[],
      )
      return true
    } catch {
      // Now and then what fails stays: compiled code must fail alike, and leave the same behind.
      if (this.choices.oneIn(12)) return true
      this.#driver = driver
      return false
    }
  }

  name(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  tensor(fits: (tensor: Tensor) => boolean = () => true): Known | null {
    const found = this.#known.filter(({ values }) => values.every(value => !value.disposed && fits(value)))
    if (found.length === 0) return null
    return found[Math.max(this.choices.below(found.length), this.choices.below(found.length))]!
  }

  leaf(): string {
    return this.choices.of(this.#leaves)
  }
}

function requireFinite(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) {
    if (tensor.disposed) continue
    for (const value of tensor.detach().dataSync() as ArrayLike<number | bigint> & Iterable<number | bigint>)
      if (!(Math.abs(Number(value)) < 1e6)) throw new Error('not a number of moderate size')
  }
}

export const randomTraining = (seed: number): Program => new Generator(seed).program()
