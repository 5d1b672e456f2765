import { expect, it } from 'vitest'
import { currentPage, opsPage } from '../../scripts/ops-docs.js'

it('docs/ops.md is up to date with the records (npx tsx scripts/ops-docs.ts writes it)', () => {
  expect(currentPage()).toBe(opsPage())
})
