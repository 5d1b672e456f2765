/**
 * User's kernels: `kernel({…})` makes one, which can be launched on tensors, interpreted in plain TypeScript, and printed as
 * generated code. Strides of 0 and 1 are compiled into the code (they decide how memory is accessed); all other sizes and
 * strides are passed at each launch.
 */

import type { ComputeDevice } from '../../backends/device.js'
import { type CodeTarget, computeDevice, shownTargets } from '../../backends/index.js'
import type { Target } from '../../backends/target.js'
import { canonical } from '../../base/canonical.js'
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DeviceError, DtypeError, GradientError, KernelError, ShapeError } from '../../base/errors.js'
import { guardKey } from '../../base/guard-key.js'
import { RecentMap } from '../../base/recent.js'
import { userLocation } from '../../base/source.js'
import { normalizeDim } from '../../graph/build.js'
import { decideAtLeast } from '../../graph/sizes.js'
import { UserKernel } from '../../kernels/user-kernel.js'
import { SizeExpr, sameShape } from '../../scalar/size.js'
import type { LaunchFacts } from '../../target/launch.js'
import { withOwnGradient } from '../../tensor/autograd/custom.js'
import type { FunctionGradient } from '../../tensor/autograd/function-node.js'
import { historyOf } from '../../tensor/autograd/history.js'
import { isRecording, withRecording } from '../../tensor/autograd/mode.js'
import { needsGradient } from '../../tensor/autograd/op-node.js'
import { requiresGrad } from '../../tensor/autograd/properties.js'
import type { Device } from '../../tensor/device.js'
import { assignInPlace, withSizes } from '../../tensor/dispatch.js'
import { elementsInPlace } from '../../tensor/host.js'
import { layoutsOverlap, overlapsItself } from '../../tensor/layout.js'
import type { Storage } from '../../tensor/storage.js'
import { type PlainNumber, requireOwn, SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'
import { currentTracer, type TracedMemory, type Tracer, withTracer } from '../../tensor/tracer.js'
import { type Argument, argumentsOf } from '../../tile/abi.js'
import { GridSize } from '../../tile/grid-size.js'
import { type InterpreterArgument, interpret } from '../../tile/interpret.js'
import type { TileProgram } from '../../tile/ir.js'
import {
  buildKernel,
  type Constants,
  checkDefinition,
  constantsOf,
  type GridParams,
  type KernelDefinition,
  type KernelOptions,
  type LaunchArguments,
  type ParamSpecs,
  type ViewDims,
  type ViewSpec,
} from '../../tile/kernel.js'
import { type LaunchRange, usualLimit } from '../../tile/language/index-bounds.js'
import { shortText } from '../../tile/language/operands.js'
import { misfit } from '../../tile/scalar-value.js'
import { provenConflict } from '../../tile/stored-twice.js'
import { writtenViews } from '../../tile/written.js'
import { checkTensorDtype, isInteger, type TensorDtype } from '../../types/dtype.js'
import { isInterpreted } from '../execute/runner.js'
import { lowerKernel, noFacts } from '../generate.js'
import { factsOf, type KernelArgument, type Launch, prepareLaunch, setArgument } from './kernel-launch.js'

/** Gradients that need what a tensor was notice that a kernel wrote into it. */
function countChanges(values: readonly KernelArgument[], written: readonly number[]): void {
  for (const i of written) {
    const value = values[i]
    if (value instanceof Tensor && value.source.kind === 'storage') value.source.changed()
  }
}

/** The type of a launch's arguments: tensors, numbers, sizes and boxed numbers. */
export type Launched<P extends ParamSpecs> = LaunchArguments<P, Tensor, SymbolicNumber>

/** The argument of `kernel`: what it computes, and its gradient. */
export interface DifferentiableDefinition<P extends ParamSpecs, C extends Constants> extends KernelDefinition<P, C> {
  /**
   * The gradients of tensors that a launch reads, by parameter (those left out have none), from the gradients of the tensors that
   * it writes, by parameter, and the launch's arguments; the tensors that it wrote are as it left them. It is tensor code, which may
   * launch other kernels. Default: the kernel has none.
   */
  gradient?(gradients: WrittenGradients<P>, args: Launched<P>): ReadGradients<P>
}

type TensorParams<P extends ParamSpecs> = { [K in keyof P]: P[K] extends TensorDtype ? never : K }[keyof P]
type WrittenGradients<P extends ParamSpecs> = { readonly [K in TensorParams<P>]: Tensor }
type ReadGradients<P extends ParamSpecs> = { readonly [K in TensorParams<P>]?: Tensor | null }

/** A kernel, as `kernel` returns it. */
export interface Kernel<P extends ParamSpecs, C extends Constants> {
  /** What it was declared as. */
  readonly definition: DifferentiableDefinition<P, C>
  /**
   * Runs the kernel on `args`: tensors and numbers by the parameters' names. It stores into the tensors in place. `options`
   * overrides the definition's constants and hints. A tensor that it writes may be passed for several parameters only as the
   * very same view, and may not overlap others. Inside a compiled function a launch is a node of its graph, and numbers are
   * part of the compiled code. Throws DtypeError, ShapeError, DeviceError, DisposedError or ArgumentError when an argument
   * does not fit, KernelError when the body breaks a rule of the language, GradientError for tensors that require gradients
   * where the kernel has none, or writes one of them.
   */
  launch(args: Launched<P>, options?: KernelOptions<C>): void
  /**
   * As `launch`, but interpreted in plain TypeScript, one instance after another: slow, the oracle for `launch`. Throws
   * KernelError when two instances store to one element, which `launch` detects only where sizes prove it. A breakpoint in
   * the body stops when the body is built into a program, not in each instance.
   */
  interpret(args: Launched<P>, options?: KernelOptions<C>): void
  /**
   * The generated code for contiguous tensors: C, or PTX for this machine's GPU ('cuda', also called 'ptx'; without a
   * GPU for sm_80) or for a named architecture. The PTX is for launches on memory aligned to 16 bytes with sizes that are
   * multiples of 16; other launches get separate code. Throws ArgumentError for an unknown target.
   */
  code(target: CodeTarget, options?: KernelOptions<C>): string
}

/**
 * Declares a kernel: a program on tiles of tensors, of which one instance runs per grid point. It is built and compiled when
 * it is first launched.
 *
 * @param definition `name`, `params`, `grid` and `body`; `constants`, `hints`, the tuner's `space`, and its `gradient`
 * @throws KernelError when the definition is wrong; the body is checked when it is built
 * @example
 * const double = kernel({
 *   name: 'double', params: { x: view(f32, 1) }, constants: { BLOCK: 256 },
 *   grid: ({ x }, { BLOCK }) => [cdiv(x.size(0), BLOCK)],
 *   body(t, { x }, { BLOCK }) {
 *     const at = t.programId(0).mul(BLOCK)
 *     t.store(x, [at], t.load(x, [at], [BLOCK]).mul(2))
 *   },
 * })
 * double.launch({ x: ones([1000]) })
 */
export function kernel<const P extends ParamSpecs, const C extends Constants = Record<never, never>>(
  definition: DifferentiableDefinition<P, C>,
): Kernel<P, C> {
  checkDefinition(definition)
  const { name, gradient } = definition as { readonly name: string; readonly gradient?: unknown }
  if (gradient !== undefined && typeof gradient !== 'function')
    throw new KernelError(`kernel '${name}': the gradient is ${describeAny(gradient)}`, {
      fix: 'give a function gradient(gradients, args)',
    })
  return new LaunchableKernel(definition)
}

interface SpecialisedKernel {
  readonly program: TileProgram
  readonly arguments: readonly Argument[]
  /** Indices of the parameters that are stored to. */
  readonly written: readonly number[]
  /** The sizes and numbers for which stores were last checked for conflicts. */
  checked: readonly unknown[]
  /** By device and by what the code assumes. */
  readonly launches: Map<string, Launch>
}

/** Bound on a kernel's cached programs: a caller may pass ever new constants. */
const maxVariants = 256

class LaunchableKernel<P extends ParamSpecs, C extends Constants> implements Kernel<P, C> {
  readonly #variants = new RecentMap<SpecialisedKernel>(maxVariants)
  readonly #graphKernels = new RecentMap<{ kernel: UserKernel; written: readonly number[] }>(maxVariants)

  constructor(readonly definition: DifferentiableDefinition<P, C>) {}

  /** As an argument of a compiled function it is guarded by identity. */
  [guardKey](): null {
    return null
  }

  /** Runs the kernel on its tensors' device, or records it in a capture. */
  launch(args: Launched<P>, options: KernelOptions<C> = {}): void {
    if (this.#differentiates(args)) {
      this.#runDifferentiably(args, options, () => this.launch(args, options))
      return
    }
    const tracer = currentTracer()
    if (tracer !== null) {
      this.#record(tracer, args, options)
      return
    }
    const values = this.#checkArguments(args)
    const device = computeDevice(this.#deviceOf(values))
    if (isInterpreted(device)) {
      this.interpret(args, options)
      return
    }
    this.#checkGradients(values)
    const variant = this.#variant(values, options)
    checkOverlap(variant.program, variant.written, values.map(memoryOf))
    const { steps, run } = this.#prepare(variant, device, values)
    for (const [i, argument] of variant.arguments.entries()) setArgument(steps, i, argument, values[argument.param]!)
    const [x = 1, y = 1, z = 1] = this.#grid(values, options)
    steps.setGrid(0, x, y, z)
    checkStores(variant, values, [x, y, z])
    run(
      values.map(value => (value instanceof Tensor ? value : null)),
      variant.written,
    )
    countChanges(values, variant.written)
  }

  interpret(args: Launched<P>, options: KernelOptions<C> = {}): void {
    if (currentTracer() === null && this.#differentiates(args)) {
      this.#runDifferentiably(args, options, () => this.interpret(args, options))
      return
    }
    if (this.#outsideCapture(args, concrete => this.interpret(concrete, options))) return
    const values = this.#checkArguments(args)
    this.#checkGradients(values)
    const variant = this.#variant(values, options)
    checkOverlap(variant.program, variant.written, values.map(memoryOf))
    interpret(variant.program, values.map(interpreterArgument), this.#grid(values, options))
    countChanges(values, variant.written)
  }

  /** Whether a launch is to be recorded with the kernel's own gradient. */
  #differentiates(args: Launched<P>): boolean {
    if (this.definition.gradient === undefined || !isRecording()) return false
    return Object.values(args ?? {}).some(arg => arg instanceof Tensor && requiresGrad(arg))
  }

  /** Runs a launch without recording, and gives the tensors that it wrote the kernel's gradient. */
  #runDifferentiably(args: Launched<P>, options: KernelOptions<C>, run: () => void): void {
    const { name, params } = this.definition
    const values = this.#checkArguments(args)
    const numbers = values.filter(value => !(value instanceof Tensor))
    const { written } = this.#graphKernel(options, launchRange(numbers))
    const names = Object.keys(params)
    const tensorOf = (i: number): Tensor => values[i] as Tensor
    for (const i of written) this.#checkWritten(names[i]!, tensorOf(i))
    const read = names.flatMap((_, i) => (values[i] instanceof Tensor && !written.includes(i) ? [i] : []))
    withRecording(false, run)
    const named = (indices: readonly number[], tensors: readonly Tensor[]): Record<string, Tensor> =>
      Object.fromEntries(indices.map((i, at) => [names[i]!, tensors[at]!]))
    const gradientOf: FunctionGradient = (gradients, { inputs, results }) => {
      const passed = { ...args, ...named(read, inputs), ...named(written, results) }
      const found = this.definition.gradient!(named(written, gradients) as never, passed) as Record<string, Tensor>
      return this.#readGradients(found, read.map(i => names[i]!)) // biome-ignore format: one line
    }
    const results = withOwnGradient(name, read.map(tensorOf), written.map(tensorOf), gradientOf) // biome-ignore format: one line
    for (const [at, i] of written.entries())
      if (results[at] !== values[i]) assignInPlace(name, tensorOf(i), results[at]!)
  }

  /** Throws GradientError where the history of a tensor that is written would be lost. */
  #checkWritten(param: string, tensor: Tensor): void {
    const isView = tensor.source.kind === 'storage' && (historyOf(tensor)?.view ?? null) !== null
    if (!isView && !requiresGrad(tensor)) return
    throw new GradientError(
      `kernel '${this.definition.name}': it writes ${param}, ${tensor.describe()}, ${isView ? 'a view' : 'which requires a gradient'}`,
      { fix: 'write into a new tensor: zerosLike(x)' },
    )
  }

  #readGradients(found: unknown, read: readonly string[]): readonly (Tensor | null)[] {
    const where = `kernel '${this.definition.name}': its gradient`
    if (typeof found !== 'object' || found === null)
      throw new ArgumentError(`${where} gave ${describeAny(found)}`, { fix: 'give an object: { x: gradientOfX }' })
    const given = found as Readonly<Record<string, Tensor | null | undefined>>
    const unknown = Object.keys(given).find(name => !read.includes(name))
    if (unknown !== undefined)
      throw new ArgumentError(`${where} gave one of '${unknown}', which is no tensor that is read only`, {
        fix: `give those of ${read.join(', ')}`,
      })
    return read.map(name => given[name] ?? null)
  }

  /** What a kernel computes of tensors that require gradients would silently have none. */
  #checkGradients(values: readonly KernelArgument[]): void {
    if (!needsGradient(values)) return
    const i = values.findIndex(value => needsGradient([value]))
    const param = Object.keys(this.definition.params)[i]
    throw new GradientError(
      `kernel '${this.definition.name}': ${param} is ${(values[i] as Tensor).describe()}, which requires a gradient, and the kernel has none`,
      { fix: 'give the kernel a gradient, launch it in noGrad(), or with a detach() of the tensor' },
    )
  }

  code(name: CodeTarget, options: KernelOptions<C> = {}): string {
    const views = mapSpecs(this.definition.params, ({ rank }) => ({
      sizes: new Array<null>(rank).fill(null),
      strides: Array.from({ length: rank }, (_, d) => (d === rank - 1 ? 1 : null)),
    }))
    const target = codeTarget(name, this.definition.name)
    const program = buildKernel(this.definition, options, views)
    return target.emitter().unit([lowerKernel(program, target, usualFacts(program))])
  }

  /**
   * Inside a captured function: one node of its graph, which reads and writes as the program does. Plain numbers are part
   * of the compiled code until they are seen to change; sizes and boxed numbers are given at each call.
   */
  #record(tracer: Tracer, args: Launched<P>, options: KernelOptions<C>): void {
    const values = this.#checkArguments(args)
    this.#deviceOf(values)
    const given = this.#callNumbers(tracer, args, values, options)
    // Only of numbers: reading a traced tensor's size would specialise it.
    const numbers = values.filter((value, i) => !(value instanceof Tensor) && given[i] === null)
    const { kernel, written } = this.#graphKernel(options, launchRange(numbers))
    checkOverlap(
      kernel.program,
      written,
      values.map(value => (value instanceof Tensor ? tracer.memoryOf(value) : null)),
    )
    withSizes(() =>
      tracer.launch({
        kernel,
        args: values.map((value, i) => given[i] ?? (typeof value === 'boolean' ? Number(value) : value)),
        floats: Object.values(this.definition.params).map(isFloatScalar),
        writes: written,
        grid: sizeOf => this.#grid(hidden(values, given), options, sizeOf),
      }),
    )
  }

  /** Arguments that are supplied at each call (sizes and boxed numbers); null for all others. */
  #callNumbers(
    tracer: Tracer,
    args: Launched<P>,
    values: readonly KernelArgument[],
    options: KernelOptions<C>,
  ): readonly (SizeExpr | Tensor | null)[] {
    const specs = Object.entries(this.definition.params)
    const given = specs.map(([name, spec]) => {
      const number = (args as Record<string, unknown>)[name]
      return number instanceof SymbolicNumber ? callNumber(tracer, spec as TensorDtype, number) : null
    })
    if (!given.some(number => number instanceof Tensor)) return given
    try {
      this.#grid(hidden(values, given), options, (argument, dim) => {
        const value = values[argument]
        return value instanceof Tensor ? sampleSize(value, dim) : Number(value)
      })
      return given
    } catch (error) {
      if (!(error instanceof UsedByGrid)) throw error
    }
    // The grid depends on a float: read it, which makes its value part of the guards.
    return given.map((number, i) => {
      if (!(number instanceof Tensor)) return number
      Number((args as Record<string, unknown>)[specs[i]![0]])
      return null
    })
  }

  /** The kernel for these constants with all sizes and strides symbolic: the scheduler specialises them. */
  #graphKernel(options: KernelOptions<C>, range: LaunchRange): { kernel: UserKernel; written: readonly number[] } {
    const { constants, hints } = constantsOf(this.definition, options)
    const key = canonical([constants as never, hints as never, range])
    const known = this.#graphKernels.get(key)
    if (known !== undefined) return known
    const program = buildKernel(this.definition, options, {}, range)
    const made = { kernel: new UserKernel(program), written: writtenViews(program) }
    this.#graphKernels.set(key, made)
    return made
  }

  /**
   * Inside a captured function: breaks the graph, so that traced tensors get their values, and runs the kernel on those; a
   * new graph begins afterwards. False when no capture is active.
   */
  #outsideCapture(args: Launched<P>, run: (concrete: Launched<P>) => void): boolean {
    const tracer = currentTracer()
    if (tracer === null || typeof (args as unknown) !== 'object' || args === null) return false
    const reader = `kernel '${this.definition.name}'`
    tracer.flush(reader)
    const entries = Object.entries(args).map(([name, value]): readonly [string, unknown] => {
      const traced = value instanceof Tensor && value.source.kind === 'traced'
      return [name, traced ? tracer.read(value, reader) : value]
    })
    withTracer(null, () => run(Object.fromEntries(entries) as Launched<P>))
    return true
  }

  /** The kernel specialised for the constants, hints and dims of these arguments, compiled at first use. */
  #variant(values: readonly KernelArgument[], options: KernelOptions<C>): SpecialisedKernel {
    const views = Object.fromEntries(
      Object.keys(this.definition.params).flatMap((name, i): [string, ViewDims][] => {
        const value = values[i]!
        return value instanceof Tensor ? [[name, specialise(value)]] : []
      }),
    ) as { readonly [K in keyof P]?: ViewDims }
    const { constants, hints } = constantsOf(this.definition, options)
    const range = launchRange(values)
    const key = canonical([constants as never, hints as never, views as never, range])
    const known = this.#variants.get(key)
    if (known !== undefined) return known
    const program = buildKernel(this.definition, options, views, range)
    const made: SpecialisedKernel = {
      program,
      arguments: argumentsOf(program.params),
      written: writtenViews(program),
      checked: [],
      launches: new Map(),
    }
    this.#variants.set(key, made)
    return made
  }

  #prepare(variant: SpecialisedKernel, device: ComputeDevice, values: readonly KernelArgument[]): Launch {
    const facts = device.target.specialises ? factsOf(variant.arguments, values) : null
    const key = facts === null ? device.name : `${device.name} ${facts.divisors.join()} ${facts.indices}`
    const known = variant.launches.get(key)
    if (known !== undefined) return known
    const at = userLocation()
    const made = prepareLaunch(variant.program, device, facts ?? noFacts(variant.program), at === null ? [] : [at])
    variant.launches.set(key, made)
    return made
  }

  /** The tensors' device. Throws DeviceError when they are on several devices. */
  #deviceOf(values: readonly KernelArgument[]): Device {
    const tensors = values.filter(value => value instanceof Tensor)
    const device = tensors[0]?.device ?? 'cpu'
    const other = tensors.find(tensor => tensor.device !== device)
    if (other === undefined) return device
    const all = tensors.map(tensor => `${tensor.describe()} on ${tensor.device}`).join(', ')
    throw new DeviceError(`kernel '${this.definition.name}': tensors on different devices: ${all}`, {
      fix: `move them to one device: x.to('${device}')`,
    })
  }

  /** The grid for these arguments. Throws when the user's function gives no valid one. */
  #grid(
    values: readonly (KernelArgument | UnknownNumber)[],
    options: KernelOptions<C>,
    sizeOf: SizeOf = sizesOf(values),
  ): readonly number[] {
    const { name, params } = this.definition
    const given = Object.fromEntries(
      Object.keys(params).map((param, i) => [param, gridValue(values[i]!, (dim = 0) => sizeOf(i, dim))]),
    )
    const { constants } = constantsOf(this.definition, options)
    const grid: unknown = this.definition.grid(given as GridParams<P>, constants)
    return checkGrid(name, grid)
  }

  /** The arguments in the order of the parameters. */
  #checkArguments(args: Launched<P>): readonly KernelArgument[] {
    const { name: kernelName, params } = this.definition
    const names = Object.keys(params).join(', ')
    const given: unknown = args
    if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof Tensor) {
      throw new ArgumentError(`kernel '${kernelName}': the arguments are ${describeAny(given)}`, {
        fix: `pass one object with the parameters by name: { ${names} }`,
      })
    }
    for (const name of Object.keys(args)) {
      if (!Object.hasOwn(params, name)) {
        throw new ArgumentError(`kernel '${kernelName}': no parameter '${name}'`, { fix: `it has ${names}` })
      }
    }
    return Object.entries(params).map(([name, spec]) => {
      const passed = (args as Record<string, unknown>)[name]
      const value = passed instanceof SymbolicNumber ? presentValue(passed) : passed
      const where = `kernel '${kernelName}': argument '${name}'`
      return typeof spec === 'string' ? checkScalar(where, spec, value) : checkView(where, spec, value)
    })
  }
}

