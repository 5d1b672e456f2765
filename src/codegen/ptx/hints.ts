/** Register names derived from what the values are. */
import type { LaneNode } from '../../lane/ir.js'
import { resultNames } from '../result-names.js'
import { memoryName } from './warp.js'

/** A register name for a value, derived from its op. */
export function hintOf(node: LaneNode): string {
  switch (node.op) {
    case 'map':
      return resultNames[node.attrs.fn] ?? node.attrs.fn
    case 'load':
    case 'gather':
    case 'loadMatrix':
      return `${memoryName(node.inputs[0]!)}_v`
    case 'cast':
      return `${node.attrs.to}`
    case 'fold':
      return 'folded'
    case 'shuffle':
      return 'shuffled'
    case 'mma':
    case 'wgmmaFence':
      return 'acc'
    case 'approximate':
      return node.attrs.fn
    default:
      return node.op
  }
}
