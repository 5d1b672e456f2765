import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import { graphDialect } from '../../src/graph/ir.js'
import { graphPasses } from '../../src/graph/passes/index.js'
import { verify } from '../../src/ir/verify.js'
import { difference } from '../support/compare.js'
import {
  printProgram,
  programGraph,
  programInputs,
  programTolerance,
  type RandomProgram,
  randomProgram,
  shrink,
} from '../support/random-graph.js'
import { isQuick } from '../support/sample-choice.js'

/** The first difference that the passes make to a program's results, or null. */
function passesDiffer(program: RandomProgram): string | null {
  const graph = programGraph(program)
  verify(graphDialect, graph.body)
  const inputs = programInputs(program)
  const before = interpretGraph(graph, inputs)
  let current = graph
  for (const pass of graphPasses) {
    current = pass.run(current)
    verify(graphDialect, current.body)
  }
  const after = interpretGraph(current, inputs)
  for (const [i, expected] of before.entries()) {
    const problem = difference(after[i]!, expected, { relative: 1e-12, absolute: 1e-12, anyZero: true })
    if (problem !== null) return `result ${i} ${problem}`
  }
  return null
}

const seeds = 300

describe('random programs', () => {
  it('give the same values before and after the passes', () => {
    for (let seed = 0; seed < (isQuick ? 100 : seeds); seed++) {
      const program = randomProgram(seed)
      const problem = passesDiffer(program)
      if (problem === null) continue
      const small = shrink(program, smaller => passesDiffer(smaller) !== null)
      expect.fail(`${passesDiffer(small)}\n${printProgram(small)}`)
    }
  })

  it('are the same for the same seed, and cover most ops', () => {
    expect(printProgram(randomProgram(5))).toBe(printProgram(randomProgram(5)))
    const names = new Set(Array.from({ length: seeds }, (_, seed) => randomProgram(seed).ops.map(op => op.name)).flat())
    expect(names.size).toBeGreaterThan(45)
    const lengths = Array.from({ length: 50 }, (_, seed) => randomProgram(seed, { ops: 8 }).ops.length)
    expect(lengths.filter(length => length === 8).length).toBeGreaterThan(35)
  })

  it('stay finite', () => {
    for (let seed = 0; seed < 100; seed++) {
      const program = randomProgram(seed)
      for (const result of interpretGraph(programGraph(program), programInputs(program))) {
        expect(
          result.data.every(value => Number.isFinite(Number(value))),
          printProgram(program),
        ).toBe(true)
        expect(programTolerance(program, result).absolute).toBeLessThan(Number.POSITIVE_INFINITY)
      }
    }
  })

  it('shrink to the op that fails, and stay valid', () => {
    const program = randomProgram(11, { ops: 14 })
    const target = program.ops[6]!.name
    const small = shrink(program, smaller => smaller.ops.some(op => op.name === target))
    expect(small.ops.filter(op => op.name === target)).toHaveLength(1)
    expect(small.ops.length).toBeLessThanOrEqual(2)
    verify(graphDialect, programGraph(small).body)
  })
})