/** Checks the grid's form. The device checks its size, since symbolic sizes are only known there. */
function checkGrid(kernel: string, grid: unknown): readonly number[] {
  const fits = (size: unknown): boolean =>
    size instanceof GridSize || (Number.isSafeInteger(size) && (size as number) >= 0)
  // Spread, so that holes are entries too.
  if (Array.isArray(grid) && grid.length >= 1 && grid.length <= 3 && [...grid].every(fits)) return grid
  const shown = Array.isArray(grid) ? `[${[...grid].slice(0, 4).map(shortText).join(', ')}]` : describeAny(grid)
  throw new ArgumentError(`kernel '${kernel}': the grid is ${shown}`, {
    fix: 'return a list of one to three integers of at least 0; cdiv(size, BLOCK) rounds up',
  })
}

/** Throws KernelError when two programs provably store to one element. Skipped when sizes and numbers are as last time. */
function checkStores(variant: SpecialisedKernel, values: readonly KernelArgument[], grid: readonly number[]): void {
  if (grid.reduce((count, size) => count * size, 1) <= 1) return
  const { params } = variant.program
  const facts: unknown[] = [...grid]
  for (const [i, value] of values.entries()) {
    const { type } = params[i]!
    if (value instanceof Tensor) facts.push(...value.shape, ...value.strides)
    else if (isInteger(type.dtype)) facts.push(value)
  }
  const { checked } = variant
  if (facts.length === checked.length && facts.every((fact, i) => fact === checked[i])) return
  const conflict = provenConflict(variant.program, { args: values, grid })
  if (conflict !== null) throw conflict
  variant.checked = facts
}

