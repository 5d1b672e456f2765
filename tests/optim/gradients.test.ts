/** Limits on gradients, eagerly and in a compiled function. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, compile, type Tensor, tensor, zeros } from '../../src/index.js'
import { clipGradNorm, clipGradValue } from '../../src/optim/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const grads = (): Tensor[] => [tensor([[3, 0], [0, 4]]), tensor([12]), tensor([])] // biome-ignore format: a matrix

/** Parameters with gradients of norm 13, and one without. */
function params(given: readonly Tensor[] = grads()): Tensor[] {
  const made = [...given.map(grad => zeros(grad.shape, { dtype: grad.dtype })), zeros([3])]
  for (const [i, grad] of given.entries()) made[i]!.grad = grad
  return made
}

const close = (found: Tensor, wanted: readonly number[]): void => {
  for (const [i, value] of [...found.reshape([-1]).to('f64').dataSync('f64')].entries())
    expect(value).toBeCloseTo(wanted[i]!, 5)
}

type Clip = (list: readonly Tensor[], run: (params: readonly Tensor[]) => Tensor | undefined) => Tensor | undefined

const ways: Readonly<Record<string, Clip>> = {
  eagerly: (list, run) => run(params(list)),
  compiled: (list, run) => compile((given: readonly Tensor[]) => run(params(given)))(list),
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it('scales all by one factor, and gives the norm before', () => {
    const list = grads()
    close(way(list, given => clipGradNorm(given, 6.5)) as Tensor, [13])
    close(list[0]!, [1.5, 0, 0, 2])
    close(list[1]!, [6])
  })

  it('leaves gradients of a smaller norm', () => {
    const list = grads()
    close(way(list, given => clipGradNorm(given, 14)) as Tensor, [13])
    close(list[0]!, [3, 0, 0, 4])
  })

  it('has other norms', () => {
    close(way(grads(), given => clipGradNorm(given, 1, { normType: 1 })) as Tensor, [19])
    const list = grads()
    close(way(list, given => clipGradNorm(given, 3, { normType: Infinity })) as Tensor, [12])
    close(list[0]!, [0.75, 0, 0, 1])
  })

  it('takes 16-bit gradients, and f64', () => {
    const list = [tensor([3, 4], { dtype: 'bf16' }), tensor([12], { dtype: 'f64' })]
    const norm = way(list, given => clipGradNorm(given, 6.5)) as Tensor
    expect(norm.dtype).toBe('f64')
    close(norm, [13])
    close(list[0]!, [1.5, 2])
    expect(list.map(({ dtype }) => dtype)).toEqual(['bf16', 'f64'])
  })

  it('limits each element', () => {
    const list = [tensor([-3, 0.5, NaN]), tensor([Infinity])]
    way(list, given => {
      clipGradValue(given, 1)
      return undefined
    })
    expect(list[0]!.toArray()).toEqual([-1, 0.5, NaN])
    expect(list[1]!.toArray()).toEqual([1])
  })

  it('refuses norms that are not finite, if asked', () => {
    const list = [tensor([1, NaN])]
    expect(() => way(list, given => clipGradNorm(given, 1, { errorIfNonfinite: true }))).toThrow(
      /clipGradNorm: the norm of the gradients is NaN/,
    )
    expect(list[0]!.toArray()).toEqual([1, NaN])
  })
})

it('forty gradients take few versions', () => {
  const list = Array.from({ length: 41 }, (_, i) => tensor(new Array<number>(i + 1).fill(1)))
  close(clipGradNorm(params(list), 1), [Math.sqrt((41 * 42) / 2)])
  close(list[40]!, new Array<number>(41).fill(1 / Math.sqrt(861)))
})

it('no gradients have the norm 0', () => {
  expect(clipGradNorm([zeros([2])], 1).itemSync()).toBe(0)
  clipGradValue(zeros([2]), 1)
})

it.each([
  [() => clipGradNorm([], -1), /maxNorm is the number -1/],
  [() => clipGradNorm([], 1, { normType: 0 }), /normType is the number 0/],
  [() => clipGradNorm([3 as never], 1), /among the parameters is the number 3/],
  [() => clipGradValue([], NaN), /clipValue is the number NaN/],
])('wrong calls: %s', (call, message) => {
  expect(call).toThrow(ArgumentError)
  expect(call).toThrow(message)
})
