/** Definitions shared by the cases: their measurements, their pass limits, and the check of their results. */
import type { Tensor } from 'tegula'
import type { Bar } from '../report.js'
import type { DeviceTimer } from './timing.js'

/** Selects the peer's figures for the same work. */
export interface PeerFigures {
  /** The peer's case. */
  readonly case: string
  /** The variants that count, by the prefix of their names; default: all except first calls. */
  readonly variants?: readonly string[]
}

/** The reference of a time. */
export interface Bars {
  /** Default: the peer's case of the same name. */
  readonly peer?: PeerFigures
  /** Minimum ratio of the peer's best time to ours. */
  readonly bar?: number
  /** Minimum share of the bandwidth of a copy of as many bytes. */
  readonly share?: number
}

export interface Ceiling {
  readonly what: string
  readonly value: number
  readonly unit: Bar['unit']
  readonly limit: number
}

export interface Measured extends Bars {
  readonly case: string
  readonly variant: string
  readonly us: number
  /** Bytes that must be moved, or arithmetic that must be done. */
  readonly bytes?: number
  readonly flops?: number
  /** What else was measured, with its upper limit. */
  readonly ceilings?: readonly Ceiling[]
  /** Shown for comparison only: the case's limits do not apply to it. */
  readonly aside?: boolean
  /** Other figures, printed with the time. */
  readonly note?: string
}

/** A case's limits apply to each row without its own. */
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
