/** Writes docs/ops.md, the table of all ops, from their records: `npx tsx scripts/ops-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { recordNames, recordTable } from '../src/graph/ops/index.js'
import type { OpRecord } from '../src/graph/record.js'
import { printSignature } from '../src/graph/signature.js'
import { inPlaceNames, withoutMethod } from '../src/tensor/method-names.js'
import { resultText, type Signed, summaryOf, takenText } from './op-texts.js'

const titles: Record<OpRecord['category'], string> = {
  pointwise: 'Element by element',
  reduction: 'Reductions and losses',
  normalisation: 'Normalisation',
  view: 'Views',
  index: 'Joining, picking and rearranging',
  matmul: 'Products and convolutions',
  sorting: 'Order',
  random: 'Random',
  creation: 'Creation',
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
const gradient = ({ gradient: column }: OpRecord): string =>
  typeof column === 'function' ? 'yes' : column === 'none' ? '–' : 'not yet'

const drawn = ['seed', 'offset']

/** How the op is called, as a method where it is one. What the random state supplies is not people's to give. */
function called({ name, signature }: OpRecord): string {
  const isMethod = !(withoutMethod as readonly string[]).includes(name)
  const text = printSignature(name, signature!, isMethod)
  return drawn.reduce((shown, param) => shown.replace(`${param}, `, ''), text)
}

function row(record: Signed): string {
  const results = record.results ?? [null]
  const given = results.map(name => (name === null ? '' : `${name}: `) + resultText(record, name)).join(' · ')
  const inPlace = (inPlaceNames as readonly string[]).includes(record.name) ? ` \`${record.name}_\`` : ''
  const cells = [`\`${called(record)}\`${inPlace}`, summaryOf(record), takenText(record), given, gradient(record)]
  return `| ${cells.map(cell).join(' | ')} |`
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
    'ArgumentError that shows the signature. Besides these,',
    '`split`, `tensorSplit`, `chunk`, `unbind` and `meshgrid` give lists of views; `hstack`, `vstack`, `dstack` and',
    '`columnStack`, `blockDiag` and `cartesianProd` join; `atleast1d` to `atleast3d` add dims; `combinations`, `trilIndices` and',
    '`triuIndices` list places; `allclose` and `equal` give a boolean. `maskedSelect`, `nonzero`, `unique`, `uniqueWithParts`,',
    '`uniqueConsecutive` and `bincount`, whose size depends on values, work outside of compiled functions. Where the size of a',
    'result follows from data, it is read: `oneHot` without `numClasses`, `repeatInterleave` by a tensor without `outputSize`,',
    '`narrow` and `select` at a place that a tensor says. In a compiled function the graph breaks there. `linalg.norm` and',
    "`linalg.matrixNorm` are norms of matrices; what decomposes them (singular values, so the norms 2 and 'nuc', inverses,",
    'solvers) and Fourier transforms are not supported.',
    '',
    ...sections,
  ].join('\n')
}

const path = new URL('../docs/ops.md', import.meta.url)
if (process.argv[1]?.endsWith('ops-docs.ts')) writeFileSync(path, opsPage())

/** The page as it stands in the repository. */
export const currentPage = (): string => readFileSync(path, 'utf8')
