/**
 * Modules: functions with parameters. A class with a `forward` and fields; its instances are called as functions. Fields
 * that hold parameters, buffers and modules, also in arrays, Maps and plain objects, are found by their names.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { span, spanObserver } from '../base/spans.js'
import { noGrad } from '../tensor/autograd/mode.js'
import type { Device, DeviceName } from '../tensor/device.js'
import { checkDevice } from '../tensor/dispatch.js'
import { inspectCustom } from '../tensor/inspect.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { watch } from '../tensor/watched.js'
import { isFloat, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import { clonedContainer, membersOf, nameOfField, replaceMembers } from './members.js'
import { withinModule } from './module-path.js'
import { Parameter } from './parameter.js'
import { type LoadOptions, type LoadResult, loadInto, type StateDict } from './state-dict.js'
import { moduleText, type SummaryRow, summaryText } from './text.js'

/** What a dtype or a device is called, or both. */
export type ModuleTarget =
  | TensorDtype
  | DeviceName
  | { readonly dtype?: TensorDtype | undefined; readonly device?: DeviceName | undefined }

/** How far a list of members goes. */
export interface Recursion {
  /** false: only what the module itself holds. Default true. */
  readonly recurse?: boolean | undefined
}

interface Naming extends Recursion {
  /** What names begin with, with its dot. Default ''. */
  readonly prefix?: string | undefined
}

/** Options of `Buffer`. */
export interface BufferOptions {
  /** false: it is no part of `stateDict()`. Default true. */
  readonly persistent?: boolean | undefined
}

/** For the library: has a module write into its buffers what it keeps elsewhere, before they are read as state. */
export const settle = Symbol('settle')

/** The registered buffers of a module, by field: whether each is persistent. */
const buffersOf = new WeakMap<object, Map<string, boolean>>()

/** Gives other arguments of `forward`, or undefined. */
export type ForwardPreHook = (module: Module, args: readonly unknown[]) => unknown
/** Gives another output of `forward`, or undefined. */
export type ForwardHook = (module: Module, args: readonly unknown[], output: unknown) => unknown

/** Calling a module calls its `forward`. */
export interface Module {
  // biome-ignore lint/style/useShorthandFunctionType: a type alias cannot be merged with the class
  (...args: Parameters<this['forward']>): ReturnType<this['forward']>
}

