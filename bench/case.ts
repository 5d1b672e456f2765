/** Helpers shared by the cases: inputs as data, checks of results, and races against the peer and the roofline limits. */
import { randn, type Tensor } from 'tegula'
import type { OnnxGraph } from './onnx.js'
import type { Arrays, OnnxRun, Peers } from './peers.js'
import { type Contender, medianRatio, type RaceOptions, race, summarise } from './race.js'
import type { Bar, CaseResult } from './report.js'

export interface BenchContext {
  readonly peers: Peers
  readonly cores: number
}

export interface BenchCase {
  readonly name: string
  run(context: BenchContext): Promise<CaseResult>
}

export const dataOf = (tensor: Tensor): Float32Array => Float32Array.from(tensor.dataSync() as Float32Array)

/** A standard normal tensor times `scale`. */
export function normal(shape: readonly number[], scale = 1): Tensor {
  return randn([...shape]).mul(scale)
}

/** Throws unless the largest difference is within `tolerance` of the largest expected magnitude. */
export function checkClose(what: string, got: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  if (got.length !== expected.length) throw new Error(`${what}: ${got.length} elements, expected ${expected.length}`)
  let [error, scale] = [0, 0]
  for (let i = 0; i < got.length; i++) {
    error = Math.max(error, Math.abs(got[i]! - expected[i]!) || (Number.isNaN(got[i]!) ? Number.POSITIVE_INFINITY : 0))
    scale = Math.max(scale, Math.abs(expected[i]!))
  }
  if (!(error <= tolerance * scale)) throw new Error(`${what}: error ${error} at scale ${scale}`)
}

/** A comparison, with a pass limit, of our time with another contender's. */
export interface VersusBar {
  readonly against: string
  readonly what: string
  readonly limit: number
  /** Divisor of the other contender's time before the ratio is taken: 1, unless it does other work. */
  readonly work?: number
}

export interface Versus {
  readonly name: string
  /** Our call; its result is freed. */
  readonly ours: () => Tensor
  readonly onnx: { readonly graph: OnnxGraph; readonly feeds: Arrays } | null
  readonly limits?: Readonly<Record<string, Contender>>
  readonly tolerance: number
  readonly bars: readonly VersusBar[]
  readonly race: RaceOptions
  figures?(nanoseconds: Readonly<Record<string, number>>): Readonly<Record<string, string>>
}

/** Checks that our results agree with onnxruntime's, then times both and the limits. */
export async function versus(peers: Peers, setup: Versus): Promise<CaseResult> {
  const peer = setup.onnx === null ? null : ((await peers.onnx?.(setup.onnx.graph, setup.onnx.feeds)) ?? null)
  await checkAgainst(setup, peer)
  const contenders: Record<string, Contender> = {
    ours: { call: () => setup.ours().dispose() },
    ...(peer === null ? {} : { onnxruntime: { call: () => peer.run() } }),
    ...setup.limits,
  }
  const names = Object.keys(contenders)
  const rounds = await race(Object.values(contenders), setup.race)
  await peer?.release()
  const { nanoseconds, best } = summarise(names, rounds)
  const bars = setup.bars.map(({ against, what, limit, work = 1 }): Bar => {
    const other = names.indexOf(against)
    const value = other < 0 ? null : medianRatio(rounds[other]!, rounds[0]!) / work
    return { what, value, unit: '×', bound: '≥', limit }
  })
  const notes = setup.onnx !== null && peer === null ? peers.notes.filter(note => note.startsWith('onnx')) : []
  return { name: setup.name, nanoseconds, best, figures: setup.figures?.(nanoseconds) ?? {}, bars, notes }
}

async function checkAgainst({ name, ours, tolerance }: Versus, peer: OnnxRun | null): Promise<void> {
  const result = ours()
  if (peer !== null) {
    await peer.run()
    checkClose(`${name}: against onnxruntime`, dataOf(result), Object.values(peer.outputs)[0]!, tolerance)
  }
  result.dispose()
}

export const skipped = (name: string, why: string): CaseResult => ({
  name,
  nanoseconds: {},
  best: {},
  figures: {},
  bars: [],
  notes: [why],
})
