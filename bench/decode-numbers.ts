/**
 * A decode loop whose position and sizes never stop moving, next to a warm call with fixed ones: what a token costs that
 * compiles nothing. `npx tsx bench/decode-numbers.ts`.
 */
import { compile, rand, scalar, type Tensor, zeros } from '../src/index.js'

const [length, width, tokens] = [256, 64, 50]

function attend(cache: Tensor, x: Tensor): Tensor {
  return cache
    .matmul(x.reshape([width, 1]))
    .softmax(0)
    .mul(cache)
    .sum(0)
}

const median = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!

function time(call: (token: number) => Tensor): number {
  const rounds = Array.from({ length: 20 }, () => {
    const start = process.hrtime.bigint()
    for (let token = 0; token < tokens; token++) call(token).dispose()
    return Number(process.hrtime.bigint() - start) / tokens
  })
  return median(rounds)
}

const [cache, x] = [zeros([length, width]), rand([1, width])]
const at = scalar(0)
const moving = compile((memory: Tensor, token: Tensor) => {
  memory.narrow(0, at, 1).copy_(token)
  return attend(memory.narrow(0, 0, at.add(1)), token)
})
// The same work at the mean of the positions.
const middle = tokens / 2
const fixed = compile((memory: Tensor, token: Tensor) => {
  memory.narrow(0, middle, 1).copy_(token)
  return attend(memory.narrow(0, 0, middle + 1), token)
})
const run = (token: number): Tensor => {
  at.value = token
  return moving(cache, x)
}
for (let token = 0; token < tokens; token++) run(token).dispose()
fixed(cache, x).dispose()
const perToken = time(run)
const warm = time(() => fixed(cache, x))
const ratio = (perToken / warm).toFixed(2)
console.log(`moving ${(perToken / 1e3).toFixed(2)} µs a token, fixed ${(warm / 1e3).toFixed(2)} µs: ${ratio}×`)
console.log(`${moving.stats().compiles} compiled versions for ${tokens} tokens`)
