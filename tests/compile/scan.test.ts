/** Loops over the elements of sequences: eager, compiled, and their gradients. */
import { describe, expect, it } from 'vitest'
import { compile, cond, grad, scan, type Tensor, tensor, zeros } from '../../src/index.js'
import { expectAlike, expectClose } from '../support/compiled-alike.js'
import { interpretedWhenQuick } from '../support/interpreted.js'
import { layer, loss, t, u, w, x } from '../support/recurrence.js'

interpretedWhenQuick()

describe('scan', () => {
  it('gives the last states and all outputs, in both directions', () => {
    expectAlike(() => layer(w, u, x), w)
    expectAlike((given: Tensor) => layer(w, u, given, true), x)
    const [[total], [sums]] = scan(([s], [y]) => [[s!.add(y!)], [s!.add(y!)]], [zeros([])], [tensor([1, 2, 3])])
    expect([total!.toArray(), sums!.toArray()]).toEqual([6, [1, 3, 6]])
    expectAlike((a: Tensor, b: Tensor) => scan((_, [p, q]) => [[], [p!.add(q!), p!]], [], [a, b], { reverse: true }), x, x.exp()) // biome-ignore format: one line
  })

  it('takes sequences whose length is known at the call only', () => {
    const compiled = compile((given: Tensor) => layer(w, u, given)[0], { dynamic: true, fullgraph: true })
    for (const length of [5, 3, 9]) {
      const given = t([length, 2, 4])
      expectClose(compiled(given), layer(w, u, given)[0])
    }
    expect(compiled.stats().compiles).toBe(1)
  })

  it('says what is wrong', () => {
    const same = ([s]: Tensor[]): [Tensor[], Tensor[]] => [[s!], []]
    expect(() => scan(same, [w], [])).toThrow(/there are no sequences/)
    expect(() => scan(same, [w], [zeros([0, 2])])).toThrow(/a sequence is f32\[0, 2\]/)
    expect(() => scan(same, [w], [x, w])).toThrow(/sequences f64\[5, 2, 4\] and f64\[3, 3\]/)
    expect(() => scan(([s]) => [[s!.sum()], []], [w], [x])).toThrow(/state 0 is f64\[3, 3\] and becomes f64\[\]/)
    expect(() => scan((() => w) as never, [w], [x])).toThrow(/fn gave .*, not \[states, outputs\]/)
    expect(() => compile(() => scan(([s]) => [[s!.add(s!.sum().itemSync() as number)], []], [w], [x])[0])()).toThrow(/values are read/) // biome-ignore format: one line
  })

  it('holds branches', () => {
    const f = (y: Tensor): Tensor =>
      scan(([s], [e]) => {
        const next = cond(s!.gt(0), p => p.sub(1), p => p.mul(e!).neg(), [s!])
        return [[next], [next]]
      }, [y.sum()], [y])[1][0]! // biome-ignore format: one line
    expectAlike(f, t([6]).mul(2))
    expectAlike((y: Tensor) => grad((z: Tensor) => f(z).sum())(y), t([6]).mul(2))
  })

  it('has gradients', () => {
    expectAlike((a: Tensor) => grad((p: Tensor) => loss(p, u, x))(a), w)
  })
})
