/** Queries V8's heap for the living objects of a class, without keeping any alive. */
import v8 from 'node:v8'

type QueryObjects = (type: unknown, options: { format: 'summary' }) => string[]

/** Each living object in node's inspection format; null when this Node has no such query. */
export function describeLiving(type: unknown): string[] | null {
  const { queryObjects } = v8 as { queryObjects?: QueryObjects }
  if (queryObjects === undefined) return null
  // Suppresses node's ExperimentalWarning: users can do nothing about it.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return queryObjects(type, { format: 'summary' })
  } finally {
    process.emitWarning = emitWarning
  }
}
