/** Every scalar op, cast, bitcast and fold as compiled C, against the simulator, at several vector lengths. */
import { describe, expect, it } from 'vitest'
import { emitC } from '../../src/codegen/c/emit.js'
import type { LaneNode, LaneProgram } from '../../src/lane/ir.js'
import { accepts, resultDtype, type ScalarOpName, scalarOp, scalarOpNames } from '../../src/scalar/ops.js'
import { codeDtypes, computeDtype, dtypeInfo, type TensorDtype } from '../../src/types/dtype.js'
import { type LaneBuilder, laneProgram, pointer } from '../lane/build.js'
import { approximate } from '../support/approximate.js'
import { expectSame } from './compare.js'
import { compileNative, noCompiler } from './native.js'
import { spread, zeros } from './samples.js'

const computed = codeDtypes.filter(dtype => computeDtype(dtype) === dtype)
const total = 192

/** With zeros inside their range, near which errors are unbounded relative to the value: in ulp of at least 1. */
const vanishing = new Set<ScalarOpName>(['lgamma', 'digamma'])

/** In ulp. The reference rounds f64's fma twice. */
function tolerance(fn: ScalarOpName, dtype: TensorDtype): number {
  if (dtypeInfo(dtype).kind !== 'float') return 0
  if (fn === 'fma' && dtype === 'f64') return 4
  if (vanishing.has(fn)) return 64
  return approximate.has(fn) ? 4 : 0
}

/** A program that applies `op` to vectors of `lanes` values, over `total` values. */
function elementwise(
  name: string,
  dtypes: readonly TensorDtype[],
  result: TensorDtype,
  lanes: number,
  op: (b: LaneBuilder, operands: readonly LaneNode[]) => LaneNode,
): LaneProgram {
  const types = Object.fromEntries([...dtypes.map((dtype, i) => [`x${i}`, pointer(dtype)]), ['out', pointer(result)]])
  return laneProgram(name, types, (b, args) => {
    b.for([0, total, lanes], [], i => {
      const operands = dtypes.map((_, k) => b.load(args[`x${k}`]!, i, lanes))
      b.store(args.out!, i, op(b, operands))
      return []
    })
  })
}

interface Case {
  readonly program: LaneProgram
  readonly inputs: readonly TensorDtype[]
  readonly result: TensorDtype
  readonly tolerance: number
  readonly least?: number
}

function check(cases: readonly Case[]): void {
  const library = compileNative(emitC(cases.map(one => one.program)))
  for (const { program, inputs, result, tolerance: allowed, least } of cases) {
    const args = [...inputs.map((dtype, i) => spread(dtype, total, i + 1)), zeros(result, total)]
    expectSame(program, library, args, [1, 1, 1], allowed, least)
  }
}

function mapCase(fn: ScalarOpName, dtype: TensorDtype, lanes: number): Case {
  const operands: TensorDtype[] = Array.from({ length: scalarOp(fn).arity }, () => dtype)
  const inputs: TensorDtype[] = fn === 'where' ? ['bool', ...operands.slice(1)] : operands
  const result = resultDtype(fn, dtype) as TensorDtype
  const program = elementwise(`test_${fn}_${dtype}_${lanes}`, inputs, result, lanes, (b, values) =>
    b.map(fn, ...values),
  )
  return { program, inputs, result, tolerance: tolerance(fn, dtype), least: vanishing.has(fn) ? 1 : 0 }
}

describe.skipIf(noCompiler !== null)(`scalar ops as C${noCompiler === null ? '' : ` (skipped: ${noCompiler})`}`, () => {
  for (const dtype of computed) {
    it(`${dtype}: every op, 1 and 16 lanes`, () => {
      const ops = scalarOpNames.filter(fn => accepts(fn, dtype))
      check(ops.flatMap(fn => [mapCase(fn, dtype, 1), mapCase(fn, dtype, 16)]))
    })
  }

  it('all lengths from 2 to 64', () => {
    const ops: readonly [ScalarOpName, TensorDtype][] = [
      ['add', 'f32'],
      ['max', 'f32'],
      ['where', 'f32'],
      ['lt', 'f64'],
      ['where', 'f64'],
      ['mul', 'i64'],
      ['add', 'i8'],
      ['where', 'u8'],
      ['floorDiv', 'i32'],
      ['and', 'bool'],
      ['fma', 'f32'],
    ]
    check(ops.flatMap(([fn, dtype]) => [2, 4, 8, 32, 64].map(lanes => mapCase(fn, dtype, lanes))))
  })
})