function codeTarget(name: CodeTarget, kernel: string): Target {
  const target = shownTargets.get(name)
  if (target !== undefined) return target()
  throw new ArgumentError(
    `code: no target ${typeof (name as unknown) === 'string' ? `'${name}'` : describeAny(name)} for kernel '${kernel}'`,
    { fix: `use one of ${[...shownTargets.keys()].join(', ')}` },
  )
}

const usualDivisor = 16

const usualFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(({ kind }) => (kind === 'scalar' ? 1 : usualDivisor)),
  indices: 'i32',
})

/** Views that are written must not overlap others: lowering orders loads and stores only within one instance. */
function checkOverlap(
  { name, params }: TileProgram,
  written: readonly number[],
  memories: readonly (TracedMemory | null)[],
): void {
  const fail = (a: number, b: number): never => {
    throw new ArgumentError(
      `kernel '${name}': '${params[a]!.name}' is written and overlaps '${params[b]!.name}' in memory`,
      {
        fix: 'pass the very same view for both, or a clone() of one',
      },
    )
  }
  for (const at of written) {
    const target = memories[at]!
    if (overlapsItself(target.layout)) fail(at, at)
    for (const [other, memory] of memories.entries()) {
      if (other !== at && memory !== null && partlyShared(target, memory)) fail(at, other)
    }
  }
}

