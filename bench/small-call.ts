/** Call overhead: a warm compiled function on 8 elements, whose arithmetic takes no time. */
import { compile, type Tensor } from 'tegula'
import { type BenchCase, type BenchContext, checkClose, dataOf, normal } from './case.js'
import type { Jax, JaxArray } from './peers.js'
import { type Contender, medianRatio, race, summarise } from './race.js'
import type { Bar } from './report.js'

const n = 8
const batch = 500

export const smallCall: BenchCase = {
  name: 'warm call on 8 elements',
  async run({ peers }: BenchContext) {
    const x = normal([n])
    const f = compile((x: Tensor) => x.add(1).mul(2).relu())
    const expected = dataOf(x).map(v => Math.max((v + 1) * 2, 0))
    checkClose('small call', dataOf(f(x)), expected, 1e-6)
    const session = (await peers.onnx?.(onnxGraph, { x: dataOf(x) })) ?? null
    if (session !== null) {
      await session.run()
      checkClose('small call: onnxruntime', session.outputs.y!, expected, 1e-6)
    }
    const jax = peers.jax === null ? null : jaxCall(peers.jax, dataOf(x), expected)
    const contenders: Record<string, Contender> = {
      ours: { call: () => void f(x), batch },
      'ours, result read': { call: () => void f(x).dataSync(), batch },
      ...(session === null ? {} : { onnxruntime: { call: () => session.run(), batch } }),
      ...(jax === null ? {} : { 'jax-js': { call: jax, batch } }),
    }
    const names = Object.keys(contenders)
    const rounds = await race(Object.values(contenders), { rounds: 7, calls: 5 })
    const { nanoseconds, best } = summarise(names, rounds)
    const faster = (other: string, own: string): Bar => ({
      what: `faster than ${other} (${own})`,
      value: names.includes(other) ? medianRatio(rounds[names.indexOf(other)]!, rounds[names.indexOf(own)]!) : null,
      unit: '×',
      bound: '≥',
      limit: 10,
    })
    const own: Bar = { what: 'per call', value: nanoseconds.ours! / 1000, unit: 'µs', bound: '≤', limit: 1.5 }
    const bars = [own, faster('onnxruntime', 'ours'), faster('jax-js', 'ours, result read')]
    return { name: smallCall.name, nanoseconds, best, figures: {}, bars, notes: peers.notes }
  },
}

const constant = (value: number) => ({ shape: [], data: Float32Array.of(value) })
const onnxGraph = {
  inputs: { x: [n] },
  outputs: { y: [n] },
  constants: { one: constant(1), two: constant(2) },
  nodes: [
    { op: 'Add', inputs: ['x', 'one'], outputs: ['a'] },
    { op: 'Mul', inputs: ['a', 'two'], outputs: ['b'] },
    { op: 'Relu', inputs: ['b'], outputs: ['y'] },
  ],
}

/** jax-js may run asynchronously: only reading the result ensures that it has run. */
function jaxCall({ jit, numpy }: Jax, data: Float32Array, expected: Float32Array): () => Float32Array {
  const f = jit((x: JaxArray) => numpy.maximum(x.add(1).mul(2), 0))
  const x = numpy.array(data)
  const call = (): Float32Array => f(x.ref).dataSync()
  checkClose('small call: jax-js', call(), expected, 1e-6)
  return call
}
