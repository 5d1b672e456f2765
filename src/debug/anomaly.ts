/** The first op of a case that gives NaN, or an infinity of finite numbers: that of a compiled function, without running it op by op. */
import type { SourceLocation } from '../base/source.js'
import { type GraphNode, printType } from '../graph/ir.js'
import type { HostTensor } from '../graph/record.js'
import { isFloat } from '../types/dtype.js'
import { type Case, tensorNodes, valuesOf } from './case.js'

/** An op whose result has NaN, or an infinity, that its operands had not. */
export interface Anomaly {
  /** The user's op. */
  readonly op: string
  /** The user's line; null: none is known. */
  readonly at: SourceLocation | null
  /** `Infinity in f32[3]`. */
  readonly what: string
}

/** Null: there is none. */
export function firstAnomaly(given: Case): Anomaly | null {
  const values = valuesOf(given)
  for (const node of tensorNodes(given)) {
    const odd = oddityIn(values.get(node)!)
    if (odd === null || node.op === 'input' || node.op === 'constant' || isMeant(node)) continue
    const before = node.inputs.map(input => (values.has(input) ? oddityIn(values.get(input)!) : null))
    if (before.includes('NaN') || (odd === 'Infinity' && before.includes('Infinity'))) continue
    const { at, pass } = node.origin
    return { op: pass, at, what: `${odd} in ${printType(node.type)}` }
  }
  return null
}

/** Whether infinities come from the op's attributes: a padding of −∞. */
const isMeant = ({ attrs }: GraphNode): boolean => 'value' in attrs && !Number.isFinite(Number(attrs.value))

function oddityIn({ dtype, data }: HostTensor): 'NaN' | 'Infinity' | null {
  if (!isFloat(dtype)) return null
  if (data.some(value => Number.isNaN(value))) return 'NaN'
  return data.some(value => !Number.isFinite(value)) ? 'Infinity' : null
}
