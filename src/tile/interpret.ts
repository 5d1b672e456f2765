/**
 * The interpreter of tile programs: plain TypeScript on plain arrays, one instance of the grid after another. It is the
 * oracle for every target, so it follows ir.ts exactly. Elementwise results are those of the scalar table, rounded to their
 * dtype; sums, products and dots of floats are computed in f64 and rounded once at the end, which is at least as accurate as
 * any target's order; integers wrap; accesses outside a view read the padding value and write nothing.
 */
import { ArgumentError } from '../base/errors.js'
import { castValue, wrapValue } from '../scalar/ops.js'
import { isFloat } from '../types/dtype.js'
import { storedArrayType } from '../types/memory.js'
import { type CompiledProgram, compileProgram, type Frame } from './interpreter/compile.js'
import { claimsOf } from './interpreter/owners.js'
import type { ViewMemory } from './interpreter/values.js'
import { packValue, type Scalar } from './interpreter/values.js'
import type { Parameter, TileProgram, ViewType } from './ir.js'
import { misfit } from './scalar-value.js'

export type { ViewMemory } from './interpreter/values.js'
/** A view as memory, or a scalar: a number, a bigint (i64), or a boolean (bool). */
export type InterpreterArgument = ViewMemory | number | bigint | boolean

/** Compiled programs by tile program: eager mode without a compiler runs the same few programs again and again. */
const compiled = new WeakMap<TileProgram, CompiledProgram>()

/** The maximum size of a grid axis: the largest that all targets can launch. */
const maxGridSize = 2 ** 31 - 1

/**
 * Runs every instance of `grid` (one to three sizes) in order, the first axis fastest. `args` are in the order of the
 * program's params; views are read and written in place. Throws ArgumentError when an argument does not fit its
 * parameter or extends beyond its data, and KernelError for a loop whose step is not positive and for two instances
 * that store to the same element.
 */
export function interpret(program: TileProgram, args: readonly InterpreterArgument[], grid: readonly number[]): void {
  const fail = (what: string, fix: string): never => {
    throw new ArgumentError(`${program.name}: ${what}`, { fix })
  }
  if (args.length !== program.params.length) {
    fail(`${args.length} arguments`, `pass ${program.params.length}: ${program.params.map(p => p.name).join(', ')}`)
  }
  const [x, y, z] = checkGrid(grid, fail)
  const views = program.params.map((param, i) => viewArgument(param, args[i]!, fail))
  checkEqualSizes(program, views, fail)
  const scalars = program.params.map((param, i) => scalarArgument(param, args[i]!, fail))
  let runnable = compiled.get(program)
  if (runnable === undefined) {
    runnable = compileProgram(program)
    compiled.set(program, runnable)
  }
  const programId = [0, 0, 0]
  const { written } = runnable
  const claims = claimsOf(
    views.map((view, i) => (written.includes(i) ? view : undefined)),
    x * y * z,
  )
  const cells = new Array(runnable.slots).fill(0)
  const frame: Frame = { cells, views, scalars, programId, numPrograms: [x, y, z], claims }
  for (programId[2] = 0; programId[2] < z; programId[2]++) {
    for (programId[1] = 0; programId[1] < y; programId[1]++) {
      for (programId[0] = 0; programId[0] < x; programId[0]++) runnable.run(frame)
    }
  }
}

type Fail = (what: string, fix: string) => never

/** Checks a grid; missing axes are 1. */
/** Checks the sizes that the program's code may take for the same. */
function checkEqualSizes(
  { params, equalSizes = [] }: TileProgram,
  views: readonly (ViewMemory | undefined)[],
  fail: Fail,
): void {
  for (const dims of equalSizes) {
    const sizes = dims.map(({ param, dim }) => views[param]?.sizes[dim])
    if (sizes.every(size => size === sizes[0])) continue
    const given = dims.map(({ param, dim }, i) => `${params[param]!.name}, dim ${dim}: ${sizes[i]}`)
    fail(
      `sizes that should be the same are ${given.join('; ')}`,
      'pass views of the sizes that the kernel was made for',
    )
  }
}

