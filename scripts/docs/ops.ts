/** The page of the site that has every op in full, written from the records: what hover texts say. */
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { printSignature } from '../../src/graph/signature.js'
import { withoutMethod } from '../../src/tensor/method-names.js'
import { type Signed, summaryOf, textLines } from '../op-texts.js'

const isMethod = (name: string): boolean => !(withoutMethod as readonly string[]).includes(name)

function details(record: Signed): string {
  const method = isMethod(record.name)
  const params = record.signature.params.filter(({ name }) => !(method && name === 'self'))
  const [, ...lines] = textLines(record, params, summaryOf(record))
  const items = lines
    .filter(line => line !== '')
    .map(line =>
      line
        .replace(/^@param (\S+) /, '- `$1`: ')
        .replace(/^@returns /, '- gives ')
        .replace(/^@throws (\S+)/, '- throws `$1`'),
    )
  return [
    `### ${record.name}`,
    `\`${printSignature(record.name, record.signature, method)}\``,
    summaryOf(record).replaceAll('|', '\\|'),
    items.filter(item => !item.startsWith('- ')).join('\n'),
    items.filter(item => item.startsWith('- ')).join('\n'),
  ].join('\n\n')
}

/** Markdown. */
export function opsPage(): string {
  const signed = recordNames
    .map((name): OpRecord => recordTable[name])
    .filter((record): record is Signed => record.signature !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const about = 'Every op in full, as hover texts show it. The table of all ops, by kind: [Ops](ops.md).'
  const letters = new Set(signed.map(({ name }) => name[0]!))
  const parts = [...letters].flatMap(letter => [
    `## ${letter.toUpperCase()}`,
    ...signed.filter(({ name }) => name.startsWith(letter)).map(details),
  ])
  return ['# Ops from A to Z', about, ...parts].join('\n\n')
}
