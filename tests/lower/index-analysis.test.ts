/** What is said of the scalars of random programs holds for every program instance, size and round of a loop. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../src/ir/walk.js'
import { IndexAnalysis, type IndexForm, keyOf } from '../../src/lower/shared/index-analysis.js'
import { evaluate } from '../../src/scalar/ops.js'
import { interpret, type ViewMemory } from '../../src/tile/interpret.js'
import type { TileNode, TileProgram } from '../../src/tile/ir.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { f32 } from '../../src/types/dtype.js'
import { Choices } from '../support/choices.js'
import { isQuick } from '../support/sample-choice.js'

/** Values of what a program is not told: program ids, sizes, counters and what loops carry. */
type Point = ReadonlyMap<string, bigint>

const nameOf = (node: TileNode): string =>
  node.op === 'programId' ? `program${node.attrs.axis}` : node.op === 'size' ? 'size' : `param${node.id}`

function scalarAt(node: TileNode, point: Point): bigint {
  switch (node.op) {
    case 'const':
      return BigInt(node.attrs.value)
    case 'programId':
    case 'size':
    case 'param':
      return point.get(nameOf(node))!
    case 'map':
      return BigInt(
        evaluate(
          node.attrs.fn,
          'i64',
          node.inputs.map(input => scalarAt(input, point)),
        ),
      )
    default:
      throw new Error(`a ${node.op} in a test of integers`)
  }
}

const sumOf = (form: IndexForm, point: Point): bigint =>
  [...form.terms].reduce((sum, [atom, coefficient]) => {
    const value = atom.kind === 'node' ? scalarAt(atom.node, point) : point.get('size')!
    return sum + BigInt(coefficient) * value
  }, BigInt(form.offset))

/** One to three scalars made at random of those given. */
function scalars(t: TileBuilder, random: Choices, given: readonly TileValue[]): TileValue[] {
  const made = [...given]
  for (let i = 0; i < 6; i++) {
    const [a, b] = [random.of(made), random.of(made)]
    const [small, power] = [1 + random.below(70), 2 ** random.below(5)]
    const shift = random.below(5)
    made.push(
      [
        () => a.add(b),
        () => a.sub(b),
        () => a.mul(power),
        () => random.of(given).mul(random.of(given)),
        () => a.add(small),
        () => a.floorDiv(power),
        () => a.floorDiv(small),
        () => a.mod(power),
        () => a.mod(b.max(1)),
        () => a.fmod(small),
        () => a.truncDiv(small),
        () => a.shr(shift),
        () => a.shl(shift),
        () => a.and(-power),
        () => a.and(small),
        () => a.min(b),
        () => a.max(b),
        () => a.neg(),
        () => t.where(a.lt(b), a, b),
        () => a.clamp(-small, small),
      ][random.below(20)]!(),
    )
  }
  return made.slice(given.length)
}

interface Loop {
  readonly counter: TileNode
  readonly node: TileNode
}

function* points(loops: readonly Loop[]): Generator<Point> {
  for (const program of [0n, 1n, 5n]) {
    for (const size of [0n, 1n, 48n, 200n]) {
      const outside = new Map([
        ['program0', program],
        ['size', size],
      ])
      yield outside
      for (const { node } of loops) {
        const [from, to, step, first] = node.inputs.map(input => scalarAt(input, outside)) as [
          bigint,
          bigint,
          bigint,
          bigint,
        ]
        const { params, results } = node.blocks[0]!
        let carried = first
        for (let at = from, rounds = 0; at < to && rounds < 12; at += step, rounds++) {
          const point = new Map([...outside, [nameOf(params[0]!), at], [nameOf(params[1]!), carried]])
          yield point
          carried = scalarAt(results[0]!, point)
        }
      }
    }
  }
}

