/** cond() and whileLoop() on a GPU: right numbers, also where launches would be a device graph; captures refuse them. */
import { CaptureError, captureGraph, compile, cond, type Tensor, tensor, whileLoop } from 'tegula'
import { describe, expect, it } from 'vitest'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const

const f = (x: Tensor): Tensor => {
  const y = x.mul(2)
  const z = cond(
    y.sum().gt(0),
    () => y.add(1),
    () => y.neg(),
  )
  return whileLoop(
    v => v.max().lt(100),
    v => v.mul(2),
    [z],
  )[0]!.add(x)
}

describe.skipIf(gpu === null)(`control flow (${needsGpuOrStandIn})`, () => {
  for (const mode of ['default', 'reduce-overhead'] as const) {
    it(`gives the results without compiling, in mode ${mode}`, () => {
      const compiled = compile(f, { mode, fullgraph: true })
      for (const list of [
        [1, 2, 3],
        [-1, 2, -3],
        [200, 1, 1],
      ]) {
        const expected = f(tensor(list)).toArray()
        for (let call = 0; call < 3; call++) expect(compiled(tensor(list, on)).toArray()).toEqual(expected)
      }
    })
  }

  it('is refused while a graph is captured', () => {
    const compiled = compile(f)
    const x = tensor([1, 2, 3], on)
    compiled(x)
    expect(() => captureGraph(({ x }) => compiled(x), { inputs: { x } })).toThrow(CaptureError)
    expect(compiled(x).toArray()).toEqual(f(tensor([1, 2, 3])).toArray())
  })
})
