/** Ops on numbers, which the interpreters run, against the scalar table's exact values. */
import { expect, it } from 'vitest'
import { numberFunction } from '../../src/scalar/numbers.js'
import { evaluate } from '../../src/scalar/ops.js'

const powers = [31, 32, 33, 52].flatMap(bits => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1])
const positive = [0, 1, 5, 0xdeadbeef, ...powers, Number.MAX_SAFE_INTEGER]
const safe = [...positive, ...positive.slice(1).map(value => -value)]

it.each(['and', 'or', 'xor'] as const)('%s of safe integers as i64 is exact', name => {
  const apply = numberFunction(name, 'i64')
  for (const a of safe) {
    for (const b of safe)
      expect(BigInt(apply(a, b, 0)), `${a}, ${b}`).toBe(evaluate(name, 'i64', [BigInt(a), BigInt(b)]))
  }
})
