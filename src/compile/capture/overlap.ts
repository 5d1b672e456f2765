/** Which memory tensors share, and which parts of an input a captured function overwrites. */
import type { GraphNode } from '../../graph/ir.js'
import { sameShape, sameSize } from '../../scalar/size.js'
import { type Layout, layoutsOverlap } from '../../tensor/layout.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { SymbolicView } from './symbolic-view.js'

/** A part of an input that was overwritten: its view of the input's memory, and the values. */
export interface WrittenPart {
  readonly view: SymbolicView
  /** `view` at the captured call's sizes. */
  readonly layout: Layout
  readonly node: GraphNode
}

/** Whether some element belongs to both tensors. */
export function shareMemory(a: Tensor, b: Tensor): boolean {
  return a.source === b.source && layoutsOverlap(a.layout, b.layout)
}

/** The parts with `part` added, or replaced if it is the same view; null when it overlaps another part. */
export function addPart(parts: readonly WrittenPart[] | null, part: WrittenPart): WrittenPart[] | null {
  if (parts === null) return null
  const others = parts.filter(({ view }) => !sameView(view, part.view))
  const isDisjoint = (other: WrittenPart): boolean =>
    isKnown(other.view) && isKnown(part.view) && !layoutsOverlap(other.layout, part.layout)
  return others.every(isDisjoint) ? [...others, part] : null
}

const sameView = (a: SymbolicView, b: SymbolicView): boolean =>
  sameSize(a.offset, b.offset) && sameShape(a.shape, b.shape) && sameShape(a.strides, b.strides)

/** Whether it depends on no symbolic size. */
const isKnown = ({ offset, shape, strides }: SymbolicView): boolean =>
  [offset, ...shape, ...strides].every(size => typeof size === 'number')
