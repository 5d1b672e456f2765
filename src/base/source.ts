/**
 * Finds the user's line in a stack trace: the first frame outside Tegula and the engine. Stacks are text in one of two
 * formats: V8's (Node, Deno; Bun writes the same) and JavaScriptCore's `function@file:line:column`.
 */
import { fileURLToPath } from 'node:url'

export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Of a captured op: the path of the nn.Module in whose call it is, `GPT.layers.0`. Absent: in none. */
  readonly module?: string
}

const withSlashes = (path: string): string => path.replaceAll('\\', '/')

/** The folder of Tegula's code (src/ in a checkout, dist/ in a package). */
const ownFolder = withSlashes(fileURLToPath(new URL('..', import.meta.url)))

/** Usual and maximum number of our frames above the user's call: collecting a frame takes time. */
const [usualFrame, deepestFrame] = [16, 60]

/** Names that engines use for their own code, and for code without a file. */
const engines = /^(?:node:|bun:|ext:|deno:|internal\/|native\b|\[native|wasm:|data:|blob:|<anonymous>|unknown$|$)/

/** True for the user's own files: not Tegula's, not a dependency's, not the JavaScript engine's. */
function isUserFile(file: string): boolean {
  const path = withSlashes(file)
  return !engines.test(path) && !path.startsWith(ownFolder) && !path.includes('/node_modules/')
}

/** `isUserFile` of frames' names, which are few. */
const known = new Map<string, boolean>()
const mostKnown = 10_000

function isUserFrame(site: NodeJS.CallSite): boolean {
  const name = site.getFileName() ?? ''
  let answer = known.get(name)
  if (answer === undefined) {
    answer = isUserFile(plainFile(name))
    if (known.size === mostKnown) known.clear()
    known.set(name, answer)
  }
  return answer
}

/** `file:///C:/a%20b.ts?v=1` as `C:/a b.ts`; other names as they are. */
function plainFile(name: string): string {
  if (!name.startsWith('file://')) return name
  const path = name.slice('file://'.length).replace(/[?#].*$/, '')
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return path // no URL after all: a percent sign of the path itself
  }
}

/** The program's stack formatter. */
type Format = typeof Error.prepareStackTrace

/**
 * The first stack frame that is neither Tegula's nor the engine's, or null when there is none. Only that frame is
 * formatted and mapped to its source: doing so for the whole stack costs more than recording an op.
 */
export function userLocation(): SourceLocation | null {
  return userLocationWithin(usualFrame) ?? userLocationWithin(deepestFrame)
}

function userLocationWithin(depth: number): SourceLocation | null {
  return withStackTraces(depth, format => {
    const firstUserFrame: NonNullable<Format> = (error, sites) => {
      const first = sites.find(isUserFrame)
      if (first === undefined) return ''
      const frame = formatFrames(error, [first], format)
      // In a bundle of user code and ours only the source map can distinguish them.
      return locationInStack(frame) === null ? formatFrames(error, sites, format) : frame
    }
    Reflect.set(Error, 'prepareStackTrace', firstUserFrame)
    return locationOf(new Error())
  })
}

/** An error that captured the `depth` innermost frames; `locationOf` reads it later. */
export function takeTrace(depth: number): { readonly stack?: string | undefined } {
  return withStackTraces(depth, () => new Error())
}

/** The user's line in an error's stack. */
export function locationOf(trace: { readonly stack?: unknown }): SourceLocation | null {
  let stack: unknown
  try {
    stack = trace.stack // the user's own formatter may run here
  } catch {
    return null
  }
  if (typeof stack === 'string') return locationInStack(stack)
  return Array.isArray(stack) ? locationInStack(linesOf(stack)) : null
}

/** Runs `body` with stack traces of `depth` frames, then restores the program's settings; a frozen `Error` is not changed. */
function withStackTraces<R>(depth: number, body: (format: Format) => R): R {
  const before = settings.map(name => Object.getOwnPropertyDescriptor(Error, name))
  const format = Error.prepareStackTrace
  Reflect.set(Error, 'stackTraceLimit', depth)
  try {
    return body(format)
  } finally {
    for (const [i, name] of settings.entries()) {
      const was = before[i]
      if (was === undefined) Reflect.deleteProperty(Error, name)
      else if (was.writable === true) Reflect.set(Error, name, was.value)
    }
  }
}

const settings = ['stackTraceLimit', 'prepareStackTrace'] as const

const linesOf = (sites: readonly unknown[]): string => sites.map(site => `    at ${String(site)}`).join('\n')

/** The frames as the program's formatter writes them, which applies source maps; in our format if that fails. */
function formatFrames(error: Error, sites: NodeJS.CallSite[], format: Format): string {
  try {
    const stack: unknown = format?.(error, sites)
    if (typeof stack === 'string' && framesOf(stack).length > 0) return stack
  } catch {
    // the program's formatter fails: use ours
  }
  return linesOf(sites)
}

/** The location of the innermost frame of a formatted stack that is in a user's file; null: there is none. */
export function locationInStack(stack: string): SourceLocation | null {
  return framesOf(stack).find(({ file }) => isUserFile(file)) ?? null
}

/** The locations of the frames of a formatted stack (V8's or JavaScriptCore's format), innermost first. */
function framesOf(stack: string): SourceLocation[] {
  return stack.split('\n').flatMap(line => {
    const location = /^\s*at /.test(line) ? locationInV8(line) : locationInJavaScriptCore(line)
    const match = /^(.*?):(\d+):(\d+)$/.exec(location ?? '')
    if (match === null) return []
    const [, file = '', row = '0', column = '0'] = match
    return [{ file: plainFile(file), line: Number(row), column: Number(column) }]
  })
}

/** The beginning of a path, a URL, or a name in angle or square brackets. */
const locationStart = /^(?:[a-z][\w+.-]*:|[A-Za-z]:[\\/]|[/\\<[.])/

/** The location in `at async Model.step [as call] (file:///app/model.ts:4:7)`, or in `at file:///app/model.ts:4:7`. */
function locationInV8(line: string): string | null {
  const text = line.trim().replace(/^at (?:async )?/, '')
  if (!text.endsWith(')')) return text
  // Names and paths may hold parentheses themselves.
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
    const location = text.slice(open + 1, -1)
    if (location.startsWith('eval at ')) return null // code without a file; the next frame is its caller
    if ((open === 0 || text[open - 1] === ' ') && locationStart.test(location)) return location
  }
  const open = text.lastIndexOf(' (')
  return open < 0 ? text : text.slice(open + 2, -1)
}

/** The location in `step@/app/model.ts:4:7`; before the @ there may be a scope's name (`global code`). */
function locationInJavaScriptCore(line: string): string | null {
  const at = line.indexOf('@')
  return at < 0 || /^\s/.test(line) ? null : line.slice(at + 1).trim()
}
