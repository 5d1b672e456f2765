/** Derivatives of max pooling: each window's gradient goes to the element that it gave. */
import { productOf } from '../../scalar/size.js'
import { reshapeTo, shapeOf } from '../build.js'
import { elementsAt, putAtPlaces } from '../ops/max-windows.js'
import type { Rule } from './rule.js'

export const maxPoolRule: Rule<'maxPool'> = {
  reverse: ({ b, node, cotangents: [g] }) => {
    if (!g) return [null]
    const places = b.node('item', [node], { index: 1 })
    return [putAtPlaces(b, g, places, node.attrs, shapeOf(node.inputs[0]!).slice(2))]
  },
  forward: ({ b, node, tangents: [t] }) => {
    const places = b.node('item', [node], { index: 1 })
    const [lead, sizes] = [shapeOf(t!).slice(0, 2), shapeOf(t!).slice(2)]
    const flat = [...lead, productOf(shapeOf(places).slice(2))]
    const index = reshapeTo(b, elementsAt(b, places, node.attrs, sizes), flat)
    const source = reshapeTo(b, t!, [...lead, productOf(sizes)])
    return [reshapeTo(b, b.node('gather', [source, index], { dim: 2 }), shapeOf(places)), null]
  },
}