describe('facts about scalars', () => {
  it('hold', () => {
    let checked = 0
    for (let seed = 1; seed <= (isQuick ? 60 : 150); seed++) {
      const program = buildKernel(
        {
          name: 'indices',
          params: { x: view(f32, 1) },
          grid: () => [1],
          body(t: TileBuilder, { x }: { x: ViewValue }) {
            // The body, and the loop's, may be run again.
            const random = new Choices(seed)
            const outer = [t.programId(0), x.size(0)]
            const [start, step] = [random.below(3) * 16, [1, 8, 24, 64][random.below(4)]!]
            const use = (index: TileValue): void => t.store(x, [index], t.full([16], 1, f32))
            const carried = { at: t.programId(0).mul([0, 4, 32][random.below(3)]!) }
            const [end, added] = [random.below(2) === 0 ? 300 : x.size(0), random.below(5)]
            t.range(start, end, step, carried, (k, { at }) => {
              const inner = new Choices(seed + 1000)
              for (const index of scalars(t, inner, [k, at, ...outer])) use(index)
              return { at: at.add([k, 16, -4, x.size(0).mul(2), at.mod(8)][added]!) }
            })
          },
        },
        {},
      )
      const nodes = [...nodesOf<TileNode>(program.body)]
      const analysis = new IndexAnalysis(program, { size: () => 1, stride: () => 1, scalar: () => 1 })
      const loops = nodes.flatMap(node => (node.op === 'range' ? [{ counter: node.blocks[0]!.params[0]!, node }] : []))
      const asked = nodes.filter(node => node.op === 'map' && node.type.kind === 'tile' && node.type.dtype === 'i64')
      const texts = new Map<string, TileNode>()
      for (const node of asked) {
        const form = analysis.affine(node)
        const { range, divisor } = analysis.known(form)
        const twin = texts.get(keyOf(form))
        texts.set(keyOf(form), node)
        for (const point of points(loops)) {
          if ([...nodesIn(node)].some(each => each.op === 'param' && !point.has(nameOf(each)))) continue
          const value = scalarAt(node, point)
          const isRight =
            sumOf(form, point) === value &&
            Number(value) >= range.min &&
            Number(value) <= range.max &&
            (divisor === 0 ? value === 0n : value % BigInt(divisor) === 0n) &&
            (twin === undefined || scalarAt(twin, point) === value)
          // The text of each would take longer than all else.
          if (!isRight)
            expect.fail(
              `seed ${seed}: n${node.id} is ${value}, ${keyOf(form)} in [${range.min}, ${range.max}] by ${divisor}`,
            )
          checked++
        }
      }
    }
    expect(checked).toBeGreaterThan(20_000)
  })
})

function* nodesIn(node: TileNode, seen: Set<TileNode> = new Set()): Generator<TileNode> {
  if (seen.has(node)) return
  seen.add(node)
  yield node
  for (const input of node.inputs) yield* nodesIn(input, seen)
}

describe('sizes that are the same at each launch', () => {
  const program = (equalSizes: TileProgram['equalSizes']): TileProgram => ({
    ...buildKernel(
      {
        name: 'kernel',
        params: { x: view(f32, 2), out: view(f32, 1) },
        grid: () => [1],
        body: (t, { x, out }) => t.store(out, [0], t.load(x, [0, 0], [1, 4]).reshape([4])),
      },
      {},
    ),
    ...(equalSizes && { equalSizes }),
  })
  const same = [
    [
      { param: 0, dim: 1 },
      { param: 1, dim: 0 },
    ],
  ]

  it('have one form', () => {
    const formsOf = (equal: TileProgram['equalSizes']): readonly string[] => {
      const made = program(equal)
      const analysis = new IndexAnalysis(made)
      const [x, out] = made.body.params as [TileNode, TileNode]
      return [analysis.size(x, 0), analysis.size(x, 1), analysis.size(out, 0)].map(keyOf)
    }
    const [first, second, third] = formsOf(same)
    expect([first === second, second === third]).toEqual([false, true])
    expect(new Set(formsOf(undefined)).size).toBe(3)
  })

  it('are checked by the interpreter', () => {
    const views = (length: number): readonly ViewMemory[] => [
      { data: Float32Array.of(1, 2, 3, 4, 5), offset: 0, sizes: [1, length], strides: [5, 1] },
      { data: new Float32Array(4), offset: 0, sizes: [4], strides: [1] },
    ]
    expect(() => interpret(program(same), views(4), [1])).not.toThrow()
    expect(() => interpret(program(same), views(5), [1])).toThrow(/x, dim 1: 5; out, dim 0: 4/)
    expect(() => interpret(program(undefined), views(5), [1])).not.toThrow()
  })
})
