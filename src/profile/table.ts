/** Tables of records: as aligned text, Markdown, and CSV. */
import { inspectCustom } from '../tensor/inspect.js'

/** A column of a table: what it shows of a row. */
export interface Column<R> {
  /** Its heading. */
  readonly head: string
  /** What people read of a `row`; '': nothing is known. A column that is empty in all rows is left out of texts. */
  text(row: R): string
  /** For CSV: its name, with the unit, and its value. Absent: the column is not in CSV. */
  readonly data?: { readonly name: string; value(row: R): string | number | boolean | null }
  /** Aligned to the left. Default: to the right, as numbers are. */
  readonly left?: boolean
}

/**
 * A table of one's own, of numbers that were measured. Printed, it is aligned text.
 *
 * @example
 * const columns = [{ head: 'size', text: row => String(row.n) }, { head: 'time', text: row => formatTime(row.time) }]
 * console.log(new Table(columns, rows)); writeFileSync('table.md', new Table(columns, rows).toMarkdown())
 */
export class Table<R> {
  /** What is shown of each row. */
  readonly columns: readonly Column<R>[]
  /** The rows, in order. */
  readonly rows: readonly R[]

  /**
   * @param columns what is shown of each row. One whose texts are all empty is left out
   * @param rows any records
   */
  constructor(columns: readonly Column<R>[], rows: readonly R[]) {
    this.columns = columns
    this.rows = rows
  }

  /** Aligned columns with a line of heads. */
  toText(): string {
    return textTable(this.columns, this.rows)
  }

  /** A table of GitHub's Markdown. */
  toMarkdown(): string {
    return markdownTable(this.columns, this.rows)
  }

  /** Comma-separated values of the columns that have `data`, unrounded. */
  toCsv(): string {
    return csvTable(this.columns, this.rows)
  }

  /** The rows, for `JSON.stringify`. */
  toJSON(): readonly R[] {
    return this.rows
  }

  /** As `toText`. */
  toString(): string {
    return this.toText()
  }

  [inspectCustom](): string {
    return this.toText()
  }
}

/** Columns of aligned text, with a line of heads. */
export function textTable<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const used = usedColumns(columns, rows)
  const lines = [used.map(({ head }) => head), ...rows.map(row => used.map(({ text }) => text(row)))]
  return alignedText(
    lines,
    used.map(({ left }) => left ?? false),
  )
}

/** Lines of cells, each column as wide as its longest cell. `left`: which columns are aligned to the left, the others to the right; default: all. */
export function alignedText(
  lines: readonly (readonly string[])[],
  left: readonly boolean[] = (lines[0] ?? []).map(() => true),
): string {
  const widths = left.map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)))
  const cells = (line: readonly string[]): string[] =>
    line.map((cell, i) => (left[i] ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
  return lines.map(line => cells(line).join('  ').trimEnd()).join('\n')
}

/** A table of GitHub's Markdown. */
export function markdownTable<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const used = usedColumns(columns, rows)
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [
    line(used.map(({ head }) => head)),
    `|${used.map(({ left }) => (left ? ' --- ' : ' ---: ')).join('|')}|`,
    ...rows.map(row => line(used.map(({ text }) => text(row)))),
  ].join('\n')
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** Comma-separated values (RFC 4180) with a line of names; numbers unrounded, unknown ones empty. */
export function csvTable<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const fields = columns.flatMap(({ data }) => data ?? [])
  const lines = [
    fields.map(({ name }) => name),
    ...rows.map(row => fields.map(({ value }) => String(value(row) ?? ''))),
  ]
  return `${lines.map(line => line.map(quoted).join(',')).join('\n')}\n`
}

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const usedColumns = <R>(columns: readonly Column<R>[], rows: readonly R[]): readonly Column<R>[] =>
  columns.filter(({ text }) => rows.some(row => text(row) !== ''))
