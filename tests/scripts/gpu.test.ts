/** What `npm run test:gpu` makes of compute-sanitizer's log. */
import { expect, it } from 'vitest'
import { reportsIn } from '../../scripts/gpu/sanitize.js'

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

it('each kind of report once, and nothing of a clean log', () => {
  const reports = reportsIn(log)
  expect(reports).toHaveLength(2)
  expect(reports[0]).toContain('Invalid __global__ write')
  expect(reports[1]).toContain('Race reported')
  expect(reportsIn('========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n')).toEqual([])
})
