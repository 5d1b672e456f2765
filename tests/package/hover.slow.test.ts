/** What an editor shows: TypeScript's language server is asked, and every export of the entry points has a docstring. */
import { SymbolFlags, type Symbol as TsSymbol } from 'typescript/unstable/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { currentPage } from '../../scripts/ops-docs.js'
import { scalarOpNames } from '../../src/scalar/ops.js'
import { allLacking, exportsOf, openProject } from '../support/exports.js'
import { LanguageServer } from '../support/language-server.js'

const { project, close } = openProject()
const { checker } = project
const all = exportsOf(project)
afterAll(close)

it('every function, class, method, option and type that the entry points export has a docstring that names its parameters', () => {
  expect(all.size).toBeGreaterThan(500)
  expect(allLacking(project)).toEqual([])
})

it('the elementwise methods of tiles have the docstrings of the table of scalar ops', () => {
  const methods = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(all.get('kernel.TileValue')!))
  const texts = new Map(methods.map(method => [method.name, method.getDocumentationComment(checker)]))
  for (const name of scalarOpNames) expect(texts.get(name), name).not.toBe('')
  expect(texts.get('exp')).toContain('e^this')
})

it('docs/ops.md names every function of tensors that is exported', () => {
  const files = /\/tensor\/(create|lists|picks|sampling|compare|einops|functions)\.ts$/
  const isFunction = ({ flags, declarations }: TsSymbol): boolean =>
    (flags & SymbolFlags.Function) !== 0 && files.test(declarations[0]?.path ?? '')
  const paths = [...all].filter(([path, symbol]) => path.startsWith('index.') && isFunction(symbol))
  const names = paths.map(([path]) => path.split('.').at(-1)!)
  const page = currentPage()
  expect(names.length).toBeGreaterThan(300)
  expect(names.filter(name => !new RegExp(`\`${name}[(\`]`).test(page))).toEqual([])
})

const server = new LanguageServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

const text = `
import { cat, max, sum, type Tensor, zeros } from 'tegula'
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
sum({ input: x, dim: 1 })
max({ input: x })
max(x, { other: x })
`

/** Where to hover, and what must stand there: the same, whether arguments are given by position or by name. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'softmax(': ['e^input / Σ e^input', '@param `dim`', '@returns — the shape of input', 'DtypeError for integers'],
  'mean({': ['Σ input / n', '@param `keepdim`', '(default false)', '@returns — the shape of input without the dims'],
  'add_(': ['As add, written into this tensor', '@param `alpha`', '@returns — this tensor'],
  'varMean(': ['@returns — var, mean: the shape', 'ArgumentError when unbiased and correction'],
  'conv2d(': [
    '[N, O, H′, W′]',
    '@param `weight` — a tensor: [O, C / groups, kH, kW]',
    '(default 1)',
    'ShapeError when',
  ],
  'cat([': ['concatenated', '@param `dim`', '(default 0)', '@throws — ArgumentError when the list is empty'],
  'zeros(2': ['Zeros of shape', '@returns — shape `size`; f32 unless', 'DeviceError'],
  'scaledMatmul(x': ['a · bᵀ + bias', '@returns — [… , M, N]', 'ShapeError when K differs'],
  'load(': ['The block of `shape`', '@param `offsets`', '0 by default', 'KernelError'],
  'sum({': ['Σ input over the dims', '@param `keepdim`', '@returns — the shape of input without the dims'],
  'max({': ['The largest value of the whole tensor', '@returns — 0-d'],
  'max(x, {': ['The larger of the two', '@param `other`', '@returns — the broadcast shape'],
  'dot(': ['a · b + acc', '@param `acc`', '@returns — [M, N]'],
}

it('hovering shows what an op computes, its parameters with defaults, the result and the errors', async () => {
  const shown = await server.hover(text, Object.keys(wanted))
  for (const [i, [word, parts]] of Object.entries(wanted).entries())
    for (const part of parts) expect(shown[i], word).toContain(part)
})
