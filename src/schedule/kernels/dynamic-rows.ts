/**
 * Kernels for any number of rows. The matmuls of a group that differ only in M share one kernel, which takes M as an
 * argument.
 */
import type { LoopProgram } from '../../loop/ir.js'
import { evaluateSize, type Size, sizeSymbol } from '../../scalar/size.js'
import type { LaunchStep, PlanArgument } from '../plan/plan.js'
import { matmulsOf } from '../tiling/matmul-template.js'

const symbol = 'rows'

/** The matmul with M replaced by a symbol, and M; null where M is not one loop of known size. */
export function withDynamicRows(
  program: LoopProgram,
): { readonly program: LoopProgram; readonly count: number } | null {
  const { coords } = program
  const [matmul] = matmulsOf(program)
  if (matmul === undefined || [...coords.values()].some(size => typeof size !== 'number')) return null
  const [coord, ...more] = matmul.attrs.params.m
  const count = coord === undefined ? undefined : coords.get(coord)
  if (coord === undefined || more.length > 0 || typeof count !== 'number') return null
  return { program: { ...program, coords: new Map(coords).set(coord, sizeSymbol(symbol, 1)) }, count }
}

/** A launch of such a kernel for `count` rows. */
export function bindRows(step: LaunchStep, count: number): LaunchStep {
  const values = new Map([[symbol, count]])
  const size = (value: Size): number => evaluateSize(value, values)
  const [x, y, z] = step.grid
  return {
    ...step,
    args: step.args.map((arg): PlanArgument => {
      if (arg.kind === 'size') return { ...arg, value: size(arg.value) }
      if (arg.kind !== 'view') return arg
      return { ...arg, offset: size(arg.offset), shape: arg.shape.map(size), strides: arg.strides.map(size) }
    }),
    grid: [size(x), size(y), size(z)],
    bytes: size(step.bytes),
    flops: size(step.flops),
  }
}
