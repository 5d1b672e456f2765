/** Every other op record, compiled to C; compiled-a.test.ts has the rest, so that two cores share the C compiler's work. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { hasCompiler } from '../support/compiler.js'
import { checkCompiled } from './support.js'

describe.skipIf(!hasCompiler)(
  'compiled code agrees with the reference of every op, second half (needs a C compiler)',
  () => {
    for (const name of recordNames.filter((_, i) => i % 2 === 1)) it(name, () => checkCompiled(name))
  },
)
