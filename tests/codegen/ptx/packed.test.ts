/** Arithmetic on several narrow elements in a word: all bytes through shifts, masks and sums, and pairs of 16-bit floats. */
import { describe, expect, it } from 'vitest'
import { emitPtx, ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { pointer } from '../../../src/lane/ir.js'
import { Lanes } from '../../../src/lower/shared/lanes.js'
import { evaluate, type ScalarOpName } from '../../../src/scalar/ops.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import type { Dtype } from '../../../src/types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import type { StoredArray } from '../../../src/types/memory.js'
import { seededRandom } from '../../support/tensor-spec.js'
import { launch, parse } from './machine.js'

type Half = 'f16' | 'bf16'

/** A program of one thread that stores `make` of the vectors that its inputs begin with. */
function program(
  from: readonly Dtype[],
  to: Dtype,
  lanes: number,
  make: (b: Lanes, vectors: readonly LaneNode[]) => LaneNode,
): LaneProgram {
  const b = new Lanes()
  const args = [...from, to].map((dtype, index) => ({
    name: index < from.length ? `x${index}` : 'out',
    type: pointer(dtype),
  }))
  const nodes = args.map(({ name, type }, index) => b.builder.node('arg', [], { index, name, type }))
  const zero = b.constant('i32', 0)
  const vectors = from.map((_, i) => b.load(nodes[i]!, zero, lanes))
  b.store(nodes.at(-1)!, zero, make(b, vectors), null)
  const body = b.builder.finish([], nodes)
  return { name: 'packed', args, body, block: { threads: 1, sharedBytes: 0 }, comment: [] }
}

const text = (made: LaneProgram, arch: keyof typeof cudaArchs = 'sm_90a'): string =>
  emitPtx([made], genericCudaTarget(cudaArchs[arch]))

function run(made: LaneProgram, module: string, arrays: readonly StoredArray[]): void {
  launch(parse(module).get(ptxSymbolOf(made))!, [...arrays], [1, 1, 1], { sharedBytes: 0 })
}

const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)

/** A step of integer arithmetic with a constant. */
type Step = readonly [ScalarOpName, number]

const chains: readonly { readonly dtype: 'u8' | 'i16'; readonly steps: readonly Step[] }[] = [
  ...[0, 1, 3, 4, 7].flatMap(by => [
    { dtype: 'u8' as const, steps: [['shl', by]] as const },
    {
      dtype: 'u8' as const,
      steps: [
        ['shr', by],
        ['and', 0x3d],
      ] as const,
    },
    {
      dtype: 'i16' as const,
      steps: [
        ['shl', by + 8],
        ['shrLogical', 2],
      ] as const,
    },
    {
      dtype: 'i16' as const,
      steps: [
        ['shl', by + 8],
        ['shr', 3],
        ['and', 0x8e00 - 0x10000],
      ] as const,
    },
    {
      dtype: 'i16' as const,
      steps: [
        ['shl', by + 6],
        ['shr', 2],
        ['and', 0xbfc1 - 0x10000],
        ['or', 0x21],
      ] as const,
    },
  ]),
  {
    dtype: 'u8',
    steps: [
      ['xor', 0x80],
      ['or', 1],
    ],
  },
  {
    dtype: 'u8',
    steps: [
      ['and', 0x7f],
      ['add', 1],
      ['and', 0x80],
    ],
  },
  // Carries: not in words.
  {
    dtype: 'u8',
    steps: [
      ['add', 1],
      ['and', 0xf0],
    ],
  },
  {
    dtype: 'i16',
    steps: [
      ['shl', 8],
      ['shr', 5],
    ],
  },
  {
    dtype: 'i16',
    steps: [
      ['shl', 8],
      ['shr', 5],
      ['and', 0xe000 - 0x10000],
    ],
  },
]

