/**
 * Decoding inside of products is exact: each code with each scale, multiplied by a matrix of ones on its diagonal, is its
 * value to the bit, in C, on simulated blocks of GPU threads and in their PTX. And it is cheap.
 */

import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import { emitPtx, ptxSymbolOf } from '../../src/codegen/ptx/emit.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { type QuantAttrs, quantRecords } from '../../src/graph/ops/quantised.js'
import type { OpRecord } from '../../src/graph/record.js'
import { nodesOf } from '../../src/ir/walk.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { argumentsOf } from '../../src/tile/abi.js'
import { type TileNode, type TileProgram, tileType } from '../../src/tile/ir.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import { fromBf16, toBf16 } from '../../src/types/float16.js'
import { decodeE8m0, decodeMinifloat } from '../../src/types/minifloat.js'
import { decodeElement, elementFormats, type QuantFormatName, quantFormat } from '../../src/types/quant.js'
import { noCompiler } from '../codegen/native.js'
import { launch as launchPtx, type MachineArgument, parse } from '../codegen/ptx/machine.js'
import { laneArguments, threeSizes } from '../lower/arguments.js'
import { factsOf } from '../lower/blocks.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, target } from '../schedule/run.js'
import { copyOf, type Launch, launchesOf, memoryDifference, nativeDifferences } from '../support/launches.js'
import { graphOf } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import type { Sample } from '../support/sample-kinds.js'
import { arg, spec, type TensorSpec } from '../support/tensor-spec.js'

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const record = quantRecords.scaledMatmul as OpRecord
const ampere: CudaTarget = { ...genericCudaTarget(cudaArchs.sm_80), multiprocessors: 2 }

interface Side {
  readonly quant: QuantAttrs | null
  readonly parts: readonly TensorSpec[]
}

/** The matrix of ones on its diagonal, in a float or in nvfp4. */
function diagonal(kind: 'f16' | 'bf16' | 'f32' | 'nvfp4', size: number): Side {
  const cells = range(size * size)
  const isOne = (i: number): boolean => i % size === Math.floor(i / size)
  if (kind !== 'nvfp4') {
    const ones = cells.map(i => (isOne(i) ? 1 : 0))
    return { quant: null, parts: [spec(kind, [size, size], ones)] }
  }
  // Code 2 is 1; e4m3 0x38 is 1.
  const bytes = range((size * size) / 2).map(i => (isOne(2 * i) ? 2 : 0) | (isOne(2 * i + 1) ? 0x20 : 0))
  const quant = { ...quantFormat('test', 'nvfp4'), layout: 'linear' as const }
  const scales = spec(
    'u8',
    [size, size / 16],
    range(size * (size / 16)).map(() => 0x38),
  )
  return { quant, parts: [spec('u8', [size, size / 2], bytes), scales, spec('f32', [], [1])] }
}

/** A row for each scale and each block of codes. */
function allPairs(format: QuantFormatName, scaleCodes: readonly number[]) {
  const facts = quantFormat('test', format)
  const { perByte, storage } = elementFormats[facts.element]
  const K = facts.block as number
  const codes = range(perByte === 2 ? 16 : 256).map(code => (storage === 'i8' ? code - 128 : code))
  const blocks = range(Math.ceil(codes.length / K)).map(i => range(K).map(k => codes[(i * K + k) % codes.length]!))
  const rows = scaleCodes.flatMap(scale => blocks.map(block => ({ scale, block })))
  const stored = (block: readonly number[]): number[] =>
    perByte === 1 ? [...block] : range(K / 2).map(i => block[2 * i]! | (block[2 * i + 1]! << 4))
  const parts = [
    spec(
      storage,
      [rows.length, K / perByte],
      rows.flatMap(({ block }) => stored(block)),
    ),
    spec(
      'u8',
      [rows.length, 1],
      rows.map(({ scale }) => scale),
    ),
    ...(facts.tensorScale ? [spec('f32', [], [1])] : []),
  ]
  const scaleOf = (code: number): number => (facts.scale === 'e4m3' ? decodeMinifloat('e4m3', code) : decodeE8m0(code))
  const values = rows.flatMap(({ scale, block }) =>
    block.map(code => decodeElement(facts.element, code) * scaleOf(scale)),
  )
  return { side: { quant: { ...facts, layout: 'linear' as const }, parts }, K, values, rows: rows.length }
}

