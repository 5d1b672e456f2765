/** Kernels launched inside compiled functions: eager = compiled = interpreted = the graph's own meaning. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { captureFunction } from '../../src/compile/capture/capture.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import {
  ArgumentError,
  type CompileOptions,
  compile,
  DtypeError,
  exportCompiled,
  loadCompiled,
  ShapeError,
  type Tensor,
  tensor,
  zeros,
  zerosLike,
} from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import {
  accumulate,
  clampedGrid,
  count,
  evens,
  negateFlat,
  rowSums,
  scale,
  sumAndDifference,
} from '../support/kernels.js'
import { hostOfTensor, testDevice } from '../support/tensors.js'

type Step = (...args: Tensor[]) => Tensor | readonly Tensor[] | undefined

afterEach(() => void vi.unstubAllEnvs())

const listOf = (result: ReturnType<Step>): readonly Tensor[] =>
  result === undefined ? [] : Array.isArray(result) ? result : [result as Tensor]

/** What a call gives, and what its arguments hold then. */
function outcome(fn: Step, args: readonly Tensor[]): unknown[] {
  const results = listOf(fn(...args))
  return [...results, ...args].map(each => each.toArray())
}

/** The values of the captured graph's outputs, by the graph interpreter. */
function graphOutputs(fn: Step, args: readonly Tensor[], dynamic: boolean): unknown[] {
  const { capture } = captureFunction(fn as never, args, {
    name: 'f',
    fullgraph: true,
    isDynamic: () => dynamic,
    runSegment: () => [],
  })
  const { graph, inputs, symbols } = capture!.segment
  const values = new Map(graph.symbols.map(({ name }, i) => [name, symbols[i]!]))
  const hosts = inputs.map(({ tensor }) => hostOfTensor(tensor))
  const results = interpretGraph(graph, hosts, [], values)
  const isShown = ({ shape }: (typeof results)[number], i: number): boolean =>
    i < graph.outputs || hosts.some(host => String(host.shape) === String(shape))
  return results.filter(isShown).map(({ data }) => data.map(Number))
}

/** Compares all ways on two sets of arguments of the same shapes. */
function check(fn: Step, make: (call: number) => Tensor[], options: CompileOptions = {}): void {
  const compiled = compile(fn as never, { fullgraph: true, ...options }) as unknown as Step
  const expected = [1, 2].map(call => outcome(fn, make(call)))
  expect([1, 2].map(call => outcome(compiled, make(call)))).toEqual(expected)
  vi.stubEnv('TEGULA_BACKEND', 'interpreter')
  const interpreted = compile(fn as never, { fullgraph: true, ...options }) as unknown as Step
  expect([1, 2].map(call => outcome(interpreted, make(call)))).toEqual(expected)
  vi.unstubAllEnvs()
  // Outputs and write-backs, in an order of their own.
  const meant = expected[0]!.map(values => JSON.stringify([values].flat(9).map(Number)))
  for (const values of graphOutputs(fn, make(1), options.dynamic === true)) {
    expect(meant).toContain(JSON.stringify(values))
  }
}

const vector = (n: number, call: number): Tensor => tensor(Array.from({ length: n }, (_, i) => i * call + 1))
const matrix = (m: number, n: number, call: number): Tensor => vector(m * n, call).reshape([m, n])

