/** Derivatives of every op: reverse mode against forward mode and difference quotients, twice, and on run-time sizes. */
import { describe, expect, it } from 'vitest'
import { TegulaError } from '../../src/base/errors.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { flows, vjp } from '../../src/graph/derivatives/modes.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { graphDialect, type SizeSymbol, typeOf } from '../../src/graph/ir.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import { type Size, type SizeExpr, sizeSymbol } from '../../src/scalar/size.js'
import { type Call, callsOf, problemWith } from '../support/derivatives.js'
import { hostOf } from '../support/record-graph.js'
import { bindArguments } from '../support/tensor-spec.js'

const differentiable = recordNames.filter(name => recordTable[name].gradient !== 'none')

describe('derivatives of every op', () => {
  it.each(differentiable)('%s', name => {
    let measured = 0
    for (const [i, call] of callsOf(name, 12, 800).entries()) {
      const { problem, isMeasured } = problemWith(call, i < 3 ? 2 : 1)
      expect(problem, call.sample.name).toBeNull()
      if (isMeasured) measured++
    }
    expect(measured).toBeGreaterThan(0)
  })
})

/** Which sizes become symbols. */
type IsSymbolic = (input: number, dim: number) => boolean

const choices: readonly IsSymbolic[] = [
  () => true,
  // Of products and convolutions with known weights, the batch and the spatial dims.
  (input, dim) => input === 0 && dim !== 1,
  (input, dim) => input === 0 && dim === 0,
]

/** The gradients with equal sizes as one symbol; null: the op itself must know them. */
function onSymbols(call: Call, isSymbolic: IsSymbolic): readonly HostTensor[] | null {
  const { record, sample, weights, counted, wanted, inputs } = call
  const known = new Map<number, SizeExpr>()
  const symbols: SizeSymbol[] = []
  const all = [...sample.inputs, ...weights]
  const specs = all.map(({ dtype, shape }, input) => ({
    dtype,
    shape: shape.map((size, dim): Size => {
      if (size < 2 || input >= inputs.length || !isSymbolic(input, dim)) return size
      const symbol = known.get(size) ?? sizeSymbol(`n${size}`, 2)
      if (!known.has(size)) symbols.push({ name: `n${size}`, input, kind: 'size', dim })
      known.set(size, symbol)
      return symbol
    }),
  }))
  let isBuilt = false
  try {
    const graph = buildGraph(
      specs,
      [],
      (b, nodes) => {
        const args = bindArguments(sample.args, i => asValue(nodes[i]!))
        const results = applyRecord(b, record, args)
        isBuilt = true
        const outputs = counted.map(i => results[i]!)
        // A result's size may be a formula of the symbols.
        const cotangents = nodes
          .slice(inputs.length)
          .map((node, i) => b.node('reshape', [node], { shape: typeOf(outputs[i]!).shape }))
        const chosen = wanted.map(i => nodes[i]!)
        expect(flows(outputs, chosen)).toEqual(chosen.map(() => true))
        return vjp(b, { outputs, cotangents, inputs: chosen }).map(gradient => gradient!)
      },
      symbols,
    )
    verify(graphDialect, graph.body)
    return interpretGraph(graph, all.map(hostOf))
  } catch (error) {
    if (!isBuilt && error instanceof TegulaError) return null
    throw error
  }
}

/** It must know all sizes, and is built on numbers in captures too. */
const needsSizes = new Set<RecordName>(['cross'])

describe('gradients on run-time sizes are those on known ones', () => {
  it.each(differentiable)('%s', name => {
    let built = 0
    for (const call of callsOf(name, 4, 300)) {
      const found = choices.reduce<readonly HostTensor[] | null>(
        (done, choice) => done ?? onSymbols(call, choice),
        null,
      )
      if (found === null) continue
      built++
      for (const [i, gradient] of call.reverse().entries()) {
        expect(found[i]!.shape).toEqual(gradient.shape)
        for (const [k, x] of gradient.data.entries())
          expect(Math.abs(Number(found[i]!.data[k]) - Number(x)), call.sample.name).toBeLessThan(
            1e-9 * Math.max(1, Math.abs(Number(x))),
          )
      }
    }
    expect(built > 0 || needsSizes.has(name), 'it needs sizes').toBe(true)
  })
})
