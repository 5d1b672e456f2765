/**
 * The report of every kernel that a change alters. It writes each kernel that the suite's samples generate, tile program
 * and code, as text into a folder, and compares that with such a folder or with the kernels of a git revision.
 *
 *     npm run kernels -- --against REF|FOLDER [--out FOLDER] [--only PART] [--entries N] [--lines N]
 *     npm run kernels -- --out FOLDER [--only PART]
 *
 * Exit codes, as diff's: 0 nothing changed, 1 kernels differ, 2 it could not be told.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { print } from '../src/ir/print.js'
import { printPlan } from '../src/schedule/print.js'
import { type TileNode, tileDialect } from '../src/tile/ir.js'
import { corpus } from '../tests/support/kernel-corpus.js'
import { compareFolders, isSame, printDifference } from './kernel-diff.js'
import { type ReportTarget, reportTargets } from './kernel-targets.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const usage = `usage: npm run kernels -- [--against REF|FOLDER] [--out FOLDER] [--only PART_OF_NAME] [--entries N] [--lines N]
  --against  a git revision, or a folder that --out wrote: says which kernels differ (exit code 1)
  --out      keep the kernels there (an empty or new folder)
  --only     only graphs with this in their name, as ops/softmax/
  --entries  changes to print (20); --lines: lines of each diff (40)
`

interface Options {
  readonly against: string | undefined
  readonly out: string | undefined
  readonly only: string
  readonly entries: number
  readonly lines: number
}

/** Writes every kernel of the corpus below `folder`. Returns how many graphs and kernels there are. */
export function writeKernels(folder: string, only: string): { graphs: number; kernels: number } {
  const counts = { graphs: 0, kernels: 0 }
  const shared = new Map<ReportTarget, Set<string>>(reportTargets.map(target => [target, new Set()]))
  for (const { name, graph } of corpus(only)) {
    counts.graphs++
    for (const target of reportTargets) {
      const { plan, code, shared: pieces } = target.texts(graph)
      for (const piece of pieces) shared.get(target)!.add(piece)
      const at = join(folder, target.name, name)
      mkdirSync(at, { recursive: true })
      writeFileSync(join(at, 'plan.txt'), printPlan(plan))
      for (const [i, { name: kernel, body }] of plan.kernels.entries()) {
        counts.kernels++
        const text = `${print<TileNode>(tileDialect, body).trimEnd()}\n\n${code[i]!.trimEnd()}\n`
        writeFileSync(join(at, `${kernel}.txt`), text)
      }
    }
  }
  for (const [{ name }, pieces] of shared) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'shared.txt'), `${[...pieces].sort().join('\n\n')}\n`)
  }
  return counts
}

/** The kernels of a git revision, written by its own code in a copy of its files. Throws Error when it has no such script. */
function writeRevision(revision: string, work: string, only: string): string {
  const [tree, kernels] = [join(work, 'tree'), join(work, 'before')]
  mkdirSync(tree)
  const archive = execFileSync('git', ['-C', project, 'archive', revision], {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  execFileSync('tar', ['-x', '-C', tree], { input: archive })
  if (!existsSync(join(tree, 'scripts/kernels.ts'))) {
    throw new Error(`${revision} has no scripts/kernels.ts: choose a later revision, or compare with a folder`)
  }
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'))
  const args = ['--import', 'tsx', 'scripts/kernels.ts', '--out', kernels, '--only', only]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${revision}: its kernels cannot be written:\n${stderr}`)
  return kernels
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

type Print = (text: string) => void

function report({ against, out, only, entries, lines }: Options, print: Print): 0 | 1 {
  const work = mkdtempSync(join(tmpdir(), 'tegula-kernels-'))
  try {
    const before = against === undefined || isFolder(against) ? against : writeRevision(against, work, only)
    const after = out ?? join(work, 'after')
    const { graphs, kernels } = writeKernels(after, only)
    if (graphs === 0) throw new Error(`no graph's name contains '${only}'`)
    const targets = reportTargets.map(({ name }) => name).join(', ')
    print(`${graphs} graphs, ${kernels} kernels for ${targets}${out === undefined ? '' : ` in ${out}`}\n`)
    if (before === undefined) return 0
    const difference = compareFolders(before, after)
    print(printDifference(difference, { entries, lines }))
    return isSame(difference) ? 0 : 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function parse(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const options = { against: text, out: text, only: text, entries: text, lines: text }
  const { values } = parseArgs({ args: [...args], options })
  const count = (given: string | undefined, usual: number): number => {
    const value = Number(given ?? usual)
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`'${given}' is no count`)
    return value
  }
  const { against, out, only = '' } = values
  if (against === undefined && out === undefined) throw new Error('give --against, --out or both')
  if (out !== undefined && existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`--out ${out}: it is not empty`)
  return { against, out, only, entries: count(values.entries, 20), lines: count(values.lines, 40) }
}

/** The command with these arguments: prints its report, or what is wrong; gives the exit code. */
export function run(args: readonly string[], print: Print, printError: Print): 0 | 1 | 2 {
  try {
    return report(parse(args), print)
  } catch (error) {
    printError(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout, stderr } = process
  process.exitCode = run(
    process.argv.slice(2),
    text => stdout.write(text),
    text => stderr.write(text),
  )
}
