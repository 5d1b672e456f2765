/** The matcher itself: what patterns can say, what they look through, and kernels to come. */
import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../../src/graph/interpret.js'
import { graphBuilder } from '../../../src/graph/ir.js'
import { canonicalPasses } from '../../../src/graph/passes/index.js'
import * as p from '../../../src/graph/patterns/pattern.js'
import { findMatch, type Match } from '../../../src/graph/patterns/rule.js'
import { difference } from '../../support/compare.js'
import {
  printProgram,
  programGraph,
  programInputs,
  programTolerance,
  type RandomProgram,
  randomProgram,
  shrink,
} from '../../support/random-graph.js'
import { isQuick } from '../../support/sample-choice.js'
import { graphOf, optimised, withoutPatterns } from './support.js'
import { keep, type Write, type Written } from './written.js'

const [x, y, w] = [p.any('x'), p.any('y'), p.any('w')]

/** What a pattern matches at the result of a function; nothing is replaced. */
function matched(pattern: p.Pattern, write: Write, shapes: Written['shapes'] = [[6, 40]]): Match | null {
  const graph = canonicalPasses.reduce((current, pass) => pass.run(current), graphOf(write, 'f32', shapes))
  return findMatch({ pattern }, graph.body.results[0]!, graphBuilder())
}

const two: Written['shapes'] = [
  [6, 40],
  [6, 40],
]

describe('sums and products', () => {
  it('match in any order and grouping, with constants anywhere', () => {
    const pattern = p.mul(6, x, p.exp(x))
    expect(matched(pattern, (op, v) => op('mul', op('mul', v, 2), op('mul', op('exp', v), 3)))).not.toBeNull()
    expect(matched(pattern, (op, v) => op('div', op('mul', op('exp', v), op('mul', v, 3)), 0.5))).not.toBeNull()
    expect(matched(pattern, (op, v) => op('neg', op('mul', op('mul', v, -6), op('exp', v))))).not.toBeNull()
    expect(matched(pattern, (op, v) => op('mul', op('mul', v, 2), op('exp', v)))).toBeNull()
    expect(matched(pattern, (op, v) => op('div', op('mul', v, 6), op('exp', v)))).toBeNull()
  })

  it('match subtraction as adding the negative', () => {
    const pattern = p.sub(p.exp(x), p.add(x, 1))
    expect(matched(pattern, (op, v) => op('sub', op('exp', v), op('add', v, 1)))).not.toBeNull()
    expect(matched(p.add(-1, p.exp(x), p.neg(x)), (op, v) => op('sub', op('sub', op('exp', v), v), 1))).not.toBeNull()
    expect(matched(p.add(-1, p.exp(x), p.neg(x)), (op, v) => op('add', op('sub', op('exp', v), v), 1))).toBeNull()
  })

  it('may be wildcards themselves', () => {
    const found = matched(
      p.mul(x, p.sigmoid(x)),
      (op, v, u) => {
        const product = op('mul', op('mul', v, u!), 3)
        return op('mul', product, op('sigmoid', product))
      },
      two,
    )
    expect(found?.base('x').op).toBe('map')
  })

  it('name constants', () => {
    const found = matched(p.add(p.mul(p.number('scale'), x), p.number('shift')), (op, v) =>
      op('add', op('mul', v, 3), 5),
    )
    expect([found?.number('scale'), found?.number('shift')]).toEqual([3, 5])
    expect(matched(p.add(x, p.number('shift')), (op, v) => op('exp', v))).toBeNull()
  })

  it('require the same tensor for the same name', () => {
    expect(matched(p.mul(x, p.exp(x)), (op, v, u) => op('mul', v, op('exp', u!)), two)).toBeNull()
    expect(matched(p.mul(x, p.exp(y)), (op, v, u) => op('mul', v, op('exp', u!)), two)).not.toBeNull()
    expect(matched(p.mul(x, p.exp(x)), (op, v) => op('mul', v, op('exp', op('t', v))), [[6, 6]])).toBeNull()
    const turned: Write = (op, v) => op('t', op('mul', op('t', v), op('exp', op('t', v))))
    expect(matched(p.mul(x, p.exp(x)), turned, [[6, 6]])).not.toBeNull()
  })
})

