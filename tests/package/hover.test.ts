/** What an editor shows: TypeScript's language server is asked, and every export of the entry points has a docstring. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scalarOpNames } from '../../src/scalar/ops.js'
import { allLacking, exportsOf, withProject } from '../support/exports.js'
import { LanguageServer } from '../support/language-server.js'

it('every function, class, method, option and type that the entry points export has a docstring that names its parameters', () => {
  withProject(project => {
    const { checker } = project
    const all = exportsOf(project)
    expect(all.size).toBeGreaterThan(500)
    expect(allLacking(project)).toEqual([])
    // Methods that come from a table have its docstrings.
    const tile = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(all.get('kernel.TileValue')!))
    const texts = new Map(tile.map(method => [method.name, method.getDocumentationComment(checker)]))
    for (const name of scalarOpNames) expect(texts.get(name), name).not.toBe('')
    expect(texts.get('exp')).toContain('e^this')
  })
})

const server = new LanguageServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

const text = `
import { cat, type Tensor, zeros } from 'tegula'
import { type TileBuilder, type TileValue, type ViewValue } from 'tegula/kernel'
import { functional as F } from 'tegula/nn'
import { scaledMatmul } from 'tegula/quant'
declare const [x, t, tile, block]: readonly [Tensor, TileBuilder, TileValue, ViewValue]
x.softmax(-1)
x.mean({ dim: 1 })
x.add_(1)
x.varMean()
F.conv2d(x, x)
cat([x], { dim: 1 })
zeros(2, 3)
scaledMatmul(x, x)
t.load(block, [0], [16])
t.dot(tile, tile)
`

/** Where to hover, and what must stand there. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'softmax(': ['e^input / Σ e^input', '@param `dim`', '@returns — the shape of input', 'DtypeError for integers'],
  'mean({': ['Σ input / n', '@param `keepdim`', '(default false)', '@returns — the shape of input without the dims'],
  'add_(': ['As add, written into this tensor', '@param `alpha`', '@returns — this tensor'],
  'varMean(': ['@returns — var: the shape', 'mean: the shape', 'ArgumentError when unbiased and correction'],
  'conv2d(': [
    '[N, O, H′, W′]',
    '@param `weight` — a tensor: [O, C / groups, kH, kW]',
    '(default 1)',
    'ShapeError when',
  ],
  'cat([': ['one after another', '@param `dim`', '(default 0)', '@throws — ArgumentError when the list is empty'],
  'zeros(2': ['Zeros of shape', '@returns — shape `size`; f32 unless', 'DeviceError'],
  'scaledMatmul(x': ['a · bᵀ + bias', '@returns — [… , M, N]', 'ShapeError when K differs'],
  'load(': ['The block of `shape`', '@param `offsets`', '0 by default', 'KernelError'],
  'dot(': ['a · b + acc', '@param `acc`', '@returns — [M, N]'],
}

it('hovering shows what an op computes, its parameters with defaults, the result and the errors', async () => {
  const shown = await server.hover(text, Object.keys(wanted))
  for (const [i, [word, parts]] of Object.entries(wanted).entries())
    for (const part of parts) expect(shown[i], word).toContain(part)
})
