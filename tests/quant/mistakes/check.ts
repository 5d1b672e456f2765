/** What is expected of every error: its class, what it says and where, what to do; and that nothing was written. */
import { expect } from 'vitest'
import { TegulaError } from '../../../src/base/errors.js'
import { Tensor } from '../../../src/tensor/tensor.js'
import type { Mistake } from './table.js'

/** The tensors of a tree of objects and arrays. */
export function tensorsIn(tree: unknown): Tensor[] {
  if (tree instanceof Tensor) return [tree]
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(tensorsIn) : []
}

type Run = (mistake: Mistake, args: readonly unknown[]) => unknown

/** Makes the mistake; `way`: how, for messages. */
export function expectError(mistake: Mistake, device: 'cpu' | 'cuda', way: string, run: Run): void {
  const args = mistake.given(device)
  const error = errorOf(() => run(mistake, args))
  const what = `${mistake.name}, ${way}: ${error instanceof Error ? error.stack : error}`
  if (!(error instanceof TegulaError)) expect.fail(what)
  expect([error.constructor.name, error.what.includes(mistake.message)], what).toEqual([mistake.error, true])
  // Calls are made in table.ts; what only a compiled function can see is said of its call.
  expect(error.at?.file, what).toMatch(/(mistakes\/table|bad-input\.test)\.ts$/)
  expect(error.fix ?? '', what).not.toBe('')
  for (const left of tensorsIn(args).filter(({ disposed }) => !disposed))
    expect(
      [...left.dataSync()].every(value => Number(value) === 0),
      `${mistake.name}, ${way}: was written`,
    ).toBe(true)
}

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
