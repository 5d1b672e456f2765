/** Modules that hold modules or parameters: in a list, by name, or one after the other. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { Tensor } from '../tensor/tensor.js'
import type { TensorModule } from './layer.js'
import { verbatimNames } from './members.js'
import { Module } from './module.js'
import { Parameter } from './parameter.js'

type Items<T> = Record<string | number, T>

const isIndex = (key: string): boolean => /^\d+$/.test(key)

function noForward(module: Module): never {
  throw new ArgumentError(`${module.constructor.name}: it holds modules and computes nothing`, {
    fix: 'call what it holds: for (const layer of layers) x = layer(x)',
  })
}

/** A list whose items are the fields 0, 1, …, which are their names in state dicts. */
abstract class List<T> extends Module implements Iterable<T> {
  [index: number]: T

  protected abstract checked(item: unknown): T

  /** How many items. */
  override get length(): number {
    let count = 0
    while (Object.hasOwn(this, count)) count++
    return count
  }

  /** The item at `index`; negative ones count from the end. */
  at(index: number): T | undefined {
    return (this as Items<T>)[index < 0 ? index + this.length : index]
  }

  /** Appends items; returns the new length. */
  push(...items: readonly T[]): number {
    let { length } = this
    for (const item of items) (this as Items<T>)[length++] = this.checked(item)
    return length
  }

  /** Appends the items of a list. Returns this list. */
  extend(items: Iterable<T>): this {
    this.push(...items)
    return this
  }

  /** Puts `item` before the one at `index`. */
  insert(index: number, item: T): void {
    const items = [...this]
    items.splice(index, 0, this.checked(item))
    for (const [i, each] of items.entries()) (this as Items<T>)[i] = each
  }

  /** Removes and returns the last item. */
  pop(): T | undefined {
    const last = this.length - 1
    const item = (this as Items<T>)[last]
    delete (this as Items<T>)[last]
    return item
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; Object.hasOwn(this, i); i++) yield this[i]!
  }

  /** What `fn` gives for each item. */
  map<R>(fn: (item: T, index: number) => R): R[] {
    return Array.from(this, fn)
  }

  /** Each item with its index. */
  entries(): IterableIterator<[number, T]> {
    return [...this].entries()
  }
}

/** A list of modules: `layers = new ModuleList([new Linear(2, 2), …])`, `this.layers[0]`, `for (const layer of this.layers)`. */
export class ModuleList<M extends Module = Module> extends List<M> {
  constructor(modules: Iterable<M> = []) {
    super()
    this.push(...modules)
  }

  forward(): never {
    return noForward(this)
  }

  protected checked(item: unknown): M {
    return checkedModule('ModuleList', item) as M
  }
}

/** A list of parameters; tensors become parameters. */
export class ParameterList extends List<Parameter> {
  constructor(parameters: Iterable<Tensor> = []) {
    super()
    for (const parameter of parameters) this.push(this.checked(parameter))
  }

  forward(): never {
    return noForward(this)
  }

  override extraRepr(): string {
    return this.map((item, i) => `(${i}): Parameter ${item.describe()}`).join(', ')
  }

  protected checked(item: unknown): Parameter {
    return checkedParameter('ParameterList', item)
  }
}

function checkedModule(holder: string, item: unknown): Module {
  if (item instanceof Module) return item
  throw new ArgumentError(`${holder}: ${describeAny(item)} is no module`, { fix: 'pass instances of Module' })
}

function checkedParameter(holder: string, item: unknown): Parameter {
  if (item instanceof Parameter) return item
  if (item instanceof Tensor) return new Parameter(item)
  throw new ArgumentError(`${holder}: ${describeAny(item)} is no tensor`, { fix: 'pass parameters or tensors' })
}

/** Entries by name are fields; their names in state dicts are the keys as they are. */
abstract class Dict<T> extends Module implements Iterable<[string, T]> {
  readonly [verbatimNames] = true

  protected abstract checked(item: unknown): T
  protected abstract isItem(value: unknown): value is T

  /** The entry of that key; undefined: there is none. */
  get(key: string): T | undefined {
    return this.has(key) ? (this as unknown as Items<T>)[key] : undefined
  }

  /** Whether there is an entry of `key`. */
  has(key: string): boolean {
    return Object.hasOwn(this, key) && this.isItem((this as unknown as Items<T>)[key])
  }

  /** Makes `item` the entry of `key`. Throws ArgumentError for a key that is a method's name, as in PyTorch. */
  set(key: string, item: T): this {
    if (key in this && !this.has(key)) {
      throw new ArgumentError(`${this.constructor.name}: the key '${key}' is taken by a field or a method`, {
        fix: 'use another one',
      })
    }
    ;(this as unknown as Items<T>)[key] = this.checked(item)
    return this
  }