function sampleOf(name: string, a: Side, b: Side): Sample {
  const inputs = [...a.parts, ...b.parts]
  const operand = ({ quant, parts }: Side, from: number) => ({ quant, tensors: parts.map((_, i) => arg(from + i)) })
  const options = { bias: null, outDtype: 'f32' }
  return { name, inputs, args: [operand(a, 0), operand(b, a.parts.length), options] }
}

const exact = { relative: 0, absolute: 0, anyZero: true }

function launchesOn(on: Target, given: Sample): Launch[] {
  const { plan, lanes } = runPipeline(graphOf(record, given), on)
  return launchesOf(given.name, plan, lanes, given.inputs, () => exact)
}

/** What the PTX leaves differs from what the interpreter left. */
function ptxDifference(given: Launch): string | null {
  const lane = lowerSimt(simplify(given.program), ampere, factsOf(given.program, given.before))
  const args = copyOf(given.before)
  const machine = laneArguments(given.program, args).map(
    (each): MachineArgument => (typeof each === 'object' ? each : BigInt(each)),
  )
  const entry = parse(emitPtx([lane], ampere)).get(ptxSymbolOf(lane))!
  launchPtx(entry, machine, threeSizes(given.grid), { sharedBytes: lane.block!.sharedBytes })
  return memoryDifference(given, args, true)
}

describe('each code with each scale is exact inside matmuls', () => {
  const some = allSamples ? range(256) : range(256).filter(i => i % 5 === 0 || i < 12 || i > 243)
  const e4m3 = range(256)
  const cases = [
    ['nvfp4', 'nvfp4', e4m3],
    ['nvfp4', 'f16', e4m3],
    ['nvfp4', 'bf16', some],
    ['nvfp4', 'f32', some],
    ['mxfp4', 'bf16', some],
    ['mxint8', 'bf16', some.filter((_, i) => i % 3 === 0)],
    ['mxfp8e4m3', 'f32', some.filter((_, i) => i % 3 === 1)],
    ['mxfp8e5m2', 'f32', some.filter((_, i) => i % 3 === 2)],
  ] as const
  for (const [format, other, scales] of cases)
    it(`${format} × ${other}`, () => {
      const { side, K, values, rows } = allPairs(format, scales)
      const given = sampleOf(`${format} × ${other}`, side, diagonal(other, K))
      const onGpu = launchesOn(gpu, given)
      const got = onGpu.at(-1)!.after.at(-1) as { data: Float32Array }
      // Operands in bf16 lose what the largest and the least scales leave its range by, as they would on any way to it.
      const held = other === 'bf16' ? values.map(value => fromBf16(toBf16(value))) : values.map(Math.fround)
      // A NaN makes its row NaN; infinities do too, times 0.
      const isBad = range(rows).map(row => !held.slice(row * K, (row + 1) * K).every(Number.isFinite))
      const wrong = held.findIndex((value, i) => {
        const found = got.data[i]!
        return isBad[Math.floor(i / K)] ? !Number.isNaN(found) : found !== value
      })
      expect(wrong, `${values[wrong]} is ${got.data[wrong]}`).toBe(-1)
      expectBlocks(onGpu)
      for (const each of launchesOn(targetForCuda(ampere), given)) expect(ptxDifference(each), 'PTX').toBeNull()
      if (noCompiler !== null) return
      for (const [each, problem] of nativeDifferences(launchesOn(target, given))) expect(problem, each.name).toBeNull()
    })
})

/** Elements of each operand that each thread decodes in a round of the product's loop. */
function elementsPerThread(program: TileProgram, threads: number): { readonly left: number; readonly right: number } {
  const [dot] = [...nodesOf<TileNode>(program.body)].filter(node => node.op === 'dot')
  const count = (node: TileNode): number => tileType(node).shape.reduce((x, y) => x * y, 1) / threads
  return { left: count(dot!.inputs[0]!), right: count(dot!.inputs[1]!) }
}

const hopper = genericCudaTarget(cudaArchs.sm_90a)
const empty = (dtype: 'u8' | 'i8' | 'f32', shape: readonly number[]): TensorSpec =>
  ({ dtype, shape, data: [] }) as never