const memoryOf = (value: KernelArgument): TracedMemory | null =>
  value instanceof Tensor ? { owner: value.source, layout: value.layout } : null

function mapSpecs<P extends ParamSpecs>(
  params: P,
  dims: (spec: ViewSpec) => ViewDims,
): { readonly [K in keyof P]?: ViewDims } {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, spec]) => (typeof spec === 'string' ? [] : [[name, dims(spec)]])),
  ) as { readonly [K in keyof P]?: ViewDims }
}

/** The range of numbers from which indices are computed: see tile/language/index-bounds.ts. */
function launchRange(values: readonly KernelArgument[]): LaunchRange {
  for (const value of values) {
    const isUsual =
      value instanceof Tensor
        ? value.shape.every(isBelowLimit) && value.strides.every(isBelowLimit)
        : typeof value !== 'bigint' || (value <= usualLimit && value >= -usualLimit)
    const isLargeNumber = typeof value === 'number' && Math.abs(value) > usualLimit
    if (!isUsual || isLargeNumber) return 'any'
  }
  return 'usual'
}

const isBelowLimit = (size: number): boolean => Math.abs(size) <= usualLimit

/** Strides of 0 and 1 are part of the code. */
const specialise = ({ shape, strides }: Tensor): ViewDims => ({
  sizes: shape.map(() => null),
  strides: strides.map(stride => (stride === 0 || stride === 1 ? stride : null)),
})