/**
 * The base class of layers and models. A subclass has fields and a method `forward`; `net(x)` calls it.
 *
 * @example
 * class Net extends Module {
 *   hidden = new Linear(784, 128); out = new Linear(128, 10)
 *   forward(x: Tensor) { return this.out(this.hidden(x).relu()) }
 * }
 * const net = new Net(); const y = net(x)
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a function
export abstract class Module {
  /** Whether it is being trained, which dropout and batch norm ask; `train()` and `eval()` set it. */
  declare training: boolean

  constructor() {
    const module = callable<this>(new.target.prototype as this)
    module.training = true
    // biome-ignore lint/correctness/noConstructorReturn: fields are then defined on the function
    return module
  }

  /**
   * Has `hook(module, args)` called before each `forward` of a call of the module. What it gives takes the place of the arguments (a list,
   * or the only one), unless it is undefined.
   *
   * @returns a function that removes the hook
   * @throws ArgumentError for what is no function
   */
  registerForwardPreHook(hook: ForwardPreHook): () => void {
    return addHook(this, 'before', hook)
  }

  /**
   * Has `hook(module, args, output)` called after each `forward` of a call of the module. What it gives takes the place of the output,
   * unless it is undefined.
   *
   * @returns a function that removes the hook
   * @throws ArgumentError for what is no function
   */
  registerForwardHook(hook: ForwardHook): () => void {
    return addHook(this, 'after', hook)
  }

  /** What the module computes of its arguments: of most layers `input`, of losses `input` and `target`. */
  abstract forward(...args: never[]): unknown

  // --- what it holds -----------------------------------------------------------------------------------------------

  /** The modules in its fields, each once. */
  children(): Module[] {
    return this.namedChildren().map(([, child]) => child)
  }

  /** The modules in its fields, each once, with their names. */
  namedChildren(): [name: string, module: Module][] {
    return once(childrenOf(this))
  }

  /** The module itself and all below it, each once, parents first. */
  modules(): Module[] {
    return this.namedModules().map(([, module]) => module)
  }

  /** As `modules()`, with names: '' of the module itself, 'layers.0.norm' of one below. */
  namedModules({ prefix = '' }: { readonly prefix?: string | undefined } = {}): [name: string, module: Module][] {
    return once(allModules(this, prefix.replace(/\.$/, '')))
  }

  /** The parameters, each once even if it stands in several places (tied weights). */
  parameters(options: Recursion = {}): Parameter[] {
    return this.namedParameters(options).map(([, parameter]) => parameter)
  }

  /** As `parameters()`, with the names that they have in `stateDict()`. */
  namedParameters(options: Naming = {}): [name: string, parameter: Parameter][] {
    return once(tensorsIn(this, options, ownParameters))
  }

  /** The buffers (`registerBuffer`), each once. */
  buffers(options: Recursion = {}): Tensor[] {
    return this.namedBuffers(options).map(([, buffer]) => buffer)
  }

  /** As `buffers()`, with the names that they have in `stateDict()`. */
  namedBuffers(options: Naming = {}): [name: string, buffer: Tensor][] {
    return once(tensorsIn(this, options, module => ownBuffers(module)))
  }

  /**
   * Makes the field `name` a buffer: a tensor that is part of the module's state but not trained, such as running
   * statistics. Returns the tensor, for use in a field: `mean = this.registerBuffer('mean', zeros(3))`.
   *
   * @throws ArgumentError for a parameter, or what is no tensor
   */
  registerBuffer<T extends Tensor | null>(name: string, tensor: T, { persistent = true }: BufferOptions = {}): T {
    if (tensor !== null && (!((tensor as unknown) instanceof Tensor) || tensor instanceof Parameter)) {
      throw new ArgumentError(`registerBuffer: '${name}' is ${describeAny(tensor)}`, {
        fix: tensor instanceof Parameter ? 'assign it to a field: it is a parameter' : 'pass a tensor, or null',
      })
    }
    buffersOf.get(this)!.set(name, persistent)
    const fields = this as unknown as Record<string, Tensor | null>
    if (!Object.hasOwn(this, name) || fields[name] !== tensor) fields[name] = tensor
    return tensor
  }

  /** How many elements its parameters have; `trainable`: only of those that require gradients. */
  numParameters({ trainable = false }: { readonly trainable?: boolean | undefined } = {}): number {
    const counted = this.parameters().filter(parameter => !trainable || parameter.requiresGrad)
    return counted.reduce((sum, parameter) => sum + parameter.numel(), 0)
  }

  // --- modes -------------------------------------------------------------------------------------------------------

  /** Sets `training` to `mode` here and in all modules below. Returns the module. */
  train(mode = true): this {
    for (const module of this.modules()) module.training = mode
    return this
  }

  /** `train(false)`: dropout does nothing, batch norm uses its running statistics. Returns the module. */
  eval(): this {
    return this.train(false)
  }

  /** Sets `requiresGrad` of its parameters to `on`. Returns the module. */
  requiresGrad_(on = true): this {
    for (const parameter of this.parameters()) parameter.requiresGrad_(on)
    return this
  }

  /** Drops the gradients of its parameters; `setToNull: false` sets them to 0 instead. */
  zeroGrad({ setToNull = true }: { readonly setToNull?: boolean | undefined } = {}): void {
    for (const parameter of this.parameters()) {
      if (setToNull) parameter.grad = null
      else parameter.grad?.zero_()
    }
  }

  /** Calls `fn` with all modules below and at last with this one, as for initialising weights. Returns the module. */
  apply(fn: (module: Module) => void): this {
    for (const child of this.children()) child.apply(fn)
    fn(this)
    return this
  }

  /**
   * Moves or casts parameters and buffers to `target`: `net.to('cuda')`, `net.to('bf16')`, `net.to({ dtype, device })`. A dtype is for
   * floats only; integers keep theirs. Parameters that change are new tensors, tied ones stay tied: make the optimiser
   * afterwards. Returns the module.
   *
   * @throws ArgumentError, DtypeError, DeviceError
   */
  to(target: ModuleTarget): this {
    const destination = destinationOf(target)
    const moved = new Map<Tensor, Tensor>()
    const move = (tensor: Tensor): Tensor => {
      const known = moved.get(tensor) ?? movedTensor(tensor, destination)
      moved.set(tensor, known)
      return known
    }
    for (const module of this.modules()) {
      module[settle]()
      replaceMembers(module, isStateOf(module), move)
    }
    return this
  }

  /**
   * A copy of the module and everything below it, with copies of all tensors; tied parameters stay tied. As Python's
   * `copy.deepcopy`, without running constructors.
   */
  clone(): this {
    return cloneModule(this)
  }

  // --- state -------------------------------------------------------------------------------------------------------

  /**
   * Parameters and persistent buffers by name, sharing memory with the module. Names are PyTorch's for the same structure:
   * paths joined by dots, camelCase fields in snake_case (`inProjWeight` is 'in_proj_weight'), keys of dictionaries as they
   * are. Tied parameters are in it under each name.
   */
  stateDict({ prefix = '' }: { readonly prefix?: string | undefined } = {}): StateDict {
    return Object.fromEntries(stateOf(this, prefix).map(([name, tensor]) => [name, tensor.detach()]))
  }

  /**
   * Copies the tensors of a state dict into parameters and buffers of these names, converted to their dtype and device.
   *
   * @param dict names to tensors, as `stateDict()` gives
   * @param options `strict`: false ignores missing and unexpected names; true by default
   * @returns the names that were missing and unexpected
   * @throws ArgumentError that lists missing, unexpected and mis-shaped entries; the module is then as it was
   */
  loadStateDict(dict: StateDict, options: LoadOptions = {}): LoadResult {
    return loadInto(moduleName(this), stateOf(this, ''), dict, options)
  }

  /** For the library. */
  [settle](): void {}

  // --- text --------------------------------------------------------------------------------------------------------

  /** What `toString()` shows in the brackets, such as sizes. Default: nothing. */
  extraRepr(): string {
    return ''
  }

  /** The structure, as PyTorch prints it. */
  toString(): string {
    return moduleText(moduleName(this), this.extraRepr(), childrenOf(this))
  }

  /** A table of all modules with their numbers of parameters, and the totals. */
  summary(): string {
    const rows = allModules(this, '', false).map(
      ([path, module]): SummaryRow => ({
        path,
        type: moduleName(module),
        shapes: ownParameters(module).map(([name, { shape }]) => `${name} [${shape.join(', ')}]`),
        parameters: module.numParameters(),
      }),
    )
    return summaryText(rows, {
      parameters: this.numParameters(),
      trainable: this.numParameters({ trainable: true }),
      tensors: [...this.parameters(), ...this.buffers()],
      buffers: this.buffers(),
    })
  }

  [inspectCustom](): string {
    return this.toString()
  }
}

