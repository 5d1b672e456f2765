/** Every other op record, compiled to C; compiled-b.slow.test.ts has the rest, so that two cores share the C compiler's work. */
import { describe, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import { hasCompiler } from '../support/compiler.js'
import { quickly } from '../support/sample-choice.js'
import { checkCompiled } from './support.js'

describe.skipIf(!hasCompiler)(
  'compiled code agrees with the reference of every op, first half (needs a C compiler)',
  () => {
    for (const name of quickly(
      recordNames.filter((_, i) => i % 2 === 0),
      9,
    ))
      it(name, () => checkCompiled(name))
  },
)
