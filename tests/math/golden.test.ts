/** Formulas as C, as people read them. `vitest --update` writes the file anew: look at the difference. */
import { expect, test } from 'vitest'
import { formulaFamily } from '../../src/codegen/c/prelude/formulas.js'

test('functions.c', async () => {
  const texts = (['exp', 'tanh', 'log', 'sin', 'mod'] as const).map(fn => {
    const family = formulaFamily(fn, 'f32')
    return `// ${family?.doc}\n${family?.write(`${fn}_f32x8`, { elem: 'f32', width: 8, vectorBytes: 64 })}`
  })
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('golden/functions.c')
})
