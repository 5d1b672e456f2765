/**
 * Compares two folders of kernels as text: lists added, removed and changed kernels, and the changes. Kernels that change in
 * the same way are one entry, because a change of one rule affects hundreds.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** Kernels with the same changed lines. */
export interface Change {
  readonly paths: readonly string[]
  /** The unified diff of the first one, without its head. */
  readonly diff: readonly string[]
  readonly added: number
  readonly removed: number
}

export interface KernelDifference {
  /** Files of each folder. */
  readonly before: number
  readonly after: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Groups with the most kernels first. */
  readonly changes: readonly Change[]
}

export const isSame = ({ added, removed, changes }: KernelDifference): boolean =>
  added.length + removed.length + changes.length === 0

export function compareFolders(before: string, after: string): KernelDifference {
  const [old, now] = [filesIn(before), filesIn(after)]
  const changed = [...now].filter(path => old.has(path) && differs(join(before, path), join(after, path)))
  return {
    before: old.size,
    after: now.size,
    added: [...now].filter(path => !old.has(path)).sort(),
    removed: [...old].filter(path => !now.has(path)).sort(),
    changes: changed.length === 0 ? [] : grouped(before, after, changed.sort()),
  }
}

/** Throws if the folder does not exist. */
function filesIn(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Set(
    entries.filter(entry => entry.isFile()).map(entry => relative(folder, join(entry.parentPath, entry.name))),
  )
}

const differs = (a: string, b: string): boolean =>
  statSync(a).size !== statSync(b).size || !readFileSync(a).equals(readFileSync(b))

function grouped(before: string, after: string, paths: readonly string[]): Change[] {
  const diffs = unifiedDiffs(before, after)
  const groups = new Map<string, { paths: string[]; diff: readonly string[] }>()
  for (const path of paths) {
    const diff = diffs.get(path) ?? ['(git shows no difference)']
    const key = diff.filter(line => !line.startsWith('@@') && !line.startsWith(' ')).join('\n')
    const group = groups.get(key) ?? { paths: [], diff }
    groups.set(key, group)
    group.paths.push(path)
  }
  const count = (diff: readonly string[], sign: string): number => diff.filter(line => line.startsWith(sign)).length
  return [...groups.values()]
    .map(group => ({ ...group, added: count(group.diff, '+'), removed: count(group.diff, '-') }))
    .sort((a, b) => b.paths.length - a.paths.length)
}

/** By path within the folders: the hunks of each changed file. */
function unifiedDiffs(before: string, after: string): Map<string, readonly string[]> {
  const target = resolve(after)
  const flags = ['--no-index', '--no-color', '--no-ext-diff', '--no-renames', '--diff-filter=M', '-U2']
  const { stdout, stderr, status } = spawnSync(
    'git',
    ['-c', 'core.quotepath=off', 'diff', ...flags, resolve(before), target],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  if (status !== 0 && status !== 1) throw new Error(`git diff failed: ${stderr}`)
  const found = new Map<string, readonly string[]>()
  for (const part of stdout.split(/^diff --git /m).slice(1)) {
    const lines = part.trimEnd().split('\n')
    const name = lines.find(line => line.startsWith('+++ '))?.trimEnd() ?? ''
    const at = name.indexOf(`${target.replace(/^\//, '')}/`)
    const path = name.slice(at + target.replace(/^\//, '').length + 1)
    found.set(path, lines.slice(lines.findIndex(line => line.startsWith('@@'))))
  }
  return found
}

export interface PrintOptions {
  /** Maximum lines per diff. */
  readonly lines: number
  /** Maximum number of changes, and of names of added and removed kernels, to print. */
  readonly entries: number
}

export function printDifference(difference: KernelDifference, { lines, entries }: PrintOptions): string {
  const { before, after, added, removed, changes } = difference
  const changed = changes.reduce((sum, { paths }) => sum + paths.length, 0)
  return [
    `${before} files before, ${after} now: ${added.length} added, ${removed.length} removed, ${changed} changed in ${changes.length} ways`,
    ...list('added', added, entries),
    ...list('removed', removed, entries),
    ...changes.slice(0, entries).flatMap(change => changeLines(change, lines)),
    ...more(changes.length - entries, 'further ways'),
    '',
  ].join('\n')
}

function list(title: string, paths: readonly string[], entries: number): string[] {
  if (paths.length === 0) return []
  return ['', `${title}:`, ...paths.slice(0, entries).map(path => `  ${path}`), ...more(paths.length - entries, title)]
}

function changeLines({ paths, diff, added, removed }: Change, lines: number): string[] {
  const [first, ...others] = paths
  const alike =
    others.length === 0
      ? ''
      : `, and ${others.length} alike: ${others.slice(0, 3).join(' · ')}${others.length > 3 ? ' …' : ''}`
  return [
    '',
    `${first} (+${added} -${removed})${alike}`,
    ...diff.slice(0, lines),
    ...more(diff.length - lines, 'lines'),
  ]
}

const more = (count: number, what: string): string[] => (count > 0 ? [`  … ${count} ${what} more`] : [])
