/** The parameters of one group with their state and options. */
import { ArgumentError } from '../base/errors.js'
import { zeros } from '../tensor/create.js'
import { lasting } from '../tensor/lasting.js'
import type { Tensor } from '../tensor/tensor.js'
import { withTracer } from '../tensor/tracer.js'
import type { Algorithm, Shape, Slot, State, StateField, Updated } from './algorithm.js'
import { type AnyOptions, OptionValues, type Settings } from './options.js'

/** A group as users see it: its options can be read, and those that are numbers can be set. */
export type ParamGroup<O> = O extends unknown
  ? { readonly params: readonly Tensor[] } & { -readonly [K in keyof Settings<O>]: Settings<O>[K] }
  : never

/** How one step of a group is computed: without its parameters, so that compiled steps keep none alive. */
export interface UpdateRule {
  readonly name: string
  /** Rules with equal keys compute the same. */
  readonly key: string
  readonly isMatrixwise: boolean
  /** All that depends on numbers and on how many steps (f64 [n]) parameters made; 0-d or [n] each. */
  coefficients(numbers: Tensor, steps: Tensor): readonly Tensor[]
  update(slot: Slot, coefficients: readonly Tensor[]): Updated
}

/** What is the same for groups of all algorithms. */
export interface AnyGroup {
  readonly rule: UpdateRule
  readonly params: readonly Tensor[]
  readonly steps: Tensor
  /** PyTorch's state dicts have the number of steps as `step`. */
  readonly savesSteps: boolean
  /** The numbers that vary. */
  readonly numbers: Tensor
  readonly stateFields: readonly StateField[]
  readonly options: AnyOptions
  /** As users see it. */
  readonly view: { readonly params: readonly Tensor[] }
  state(i: number): State
  hasState(i: number): boolean
}

export class Group<O extends object> implements AnyGroup {
  readonly options: OptionValues<O>
  readonly rule: UpdateRule
  /** f32 [parameters]: how many steps each has made; on the device, as a step may be skipped there. */
  readonly steps: Tensor
  readonly view: ParamGroup<O>
  readonly #algorithm: Algorithm<O>
  readonly #shape: Shape<O>
  /** Null before a parameter's first gradient. */
  readonly #states: (State | null)[]

  constructor(
    algorithm: Algorithm<O>,
    readonly params: readonly Tensor[],
    given: Partial<O>,
  ) {
    const { device } = params[0]!
    const stray = params.find(param => param.device !== device)
    if (stray !== undefined)
      throw new ArgumentError(`${algorithm.name}: a group has parameters on ${device} and on ${stray.device}`, {
        fix: 'give those of each device a group of their own',
      })
    this.#algorithm = algorithm
    this.options = new OptionValues<O>(algorithm.name, algorithm.fields, given, device)
    const { settings } = this.options
    this.#shape = { settings, features: algorithm.features(settings) }
    this.rule = ruleOf(algorithm, this.#shape, this.options.fixed, this.options.places)
    this.#states = params.map(() => null)
    this.steps = withTracer(null, () => zeros([params.length], { device }))
    this.view = this.#makeView()
  }

  get savesSteps(): boolean {
    return this.#algorithm.savesSteps
  }

  get numbers(): Tensor {
    return this.options.vector
  }

  get stateFields(): readonly StateField[] {
    return this.#algorithm.state(this.#shape)
  }

  hasState(i: number): boolean {
    return this.#states[i] !== null
  }

  /** The state of parameter i; made, as at the start, if it has none. */
  state(i: number): State {
    const known = this.#states[i]
    if (known != null) return known
    const param = this.params[i]!
    const made = lasting(() =>
      this.stateFields.map(({ name, initial, isScalar = false }): [string, Tensor] => {
        const dtype = !isScalar || param.dtype === 'f64' ? param.dtype : 'f32'
        const tensor = zeros(isScalar ? [] : param.shape, { dtype, device: param.device })
        return [name, initial === 0 ? tensor : tensor.fill_(initial)]
      }),
    )
    const state = Object.fromEntries(made)
    this.#states[i] = state
    return state
  }

  /** Sets an option. Throws ArgumentError when it needs a part of the update that was left out from the start. */
  set(name: keyof O & string, value: unknown): void {
    const { settings } = this.options
    const { fields, features } = this.#algorithm
    if (fields[name].accepts(value)) {
      const wanted = features({ ...settings, [name]: value })
      const missing = wanted.find(feature => !this.#shape.features.includes(feature))
      if (missing !== undefined)
        throw new ArgumentError(
          `${this.rule.name}: ${name} becomes ${String(value)}, but was made without ${missing}`,
          {
            fix: `make the optimiser with another ${name} than 0, and set it to 0 until then`,
          },
        )
    }
    this.options.set(name, value)
  }

  #makeView(): ParamGroup<O> {
    const view = { params: this.params }
    for (const name of this.options.names) {
      const get = (): unknown => this.options.read(name)
      Object.defineProperty(view, name, { get, set: value => this.set(name, value), enumerable: true })
    }
    return Object.preventExtensions(view) as ParamGroup<O> // the loop defined the options
  }
}

function ruleOf<O extends object>(
  { name, isMatrixwise, coefficients, update }: Algorithm<O>,
  shape: Shape<O>,
  fixed: string,
  places: ReadonlyMap<keyof O, number>,
): UpdateRule {
  return {
    name,
    key: [name, fixed, ...shape.features].join(' '),
    isMatrixwise,
    coefficients(numbers, steps) {
      const at = (option: keyof O, i = 0): Tensor => numbers.select(0, places.get(option)! + i)
      return coefficients({ number: option => at(option), pair: option => [at(option), at(option, 1)], steps }, shape)
    },
    update: (slot, values) => update(slot, values, shape),
  }
}
