/** Gradients at ties, kinks, zeros, infinities and NaN against PyTorch's (scripts/torch/gradients.py). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { vjp } from '../../src/graph/derivatives/modes.js'
import { zerosLike } from '../../src/graph/derivatives/rule.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { typeOf } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'

type Written = number | 'nan' | 'inf' | '-inf' | '-0'

interface Case {
  readonly op: keyof typeof recordTable
  readonly args: readonly unknown[]
  readonly inputs: readonly (readonly ['f64' | 'i64' | 'bool', readonly number[], readonly Written[]])[]
  readonly gradients: readonly (readonly Written[] | null)[]
  readonly results: readonly number[]
}

const file = fileURLToPath(new URL('gradients.json.gz', import.meta.url))
const { cases } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { readonly cases: readonly Case[] }

const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-0': -0,
}
const numberOf = (x: Written): number => (typeof x === 'string' ? special[x]! : x)

interface Difference {
  readonly why: string
  /** Whether a difference is this one: at these values of the inputs, where PyTorch gives `theirs`, and this `ours`; of a result of this weight. */
  readonly covers: (at: readonly number[], theirs: number, ours: number, one: Case, weight: number) => boolean
}

const { abs } = Math
const isInfinite = (x: number): boolean => abs(x) === Number.POSITIVE_INFINITY

/** Where ours is another value, and why. */
const differences: Readonly<Record<string, Difference>> = {
  softsign: {
    why: 'PyTorch multiplies 0 by ∞ at ±∞; the slope is 0',
    covers: ([x], theirs, ours) => isInfinite(x!) && Number.isNaN(theirs) && ours === 0,
  },
  pow: {
    why: 'at −∞ PyTorch takes the root of −∞ for powers of ½; the slope of |x|^½ is 0',
    covers: ([x], theirs, ours, { args }) =>
      x === Number.NEGATIVE_INFINITY && args[1] === 0.5 && Number.isNaN(theirs) && ours === 0,
  },
  copysign: {
    why: 'PyTorch divides ∞ by ∞; the slope of a sign is ±1',
    covers: ([x], theirs, ours, _, weight) => isInfinite(x!) && Number.isNaN(theirs) && abs(ours) === weight,
  },
  logaddexp: {
    why: 'PyTorch subtracts equal infinities; each has half',
    covers: ([x, y], theirs, ours, _, weight) =>
      isInfinite(x!) && x === y && Number.isNaN(theirs) && ours === weight / 2,
  },
  logaddexp2: {
    why: 'as logaddexp',
    covers: ([x, y], theirs, ours, _, weight) =>
      isInfinite(x!) && x === y && Number.isNaN(theirs) && ours === weight / 2,
  },
  logsumexp: {
    why: 'a row of −∞ (or with ∞) has no shares; PyTorch subtracts infinities',
    covers: ([x], theirs, ours) => Number.isNaN(theirs) && ours === 0 && !Number.isNaN(x!),
  },
  abs: {
    why: 'the sign of NaN is NaN here',
    covers: ([x], theirs, ours) => Number.isNaN(x!) && Number.isNaN(ours) && theirs === 0,
  },
  digamma: {
    why: 'at its poles the slope is ∞; PyTorch divides by a rounded sine of π · x; elsewhere its series is less exact',
    covers: ([x], theirs, ours) =>
      Number.isInteger(x!) && x! < 0
        ? theirs > 1e20 && ours === Number.POSITIVE_INFINITY
        : abs(theirs - ours) <= 1e-7 * abs(ours),
  },
  hardsigmoid: {
    why: 'PyTorch has 1/6 in f32',
    covers: (_, theirs, ours) => abs(theirs - ours) <= 1e-7 * abs(ours),
  },
  scatterReduce: {
    why: 'without self, PyTorch 1.13 still counts an equal self among those that share',
    covers: (_, theirs, ours, { args }) => JSON.stringify(args).includes('"includeSelf":false') && ours === 2 * theirs,
  },
}

/** The gradients of Σ weights · results, the weights being 1, 2, 3, … */
function gradientsOf({ op, args, inputs, results }: Case): readonly (readonly number[] | null)[] {
  const hosts = inputs.map(
    ([dtype, shape, data]): HostTensor => ({
      dtype,
      shape,
      data: dtype === 'i64' ? data.map(BigInt) : data.map(numberOf),
    }),
  )
  const isNull: boolean[] = []
  const graph = buildGraph(hosts, [], (b, nodes) => {
    const bound = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(bound)
      if (typeof value === 'string' && value in special) return special[value]
      if (typeof value !== 'object' || value === null) return value
      return '$' in value ? asValue(nodes[value.$ as number]!) : value
    }
    const all = applyRecord(b, recordTable[op], args.map(bound))
    const outputs = results.map(i => all[i]!)
    const cotangents = outputs.map(output => {
      const { shape, dtype } = typeOf(output)
      const count = (shape as readonly number[]).reduce((x, y) => x * y, 1)
      const iota = b.node('iota', [], { length: count, dtype })
      const one = b.node('expand', [b.node('constant', [], { dtype, value: 1 })], { shape: [count] })
      return b.node('reshape', [b.node('map', [iota, one], { fn: 'add' })], { shape })
    })
    const found = vjp(b, { outputs, cotangents, inputs: nodes })
    return found.map((gradient, i) => {
      isNull[i] = gradient === null
      return gradient ?? zerosLike(b, nodes[i]!)
    })
  })
  return interpretGraph(graph, hosts).map(({ data }, i) => (isNull[i] ? null : data.map(Number)))
}

const isClose = (x: number, y: number): boolean =>
  Object.is(x, y) || x === y || abs(x - y) <= 1e-13 * Math.max(1, abs(y))

describe('gradients at special values are those of PyTorch', () => {
  it.each(cases.map((one, i) => [`${one.op}, case ${i}`, one] as const))('%s', (_, one) => {
    const found = gradientsOf(one)
    for (const [i, wanted] of one.gradients.entries()) {
      if (wanted === null) continue
      const problems = wanted.flatMap((w, k) => {
        const [x, y] = [found[i]?.[k] ?? Number.NaN, numberOf(w)]
        const at = one.inputs.map(([, , data]) => (data.length === wanted.length ? numberOf(data[k]!) : Number.NaN))
        return isClose(x, y) || differences[one.op]?.covers(at, y, x, one, k + 1) ? [] : [`at ${at}: ${x}, not ${y}`]
      })
      expect(problems.join('; '), `input ${i}`).toBe('')
    }
  })
})
