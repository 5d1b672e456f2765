/**
 * Shared memory is typed buffers: those that lie in the same bytes tell each other nothing, so each may have a place of its
 * own, as where a language has no untyped memory (WGSL).
 */
import { expect, it } from 'vitest'
import { Builder } from '../../../src/ir/builder.js'
import { transplant } from '../../../src/ir/transplant.js'
import { verify } from '../../../src/ir/verify.js'
import { type LaneNode, type LaneProgram, laneDialect } from '../../../src/lane/ir.js'
import { simulateBlocks } from '../../../src/lane/simulate-block.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { simplify } from '../../../src/tile/passes/simplify.js'
import { itemBytes } from '../../../src/types/dtype.js'
import { cudaLaunches } from '../../native/agreement-cuda.js'
import { gpuFacts } from '../../schedule/run.js'
import { copyOf, memoryDifference } from '../../support/launches.js'
import { laneArguments, threeSizes } from '../arguments.js'
import { factsOf } from '../blocks.js'

/** What the widest access and descriptors of matrices count on. */
const alignment = 1024

interface Apart {
  readonly lane: LaneProgram
  /** Some of its buffers lay in the same bytes. */
  readonly overlapped: boolean
}

/** The program with no two buffers in the same bytes. */
function apart(lane: LaneProgram): Apart {
  const builder = new Builder<LaneNode>(laneDialect)
  const params = lane.body.params.map(param => builder.node('arg', [], param.attrs as never))
  const places = new Map<string, { readonly from: number; readonly to: number; readonly place: number }>()
  let end = 0
  const results = transplant(laneDialect, builder, lane.body, node => {
    if (node.op === 'arg') return params[node.attrs.index]!
    if (node.op !== 'shared') return null
    const { dtype, count, offset } = node.attrs
    const key = JSON.stringify(node.attrs)
    const bytes = count * itemBytes(dtype)
    const found = places.get(key) ?? { from: offset, to: offset + bytes, place: end + (offset % alignment) }
    places.set(key, found)
    end = Math.max(end, Math.ceil((found.place + bytes) / alignment) * alignment)
    return builder.node('shared', [], { ...node.attrs, offset: found.place })
  })
  const body = builder.finish(results, params)
  verify(laneDialect, body)
  const all = [...places.values()]
  const overlapped = all.some((one, i) => all.slice(i + 1).some(({ from, to }) => one.from < to && from < one.to))
  return { lane: { ...lane, body, block: { ...lane.block!, sharedBytes: end } }, overlapped }
}

it('each of them may have its own place', { timeout: 300_000 }, () => {
  let overlaps = 0
  for (const name of ['matmul', 'softmax', 'sum', 'cumsum', 'sort', 'scaledDotProductAttention', 'permute'] as const) {
    for (const launch of cudaLaunches(name, name === 'scaledDotProductAttention')) {
      const { program, before, grid } = launch
      const { lane, overlapped } = apart(lowerSimt(simplify(program), gpuFacts, factsOf(program, before)))
      if (overlapped) overlaps++
      const args = copyOf(before)
      simulateBlocks(lane, laneArguments(program, args), threeSizes(grid))
      expect(memoryDifference(launch, args, launch.exactness !== 'exact'), launch.name).toBeNull()
    }
  }
  expect(overlaps).toBeGreaterThan(0)
})