describe.skipIf(noCompiler !== null)('conversions as C', () => {
  for (const lanes of [1, 16]) {
    it(`between every two dtypes, ${lanes} lanes`, () => {
      const pairs = codeDtypes.flatMap(from => codeDtypes.map(to => [from, to] as const))
      check(
        pairs.map(([from, to]) => ({
          program: elementwise(`cast_${from}_to_${to}_${lanes}`, [from], to, lanes, (b, [x]) => b.cast(to, x!)),
          inputs: [from],
          result: to,
          tolerance: 0,
        })),
      )
    })
  }

  it('a rounding to 16 bits is kept if the rounded value is widened and stored', () => {
    const cases = (['f16', 'bf16'] as const).flatMap(half =>
      (['f32', 'f64'] as const).flatMap(wide =>
        [1, 4, 16].map(lanes => ({
          program: elementwise(`through_${half}_${wide}_${lanes}`, [wide], wide, lanes, (b, [x]) =>
            b.cast(wide, b.cast(half, x!)),
          ),
          inputs: [wide],
          result: wide,
          tolerance: 0,
        })),
      ),
    )
    check(cases)
  })

  it('bitcasts between dtypes of one width', () => {
    const pairs = codeDtypes.flatMap(from =>
      codeDtypes.filter(to => dtypeInfo(to).bits === dtypeInfo(from).bits).map(to => [from, to] as const),
    )
    const cases = [1, 8].flatMap(lanes =>
      pairs.map(([from, to]) => ({
        program: elementwise(`bits_${from}_to_${to}_${lanes}`, [from], to, lanes, (b, [x]) => b.bitcast(to, x!)),
        inputs: [from],
        result: to,
        tolerance: 0,
      })),
    )
    check(cases)
    expect(cases.length).toBeGreaterThan(20)
  })
})

describe.skipIf(noCompiler !== null)('vectors as C', () => {
  it('folds', () => {
    const names = ['add', 'mul', 'min', 'max', 'fmax', 'and', 'or'] as const
    const cases = computed.flatMap(dtype =>
      names
        .filter(fn => accepts(fn, dtype))
        .flatMap(fn =>
          [1, 8, 32].map(lanes => ({
            program: elementwise(`fold_${fn}_${dtype}_${lanes}`, [dtype], dtype, lanes, (b, [x]) =>
              b.splat(b.fold(fn, x!), lanes),
            ),
            inputs: [dtype],
            result: dtype,
            tolerance: 0,
          })),
        ),
    )
    check(cases)
  })

  it('combines lanes with those before or behind them', () => {
    const cases = computed.flatMap(dtype =>
      (['add', 'mul', 'min', 'max'] as const)
        .filter(() => dtype !== 'bool')
        .flatMap(fn =>
          [2, 8, 16, 32].flatMap(lanes =>
            [false, true].map(reverse => ({
              program: elementwise(`prefix_${fn}_${reverse}_${dtype}_${lanes}`, [dtype], dtype, lanes, (b, [x]) =>
                b.prefix(fn, x!, reverse),
              ),
              inputs: [dtype],
              result: dtype,
              tolerance: 0,
            })),
          ),
        ),
    )
    check(cases)
  })

  it('interleaves halves', () => {
    const cases = computed.flatMap(dtype =>
      [2, 4, 16, 32].flatMap(lanes =>
        (['low', 'high'] as const).map(half => ({
          program: elementwise(`interleave_${half}_${dtype}_${lanes}`, [dtype, dtype], dtype, lanes, (b, [x, y]) =>
            b.interleave(half, x!, y!),
          ),
          inputs: [dtype, dtype],
          result: dtype,
          tolerance: 0,
        })),
      ),
    )
    check(cases)
  })

  it('iota, splat, extract and constants of every dtype', () => {
    const values: Partial<Record<TensorDtype, readonly (number | bigint)[]>> = {
      f32: [0.1, -0, 1e-45, 3.4028234663852886e38, Number.NaN, -Infinity, 16777216],
      f64: [0.1, 1e-320, -1.7e308, Number.NaN, Infinity],
      f16: [0.1, 65504],
      bf16: [0.1, 1e38],
      i64: [2n ** 63n - 1n, -(2n ** 63n), 2n ** 40n, -5n],
      i32: [2147483647, -2147483648],
      i16: [-32768],
      i8: [-128],
      u8: [255],
      bool: [0, 1],
    }
    const cases = codeDtypes.map((dtype): Case => {
      const program = laneProgram(
        `constants_${dtype}`,
        { x0: pointer(dtype), out: pointer(dtype) },
        (b, { x0, out }) => {
          const x = b.load(x0, b.index(0), 8)
          const parts = [
            ...(dtype === 'bool' ? [] : [b.iota(dtype, 8)]),
            b.splat(b.extract(x, 5), 8),
            ...values[dtype]!.map(v => b.const(dtype, v, 8)),
          ]
          parts.forEach((part, i) => {
            b.store(out, b.index(8 * i), part)
          })
          b.store(out, b.index(100), b.const(dtype, values[dtype]![0]!))
        },
      )
      return { program, inputs: [dtype], result: dtype, tolerance: 0 }
    })
    check(cases)
  })
})