function checkScalar(where: string, dtype: string, value: unknown): number | bigint | boolean {
  const problem = misfit(checkTensorDtype(dtype, where), value)
  if (problem === null) return value as number | bigint | boolean
  throw new ArgumentError(`${where} ${problem.what}`, { fix: problem.fix })
}

const isFloatScalar = (spec: unknown): boolean => spec === 'f32' || spec === 'f64'

/** Thrown when the grid uses a float that is supplied at each call. */
class UsedByGrid extends Error {}

/** Placeholder for such a number in the grid's arguments. */
class UnknownNumber {
  [Symbol.toPrimitive](): never {
    throw new UsedByGrid()
  }
}

const hidden = (
  values: readonly KernelArgument[],
  given: readonly (SizeExpr | Tensor | null)[],
): readonly (KernelArgument | UnknownNumber)[] =>
  values.map((value, i) => (given[i] instanceof Tensor ? new UnknownNumber() : value))

/** A tensor's size, or an arbitrary number for a symbolic one. */
const sampleSize = (view: Tensor, dim: number): number => {
  const size = view.sizes[dim]!
  return typeof size === 'number' ? size : 16
}

/** A boxed number's value. Throws when it belongs to another capture. */
function presentValue(number: SymbolicNumber): PlainNumber {
  requireOwn(number, currentTracer())
  return number.present
}

