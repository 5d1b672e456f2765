/**
 * The definition of a kernel, apart from launching it: parameters, constants, grid, search space, body. Types flow from
 * the parameters into the body, the grid and the launch. `buildKernel` turns a definition into a tile program.
 */
import { ArgumentError, KernelError } from '../base/errors.js'
import { requireSynchronous } from '../base/synchronous.js'
import { verify } from '../ir/verify.js'
import { checkTensorDtype, type TensorDtype } from '../types/dtype.js'
import {
  type Hints,
  type Parameter,
  type TileNode,
  type TileProgram,
  tileDialect,
  type ViewDim,
  type ViewType,
} from './ir.js'
import { TileBuilder, TileValue, ViewValue } from './language.js'
import { simplify } from './passes/simplify.js'

/** A parameter that is a tensor view: `view(f32, 2)`. */
export interface ViewSpec<D extends TensorDtype = TensorDtype> {
  readonly kind: 'view'
  readonly dtype: D
  readonly rank: number
}
/** A view parameter, or a dtype for a scalar one. */
export type ParamSpec = ViewSpec | TensorDtype
export type ParamSpecs = { readonly [name: string]: ParamSpec }

/** Known when a kernel is built; each set of values makes another program. */
export type Constant = number | boolean | string
export type Constants = { readonly [name: string]: Constant }
/** The values of constants, widened: `{ BLOCK: 1024 }` is a number, not 1024. */
export type ConstantValues<C extends Constants> = {
  readonly [K in keyof C]: C[K] extends number ? number : C[K] extends boolean ? boolean : C[K]
}

/** What a launch may change: constants and hints. */
export type KernelOptions<C extends Constants> = Partial<ConstantValues<C>> & Hints

export type ScalarArgument<D extends TensorDtype> = D extends 'bool'
  ? boolean
  : D extends 'i64'
    ? number | bigint
    : number

/** The parameters as the body sees them. */
export type BodyParams<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends ViewSpec ? ViewValue : TileValue
}

/** The parameters as the grid sees them, at each launch. */
export interface GridView {
  readonly dtype: TensorDtype
  readonly rank: number
  size(dim: number): number
}
export type GridParams<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends TensorDtype ? ScalarArgument<P[K]> : GridView
}

/** The arguments of a launch; `TensorLike` is what stands for a view. */
export type LaunchArguments<P extends ParamSpecs, TensorLike> = {
  readonly [K in keyof P]: P[K] extends TensorDtype ? ScalarArgument<P[K]> : TensorLike
}

export type SearchSpace<C extends Constants> = {
  readonly [K in keyof C | keyof Hints]?: K extends keyof C ? readonly ConstantValues<C>[K][] : readonly number[]
}

export interface KernelDefinition<P extends ParamSpecs, C extends Constants> {
  /** An identifier; it names the generated function. */
  readonly name: string
  readonly params: P
  readonly constants?: C
  readonly hints?: Hints
  /** Programs along each axis (one to three), from the arguments of a launch. */
  grid(params: GridParams<P>, constants: ConstantValues<C>): readonly number[]
  /** Values that the tuner may try. */
  readonly space?: SearchSpace<C>
  body(t: TileBuilder, params: BodyParams<P>, constants: ConstantValues<C>): void
}

/** Which sizes and strides of a view are part of the kernel (numbers) and which come with each launch (null). */
export interface ViewDims {
  readonly sizes: readonly ViewDim[]
  readonly strides: readonly ViewDim[]
}

