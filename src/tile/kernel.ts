/**
 * The definition of a kernel, separate from launching it: parameters, constants, grid, search space, body. Types flow from
 * the parameters into the body, the grid and the launch. `buildKernel` turns a definition into a tile program.
 */
import { readFileSync } from 'node:fs'
import { describeAny } from '../base/describe.js'
import { ArgumentError, KernelError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import { requireSynchronous } from '../base/synchronous.js'
import { verify } from '../ir/verify.js'
import { nodesOf } from '../ir/walk.js'
import { type CodeDtype, checkTensorDtype, isFloat8, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import {
  type Hints,
  type Parameter,
  type TileNode,
  type TileProgram,
  tileDialect,
  type ViewDim,
  type ViewType,
} from './ir.js'
import { branchOnTile } from './language/branches.js'
import type { LaunchRange } from './language/index-bounds.js'
import { type Emitter, TileBuilder, TileValue, ViewValue } from './language.js'
import { simplify } from './passes/simplify.js'
import { writtenViews } from './written.js'

/** A parameter that is a tensor view: `view(f32, 2)`. */
export interface ViewSpec<D extends TensorDtype = TensorDtype> {
  readonly kind: 'view'
  readonly dtype: D
  readonly rank: number
}
/** A view parameter, or a dtype for a scalar one. */
export type ParamSpec = ViewSpec | CodeDtype
/** A kernel's parameters by name: `{ x: view(f32, 2), n: i64 }`. */
export type ParamSpecs = { readonly [name: string]: ParamSpec }

/** A constant is known when a kernel is built; each set of values gives another program. */
export type Constant = number | boolean | string
/** Constants by name: `{ BLOCK: 128 }`. */
export type Constants = { readonly [name: string]: Constant }
/** The types of constants, widened: `{ BLOCK: 1024, MODE: 'fast' }` holds a number and a string, not 1024 and 'fast'. */
export type ConstantValues<C extends Constants> = {
  readonly [K in keyof C]: C[K] extends number ? number : C[K] extends boolean ? boolean : string
}

/** The options of a launch: constants and hints. */
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

/** A view parameter as the grid function sees it, at each launch. */
export interface GridView {
  readonly dtype: TensorDtype
  readonly rank: number
  size(dim: number): number
}
/** The parameters as the grid function sees them, at each launch: numbers, and views with their sizes. */
export type GridParams<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends TensorDtype ? ScalarArgument<P[K]> : GridView
}

/** The arguments of a launch; `TensorLike` is the type passed for a view, `NumberLike` another type allowed for a number. */
export type LaunchArguments<P extends ParamSpecs, TensorLike, NumberLike = never> = {
  readonly [K in keyof P]: P[K] extends TensorDtype ? ScalarArgument<P[K]> | NumberLike : TensorLike
}

export type SearchSpace<C extends Constants> = {
  readonly [K in keyof C | keyof Hints]?: K extends keyof C ? readonly ConstantValues<C>[K][] : readonly number[]
}

/** The argument of `kernel`: parameters, grid and body. */
export interface KernelDefinition<P extends ParamSpecs, C extends Constants> {
  /** An identifier; it names the generated function. */
  readonly name: string
  /** By name: `view(dtype, rank)` for a tensor, a dtype for a number. */
  readonly params: P
  /** Known when the kernel is built; a launch may pass other values, each set gives another program. Default none. */
  readonly constants?: C
  /** For GPUs: `warps` of a block (1 to 32), `stages` of a pipelined loop (1 to 16). Default: the compiler chooses. */
  readonly hints?: Hints
  /**
   * Programs along each axis (one to three), from the arguments of a launch: `params`, views with dtype, rank and size(dim),
   * and the `constants`. A count of 0 runs nothing.
   */
  grid(params: GridParams<P>, constants: ConstantValues<C>): readonly number[]
  /** Values that the tuner may try. */
  readonly space?: SearchSpace<C>
  /**
   * The work of each program on `params` (views, and scalars as tiles of rank 0) and `constants`. It runs when the kernel is
   * built: twice, including blocks, to check that it emits the same ops again. So values are carried from block to block by
   * name (t.range, t.while, t.if), not by assignments. JavaScript branches on tiles (`if (tile)`, `tile === 0`) are detected in
   * the body's own text, but not in functions that it calls.
   */
  body(t: TileBuilder, params: BodyParams<P>, constants: ConstantValues<C>): void
}

/** The sizes and strides of a view: part of the kernel (numbers) or passed with each launch (null). */
export interface ViewDims {
  readonly sizes: readonly ViewDim[]
  readonly strides: readonly ViewDim[]
}

/**
 * Declares a view parameter of a kernel: a tensor of that dtype and number of dims, of any sizes and strides.
 *
 * @param dtype one of the tensor dtypes
 * @param rank the number of dims, 0 to 16
 * @throws DtypeError for an unknown dtype
 * @throws ArgumentError for a rank outside of this range
 */
export function view<D extends TensorDtype>(dtype: D, rank: number): ViewSpec<D> {
  checkTensorDtype(dtype, 'view')
  if (!isRank(rank)) {
    throw new ArgumentError(`view: rank ${typeof rank === 'number' ? rank : describeAny(rank)}`, {
      fix: 'give the number of dims, 0 to 16',
    })
  }
  return { kind: 'view', dtype, rank }
}

const isRank = (rank: unknown): boolean => Number.isInteger(rank) && Number(rank) >= 0 && Number(rank) <= 16

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks everything that can be checked before a build. Throws KernelError. */
export function checkDefinition<P extends ParamSpecs, C extends Constants>(definition: KernelDefinition<P, C>): void {
  if (!isRecord(definition)) {
    throw new KernelError(`kernel: the definition is ${describeAny(definition)}`, {
      fix: 'pass an object: { name, params, grid, body }',
    })
  }
  const { name } = definition
  const fail = (what: string, fix: string): never => {
    throw new KernelError(`kernel '${typeof name === 'string' ? name : ''}': ${what}`, { fix })
  }
  if (typeof name !== 'string' || !identifier.test(name))
    fail(`the name is not an identifier: ${describeAny(name)}`, 'use letters, digits and _')
  const unknown = Object.keys(definition).find(key => !definitionKeys.includes(key))
  if (unknown !== undefined) fail(`a definition has no '${unknown}'`, `it has ${definitionKeys.join(', ')}`)
  checkParams(definition.params, name, fail)
  const { constants = {}, hints = {} } = definition
  if (!isRecord(constants)) fail(`the constants are ${describeAny(constants)}`, 'give them names: { BLOCK: 64 }')
  for (const [constant, value] of Object.entries(constants)) {
    if (isHint(constant)) fail(`'${constant}' is a hint, not a constant`, 'put it into hints')
    if (!isConstant(value))
      fail(`the constant '${constant}' is ${describeAny(value)}`, 'give a number, a string, or a bool')
  }
  if (!isRecord(hints)) fail(`the hints are ${describeAny(hints)}`, 'give them names: { warps: 4 }')
  for (const [hint, value] of Object.entries(hints)) checkHint(name, hint, value)
  if (typeof definition.body !== 'function') fail('no body', 'give a function body(t, params, constants)')
  if (typeof definition.grid !== 'function') fail('no grid', 'give a function grid(params, constants)')
}

const definitionKeys = ['name', 'params', 'constants', 'hints', 'grid', 'space', 'body', 'gradient']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isConstant = (value: unknown): value is Constant =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'

/** Throws for 8-bit floats, which exist in memory only. */
function checkScalarDtype(
  dtype: string,
  param: string,
  name: string,
  fail: (what: string, fix: string) => never,
): void {
  const known = checkTensorDtype(dtype, `kernel '${name}': parameter '${param}'`)
  if (isFloat8(known))
    fail(
      `the parameter '${param}' is a scalar of ${known}`,
      `make it f32, and convert it in the kernel: .to('${known}')`,
    )
}

function checkParams(params: ParamSpecs, name: string, fail: (what: string, fix: string) => never): void {
  if (!isRecord(params)) fail(`the params are ${describeAny(params)}`, 'give them names: { x: view(f32, 1), n: i64 }')
  for (const [param, spec] of Object.entries(params)) {
    if (!identifier.test(param)) fail(`the parameter '${param}' is not an identifier`, 'use letters, digits and _')
    if (typeof spec === 'string') checkScalarDtype(spec, param, name, fail)
    else if (!isViewSpec(spec))
      fail(`the parameter '${param}' is neither view nor dtype`, 'declare it as view(f32, rank) or f32')
  }
}

/** True for an object like those of `view`; users may write the object themselves. */
function isViewSpec(spec: unknown): spec is ViewSpec {
  if (!isRecord(spec) || spec.kind !== 'view') return false
  return (tensorDtypes as readonly unknown[]).includes(spec.dtype) && isRank(spec.rank)
}

/** The valid range of each hint. */
const hintLimits: Readonly<Record<keyof Hints, number>> = { warps: 32, stages: 16 }
const isHint = (name: string): name is keyof Hints => Object.hasOwn(hintLimits, name)

/** Throws ArgumentError for an unknown hint or an invalid value. */
function checkHint(kernel: string, name: string, value: unknown): void {
  if (!isHint(name)) {
    throw new ArgumentError(`kernel '${kernel}': no hint '${name}'`, {
      fix: `there are ${Object.keys(hintLimits).join(' and ')}`,
    })
  }
  const most = hintLimits[name]
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return
  throw new ArgumentError(`kernel '${kernel}': ${name} is ${describeAny(value)}`, {
    fix: `give an integer, 1 to ${most}`,
  })
}

/** The definition's constants, overridden by `options`. Throws ArgumentError for unknown names and wrong types. */
export function constantsOf<P extends ParamSpecs, C extends Constants>(
  definition: KernelDefinition<P, C>,
  options: KernelOptions<C> = {},
): { constants: ConstantValues<C>; hints: Hints } {
  const constants: Record<string, Constant> = { ...definition.constants }
  const hints: Record<string, number> = { ...definition.hints }
  if (!isRecord(options)) {
    throw new ArgumentError(`kernel '${definition.name}': the options are ${describeAny(options)}`, {
      fix: 'pass an object of constants and hints: { BLOCK: 64, warps: 4 }',
    })
  }
  for (const [name, value] of Object.entries(options) as [string, Constant | undefined][]) {
    if (value === undefined) continue
    if (isHint(name)) {
      checkHint(definition.name, name, value)
      hints[name] = value as number
      continue
    }
    const known = Object.hasOwn(constants, name) ? constants[name] : undefined
    if (known === undefined) {
      const names = [...Object.keys(constants), ...Object.keys(hintLimits)].join(', ')
      throw new ArgumentError(`kernel '${definition.name}': no constant '${name}'`, { fix: `it has ${names}` })
    }
    if (typeof known !== typeof value) {
      throw new ArgumentError(`kernel '${definition.name}': '${name}' is ${describeAny(value)}`, {
        fix: `give a ${typeof known}`,
      })
    }
    constants[name] = value
  }
  return { constants: constants as ConstantValues<C>, hints }
}

/** The dims of a view parameter when nothing about the launch is known. */
export function dynamicDims(rank: number): ViewDims {
  const unknown = new Array<null>(rank).fill(null)
  return { sizes: unknown, strides: unknown }
}

/**
 * The tile program of a definition for given constants. `views`: the sizes and strides that are static; all others are passed at
 * each launch, within the bounds of `launches`. The program is verified and simplified. Throws KernelError when the body
 * breaks a rule of the language.
 */
export function buildKernel<P extends ParamSpecs, C extends Constants>(
  definition: KernelDefinition<P, C>,
  options: KernelOptions<C> = {},
  views: { readonly [K in keyof P]?: ViewDims } = {},
  launches: LaunchRange = 'usual',
): TileProgram {
  checkDefinition(definition)
  const { constants, hints } = constantsOf(definition, options)
  const t = new TileBuilder({ name: definition.name, checked: true, launches })
  const params = parametersOf(definition, views)
  const nodes = params.map((param, index) => parameterNode(t, param, index))
  t.emitter.body(() => {
    const values = params.map(({ name, type }, index): readonly [string, ViewValue | TileValue] => {
      const node = nodes[index]!
      return [name, type.kind === 'view' ? new ViewValue(t.emitter, node, name) : new TileValue(t.emitter, node)]
    })
    const returned: unknown = definition.body(t, Object.fromEntries(values) as BodyParams<P>, { ...constants })
    requireSynchronous(
      returned,
      what =>
        new KernelError(`kernel '${definition.name}': the body returned ${what}`, { fix: 'make it a plain function' }),
    )
  })
  checkBranches(definition, t.emitter)
  const program = { name: definition.name, params, body: t.emitter.builder.finish([], nodes), hints }
  verify(tileDialect, program.body)
  if (writtenViews(program).length === 0) {
    throw new KernelError(`kernel '${definition.name}': the body stores nothing, so a launch would do nothing`, {
      at: t.emitter.builder.origin.at ?? undefined,
      fix: 'store what it computes: t.store(out, [start], value), t.scatter or t.atomicAdd',
    })
  }
  const simple = simplify(program)
  checkSteps(simple)
  return simple
}

/** Throws KernelError when the body branches on a tile in JavaScript, as far as the body's text shows it. */
function checkBranches<P extends ParamSpecs, C extends Constants>(
  { name, params, body }: KernelDefinition<P, C>,
  { builder }: Emitter,
): void {
  const isScalar = (param: string): boolean => typeof params[param] === 'string'
  const [scalars, views] = [true, false].map(wanted => Object.keys(params).filter(each => isScalar(each) === wanted))
  const found = branchOnTile(Function.prototype.toString.call(body), { scalars: scalars ?? [], views: views ?? [] })
  if (found === null) return
  throw new KernelError(`kernel '${name}': '${found}' is decided when the kernel is built: a tile has no value then`, {
    at: lineOf(builder.origin.at, found) ?? undefined,
    fix: 'compare with methods (a.eq(b), a.lt(b)), and branch with t.if(condition, …) or t.where(condition, a, b)',
  })
}

/** The line of the user's file that contains a piece of its text, if it can be found; else `near` itself. */
function lineOf(near: SourceLocation | null, piece: string): SourceLocation | null {
  const squeezed = (text: string): string => text.replaceAll(/\s/g, '')
  if (near === null) return null
  try {
    const lines = readFileSync(near.file, 'utf8').split('\n')
    const holding = lines.flatMap((text, i) => (squeezed(text).includes(squeezed(piece)) ? [i + 1] : []))
    const [line] = holding
    return line !== undefined && holding.length === 1 ? { ...near, line } : near
  } catch {
    return near // a bundle, or code without a file
  }
}

/** Throws KernelError for a loop whose step is known not to be positive. */
function checkSteps({ name, body }: TileProgram): void {
  for (const node of nodesOf<TileNode>(body)) {
    const step = node.op === 'range' ? node.inputs[2] : undefined
    if (step?.op === 'const' && step.attrs.value <= 0)
      throw new KernelError(`${name}: range: the step is ${step.attrs.value}`, {
        at: node.origin.at,
        fix: 'the step is positive; count up and subtract',
      })
  }
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