/** The field of a module with the functions that are called around its `forward`. It is a field so that changes of it are seen. */
const aroundForward = Symbol('hooks')

interface ForwardHooks {
  readonly before: readonly ForwardPreHook[]
  readonly after: readonly ForwardHook[]
}

type Hooked = Module & { [aroundForward]?: ForwardHooks }

const hooksOf = (module: Hooked): ForwardHooks => module[aroundForward] ?? { before: [], after: [] }

/** Adds a hook; gives the function that removes it. */
function addHook<K extends keyof ForwardHooks>(module: Hooked, place: K, hook: ForwardHooks[K][number]): () => void {
  if (typeof (hook as unknown) !== 'function')
    throw new ArgumentError(`a hook is ${describeAny(hook)}, not a function`, { fix: '(module, args) => …' })
  // An entry of its own, so that one function may be added twice.
  const entry = (...args: never[]): unknown => (hook as (...args: never[]) => unknown)(...args)
  const change = (list: readonly unknown[]): void => {
    const hooks = { ...hooksOf(module), [place]: list } as ForwardHooks
    if (hooks.before.length + hooks.after.length > 0) module[aroundForward] = hooks
    else delete module[aroundForward]
  }
  change([...hooksOf(module)[place], entry])
  return () => change((hooksOf(module)[place] as readonly unknown[]).filter(each => each !== entry))
}

