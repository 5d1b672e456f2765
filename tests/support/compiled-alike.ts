/** A function compiled beside the function as it is. */
import { expect } from 'vitest'
import { allclose, compile, type Tensor } from '../../src/index.js'

/** Lists of tensors in lists. */
type Nested = Tensor | readonly Nested[]

/** All tensors of a result, in order. */
const tensorsIn = (value: Nested): readonly Tensor[] =>
  Array.isArray(value) ? value.flatMap(tensorsIn) : [value as Tensor]

/** The function compiled, as one graph, gives what it gives eagerly, also at a second call; in f64. */
export function expectAlike(fn: (...args: Tensor[]) => Nested, ...args: readonly Tensor[]): void {
  const want = tensorsIn(fn(...args))
  const compiled = compile(fn as (...args: Tensor[]) => readonly Tensor[], { fullgraph: true })
  for (let call = 0; call < 2; call++) {
    const got = tensorsIn(compiled(...args))
    expect(got.length).toBe(want.length)
    for (const [i, each] of want.entries()) expectClose(got[i]!, each)
  }
  expect(compiled.stats().compiles).toBe(1)
}

export function expectClose(got: Tensor, want: Tensor): void {
  expect(got.shape).toEqual(want.shape)
  expect(got.requiresGrad).toBe(want.requiresGrad)
  expect(allclose(got, want, { rtol: 1e-12, atol: 1e-14 })).toBe(true)
}
