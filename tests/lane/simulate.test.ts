/** The simulator: exact arithmetic, partial and masked memory, control flow, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { ArgumentError, KernelError, VerifyError } from '../../src/base/errors.js'
import { simulate } from '../../src/lane/simulate.js'
import { LaneBuilder, laneProgram, pointer, value } from './build.js'

const one = [1, 1, 1] as const

describe('arithmetic', () => {
  it('keeps i64 exact beyond 2^53 and wraps at 2^63', () => {
    const program = laneProgram('exact', { x: pointer('i64'), out: pointer('i64') }, (b, { x, out }) => {
      const [a, c] = [b.load(x, b.index(0)), b.load(x, b.index(1))]
      b.store(out, b.index(0), b.map('add', a, c))
      b.store(out, b.index(1), b.map('mul', a, c))
      b.store(out, b.index(2), b.map('sub', b.const('i64', -(2n ** 63n)), c))
      b.store(out, b.index(3), b.map('mul', b.index(-3), b.index(0)))
    })
    const out = new BigInt64Array(4)
    simulate(program, [{ data: new BigInt64Array([2n ** 53n, 1n]) }, { data: out }], one)
    expect([...out]).toEqual([2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n, 0n])
  })

  it('rounds f32 and stores f16 and bf16 as codes and bool as bytes', () => {
    const types = { x: pointer('f32'), h: pointer('f16'), b16: pointer('bf16'), flag: pointer('bool') }
    const program = laneProgram('formats', types, (b, { x, h, b16, flag }) => {
      const v = b.load(x, b.index(0), 4)
      b.store(h, b.index(0), b.cast('f16', v))
      b.store(b16, b.index(0), b.cast('bf16', v))
      b.store(flag, b.index(0), b.map('lt', v, b.const('f32', 1, 4)))
      b.store(x, b.index(0), b.map('add', v, b.const('f32', 0.1, 4)))
    })
    const x = new Float32Array([1, 0.1, -2, 65520])
    const [h, b16, flag] = [new Uint16Array(4), new Uint16Array(4), new Uint8Array(4)]
    simulate(program, [{ data: x }, { data: h }, { data: b16 }, { data: flag }], one)
    expect([...h]).toEqual([0x3c00, 0x2e66, 0xc000, 0x7c00])
    expect([...b16]).toEqual([0x3f80, 0x3dcd, 0xc000, 0x4780])
    expect([...flag]).toEqual([0, 1, 1, 0])
    expect([...x]).toEqual([1, 0.1, -2, 65520].map(v => Math.fround(Math.fround(v) + Math.fround(0.1))))
  })

  it('folds pairwise: lane i with lane i + lanes / 2', () => {
    const program = laneProgram('fold', { x: pointer('f32') }, (b, { x }) => {
      b.store(x, b.index(0), b.fold('add', b.load(x, b.index(0), 4)))
    })
    const x = new Float32Array([1e8, 1, -1e8, 1])
    simulate(program, [{ data: x }], one)
    expect(x[0]).toBe(2) // (1e8 - 1e8) + (1 + 1); from left to right it would be 1
  })

  it('combines each lane with those before it: of each half, then the first half with all of the second', () => {
    const program = laneProgram('prefix', { x: pointer('f32'), y: pointer('i32') }, (b, { x, y }) => {
      b.store(x, b.index(0), b.prefix('add', b.load(x, b.index(0), 4)))
      b.store(y, b.index(0), b.prefix('max', b.load(y, b.index(0), 8), true))
    })
    const x = new Float32Array([1, 1e8, -1e8, 1])
    const y = new Int32Array([1, 9, 2, 3, 7, 5, 6, 4])
    simulate(program, [{ data: x }, { data: y }], one)
    expect([...x]).toEqual([1, 1e8, 0, 0]) // the last is 1e8 + (-1e8 + 1); from left to right it would be 1
    expect([...y]).toEqual([9, 9, 7, 7, 7, 6, 6, 4])
  })

  it('interleaves the halves of two vectors', () => {
    const program = laneProgram('riffle', { x: pointer('i32') }, (b, { x }) => {
      const [low, high] = [b.load(x, b.index(0), 4), b.load(x, b.index(4), 4)]
      b.store(x, b.index(0), b.interleave('low', low, high))
      b.store(x, b.index(4), b.interleave('high', low, high))
    })
    const x = Int32Array.from({ length: 8 }, (_, i) => i)
    simulate(program, [{ data: x }], one)
    expect([...x]).toEqual([0, 4, 1, 5, 2, 6, 3, 7])
  })

  it('reinterprets bits', () => {
    const program = laneProgram(
      'bits',
      { x: pointer('f32'), out: pointer('i32'), h: pointer('i16') },
      (b, { x, out, h }) => {
        b.store(out, b.index(0), b.bitcast('i32', b.load(x, b.index(0))))
        b.store(h, b.index(0), b.bitcast('i16', b.cast('f16', b.load(x, b.index(0)))))
      },
    )
    const [out, h] = [new Int32Array(1), new Int16Array(1)]
    simulate(program, [{ data: new Float32Array([-1.5]) }, { data: out }, { data: h }], one)
    expect(out[0]).toBe(0xbfc00000 | 0)
    expect(h[0]).toBe((0xbe00 << 16) >> 16)
  })
})

describe('memory', () => {
  it('loads and stores only `count` elements', () => {
    const program = laneProgram(
      'part',
      { x: pointer('f32'), out: pointer('f32'), n: value('i64') },
      (b, { x, out, n }) => {
        b.store(out, b.index(0), b.load(x, b.index(0), 4, n))
        b.store(out, b.index(4), b.const('f32', 9, 4), n)
      },
    )
    for (const [n, expected] of [
      [-1, [0, 0, 0, 0, 7, 7, 7, 7]],
      [2, [1, 2, 0, 0, 9, 9, 7, 7]],
      [5, [1, 2, 3, 4, 9, 9, 9, 9]],
    ] as const) {
      const out = new Float32Array(8).fill(7)
      simulate(program, [{ data: new Float32Array([1, 2, 3, 4]) }, { data: out }, n], one)
      expect([...out]).toEqual(expected)
    }
  })

  it('gathers and scatters under a mask, the last of equal indices winning', () => {
    const types = { x: pointer('i32'), i: pointer('i64'), out: pointer('i32') }
    const program = laneProgram('indexed', types, (b, { x, i, out }) => {
      const at = b.load(i, b.index(0), 4)
      const mask = b.map('ge', at, b.const('i64', 0, 4))
      b.scatter(out, at, b.gather(x, at, mask), mask)
      b.scatter(out, b.const('i64', 3, 4), b.iota('i32', 4))
    })
    const out = new Int32Array(4)
    simulate(
      program,
      [{ data: new Int32Array([10, 11, 12]) }, { data: new BigInt64Array([2n, -1n, 0n, 2n]) }, { data: out }],
      one,
    )
    expect([...out]).toEqual([10, 0, 12, 3])
  })

  it('lets arguments point into the middle of one array, and alias', () => {
    const program = laneProgram('alias', { x: pointer('i32'), y: pointer('i32') }, (b, { x, y }) => {
      b.store(y, b.index(-1), b.load(x, b.index(1)))
    })
    const data = new Int32Array([5, 6, 7, 8])
    simulate(
      program,
      [
        { data, offset: 1 },
        { data, offset: 1 },
      ],
      one,
    )
    expect([...data]).toEqual([7, 6, 7, 8])
  })

  it('returns the old value of an atomic', () => {
    const program = laneProgram('count', { n: pointer('i32'), out: pointer('i32') }, (b, { n, out }) => {
      const old = b.atomic('add', n, b.index(0), b.const('i32', 2))
      b.store(out, b.programId(), old)
    })
    const [n, out] = [new Int32Array([1]), new Int32Array(3)]
    simulate(program, [{ data: n }, { data: out }], [3, 1, 1])
    expect([...out, ...n]).toEqual([1, 3, 5, 7])
  })
})

describe('control flow', () => {
  it('runs for loops up and down with carried values, and every program of the grid', () => {
    const program = laneProgram('loops', { out: pointer('i64') }, (b, { out }) => {
      const [sum] = b.for([0, 5, 2], [b.index(0)], (i, [s]) => [b.map('add', s!, i)])
      const [down] = b.for([3, 0, -1], [b.index(0)], (i, [s]) => [b.map('add', b.map('mul', s!, b.index(10)), i)])
      const place = b.map('add', b.programId(0), b.map('mul', b.programId(1), b.index(2)))
      b.store(out, place, b.map('add', sum!, down!))
    })
    const out = new BigInt64Array(4)
    simulate(program, [{ data: out }], [2, 2, 1])
    expect([...out]).toEqual(Array.from({ length: 4 }, () => 6n + 321n))
  })

  it('runs while and if', () => {
    const program = laneProgram('collatz', { out: pointer('i64'), n: value('i64') }, (b, { out, n }) => {
      const two = b.index(2)
      const [, steps] = b.while(
        [n, b.index(0)],
        ([x]) => b.map('gt', x!, b.index(1)),
        ([x, count]) => {
          const even = b.map('eq', b.map('mod', x!, two), b.index(0))
          const [next] = b.if(
            even,
            () => [b.map('floorDiv', x!, two)],
            () => [b.map('add', b.map('mul', x!, b.index(3)), b.index(1))],
          )
          return [next!, b.map('add', count!, b.index(1))]
        },
      )
      b.store(out, b.index(0), steps!)
    })
    const out = new BigInt64Array(1)
    simulate(program, [{ data: out }, 27], one)
    expect(out[0]).toBe(111n)
  })
})

describe('rejects', () => {
  const out = () => ({ data: new Float32Array(4) })

  it('accesses out of bounds, naming kernel, argument, index and line', () => {
    const b = new LaneBuilder()
    b.builder.origin = { at: { file: '/home/me/model.ts', line: 41, column: 7 }, pass: 'test' }
    const x = b.builder.node('arg', [], { index: 0, name: 'x', type: pointer('f32') })
    b.store(x, b.index(2), b.const('f32', 1, 4))
    const args = [{ name: 'x', type: pointer('f32') }]
    const program = { name: 'far', args, body: b.builder.finish([], [x]), comment: [] }
    expect(() => simulate(program, [out()], one)).toThrow(KernelError)
    expect(() => simulate(program, [out()], one)).toThrow(
      /far: store: index 4 of 'x' is out of bounds: \[0, 4\).*model\.ts:41/,
    )
  })

  it('indices below the start and beyond 2^53', () => {
    for (const index of [-1n, 2n ** 60n]) {
      const program = laneProgram('far', { x: pointer('f32') }, (b, { x }) => {
        b.store(x, b.index(0), b.load(x, b.index(index)))
      })
      expect(() => simulate(program, [out()], one)).toThrow(`index ${index} of 'x'`)
    }
  })

  it('scratch that is read before it is written, also in a second iteration of a loop', () => {
    const program = laneProgram('undefined', { x: pointer('f32') }, (b, { x }) => {
      b.for([0, 2, 1], [], i => {
        const scratch = b.alloc('f32', 4, 'tmp')
        b.if(
          b.map('eq', i, b.index(0)),
          () => {
            b.store(scratch, b.index(1), b.const('f32', 1))
            return []
          },
          () => [],
        )
        b.store(x, b.index(0), b.load(scratch, b.index(1)))
        return []
      })
    })
    expect(() => simulate(program, [out()], one)).toThrow(
      /undefined: load: index 1 of 'tmp' is read before it is written/,
    )
  })

  it('a step of zero', () => {
    const program = laneProgram('still', { n: value('i64') }, (b, { n }) => void b.for([0, 1, n], [], () => []))
    expect(() => simulate(program, [0], one)).toThrow('the step is 0')
  })

  it('arguments that do not fit', () => {
    const program = laneProgram('fit', { x: pointer('f16'), n: value('i64') }, () => undefined)
    expect(() => simulate(program, [{ data: new Uint16Array(1) }], one)).toThrow('takes 2 arguments, got 1')
    expect(() => simulate(program, [out(), 1], one)).toThrow("argument 'x' is a Float32Array, f16 needs a Uint16Array")
    expect(() => simulate(program, [1, 1], one)).toThrow("argument 'x' must be a pointer")
    expect(() => simulate(program, [1, 1], one)).toThrow(ArgumentError)
  })

  it('bitcasts between widths, lanes that do not exist, folds of storage formats', () => {
    const b = new LaneBuilder()
    expect(() => b.bitcast('i64', b.const('f32', 1))).toThrow(VerifyError)
    expect(() => b.extract(b.const('f32', 1, 4), 4)).toThrow('lane 4 of f32x4')
    expect(() => b.fold('add', b.const('f16', 1, 4))).toThrow('storage format')
  })
})
