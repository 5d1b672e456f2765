/** Which steps of a list must be done before which. */
import { InternalError } from '../../base/errors.js'

/** For each step, the earlier steps that must be done before it. */
export type Dependencies = readonly (readonly number[])[]

/** Beyond this many steps the table of what comes before what would take too much memory. */
const maxSteps = 8192

export const inOrder = (steps: number): Dependencies =>
  Array.from({ length: steps }, (_, i) => (i === 0 ? [] : [i - 1]))

/** The same order with the fewest edges: a step need not wait for what one of its other predecessors waits for. */
export function reduceDependencies(dependencies: Dependencies): Dependencies {
  for (const [step, before] of dependencies.entries()) {
    if (before.some(other => !(other >= 0 && other < step))) {
      throw new InternalError(`step ${step} depends on steps ${before.join(', ')}`)
    }
  }
  if (dependencies.length > maxSteps) return dependencies
  const words = Math.ceil(dependencies.length / 32)
  /** One bit for each step that comes before, in any way. */
  const reached: Uint32Array[] = []
  const has = (set: Uint32Array, step: number): boolean => ((set[step >> 5]! >>> (step & 31)) & 1) === 1
  return dependencies.map(before => {
    const all = new Uint32Array(words)
    const needed: number[] = []
    // From the latest on: what an earlier one brings is then known when it is looked at.
    for (const other of [...new Set(before)].sort((a, b) => b - a)) {
      if (has(all, other)) continue
      needed.push(other)
      all[other >> 5]! |= 1 << (other & 31)
      for (const [word, bits] of reached[other]!.entries()) all[word]! |= bits
    }
    reached.push(all)
    return needed.reverse()
  })
}
