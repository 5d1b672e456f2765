/** Gradients that users give, in forward mode: their transpose is differentiated by a stand-in for the cotangent. */
import { expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { map } from '../../src/graph/build.js'
import { jvp } from '../../src/graph/derivatives/modes.js'
import { zerosLike } from '../../src/graph/derivatives/rule.js'
import { interpretGraph } from '../../src/graph/interpret.js'

const spec = { dtype: 'f32', shape: [3] } as const

it('the stand-in is no variable of zeros that the function has', () => {
  const graph = buildGraph([spec], [], (b, [tangent]) => {
    const variable = (index: number) => b.node('variable', [zerosLike(b, tangent!)], { of: 'function', index })
    const [x, value, cotangent] = [variable(0), variable(1), variable(2)]
    // g · √x has no slope along x at 0: were x the stand-in too, that would be asked for.
    const gradient = map(b, 'mul', cotangent, map(b, 'sqrt', x))
    const attrs = { name: 'own', results: 1, given: [true] }
    const result = b.node('custom', [x, map(b, 'exp', x), value, cotangent, gradient], attrs)
    return [jvp(b, { outputs: [result], inputs: [x], tangents: [tangent!] })[0]!]
  })
  expect(interpretGraph(graph, [{ ...spec, data: [1, 2, 3] }])[0]!.data).toEqual([0, 0, 0])
})
