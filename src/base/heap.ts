/** Asks V8's heap which objects of a class are alive, without keeping any alive. */
import v8 from 'node:v8'

type QueryObjects = (type: unknown, options: { format: 'summary' }) => string[]

/** Each living object as node inspects it; null where this Node cannot tell. */
export function describeLiving(type: unknown): string[] | null {
  const { queryObjects } = v8 as { queryObjects?: QueryObjects }
  if (queryObjects === undefined) return null
  // Node calls it experimental, once, on stderr: whoever asked for a summary of memory cannot do anything about it.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return queryObjects(type, { format: 'summary' })
  } finally {
    process.emitWarning = emitWarning
  }
}