function callWithHooks(module: Hooked, given: readonly unknown[]): unknown {
  const { before, after } = hooksOf(module)
  let args = given
  for (const hook of before) {
    const replaced = hook(module, args)
    if (replaced !== undefined) args = Array.isArray(replaced) ? (replaced as readonly unknown[]) : [replaced]
  }
  let output: unknown = module.forward(...(args as never[]))
  for (const hook of after) {
    const replaced = hook(module, args, output)
    if (replaced !== undefined) output = replaced
  }
  return output
}

/** As in PyTorch: a tensor in place of a parameter would be neither trained nor saved. Throws ArgumentError for one. */
function keepParameter(module: object, field: string | symbol, value: unknown): void {
  if (!(value instanceof Tensor) || value instanceof Parameter) return
  if (!(Object.getOwnPropertyDescriptor(module, field)?.value instanceof Parameter)) return
  const name = `${module.constructor.name}.${String(field)}`
  throw new ArgumentError(`${name}: ${value.describe()}, which is no parameter, in place of one`, {
    fix: `assign new Parameter(…), or copy the values: noGrad(() => ${String(field)}.copy_(…)); to have it plain, delete the field first`,
  })
}

/** A module without fields: a function that calls its own `forward`. */
function callable<M extends Module>(prototype: M): M {
  const run = (args: never[]): unknown =>
    Reflect.has(module, aroundForward) ? callWithHooks(module, args) : module.forward(...args)
  const call = (...args: never[]): unknown =>
    spanObserver === null && currentTracer() === null
      ? run(args)
      : withinModule(module, path =>
          currentTracer() === null ? span('module', path, () => run(args), module) : run(args),
        )
  // A function's own `name` and `length` would count as fields.
  for (const key of Reflect.ownKeys(call)) Reflect.deleteProperty(call, key)
  const module = watch(Object.setPrototypeOf(call, prototype) as M, keepParameter)
  buffersOf.set(module, new Map())
  return module
}

/** `made`: the copies so far, of modules, tensors and containers. */
function cloneModule<M extends Module>(module: M, made = new Map<unknown, unknown>()): M {
  module[settle]()
  const copy = callable<M>(Object.getPrototypeOf(module) as M)
  made.set(module, copy)
  for (const [field, isPersistent] of buffersOf.get(module)!) buffersOf.get(copy)!.set(field, isPersistent)
  for (const key of Reflect.ownKeys(module)) {
    const field = Object.getOwnPropertyDescriptor(module, key)!
    Object.defineProperty(copy, key, 'value' in field ? { ...field, value: cloned(field.value, made) } : field)
  }
  return copy
}

function cloned(value: unknown, made: Map<unknown, unknown>): unknown {
  const known = made.get(value)
  if (known !== undefined) return known
  if (value instanceof Module) return cloneModule(value, made)
  const copy = value instanceof Tensor ? clonedTensor(value) : clonedContainer(value, item => cloned(item, made))
  made.set(value, copy)
  return copy
}

const clonedTensor = (tensor: Tensor): Tensor =>
  tensor instanceof Parameter
    ? new Parameter(
        noGrad(() => tensor.clone()),
        { requiresGrad: tensor.requiresGrad },
      )
    : tensor.clone()

