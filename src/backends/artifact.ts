/**
 * What compiling a graph leaves behind: the plan with each kernel reduced to its interface (symbol, parameters,
 * resources) and one native library that holds them all. An artifact is plain data: it is what the disk cache stores under
 * the graph's key, so that a second process neither schedules nor compiles anything.
 */

import { holdsSizes, sizeReplacer, sizeReviver } from '../scalar/size-json.js'
import { launchesAmong, type Plan } from '../schedule/plan/plan.js'
import type { Parameter } from '../tile/ir.js'
import type { KernelResources } from './target.js'

export interface KernelInterface {
  /** The function's name in the library. */
  readonly symbol: string
  readonly params: readonly Parameter[]
  /** Indices of the parameters that it writes. */
  readonly writes: readonly number[]
  readonly resources: KernelResources
}

export interface Artifact {
  readonly plan: Omit<Plan, 'kernels'>
  readonly kernels: readonly KernelInterface[]
  /** The translation unit; the device finds (or makes) its library by this text. Empty: the plan runs no kernel. */
  readonly source: string
}

/** A block of an artifact's plan as a separate artifact with the same code. */
export const blockArtifact = (artifact: Artifact, block: number): Artifact => ({
  ...artifact,
  plan: { ...artifact.plan, ...artifact.plan.blocks[block]! },
})

/** The buffers that kernels write. */
export function writtenBuffers({ plan, kernels }: Artifact): Set<number> {
  const written = new Set<number>()
  for (const { kernel, args } of launchesAmong(plan.steps)) {
    for (const param of kernels[kernel]!.writes) {
      const arg = args[param]!
      if (arg.kind === 'view') written.add(arg.buffer)
    }
  }
  return written
}

export function encodeArtifact(artifact: Artifact): Uint8Array {
  return Buffer.from(JSON.stringify(artifact, sizeReplacer))
}

/** The inverse of `encodeArtifact`; the cache has verified the bytes' digest, so their shape is as it was written. */
export function decodeArtifact(bytes: Uint8Array): Artifact {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return JSON.parse(text, holdsSizes(text) ? sizeReviver : undefined) as Artifact // a reviver takes ten times as long
}
