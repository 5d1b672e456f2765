/**
 * Reports every kernel that a change alters. Writes each kernel of the suite's samples (tile program and code) as text into a
 * folder, and compares it with another such folder or with the kernels of a git revision. Uses one process per core; the
 * kernels of recently requested revisions are cached.
 *
 *     npm run kernels -- --against REF|FOLDER [--out FOLDER] [--only PART] [--entries N] [--lines N]
 *     npm run kernels -- --out FOLDER [--only PART]
 *
 * Exit codes, as diff's: 0 nothing changed, 1 kernels differ, 2 an error.
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { print } from '../src/ir/print.js'
import { printPlan } from '../src/schedule/plan/print.js'
import { type TileNode, tileDialect } from '../src/tile/ir.js'
import { corpus, corpusNames } from '../tests/support/kernel-corpus.js'
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
  /** The share of the graphs that a child process writes; null: started by a user. */
  readonly shard: Shard | null
}

/** Every `count`-th graph from number `index` on. */
interface Shard {
  readonly index: number
  readonly count: number
}

const everything: Shard = { index: 0, count: 1 }

interface Written {
  readonly graphs: number
  readonly kernels: number
}

/** Writes the kernels of a shard of the corpus below `folder`, except the text that they share. */
function writeShard(folder: string, only: string, { index, count }: Shard): Written {
  const counts = { graphs: 0, kernels: 0 }
  const shared = new Map<ReportTarget, Set<string>>(reportTargets.map(target => [target, new Set()]))
  for (const { name, graph } of corpus(only, place => place % count === index)) {
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
  const pieces = Object.fromEntries([...shared].map(([{ name }, own]) => [name, [...own]]))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, partName(index)), JSON.stringify({ ...counts, pieces }))
  return counts
}

const partName = (index: number): string => `part-${index}.json`

/** Merges the shards' results: counts, and the text that kernels share. */
function joinShards(folder: string, count: number): Written {
  const total = { graphs: 0, kernels: 0 }
  const shared = new Map<string, Set<string>>()
  for (let index = 0; index < count; index++) {
    const path = join(folder, partName(index))
    const part: Written & { pieces: Record<string, string[]> } = JSON.parse(readFileSync(path, 'utf8'))
    rmSync(path)
    total.graphs += part.graphs
    total.kernels += part.kernels
    for (const [name, pieces] of Object.entries(part.pieces)) {
      shared.set(name, new Set([...(shared.get(name) ?? []), ...pieces]))
    }
  }
  for (const [name, pieces] of shared) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'shared.txt'), `${[...pieces].sort().join('\n\n')}\n`)
  }
  return total
}

/** Minimum number of graphs per process. */
const graphsPerProcess = 100

/** Writes every kernel of the corpus below `folder`. Returns the numbers of graphs and kernels. */
export async function writeKernels(folder: string, only: string, queue = new Queue()): Promise<Written> {
  const count = Math.min(availableParallelism(), Math.ceil(corpusNames(only).length / graphsPerProcess))
  if (count <= 1) {
    writeShard(folder, only, everything)
    return joinShards(folder, 1)
  }
  await Promise.all(shardsOf(count).map(shard => queue.run(signal => runScript(project, folder, only, shard, signal))))
  return joinShards(folder, count)
}

const shardsOf = (count: number): Shard[] => Array.from({ length: count }, (_, index) => ({ index, count }))

/** Runs as many tasks at a time as there are cores. If one fails, the others are killed. */
class Queue {
  readonly #ending = new AbortController()
  #free = availableParallelism()
  readonly #waiting: (() => void)[] = []