const moduleName = (module: Module): string => module.constructor.name || 'Module'

/** Each value once, with its first name. */
function once<T>(named: readonly [string, T][]): [string, T][] {
  const seen = new Set<T>()
  return named.filter(([, value]) => !seen.has(value) && seen.add(value))
}

const childrenOf = (module: Module): [string, Module][] => membersOf(module, value => value instanceof Module)

const ownParameters = (module: Module): [string, Parameter][] => membersOf(module, value => value instanceof Parameter)

/** `persistent`: only those that are. */
function ownBuffers(module: Module, persistent = false): [string, Tensor][] {
  const registered = buffersOf.get(module)!
  const fields = module as unknown as Readonly<Record<string, unknown>>
  return [...registered].flatMap(([field, isPersistent]): [string, Tensor][] => {
    const tensor = fields[field]
    const isBuffer = tensor instanceof Tensor && !(tensor instanceof Parameter)
    return isBuffer && (isPersistent || !persistent) ? [[nameOfField(field), tensor]] : []
  })
}

const joined = (prefix: string, name: string): string =>
  prefix === '' || name === '' ? prefix + name : `${prefix}.${name}`

/** The module and all below it; `again`: those that stand in several places under each name. */
function allModules(module: Module, path: string, again = true, above: readonly Module[] = []): [string, Module][] {
  if (above.includes(module)) return []
  const below = again ? childrenOf(module) : once(childrenOf(module))
  return [
    [path, module],
    ...below.flatMap(([name, child]) => allModules(child, joined(path, name), again, [...above, module])),
  ]
}

function tensorsIn<T extends Tensor>(
  module: Module,
  { recurse = true, prefix = '' }: Naming,
  own: (module: Module) => [string, T][],
): [string, T][] {
  const modules: [string, Module][] = recurse ? once(allModules(module, '')) : [['', module]]
  return modules.flatMap(([path, each]) =>
    own(each).map(([name, tensor]): [string, T] => [prefix + joined(path, name), tensor]),
  )
}

function stateOf(module: Module, prefix: string): [string, Tensor][] {
  return allModules(module, '').flatMap(([path, each]) => {
    each[settle]()
    return [...ownParameters(each), ...ownBuffers(each, true)].map(([name, tensor]): [string, Tensor] => [
      prefix + joined(path, name),
      tensor,
    ])
  })
}

/** Whether a value in the field `field` of a module is a parameter or a buffer. */
const isStateOf =
  (module: Module) =>
  (value: unknown, field: string): value is Tensor =>
    value instanceof Parameter || (value instanceof Tensor && buffersOf.get(module)!.has(field))

interface Destination {
  readonly dtype: TensorDtype | null
  readonly device: Device | null
}

function destinationOf(target: ModuleTarget): Destination {
  const isDtype = (tensorDtypes as readonly unknown[]).includes(target)
  const given = typeof target !== 'string' ? target : isDtype ? { dtype: target } : { device: target }
  const { dtype = null, device = null } = given as { dtype?: TensorDtype; device?: DeviceName }
  if (dtype !== null && !isFloat(dtype)) {
    throw new ArgumentError(`to: a module cannot be cast to ${dtype}`, { fix: "use a float: 'f32', 'bf16', 'f64', …" })
  }
  return { dtype, device: device === null ? null : checkDevice(device, 'to') }
}

function movedTensor(tensor: Tensor, { dtype, device }: Destination): Tensor {
  return noGrad(() => {
    const isCast = dtype !== null && isFloat(tensor.dtype) && dtype !== tensor.dtype
    const cast = isCast ? tensor.to(dtype) : tensor
    const moved = device === null || device === cast.device ? cast : cast.to(device)
    if (moved === tensor) return tensor
    return tensor instanceof Parameter ? new Parameter(moved, { requiresGrad: tensor.requiresGrad }) : moved
  })
}
