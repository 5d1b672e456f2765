/**
 * Gradients of attention, and gradients of these, eager and compiled, are those of attention written out in float64: of query,
 * key, value and mask.
 */
import { describe, expect, it } from 'vitest'
import { compile, gradients, manualSeed, ones, randn, type Tensor } from '../../src/index.js'
import * as F from '../../src/nn/functional.js'
import { hasCompiler } from '../support/compiler.js'

interface Form {
  readonly name: string
  readonly masked?: boolean
  readonly isCausal?: boolean
  readonly enableGqa?: boolean
  readonly dropoutP?: number
}
const forms: readonly Form[] = [
  { name: 'plain' },
  { name: 'causal, in groups', isCausal: true, enableGqa: true },
  { name: 'dropped out', dropoutP: 0.4 },
  { name: 'masked, in groups, dropped out', masked: true, enableGqa: true, dropoutP: 0.3 },
]

type Attend = (...operands: readonly Tensor[]) => Tensor

const builtIn =
  ({ isCausal = false, enableGqa = false, dropoutP = 0 }: Form): Attend =>
  (q, k, v, attnMask) =>
    F.scaledDotProductAttention(q!, k!, v!, {
      isCausal,
      enableGqa,
      dropoutP,
      ...(attnMask === undefined ? {} : { attnMask }),
    })

const written =
  ({ isCausal = false, enableGqa = false, dropoutP = 0 }: Form): Attend =>
  (q, k, v, mask) => {
    const perHead = (x: Tensor): Tensor => (enableGqa ? x.repeatInterleave(2, 1) : x)
    const products = q!.matmul(perHead(k!).transpose(-1, -2)).mul(0.5)
    const added = mask === undefined ? products : products.add(mask)
    const hidden = ones([5, 5], { dtype: 'bool' }).triu(1)
    const scores = isCausal ? added.maskedFill(hidden, Number.NEGATIVE_INFINITY) : added
    const weights = scores.softmax(-1)
    return (dropoutP === 0 ? weights : F.dropout(weights, dropoutP)).matmul(perHead(v!))
  }

/** The gradients of a loss, then of the sum of their squares. */
const twice =
  (attend: Attend) =>
  (...operands: readonly Tensor[]): Tensor[] => {
    const out = attend(...operands)
    const first = gradients(out.mul(out.sin()).sum(), operands, { createGraph: true })
    const squares = first.map(gradient => gradient!.square().sum()).reduce((sum, term) => sum.add(term))
    return [...first, ...gradients(squares, operands)].map(gradient => gradient!.detach())
  }

function operandsOf({ enableGqa = false, masked }: Form): Tensor[] {
  const heads = enableGqa ? 2 : 4
  const shapes = [[2, 4, 5, 4], [2, heads, 5, 4], [2, heads, 5, 4], ...(masked ? [[5, 5]] : [])]
  return shapes.map(shape => randn(shape, { dtype: 'f64' }).requiresGrad_())
}

const values = (tensor: Tensor): number[] => tensor.flatten().toArray() as number[]

function expectSame(found: readonly Tensor[], expected: readonly Tensor[], what: string): void {
  expect(found.length).toBe(expected.length)
  for (const [i, tensor] of expected.entries()) {
    const [own, wanted] = [values(found[i]!), values(tensor)]
    const largest = Math.max(...wanted.map(Math.abs))
    const off = Math.max(...wanted.map((value, at) => Math.abs(value - own[at]!)))
    expect(off, `${what}, gradient ${i}`).toBeLessThanOrEqual(1e-11 * largest)
  }
}

describe.skipIf(!hasCompiler)('gradients of attention (needs a C compiler)', { timeout: 120_000 }, () => {
  for (const form of forms)
    it(form.name, () => {
      manualSeed(5)
      const operands = operandsOf(form)
      const run = (step: (...operands: readonly Tensor[]) => Tensor[]): Tensor[] => {
        manualSeed(6)
        return step(...operands)
      }
      const expected = run(compile(twice(written(form))))
      expectSame(run(twice(builtIn(form))), expected, 'eager')
      expectSame(run(compile(twice(builtIn(form)))), expected, 'compiled')
    })
})
