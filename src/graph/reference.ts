/**
 * The reference result of an op: its record's plain JavaScript, or, for a composed op, its own graph interpreted in float64
 * and rounded once (tests/torch checks compositions against PyTorch).
 */
import type { Attrs } from '../ir/node.js'
import { type Dtype, isFloat } from '../types/dtype.js'
import { buildGraph } from './apply.js'
import { dtypeOf } from './build.js'
import { hostCast } from './host.js'
import { interpretGraph } from './interpret.js'
import type { Graph } from './ir.js'
import type { HostTensor, OpInput, OpRecord } from './record.js'

export function referenceOf(record: OpRecord, inputs: readonly HostTensor[], attrs: Attrs): readonly HostTensor[] {
  if (record.reference !== undefined) return record.reference(inputs, attrs as never)
  const types = graphOfCall(record, inputs, attrs).body.results.map(dtypeOf)
  const wide = inputs.map(input => (input.isNumber ? input : { ...input, dtype: wider(input.dtype) }))
  const asked = 'dtype' in attrs && attrs.dtype !== null ? { ...attrs, dtype: wider(attrs.dtype as Dtype) } : attrs
  const exact = interpretGraph(
    graphOfCall(record, wide, asked),
    wide.filter(input => !input.isNumber),
  )
  return exact.map((result, i) => hostCast(result, types[i]!))
}

const wider = (dtype: Dtype): Dtype => (isFloat(dtype) ? 'f64' : dtype)

/** The graph of a call. Plain numbers become constants, tensors inputs. */
export function graphOfCall(record: OpRecord, hosts: readonly HostTensor[], attrs: Attrs): Graph {
  const tensors = hosts.filter(host => !host.isNumber)
  return buildGraph(tensors, [], (b, nodes) => {
    let next = 0
    const inputs = hosts.map((host): OpInput => {
      const node = host.isNumber ? b.node('constant', [], { dtype: host.dtype, value: host.data[0]! }) : nodes[next++]!
      return { node, isNumber: host.isNumber === true }
    })
    return record.build(b, inputs, attrs as never)
  })
}
