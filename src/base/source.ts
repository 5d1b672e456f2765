/** Finds the user's own line in a stack trace: the first frame outside Tegula and outside node. */
import { fileURLToPath } from 'node:url'

export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The folder that holds Tegula's own code (src/ in a checkout, dist/ in a package). */
const ownFolder = fileURLToPath(new URL('..', import.meta.url))

const framePattern = /^\s*at (?:.*\()?(?:file:\/\/)?(.*?):(\d+):(\d+)\)?$/

/**
 * The first stack frame that is neither Tegula's nor node's, or null when there is none. The stack-trace limit is
 * raised for the capture: a user's call may stand below many of our frames.
 */
export function userLocation(): SourceLocation | null {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const stack = new Error().stack ?? ''
  Error.stackTraceLimit = limit
  return locationInStack(stack)
}

export function locationInStack(stack: string): SourceLocation | null {
  for (const frame of stack.split('\n').slice(1)) {
    const match = framePattern.exec(frame)
    if (match === null) continue
    const [, file = '', line = '0', column = '0'] = match
    if (file.startsWith(ownFolder) || file.startsWith('node:') || file.includes('/node_modules/')) continue
    return { file, line: Number(line), column: Number(column) }
  }
  return null
}
