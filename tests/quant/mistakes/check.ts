/** What is expected of every error: its class, what it says and where, what to do; and that nothing was written. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { TegulaError } from '../../../src/base/errors.js'
import { Tensor } from '../../../src/tensor/tensor.js'
import type { Mistake } from './table.js'

/** The tensors of a tree of objects and arrays. */
export function tensorsIn(tree: unknown): Tensor[] {
  if (tree instanceof Tensor) return [tree]
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(tensorsIn) : []
}

/** Where calls are made. */
const line = ((): string => {
  const lines = readFileSync(new URL('table.ts', import.meta.url), 'utf8').split('\n')
  return `table.ts:${lines.findIndex(each => each.endsWith('// the line of all mistakes')) + 1}`
})()

type Run = (mistake: Mistake, args: readonly unknown[]) => unknown

/** Makes the mistake; `way`: how, for messages. */
export function expectError(mistake: Mistake, device: 'cpu' | 'cuda', way: string, run: Run): void {
  const args = mistake.given(device)
  const error = errorOf(() => run(mistake, args))
  const what = `${mistake.name}, ${way}: ${error instanceof Error ? error.stack : error}`
  if (!(error instanceof TegulaError)) expect.fail(what)
  expect([error.constructor.name, error.what.includes(mistake.message)], what).toEqual([mistake.error, true])
  const { at, fix, message } = error
  // What a compiled function sees of its arguments is said of its call.
  const place = `${at?.file.split('/').at(-1)}:${at?.line}`
  expect(place === line || /^bad-input(\.slow)?\.test\.ts:[0-9]+$/.test(place), what).toBe(true)
  expect(fix, what).toMatch(/./)
  expect(fix, what).toContain(mistake.fix)
  expect(message, what).toBe(`${error.what}  at ${at!.file}:${at!.line}  fix: ${fix}`)
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
