/** Writes docs/ops.md, the table of all ops, from their records: `npx tsx scripts/ops-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type RecordName, recordNames, recordTable } from '../src/graph/ops/index.js'
import type { OpRecord } from '../src/graph/record.js'
import { inPlaceMethodNames } from '../src/tensor/method-names.js'
import { called, otherNames, resultText, type Signed, summaryOf, takenText } from './op-texts.js'

/** Creation and random ops are called through functions that add the device and the random state: `beside`. */
const titles: Record<Exclude<OpRecord['category'], 'creation' | 'random'>, string> = {
  pointwise: 'Element by element',
  reduction: 'Reductions and losses',
  normalisation: 'Normalisation',
  view: 'Views',
  index: 'Joining, picking and rearranging',
  matmul: 'Products and convolutions',
  sorting: 'Order',
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
/** tests/graph/gradient.test.ts checks the derivatives of every op that has any. */
const gradient = ({ gradient: column }: OpRecord): string => (column === 'none' ? '–' : 'yes')

function row(record: Signed): string {
  const name = record.name as RecordName
  const inPlace = inPlaceMethodNames.includes(name) ? ` \`${name}_\`` : ''
  const cells = [
    `\`${called(record)}\`${inPlace}${otherNames(name)}`,
    summaryOf(record),
    takenText(record),
    resultText(record),
    gradient(record),
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** Functions that are not ops: signature and result. tests/package/hover.slow.test.ts compares the names with the exports. */
const beside: Readonly<Record<string, readonly (readonly [call: string, gives: string])[]>> = {
  'Creation, on `device` (the default device unless given)': [
    [
      'tensor(data, { dtype, device })',
      'a tensor of nested arrays or a typed array; numbers give f32, bigints i64, booleans bool',
    ],
    ['fromBuffer(data, { dtype, shape = null, device })', "a tensor of raw bytes in the machine's order"],
    ['zeros(...size, { dtype = f32, device })', 'zeros; so `ones`, and `empty`, whose content is undefined'],
    ['full(size, fillValue, { dtype, device })', 'one value everywhere'],
    ['arange(start = 0, end, step = 1, { dtype, device })', 'start, start + step, … below end'],
    ['linspace(start, end, steps, { dtype = f32, device })', 'evenly spaced values, both ends included'],
    [
      'logspace(start, end, steps, base = 10, { dtype = f32, device })',
      'powers of base with evenly spaced exponents, both ends included',
    ],
    ['eye(n, m = n, { dtype = f32, device })', '1 on the diagonal, 0 elsewhere'],
    [
      'zerosLike(input, { dtype, device })',
      'with the shape, dtype and device of input; so `onesLike`, `emptyLike`, `randLike`, `randnLike`',
    ],
    ['fullLike(input, fillValue, { dtype, device })', 'full with the shape, dtype and device of input'],
  ],
  'Random numbers, from `generator` (the default one unless given)': [
    ['rand(...size, { dtype = f32, device, generator })', 'uniform in [0, 1)'],
    ['randn(...size, { dtype = f32, device, generator })', 'normal, mean 0 and variance 1'],
    ['randint(low = 0, high, size, { dtype = i64, device, generator })', 'uniform integers in [low, high)'],
    ['randperm(n, { dtype = i64, generator })', '0 … n − 1 in random order'],
    [
      'normal(mean, std, size, { generator })',
      'normal numbers by a mean and a deviation each; a size where both are numbers',
    ],
    [
      'x.uniform_(from = 0, to = 1)',
      'random numbers in place; so `normal_(mean, std)`, `logNormal_`, `cauchy_`, `exponential_(lambd)`, `geometric_(p)`, `bernoulli_(p)`, `random_(from, to)`',
    ],
    ['bernoulli(input, { generator })', '1 with the probabilities of input, else 0'],
    ['dropout(input, p = 0.5, training = true, { generator })', '0 with probability p, else input / (1 − p)'],
    [
      'gumbelSoftmax(logits, tau = 1, hard = false, dim = -1, { generator })',
      'random choices by logits, softened; hard: 1 at the choice, 0 elsewhere',
    ],
    [
      'multinomial(input, numSamples, replacement = false, { generator })',
      'indices drawn by weights [n] or [m, n]; i64',
    ],
    ['manualSeed(seed)', 'seeds the default generator'],
  ],
  'Lists of views': [
    ['split(input, splitSize, dim = 0)', 'parts of splitSize elements, or of the sizes in a list'],
    ['chunk(input, chunks, dim = 0)', 'at most so many parts'],
    ['tensorSplit(input, indicesOrSections, dim = 0)', 'so many parts, or cuts before indices'],
    [
      'hsplit(input, indicesOrSections)',
      'equal parts side by side, or cuts before indices; so `vsplit` (below each other), `dsplit` (along the third dim)',
    ],
    ['unbind(input, dim = 0)', 'the slices along a dim'],
    [
      'gradient(input, { spacing = 1, dim = null, edgeOrder = 1 })',
      'for each dim the slopes: differences of neighbours over their distance; no views',
    ],
    ["meshgrid(...tensors, { indexing = 'ij' })", 'grids of coordinates'],
  ],
  'Joining, and dims by name': [
    [
      'hstack(tensors)',
      'side by side; so `vstack`, also `rowStack` (below each other), `dstack` (along the third dim), `columnStack`',
    ],
    [
      'rearrange(input, pattern, sizes)',
      "the dims as a pattern names them: `rearrange(x, 'b (h d) -> b h d', { h: 8 })`",
    ],
    ['reduce(input, pattern, reduction, sizes)', 'dims named only before the arrow reduced'],
    ['repeatPattern(input, pattern, sizes)', 'dims named only behind the arrow repeated'],
  ],
  'Control flow on values: part of a compiled function’s graph': [
    [
      'cond(predicate, trueFn, falseFn, operands = [])',
      'trueFn(…operands) where the predicate holds, else falseFn(…operands)',
    ],
    [
      'scan(fn, states, sequences, reverse = false)',
      '[states, outputs] = fn(states, elements) for each index along dim 0 of the sequences: the last states, and all outputs',
    ],
    [
      'whileLoop(condFn, bodyFn, carried)',
      'repeats carried = bodyFn(…carried) while condFn(…carried) holds: the last values',
    ],
  ],
  'Values that are read: outside of compiled functions, or as a graph break': [
    ['allclose(input, other, rtol = 1e-5, atol = 1e-8, equalNan = false)', 'a boolean; so `equal(input, other)`'],
    ['maskedSelect(input, mask)', 'the elements where mask is true: [count]'],
    ['nonzero(input)', 'the indices of what is not 0: [count, dims]; also `argwhere`'],
    [
      'unique(input, sorted = true)',
      'the distinct values; `uniqueWithParts` with { values, inverse, counts }, so `uniqueConsecutive`',
    ],
    ['bincount(input, weights = null, minlength = 0)', 'how often each of 0, 1, 2, … occurs'],
  ],
}

function besideOps(): string {
  const parts = Object.entries(beside).map(([title, rows]) => {
    const lines = rows.map(([call, gives]) => `| \`${cell(call)}\` | ${cell(gives)} |`)
    return `### ${title}\n\n| function | what it gives |\n|---|---|\n${lines.join('\n')}\n`
  })
  return `## Creation, random numbers, and what is no single op\n\n${parts.join('\n')}`
}

/** The whole page. */
export function opsPage(): string {
  const records = recordNames.map(name => recordTable[name])
  const sections = Object.entries(titles).map(([category, title]) => {
    const rows = records.filter(record => record.category === category).map(record => row(record as Signed))
    return `## ${title}\n\n| op | what it gives | takes | result: shape; dtype | gradient |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return [
    '# Ops',
    '',
    `All ${records.length} ops, generated from their records by \`npx tsx scripts/ops-docs.ts\`. Names, arguments and defaults are`,
    "PyTorch's, in camelCase: any argument by position, or by name in one object at the end (`x.topk(5, 0)`,",
    '`x.topk(5, { dim: 0 })`); those in braces by name only. Most are methods and functions (`x.softmax(-1)`,',
    '`softmax(x, -1)`, whose tensor is called `input`); those with a name that ends in `_` also write in place (`x.relu_()`).',
    'Parameters, their shapes and the errors are in the hover texts. An argument of another kind, too many or too few are an',
    'ArgumentError that shows the signature. Creation, random numbers, and what is no single op stand at the end.',
    '',
    'Where the size of a result follows from data, it is read: `oneHot` without `numClasses`, `repeatInterleave` by a tensor',
    'without `outputSize`, `narrow` and `select` at a place that a tensor says. In a compiled function the graph breaks there.',
    '`linalg` has `solve`, `solveTriangular`, `inv`, `det`, `slogdet`, `logdet`, `cholesky` and `choleskySolve`, for matrices of up to',
    "some hundred rows, and the norms `norm` and `matrixNorm`; singular values (so the norms 2 and 'nuc'), eigenvalues, QR and Fourier",
    'transforms are not supported.',
    '',
    ...sections,
    besideOps(),
  ].join('\n')
}

const path = new URL('../docs/ops.md', import.meta.url)
if (process.argv[1]?.endsWith('ops-docs.ts')) writeFileSync(path, opsPage())

/** The page as it is in the repository. */
export const currentPage = (): string => readFileSync(path, 'utf8')