/** A size or boxed number as an argument that each call supplies; null: its dtype does not fit, so it is read as a number. */
function callNumber(tracer: Tracer, dtype: TensorDtype, number: SymbolicNumber): SizeExpr | Tensor | null {
  const argument = tracer.numberArgument(number)
  if (typeof argument !== 'object') return null
  const what = (): string => `a number of dtype ${dtype}`
  const isFitting =
    argument instanceof SizeExpr
      ? (dtype === 'i32' || dtype === 'i64') &&
        decideAtLeast(argument, -largestIndex, what) &&
        decideAtLeast(largestIndex, argument, what)
      : isFloatScalar(dtype) && argument.dtype === 'f64'
  if (isFitting) return argument
  number.valueOf()
  return null
}

/** Fits an i32, and is within the usual range of indices. */
const largestIndex = usualLimit - 1

/** Checks the tensor for a view parameter. */
function checkView(where: string, { dtype, rank }: ViewSpec, value: unknown): Tensor {
  if (!(value instanceof Tensor))
    throw new ArgumentError(`${where} is ${describeAny(value)}, no tensor`, { fix: `pass a tensor of ${rank} dims` })
  value.requireAlive(where, 'the tensor')
  if (value.dtype !== dtype) {
    throw new DtypeError(`${where} is ${value.describe()}, the kernel takes ${dtype}`, {
      fix: `cast it: .to('${dtype}')`,
    })
  }
  if (value.ndim !== rank) {
    throw new ShapeError(`${where} is ${value.describe()}: ${value.ndim} dims where the kernel takes ${rank}`, {
      fix: 'reshape it, or pass another view',
    })
  }
  if (value.source.kind !== 'traced') value.storage(where)
  return value
}

