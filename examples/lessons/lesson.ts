/** What the lessons share: options of the command line, and how tables are printed. All measuring is that of tegula/profile. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import type { DeviceName } from 'tegula'
import type { Profile, ProfileTableOptions } from 'tegula/profile'

/** How a lesson runs. */
export interface LessonOptions {
  readonly device: DeviceName
  /** Small sizes and few samples: to try it out. */
  readonly quick: boolean
  /** Measures the machine's peak rates, to compare with. */
  readonly peak: boolean
}

/** Options of `compare` and `sweep` for a lesson. */
export const measuring = ({ quick, peak }: LessonOptions) =>
  quick ? { samples: 5, seconds: 0.2, peak } : { samples: 30, seconds: 10, peak }

/** A table of any kind: a Comparison, Sweep or Table. */
export interface AnyTable {
  toText(): string
  toMarkdown(): string
  toCsv(): string
  toJSON(): unknown
}

/** A table, and what it says. */
export interface Section {
  readonly title: string
  readonly table: AnyTable
  /** Paragraphs below it. */
  readonly notes: readonly string[]
}

/** Measures, and gives what it found. `write` gets each section when it is measured. */
export type Lesson = (options: LessonOptions, write: (section: Section) => void) => Promise<void>

/** A table of a profile. */
export const profileTable = (seen: Profile, options: ProfileTableOptions): AnyTable => ({
  toText: () => seen.table(options),
  toMarkdown: () => seen.table({ ...options, format: 'markdown' }),
  toCsv: () => seen.table({ ...options, format: 'csv' }),
  toJSON: () => seen.rows(options),
})

interface CommandOptions extends LessonOptions {
  readonly markdown: boolean
  readonly csv?: string
  readonly json?: string
}

/**
 * Runs a lesson if its module is the program, not when another one imports it.
 * @param url of the module
 * @param about what it measures, for `--help`
 */
export async function main(url: string, about: string, lesson: Lesson): Promise<void> {
  if (process.argv[1] !== fileURLToPath(url)) return
  const command = new Command()
    .description(about)
    .option('--device <name>', 'cpu, cuda or cuda:1', 'cpu')
    .option('--quick', 'small sizes and few samples', false)
    .option('--no-peak', 'do not measure the peak rates of the machine')
    .option('--markdown', 'print tables in Markdown', false)
    .option('--csv <file>', 'also write the tables to this file, one after another, unrounded')
    .option('--json <file>', 'also write everything to this file')
    .parse()
  const options = command.opts<CommandOptions>()
  const sections: Section[] = []
  await lesson(options, section => {
    sections.push(section)
    console.log(`${textOf(section, options.markdown)}\n`)
  })
  if (options.csv !== undefined)
    writeFileSync(options.csv, sections.map(({ title, table }) => `# ${title}\n${table.toCsv()}`).join('\n'))
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(sections, null, 1))
}

const textOf = ({ title, table, notes }: Section, markdown: boolean): string => {
  const texts = markdown ? [`### ${title}`, table.toMarkdown().trim()] : [title.toUpperCase(), table.toText()]
  return [...texts, ...notes].join('\n\n')
}
