/** Every op record, run eagerly: shape-generic kernels, one op at a time. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { hasCompiler } from '../support/compiler.js'
import { checkEager } from './support.js'

describe.skipIf(!hasCompiler)('eager ops agree with the reference (needs a C compiler)', () => {
  for (const name of recordNames) it(name, () => checkEager(name))
})
