/**
 * Finds the user's own line in a stack trace: the first frame outside Tegula and the engine. Stacks are text, each
 * engine's its own: V8's (Node, Deno; Bun writes the same) and JavaScriptCore's `function@file:line:column`.
 */
import { fileURLToPath } from 'node:url'

export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

const withSlashes = (path: string): string => path.replaceAll('\\', '/')

/** The folder that holds Tegula's own code (src/ in a checkout, dist/ in a package). */
const ownFolder = withSlashes(fileURLToPath(new URL('..', import.meta.url)))

/** More of our frames than this do not stand above a user's call. */
const deepestFrame = 60

/** What engines call their own code, and code that has no file. */
const engines = /^(?:node:|bun:|ext:|deno:|internal\/|native\b|\[native|wasm:|data:|blob:|<anonymous>|unknown$|$)/

function isForeign(file: string): boolean {
  const path = withSlashes(file)
  return !engines.test(path) && !path.startsWith(ownFolder) && !path.includes('/node_modules/')
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

/** The frames of `new Error()`, formatted by whoever formats stacks here. */
type Format = typeof Error.prepareStackTrace

/**
 * The first stack frame that is neither Tegula's nor the engine's, or null when there is none. Only that frame is
 * formatted and mapped to its source: doing so for the whole stack costs more than recording an op.
 */
export function userLocation(): SourceLocation | null {
  return withStackTraces(deepestFrame, format => {
    const own: NonNullable<Format> = (error, sites) => {
      const first = sites.find(site => isForeign(plainFile(site.getFileName() ?? '')))
      if (first === undefined) return ''
      const frame = formatted(error, [first], format)
      // A bundle of user code and ours: only the source map tells them apart.
      return locationInStack(frame) === null ? formatted(error, sites, format) : frame
    }
    Reflect.set(Error, 'prepareStackTrace', own)
    return locationOf(new Error())
  })
}

/** An error that knows the `depth` innermost frames; `locationOf` reads it later. */
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

/** Runs `body` while traces are `depth` deep, whatever the program has set; a frozen `Error` stays as it is. */
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

/** The frames as the program's own formatter writes them, for source maps; in our way where that gives no frames. */
function formatted(error: Error, sites: NodeJS.CallSite[], format: Format): string {
  try {
    const made: unknown = format?.(error, sites)
    if (typeof made === 'string' && framesOf(made).length > 0) return made
  } catch {
    // the program's formatter fails: ours does
  }
  return linesOf(sites)
}

/** The location of the first foreign frame in a formatted stack. */
export function locationInStack(stack: string): SourceLocation | null {
  return framesOf(stack).find(({ file }) => isForeign(file)) ?? null
}

function framesOf(stack: string): SourceLocation[] {
  return stack.split('\n').flatMap(line => {
    const place = /^\s*at /.test(line) ? placeOfV8(line) : placeOfJavaScriptCore(line)
    const match = /^(.*?):(\d+):(\d+)$/.exec(place ?? '')
    if (match === null) return []
    const [, file = '', row = '0', column = '0'] = match
    return [{ file: plainFile(file), line: Number(row), column: Number(column) }]
  })
}

/** Where a path, an address or a name in angle or square brackets begins. */
const beginsPlace = /^(?:[a-z][\w+.-]*:|[A-Za-z]:[\\/]|[/\\<[.])/

/** The place in `at async Model.step [as call] (file:///app/model.ts:4:7)`, or in `at file:///app/model.ts:4:7`. */
function placeOfV8(line: string): string | null {
  const text = line.trim().replace(/^at (?:async )?/, '')
  if (!text.endsWith(')')) return text
  // Names and paths may hold parentheses themselves.
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
    const place = text.slice(open + 1, -1)
    if (place.startsWith('eval at ')) return null // code without a file; who evaluated it is the next frame
    if ((open === 0 || text[open - 1] === ' ') && beginsPlace.test(place)) return place
  }
  const open = text.lastIndexOf(' (')
  return open < 0 ? text : text.slice(open + 2, -1)
}

/** The place in `step@/app/model.ts:4:7`; names of scopes (`global code`) come before the @ too. */
function placeOfJavaScriptCore(line: string): string | null {
  const at = line.indexOf('@')
  return at < 0 || /^\s/.test(line) ? null : line.slice(at + 1).trim()
}