describe.skipIf(!hasCompiler)('user kernels inside compiled functions', () => {
  it('between ops that fuse, out of place', () => {
    const f: Step = x => {
      const out = zeros([10])
      scale.launch({ x: x.add(1).mul(2), out, factor: 3 })
      return out.sub(1).relu()
    }
    check(f, call => [vector(10, call)])
  })

  it('in place, with a dependency from launch to launch', () => {
    const f: Step = (x, acc) => {
      accumulate.launch({ x, acc })
      accumulate.launch({ x: acc, acc: x })
      accumulate.launch({ x, acc })
      return x.add(acc)
    }
    check(f, call => [vector(7, call), vector(7, call + 3)])
  })

  it('keep elements that they do not write', () => {
    const f: Step = (x, y) => {
      const out = y.neg()
      evens.launch({ x, out })
      evens.launch({ x: y, out: x })
      return out
    }
    check(f, call => [vector(5, call), vector(5, call + 3)])
  })

  it('read old values where the old value is meant', () => {
    const f: Step = x => {
      const before = x.mul(10)
      const copy = x.clone()
      accumulate.launch({ x: before, acc: x })
      return [before, copy, x.sum(0), copy.add(x)]
    }
    check(f, call => [vector(6, call)])
  })

  it('with several results, one of them unused', () => {
    const f: Step = (a, b) => {
      const [sum, difference] = [zerosLike(a), zerosLike(b)]
      sumAndDifference.launch({ a, b, sum, difference })
      return sum.mul(2)
    }
    check(f, call => [matrix(3, 5, call), matrix(3, 5, call + 1)])
    const g: Step = (a, b) => {
      sumAndDifference.launch({ a, b, sum: a, difference: b })
      return a.add(b)
    }
    check(g, call => [matrix(3, 5, call), matrix(3, 5, call + 1)])
  })

  it('on views: rows, columns, slices, transposed and expanded tensors', () => {
    const f: Step = (x, y) => {
      scale.launch({ x: x.get(0), out: x.get(1), factor: 2 })
      scale.launch({ x: y.slice([1, 9, 2]), out: x.select(1, 3).slice([0, 3]), factor: 3 })
      const sums = zeros([4])
      rowSums.launch({ x: x.t(), out: sums })
      const wide = zeros([4])
      scale.launch({ x: sums.sum(0).expand([4]), out: wide, factor: 1 })
      return [sums, wide]
    }
    check(f, call => [matrix(3, 4, call), vector(9, call)])
  })

  it('on two disjoint views of one tensor, both written', () => {
    const f: Step = x => {
      sumAndDifference.launch({
        a: x.slice([0, 2]),
        b: x.slice([2, 4]),
        sum: x.slice([4, 6]),
        difference: x.slice([6, 8]),
      })
      return x.sum(1)
    }
    check(f, call => [matrix(8, 3, call)])
  })

  it('with the same view for two parameters', () => {
    check(
      x => {
        scale.launch({ x, out: x, factor: 2 })
        const half = x.slice([0, 4])
        accumulate.launch({ x: half, acc: half })
        accumulate.launch({ x: x.slice([1, 3]), acc: x.slice([1, 3]) })
      },
      call => [vector(9, call)],
    )
  })

  it('with equal values that are not the same tensor', () => {
    const f: Step = x => {
      const [a, b] = [zeros([5]), zeros([5])]
      accumulate.launch({ x, acc: a })
      return [a, b, a.add(b)]
    }
    check(f, call => [vector(5, call)])
  })

  it('on tensors that the function closes over', () => {
    const [from, to] = [tensor([1, 2]), zeros([2])]
    const f = compile(
      (x: Tensor) => {
        accumulate.launch({ x: from, acc: to })
        return x.add(to)
      },
      { fullgraph: true },
    )
    expect(f(zeros([2])).toArray()).toEqual([1, 2])
    from.mul_(10)
    expect(f(zeros([2])).toArray()).toEqual([11, 22])
    expect(to.toArray()).toEqual([11, 22])
  })

  it('count atomically, in all programs', () => {
    const f: Step = index => {
      const counts = zeros([4], { dtype: 'i64' })
      count.launch({ index, counts })
      return counts.add(counts)
    }
    check(f, call => [tensor([0, 1, call, 3, 3, 1], { dtype: 'i64' })])
  })

  it('take numbers as part of the code, and constants', () => {
    const f = (x: Tensor, factor: number): Tensor => {
      const out = zerosLike(x)
      scale.launch({ x, out, factor }, { BLOCK: 8 })
      return out
    }
    const compiled = compile(f, { fullgraph: true })
    const x = vector(11, 1)
    for (const factor of [2, -0, 0.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(compiled(x, factor).toArray()).toEqual(f(x, factor).toArray())
    }
  })

  it('return empty results for empty tensors', () => {
    check(
      x => {
        const out = zerosLike(x)
        scale.launch({ x, out, factor: 2 })
        return out
      },
      () => [zeros([0])],
    )
  })

  it.skipIf(testDevice !== 'cpu')(
    'are one step each, equal launches one together, and equal programs one kernel',
    () => {
      const f = compile((x: Tensor) => {
        const [a, b, c] = [zerosLike(x), zerosLike(x), zerosLike(x)]
        scale.launch({ x, out: a, factor: 2 })
        scale.launch({ x: a, out: b, factor: 2 })
        scale.launch({ x, out: c, factor: 2 })
        return [b, c]
      })
      const explanation = f.explain(vector(8, 1))
      expect(explanation.breaks).toEqual([])
      expect(explanation.kernels.map(({ name }) => name).filter(name => name.startsWith('scale'))).toEqual([
        'scale',
        'scale',
      ])
      const [first] = explanation.kernels.filter(({ name }) => name === 'scale')
      expect(first).toMatchObject({ ops: ['scale'], reads: ['args[0]'], grid: [2, 1, 1], bytes: 64, flops: 8 })
      expect(first!.lines[0]!.file).toMatch(/user-kernels\.test\.ts$/)
      expect(explanation.toString()).toMatch(/launch\(.*scale [0-9a-f]{32}.*user-kernels\.test\.ts:\d+ \(scale\)/)
      expect(explanation.code.match(/void \w*scale\w*\(/g)).toHaveLength(1)
    },
  )
})

describe.skipIf(!hasCompiler)('compiled functions with user kernels', () => {
  const f: Step = (x, acc) => {
    const out = zerosLike(x)
    scale.launch({ x: x.add(1), out, factor: 3 })
    accumulate.launch({ x: out, acc })
    return out.sum(0).add(acc)
  }
  const make = (n: number): Tensor[] => [vector(n, 1), vector(n, 2)]

  it('are exported and loaded, with a grid that follows the sizes', () => {
    const compiled = compile(f as never, { fullgraph: true, dynamic: true }) as unknown as Step
    outcome(compiled, make(6))
    const loaded = loadCompiled(exportCompiled(compiled)) as unknown as Step
    for (const n of [6, 2, 33]) expect(outcome(loaded, make(n))).toEqual(outcome(f, make(n)))
  })

  it('are tuned, and warmed up without changing their arguments', async () => {
    const compiled = compile(f as (...args: Tensor[]) => Tensor, { mode: 'max-autotune' })
    const args = make(3000)
    await compiled.warmup(...args)
    expect(args.map(each => each.toArray())).toEqual(make(3000).map(each => each.toArray()))
    expect(outcome(compiled, make(3000))).toEqual(outcome(f, make(3000)))
    expect(compiled.stats().compiles).toBe(1)
  })

  it('are traced again by TEGULA_RECHECK, which detects a changed number', () => {
    vi.stubEnv('TEGULA_RECHECK', '1')
    let factor = 2
    const g = compile((x: Tensor) => {
      scale.launch({ x, out: x, factor })
      return x
    })
    expect(g(vector(3, 1)).toArray()).toEqual([2, 4, 6])
    expect(g(vector(3, 1)).toArray()).toEqual([2, 4, 6])
    factor = 3
    expect(() => g(vector(3, 1))).toThrow(/records something else than what was compiled/)
  })

  // The interpreter works on the host's memory.
  it.skipIf(testDevice !== 'cpu')('still break at kernel.interpret, which fullgraph refuses', () => {
    const g = (x: Tensor): Tensor => {
      const out = zerosLike(x)
      scale.interpret({ x: x.add(1), out, factor: 2 })
      return out.neg()
    }
    expect(compile(g)(vector(3, 1)).toArray()).toEqual(g(vector(3, 1)).toArray())
    expect(() => compile(g, { fullgraph: true })(vector(3, 1))).toThrow(/kernel 'scale'.*fullgraph is set/)
  })

  it('do not copy unnecessarily', () => {
    const kernelsOf = (step: Step, ...args: Tensor[]): string[] => {
      const { kernels } = compile(step as (...args: Tensor[]) => Tensor).explain(...args)
      return kernels.map(({ name, reads, writes }) => `${name}: ${reads.join(', ')} -> ${writes.join(', ')}`)
    }
    const [x, acc] = [vector(8, 1), vector(8, 2)]
    const inPlace: Step = (x, acc) => {
      accumulate.launch({ x, acc })
      accumulate.launch({ x, acc })
      return undefined
    }
    expect(kernelsOf(inPlace, x, acc)).toEqual(new Array(2).fill('accumulate: args[0], args[1] -> args[1]'))
    const fresh: Step = x => {
      const out = zerosLike(x)
      scale.launch({ x, out, factor: 2 })
      return out
    }
    expect(kernelsOf(fresh, x)).toEqual(['scale: args[0] -> output 0'])
    const flat: Step = x => {
      const out = zerosLike(x)
      negateFlat.launch({ x, out })
      return out
    }
    expect(kernelsOf(flat, matrix(3, 5, 1))).toEqual(['negate_flat: args[0] -> output 0'])
    const given: Step = (x, out) => {
      scale.launch({ x: x.add(1), out, factor: 2 })
      return undefined
    }
    expect(kernelsOf(given, x, acc)).toEqual(['add: args[0] -> temp 0', 'scale: temp 0 -> args[1]'])
    const oldAndNew: Step = (x, acc) => {
      const before = acc.mul(2)
      accumulate.launch({ x, acc })
      return before
    }
    expect(kernelsOf(oldAndNew, x, acc)).toEqual([
      'mul: args[1] -> output 0',
      'accumulate: args[0], args[1] -> args[1]',
    ])
  })
})

describe.skipIf(!hasCompiler)('user kernels on run-time sizes', () => {
  const twoDims: Step = (a, b) => {
    const [sum, difference] = [zerosLike(a), zerosLike(a)]
    sumAndDifference.launch({ a: a.mul(2), b, sum, difference })
    return [sum, difference.neg()]
  }

  it('have a grid that follows the sizes', () => {
    check(twoDims, call => [matrix(3, 5, call), matrix(3, 5, call + 1)], { dynamic: true })
    const f = compile(twoDims as never, { fullgraph: true, dynamic: true }) as unknown as Step
    for (const [m, n] of [
      [3, 5],
      [2, 2],
      [17, 33],
      [40, 7],
    ] as const) {
      const args = (): Tensor[] => [matrix(m, n, 1), matrix(m, n, 2)]
      expect(outcome(f, args())).toEqual(outcome(twoDims, args()))
    }
    expect((f as unknown as { stats(): { compiles: number } }).stats().compiles).toBe(1)
  })

  const compiles = (step: Step, sizes: readonly (readonly [number, number])[]): number => {
    const f = compile(step as (x: Tensor) => unknown, { fullgraph: true, dynamic: true })
    for (const [m, n] of sizes) expect(outcome(f as never, [matrix(m, n, 1)])).toEqual(outcome(step, [matrix(m, n, 1)]))
    return f.stats().compiles
  }
  const sizes = [
    [9, 5],
    [4, 4],
    [3, 20],
  ] as const

  it('also if the grid is a product of quotients', () => {
    const f: Step = x => {
      const out = zerosLike(x)
      negateFlat.launch({ x, out })
      return out
    }
    expect(compiles(f, sizes)).toBe(1)
  })

  it('and compile for each size if the grid is not a formula', () => {
    const f: Step = x => {
      const out = zerosLike(x.select(1, 0))
      clampedGrid.launch({ x: x.select(1, 0), out })
      return out
    }
    expect(
      compiles(f, [
        [9, 5],
        [9, 6],
        [4, 5],
      ]),
    ).toBe(2)
  })

  it('in place, on rows of an argument', () => {
    const f: Step = x => {
      rowSums.launch({ x, out: x.select(1, 0) })
      scale.launch({ x: x.get(0), out: x.get(1), factor: 2 })
    }
    expect(() => f(matrix(3, 4, 1))).toThrow(/'out' is written and overlaps 'x' in memory/)
    const g: Step = x => {
      scale.launch({ x: x.get(0), out: x.get(1), factor: 2 })
      accumulate.launch({ x: x.sum(0), acc: x.get(0) })
      return x.sum(0)
    }
    check(g, call => [matrix(3, 6, call)], { dynamic: true })
    const h: Step = x => {
      accumulate.launch({ x: x.sum(0), acc: x.get(0) })
      return x.sum(0)
    }
    check(h, call => [matrix(3, 6, call)], { dynamic: true })
    const sizes = [
      [3, 6],
      [4, 9],
      [12, 3],
    ] as const
    expect(compiles(h, sizes)).toBe(1)
    expect(compiles(g, sizes)).toBe(3) // whether two rows overlap is seen at the sizes of a call
  })
})

describe('mistakes in launches inside compiled functions', () => {
  const failure = (fn: (x: Tensor) => unknown, x: Tensor = vector(4, 1)): Error => {
    try {
      compile(fn, { fullgraph: true })(x)
    } catch (error) {
      return error as Error
    }
    throw new Error('it passed')
  }

  it('name the argument, the line and the fix', () => {
    const half = failure(x => scale.launch({ x: x.to('f16'), out: x, factor: 2 }))
    expect(half).toBeInstanceOf(DtypeError)
    expect(half.message).toMatch(
      /kernel 'scale': argument 'x' is f16\[4\].*the kernel takes f32.*user-kernels\.test\.ts:\d+.*fix: cast it/,
    )
    const rank = failure(x => scale.launch({ x: x.reshape([2, 2]), out: x, factor: 2 }))
    expect(rank).toBeInstanceOf(ShapeError)
    expect(rank.message).toMatch(/2 dims where the kernel takes 1.*user-kernels\.test\.ts:\d+.*fix: reshape it/)
    const scalar = failure(x => scale.launch({ x, out: x, factor: 'two' as never }))
    expect(scalar.message).toMatch(/argument 'factor' is two, not a number of dtype f32.*user-kernels\.test\.ts:\d+/)
  })

  it('reject overlapping views if one is written', () => {
    const overlap = failure(x => scale.launch({ x: x.slice([0, 3]), out: x.slice([1, 4]), factor: 2 }))
    expect(overlap).toBeInstanceOf(ArgumentError)
    expect(overlap.message).toMatch(/kernel 'scale': 'out' is written and overlaps 'x' in memory.*fix: .*clone/)
    const expanded = failure(x => scale.launch({ x, out: x.get(0).expand([4]), factor: 2 }))
    expect(expanded.message).toMatch(/'out' is written and overlaps 'out' in memory/)
  })

  it('reject arguments of the function that share memory if one is written', () => {
    const f = compile((a: Tensor, b: Tensor) => accumulate.launch({ x: a, acc: b }), { fullgraph: true, name: 'step' })
    const x = vector(6, 1)
    expect(() => f(x.slice([0, 4]), x.slice([2, 6]))).toThrow(/overlaps|shares memory/)
  })
})

describe('reads of outer tensors inside a compiled function', () => {
  it('follow their values', () => {
    const sign = tensor([1])
    const f = compile((x: Tensor) => (sign.itemSync() > 0 ? x.mul(2) : x.neg()))
    expect(f(tensor([3])).toArray()).toEqual([6])
    sign.neg_()
    expect(f(tensor([3])).toArray()).toEqual([-3])
  })

  it("see the function's earlier writes", () => {
    const count = zeros([1])
    const f = compile((x: Tensor) => {
      count.add_(1)
      return x.mul(count.itemSync())
    })
    expect([f(tensor([5])).itemSync(), f(tensor([5])).itemSync()]).toEqual([5, 10])
  })
})
