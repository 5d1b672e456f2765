/** The benchmark's command line, started as people start it: from TypeScript, which takes seconds. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

describe('the command line', () => {
  it('prints its usage for an unknown option', () => {
    const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main, 'cpu', '--fast'], {
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^Unknown option '--fast'.*\nusage: npm run bench -- cpu .*\ncases:\n/)
    expect(status).toBe(2)
  })
})