/** The kernel of an op's call that does the work, and its PTX line by line. */
function kernelOf(called: OpRecord, given: Sample) {
  const { plan } = runPipeline(graphOf(called, given), targetForCuda(hopper))
  const product = plan.kernels.find(({ body }) => nodesOf<TileNode>(body).some(({ op }) => op === 'dot'))
  const program = simplify(product ?? plan.kernels.at(-1)!)
  const divisors = argumentsOf(program.params).map(({ kind }) => (kind === 'pointer' ? 16 : 1))
  const lane = lowerSimt(program, hopper, { divisors, indices: 'i32' })
  const text = emitPtx([lane], hopper)
  return { program, threads: lane.block!.threads, lines: text.split('\n').map(line => line.trim()) }
}

/** The instructions of the loop of the product [256, 7168] × [4096, 7168]ᵀ, of two nvfp4 tensors. */
function productLoop(): ReturnType<typeof elementsPerThread> & { readonly names: readonly string[] } {
  const quant = { ...quantFormat('test', 'nvfp4'), layout: 'linear' as const }
  const side = (rows: number): Side => ({
    quant,
    parts: [empty('u8', [rows, 3584]), empty('u8', [rows, 448]), empty('f32', [])],
  })
  const { program, threads, lines } = kernelOf(record, sampleOf('product', side(256), side(4096)))
  const start = lines.findIndex(line => line.startsWith('loop_'))
  const end = lines.findIndex((line, i) => i > start && /bra(\.uni)? loop_/.test(line))
  const names = lines.slice(start + 1, end).map(line => line.replace(/^@\S+ /, '').split(/[\s;]/)[0]!)
  return { names, ...elementsPerThread(program, threads) }
}

describe('decoding is cheap', () => {
  it('nvfp4: at most 1.7 instructions per element to decode, half a dot; wide loads and stores', () => {
    const { names, left, right } = productLoop()
    const elements = left + right
    const count = (pattern: RegExp): number => names.filter(name => pattern.test(name)).length
    expect(elements).toBeGreaterThan(31)
    // Two instructions that put bits together are one of the machine's.
    const bits = count(/^(and|shl|shr|prmt|xor)/)
    expect(bits / elements).toBeLessThan(1.75)
    expect(count(/^mul\.rn\.f16x2/) / elements).toBeLessThan(0.6)
    expect(count(/^(mul|add|sub|fma|cvt)\.(rn\.)?f(32|16)$/)).toBe(0)
    expect(count(/^cvt/)).toBeLessThan(8)
    // 16 bytes at a time: 32 elements read, 8 written; those of the left operand stay in registers. Scales go by pairs.
    expect(count(/^(ld\.global\..*v4\.b32|cp\.async\.cg\.shared)/)).toBe(elements / 32)
    expect(count(/^(ld\.global|cp\.async\..*\.global)/)).toBeLessThanOrEqual(elements / 16)
    expect(count(/^st\.shared/)).toBe(right / 8)
    expect(count(/^st\.shared\.v4\.b32/)).toBe(right / 8)
  })

  it('dequantized tensors are written 16 bytes at a time, with as many elements per access', () => {
    for (const format of ['nvfp4', 'mxfp4', 'mxint8'] as const) {
      const facts = quantFormat('test', format)
      const { perByte, storage } = elementFormats[facts.element]
      const parts = [
        empty(storage, [1024, 4096 / perByte]),
        empty('u8', [1024, 4096 / (facts.block as number)]),
        ...(facts.tensorScale ? [empty('f32', [])] : []),
      ]
      const attrs = { ...facts, layout: 'linear', dtype: 'bf16', method: 'arithmetic' }
      const given = { name: format, inputs: parts, args: [parts.map((_, i) => arg(i)), attrs] }
      const { lines } = kernelOf(quantRecords.dequantize as OpRecord, given)
      const stores = lines.filter(line => line.startsWith('st.global'))
      expect(stores.length, format).toBeGreaterThan(0)
      for (const store of stores) expect(store).toMatch(/^st\.global\.v4\.b32/)
      // Eight elements, and their scale.
      const loads = lines.filter(line => line.startsWith('ld.global') && line.includes('x0'))
      expect(loads.length, format).toBe(stores.length)
    }
  })
})
