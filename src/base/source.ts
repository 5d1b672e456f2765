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

/** More of our frames than this do not stand above a user's call. */
const deepestFrame = 60

const isForeign = (file: string): boolean =>
  !file.startsWith(ownFolder) && !file.startsWith('node:') && !file.includes('/node_modules/')

/**
 * The first stack frame that is neither Tegula's nor node's, or null when there is none. Only that frame is formatted
 * and mapped to its source: doing so for the whole stack costs more than recording an op.
 */
export function userLocation(): SourceLocation | null {
  const { stackTraceLimit, prepareStackTrace: format } = Error
  Error.stackTraceLimit = deepestFrame
  Error.prepareStackTrace = (error, sites) => {
    const text = (some: NodeJS.CallSite[]): string => {
      const made: unknown = format?.(error, some)
      return typeof made === 'string' ? made : [`${error}`, ...some.map(site => `    at ${site}`)].join('\n')
    }
    const first = sites.find(site => isForeign((site.getFileName() ?? 'node:').replace('file://', '')))
    if (first === undefined) return ''
    const frame = text([first])
    // A bundle of user code and ours: only the source map tells them apart.
    return locationInStack(frame) === null ? text(sites) : frame
  }
  try {
    return locationInStack(new Error().stack ?? '')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Error.prepareStackTrace = format
  }
}

/** The location of the first foreign frame in a formatted stack. */
export function locationInStack(stack: string): SourceLocation | null {
  for (const frame of stack.split('\n').slice(1)) {
    const match = framePattern.exec(frame)
    if (match === null) continue
    const [, file = '', line = '0', column = '0'] = match
    if (!isForeign(file)) continue
    return { file, line: Number(line), column: Number(column) }
  }
  return null
}
