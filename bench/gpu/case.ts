/** What the cases share: what they measure, the bars they are held to, and the check of their numbers. */
import type { Tensor } from 'tegula'
import type { DeviceTimer } from './timing.js'

/** The peer's figures of the same work. */
export interface PeerFigures {
  /** Its case. */
  readonly case: string
  /** The variants that count, by the start of their names; default: all but first calls. */
  readonly variants?: readonly string[]
}

/** What a time is held against. */
export interface Bars {
  /** Default: the peer's case of the same name. */
  readonly peer?: PeerFigures
  /** Least ratio of the peer's best time to ours. */
  readonly bar?: number
  /** Least share of the bandwidth of a copy of as many bytes. */
  readonly share?: number
}

export interface Measured extends Bars {
  readonly case: string
  readonly variant: string
  readonly us: number
  /** Bytes that must move, or arithmetic that must be done. */
  readonly bytes?: number
  readonly flops?: number
  /** Shown for comparison: no bar of its case is held against it. */
  readonly aside?: boolean
}

/** Bars of a case hold for each row that has none of its own. */
export interface GpuCase extends Bars {
  readonly name: string
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