  async run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await task(this.#ending.signal)
    } catch (error) {
      this.#ending.abort()
      throw error
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}

/** Runs a source tree's version of this script in its own process. `shard`: null for a version without shards. */
async function runScript(
  tree: string,
  folder: string,
  only: string,
  shard: Shard | null,
  signal: AbortSignal,
): Promise<void> {
  const args = ['--import', 'tsx', 'scripts/kernels.ts', '--out', folder, '--only', only]
  if (shard !== null) args.push('--shard', `${shard.index}/${shard.count}`)
  await promisify(execFile)(process.execPath, args, { cwd: tree, maxBuffer: 2 ** 28, signal })
}

/** The cache folder for kernels of revisions, by commit. */
const keptFolder = join(project, 'node_modules/.cache/tegula-kernels')
const keptRevisions = 3

/** The files of a git revision. Throws Error if it lacks this script, or does not exist. */
function checkOut(revision: string, work: string): string {
  const tree = join(work, 'tree')
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
  return tree
}

/** The kernels of a revision, written by its own code in a copy of its files. */
async function writeRevision(tree: string, folder: string, only: string, queue: Queue): Promise<void> {
  try {
    if (!readFileSync(join(tree, 'scripts/kernels.ts'), 'utf8').includes('interface Shard')) {
      await queue.run(signal => runScript(tree, folder, only, null, signal))
      return
    }
    const count = Math.min(availableParallelism(), Math.ceil(corpusNames(only).length / graphsPerProcess))
    await Promise.all(shardsOf(count).map(shard => queue.run(signal => runScript(tree, folder, only, shard, signal))))
    joinShards(folder, count)
  } catch (error) {
    throw new Error(`the kernels of the revision cannot be written:\n${(error as { stderr?: string }).stderr ?? error}`)
  }
}

const commitOf = (revision: string): string =>
  execFileSync('git', ['-C', project, 'rev-parse', '--verify', `${revision}^{commit}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

/** Copies a folder into the cache and drops the oldest. */
function keep(folder: string, kept: string): void {
  const copy = join(keptFolder, `.${process.pid}`) // valid once it is renamed
  cpSync(folder, copy, { recursive: true })
  if (existsSync(kept)) rmSync(copy, { recursive: true })
  else renameSync(copy, kept)
  const age = (name: string): number => statSync(join(keptFolder, name)).mtimeMs
  const newestFirst = readdirSync(keptFolder).sort((a, b) => age(b) - age(a))
  for (const name of newestFirst.slice(keptRevisions)) rmSync(join(keptFolder, name), { recursive: true, force: true })
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

type Print = (text: string) => void

async function report({ against, out, only, entries, lines }: Options, print: Print): Promise<0 | 1> {
  if (corpusNames(only).length === 0) throw new Error(`no graph's name contains '${only}'`)
  const work = mkdtempSync(join(tmpdir(), 'tegula-kernels-'))
  try {
    const isRevision = against !== undefined && !isFolder(against)
    const kept = isRevision ? join(keptFolder, `${commitOf(against)} ${encodeURIComponent(only)}`) : null
    const tree = isRevision && !existsSync(kept!) ? checkOut(against, work) : null
    const [after, fresh] = [out ?? join(work, 'after'), join(work, 'before')]
    const queue = new Queue()
    const [{ graphs, kernels }] = await Promise.all([
      writeKernels(after, only, queue),
      tree === null ? null : writeRevision(tree, fresh, only, queue),
    ])
    if (tree !== null) keep(fresh, kept!)
    const before = kept ?? against
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
  const options = { against: text, out: text, only: text, entries: text, lines: text, shard: text }
  const { values } = parseArgs({ args: [...args], options })
  const count = (given: string | undefined, usual: number): number => {
    const value = Number(given ?? usual)
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`'${given}' is no count`)
    return value
  }
  const { against, out, only = '' } = values
  if (against === undefined && out === undefined) throw new Error('give --against, --out or both')
  const shard = parseShard(values.shard)
  if (shard === null && out !== undefined && existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`--out ${out}: it is not empty`)
  return { against, out, only, entries: count(values.entries, 20), lines: count(values.lines, 40), shard }
}

function parseShard(text: string | undefined): Shard | null {
  const [index, count] = (text ?? '').split('/').map(Number)
  return index === undefined || count === undefined ? null : { index, count }
}

/** The command with these arguments: prints its report or error; returns the exit code. */
export async function run(args: readonly string[], print: Print, printError: Print): Promise<0 | 1 | 2> {
  try {
    const options = parse(args)
    if (options.shard === null) return await report(options, print)
    writeShard(options.out!, options.only, options.shard)
    return 0
  } catch (error) {
    printError(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout, stderr } = process
  process.exitCode = await run(
    process.argv.slice(2),
    text => stdout.write(text),
    text => stderr.write(text),
  )
}
