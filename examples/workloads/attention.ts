/**
 * Attention, written out and as the built-in op: run eagerly and compiled, side by side. The compiler recognises what is
 * written out, so that both become one kernel, which never holds the scores of all pairs.
 *
 *     npx tsx examples/workloads/attention.ts [--small]
 *     npx tegula bench examples/workloads/attention.ts     # what is written out, eagerly and in every compiled mode
 *
 * The limit is what the arithmetic alone takes at the rate of a large matrix product, measured in the same run.
 */
import { fileURLToPath } from 'node:url'
import { compile, getDefaultDevice, manualSeed, randn, synchronize, type Tensor } from 'tegula'
import { functional as F } from 'tegula/nn'

const isSmall = process.argv.includes('--small')
const [batch, heads, length, size] = isSmall ? [1, 2, 100, 32] : [32, 8, 512, 64]
const side = isSmall ? 128 : 1024
const tolerance = 1e-5

manualSeed(0)
export const inputs = [0, 1, 2].map(() => randn([batch, heads, length, size])) as [Tensor, Tensor, Tensor]

/** softmax(q @ kᵀ / √size) @ v for q, k, v [batch, heads, length, size]. */
export default function writtenOut(q: Tensor, k: Tensor, v: Tensor): Tensor {
  const scores = q.matmul(k.transpose(-2, -1)).mul(1 / Math.sqrt(q.size(-1)))
  return scores.softmax(-1).matmul(v)
}

export const builtIn = (q: Tensor, k: Tensor, v: Tensor): Tensor => F.scaledDotProductAttention(q, k, v)
export const causal = (q: Tensor, k: Tensor, v: Tensor): Tensor =>
  F.scaledDotProductAttention(q, k, v, { isCausal: true })

/** Throws unless both are alike, relative to the largest expected value. */
function check(name: string, result: Tensor, expected: Tensor): void {
  const error = result.sub(expected).abs().max().itemSync() as number
  const scale = expected.abs().max().itemSync() as number
  if (!(error <= tolerance * scale)) throw new Error(`${name}: off by ${error} at a scale of ${scale}`)
}

/** The best milliseconds of each call, taken in turns. */
function bestTimes(calls: readonly (() => Tensor)[], rounds = isSmall ? 2 : 8): number[] {
  const best = calls.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round <= rounds; round++) {
    for (const [i, call] of calls.entries()) {
      const start = performance.now()
      call().dispose()
      if (inputs[0].device !== 'cpu') synchronize()
      if (round > 0) best[i] = Math.min(best[i]!, performance.now() - start)
    }
  }
  return best
}

function main(): void {
  const [q, k, v] = inputs
  const [fused, recognised, masked] = [compile(builtIn), compile(writtenOut), compile(causal)]
  const ways: readonly (readonly [string, () => Tensor])[] = [
    ['written out, eager', () => writtenOut(q, k, v)],
    ['written out, compiled', () => recognised(q, k, v)],
    ['built in, eager', () => builtIn(q, k, v)],
    ['built in, compiled', () => fused(q, k, v)],
    ['causal, compiled', () => masked(q, k, v)],
  ]
  const expected = writtenOut(q, k, v)
  for (const [name, call] of ways.slice(1, 4)) check(name, call(), expected)

  const [x, y] = [randn([side, side]), randn([side, side])]
  const [product, ...times] = bestTimes([() => x.matmul(y), ...ways.map(([, call]) => call)]) as [number, ...number[]]
  const flops = 4 * batch * heads * length * length * size
  const limit = (flops * product) / (2 * side ** 3)
  console.log(`${batch}×${heads} heads, ${length} queries and keys, size ${size}, f32, on ${getDefaultDevice()}`)
  console.log(`products alone at the rate of a ${side}×${side} product: ${limit.toFixed(1)} ms`)
  for (const [i, [name]] of ways.entries()) {
    const ms = times[i]!
    const share = name.startsWith('causal') ? '' : `, ${((100 * limit) / ms).toFixed(0)} % of the limit`
    console.log(`${name.padEnd(24)}${ms.toFixed(2)} ms, ${(times[0]! / ms).toFixed(1)} times as fast${share}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
