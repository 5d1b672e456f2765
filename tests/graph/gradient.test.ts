/** Reverse mode against difference quotients and against forward mode, on samples of every op. */
import { describe, expect, it } from 'vitest'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { Call, elementsOf, inDouble, total } from '../support/derivatives.js'
import { isQuick } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'

const samplesPerOp = isQuick ? 2 : Number.POSITIVE_INFINITY
const mostElements = isQuick ? 150 : 2000

function callsOf(name: (typeof recordNames)[number]): readonly Call[] {
  const samples = samplesFor(name).flatMap(sample => inDouble(sample) ?? [])
  const calls: Call[] = []
  const bySize = samples.sort((a, b) => elementsOf(a) - elementsOf(b))
  for (const sample of bySize) {
    if (calls.length === samplesPerOp || (calls.length > 0 && elementsOf(sample) > mostElements)) break
    if (elementsOf(sample) < 2 && calls.length > 0) continue
    const call = new Call(recordTable[name], sample)
    if (call.isSmooth && Number.isFinite(call.loss())) calls.push(call)
  }
  return calls
}

describe('derivatives of every op', () => {
  for (const name of recordNames) {
    if (recordTable[name].gradient === 'none') continue
    it(name, () => {
      const calls = callsOf(name)
      let measured = 0
      for (const call of calls) {
        const at = call.sample.name
        const gradients = call.reverse()
        const shapes = call.wanted.map(i => call.inputs[i]!.shape)
        expect(gradients.map(({ shape }) => shape)).toEqual(shapes)
        const tangents = call.tangents(7)
        const reverse = total(gradients, tangents)
        const forward = call.forwardSlope(tangents)
        const slope = call.measuredSlope(tangents)
        const size = Math.max(1, Math.abs(reverse), Math.abs(call.loss()))
        expect(Math.abs(reverse - forward), `${at}: ${reverse}, forward ${forward}`).toBeLessThan(1e-8 * size)
        if (slope === null || gradients.every(({ data }) => data.length === 0)) continue
        expect(Math.abs(reverse - slope), `${at}: ${reverse}, measured ${slope}`).toBeLessThan(1e-6 * size)
        measured++
      }
      expect(measured).toBeGreaterThan(0)
    })
  }
})
