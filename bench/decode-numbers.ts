/**
 * A decode loop whose position and sizes change at every token. Compares the cost of a token that compiles nothing with a warm
 * call, i.e. the same compiled function called at one position repeatedly. Also measures the cost of a new value of a number
 * that is read: one more trace, which is matched with the first. `npx tsx bench/decode-numbers.ts`.
 *
 * All forms run in turn, in one process; results are checked first; times are medians over rounds.
 */
import { cat, compile, rand, scalar, type Tensor, zeros } from '../src/index.js'

const [tokens, rounds, passes] = [50, 200, 3]

function attend(seen: Tensor, x: Tensor): Tensor {
  return seen.matmul(x.t()).softmax(0).mul(seen).sum(0)
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!

/** Runs the token at a position. */
type Run = (place: number) => Tensor

/** Throws unless a form gives the results of eager code. */
function check(name: string, run: Run, eager: Run): void {
  for (let place = 0; place < tokens; place++) {
    const [got, wanted] = [run(place), eager(place)].map(result => Array.from(result.dataSync() as Float32Array))
    const worst = Math.max(...got!.map((value, i) => Math.abs(value - wanted![i]!)))
    if (!(worst < 1e-4)) throw new Error(`${name} at ${place}: wrong by ${worst}`)
  }
}

/** Median time per token, in nanoseconds. */
function time(forms: Readonly<Record<string, Run>>): Record<string, number> {
  const times = Object.entries(forms).map(([name, run]) => ({ name, run, list: [] as number[] }))
  for (let round = -rounds; round < rounds; round++) {
    for (const { run, list } of times) {
      const start = process.hrtime.bigint()
      for (let pass = 0; pass < passes; pass++) for (let place = 0; place < tokens; place++) run(place).dispose()
      if (round >= 0) list.push(Number(process.hrtime.bigint() - start) / tokens / passes)
    }
  }
  return Object.fromEntries(times.map(({ name, list }) => [name, median(list)]))
}

function decode(length: number, width: number): void {
  const xs = Array.from({ length: tokens }, () => rand([1, width]))
  const written = zeros([length, width])
  for (const [place, x] of xs.entries()) written.narrow(0, place, 1).copy_(x)
  const eager: Run = place => attend(written.narrow(0, 0, place + 1), xs[place]!)

  const [cache, at] = [zeros([length, width]), scalar(0)]
  const step = compile((memory: Tensor, x: Tensor) => {
    memory.narrow(0, at, 1).copy_(x)
    return attend(memory.narrow(0, 0, at.add(1)), x)
  })
  const moving: Run = place => {
    at.value = place
    return step(cache, xs[place]!)
  }
  const warm: Run = place => {
    at.value = tokens / 2
    return step(cache, xs[place]!)
  }
  const known = compile((memory: Tensor, x: Tensor) => {
    memory.narrow(0, tokens / 2, 1).copy_(x)
    return attend(memory.narrow(0, 0, tokens / 2 + 1), x)
  })
  // The growing form: the tokens so far, and this token.
  const before = xs.map((_, place) => written.narrow(0, 0, place).clone())
  const grow = compile((old: Tensor, x: Tensor) => attend(cat([old, x]), x))
  const growing: Run = place => grow(before[place]!, xs[place]!)
  const growReading = compile((old: Tensor, x: Tensor) => {
    const [n] = old.shape
    return attend(cat([old, x]).narrow(0, 0, n! + 1), x)
  })
  const reading: Run = place => growReading(before[place]!, xs[place]!)

  for (const [name, run] of Object.entries({ moving, growing, reading })) check(name, run, eager)
  const times = time({
    moving,
    warm,
    'constant position': place => known(cache, xs[place]!),
    growing,
    'growing, warm': place => grow(before[tokens / 2]!, xs[place]!),
    'sizes read': reading,
    'sizes read, warm': place => growReading(before[tokens / 2]!, xs[place]!),
  })
  const compiles = [step, grow, growReading].map(fn => fn.stats().compiles)
  console.log(`cache of ${length} × ${width}, ${tokens} tokens; ${compiles.join(', ')} compiled versions; ns a token:`)
  const ratio = (a: string, b: string): string => `${(times[a]! / times[b]!).toFixed(2)}×`
  for (const [name, value] of Object.entries(times)) console.log(`  ${name.padEnd(20)} ${value.toFixed(0)}`)
  console.log(
    `  moving/warm ${ratio('moving', 'warm')}, growing ${ratio('growing', 'growing, warm')}, ` +
      `sizes read ${ratio('sizes read', 'sizes read, warm')} (bar of the first: 1.2×)`,
  )
}

/** Microseconds per op of the trace for a new value of a number argument. */
function traceAndMatch(ops: number): void {
  const x = rand([8])
  const chain = compile((t: Tensor, n: number) => {
    let y = t
    for (let i = 0; i < ops / 2; i++) y = y.mul(n).add(i)
    return y
  })
  let value = 0.5
  const call = (): void => {
    value += 1e-4
    chain(x, value).dispose()
  }
  for (let i = 0; i < 200; i++) call()
  const before = chain.stats().compiles
  const list = Array.from({ length: 400 }, () => {
    const start = process.hrtime.bigint()
    call()
    return Number(process.hrtime.bigint() - start) / 1e3 / ops
  })
  if (chain.stats().compiles !== before) throw new Error('a new value was compiled')
  console.log(`trace and match, ${ops} ops: ${median(list).toFixed(2)} µs an op (bar: 10)`)
}

for (const [length, width] of [
  [64, 64],
  [128, 64],
  [256, 64],
  [2048, 128],
] as const)
  decode(length, width)
for (const ops of [20, 100]) traceAndMatch(ops)
