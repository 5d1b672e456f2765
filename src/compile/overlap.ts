/** Which memory tensors share, and which parts of an input a captured function overwrites. */
import type { GraphNode } from '../graph/ir.js'
import { sameShape } from '../scalar/size.js'
import { type Layout, layoutsOverlap } from '../tensor/layout.js'
import type { Tensor } from '../tensor/tensor.js'

/** A part of an input that was overwritten: its layout in the input's memory, and the values. */
export interface WrittenPart {
  readonly layout: Layout
  readonly node: GraphNode
}

/** Some element belongs to both tensors. */
export function shareMemory(a: Tensor, b: Tensor): boolean {
  return a.source === b.source && layoutsOverlap(a.layout, b.layout)
}

/** The parts with one more; null when it meets one of them other than by replacing it. */
export function addPart(parts: readonly WrittenPart[] | null, part: WrittenPart): WrittenPart[] | null {
  if (parts === null) return null
  const others = parts.filter(({ layout }) => !sameLayout(layout, part.layout))
  return others.some(({ layout }) => layoutsOverlap(layout, part.layout)) ? null : [...others, part]
}

const sameLayout = (a: Layout, b: Layout): boolean =>
  a.offset === b.offset && sameShape(a.shape, b.shape) && sameShape(a.strides, b.strides)
