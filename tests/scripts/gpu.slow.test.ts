/** What `npm run test:gpu` makes of compute-sanitizer's log, and that what it looks at runs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { reportsIn, type ShareOutcome } from '../../scripts/gpu/sanitize.js'
import { openFake, skipReason } from '../runtime/cuda/support.js'

const log = `========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at sum_rows+0x1f0
=========     by thread (3,0,0) in block (0,0,0)
=========     Access at 0x7f00 is out of bounds
========= 
========= Invalid __global__ write of size 4 bytes
=========     at sum_rows+0x1f0
=========     by thread (4,0,0) in block (0,0,0)
=========     Access at 0x7f04 is out of bounds
========= 
========= Error: Race reported between Write access at matmul+0x110 and Read access at matmul+0x220 [8 hazards]
========= 
========= ERROR SUMMARY: 3 errors
`

it('finds each kind of report once, and nothing in a clean log', () => {
  const reports = reportsIn(log)
  expect(reports).toHaveLength(2)
  expect(reports[0]).toContain('Invalid __global__ write')
  expect(reports[1]).toContain('Race reported')
  expect(reportsIn('========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n')).toEqual([])
})

const fake = openFake()
afterAll(() => fake?.close())
const project = fileURLToPath(new URL('../..', import.meta.url))

/** The stand-in's kernels do nothing: what a share compiles, launches and captures is taken by the driver. */
describe.skipIf(fake === null)(`what compute-sanitizer looks at (${skipReason})`, () => {
  it('runs a share with grouped matmuls under every strategy, and user kernels', () => {
    const file = join(fake!.folder, 'share.json')
    const args = ['--import', 'tsx', 'scripts/gpu/run-samples.ts', file, '0', '90', '50', 'racecheck']
    const env = { ...process.env, TEGULA_LIBCUDA: fake!.path, TEGULA_CUDA_CACHE: '0', TEGULA_CACHE: '0' }
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', env })
    expect(status, stderr).toBe(0)
    const { errors, left, samples, kernels } = JSON.parse(readFileSync(file, 'utf8')) as ShareOutcome
    expect(errors).toEqual([])
    expect(left).toBe(0)
    expect(Math.min(samples, kernels)).toBeGreaterThan(8)
  })
})
