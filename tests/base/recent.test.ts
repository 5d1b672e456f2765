import { expect, it } from 'vitest'
import { RecentMap } from '../../src/base/recent.js'

it('the map keeps at least its limit of recently used entries and at most twice as many', () => {
  const map = new RecentMap<number>(10)
  for (let i = 0; i < 500; i++) {
    map.set(`${i}`, i)
    expect(map.get('0')).toBe(0) // used each time: never forgotten
    for (let back = Math.max(1, i - 8); back <= i; back++) expect(map.get(`${back}`)).toBe(back)
    expect(map.size).toBeLessThanOrEqual(20)
    expect([...map.values()]).toHaveLength(map.size)
  }
  expect(map.get('17')).toBeUndefined()
})

it('a key that is set again has only its new value', () => {
  const map = new RecentMap<number>(2)
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
    ['a', 5],
  ] as const)
    map.set(key, value)
  expect([map.get('a'), map.size]).toEqual([5, 3])
})
