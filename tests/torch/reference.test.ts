/**
 * Every documented op on PyTorch's own sample and error inputs, special values and argument forms, against what PyTorch
 * gave for them (reference.bin.gz). The graphs are interpreted here: tests/native holds what is generated to the interpreter.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { useInterpreter } from '../support/reference-executor.js'
import { isQuick, quickly } from '../support/sample-choice.js'
import { onGpu } from '../support/tensors.js'
import { functionOf } from './calls.js'
import { casesOf, describeCase, type TorchCase } from './cases.js'
import { type Difference, differenceFrom } from './check.js'
import { type Deliberate, deliberate, inPlainJavaScript, notHere, withoutCounterpart } from './differences.js'

beforeAll(() => {
  useInterpreter()
})

const used = new Set<Deliberate>()

function isDeliberate(given: TorchCase, found: Difference): boolean {
  const text = `${describeCase(given)} | ${found.detail}`
  const row = deliberate.find(
    ({ ops, kind, when }) =>
      kind === found.kind && (ops === undefined || ops.split(' ').includes(given.op)) && (when?.test(text) ?? true),
  )
  if (row !== undefined) used.add(row)
  return row !== undefined
}

describe('equals PyTorch', () => {
  for (const [op, cases] of casesOf) {
    // Where kernels are compiled, each case has some of its own.
    const taken = onGpu ? cases.filter((_, i) => i % 40 === 0) : quickly(cases, 8)
    it(`${op}: ${taken.length} cases`, () => {
      const problems: string[] = []
      for (const given of taken) {
        const found = differenceFrom(given)
        if (found === null || isDeliberate(given, found)) continue
        if (found.kind === 'missing' && notHere[given.op] !== undefined) continue
        problems.push(`${found.kind}: ${describeCase(given).slice(0, 300)}: ${found.detail.slice(0, 300)}`)
      }
      expect(problems).toEqual([])
    })
  }

  // By cases that `npm test` leaves out too.
  it.skipIf(isQuick || onGpu)('with all rows of deliberate differences in use', () => {
    expect(deliberate.filter(row => !used.has(row)).map(({ ops, why }) => `${ops ?? 'any'}: ${why}`)).toEqual([])
  })

  it('with a reason for exactly the functions that are missing', () => {
    const missing = [...casesOf.keys()].filter(op => functionOf(op) === null)
    expect(Object.keys(notHere).sort()).toEqual(missing.sort())
  })

  // Their formula is held by nothing else. Some have their cases under other names.
  it('with values for every op without a reference', () => {
    const elsewhere: Readonly<Record<string, string>> = { vectorNorm: 'linalg.vectorNorm' }
    const under = (name: string): string => elsewhere[name] ?? name.replace(/^(.*Pool\dd)WithIndices$/, '$1')
    const held = (name: string): boolean =>
      inPlainJavaScript.includes(name) || (casesOf.get(under(name))?.some(({ out }) => out !== undefined) ?? false)
    const derived = recordNames.filter(name => recordTable[name].reference === undefined)
    expect(derived.length).toBeGreaterThan(80)
    expect(derived.filter(name => !held(name))).toEqual([])
  })

  it('for every documented op', () => {
    const isKnown = (name: string): boolean => casesOf.has(name) || inPlainJavaScript.includes(name)
    expect(recordNames.filter(name => !isKnown(name) && withoutCounterpart[name] === undefined)).toEqual([])
  })
})
