/**
 * Random state. Tegula's random numbers are counter-based (Philox-4x32-10): a number is a function of a seed and a
 * position, so a generator is only a seed and the next free position, and a compiled function can draw fresh numbers.
 */
import { randomBytes } from 'node:crypto'
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { LocalObject } from '../base/local.js'
import { runningPart } from './autograd/recomputation.js'
import { currentTrace } from './trace.js'

/**
 * Reading or setting the state inside a compiled function is a graph break: the draws recorded so far happen first, and the
 * access happens at each call, not once at capture. Throws CaptureError under `fullgraph`.
 */
const atEachCall = (what: string): void => currentTrace()?.flush(what)

/** What an op needs to draw its numbers. */
export interface RandomState {
  /** The seed, 64 bits. */
  readonly seed: bigint
  /** How many numbers were drawn before. */
  readonly offset: bigint
}

/**
 * A stream of random numbers of its own: `rand([2], { generator })`. A number is a function of the seed and of its position
 * (Philox-4x32-10), so that the same seed gives the same numbers on every device.
 */
export class Generator extends LocalObject {
  #seed: bigint
  #offset = 0n

  /** @param seed any 64-bit integer; without it the generator starts at a random seed */
  constructor(seed?: number | bigint) {
    super('a generator', 'send its seed and offset, and restore() them there')
    atEachCall('new Generator')
    this.#seed = seed === undefined ? randomBytes(8).readBigInt64LE() : checkSeed(seed)
  }

  /** The seed that it was given, or drew itself. */
  get seed(): bigint {
    atEachCall('generator.seed')
    return this.#seed
  }

  /** Numbers drawn so far. */
  get offset(): bigint {
    atEachCall('generator.offset')
    return this.#offset
  }

  /** Starts over with `seed`: the same calls then draw the same numbers. Throws ArgumentError for a non-integer. */
  manualSeed(seed: number | bigint): this {
    atEachCall('manualSeed')
    this.#seed = checkSeed(seed)
    this.#offset = 0n
    return this
  }

  /** Sets the state to one read earlier from `seed` and `offset`. */
  restore(state: RandomState): void {
    if (typeof state?.seed !== 'bigint' || typeof state.offset !== 'bigint')
      throw new ArgumentError(`restore: the state is ${describeAny(state)}`, {
        fix: 'pass { seed, offset } as bigints, as they were read from a generator',
      })
    atEachCall('generator.restore')
    this.#seed = state.seed
    this.#offset = state.offset
  }

  /** Takes the next `count` positions. */
  take(count: number): RandomState {
    const part = runningPart()
    return part === null ? this.#next(count) : part.draw(this, count, () => this.#next(count))
  }

  #next(count: number): RandomState {
    const state = { seed: this.#seed, offset: this.#offset }
    this.#offset += BigInt(count)
    return state
  }
}

function checkSeed(seed: number | bigint): bigint {
  if (typeof seed === 'bigint') return BigInt.asIntN(64, seed)
  if (Number.isSafeInteger(seed)) return BigInt(seed)
  throw new ArgumentError(
    `manualSeed: ${typeof seed === 'number' ? seed : describeAny(seed)} is no integer of at most 53 bits`,
    {
      fix: 'pass an integer, or a bigint',
    },
  )
}

/** The generator of ops that are given none: the one piece of random state of the process. */
export const defaultGenerator = new Generator()

/**
 * Seeds the default generator, that of ops that are given none: the same calls then draw the same numbers.
 *
 * @param seed an integer, or a bigint (its low 64 bits count)
 * @returns the default generator
 * @throws ArgumentError for what is no integer
 */
export function manualSeed(seed: number | bigint): Generator {
  return defaultGenerator.manualSeed(seed)
}
