import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../src/ir/walk.js'
import { interpret } from '../../src/tile/interpret.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import {
  copyArgs,
  describe as describeTile,
  differences,
  type RandomTile,
  randomTileProgram,
  shrinkTile,
  tileFromChoices,
} from '../support/random-tile.js'
import { isQuick } from '../support/sample-choice.js'

/** What simplification changes in the results; null when nothing, to the last bit. */
function changedBySimplify(run: RandomTile): string | null {
  const [want, got] = [copyArgs(run.args), copyArgs(run.args)]
  interpret(run.program, want, run.grid)
  interpret(simplify(run.program), got, run.grid)
  return differences({ ...run, tolerances: run.tolerances.map(() => 0) }, want, got)
}

describe('random tile programs', () => {
  it('keep their results after simplify', () => {
    for (let seed = 0; seed < (isQuick ? 150 : 400); seed++) {
      const run = randomTileProgram(seed)
      const problem = changedBySimplify(run)
      if (problem === null) continue
      const small = shrinkTile(run, candidate => changedBySimplify(candidate) !== null)
      expect.fail(`seed ${seed}: ${changedBySimplify(small)}\n${describeTile(small)}`)
    }
  })

  it('are reproducible from a seed and from their choices', () => {
    for (const seed of [1, 2, 3]) {
      const run = randomTileProgram(seed)
      expect(describeTile(tileFromChoices(run.choices))).toBe(describeTile(run))
      expect(describeTile(randomTileProgram(seed))).toBe(describeTile(run))
    }
  })

  it('use every kind of node', () => {
    const seen = new Set<string>()
    for (let seed = 0; seed < 400; seed++)
      for (const node of nodesOf(randomTileProgram(seed).program.body)) seen.add(node.op)
    for (const op of [
      'load',
      'store',
      'gather',
      'scatter',
      'atomic',
      'range',
      'if',
      'while',
      'reduce',
      'scan',
      'dot',
      'iota',
      'transpose',
      'scalar',
      'size',
    ]) {
      expect(seen, op).toContain(op)
    }
  })

  it('write varying values', () => {
    let changed = 0
    for (let seed = 0; seed < 100; seed++) {
      const run = randomTileProgram(seed)
      const after = copyArgs(run.args)
      interpret(run.program, after, run.grid)
      if (differences({ ...run, tolerances: run.tolerances.map(() => 0) }, run.args, after) !== null) changed++
    }
    expect(changed).toBeGreaterThan(60)
  })

  it('shrink to the part that fails', () => {
    const usesScan = ({ program }: RandomTile): boolean => [...nodesOf(program.body)].some(node => node.op === 'scan')
    const seed = Array.from({ length: 200 }, (_, i) => i).find(i => usesScan(randomTileProgram(i)))!
    const run = randomTileProgram(seed)
    const small = shrinkTile(run, usesScan)
    expect(usesScan(small)).toBe(true)
    expect(small.program.params.length).toBeLessThanOrEqual(2)
    expect([...nodesOf(small.program.body)].length).toBeLessThanOrEqual(16)
  })
})
