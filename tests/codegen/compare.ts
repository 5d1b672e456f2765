/** Runs a lane program in the simulator and as compiled C on copies of the same memory, and compares what both leave. */
import { expect } from 'vitest'
import { scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import type { LaneArgument } from '../../src/lane/code.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import type { Dtype } from '../../src/types/dtype.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import type { StoredArray } from '../../src/types/memory.js'
import type { NativeArgument, NativeLibrary } from './native.js'

/** One argument of both: arrays are copied for each. `float`: a float scalar; integers are given as bigints. */
export type TestArgument = StoredArray | number | bigint | boolean

const copy = (array: StoredArray): StoredArray => array.slice()
const isArray = (arg: TestArgument): arg is StoredArray => typeof arg === 'object'

export interface Difference {
  readonly argument: number
  readonly index: number
  readonly simulated: number | bigint
  readonly native: number | bigint
}

/** Distance in representable f32 (f64) values; NaN equals NaN whatever its code; -0 and +0 are apart by one. */
function ulps(dtype: Dtype, array: StoredArray, a: number | bigint, b: number | bigint): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') return a === b ? 0 : Number.POSITIVE_INFINITY
  if (Object.is(a, b)) return 0
  if (dtype === 'f16' || dtype === 'bf16') {
    const decode = dtype === 'f16' ? fromF16 : fromBf16
    return Number.isNaN(decode(a)) && Number.isNaN(decode(b)) ? 0 : Number.POSITIVE_INFINITY
  }
  if (!(array instanceof Float32Array || array instanceof Float64Array)) return Number.POSITIVE_INFINITY
  return Number(abs(order(array, a) - order(array, b)))
}
const abs = (x: bigint): bigint => (x < 0n ? -x : x)
const view = new DataView(new ArrayBuffer(8))
function order(array: StoredArray, x: number): bigint {
  if (Number.isNaN(x)) return 1n << 70n
  if (array instanceof Float32Array) view.setFloat32(0, x)
  else view.setFloat64(0, x)
  const bits = array instanceof Float32Array ? BigInt(view.getInt32(0)) : view.getBigInt64(0)
  const width = array instanceof Float32Array ? 31n : 63n
  return bits >= 0n ? bits : -(bits + (1n << width)) - 1n
}

const epsilons: Partial<Record<Dtype, number>> = { f32: 2 ** -23, f64: 2 ** -52 }

/** Where simulator and C differ by more than `tolerance` ulp, of the value or of `least` if that is larger. */
export function differences(
  program: LaneProgram,
  library: NativeLibrary,
  args: readonly TestArgument[],
  grid: readonly [number, number, number] = [1, 1, 1],
  tolerance = 0,
  least = 0,
): Difference[] {
  const forSimulator = args.map(arg => (isArray(arg) ? copy(arg) : arg))
  const forNative = args.map(arg => (isArray(arg) ? copy(arg) : arg))
  simulate(
    program,
    forSimulator.map((arg): LaneArgument => (isArray(arg) ? { data: arg } : arg)),
    grid,
  )
  library.kernel(symbolOf(program), scratchBytes(program))(forNative as NativeArgument[], grid)
  return forSimulator.flatMap((expected, argument): Difference[] => {
    const { type } = program.args[argument]!
    if (!isArray(expected) || type.kind === 'opaque') return []
    const actual = forNative[argument] as StoredArray
    return [...expected].flatMap((simulated, index) => {
      const native = actual[index]!
      const near = tolerance * (epsilons[type.dtype] ?? 0) * least
      const differs =
        ulps(type.dtype, expected, simulated, native) > tolerance &&
        !(Math.abs(Number(simulated) - Number(native)) <= near)
      return differs ? [{ argument, index, simulated, native }] : []
    })
  })
}

export function expectSame(...args: Parameters<typeof differences>): void {
  const found = differences(...args)
  expect(found.slice(0, 5), `${args[0].name}: ${found.length} differences`).toEqual([])
}
