/** Memory, control flow, names and whole kernels as compiled C, against the simulator and golden text. */
import { describe, expect, it } from 'vitest'
import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import { scratchLayout } from '../../src/codegen/c/scratch.js'
import type { LaneNode, LaneProgram } from '../../src/lane/ir.js'
import { codeDtypes, dtypeInfo } from '../../src/types/dtype.js'
import { LaneBuilder, laneProgram, pointer, value } from '../lane/build.js'
import { expectSame, type TestArgument } from './compare.js'
import { guardedPage } from './guard.js'
import { compileNative, exactFlags, noCompiler, olderMachines } from './native.js'
import { addReluMul, microKernel, rowSoftmax } from './programs.js'
import { spread, zeros } from './samples.js'

const skip = noCompiler !== null

function same(
  program: LaneProgram,
  args: readonly TestArgument[],
  grid: readonly [number, number, number] = [1, 1, 1],
): void {
  expectSame(program, compileNative(emitC([program])), args, grid)
}

describe.skipIf(skip)(`memory as C${skip ? ` (skipped: ${noCompiler})` : ''}`, () => {
  it('partial loads and stores: every dtype, length and count', () => {
    const cases = codeDtypes.flatMap(dtype =>
      [1, 2, 8, 16, 32, 64].map(lanes => ({
        dtype,
        lanes,
        program: laneProgram(
          `part_${dtype}_${lanes}`,
          { x: pointer(dtype), out: pointer(dtype), n: value('i64') },
          (b, { x, out, n }) => {
            b.store(out, b.index(1), b.load(x, b.index(3), lanes, n))
            b.store(out, b.index(lanes + 2), b.load(x, b.index(3), lanes), n)
          },
        ),
      })),
    )
    const library = compileNative(emitC(cases.map(one => one.program)))
    for (const { dtype, lanes, program } of cases) {
      for (const n of [-1, 0, 1, lanes >> 1, lanes - 1, lanes, lanes + 5, 300]) {
        const x = spread(dtype, lanes + 8, 1)
        expectSame(program, library, [x, spread(dtype, 2 * lanes + 4, 2), BigInt(n)])
      }
    }
  })

  it('loads of elements that are 2, 3 or 4 apart, and of spans: formats of every size, lengths and counts', () => {
    const cases = (['f32', 'f64', 'f16', 'bool'] as const).flatMap(dtype =>
      (dtype === 'f32' ? [1, 4, 16, 32] : [16]).flatMap(lanes =>
        (dtype === 'f32' ? ([2, 3, 4] as const) : ([3] as const)).map(apart => ({
          dtype,
          lanes,
          apart,
          program: laneProgram(
            `apart_${dtype}_${lanes}_${apart}`,
            { x: pointer(dtype), out: pointer(dtype), n: value('i64') },
            (b, { x, out, n }) => {
              const attrs = { lanes, apart }
              b.store(out, b.index(1), b.builder.node('load', [x, b.index(0), n], attrs))
              b.store(out, b.index(lanes + 2), b.builder.node('load', [x, b.index(0)], attrs))
              const span = b.builder.node('load', [x, b.index(0), n, b.map('sub', n, b.index(3))], { lanes })
              b.store(out, b.index(2 * lanes + 3), span)
            },
          ),
        })),
      ),
    )
    for (const { flags, vectorBytes } of [{ flags: [], vectorBytes: 64 as const }, ...olderMachines()]) {
      const text = emitC(
        cases.map(one => one.program),
        { vectorBytes },
      )
      const library = compileNative(text, [...exactFlags, ...flags])
      for (const { dtype, lanes, apart, program } of cases) {
        for (const n of [-1, 0, 1, lanes >> 1, lanes - 1, lanes, lanes + 5]) {
          // The last element is the last that may be read.
          const x = spread(dtype, (lanes - 1) * apart + 1, 1)
          expectSame(program, library, [x, spread(dtype, 3 * lanes + 4, 2), BigInt(n)])
        }
      }
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'partial accesses stop before a page that may not be touched (needs Linux)',
    () => {
      const lanes = 16
      const types = { x: pointer('f32'), out: pointer('f32'), h: pointer('f16'), n: value('i64') }
      const program = laneProgram('edge', types, (b, { x, out, h, n }) => {
        b.store(out, b.index(0), b.load(x, b.index(0), lanes, n))
        b.store(x, b.index(0), b.const('f32', 2, lanes), n)
        b.store(h, b.index(0), b.cast('f16', b.cast('f32', b.load(h, b.index(0), lanes, n))), n)
      })
      const run = compileNative(emitC([program])).kernel('edge')
      for (const n of [0, 1, 7, 15]) {
        const out = new Float32Array(lanes).fill(1)
        run([{ address: guardedPage() - BigInt(4 * n) }, out, { address: guardedPage() - BigInt(2 * n) }, BigInt(n)])
        expect([...out]).toEqual(new Array(lanes).fill(0))
      }
    },
  )

  it('gathers and scatters, with and without masks', () => {
    const cases = codeDtypes.flatMap(dtype =>
      [1, 4, 16].map(lanes => ({
        dtype,
        lanes,
        program: laneProgram(
          `indexed_${dtype}_${lanes}`,
          { x: pointer(dtype), i: pointer('i64'), m: pointer('bool'), out: pointer(dtype) },
          (b, { x, i, m, out }) => {
            const [at, mask] = [b.load(i, b.index(0), lanes), b.load(m, b.index(0), lanes)]
            b.scatter(out, at, b.gather(x, at))
            b.store(out, b.index(32), b.gather(x, at, mask))
            b.scatter(out, b.map('add', at, b.const('i64', 48, lanes)), b.load(x, b.index(0), lanes), mask)
          },
        ),
      })),
    )
    const library = compileNative(emitC(cases.map(one => one.program)))
    for (const { dtype, program } of cases) {
      const indices = BigInt64Array.from({ length: 16 }, (_, i) => BigInt((i * 7) % 13))
      expectSame(program, library, [spread(dtype, 16, 3), indices, spread('bool', 16, 4), zeros(dtype, 64)])
    }
  })

  it('gathers by i32 indices, with and without masks', () => {
    for (const [dtype, lanes] of [
      ['f32', 16],
      ['f64', 8],
      ['i64', 8],
      ['f16', 16],
      ['f32', 4],
    ] as const) {
      const program = laneProgram(
        `short_${dtype}_${lanes}`,
        { x: pointer(dtype), i: pointer('i32'), m: pointer('bool'), out: pointer(dtype) },
        (b, { x, i, m, out }) => {
          const [at, mask] = [b.load(i, b.index(0), lanes), b.load(m, b.index(0), lanes)]
          b.store(out, b.index(0), b.gather(x, at))
          b.store(out, b.index(16), b.gather(x, at, mask))
        },
      )
      const indices = Int32Array.from({ length: 16 }, (_, i) => (i * 7) % 13)
      same(program, [spread(dtype, 16, 3), indices, spread('bool', 16, 4), zeros(dtype, 32)])
    }
  })

  it('prefetching has no effect, whatever its address', () => {
    const program = laneProgram('ahead', { x: pointer('f32'), out: pointer('f32') }, (b, { x, out }) => {
      for (const at of [0n, -1n, 1n << 40n]) b.prefetch(x, b.const('i64', at))
      b.store(out, b.index(0), b.load(x, b.index(0), 8))
    })
    same(program, [spread('f32', 8, 3), zeros('f32', 8)])
  })

  it('masked-out lanes are not accessed', () => {
    const program = laneProgram('masked', { x: pointer('f32'), out: pointer('f32') }, (b, { x, out }) => {
      const far = b.map('mul', b.iota('i64', 8), b.const('i64', 1n << 40n, 8))
      const mask = b.map('lt', far, b.const('i64', 1, 8))
      b.store(out, b.index(0), b.gather(x, far, mask))
      b.scatter(x, far, b.const('f32', 5, 8), mask)
    })
    same(program, [new Float32Array([3]), new Float32Array(8).fill(9)])
  })

  it('atomics', () => {
    const names = ['add', 'min', 'max', 'exchange'] as const
    const cases = codeDtypes.flatMap(dtype =>
      names.map(fn => ({
        dtype,
        program: laneProgram(
          `atomic_${fn}_${dtype}`,
          { x: pointer(dtype), y: pointer(dtype), out: pointer(dtype) },
          (b, { x, y, out }) => {
            b.for([0, 16, 1], [], i => {
              b.store(out, i, b.atomic(fn, x, b.index(1), b.load(y, i)))
              b.atomic(fn, x, b.index(2), b.load(y, i))
              return []
            })
          },
        ),
      })),
    )
    const library = compileNative(emitC(cases.map(one => one.program)))
    for (const { dtype, program } of cases) {
      const ordinary =
        dtypeInfo(dtype).kind === 'float' && dtype !== 'f64' && dtype !== 'f32'
          ? new Uint16Array(16).map((_, i) => 0x3c00 + 8 * i)
          : spread(dtype, 16, 5)
      expectSame(program, library, [spread(dtype, 4, 6), ordinary, zeros(dtype, 16)])
    }
  })

  it('a load stays before a store that may change what it reads', () => {
    const program = laneProgram('order', { x: pointer('f32') }, (b, { x }) => {
      const before = b.load(x, b.index(0), 4)
      const middle = b.load(x, b.index(2))
      b.store(x, b.index(1), b.const('f32', 9, 4))
      b.store(x, b.index(5), b.map('add', before, b.splat(middle, 4)))
      const first = b.load(x, b.index(0))
      b.for([0, 3, 1], [], i => {
        b.store(x, i, b.const('f32', -1))
        return []
      })
      b.store(x, b.index(9), first)
    })
    same(program, [Float32Array.from({ length: 10 }, (_, i) => i)])
  })

  it('a load passed into a loop that does not use it stays before later stores', () => {
    const program = laneProgram('offered', { x: pointer('f32') }, (b, { x }) => {
      const before = b.load(x, b.index(0), 4)
      b.for([0, 2, 1], [before], (i, [v]) => {
        b.store(x, i, b.const('f32', 7))
        return [v!]
      })
      b.store(x, b.index(4), before)
    })
    same(program, [Float32Array.from({ length: 8 }, (_, i) => i)])
  })

  it('scratch memory: only allocs with disjoint lifetimes share offsets', () => {
    const program = laneProgram('scratch', { x: pointer('f32'), out: pointer('f32') }, (b, { x, out }) => {
      const kept = b.alloc('f32', 20, 'kept')
      b.store(kept, b.index(0), b.load(x, b.index(0), 16))
      b.for([0, 4, 1], [], i => {
        const first = b.alloc('f32', 16, 'first')
        b.store(first, b.index(0), b.map('add', b.load(kept, b.index(0), 16), b.load(x, i, 16)))
        const second = b.alloc('f32', 16, 'second')
        b.store(second, b.index(0), b.load(first, b.index(0), 16))
        const third = b.alloc('f16', 16, 'third')
        b.store(third, b.index(0), b.cast('f16', b.load(second, b.index(0), 16)))
        b.store(out, b.map('mul', i, b.index(16)), b.cast('f32', b.load(third, b.index(0), 16)))
        return []
      })
      const last = b.alloc('f64', 8, 'last')
      b.store(last, b.index(0), b.const('f64', 1, 8))
      b.store(out, b.index(64), b.cast('f32', b.load(last, b.index(0), 8)))
    })
    const { offsets, bytes } = scratchLayout(program)
    const named = Object.fromEntries(
      [...offsets].map(([node, offset]) => [node.op === 'alloc' ? node.attrs.name : '', offset]),
    )
    expect(named).toEqual({ kept: 0, first: 128, second: 192, third: 128, last: 0 })
    expect([bytes, scratchBytes(program)]).toEqual([256, 256])
    same(program, [Float32Array.from({ length: 32 }, (_, i) => i / 3), zeros('f32', 72)])
  })

  it('scalar arguments of every dtype', () => {
    const types = {
      a: value('f32'),
      b16: value('bf16'),
      h: value('f16'),
      d: value('f64'),
      n: value('i64'),
      i: value('i32'),
      s: value('i16'),
      t: value('i8'),
      u: value('u8'),
      yes: value('bool'),
      out: pointer('f64'),
    }
    const program = laneProgram('scalars', types, (b, { out, ...args }) => {
      Object.values(args).forEach((arg, i) => {
        b.store(out, b.index(i), b.cast('f64', arg))
      })
    })
    same(program, [0.1, 0.1, 0.1, 0.1, -5n, -6n, -7n, -8n, 250n, true, new Float64Array(10)])
  })
})

describe.skipIf(skip)('control flow as C (needs a C compiler)', () => {
  it('swaps, rotations and sums of carried values', () => {
    const program = laneProgram('carried', { out: pointer('i32') }, (b, { out }) => {
      const init = [1, 2, 3, 4].map(v => b.const('i32', v))
      const final = b.for([0, 7, 1], init, (_, [p, q, r, s]) => [q!, r!, p!, b.map('add', s!, p!)])
      final.forEach((item, i) => {
        b.store(out, b.index(i), item)
      })
      const pair = b.for([0, 3, 1], init.slice(0, 2), (_, [p, q]) => [b.map('add', p!, q!), b.map('sub', p!, q!)])
      pair.forEach((item, i) => {
        b.store(out, b.index(4 + i), item)
      })
    })
    same(program, [new Int32Array(6)])
  })

  it('a carried value whose old value a store or an inner loop still reads', () => {
    const program = laneProgram('late', { out: pointer('f32') }, (b, { out }) => {
      const [v] = b.for([0, 4, 1], [b.const('f32', 1)], (i, [s]) => {
        const next = b.map('mul', s!, b.const('f32', 3))
        b.store(out, b.map('mul', i, b.index(4)), next)
        b.for([1, 3, 1], [], j => {
          b.store(out, b.map('add', b.map('mul', i, b.index(4)), j), s!)
          return []
        })
        b.store(out, b.map('add', b.map('mul', i, b.index(4)), b.index(3)), s!)
        return [next]
      })
      b.store(out, b.index(16), v!)
    })
    same(program, [new Float32Array(17)])
  })

  it('loops: nested, downwards, by a run-time step of either sign, empty, unrolled, with unused results', () => {
    const program = laneProgram('loops', { out: pointer('i64'), step: value('i64') }, (b, { out, step }) => {
      const add = (x: LaneNode, y: LaneNode): LaneNode => b.map('add', x, y)
      const [nested] = b.for([0, 3, 1], [b.index(0)], (i, [s]) =>
        b.for([5, i, -2], [s!], (j, [t]) => [add(b.map('mul', t!, b.index(3)), add(i, j))]),
      )
      const from = b.map('mul', step, b.index(-2))
      const [run] = b.for([from, b.index(0), step], [b.index(0)], (i, [s]) => [add(b.map('mul', s!, b.index(7)), i)])
      const [none] = b.for([4, 4, 1], [b.index(42)], () => [b.index(0)])
      const [unrolled] = b.for([0, 4, 1], [b.index(0)], (i, [s]) => [add(s!, b.map('mul', i, i))], { unroll: true })
      b.for([0, 2, 1], [b.index(1)], i => [i])
      b.for([0, 2, 1], [b.index(1)], (_, [s]) => [add(s!, s!)])
      ;[nested, run, none, unrolled].forEach((item, i) => {
        b.store(out, b.index(i), item!)
      })
    })
    for (const step of [3n, -3n]) same(program, [new BigInt64Array(4), step])
  })

  it('while and if, with vectors and bools carried', () => {
    const program = laneProgram(
      'branches',
      { x: pointer('f32'), out: pointer('f32'), flags: pointer('bool') },
      (b, { x, out, flags }) => {
        const start = b.load(x, b.index(0), 8)
        const [v, count, odd] = b.while(
          [start, b.index(0), b.const('bool', 0)],
          ([, n]) => b.map('lt', n!, b.index(5)),
          ([w, n, o]) => [b.map('mul', w!, b.const('f32', 1.5, 8)), b.map('add', n!, b.index(1)), b.map('not', o!)],
        )
        const [chosen] = b.if(
          b.map('and', odd!, b.map('ge', count!, b.index(5))),
          () => [v!],
          () => [start],
        )
        b.if(
          b.map('or', b.map('isnan', b.extract(v!, 1)), b.const('bool', 0)),
          () => [],
          () => {
            b.store(out, b.index(8), b.extract(v!, 2))
            return []
          },
        )
        b.store(out, b.index(0), chosen!)
        b.store(flags, b.index(0), b.map('lt', chosen!, b.const('f32', 2, 8)))
        b.store(flags, b.index(8), odd!)
      },
    )
    same(program, [Float32Array.from({ length: 8 }, (_, i) => i / 2 - 1), new Float32Array(9), new Uint8Array(9)])
  })

  it('runs ranges of a three-dimensional grid', () => {
    const program = laneProgram('grid', { out: pointer('i64') }, (b, { out }) => {
      const [x, y, z] = [b.programId(0), b.programId(1), b.programId(2)]
      const sizes = [0, 1].map(axis => b.builder.node('numPrograms', [], { axis: axis as 0 | 1 }))
      const place = b.map('add', x, b.map('mul', sizes[0]!, b.map('add', y, b.map('mul', sizes[1]!, z))))
      b.store(out, place, b.map('add', x, b.map('add', b.map('mul', y, b.index(10)), b.map('mul', z, b.index(100)))))
    })
    same(program, [new BigInt64Array(24)], [2, 3, 4])
  })

  it('argument names that are C keywords, prelude names, or not identifiers', () => {
    const names = ['int', 'f32', 'add_f32x16', 'args', 'i', 'x.y', '1st', 'é', 'load_f32', 'scratch', 'INFINITY', 'x_y']
    const types = Object.fromEntries(names.map(name => [name, pointer('f32')]))
    const program = laneProgram('names', types, (b, args) => {
      b.for([0, 1, 1], [], i => {
        for (const name of names)
          b.store(args[name]!, i, b.map('add', b.load(args[name]!, i, 16), b.const('f32', 1, 16)))
        return []
      })
    })
    same(
      program,
      names.map((_, n) => new Float32Array(16).fill(n)),
    )
  })
})

describe('emitted text', () => {
  for (const [file, program] of [
    ['add-relu-mul', addReluMul()],
    ['row-softmax', rowSoftmax()],
    ['micro-kernel', microKernel(4, 2)],
  ] as const) {
    it(`golden: ${file}`, async () => {
      // Without the prelude, which has tests of its own.
      const text = emitC([program])
      const kernel = text.slice(text.indexOf('// An argument of a kernel'))
      await expect(`// Golden text: run vitest -u to renew it.
${kernel}`).toMatchFileSnapshot(`golden/${file}.c`)
    })
  }

  it("names the user's lines", () => {
    const b = new LaneBuilder()
    const x = b.builder.node('arg', [], { index: 0, name: 'x', type: pointer('f32') })
    b.builder.origin = { at: { file: '/home/me/model.ts', line: 41, column: 7 }, pass: 'test' }
    b.store(x, b.index(0), b.const('f32', 1))
    const text = emitC([
      {
        name: 'lines',
        args: [{ name: 'x', type: pointer('f32') }],
        body: b.builder.finish([], [x]),
        comment: ['made of: add'],
      },
    ])
    expect(text).toContain('// made of: add\nvoid lines(')
    expect(text).toContain('    // model.ts:41\n    x[0] = 1.0f;\n')
  })

  it('renames kernels whose names are taken by C or the prelude', () => {
    const kernel = (name: string): LaneProgram => ({ ...addReluMul(), name })
    const names = [
      'exp',
      'expf',
      'memcpy',
      'add_f32x16',
      'int',
      'load_part_f32',
      'f32',
      'index',
      'softmax',
      'my_add',
      'UNROLL',
    ]
    const symbols = names.map(name => symbolOf(kernel(name)))
    expect(symbols).toEqual(names.map(name => (name === 'softmax' || name === 'my_add' ? name : `${name}_kernel`)))
    if (!skip) compileNative(emitC(names.map(kernel)))
  })

  it('rejects two kernels of one name, and names that are not identifiers', () => {
    const program = laneProgram('twice', {}, () => undefined)
    expect(() => emitC([program, program])).toThrow('two kernels are named twice')
    expect(() => emitC([{ ...program, name: 'a b' }])).toThrow("'a b' is not a C identifier")
  })
})

describe.skipIf(skip)('whole kernels', () => {
  it('add-relu-mul in place, row softmax, micro-kernel', () => {
    const programs = [addReluMul(), microKernel(4, 2)]
    const library = compileNative(emitC(programs))
    const data = (count: number, seed: number) =>
      Float32Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * seed)))
    expectSame(
      programs[0]!,
      library,
      [data(1000, 1), data(1000, 2), data(1000, 3), new Float32Array(1000), 1000n],
      [4, 1, 1],
    )
    expectSame(programs[1]!, library, [data(4 * 9, 1), data(32 * 9, 2), data(128, 3), 9n])
    const softmax = rowSoftmax()
    expectSame(softmax, compileNative(emitC([softmax])), [data(300, 4), new Float32Array(300), 100n], [3, 1, 1], 4)
  })

  for (const { name, vectorBytes, flags } of olderMachines()) {
    it(`compiled for ${name}`, () => {
      const programs = [addReluMul(), microKernel(4, 2), quotients()]
      const library = compileNative(emitC(programs, { vectorBytes }), [...exactFlags, ...flags])
      const data = (count: number, seed: number) =>
        Float32Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * seed)))
      expectSame(programs[0]!, library, [data(100, 1), data(100, 2), data(100, 3), new Float32Array(100), 100n])
      // Without an FMA instruction too, fma rounds once.
      expectSame(programs[1]!, library, [data(4 * 9, 1), data(32 * 9, 2), data(128, 3), 9n])
      expectSame(programs[2]!, library, [spread('i64', 8, 1), new BigInt64Array(8)])
    })
  }
})

/** x / x, of which gcc 12's vectoriser of straight-line code made -1 on machines without AVX-512. */
const quotients = (): LaneProgram =>
  laneProgram('quotients', { x: pointer('i64'), out: pointer('i64') }, (b, { x, out }) => {
    const v = b.load(x, b.index(0), 8)
    b.store(out, b.index(0), b.map('floorDiv', v, v))
  })
