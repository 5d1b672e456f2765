import { describe, expect, it } from 'vitest'
import {
  addSizes,
  ceilDivSizes,
  compileSize,
  evaluateSize,
  exactQuotient,
  floorDivSizes,
  maxSizes,
  minSizes,
  modSizes,
  mulSizes,
  productOf,
  rangeOf,
  rangeWhere,
  type Size,
  sameShape,
  sameSize,
  sizeDivisor,
  sizeSymbol,
  subSizes,
  symbolsOf,
} from '../../src/scalar/size.js'
import { Choices } from '../support/choices.js'

const n = sizeSymbol('n', 1)
const m = sizeSymbol('m', 1)

describe('sizes', () => {
  it('are polynomials in canonical form', () => {
    expect(String(addSizes(mulSizes(n, 2), addSizes(m, n)))).toBe('m+3*n')
    expect(String(subSizes(mulSizes(m, n), mulSizes(n, m)))).toBe('0')
    expect(sameSize(mulSizes(addSizes(n, 1), addSizes(n, -1)), subSizes(mulSizes(n, n), 1))).toBe(true)
    expect(productOf([2, n, 3])).toEqual(mulSizes(n, 6))
    expect(sameShape([n, 2], [n, 2])).toBe(true)
    expect(sameShape([n, 2], [n])).toBe(false)
  })

  it('divide where the quotient is a polynomial', () => {
    expect(String(floorDivSizes(addSizes(mulSizes(n, 8), 16), 8))).toBe('n+2')
    expect(String(floorDivSizes(mulSizes(n, m), n))).toBe('m')
    expect(exactQuotient(addSizes(n, 1), 2)).toBeNull()
    expect(exactQuotient(0, n)).toBe(0)
    expect(String(floorDivSizes(n, 4))).toBe('floorDiv(n,4)')
    expect(modSizes(mulSizes(n, 8), 4)).toBe(0)
    expect(String(modSizes(n, 4))).toBe('mod(n,4)')
    expect(String(ceilDivSizes(n, 4))).toBe('floorDiv(n+3,4)')
  })

  it('divide for all multiples of 16 of their symbols', () => {
    expect(sizeDivisor(addSizes(mulSizes(n, m), 64), 16, 1024)).toBe(64)
    expect(sizeDivisor(addSizes(n, 4), 16, 16)).toBe(4)
    expect(sizeDivisor(floorDivSizes(n, 3), 16, 16)).toBe(1)
    expect(sizeDivisor(floorDivSizes(addSizes(n, m), 2), 16, 16)).toBe(8)
    expect(sizeDivisor(mulSizes(modSizes(n, 24), 4), 16, 1024)).toBe(32)
    expect(sizeDivisor(maxSizes(n, 40), 16, 16)).toBe(8)
  })

  it('are bounded, divided and computed correctly, whatever they consist of', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = new Choices(seed)
      const [least, count] = [random.below(3), 1 + random.below(4)]
      const symbols = ['a', 'b'].map(name => sizeSymbol(name, 4 * least, 4 * (least + count)))
      // A size, and what it is where its symbols have values.
      const randomSize = (depth: number): { size: Size; at: (values: ReadonlyMap<string, number>) => number } => {
        const which = depth === 0 ? random.below(2) : 2 + random.below(7)
        if (which === 0) {
          const value = random.below(9)
          return { size: value, at: () => value }
        }
        if (which === 1) {
          const symbol = random.of(symbols)
          return { size: symbol, at: values => values.get(symbol.canonicalText)! }
        }
        const [x, y] = [randomSize(depth - 1), randomSize(depth - 1)]
        const by = 1 + random.below(6)
        switch (which) {
          case 2:
            return { size: addSizes(x.size, y.size), at: values => x.at(values) + y.at(values) }
          case 3:
            return { size: subSizes(x.size, y.size), at: values => x.at(values) - y.at(values) }
          case 4:
            return { size: mulSizes(x.size, y.size), at: values => x.at(values) * y.at(values) }
          case 5:
            return { size: floorDivSizes(x.size, by), at: values => Math.floor(x.at(values) / by) }
          case 6:
            return { size: modSizes(x.size, by), at: values => x.at(values) - by * Math.floor(x.at(values) / by) }
          case 7:
            return { size: minSizes(x.size, y.size), at: values => Math.min(x.at(values), y.at(values)) }
          default:
            return { size: maxSizes(x.size, y.size), at: values => Math.max(x.at(values), y.at(values)) }
        }
      }
      const { size, at } = randomSize(3)
      const { min, max } = rangeOf(size)
      const divisor = sizeDivisor(size, 4, 64)
      for (let i = 0; i <= count; i++) {
        for (let j = 0; j <= count; j++) {
          const values = new Map([
            ['a', 4 * (least + i)],
            ['b', 4 * (least + j)],
          ])
          const value = at(values) + 0
          const what = `seed ${seed}: ${size} is ${value}, in [${min}, ${max}], by ${divisor}`
          expect(evaluateSize(size, values) + 0, what).toBe(value)
          expect(value >= min && value <= max && value % divisor === 0, what).toBe(true)
        }
      }
    }
  })

  it('use bounds', () => {
    const small = sizeSymbol('s', 0, 7)
    expect(floorDivSizes(small, 8)).toBe(0)
    expect(modSizes(small, 8)).toBe(small)
    expect(minSizes(small, 10)).toBe(small)
    expect(maxSizes(small, 10)).toBe(10)
    expect(minSizes(n, n)).toBe(n)
    expect(rangeOf(addSizes(mulSizes(small, 2), 1))).toEqual({ min: 1, max: 15 })
    expect(rangeOf(floorDivSizes(addSizes(small, 8), 4))).toEqual({ min: 2, max: 3 })
    expect(rangeOf(modSizes(n, 4))).toEqual({ min: 0, max: 3 })
    // How many windows of 3 fit, two apart; and what a place's part of an adaptive pooling takes.
    const windows = addSizes(floorDivSizes(addSizes(sizeSymbol('w', 3, 9), -3), 2), 1)
    expect(rangeOf(windows)).toEqual({ min: 1, max: 4 })
    const part = subSizes(ceilDivSizes(mulSizes(n, 2), 3), floorDivSizes(n, 3))
    expect(rangeOf(part).min).toBeGreaterThanOrEqual(0)
  })

  it('name their symbols, and need a value for each', () => {
    const size = addSizes(floorDivSizes(n, 4), m)
    expect([...symbolsOf(size)].sort()).toEqual(['m', 'n'])
    expect(() => evaluateSize(size, new Map([['n', 4]]))).toThrow('no value for m')
  })

  it('keep their value under simplification', () => {
    let state = 7
    const random = (bound: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return Math.floor((state / 2 ** 32) * bound)
    }
    const values = new Map([
      ['n', 0],
      ['m', 0],
    ])
    type Both = { size: Size; value: () => number }
    const build = (depth: number): Both => {
      const pick = depth === 0 ? random(3) : 3 + random(7)
      if (pick === 0) return { size: n, value: () => values.get('n')! }
      if (pick === 1) return { size: m, value: () => values.get('m')! }
      const constant = 1 + random(9)
      if (pick === 2) return { size: constant, value: () => constant }
      const [a, b] = [build(depth - 1), build(depth - 1)]
      if (pick === 3) return { size: addSizes(a.size, b.size), value: () => a.value() + b.value() }
      if (pick === 4) return { size: mulSizes(a.size, b.size), value: () => a.value() * b.value() }
      if (pick === 5) return { size: minSizes(a.size, b.size), value: () => Math.min(a.value(), b.value()) }
      if (pick === 6) return { size: maxSizes(a.size, b.size), value: () => Math.max(a.value(), b.value()) }
      if (pick === 7) return { size: subSizes(a.size, b.size), value: () => a.value() - b.value() }
      if (pick === 8) return { size: floorDivSizes(a.size, constant), value: () => Math.floor(a.value() / constant) }
      return { size: modSizes(a.size, constant), value: () => a.value() - Math.floor(a.value() / constant) * constant }
    }
    for (let i = 0; i < 400; i++) {
      const { size, value } = build(1 + random(3))
      for (const [x, y] of [
        [1, 1],
        [5, 3],
        [17, 64],
      ] as const) {
        values.set('n', x).set('m', y)
        expect(evaluateSize(size, values) + 0, String(size)).toBe(value() + 0)
        const { min, max } = rangeOf(size)
        expect(min <= value() && value() <= max, `${size} in [${min}, ${max}]`).toBe(true)
      }
    }
  })

  it('compile to functions of an array', () => {
    const size = addSizes(mulSizes(n, m), floorDivSizes(n, 2))
    const at = (name: string) => (symbols: ArrayLike<number>) => symbols[name === 'n' ? 0 : 1]!
    expect(compileSize(size, at)([10, 3])).toBe(35)
  })

  it('tell where a linear size of one symbol is at least 0', () => {
    const range = (size: Size) => rangeWhere(size, 'n')
    expect(range(addSizes(mulSizes(n, -2), 7))).toEqual({ min: Number.MIN_SAFE_INTEGER, max: 3 })
    expect(range(addSizes(mulSizes(n, 3), -4))).toEqual({ min: 2, max: Number.MAX_SAFE_INTEGER })
    expect([range(addSizes(n, m)), range(mulSizes(n, n)), range(floorDivSizes(n, 2)), range(5)]).toEqual(
      Array(4).fill(null),
    )
  })
})