function checkGrid(grid: readonly number[], fail: Fail): [number, number, number] {
  const fits =
    grid.length >= 1 &&
    grid.length <= 3 &&
    grid.every(size => Number.isInteger(size) && size >= 0 && size <= maxGridSize)
  if (!fits) fail(`the grid is [${grid.join(', ')}]`, 'give one to three natural numbers below 2^31')
  const [x, y = 1, z = 1] = grid as [number, number?, number?]
  if (x * y * z > Number.MAX_SAFE_INTEGER)
    fail(
      `the grid [${grid.join(', ')}] has more than 2^53 programs`,
      'use larger tiles, so that fewer programs cover the data',
    )
  return [x, y, z]
}

/** Checks the argument of a view parameter; undefined for a scalar parameter. */
function viewArgument({ name, type }: Parameter, arg: InterpreterArgument, fail: Fail): ViewMemory | undefined {
  if (type.kind !== 'view') return undefined
  if (typeof arg !== 'object')
    return fail(`'${name}' is ${String(arg)}, a ${typeof arg}`, 'pass a view: { data, offset, sizes, strides }')
  const wanted = storedArrayType(type.dtype)
  if (!(arg.data instanceof wanted)) {
    fail(`'${name}' holds ${type.dtype}, its data is a ${arg.data?.constructor.name}`, `pass a ${wanted.name}`)
  }
  checkDims(name, type, arg, fail)
  checkReach(name, arg, fail)
  return arg
}

/** Checks a view's sizes and strides against the parameter's type. */
function checkDims(name: string, type: ViewType, { sizes, strides }: ViewMemory, fail: Fail): void {
  const rank = type.sizes.length
  if (sizes.length !== rank || strides.length !== rank) {
    fail(
      `'${name}' has rank ${rank}, got sizes [${sizes.join(', ')}] and strides [${strides.join(', ')}]`,
      `pass ${rank} of each`,
    )
  }
  for (let d = 0; d < rank; d++) {
    if (!Number.isSafeInteger(sizes[d]) || sizes[d]! < 0)
      fail(`'${name}': size ${sizes[d]} of dim ${d}`, 'sizes are natural numbers')
    if (!Number.isSafeInteger(strides[d])) fail(`'${name}': stride ${strides[d]} of dim ${d}`, 'strides are integers')
    for (const [what, known, given] of [
      ['size', type.sizes[d], sizes[d]],
      ['stride', type.strides[d], strides[d]],
    ] as const) {
      // The stride of a dim of size 0 or 1 is never used.
      if (what === 'stride' && sizes[d]! <= 1) continue
      if (typeof known === 'number' && known !== given) {
        fail(
          `'${name}' was built for ${what} ${known} in dim ${d}, got ${given}`,
          'build the kernel for this view, or leave it open (null)',
        )
      }
    }
  }
}

/** Checks that a view addresses only elements that its data has. */
function checkReach(name: string, { data, offset, sizes, strides }: ViewMemory, fail: Fail): void {
  if (sizes.includes(0)) return
  let [low, high] = [offset, offset]
  for (const [d, size] of sizes.entries()) {
    const reach = (size - 1) * strides[d]!
    if (reach < 0) low += reach
    else high += reach
  }
  if (!Number.isSafeInteger(low) || low < 0 || high >= data.length) {
    fail(
      `'${name}' reaches from element ${low} to ${high} of data with ${data.length}`,
      'check offset, sizes and strides',
    )
  }
}

function scalarArgument({ name, type }: Parameter, arg: InterpreterArgument, fail: Fail): Scalar | undefined {
  if (type.kind !== 'scalar') return undefined
  if (typeof arg === 'object') return fail(`'${name}' is a scalar of ${type.dtype}, got a view`, 'pass a number')
  const problem = misfit(type.dtype, arg)
  if (problem !== null) fail(`'${name}' ${problem.what}`, problem.fix)
  const value = typeof arg === 'boolean' ? Number(arg) : arg
  return packValue(isFloat(type.dtype) ? castValue('f64', type.dtype, value) : wrapValue(type.dtype, BigInt(value)))
}
