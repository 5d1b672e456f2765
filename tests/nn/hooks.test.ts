/** Forward hooks of modules: what they see and replace, their removal, and compiled functions. */
import { expect, test } from 'vitest'
import { compile, ones, type Tensor, tensor } from '../../src/index.js'
import { Linear, Sequential } from '../../src/nn/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const x = tensor([[1, 2]])
const layer = (): Linear => {
  const made = new Linear(2, 1, { bias: false })
  made.loadStateDict({ weight: ones([1, 2]) })
  return made
}
const value = (y: Tensor): unknown => y.toArray()

test('hooks see and replace arguments and outputs, in order, until they are removed', () => {
  const net = new Sequential(layer())
  const [inner] = net.children() as [Linear]
  const seen: unknown[] = []
  const removers = [
    inner.registerForwardHook((module, [input], output) => void seen.push(module === inner, value(input as Tensor), value(output as Tensor))), // biome-ignore format: one line
    inner.registerForwardPreHook((_, [input]) => (input as Tensor).mul(2)),
    inner.registerForwardHook((_, __, output) => (output as Tensor).add(1)),
  ]
  expect(value(net(x))).toEqual([[7]])
  expect(seen).toEqual([true, [[2, 4]], [[6]]])
  removers[1]!()
  expect(value(net(x))).toEqual([[4]])
  removers[2]!()
  removers[0]!()
  expect(value(net(x))).toEqual([[3]])
  expect(seen.length).toBe(6)
  expect(Object.keys(net.stateDict())).toEqual(['0.weight'])
  expect(() => net.registerForwardHook(3 as never)).toThrow(/a hook is the number 3, not a function/)
})

test('compiled functions run them, and notice when they change', () => {
  const net = layer()
  const f = compile((y: Tensor) => net(y))
  expect(value(f(x))).toEqual([[3]])
  const remove = net.registerForwardHook((_, __, output) => (output as Tensor).mul(10))
  expect(value(f(x))).toEqual([[30]])
  expect(value(f(x))).toEqual([[30]])
  remove()
  expect(value(f(x))).toEqual([[3]])
  expect(f.stats().compiles).toBe(2)
})
