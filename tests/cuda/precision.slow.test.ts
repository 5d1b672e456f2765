/** The precision of f32 products on a GPU: what is asked for is what runs, eagerly and compiled, and its change is seen. */
import { afterEach, describe, expect, it } from 'vitest'
import { compile, setFloat32MatmulPrecision, type Tensor, tensor } from '../../src/index.js'
import { roundToTf32 } from '../../src/types/tf32.js'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const [rows, depth, columns] = [16, 24, 32]
const values = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * seed) + 1)
const [a, b] = [values(rows * depth, 1.3), values(depth * columns, 0.7)]

/** a · b in float64, of operands as `round` leaves them. */
const expected = (round: (x: number) => number): number[] =>
  Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    let sum = 0
    for (let k = 0; k < depth; k++) sum += round(a[row * depth + k]!) * round(b[k * columns + column]!)
    return sum
  })

const [exact, rounded] = [expected(x => x), expected(roundToTf32)]

async function difference(result: Tensor, wanted: readonly number[]): Promise<number> {
  const data = await result.data()
  return Math.max(...wanted.map((value, i) => Math.abs(Number(data[i]) - value) / value))
}

describe.skipIf(gpu === null)(`float32MatmulPrecision (${needsGpuOrStandIn})`, () => {
  const operands = (): [Tensor, Tensor] => [
    tensor(a, { device: 'cuda' }).reshape([rows, depth]),
    tensor(b, { device: 'cuda' }).reshape([depth, columns]),
  ]
  afterEach(() => setFloat32MatmulPrecision('highest'))

  it('is full f32 by default and lowered on request, in eager ops', async () => {
    const [x, w] = operands()
    expect(await difference(x.matmul(w), exact)).toBeLessThan(1e-6)
    setFloat32MatmulPrecision('high')
    const lower = x.matmul(w)
    expect(await difference(lower, rounded)).toBeLessThan(1e-6)
    expect(await difference(lower, exact)).toBeGreaterThan(1e-5)
    setFloat32MatmulPrecision('highest')
    expect(await difference(x.matmul(w), exact)).toBeLessThan(1e-6)
  })

  it('is guarded in compiled functions, and only where it matters', async () => {
    const [x, w] = operands()
    const product = compile((x: Tensor, w: Tensor) => x.matmul(w).relu())
    const other = compile((x: Tensor) => x.relu())
    expect(await difference(product(x, w), exact)).toBeLessThan(1e-6)
    other(x)
    expect(product.explain(x, w).toText()).not.toContain('tf32')
    setFloat32MatmulPrecision('high')
    expect(await difference(product(x, w), rounded)).toBeLessThan(1e-6)
    expect(product.stats().recompiles).toEqual(['float32MatmulPrecision was highest, now high'])
    expect(product.explain(x, w).toText()).toContain('round their operands to tf32')
    other(x)
    expect(other.stats().compiles).toBe(1)
    setFloat32MatmulPrecision('highest')
    expect(await difference(product(x, w), exact)).toBeLessThan(1e-6)
    expect(product.stats().compiles).toBe(2)
  })

  it('of a function is the one passed to it', async () => {
    const [x, w] = operands()
    const product = compile((x: Tensor, w: Tensor) => x.matmul(w), { float32MatmulPrecision: 'high' })
    expect(await difference(product(x, w), rounded)).toBeLessThan(1e-6)
    const strict = compile((x: Tensor, w: Tensor) => x.matmul(w), { float32MatmulPrecision: 'highest' })
    setFloat32MatmulPrecision('high')
    expect(await difference(strict(x, w), exact)).toBeLessThan(1e-6)
  })
})

describe('float32MatmulPrecision on a CPU', () => {
  afterEach(() => setFloat32MatmulPrecision('highest'))

  it('is exact in any case, and does not recompile', async () => {
    const [x, w] = [tensor(a).reshape([rows, depth]), tensor(b).reshape([depth, columns])]
    const product = compile((x: Tensor, w: Tensor) => x.matmul(w))
    product(x, w)
    setFloat32MatmulPrecision('high')
    expect(await difference(product(x, w), exact)).toBeLessThan(1e-6)
    expect(product.stats().compiles).toBe(1)
  })

  it('rejects unknown precisions', () => {
    expect(() => setFloat32MatmulPrecision('medium' as 'high')).toThrow(/no precision 'medium'.*fix: use 'highest'/)
  })
})
