/** The module around the kernels: names, versions, launch parameters; what is refused; time that grows with the program. */
import { describe, expect, it } from 'vitest'
import { emitPtx, ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import type { LaneNode, LaneProgram, OpaqueType } from '../../../src/lane/ir.js'
import { simulate } from '../../../src/lane/simulate.js'
import { type CudaArch, cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { type LaneBuilder, laneProgram, pointer, value } from '../../lane/build.js'
import { assemble, noAssembler } from './assemble.js'
import { blockProgram } from './block-programs.js'
import { launch, parse } from './machine.js'

const target = genericCudaTarget(cudaArchs.sm_80)
const textFor = (arch: CudaArch, ...programs: LaneProgram[]): string => emitPtx(programs, genericCudaTarget(arch))

const simple = (name: string, build: (b: LaneBuilder, x: LaneNode, i: LaneNode) => void): LaneProgram =>
  laneProgram(name, { x: pointer('f32') }, (b, { x }) => build(b, x, b.programId()))

describe('PTX modules', () => {
  it('require the lowest version that knows target and instructions', () => {
    const copy = simple('copy', (b, x, i) => b.store(x, i, b.load(x, i)))
    expect(textFor(cudaArchs.sm_80, copy)).toContain('.version 7.0\n.target sm_80\n')
    expect(textFor(cudaArchs.sm_90a, copy)).toContain('.version 8.0\n.target sm_90a\n')
    const mma = blockProgram(
      'mma',
      { threads: 32, sharedBytes: 0 },
      { a: pointer('f8e4m3'), c: pointer('f32') },
      (b, g, { a, c }) => {
        const [left, right] = [b.load(a, b.index(0), 16), b.load(a, b.index(16), 8)]
        b.store(c, b.index(0), g.mma(left, right, b.const('f32', 0, 4)))
      },
    )
    const text = textFor(cudaArchs.sm_89, mma)
    expect(text).toContain('.version 8.4\n')
    if (noAssembler === null) assemble(text, cudaArchs.sm_89)
  })

  it('take structures as parameters with their size and alignment', () => {
    const map: OpaqueType = { kind: 'opaque', layout: { bytes: 128, alignment: 64 } }
    const program = laneProgram('mapped', { x: pointer('f32'), map, n: value('f32') }, (b, { x, n }) => {
      b.store(x, b.index(0), n)
    })
    const text = textFor(cudaArchs.sm_90a, program)
    expect(text).toContain('  .param .u64 x_param,\n  .param .align 64 .b8 map_param[128],\n  .param .u64 n_param,\n')
    if (noAssembler === null) assemble(text, cudaArchs.sm_90a)
    const x = new Float32Array(1)
    simulate(program, [{ data: x }, { data: new Uint8Array(128) }, 5], [1, 1, 1])
    expect(x[0]).toBe(5)
    const short = { data: new Uint8Array(64) }
    expect(() => simulate(program, [{ data: x }, short, 5], [1, 1, 1])).toThrow("'map' must be 128 bytes aligned to 64")
  })

  it('rename names that PTX reserves', () => {
    const names = ['WARP_SZ', 'shared', 'add', 'loop']
    const programs = names.map(name => simple(name, (b, x, i) => b.store(x, i, b.const('f32', 1))))
    expect(programs.map(ptxSymbolOf)).toEqual(['WARP_SZ_kernel', 'shared_kernel', 'add', 'loop'])
    if (noAssembler === null) assemble(emitPtx(programs, target), cudaArchs.sm_80)
  })

  it('accept arguments and buffers of any name', () => {
    const names = ['tid', 'p', 'r', 'x_0', 'x0', '1st', 'grid_x', 'a-b', 'ctaid']
    const types = Object.fromEntries(names.map(name => [name, pointer('f32')]))
    const program = laneProgram('names', types, (b, args) => {
      const scratch = b.alloc('f32', 4, 'tid')
      b.store(scratch, b.index(1), b.const('f32', 2))
      for (const name of names) b.store(args[name]!, b.index(0), b.load(scratch, b.index(1)))
    })
    const text = emitPtx([program], target)
    const memory = names.map(() => new Float32Array(1))
    launch(parse(text).get('names')!, memory, [1, 1, 1])
    expect(memory.map(([first]) => first)).toEqual(names.map(() => 2))
    if (noAssembler === null) assemble(text, cudaArchs.sm_80)
  })

  it("compute the program ids from the grid's sizes, but x alone directly from the block number", () => {
    const place = (axes: readonly (0 | 1 | 2)[]): LaneProgram =>
      laneProgram('place', { out: pointer('i64') }, (b, { out }) => {
        const at = b.map(
          'add',
          b.programId(0),
          b.map('add', b.map('mul', b.programId(1), b.index(3)), b.map('mul', b.programId(2), b.index(12))),
        )
        axes.forEach((axis, i) => {
          b.store(out, b.map('add', b.map('mul', at, b.index(2)), b.index(i)), b.programId(axis))
        })
      })
    const out = new BigInt64Array(2 * 24)
    launch(parse(emitPtx([place([1, 2])], target)).get('place')!, [out], [3, 4, 2])
    expect([...out]).toEqual(
      Array.from({ length: 24 }, (_, i) => [BigInt(Math.floor(i / 3) % 4), BigInt(Math.floor(i / 12))]).flat(),
    )
    const first = simple('first', (b, x, i) => b.store(x, i, b.const('f32', 1)))
    expect(emitPtx([first], target)).not.toContain('div')
  })

  it('pass scalars of every dtype', () => {
    const types = {
      f: value('f32'),
      d: value('f64'),
      h: value('f16'),
      i: value('i8'),
      l: value('i64'),
      t: value('bool'),
    }
    const program = laneProgram('scalars', { out: pointer('f64'), ...types }, (b, { out, f, d, h, i, l, t }) => {
      const all = [f, d, h, i, l, t]
      all.forEach((scalar, at) => {
        b.store(out, b.index(at), b.cast('f64', scalar))
      })
    })
    const out = new Float64Array(6)
    launch(parse(emitPtx([program], target)).get('scalars')!, [out, 0.1, 0.1, 0.1, -3n, -(2n ** 40n), true], [1, 1, 1])
    expect([...out]).toEqual([Math.fround(0.1), 0.1, 0.0999755859375, -3, -(2 ** 40), 1])
  })
})

describe('PTX of wide accesses', () => {
  const load = (dtype: 'f32' | 'bf16' | 'i8' | 'f64' | 'bool', lanes: number): string =>
    textFor(
      cudaArchs.sm_80,
      laneProgram('wide', { x: pointer(dtype), y: pointer(dtype) }, (b, { x, y }) => {
        b.store(y, b.index(0), b.load(x, b.index(lanes), lanes))
      }),
    )

  it('uses 16 bytes per instruction, with constants in the address', () => {
    expect(load('f32', 4)).toMatch(/ld\.global\.v4\.b32 \{[^}]*\}, \[%x\+16\]/)
    expect(load('bf16', 8)).toMatch(/ld\.global\.v4\.b32 \{[^}]*\}, \[%x\+16\]/)
    expect(load('i8', 16)).toMatch(/ld\.global\.v4\.b32 \{[^}]*\}, \[%x\+16\]/)
    expect(load('f64', 2)).toMatch(/ld\.global\.v2\.b64 \{[^}]*\}, \[%x\+16\]/)
    expect(load('bool', 16)).toMatch(/ld\.global\.v4\.b32 \{[^}]*\}, \[%x\+16\]/)
    expect(load('f32', 8).match(/ld\.global\.v4\.b32/g)).toHaveLength(2)
  })

  it('uses the widest access that the alignment of the length allows', () => {
    expect(load('f32', 6).match(/ld\.global\.v2\.b32/g)).toHaveLength(3)
    expect(load('f32', 3).match(/ld\.global\.b32/g)).toHaveLength(3)
    expect(load('bf16', 2)).toMatch(/ld\.global\.b32 %x_v,/)
    expect(load('i8', 2)).toMatch(/ld\.global\.v2\.s8/)
  })

  it('shares addresses that differ by constants', () => {
    const program = simple('near', (b, x, i) => {
      const sum = [0, 4, 8, -4].map(d => b.load(x, b.map('add', b.map('mul', i, b.index(16)), b.index(d)), 4))
      b.store(
        x,
        b.map('add', b.map('mul', b.map('add', i, b.index(2)), b.index(16)), b.index(1)),
        sum.reduce((p, q) => b.map('add', p, q)),
      )
    })
    const text = emitPtx([program], target)
    expect(text.match(/mad\./g)).toHaveLength(1)
    expect(text).toContain('[%x_at+-16]')
    expect(text).toContain('[%x_at+132]')
  })
})

