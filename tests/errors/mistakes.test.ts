/** Every class of mistake gives an error of its kind that says what, with values, at the user's own line, and a fix. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TegulaError } from '../../src/base/errors.js'
import { compile } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { type Mistake, mistakes } from './mistakes.js'

const lines = readFileSync(new URL('./mistakes.ts', import.meta.url), 'utf8').split('\n')

/** The line that is marked as the mistake, as file:line. */
function placeOf(name: string): string {
  const at = lines.findIndex(line => line.endsWith(`// mistake: ${name}`))
  if (at < 0) throw new Error(`no line is marked 'mistake: ${name}'`)
  return `mistakes.ts:${at + 1}`
}

function errorOf(make: () => unknown): unknown {
  try {
    make()
  } catch (error) {
    return error
  }
  return null
}

function check(name: string, { kind, what, fix }: Mistake, make: () => unknown): void {
  const error = errorOf(make)
  expect(error).toBeInstanceOf(TegulaError)
  const { name: found, what: said, at, fix: advice, message } = error as TegulaError
  expect(found).toBe(kind)
  expect(said).toMatch(what)
  expect(advice).toMatch(fix)
  expect(`${at?.file.split('/').at(-1)}:${at?.line}`).toBe(placeOf(name))
  expect(message).toBe(`${said}  at ${at!.file}:${at!.line}  fix: ${advice}`)
}

describe.skipIf(!hasCompiler)('mistakes (needs a C compiler)', () => {
  for (const [name, mistake] of Object.entries(mistakes)) {
    it(name, () => check(name, mistake, mistake.make))
    if (mistake.inside !== true) continue
    it(`${name}, in a compiled function`, () => check(name, mistake, () => compile(() => mistake.make() as never)()))
  }
})
