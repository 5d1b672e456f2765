/** Every scalar op, conversion and bitcast of every dtype as PTX: run by the machine, and taken by the assembler. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import type { LaneProgram } from '../../../src/lane/ir.js'
import { accepts, type ScalarOpName, scalarOp, scalarOpNames } from '../../../src/scalar/ops.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { codeDtypes, computeDtype, itemBytes, type TensorDtype } from '../../../src/types/dtype.js'
import type { StoredArray } from '../../../src/types/memory.js'
import { laneProgram, pointer } from '../../lane/build.js'
import type { TestArgument } from '../compare.js'
import { specials, spread, zeros } from '../samples.js'
import { archs, assemble, noAssembler } from './assemble.js'
import { machineDifferences } from './machine-compare.js'

const target = genericCudaTarget(cudaArchs.sm_80)
const lanes = 4

interface Case {
  readonly program: LaneProgram
  readonly args: readonly TestArgument[]
  readonly grid: number
  /** Relative. */
  readonly tolerance?: number
}

function check(cases: readonly Case[]): void {
  const module = emitPtx(
    cases.map(one => one.program),
    target,
  )
  const problems = cases.flatMap(({ program, args, grid, tolerance }) => {
    const found = machineDifferences(program, module, args, [grid, 1, 1], {}, tolerance ?? 0)
    return found.length === 0 ? [] : [`${program.name}: ${found.slice(0, 3).join('; ')}`]
  })
  expect(problems.join('\n')).toBe('')
}

function assembles(cases: readonly Case[]): void {
  for (const arch of archs) {
    const programs = cases.map(one => one.program)
    assemble(emitPtx(programs, genericCudaTarget(arch)), arch)
  }
}

/** Functions whose formulas err by a few units in the last place; the others are exact. */
const inexact = new Set(
  `sinh cosh tanh asinh acosh atanh erf erfc sigmoid pow rsqrt mod exp exp2 expm1 log log2 log10 log1p sin cos tan asin
  acos atan atan2 logaddexp floorDiv truncDiv erfinv`.split(/\s+/),
)
/** Functions with zeros among the samples, where errors are large beside the result. */
const vanishing = new Set<ScalarOpName>(['lgamma', 'digamma'])

/** Relative. */
function toleranceOf(fn: ScalarOpName, dtype: TensorDtype): number {
  if (dtype !== 'f32' && dtype !== 'f64') return 0
  if (vanishing.has(fn)) return dtype === 'f32' ? 1e-4 : 1e-12
  return inexact.has(fn) ? (dtype === 'f32' ? 1e-6 : 2e-15) : 0
}

/** fn of special values paired with each other, `lanes` at a time. */
function opCase(fn: ScalarOpName, dtype: TensorDtype): Case {
  const names = ['a', 'b', 'c'].slice(0, scalarOp(fn).arity)
  const typeOf = (name: string): TensorDtype => (fn === 'where' && name === 'a' ? 'bool' : dtype)
  const result = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'isnan', 'isinf', 'isfinite'].includes(fn) ? 'bool' : dtype
  const types = Object.fromEntries([...names.map(name => [name, typeOf(name)] as const), ['out', result] as const])
  const pointers = Object.fromEntries(Object.entries(types).map(([name, of]) => [name, pointer(of)]))
  const program = laneProgram(`op_${fn}_${dtype}`, pointers, (b, args) => {
    const at = b.map('mul', b.programId(), b.index(lanes))
    const operands = names.map(name => b.load(args[name]!, at, lanes))
    b.store(args.out!, at, b.map(fn, ...operands))
  })
  const grid = 24
  const inputs = names.map((name, i) => spread(typeOf(name), grid * lanes, 11 * i + 1))
  const tolerance = toleranceOf(fn, dtype)
  return { program, args: [...inputs, spread(result, grid * lanes, 99)], grid, tolerance }
}

const computed = codeDtypes.filter(dtype => computeDtype(dtype) === dtype)

describe('scalar ops as PTX', () => {
  for (const dtype of computed) {
    const cases = scalarOpNames.filter(fn => accepts(fn, dtype)).map(fn => opCase(fn, dtype))
    it(`${dtype}: the machine agrees with the simulator`, () => check(cases))
    it.skipIf(noAssembler !== null)(`${dtype}: assembles for every target`, { timeout: 120_000 }, () =>
      assembles(cases),
    )
  }
})

function castCase(from: TensorDtype, to: TensorDtype, width: number): Case {
  const values = specials(from)
  const grid = Math.ceil(values.length / width)
  const input = spread(from, grid * width, 1)
  input.set(values as never)
  const program = laneProgram(
    `cast_${from}_${to}_${width}`,
    { x: pointer(from), out: pointer(to) },
    (b, { x, out }) => {
      const at = b.map('mul', b.programId(), b.index(width))
      b.store(out, at, b.cast(to, b.load(x, at, width)))
    },
  )
  return { program, args: [input, spread(to, grid * width, 2)], grid }
}

describe('conversions as PTX', () => {
  const cases = codeDtypes.flatMap(from =>
    codeDtypes.flatMap(to => (from === to ? [] : [castCase(from, to, 1), castCase(from, to, 4)])),
  )
  it('every pair, alone and packed: the machine agrees with the simulator', () => check(cases))
  it.skipIf(noAssembler !== null)('every pair assembles for every target', { timeout: 120_000 }, () => assembles(cases))
})

describe('bitcasts as PTX', () => {
  const cases = codeDtypes.flatMap(from =>
    codeDtypes.flatMap((to): Case[] => {
      const [bytesFrom, bytesTo] = [itemBytes(from), itemBytes(to)]
      return [1, 2, 8].flatMap((width): Case[] => {
        const out = (width * bytesFrom) / bytesTo
        if (from === to || !Number.isInteger(out) || from === 'bool') return []
        const program = laneProgram(
          `bits_${from}_${to}_${width}`,
          { x: pointer(from), out: pointer(to) },
          (b, { x, out: dest }) => {
            const at = b.map('mul', b.programId(), b.index(width))
            const to_ = b.map('mul', b.programId(), b.index(out))
            b.store(dest, to_, b.bitcast(to, b.load(x, at, width)))
          },
        )
        // Small bytes, so that no float is NaN: its code would not survive the simulator.
        const bytes = Uint8Array.from({ length: 4 * width * bytesFrom }, (_, i) => (37 * i) % 63)
        const make = zeros(from, 1).constructor as new (buffer: ArrayBuffer) => StoredArray
        const typed = new make(bytes.buffer)
        return [{ program, args: [typed, spread(to, 4 * out, 2)], grid: 4 }]
      })
    }),
  )
  it('the machine agrees with the simulator', () => check(cases))
  it.skipIf(noAssembler !== null)('assemble for every target', { timeout: 120_000 }, () => assembles(cases))
})
