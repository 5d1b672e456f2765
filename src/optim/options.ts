/**
 * Options of an optimiser's parameter group. Numbers that may change between steps are kept in a tensor of the group besides:
 * a compiled step reads them there, so a schedule that changes them compiles nothing.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import type { Device } from '../tensor/device.js'
import { tensor } from '../tensor/host-data.js'
import type { Tensor } from '../tensor/tensor.js'
import { captureRefusal } from '../tensor/trace.js'
import { currentTracer, withTracer } from '../tensor/tracer.js'

/** What one option may be. */
export interface Field<T> {
  /** Its name in PyTorch's state dicts. */
  readonly torch: string
  readonly initial: T
  readonly accepts: (value: unknown) => boolean
  /** What is accepted, for errors. */
  readonly wanted: string
  /** One number or several that may change at any time. Others decide what a step computes, and stay as they are. */
  readonly varies: boolean
}

export type Fields<O> = { readonly [K in keyof O]-?: Field<Exclude<O[K], undefined>> }

/** A group's options, all of them. */
export type Settings<O> = { readonly [K in keyof O]-?: Exclude<O[K], undefined> }

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** A number of at least 0, not infinite. */
export const amount = (torch: string, initial: number): Field<number> => ({
  torch,
  initial,
  accepts: value => isNumber(value) && value >= 0 && value < Infinity,
  wanted: 'a number of at least 0',
  varies: true,
})

/** Any finite number. */
export const finite = (torch: string, initial: number): Field<number> => ({
  torch,
  initial,
  accepts: value => isNumber(value) && Number.isFinite(value),
  wanted: 'a finite number',
  varies: true,
})

const isBeta = (value: unknown): boolean => isNumber(value) && value >= 0 && value < 1

/** Two coefficients of moving averages. */
export const betas = (initial: readonly [number, number]): Field<readonly [number, number]> => ({
  torch: 'betas',
  initial,
  accepts: value => Array.isArray(value) && value.length === 2 && value.every(isBeta),
  wanted: 'two numbers from 0 up to, not including, 1',
  varies: true,
})

export const flag = (torch: string): Field<boolean> => ({
  torch,
  initial: false,
  accepts: value => typeof value === 'boolean',
  wanted: 'true or false',
  varies: false,
})

/** Options under PyTorch's names, whatever the optimiser. */
export interface AnyOptions {
  save(): Readonly<Record<string, unknown>>
  /** Throws ArgumentError for a saved value that cannot be loaded; changes nothing. */
  check(saved: Readonly<Record<string, unknown>>): void
  /** After `check`. */
  load(saved: Readonly<Record<string, unknown>>): void
}

/** The values of a group's options, on the host and as tensors. */
export class OptionValues<O extends object> implements AnyOptions {
  readonly #values = new Map<keyof O, unknown>()
  /** The first place of an option's numbers in the vector. */
  readonly #places = new Map<keyof O, number>()
  readonly #vector: Tensor

  /**
   * @param callee names the optimiser in errors
   * @param given options by their names; absent or undefined ones are the defaults
   */
  constructor(
    readonly callee: string,
    readonly fields: Fields<O>,
    given: Partial<O>,
    device: Device,
  ) {
    const names = Object.keys(fields) as (keyof O & string)[]
    checkOptionsObject(callee, given, names)
    const numbers: number[] = []
    for (const name of names) {
      const value = given[name] === undefined ? fields[name].initial : given[name]
      this.#check(name, value)
      this.#values.set(name, copied(value))
      if (!fields[name].varies) continue
      this.#places.set(name, numbers.length)
      numbers.push(...numbersOf(value))
    }
    this.#vector = withTracer(null, () => tensor(numbers, { dtype: 'f64', device }))
  }

  get names(): readonly (keyof O & string)[] {
    return Object.keys(this.fields) as (keyof O & string)[]
  }

  /** The numbers that vary, as they are in memory. */
  get vector(): Tensor {
    return this.#vector
  }

  /** The value on the host. In a capture it is the value at the trace: read `number` there. */
  get<K extends keyof O>(name: K): Settings<O>[K] {
    return this.#values.get(name) as Settings<O>[K] // the constructor and `set` put values of the field's type
  }

  /** Throws ArgumentError for a value that the option cannot have, or that cannot change; CaptureError in a compiled function. */
  set(name: keyof O & string, value: unknown): void {
    this.#check(name, value)
    const place = this.#places.get(name)
    if (place === undefined) {
      if (sameValue(value, this.#values.get(name))) return
      throw new ArgumentError(`${this.callee}: ${name} cannot change: it decides what a step computes`, {
        fix: 'make another optimiser, and load the state of this one',
      })
    }
    refuseCapture(`${this.callee}: ${name} is set`)
    this.#values.set(name, copied(value))
    for (const [i, number] of numbersOf(value).entries()) this.#vector.select(0, place + i).fill_(number)
  }

  save(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.names.map(name => [this.fields[name].torch, this.#values.get(name)]))
  }

  check(saved: Readonly<Record<string, unknown>>): void {
    for (const name of this.names) {
      const { torch, varies } = this.fields[name]
      const value = saved[torch]
      if (value === undefined) continue
      this.#check(name, value)
      if (varies || sameValue(value, this.#values.get(name))) continue
      throw new ArgumentError(
        `${this.callee}: the state is of ${torch} ${describeAny(value)}, this optimiser's is ${describeAny(this.#values.get(name))}`,
        { fix: `make the optimiser with the same ${name}` },
      )
    }
  }

  load(saved: Readonly<Record<string, unknown>>): void {
    for (const name of this.names) {
      const value = saved[this.fields[name].torch]
      if (value !== undefined) this.set(name, value)
    }
  }

  #check(name: keyof O & string, value: unknown): void {
    const { accepts, wanted } = this.fields[name]
    if (accepts(value)) return
    throw new ArgumentError(`${this.callee}: ${name} is ${describeAny(value)}`, { fix: `give ${wanted}` })
  }

  /** As `get`; in a compiled function a graph break, where the option varies: it may have another value at the next call. */
  read<K extends keyof O>(name: K): Settings<O>[K] {
    const place = this.#places.get(name)
    const value = this.get(name)
    if (place === undefined || currentTracer() === null) return value
    const numbers = numbersOf(value).map((_, i) => this.#vector.select(0, place + i).itemSync())
    return (Array.isArray(value) ? numbers : numbers[0]) as Settings<O>[K] // as many as the field has
  }

  /** Where options' numbers are in the vector. */
  get places(): ReadonlyMap<keyof O, number> {
    return this.#places
  }

  get settings(): Settings<O> {
    return Object.fromEntries(this.#values) as Settings<O> // the constructor put all fields
  }

  /** The options that do not vary, as text: steps with equal ones compute the same. */
  get fixed(): string {
    return JSON.stringify(this.names.filter(name => !this.fields[name].varies).map(name => this.#values.get(name)))
  }
}

/** Throws CaptureError in a capture: what a trace does to the host happens once, not at each call. */
export function refuseCapture(what: string): void {
  const tracer = currentTracer()
  if (tracer === null) return
  throw captureRefusal(`${what} inside of ${tracer.name}, which is compiled`, {
    fix: 'do it outside of the compiled function: it takes effect at its next call, and compiles nothing',
  })
}

const copied = (value: unknown): unknown => (Array.isArray(value) ? Object.freeze([...value]) : value)
const numbersOf = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [value as number])
const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
