/**
 * The log: what the compiler does, an event a line, on topics that are turned on. Off, an event costs a comparison with
 * null, and nothing at all on the path of a compiled call.
 */
import { ArgumentError } from './errors.js'
import { type SourceLocation, userLocation } from './source.js'

/** The topics, with what each event tells. */
export const logTopics = {
  graph: 'each captured graph, and what the passes and pattern rules made of it',
  fusion: 'each kernel of a plan: the ops fused into it, and their lines',
  guards: 'each guard of a new version of a compiled function',
  recompiles: 'why a function compiles again, and where its graph breaks',
  code: 'the file of generated code of each plan',
  launch: 'each launch: the kernel and its grid',
  cache: 'whether each plan was found in the disk cache, under which key',
  tune: 'the block sizes that max-autotune chose',
} as const

/** What an event is of: `graph`, `fusion`, `guards`, `recompiles`, `code`, `launch`, `cache` or `tune`. */
export type LogTopic = keyof typeof logTopics

/** A line of the log. */
export interface LogEvent {
  /** The topic that let it be logged. */
  readonly topic: LogTopic
  /** The compiled function, or the op of an eager call. */
  readonly name: string
  /** The user's line; null: none is known. */
  readonly at: SourceLocation | null
  /** One line. */
  readonly what: string
}

/** Receives events as they happen. */
export type LogSink = (event: LogEvent) => void

const none: ReadonlySet<LogTopic> = new Set()
let topics = none
let sink: LogSink = writeEvent

/** Chooses the topics that are logged from now on, and where to. For the library; users call `setLogs`. */
export function changeLog(chosen: readonly LogTopic[], to: LogSink = writeEvent): void {
  topics = new Set(chosen)
  sink = to
}

export const isLogged = (topic: LogTopic): boolean => topics !== none && topics.has(topic)

/** Logs an event; `what` is asked only if the topic is on. `at`: default: the user's line in the present call. */
export function log(topic: LogTopic, name: string, what: () => string, at?: SourceLocation | null): void {
  if (!isLogged(topic)) return
  sink({ topic, name, at: at === undefined ? userLocation() : at, what: what() })
}

/** An event as its line. */
export function printEvent({ topic, name, at, what }: LogEvent): string {
  const place = at === null ? '' : ` at ${at.file}:${at.line}`
  return `tegula ${topic}: ${name}${place}: ${what.replaceAll(/\s*\n\s*/g, ' ')}`
}

function writeEvent(event: LogEvent): void {
  process.stderr.write(`${printEvent(event)}\n`)
}

/** The topics in a list of names, as TEGULA_LOG has it: `graph,fusion`, or `all`. Throws ArgumentError for other names. */
export function topicsIn(text: string): readonly LogTopic[] {
  const known = Object.keys(logTopics) as LogTopic[]
  return text.split(',').flatMap(part => {
    const name = part.trim()
    if (name === 'all') return known
    const topic = known.find(each => each === name)
    if (topic !== undefined) return [topic]
    throw new ArgumentError(`log: there is no topic ${JSON.stringify(name)}`, {
      fix: `choose some of ${known.join(', ')}, or all`,
      at: null,
    })
  })
}

/** The topics, one a line. */
export const logHelp = (): string =>
  Object.entries(logTopics)
    .map(([name, meaning]) => `  ${name.padEnd(11)}${meaning}\n`)
    .join('')
