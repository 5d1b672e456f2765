/** `npm start` as a program of its own: it trains, writes its files, and ends with 0 for an accuracy above 98.5 %. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))

it('trains the digits to the accuracy that it promises', () => {
  const out = mkdtempSync(join(tmpdir(), 'tegula-digits-'))
  try {
    const args = [join(project, 'examples/digits.ts'), '--out', out]
    const { status, stdout, stderr } = spawnSync(join(project, 'node_modules/.bin/tsx'), args, {
      cwd: project,
      encoding: 'utf8',
    })
    expect(`${status} ${stderr}`).toBe('0 ')
    expect(stdout).toMatch(/^accuracy {10}(98\.[5-9]|99\.|100\.)\d+ % of the 599 held-out digits/m)
    expect(stdout).toMatch(/1 compiled version$/m)
    expect(readdirSync(out).sort()).toEqual(['confusion.svg', 'digits.safetensors', 'loss.svg'])
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}, 300_000)