describe('facts about sizes', () => {
  it('may contain quotients of the sizes that they are about', () => {
    const facts: Size[] = []
    const a = sizeSymbol('a', 0, 100, facts)
    facts.push(subSizes(a, 3), subSizes(minSizes(floorDivSizes(a, m), m), 1))
    expect(rangeOf(addSizes(a, 1))).toEqual({ min: 4, max: 101 })
    expect(rangeOf(floorDivSizes(a, 2))).toEqual({ min: 1, max: 50 })
  })
})

describe('quotients with computed divisors', () => {
  it("are at most the dividend, even if the divisor's bounds allow any value", () => {
    const n = sizeSymbol('n', 2)
    const divisor = subSizes(mulSizes(mulSizes(n, n), 2), mulSizes(n, 2)) // at n = 2 it is 4
    const { min, max } = rangeOf(floorDivSizes(mulSizes(n, 2), divisor))
    expect(min).toBeLessThanOrEqual(1)
    expect(max).toBeGreaterThanOrEqual(1)
  })
})

describe('facts of a size', () => {
  it('may be about a minimum of it: bounds do not recurse endlessly', () => {
    const facts: Size[] = []
    const n = sizeSymbol('n', 0, 1000, facts)
    facts.push(subSizes(minSizes(n, 50), 3), subSizes(maxSizes(n, 7), 2))
    expect(rangeOf(n)).toEqual({ min: 0, max: 1000 })
    expect(rangeOf(minSizes(n, 50)).max).toBe(50)
  })
})
