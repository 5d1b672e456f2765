/** Derivatives of a selection of ops, which together use every rule; gradient.slow.test.ts checks all. */
import { describe, expect, it } from 'vitest'
import { derivatives } from '../../src/graph/derivatives/table.js'
import type { GraphOpName } from '../../src/graph/ir.js'
import type { RecordName } from '../../src/graph/ops/index.js'
import { ownNodesOf } from '../../src/ir/walk.js'
import { type Call, callsOf, problemWith } from '../support/derivatives.js'

const selection: readonly RecordName[] = [
  ...(['mul', 'where', 'prod', 'cumsum', 'cumprod', 'cummax', 'logcumsumexp', 'amax', 'std', 'softmax'] as const),
  ...(['layerNorm', 'linear', 'matmul', 'conv1d', 'convTranspose1d', 'diagonal', 'unfold'] as const),
  ...([
    'slice',
    'flip',
    'pad',
    'cat',
    'gather',
    'scatterReduce',
    'sort',
    'topk',
    'kthvalue',
    'embedding',
    'nllLoss',
  ] as const),
  ...(['scaledDotProductAttention', 'maxPool1d', 'expand', 'permute', 'clone', 'to', 'bmm'] as const),
]

describe('reverse mode agrees with forward mode and with difference quotients', () => {
  const used = new Set<GraphOpName>()
  const note = (call: Call): void => {
    for (const { op } of ownNodesOf(call.forward.body)) used.add(op)
  }
  it.each(selection)('%s', name => {
    const [call] = callsOf(name, 1, 100)
    note(call!)
    expect(problemWith(call!).problem).toBeNull()
  })

  it('every primitive that ops consist of is among them', () => {
    const ruled = (Object.keys(derivatives) as GraphOpName[]).filter(op => typeof derivatives[op] === 'object')
    // See gradient-nodes.test.ts, fence.test.ts, attention-gradient.test.ts, and tests/compile/derivatives.test.ts.
    const others: readonly string[] = [
      'cast',
      'pad',
      'raggedMatmul',
      'cond',
      'loop',
      'steps',
      'launch',
      'fence',
      'variable',
      'custom',
      'attentionGradient',
    ]
    expect(ruled.filter(op => !used.has(op) && !others.includes(op))).toEqual([])
  })
})