describe('axes', () => {
  const centred = p.sub(x, p.mean(x, 'd'))

  it('are those of the root, through views', () => {
    expect(matched(centred, (op, v) => op('sub', v, op('mean', v, 0)))?.axes('d')).toEqual([0])
    expect(matched(centred, (op, v) => op('sub', v, op('unsqueeze', op('mean', v, 1), 1)))?.axes('d')).toEqual([1])
    const folded: Write = (op, v) => {
      const rows = op('reshape', v, [15, 4])
      return op('reshape', op('sub', rows, op('mean', rows, 1, keep)), [3, 5, 4])
    }
    expect(matched(centred, folded, [[3, 5, 4]])?.axes('d')).toEqual([2])
    const turned: Write = (op, v) =>
      op('sub', v, op('permute', op('mean', op('permute', v, [2, 0, 1]), 0, keep), [1, 2, 0]))
    expect(matched(centred, turned, [[3, 5, 4]])?.axes('d')).toEqual([2])
  })

  it('with one name are the same axes', () => {
    const pattern = p.sub(p.mul(x, p.mean(x, 'd')), p.max(x, 'd'))
    const write =
      (dim: number): Write =>
      (op, v) =>
        op('sub', op('mul', v, op('mean', v, -1, keep)), op('amax', v, dim, keep))
    expect(matched(pattern, write(-1), [[6, 6]])).not.toBeNull()
    expect(matched(pattern, write(0), [[6, 6]])).toBeNull()
  })

  it('of one sum are different axes', () => {
    const squares = p.sum(p.square(x), 'd')
    expect(matched(squares, (op, v) => op('sum', op('mul', v, v)), [[6, 6]])).not.toBeNull()
    expect(matched(squares, (op, v) => op('sum', op('mul', v, op('t', v))), [[6, 6]])).toBeNull()
  })

  it('that a sum keeps are not those that it reduces', () => {
    const pattern = p.mul(x, p.mean(p.square(x), 'd'))
    const pairs: Write = (op, v) => op('mul', v, op('mean', op('mul', op('unsqueeze', v, 2), op('unsqueeze', v, 1)), 1))
    expect(matched(pattern, pairs, [[6, 6]])).toBeNull()
  })
})

describe('kernels that could be recognised', () => {
  const softmax = (of: p.Pattern): p.Pattern => {
    const powers = p.exp(p.sub(of, p.max(of, 'keys')))
    return p.div(powers, p.sum(powers, 'keys'))
  }
  const scores = p.mul(p.number('scale'), p.matmul(p.any('q'), p.any('k')))
  const attention = p.matmul(softmax(p.oneOf(p.add(scores, p.any('mask')), scores)), p.any('v'), 'keys')
  const shapes: Written['shapes'] = [
    [2, 3, 6, 8],
    [2, 3, 7, 8],
    [2, 3, 7, 8],
    [6, 7],
  ]

  it('softmax(q @ kᵀ · scale + mask) @ v', () => {
    const write: Write = (op, q, k, v, mask) => {
      const product = op('mul', op('matmul', q, op('transpose', k!, -2, -1)), 0.125)
      return op('matmul', op('softmax', op('add', product, mask!), -1), v!)
    }
    const found = matched(attention, write, shapes)
    expect(found?.number('scale')).toBe(0.125)
    expect(['q', 'k', 'v', 'mask'].map(name => found?.base(name).attrs)).toMatchObject([
      { index: 0 },
      { index: 1 },
      { index: 2 },
      { index: 3 },
    ])
    const plain: Write = (op, q, k, v) =>
      op('matmul', op('softmax', op('div', op('matmul', q, op('transpose', k!, -2, -1)), Math.sqrt(8)), -1), v!)
    expect(matched(attention, plain, shapes)?.has('mask')).toBe(false)
    const wrong: Write = (op, q, k, v) =>
      op('matmul', op('softmax', op('mul', op('matmul', q, op('transpose', k!, -2, -1)), 0.125), -2), v!)
    expect(matched(attention, wrong, shapes)).toBeNull()
  })
})

describe('random programs', () => {
  /** The first difference that the patterns make to a program's results, or null. */
  function differs(program: RandomProgram): string | null {
    const graph = programGraph(program)
    const inputs = programInputs(program)
    const after = interpretGraph(optimised(graph).graph, inputs)
    for (const [i, expected] of interpretGraph(withoutPatterns(graph), inputs).entries()) {
      const problem = difference(after[i]!, expected, programTolerance(program, expected))
      if (problem !== null) return `result ${i} ${problem}`
    }
    return null
  }

  it('give the same values with patterns and without', () => {
    for (let seed = 0; seed < (isQuick ? 80 : 400); seed++) {
      const program = randomProgram(seed)
      if (differs(program) === null) continue
      const small = shrink(program, smaller => differs(smaller) !== null)
      expect.fail(`${differs(small)}\n${printProgram(small)}`)
    }
  })
})

describe('patterns as text', () => {
  it('read as formulas', () => {
    expect(p.printPattern(p.div(p.sub(x, 1), p.mul(2, p.exp(p.neg(y)))))).toBe('0.5·(-1 + x) / exp(-y)')
    expect(p.printPattern(p.matmul(x, p.add(w, y)))).toBe('x @ (w + y)')
    expect(p.printPattern(p.permuted(p.mul(p.number('s'), x)))).toBe('permute(s·x)')
    expect(p.printPattern(p.map('where', p.any('c'), x, y))).toBe('where(c, x, y)')
  })
})
