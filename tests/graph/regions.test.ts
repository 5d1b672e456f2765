/** Ops whose formulas stay together under their names until they are inlined. */
import { describe, expect, it } from 'vitest'
import { VerifyError } from '../../src/base/errors.js'
import { type GraphNode, graphBuilder } from '../../src/graph/ir.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { inlineRegions } from '../../src/graph/passes/inline-regions.js'
import { ownNodesOf } from '../../src/ir/walk.js'
import { isFloat } from '../../src/types/dtype.js'
import { graphOf, interpretSample } from '../support/record-graph.js'
import { samplesFor } from '../support/samples.js'

/** Those with a gradient of their own. */
const kept = recordNames.filter(name => typeof recordTable[name].gradient === 'function')

describe('regions', () => {
  it.each(kept)('%s is one, on its own inputs, and is gone once inlined', name => {
    const samples = samplesFor(name).filter(({ inputs }) => inputs.some(({ dtype }) => isFloat(dtype)))
    expect(samples.length).toBeGreaterThan(0)
    for (const sample of samples.slice(0, 4)) {
      const graph = graphOf(recordTable[name], sample)
      const regions = ownNodesOf(graph.body).filter(node => node.op === 'region')
      const whole = regions.filter(node => node.attrs.name === name)
      expect(whole).toHaveLength(1)
      const tensors = whole[0]!.inputs.slice(0, whole[0]!.attrs.operands)
      expect(tensors.every(({ op }) => op === 'input' || op === 'constant' || op === 'scalarInput')).toBe(true)
      const inlined = inlineRegions.run(graph)
      expect(ownNodesOf(inlined.body).filter(({ op }) => op === 'region')).toEqual([])
      expect(interpretSample(inlined, sample)).toEqual(interpretSample(graph, sample))
    }
  })

  it('with several results are tuples, and need at least one result', () => {
    const b = graphBuilder()
    const x: GraphNode = b.node(
      'random',
      [b.node('constant', [], { dtype: 'i64', value: 1n }), b.node('constant', [], { dtype: 'i64', value: 2n })],
      { shape: [3], dtype: 'f32' },
    )
    const two = b.node('region', [x, x, x], { name: 'both', attrs: {}, operands: 1 })
    expect(two.type.kind).toBe('tuple')
    expect(() => b.node('region', [x], { name: 'none', attrs: {}, operands: 1 })).toThrow(VerifyError)
  })
})
