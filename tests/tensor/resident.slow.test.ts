/** Classes whose instances come and go with each call keep one: V8 must not forget their hidden classes, and the code for them. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('../support/forgotten-code.ts', import.meta.url))

it('a full collection drops no code of an eager gradient, though none of its objects is left', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', '--trace-deopt', '--import', 'tsx', script], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const lines = output.split('\n')
  const collections = lines.flatMap((line, i) => (line === 'collecting' ? [i] : []))
  expect(collections.length).toBe(4)
  const last = lines.slice(collections.at(-1)!, lines.indexOf('collected', collections.at(-1)!))
  // The program's own function knew its tensors.
  const isOurs = (line: string): boolean => line.includes('reason: weak objects') && !line.includes(' program>')
  expect(last.filter(isOurs)).toEqual([])
})
