/** The site's page with all ops in full, written from the records: the hover texts. */
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { isMethod } from '../../src/tensor/method-names.js'
import { called, nameOf, otherNames, type Signed, summaryOf, textLines } from '../op-texts.js'

function details(record: Signed): string {
  const name = record.name as RecordName
  const method = isMethod(nameOf(name))
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
    `### ${nameOf(name)}`,
    `\`${called(record)}\`${otherNames(name)}`,
    summaryOf(record).replaceAll('|', '\\|'),
    items.filter(item => !item.startsWith('- ')).join('\n'),
    items.filter(item => item.startsWith('- ')).join('\n'),
  ].join('\n\n')
}

const shownName = ({ name }: OpRecord): string => nameOf(name as RecordName)

/** Markdown. */
export function opsPage(): string {
  const signed = recordNames
    .map((name): OpRecord => recordTable[name])
    .filter((record): record is Signed => record.signature !== undefined)
    .sort((a, b) => (shownName(a) < shownName(b) ? -1 : 1))
  const about = 'Every op in full, as hover texts show it. The table of all ops, by kind: [Ops](ops.md).'
  const letters = new Set(signed.map(record => shownName(record)[0]!))
  const parts = [...letters].flatMap(letter => [
    `## ${letter.toUpperCase()}`,
    ...signed.filter(record => shownName(record).startsWith(letter)).map(details),
  ])
  return ['# Ops from A to Z', about, ...parts].join('\n\n')
}