  /** Removes the entry of `key`; false: there was none. */
  delete(key: string): boolean {
    return this.has(key) && Reflect.deleteProperty(this, key)
  }

  /** Adds entries. Returns this. */
  update(entries: Readonly<Record<string, T>>): this {
    for (const [key, item] of Object.entries(entries)) this.set(key, item)
    return this
  }

  /** How many entries. */
  get size(): number {
    return this.keys().length
  }

  /** The keys, in order (integers first, as JavaScript keeps them). */
  keys(): string[] {
    return Object.keys(this).filter(key => this.has(key))
  }

  /** The entries without their keys. */
  values(): T[] {
    return this.keys().map(key => this.get(key)!)
  }

  /** Each entry with its key. */
  entries(): [string, T][] {
    return this.keys().map(key => [key, this.get(key)!])
  }

  [Symbol.iterator](): Iterator<[string, T]> {
    return this.entries()[Symbol.iterator]()
  }
}

/** Modules by name: `new ModuleDict({ conv: new Conv2d(…), pool: new MaxPool2d(2) })`, `dict.get('conv')`. */
export class ModuleDict<M extends Module = Module> extends Dict<M> {
  constructor(modules: Readonly<Record<string, M>> = {}) {
    super()
    this.update(modules)
  }

  forward(): never {
    return noForward(this)
  }

  protected checked(item: unknown): M {
    return checkedModule('ModuleDict', item) as M
  }

  protected isItem(value: unknown): value is M {
    return value instanceof Module
  }
}

/** Parameters by name; tensors become parameters. */
export class ParameterDict extends Dict<Parameter> {
  constructor(parameters: Readonly<Record<string, Tensor>> = {}) {
    super()
    for (const [key, item] of Object.entries(parameters)) this.set(key, this.checked(item))
  }

  forward(): never {
    return noForward(this)
  }

  override extraRepr(): string {
    return this.entries()
      .map(([key, item]) => `(${key}): Parameter ${item.describe()}`)
      .join(', ')
  }

  protected checked(item: unknown): Parameter {
    return checkedParameter('ParameterDict', item)
  }

  protected isItem(value: unknown): value is Parameter {
    return value instanceof Parameter
  }
}

/**
 * Modules one after the other: `new Sequential(new Linear(2, 3), new ReLU())`, or by name,
 * `new Sequential({ hidden: new Linear(2, 3), activation: new ReLU() })`.
 */
export class Sequential extends Module implements Iterable<TensorModule> {
  [index: number]: TensorModule
  readonly [verbatimNames] = true

  constructor(...modules: readonly TensorModule[])
  constructor(modules: Readonly<Record<string, TensorModule>>)
  constructor(...args: readonly unknown[]) {
    super()
    const [first] = args
    if (args.length === 1 && typeof first === 'object' && first !== null && !Array.isArray(first)) {
      for (const [name, module] of Object.entries(first)) this.append(module as TensorModule, name)
    } else for (const module of args) this.append(module as TensorModule)
  }

  forward(input: Tensor): Tensor {
    let value = input
    for (const module of this) value = module(value)
    return value
  }

  /** How many modules. */
  override get length(): number {
    return [...this].length
  }

  /** The module at `index`, whatever its name; negative ones count from the end. */
  at(index: number): TensorModule | undefined {
    return [...this].at(index)
  }

  /** The module of that name; undefined: there is none. */
  get(name: string): TensorModule | undefined {
    const found = Object.hasOwn(this, name) ? (this as unknown as Items<unknown>)[name] : undefined
    return found instanceof Module ? (found as TensorModule) : undefined
  }

  /**
   * Appends a module, under a name if the others have names. Returns this. Throws ArgumentError for an integer as a name, and
   * where some would have names and others not: JavaScript keeps integers before names.
   */
  append(module: TensorModule, name?: string): this {
    const names = Object.keys(this).filter(key => (this as Items<unknown>)[key] instanceof Module)
    const hasNames = names.some(key => !isIndex(key))
    if (name === undefined ? hasNames : isIndex(name) || names.length > 0 !== hasNames) {
      throw new ArgumentError(`Sequential: ${name === undefined ? 'a module without a name' : `the name '${name}'`}`, {
        fix: 'give all modules names that are no numbers, or none',
      })
    }
    if (name !== undefined && name in this) {
      throw new ArgumentError(`Sequential: the name '${name}' is taken`, { fix: 'use another one' })
    }
    ;(this as Items<unknown>)[name ?? names.length] = checkedModule('Sequential', module)
    return this
  }

  *[Symbol.iterator](): Iterator<TensorModule> {
    for (const value of Object.values(this)) if (value instanceof Module) yield value as TensorModule
  }
}
