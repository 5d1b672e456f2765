/** The user's lines around locations, read from their files when a report is made. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SourceLocation } from '../base/source.js'

/** A line of a file; `named`: it is one of the locations, not only beside one. */
export type SourceLine = readonly [line: number, text: string, named: boolean]

/** Lines before and after each location. */
const context = 2

/** By file: the lines at the locations and around them, in order. Files that cannot be read have the locations' lines without text. */
export function sourceLines(locations: readonly SourceLocation[]): Map<string, SourceLine[]> {
  const wanted = new Map<string, Set<number>>()
  for (const { file, line } of locations) wanted.set(file, (wanted.get(file) ?? new Set()).add(line))
  return new Map([...wanted].map(([file, named]) => [file, linesAround(file, named)]))
}

function linesAround(file: string, named: ReadonlySet<number>): SourceLine[] {
  const text = textLines(file)
  const numbers = new Set(
    [...named].flatMap(line => Array.from({ length: 2 * context + 1 }, (_, i) => line - context + i)),
  )
  return [...numbers]
    .filter(line => named.has(line) || (line > 0 && line <= text.length))
    .sort((a, b) => a - b)
    .map(line => [line, text[line - 1] ?? '', named.has(line)])
}

function textLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split(/\r?\n/)
  } catch {
    return [] // moved since, or made at run time
  }
}

/** A file below the working directory by its relative path, others as they are. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path === '' || path.startsWith('..') ? file : path
}

/** `layer.ts:12` */
export const shownLocation = ({ file, line }: SourceLocation): string => `${shownPath(file)}:${line}`
