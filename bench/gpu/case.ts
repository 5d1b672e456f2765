/** What the cases share: what they measure, and the check of their numbers. */
import type { Tensor } from 'tegula'
import type { DeviceTimer } from './timing.js'

export interface Measured {
  readonly case: string
  readonly variant: string
  readonly us: number
  /** Bytes that must move, or arithmetic that must be done. */
  readonly bytes?: number
  readonly flops?: number
}

export interface GpuCase {
  readonly name: string
  /** Least ratio of the peer's best time to ours. */
  readonly bar?: number
  /** Least share of the copy bandwidth, or of the peer's matrix rate. */
  readonly share?: number
  run(timer: DeviceTimer): Measured[]
}

/** Throws unless the largest difference is within `tolerance` of the largest expected magnitude. */
export function check(what: string, got: Tensor, expected: Tensor, tolerance: number): void {
  const [a, b] = [got.to('cpu').to('f64').dataSync('f64'), expected.to('cpu').to('f64').dataSync('f64')]
  let [error, scale] = [0, 1e-30]
  for (let i = 0; i < b.length; i++) {
    error = Math.max(error, Number.isNaN(a[i]!) ? Number.POSITIVE_INFINITY : Math.abs(a[i]! - b[i]!))
    scale = Math.max(scale, Math.abs(b[i]!))
  }
  if (!(error <= tolerance * scale)) throw new Error(`${what}: error ${error} at scale ${scale}`)
}