/** Whether two views share elements without being the same view. */
function partlyShared(a: TracedMemory, b: TracedMemory): boolean {
  if (a.owner !== b.owner) return false
  const same =
    a.layout.offset === b.layout.offset &&
    sameShape(a.layout.shape, b.layout.shape) &&
    sameShape(a.layout.strides, b.layout.strides)
  return !same && layoutsOverlap(a.layout, b.layout)
}

/** The size of the view that is argument `argument` along a dim, counted from the front. */
type SizeOf = (argument: number, dim: number) => number

const sizesOf =
  (values: readonly (KernelArgument | UnknownNumber)[]): SizeOf =>
  (argument, dim) =>
    values[argument] instanceof Tensor ? values[argument].size(dim) : Number(values[argument])

/** An argument as the grid function receives it. */
function gridValue(value: KernelArgument | UnknownNumber, sizeOf: (dim?: number) => number): unknown {
  if (typeof value === 'number') return sizeOf()
  if (!(value instanceof Tensor)) return value
  return { dtype: value.dtype, rank: value.ndim, size: (dim: number) => sizeOf(normalizeDim('size', dim, value.ndim)) }
}

function interpreterArgument(value: KernelArgument): InterpreterArgument {
  if (!(value instanceof Tensor)) return value
  const data = elementsInPlace(value.source as Storage, checkTensorDtype(value.dtype, 'interpret'))
  if (data === null) {
    throw new DeviceError(`interpret: ${value.describe()} is on ${value.device}`, { fix: "move it: x.to('cpu')" })
  }
  const { shape: sizes, strides, offset } = value.layout
  return { data, offset, sizes, strides }
}
