/** Every op called wrongly, eagerly and while a function is captured; and rightly, by position and by name. */
import { describe, expect, it } from 'vitest'
import { TegulaError } from '../../src/base/errors.js'
import { compile } from '../../src/compile/compile.js'
import { bindArguments as bind } from '../../src/graph/bind.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { overloads } from '../../src/graph/ops/names.js'
import type { OpRecord } from '../../src/graph/record.js'
import * as functions from '../../src/tensor/functions.js'
import { inPlaceMethodNames } from '../../src/tensor/method-names.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { runsEagerly } from '../support/record-graph.js'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { quickly } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'
import { resultList, tensorOf } from '../support/tensors.js'
import { argumentsAt, complaint, positionalCount, type Right, type Target, wrongCalls } from '../support/wrong-calls.js'

useReferenceExecutor()

type Method = (...args: readonly unknown[]) => unknown
const table = functions as unknown as Readonly<Record<string, Method>>

/** The name that an op is called by. */
const overloadOf = (name: RecordName): RecordName =>
  (Object.keys(overloads) as (keyof typeof overloads)[]).find(each => overloads[each].along === name) ?? name

/** The ways to call an op. */
function targetsOf(record: RecordName): Target[] {
  const { signature } = recordTable[record] as OpRecord
  // Of an overloaded name more arguments are calls of its other ops: theirs are made wrong.
  if (signature === undefined || Object.hasOwn(overloads, record)) return []
  const name = overloadOf(record)
  const targets: Target[] = []
  const free = table[name]
  if (free !== undefined) targets.push({ name, isMethod: false, signature, call: args => free(...args) })
  for (const said of [name, ...(inPlaceMethodNames.includes(name) ? [`${name}_`] : [])]) {
    const method = (Tensor.prototype as unknown as Readonly<Record<string, Method | undefined>>)[said]
    const isOwn = said === 'where' || said === 'to' || said === 'contiguous'
    if (method === undefined || isOwn) continue
    targets.push({
      name: said,
      isMethod: true,
      signature,
      call: ([self, ...args]) => method.apply(self, args as unknown[]),
    })
  }
  return targets
}

/** A sample's arguments by parameter. */
function rightOf({ signature }: Target, { inputs, args }: Sample): Right {
  const tensors = inputs.map(tensorOf)
  const given = bindArguments(args, i => tensors[i]!)
  return bind({ name: 'sample', isMethod: false }, signature, given, value => value instanceof Tensor) as Right
}

/** The op's smallest samples that differ in which arguments they give. */
function chosenSamples(name: RecordName): Sample[] {
  const seen = new Set<string>()
  const size = ({ inputs }: Sample): number => inputs.reduce((sum, { data }) => sum + data.length, 0)
  return [...samplesFor(name)]
    .filter(({ inputs }) => inputs.every(({ dtype }) => !dtype.startsWith('f8')))
    .filter(sample => runsEagerly(recordTable[name], sample))
    .sort((a, b) => size(a) - size(b))
    .filter(({ args }) => {
      const key = args
        .map(arg => (typeof arg === 'object' && arg !== null ? Object.keys(arg).join() : typeof arg))
        .join(';')
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, 3)
}

class Enough extends Error {}

/** Makes the call while a function of run-time sizes is captured, and nothing more of it. */
function traced(target: Target, args: readonly unknown[]): void {
  const tensors: Tensor[] = []
  const hold = (value: unknown): unknown => {
    if (!(value instanceof Tensor)) return Array.isArray(value) ? value.map(hold) : value
    tensors.push(value)
    return { at: tensors.length - 1 }
  }
  const release = (value: unknown, given: readonly Tensor[]): unknown => {
    if (Array.isArray(value)) return value.map(one => release(one, given))
    const isHeld = typeof value === 'object' && value !== null && Object.keys(value).join() === 'at'
    return isHeld ? given[(value as { at: number }).at] : value
  }
  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  const held = args.map(arg =>
    isPlain(arg) ? Object.fromEntries(Object.entries(arg).map(([key, value]) => [key, hold(value)])) : hold(arg),
  )
  const run = compile(
    (given: readonly Tensor[]) => {
      const call = held.map(arg =>
        isPlain(arg) && Object.keys(arg).join() !== 'at'
          ? Object.fromEntries(Object.entries(arg).map(([key, value]) => [key, release(value, given)]))
          : release(arg, given),
      )
      target.call(call)
      throw new Enough()
    },
    // What is read would run code, which the reference executor's memory is not for.
    { dynamic: true, fullgraph: true },
  )
  try {
    run(tensors)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

const ways: Readonly<Record<string, (target: Target, args: readonly unknown[]) => unknown>> = {
  eagerly: (target, args) => target.call(args),
  captured: traced,
}

/** What is wrong with how the wrong calls of a target fail, for each of which one line. */
function complaints(target: Target, sample: Sample, way: string): string[] {
  const run = ways[way]!
  const lines: string[] = []
  for (const { what, args, refused } of wrongCalls(target, rightOf(target, sample))) {
    let said: string | null = refused ? 'was taken' : null
    try {
      run(target, args)
    } catch (error) {
      said = complaint(target.name, error)
      if (refused && !(error instanceof TegulaError)) said ??= 'threw something else'
    }
    if (said !== null) lines.push(`${target.name} (${way}, ${what}): ${said}`)
  }
  return lines
}

it('every public op has a signature', () => {
  expect(recordNames.filter(name => (recordTable[name] as OpRecord).signature === undefined)).toEqual([])
})

describe('wrong calls are rejected with our own errors, not by JavaScript or the compiler', () => {
  for (const name of quickly(recordNames, 30)) {
    for (const way of Object.keys(ways)) {
      it(`${name}, ${way}`, () => {
        const [sample] = chosenSamples(name)
        const found = targetsOf(name)
          .filter(({ isMethod }) => way === 'eagerly' || isMethod || !Object.hasOwn(Tensor.prototype, name))
          .flatMap(target => complaints(target, sample!, way))
        expect(found).toEqual([])
      })
    }
  }
})

describe('arguments by position and by name give the same', () => {
  for (const name of quickly(recordNames, 15)) {
    it(name, () => {
      for (const sample of chosenSamples(name))
        for (const target of targetsOf(name).filter(each => !each.name.endsWith('_'))) {
          const right = rightOf(target, sample)
          const { params } = target.signature
          const count = positionalCount(params)
          const results = Array.from({ length: count + 1 }, (_, split) => split)
            .filter(split => split >= (target.isMethod ? 1 : 0))
            .map(split => resultList(target.call(argumentsAt(params, right, split)) as Tensor))
          const [first, ...others] = results.map(list => list.map(one => [one.dtype, one.shape, [...one.dataSync()]]))
          for (const other of others) expect(other).toEqual(first)
        }
    })
  }
})
