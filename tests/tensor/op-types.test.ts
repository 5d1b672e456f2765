import { expect, it } from 'vitest'
import { generated } from '../../scripts/op-types.js'

it('types and hover texts of ops are up to date with the records (npx tsx scripts/op-types.ts writes them)', () => {
  for (const { name, current, wanted } of generated()) expect(current === wanted, name).toBe(true)
})