describe('PTX of powers of 2', () => {
  const power = (least: number): string =>
    emitPtx(
      [
        laneProgram('power', { x: pointer('f32'), out: pointer('f32') }, (b, { x, out }) => {
          const value = b.load(x, b.programId())
          const isTiny = b.map('lt', value, b.const('f32', least))
          b.store(out, b.programId(), b.map('where', isTiny, b.const('f32', 0), b.map('exp2', value)))
        }),
      ],
      target,
    )

  it('is one instruction where subnormal results are flushed to 0, and only there', () => {
    expect(power(-126)).toMatch(/ex2\.approx\.ftz\.f32/)
    expect(power(-126)).not.toMatch(/setp|selp/)
    expect(power(-125)).toMatch(/ex2\.approx\.f32[\s\S]*selp/)
  })
})

describe('the PTX emitter rejects', () => {
  const one = simple('one', (b, x, i) => b.store(x, i, b.const('f32', 1)))

  it('two kernels of one name, and names that are not identifiers', () => {
    expect(() => emitPtx([one, one], target)).toThrow(/two kernels are named one/)
    expect(() => emitPtx([{ ...one, name: '2x' }], target)).toThrow(/'2x' is not a PTX identifier/)
  })

  it('a loop that never advances', () => {
    const stuck = simple('stuck', (b, x, i) => {
      b.for([0, 3, 0], [], () => {
        b.store(x, i, b.const('f32', 1))
        return []
      })
    })
    expect(() => emitPtx([stuck], target)).toThrow(/a for loop with step 0/)
  })

  it('unknown conversions of storage formats', () => {
    const cast = laneProgram('cast', { x: pointer('f8e4m3'), y: pointer('f32') }, (b, { x, y }) => {
      b.store(y, b.index(0), b.cast('f32', b.load(x, b.index(0))))
    })
    expect(() => emitPtx([cast], target)).toThrow(/no conversion from f8e4m3 to f32/)
  })
})

describe('emission', () => {
  it('takes time proportional to the program', () => {
    const long = (length: number): LaneProgram =>
      simple(`long${length}`, (b, x, i) => {
        let sum = b.load(x, i)
        for (let n = 1; n < length; n++) sum = b.map('fma', sum, b.load(x, b.map('add', i, b.index(n))), sum)
        b.store(x, i, sum)
      })
    const time = (program: LaneProgram): number => {
      const start = performance.now()
      emitPtx([program], target)
      return performance.now() - start
    }
    const [short, tenfold] = [long(600), long(6000)]
    time(short)
    let ratio = Number.POSITIVE_INFINITY
    // Another process may disturb a measurement.
    for (let attempt = 0; attempt < 3 && ratio >= 40; attempt++) ratio = time(tenfold) / time(short)
    expect(ratio).toBeLessThan(40)
  })
})