/** Declares a view parameter. Throws ArgumentError for a rank that is no small natural number. */
export function view<D extends TensorDtype>(dtype: D, rank: number): ViewSpec<D> {
  checkTensorDtype(dtype, 'view')
  if (!Number.isInteger(rank) || rank < 0 || rank > 16) {
    throw new ArgumentError(`view: rank ${rank}`, { fix: 'give the number of dims, 0 to 16' })
  }
  return { kind: 'view', dtype, rank }
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks what can be checked before any build. Throws KernelError. */
export function checkDefinition<P extends ParamSpecs, C extends Constants>(definition: KernelDefinition<P, C>): void {
  const { name } = definition
  const fail = (what: string, fix: string): never => {
    throw new KernelError(`kernel '${name}': ${what}`, { fix })
  }
  if (typeof name !== 'string' || !identifier.test(name)) fail('the name is no identifier', 'use letters, digits and _')
  for (const [param, spec] of Object.entries(definition.params)) {
    if (!identifier.test(param)) fail(`the parameter '${param}' is no identifier`, 'use letters, digits and _')
    if (typeof spec === 'string') checkTensorDtype(spec, `kernel '${name}': parameter '${param}'`)
    else if (spec?.kind !== 'view')
      fail(`the parameter '${param}' is neither view nor dtype`, 'declare it as view(f32, rank) or f32')
  }
  for (const constant of Object.keys(definition.constants ?? {})) {
    if (constant === 'warps' || constant === 'stages')
      fail(`'${constant}' is a hint, not a constant`, 'put it into hints')
  }
  if (typeof definition.body !== 'function') fail('no body', 'give a function body(t, params, constants)')
  if (typeof definition.grid !== 'function') fail('no grid', 'give a function grid(params, constants)')
}

/** The definition's constants with `options` over them. Throws ArgumentError for names and kinds it does not have. */
export function constantsOf<P extends ParamSpecs, C extends Constants>(
  definition: KernelDefinition<P, C>,
  options: KernelOptions<C> = {},
): { constants: ConstantValues<C>; hints: Hints } {
  const constants: Record<string, Constant> = { ...definition.constants }
  const hints: Record<string, number> = { ...definition.hints }
  for (const [name, value] of Object.entries(options) as [string, Constant | undefined][]) {
    if (value === undefined) continue
    if (name === 'warps' || name === 'stages') {
      hints[name] = value as number
      continue
    }
    const known = constants[name]
    if (known === undefined) {
      const names = [...Object.keys(constants), 'warps', 'stages'].join(', ')
      throw new ArgumentError(`kernel '${definition.name}': no constant '${name}'`, { fix: `it has ${names}` })
    }
    if (typeof known !== typeof value) {
      throw new ArgumentError(`kernel '${definition.name}': '${name}' is ${String(value)}, a ${typeof value}`, {
        fix: `give a ${typeof known}`,
      })
    }
    constants[name] = value
  }
  return { constants: constants as ConstantValues<C>, hints }
}

/** The type of a view parameter when nothing about the launch is known. */
export function dynamicDims(rank: number): ViewDims {
  const unknown = new Array<null>(rank).fill(null)
  return { sizes: unknown, strides: unknown }
}

/**
 * The tile program of a definition for some constants, and for views of which `views` says what is static (everything
 * else is passed at each launch). The program is verified and simplified. Throws KernelError when the body breaks a rule
 * of the language.
 */
export function buildKernel<P extends ParamSpecs, C extends Constants>(
  definition: KernelDefinition<P, C>,
  options: KernelOptions<C> = {},
  views: { readonly [K in keyof P]?: ViewDims } = {},
): TileProgram {
  checkDefinition(definition)
  const { constants, hints } = constantsOf(definition, options)
  const t = new TileBuilder({ name: definition.name, trackLines: true })
  const params = parametersOf(definition, views)
  const nodes = params.map((param, index) => parameterNode(t, param, index))
  const values = Object.fromEntries(
    params.map(({ name, type }, index) => [
      name,
      type.kind === 'view' ? new ViewValue(t.emitter, nodes[index]!, name) : new TileValue(t.emitter, nodes[index]!),
    ]),
  ) as BodyParams<P>
  const returned: unknown = definition.body(t, values, constants)
  requireSynchronous(
    returned,
    what =>
      new KernelError(`kernel '${definition.name}': the body returned ${what}`, { fix: 'make it a plain function' }),
  )
  const program = { name: definition.name, params, body: t.emitter.builder.finish([], nodes), hints }
  verify(tileDialect, program.body)
  return simplify(program)
}

function parametersOf<P extends ParamSpecs, C extends Constants>(
  definition: KernelDefinition<P, C>,
  views: { readonly [K in keyof P]?: ViewDims },
): Parameter[] {
  return Object.entries(definition.params).map(([name, spec]): Parameter => {
    if (typeof spec === 'string') return { name, type: { kind: 'scalar', dtype: spec } }
    const dims = views[name] ?? dynamicDims(spec.rank)
    if (dims.sizes.length !== spec.rank || dims.strides.length !== spec.rank) {
      throw new ArgumentError(
        `kernel '${definition.name}': '${name}' is declared with rank ${spec.rank}, got ${dims.sizes.length} sizes and ${dims.strides.length} strides`,
        { fix: `pass a tensor with ${spec.rank} dims` },
      )
    }
    return {
      name,
      type: { kind: 'view', dtype: spec.dtype, sizes: dims.sizes, strides: dims.strides } satisfies ViewType,
    }
  })
}

function parameterNode(t: TileBuilder, { name, type }: Parameter, index: number): TileNode {
  return type.kind === 'view'
    ? t.emitter.emit('view', [], { index, name, type })
    : t.emitter.emit('scalar', [], { index, name, dtype: type.dtype })
}
