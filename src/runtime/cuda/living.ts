/**
 * Which blocks JavaScript can still reach, found out in the middle of a synchronous loop: finalizers run between turns
 * of the event loop only, so a loop that makes and drops tensors would never give memory back without this.
 */
import * as v8 from 'node:v8'
import { CudaBlock } from './block.js'

type QueryObjects = (type: unknown, options: { format: 'summary' }) => string[]

/** Collects garbage and lists the leases whose blocks are reachable; null on Node before 20.13, which cannot. */
export function livingLeases(): Set<number> | null {
  const { queryObjects } = v8 as { queryObjects?: QueryObjects }
  return queryObjects === undefined ? null : new Set(queryObjects(CudaBlock, { format: 'summary' }).map(Number))
}
