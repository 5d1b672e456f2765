/** The survey's cases: complete, of a fixed order, calls that the ops take, and calls that PyTorch has. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  functionNames,
  replaceTensors,
  type SurveyCase,
  type TensorArgument,
  tensorsIn,
} from '../../bench/survey/case.js'
import { capsOf, isLeftOut, selected, surveyCases } from '../../bench/survey/cases.js'
import { formOf, functionsLeftOut } from '../../bench/survey/forms.js'
import { gradientOps } from '../../bench/survey/gradients.js'
import { copyMicroseconds } from '../../bench/survey/limits.js'
import { compareProbes } from '../../bench/survey/probe.js'
import { comparisonText, type Survey, surveyOf } from '../../bench/survey/report.js'
import { torchCall } from '../../bench/survey/torch.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { Value } from '../../src/graph/record.js'
import { isFloat } from '../../src/types/dtype.js'

const all = surveyCases(capsOf('cuda'))
const cases: readonly SurveyCase[] = all.filter(({ variables }) => variables === null)
const gradients = all.filter(({ variables }) => variables !== null)
const byOp = (list: readonly SurveyCase[]): Set<string> => new Set(list.map(({ op }) => op))

describe('cases of the survey', () => {
  it('are about three thousand, each once, in the same order at each call', () => {
    expect(cases.length).toBeGreaterThan(2500)
    expect(cases.length).toBeLessThan(3500)
    const ids = all.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(all.slice(0, cases.length)).toEqual(cases)
    expect(surveyCases(capsOf('cuda')).map(({ id }) => id)).toEqual(ids)
  })

  it('are of every op, or the op is left out with a reason', () => {
    const measured = byOp(cases)
    for (const name of recordNames) {
      const form = formOf(name)
      expect([name, measured.has(name)]).toEqual([name, !isLeftOut(form)])
    }
    expect(recordNames.filter(name => isLeftOut(formOf(name)))).toHaveLength(19)
  })

  it('are of every function of docs/ops.md that is no op, or it is left out with a reason', () => {
    const [, page] = readFileSync('docs/ops.md', 'utf8').split('## Creation, random numbers')
    const names = [...page!.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name!)
    const known = new Set<string>([...recordNames, ...functionNames, ...Object.keys(functionsLeftOut)])
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter(name => !known.has(name))).toEqual([])
  })

  it('have all classes, dtypes and nearly all ops in each first tenth', () => {
    const first = selected(cases, { shard: [0, 1], only: /./, from: 0, count: 400 })
    expect(byOp(first).size).toBeGreaterThan(300)
    for (const sizeClass of ['tiny', 'small', 'medium', 'large'])
      expect(first.filter(each => each.sizeClass === sizeClass).length).toBeGreaterThan(70)
    expect(new Set(first.map(({ dtype }) => dtype)).size).toBeGreaterThan(6)
    expect(new Set(first.flatMap(({ args }) => tensorsIn(args).map(({ layout }) => layout))).size).toBe(3)
  })

  it('are gradients of what networks are trained with, by floats', () => {
    expect(gradients.length).toBeGreaterThan(350)
    expect(gradients.length).toBeLessThan(700)
    expect([...byOp(gradients)].sort()).toEqual([...gradientOps].sort())
    for (const { id, op, variables } of gradients) {
      expect([id, recordTable[op as RecordName].gradient]).not.toEqual([id, 'none'])
      expect([id, variables!.length > 0 && variables!.every(({ dtype }) => isFloat(dtype))]).toEqual([id, true])
    }
    const loss = gradients.find(({ op }) => op === 'mseLoss')!
    expect(torchCall(loss)).toMatchObject({ name: 'torch.nn.functional.mse_loss', variables: [0] })
  })

  it('are divided by shards', () => {
    const shards = [0, 1, 2].map(i => selected(cases, { shard: [i, 3], only: /^s/, from: 0, count: 1e6 }))
    expect(shards.flat()).toHaveLength(cases.filter(({ id }) => id.startsWith('s')).length)
    expect(new Set(shards.flat()).size).toBe(shards.flat().length)
  })

  it('are calls that the ops take', () => {
    const refused = all.flatMap(each => {
      if (!(each.op in recordTable)) return []
      try {
        buildCase(each)
        return []
      } catch (error) {
        return [`${each.id}: ${String(error)}`]
      }
    })
    expect(refused).toEqual([])
  })

  it('are calls of PyTorch, but for what it lacks', () => {
    const without = new Set(cases.filter(each => torchCall(each) === null).map(({ op }) => op))
    expect([...without]).toEqual(['attentionLse'])
    const topk = cases.find(({ op, args }) => op === 'topk' && args.length > 2)!
    expect(torchCall(topk)).toMatchObject({ name: 'torch.topk', kwargs: { k: topk.args[1] } })
  })
})

function buildCase({ op, args }: SurveyCase): void {
  const tensors = [...new Set(tensorsIn(args))]
  buildGraph(tensors, [], (b, inputs) => {
    const place = (tensor: TensorArgument): Value => asValue(inputs[tensors.indexOf(tensor)]!) as Value
    return applyRecord(b, recordTable[op as RecordName], replaceTensors(args, place) as readonly unknown[])
  })
}

describe('the report', () => {
  const limits = {
    device: 'any',
    flopsPerNanosecond: 100,
    copyBytesPerNanosecond: 10,
    readBytesPerNanosecond: 10,
    copies: [
      [1000, 2],
      [2000, 3],
      [4000, 4],
    ] as const,
  }

  it('takes the time of a copy between the sizes that were measured', () => {
    expect([10, 1000, 1500, 3000, 6000].map(bytes => copyMicroseconds(limits, bytes))).toEqual([2, 2, 2.5, 3.5, 5])
  })

  it('finds numbers that differ by more than the dtype allows', () => {
    const probe = (...values: (number | string)[]) => [{ dtype: 'f32', shape: [2], values }] as const
    expect(compareProbes(probe(1, 'nan'), probe(1.00001, 'nan'))).toBeNull()
    expect(compareProbes(probe(1, 2), probe(1.01, 2))).toMatch(/probe 0 is 1 instead of 1.01/)
    expect(compareProbes(probe('inf', 2), probe(3, 2))).toMatch(/inf instead of 3/)
    expect(compareProbes([{ shape: [3], values: [] }], probe(1, 2))).toMatch(/\[3\] instead of \[2\]/)
  })

  it('names what became slower', () => {
    const [one, two] = cases as readonly [SurveyCase, SurveyCase]
    const run = (first: number, second: number): Survey =>
      surveyOf({
        device: 'cpu',
        limits,
        cases,
        peers: [],
        firsts: [],
        lines: [
          { id: one.id, bytes: 1000, compiled: { call: first, device: null } },
          { id: two.id, bytes: 1000, compiled: { call: second, device: null } },
        ],
      })
    const text = comparisonText(run(10, 10), run(12, 10.5))
    expect(text).toContain(`1.20 ×  10.00 µs → 12.00 µs  ${one.id}`)
    expect(text).not.toContain(two.id)
  })
})
