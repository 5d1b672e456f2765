/** What only a capture refuses is an error of the compiled function also where the function catches it: eager code goes on. */
import { describe, expect, it } from 'vitest'
import {
  arange,
  CaptureError,
  type CompileOptions,
  compile,
  maskedSelect,
  type Tensor,
  tensor,
} from '../../src/index.js'
import { accumulate } from '../support/kernels.js'

/** Twice x where `attempt` works, else 0. */
const trying =
  (attempt: (x: Tensor) => void) =>
  (x: Tensor): Tensor => {
    try {
      attempt(x)
    } catch {
      return x.mul(0)
    }
    return x.mul(2)
  }

const closedOver = tensor([1, 2])
const stretched = (x: Tensor): Tensor => x.mul(1).reshape([1, 3]).expand([3, 3])

const refused: readonly {
  readonly name: string
  readonly attempt: (x: Tensor) => void
  readonly error: RegExp
  readonly options?: CompileOptions
}[] = [
  { name: 'a mask', attempt: x => x.get(x.gt(1)), error: /get: values are read/, options: { fullgraph: true } },
  {
    name: 'a selection',
    attempt: x => maskedSelect(x, x.gt(1)),
    error: /keep the shape/,
    options: { fullgraph: true },
  },
  { name: 'disposing', attempt: () => closedOver.dispose(), error: /is from outside of/ },
  {
    name: 'a read',
    attempt: x => x.sum().itemSync(),
    error: /fullgraph is set/,
    options: { fullgraph: true },
  },
  {
    name: 'a diagonal',
    attempt: x => stretched(x).clone().diagonal().fill_(0),
    error: /a write through a diagonal/,
  },
  { name: 'a part', attempt: x => stretched(x).select(0, 1).fill_(0), error: /a part of a tensor that was expanded/ },
  {
    name: 'a kernel on a diagonal',
    attempt: x => accumulate.launch({ acc: stretched(x).clone().diagonal(), x }),
    error: /a write through a diagonal/,
  },
]

describe('errors of capture that the function catches', () => {
  it.each(refused)('$name', ({ attempt, error, options }) => {
    const f = compile(trying(attempt), options)
    for (let call = 0; call < 2; call++) {
      expect(() => f(tensor([1, 2, 3]))).toThrow(CaptureError)
      expect(() => f(tensor([1, 2, 3]))).toThrow(error)
    }
  })

  it('a value that was stored outside', () => {
    const outside = { w: arange(3).to('f32') }
    const attempt = trying(() => outside.w.add(1))
    const f = compile((x: Tensor): Tensor => {
      const result = attempt(x)
      outside.w = x.mul(3)
      return result
    })
    expect(() => f(tensor([1, 2, 3]))).toThrow(CaptureError)
    expect(() => f(tensor([1, 2, 3]))).toThrow(/which left it outside when it was traced/)
  })

  it('errors that eager code throws too are caught', () => {
    const fn = trying(x => x.reshape([2, 2]))
    expect(compile(fn)(tensor([1, 2, 3])).toArray()).toEqual(fn(tensor([1, 2, 3])).toArray())
  })
})
