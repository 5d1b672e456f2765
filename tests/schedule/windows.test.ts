/** Pads and windows that are read where they are used: the numbers, in large blocks and in small ones, on both targets. */
import { expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphNode } from '../../src/graph/ir.js'
import { difference, toleranceFor } from '../support/compare.js'
import { randomSpec } from '../support/tensor-spec.js'
import { type Apply, graphOn } from './build.js'
import { gpu, planOf, runPlan, small, target } from './run.js'

type Build = (op: Apply, ...x: GraphNode[]) => GraphNode

const image = randomSpec(1, 'f32', [2, 4, 9, 10])
const weight = randomSpec(2, 'f32', [6, 4, 3, 3])
const narrow = randomSpec(3, 'f16', [5, 6, 7])
const pad = (op: Apply, x: GraphNode | undefined, value: number): GraphNode =>
  op('pad', x, [1, 2, 3, 0, -1, 1], { value })
const conv =
  (options: object): Build =>
  (op, x, w) =>
    op('relu', op('conv2d', x, w, options))

const pads: readonly Build[] = [
  (op, x) => op('relu', pad(op, op('exp', x), 2)),
  (op, x) => op('add', pad(op, x, 0), pad(op, op('neg', x), -1)),
  (op, x) => op('sum', pad(op, op('neg', x), 3), [0, 2]),
  (op, x) => pad(op, op('mul', pad(op, x, 1), 2), 5),
  (op, x) => pad(op, op('softmax', x, -1), 1),
  (op, x) => op('permute', pad(op, op('permute', x, [2, 0, 1]), 0), [1, 2, 0]),
  (op, x) => op('pad', op('reshape', x, [5, 1, 42]), [1, 1, 0, 2]),
  // One loop through two dims, of which one is padded, or both: where the one has memory, the other may have none.
  (op, x) => op('relu', op('diagonal', op('pad', x, [0, 0, 0, 3]))),
  (op, x) => op('sum', op('diagonal', op('pad', op('exp', x), [0, 0, 2, 1, 1, 0], { value: 1 }))),
  (op, x) => op('add', op('diagonal', pad(op, op('contiguous', op('pad', x, [0, 0, 3, 2, 2, 3])), 0)), 1),
]
const convolutions = [
  { padding: 1 },
  { padding: [2, 0], stride: [2, 1] },
  { dilation: 2 },
  { padding: 1, stride: 3, dilation: [1, 2] },
].map(conv)

/** Views of a convolution's result [2, 6, 9, 10], which some targets compute with channels last. */
const views = (
  [
    (op, y) => op('reshape', y, [2, 6, 90]),
    (op, y) => op('relu', op('reshape', y, [12, 9, 10])),
    (op, y) => op('reshape', op('relu', op('reshape', y, [2, 1, 3, 2, 9, 5, 2, 1])), [6, 2, 90]),
    (op, y) => op('reshape', op('exp', op('permute', y, [0, 2, 1, 3])), [18, 6, 10]),
    (op, y) => op('sub', y, op('expand', op('mean', y, [0, 2, 3], { keepdim: true }), [2, 6, 9, 10])),
    (op, y) => op('add', op('maxPool2d', y, 3, { stride: 1, padding: 1 }), y),
    (op, y) => op('sum', op('expand', op('reshape', y, [2, 6, 1, 9, 10]), [3, 2, 6, 4, 9, 10]), [0, 3]),
  ] satisfies readonly ((op: Apply, y: GraphNode) => GraphNode)[]
).map(
  (view): Build =>
    (op, x, w) =>
      view(op, op('conv2d', x, w, { padding: 1 })),
)

it.each([
  ['pads', pads, [narrow]],
  ['convolutions', convolutions, [image, weight]],
  ['views of convolutions', views, [image, weight]],
] as const)('%s', (_, builds, specs) => {
  for (const [i, build] of builds.entries()) {
    const graph = graphOn(
      specs.map(({ dtype, shape }) => ({ dtype, shape })),
      (op, ...x) => [build(op, ...x)],
    )
    const expected = interpretGraph(graph, specs)[0]!
    for (const on of [target, gpu]) {
      for (const options of [{}, small(on)]) {
        const result = runPlan(planOf(graph, true, options, on), specs)[0]!
        expect(difference(result, expected, toleranceFor('conv2d', expected.dtype)), `${i}, ${on.name}`).toBeNull()
      }
    }
  }
})
