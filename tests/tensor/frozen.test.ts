/** Shapes, strides and layouts that people see cannot be changed, and what they pass in stays theirs. */
import { describe, expect, it } from 'vitest'
import { arange, cat, compile, fromBuffer, full, ones, type Tensor, tensor, zeros, zerosLike } from '../../src/index.js'
import { kernel, view } from '../../src/kernel.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const grid = (): Tensor => arange(6).to('f32').reshape([2, 3])

const makers: { readonly [what: string]: () => Tensor } = {
  'nested arrays': () => tensor([[1, 2]]),
  'a typed array': () => tensor(new Float32Array(4)),
  bytes: () => fromBuffer(new Uint8Array(8), { dtype: 'f32' }),
  zeros: () => zeros([2, 3]),
  full: () => full([2], 1),
  like: () => zerosLike(grid()),
  'an op': () => grid().add(1),
  'an op with several results': () => grid().topk(2).values,
  'a transposed view': () => grid().t(),
  'a narrowed view': () => grid().narrow(1, 1, 2),
  'an expanded view': () => grid().expand([4, 2, 3]),
  'another dtype': () => grid().to('i64'),
  'a compiled op': () => compile((x: Tensor) => x.mul(2))(grid()),
  'a compiled view': () => compile((x: Tensor) => x.narrow(1, 1, 2))(grid()),
  'a view of a compiled result': () => compile((x: Tensor) => [x.mul(2), x.mul(2).t()] as const)(grid())[1],
  'a compiled result of run-time size': () => compile((x: Tensor) => x.mul(2), { dynamic: true })(grid()),
}

describe("a tensor's properties", () => {
  it.each(Object.keys(makers))('are frozen: %s', name => {
    const made = makers[name]!()
    const { layout } = made
    expect([made.shape, made.strides, made.sizes, layout.shape, layout.strides].every(Object.isFrozen)).toBe(true)
    expect(made.shape).toBe(layout.shape)
    for (const field of ['shape', 'strides', 'offset']) {
      expect(() => Object.assign(layout, { [field]: [1e9] }), field).toThrow(TypeError)
    }
  })

  it('reject writes, and the tensor stays unchanged', () => {
    const x = grid()
    expect(() => {
      ;(x.shape as number[])[0] = 1e9
    }).toThrow(TypeError)
    expect(() => (x.shape as number[]).reverse()).toThrow(TypeError)
    expect(x.sum().itemSync()).toBe(15)
  })

  it.each([false, true])('are frozen while a function is captured (dynamic: %s)', dynamic => {
    const frozen: boolean[] = []
    const look = (t: Tensor): void => void frozen.push(Object.isFrozen(t.shape), Object.isFrozen(t.sizes))
    const f = compile(
      (x: Tensor) => {
        for (const t of [x, x.t(), x.mul(2), x.mul(2).narrow(0, 0, 1)]) look(t)
        return x.mul(1)
      },
      { dynamic },
    )
    f(grid())
    expect(frozen).not.toContain(false)
  })

  it('are frozen in a kernel', () => {
    const frozen: boolean[] = []
    const double = kernel({
      name: 'double',
      params: { x: view('f32', 1), out: view('f32', 1) },
      body(t, { x, out }) {
        const tile = t.load(x, [0], [4])
        frozen.push(Object.isFrozen(tile.shape), Object.isFrozen(tile.reshape([2, 2]).shape))
        t.store(out, [0], tile.mul(2))
      },
      grid: () => [1],
    })
    const out = zeros([4])
    double.interpret({ x: ones([4]), out })
    expect(frozen).not.toContain(false)
  })
})

describe('arguments', () => {
  it('may change afterwards', () => {
    const shape = [2, 3]
    const data = new Float32Array([1, 2])
    const made = [zeros(shape), ones(shape), full(shape, 7), fromBuffer(new Uint8Array(24), { dtype: 'f32', shape })]
    const copied = tensor(data)
    shape[0] = 9
    data[0] = 9
    expect(made.map(({ shape: own }) => [...own])).toEqual(made.map(() => [2, 3]))
    expect(copied.toArray()).toEqual([1, 2])
  })

  it('may change while a function is captured', () => {
    const fn = (x: Tensor): Tensor[] => {
      const [dims, shape, padding, list] = [
        [1, 0],
        [3, 2],
        [1, 1],
        [x, x],
      ]
      const made = [x.permute(dims), x.reshape(shape), x.pad(padding), cat(list, 0), x.expand([2, 2, 3])]
      dims.reverse()
      shape.reverse()
      padding.fill(9)
      list.pop()
      return made
    }
    const shapes = (all: readonly Tensor[]): unknown => all.map(t => [t.shape, t.toArray()])
    expect(shapes(compile(fn)(grid()))).toEqual(shapes(fn(grid())))
  })

  it('the options of compile may change', () => {
    const options = { dynamic: true, bucket: [8, 64] }
    const f = compile((x: Tensor) => x.mul(2), options)
    options.bucket[0] = 2
    f(ones([4]))
    f(ones([5]))
    expect(f.stats().compiles).toBe(1)
  })
})
