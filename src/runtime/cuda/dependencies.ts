/** The dependences between the steps of a list. */
import { InternalError } from '../../base/errors.js'

/** For each step, the earlier steps that must be done before it. */
export type Dependencies = readonly (readonly number[])[]

/** Above this many steps the reachability table would take too much memory. */
const maxSteps = 8192

export const inOrder = (steps: number): Dependencies =>
  Array.from({ length: steps }, (_, i) => (i === 0 ? [] : [i - 1]))

/** Transitive reduction: the same order with the fewest edges. */
export function reduceDependencies(dependencies: Dependencies): Dependencies {
  for (const [step, before] of dependencies.entries()) {
    if (before.some(other => !(other >= 0 && other < step))) {
      throw new InternalError(`step ${step} depends on steps ${before.join(', ')}`)
    }
  }
  if (dependencies.length > maxSteps) return dependencies
  const words = Math.ceil(dependencies.length / 32)
  /** The predecessors, direct or not, one bit each. */
  const reached: Uint32Array[] = []
  const has = (set: Uint32Array, step: number): boolean => ((set[step >> 5]! >>> (step & 31)) & 1) === 1
  return dependencies.map(before => {
    const all = new Uint32Array(words)
    const needed: number[] = []
    // From the latest on, so that what an earlier one implies is known when it is visited.
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