describe('bytes, and integers widened from bytes', () => {
  it('shift, mask and add element by element, for all bytes', () => {
    for (const { dtype, steps } of chains) {
      const made = program(['u8'], dtype, 256, (b, [x]) =>
        steps.reduce((value, [fn, constant]) => b.map(fn, value, b.constant(dtype, constant)), b.cast(x!, dtype)),
      )
      const out = dtype === 'u8' ? new Uint8Array(256) : new Int16Array(256)
      run(made, text(made), [bytes, out])
      const want = [...bytes].map(byte =>
        steps.reduce<number>((value, [fn, constant]) => Number(evaluate(fn, dtype, [value, constant])), byte),
      )
      expect([...out], `${dtype} ${steps.join(' ')}`).toEqual(want)
    }
  })

  it('need only the instructions of whole words', () => {
    const made = program(['u8'], 'i16', 16, (b, [x]) => {
      const upper = b.map('shl', b.cast(x!, 'i16'), b.constant('i16', 12))
      return b.map('and', b.map('shr', upper, b.constant('i16', 3)), b.constant('i16', 0x8e00 - 0x10000))
    })
    const count = (name: string): number => text(made).split(`${name}.b32`).length - 1
    // Four words of bytes: for each two shifts, two masks and their union; then a permutation for each word of pairs.
    expect([count('shl'), count('and'), count('or'), count('prmt')]).toEqual([8, 8, 4, 8])
  })

  it('are converted to f32 exactly', () => {
    for (const dtype of ['u8', 'i8'] as const) {
      const values = dtype === 'u8' ? bytes : Int8Array.from(bytes)
      const made = program([dtype], 'f32', 256, (b, [x]) => b.cast(x!, 'f32'))
      const out = new Float32Array(256)
      run(made, text(made), [values, out])
      expect([...out]).toEqual([...values])
    }
  })
})

describe('16-bit floats in pairs', () => {
  const from = { f16: fromF16, bf16: fromBf16 }
  const to = { f16: toF16, bf16: toBf16 }
  const random = seededRandom(3)
  const draw = (): number => Math.floor(random() * 65536)
  /** Any bits, and numbers near each other, whose sums cancel, or near the least. */
  const pair = (i: number): [number, number] => {
    const a = draw()
    if (i % 3 === 0) return [a, draw()]
    return i % 3 === 1 ? [a, (a ^ 0x8000) + (draw() & 7)] : [a & 0x83ff, draw() & 0xffff]
  }
  const exact = {
    add: (a: number, b: number) => a + b,
    sub: (a: number, b: number) => a - b,
    mul: (a: number, b: number) => a * b,
  }

  it('the intermediate rounding to f32 changes no result', () => {
    for (const half of ['f16', 'bf16'] as const)
      for (const fn of ['add', 'sub', 'mul'] as const) {
        const wrong = Array.from({ length: 20000 }, (_, i) => pair(i)).find(bits => {
          const [a, b] = bits.map(each => from[half](each & 0xffff)) as [number, number]
          const result = exact[fn](a, b)
          return !Object.is(from[half](to[half](Math.fround(result))), from[half](to[half](result)))
        })
        expect(wrong, `${half} ${fn}`).toBeUndefined()
      }
  })

  it('are multiplied and added by 16-bit instructions, on every architecture', () => {
    const lanes = 128
    for (const arch of ['sm_80', 'sm_90a'] as const)
      for (const half of ['f16', 'bf16'] as const)
        for (const fn of ['add', 'sub', 'mul'] as const) {
          const made = program([half, half], half, lanes, (b, [x, y]) =>
            b.cast(b.map(fn, b.cast(x!, 'f32'), b.cast(y!, 'f32')), half),
          )
          const module = text(made, arch)
          expect(module).toContain(half === 'bf16' && arch === 'sm_80' ? 'fma.rn.bf16x2' : `${fn}.rn.${half}x2`)
          expect(module).not.toMatch(/cvt\./)
          const pairs = Array.from({ length: lanes }, (_, i) => pair(i).map(bits => bits & 0xffff) as [number, number])
          const [x, y, out] = [0, 1, 2].map(k => Uint16Array.from(pairs, each => each[k] ?? 0)) as [
            Uint16Array,
            Uint16Array,
            Uint16Array,
          ]
          run(made, module, [x, y, out])
          const values = (data: Uint16Array): number[] => [...data].map(bits => from[half as Half](bits))
          const want = pairs.map(([a, b]) => from[half](to[half](exact[fn](from[half](a), from[half](b)))))
          expect(values(out), `${arch} ${half} ${fn}`).toEqual(want)
        }
  })
})
