/**
 * Runs before each suite. Every recorded op asks for the line of its caller, and vitest decodes a source map for each stack
 * anew, which takes longer than recording the op: the text of a single frame is remembered. Files do not change in a run.
 */
const format = Error.prepareStackTrace
const texts = new Map<string, unknown>()

const remembering: NonNullable<typeof format> = (error, sites) => {
  const [site] = sites
  const file = site?.getFileName()
  if (site === undefined || sites.length > 1 || typeof file !== 'string' || error.message !== '')
    return format!(error, sites)
  const place = `${file}:${site.getLineNumber()}:${site.getColumnNumber()}`
  if (!texts.has(place)) texts.set(place, format!(error, sites))
  return texts.get(place)
}

// Suites that share a process run this each.
if (format !== undefined && format.name !== remembering.name) Error.prepareStackTrace = remembering
