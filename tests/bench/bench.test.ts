/** The benchmark's own arithmetic: what a ratio, a verdict and a model file are. */
import { describe, expect, it } from 'vitest'
import { checkClose } from '../../bench/case.js'
import { onnxModel } from '../../bench/onnx.js'
import { medianRatio, race, summarise } from '../../bench/race.js'
import { type Bar, caseText, holds, humanTime } from '../../bench/report.js'

const bar = (value: number | null, bound: Bar['bound'], limit: number): Bar => ({
  what: 'against a peer',
  value,
  unit: '×',
  bound,
  limit,
})

describe('bars', () => {
  it('pass or fail by their limit, and do neither without a value', () => {
    expect([bar(1.5, '≥', 1.2), bar(1.1, '≥', 1.2), bar(0.1, '≤', 0.2), bar(null, '≥', 1)].map(holds)).toEqual([
      true,
      false,
      true,
      null,
    ])
  })

  it('are printed with their verdict and the reason for a missing value', () => {
    const text = caseText({
      name: 'case',
      nanoseconds: { ours: 1500 },
      best: { ours: 1400 },
      figures: {},
      bars: [bar(1.1, '≥', 1.2), bar(null, '≥', 1)],
      notes: ['peer not installed'],
    })
    expect(text).toMatch(/ours 1\.50 µs/)
    expect(text).toMatch(/1\.10 × +bar ≥ 1\.2 × +MISSED/)
    expect(text).toMatch(/– +bar ≥ 1 × +not measured/)
    expect(text).toMatch(/note: peer not installed/)
  })

  it('name times in the unit that fits', () => {
    expect([12, 3400, 5.6e6, 7.8e9].map(humanTime)).toEqual(['12.0 ns', '3.40 µs', '5.60 ms', '7.80 s'])
  })
})

describe('races', () => {
  it('compare samples pairwise, not median with median', () => {
    expect(medianRatio([2, 20, 200], [1, 10, 400])).toBe(2)
    // Medians and best rounds leave the order of the rounds alone.
    const rounds = [[3, 1, 2]]
    expect(summarise(['a'], rounds)).toEqual({ nanoseconds: { a: 2 }, best: { a: 1 } })
    expect(rounds).toEqual([[3, 1, 2]])
  })

  it('alternate, and await asynchronous functions', async () => {
    const seen: string[] = []
    const note = (name: string) => ({ measure: () => seen.push(name) })
    await race([note('a'), note('b')], { rounds: 2, calls: 1 })
    expect(seen).toEqual(['a', 'b', 'a', 'b'])
    let finished = 0
    const slow = async (): Promise<void> => {
      await new Promise(resolve => setTimeout(resolve, 2))
      finished++
    }
    await race([{ call: slow }], { rounds: 1, calls: 2 })
    expect(finished).toBeGreaterThan(2)
  })
})

describe('numbers', () => {
  it('are rejected when they differ, are NaN or too few', () => {
    expect(() => checkClose('x', [1, 2], [1, 2.1], 0.1)).not.toThrow()
    expect(() => checkClose('x', [1, 2], [1, 2.1], 0.01)).toThrow(/x: error/)
    expect(() => checkClose('x', [1, Number.NaN], [1, 2], 0.5)).toThrow(/x: error Infinity/)
    expect(() => checkClose('x', [1], [1, 2], 0.5)).toThrow('x: 1 elements, expected 2')
  })
})

/** The fields of a protobuf message: numbers, or bytes. */
function fields(bytes: Uint8Array): [number, number | Uint8Array][] {
  const found: [number, number | Uint8Array][] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const value = varint()
    if ((key & 7) === 0) found.push([key >> 3, value])
    else {
      found.push([key >> 3, bytes.subarray(at, at + value)])
      at += value
    }
  }
  return found
}

const only = (bytes: Uint8Array, field: number): Uint8Array[] =>
  fields(bytes).flatMap(([key, value]) => (key === field && typeof value !== 'number' ? [value] : []))

describe('ONNX models', () => {
  it('are the protobuf of their graph', () => {
    const model = onnxModel({
      inputs: { x: [300, 2] },
      outputs: { y: [300, 2] },
      constants: { two: { shape: [1], data: Float32Array.of(2) } },
      nodes: [{ op: 'Mul', inputs: ['x', 'two'], outputs: ['y'], attributes: { axis: 1 } }],
    })
    const [graph] = only(model, 7) as [Uint8Array]
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
    const [node] = only(graph, 1) as [Uint8Array]
    expect([...only(node, 1), ...only(node, 2), ...only(node, 4)].map(text)).toEqual(['x', 'two', 'y', 'Mul'])
    const [attribute] = only(node, 5) as [Uint8Array]
    expect(fields(attribute).slice(1)).toEqual([
      [3, 1],
      [20, 2],
    ])
    const [constant] = only(graph, 5) as [Uint8Array]
    expect(new Float32Array(Uint8Array.from(only(constant, 9)[0]!).buffer)).toEqual(Float32Array.of(2))
    const [input] = only(graph, 11) as [Uint8Array]
    const [type] = only(input, 2).flatMap(each => only(each, 1)) as [Uint8Array]
    const dims = only(type, 2).flatMap(shape => only(shape, 1).map(dim => fields(dim)[0]![1]))
    expect(dims).toEqual([300, 2])
  })
})
