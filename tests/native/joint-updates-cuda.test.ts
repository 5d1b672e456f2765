/** Several arguments that one kernel updates, on simulated blocks of GPU threads. */
import { expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { graphOn, writing } from '../schedule/build.js'
import { gpu } from '../schedule/run.js'
import { toleranceFor } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { spec } from '../support/tensor-spec.js'
import { expectBlocks } from './agreement-cuda.js'

it.each([5, 1000])('%i elements: each is read before it is overwritten', size => {
  const whole = (input: number) => ({ input, offset: 0, shape: [size], strides: [1] })
  const graph = writing(
    graphOn([[size], [size], [size]], (op, x, y, slope) => {
      const next = op('add', op('mul', x, 0.5), slope)
      return [next, op('sub', op('sub', y, next), x)]
    }),
    [whole(0), whole(1)],
  )
  const { plan, lanes } = runPipeline(graph, gpu, {})
  const inputs = [1, 2, 3].map(k =>
    spec(
      'f32',
      [size],
      Array.from({ length: size }, (_, i) => (i * k) % 17),
    ),
  )
  const launches = launchesOf('joint update', plan, lanes, inputs, dtype => toleranceFor('add', dtype))
  expect(launches).toHaveLength(1)
  expect(expectBlocks(launches)).toEqual([])
})
