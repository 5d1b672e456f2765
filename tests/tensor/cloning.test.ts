/** Whatever makes a copy of an object: a tensor is copied with its values, or refuses with what to do. Nothing is dead. */
import v8 from 'node:v8'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { ArgumentError, DisposedError, TegulaError } from '../../src/base/errors.js'
import { compile, Generator, ones, Tensor, tensor, zeros } from '../../src/index.js'
import { quantize } from '../../src/quant/index.js'

const x = tensor([
  [1, -2],
  [3.5, 0],
])

/** What `run` throws. */
function errorOf(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not throw')
}

const clones: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['structuredClone', value => structuredClone(value)],
  ['structuredClone of a list', value => structuredClone({ list: [value] })],
  ['postMessage', value => new MessageChannel().port1.postMessage(value)],
  ['v8.serialize', value => v8.serialize(value)],
]

describe.each(clones)('%s', (_, clone) => {
  it('rejects tensors, and says how to send one', () => {
    for (const value of [x, x.t(), x.slice(1), new Map([[1, x]]), quantize(ones([4, 32]), 'mxint8')]) {
      expect(errorOf(() => clone(value)).message).toMatch(
        /a tensor's memory belongs to its process; send await x\.data\(\), x\.shape .*tensor\(data, .*could not be cloned/,
      )
    }
  })

  it('rejects generators, and tensors of a capture', () => {
    expect(errorOf(() => clone(new Generator(1))).message).toMatch(/a generator belongs to its process; send its seed/)
    const f = compile((y: Tensor) => {
      clone(y)
      return y.add(1)
    })
    expect(errorOf(() => f(x)).message).toMatch(/while its function is captured/)
  })
})

it('fails before any memory is copied', () => {
  expect(Object.keys(x.storage('test'))[0]).toBe('unclonable')
})

it('the suggested way to send works', async () => {
  const { data, shape, dtype } = structuredClone({ data: await x.data(), shape: x.shape, dtype: x.dtype })
  expect(
    tensor(data, { dtype: dtype as 'f32' })
      .reshape(shape)
      .toArray(),
  ).toEqual(x.toArray())
})

describe('JSON', () => {
  it('contains the values of tensors as nested arrays', () => {
    expect(JSON.stringify(x)).toBe('[[1,-2],[3.5,0]]')
    expect(JSON.stringify({ loss: tensor(2), mask: tensor([true, false]), none: zeros([0]), ids: tensor([1n]) })).toBe(
      '{"loss":2,"mask":[true,false],"none":[],"ids":[1]}',
    )
    expect(JSON.parse(JSON.stringify(quantize(ones([2, 32]), 'mxint8')))).toMatchObject({
      format: 'mxint8',
      scales: [[expect.any(Number)], [expect.any(Number)]],
    })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %s, which would be null',
    value => {
      const refused = (): string => JSON.stringify([tensor([1, value])])
      expect(refused).toThrow(ArgumentError)
      expect(refused).toThrow(`f32[2] holds ${value}, which JSON does not have`)
    },
  )

  it("rejects tensors that are too large, disposed, or contain values beyond JavaScript's numbers", () => {
    expect(() => JSON.stringify(zeros([1]).expand([2 ** 20 + 1]))).toThrow(
      /has 1048577 elements.*fix: write x\.toArray/,
    )
    const gone = ones([2])
    gone.dispose()
    expect(() => JSON.stringify(gone)).toThrow(DisposedError)
    expect(() => JSON.stringify(tensor([2n ** 60n]))).toThrow(ArgumentError)
    expect(() => JSON.stringify(new Generator(1))).toThrow(/a generator belongs to its process.*fix: send its seed/)
  })
})

describe('a copy of the fields, or a proxy, is not a tensor and says so', () => {
  const deepClone = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null) return value
    const copy: unknown = Object.create(Object.getPrototypeOf(value) as object)
    for (const key of Object.keys(value)) {
      Object.assign(copy as object, { [key]: deepClone((value as Readonly<Record<string, unknown>>)[key]) })
    }
    return copy as T
  }
  const fakes: readonly (readonly [string, Tensor])[] = [
    ['a deep clone', deepClone(x.add(0))],
    ['a proxy', new Proxy(x, {})],
    ['Object.create', Object.create(x) as Tensor],
    ['Object.assign', Object.assign(Object.create(Tensor.prototype) as Tensor, x)],
  ]
  const uses: readonly (readonly [string, (y: Tensor) => unknown])[] = [
    ['add', y => y.add(1)],
    ['as an operand', y => x.add(y)],
    ['in place', y => y.add_(1)],
    ['shape', y => y.shape],
    ['strides', y => y.strides],
    ['numel', y => y.numel()],
    ['size', y => y.size(0)],
    ['dataSync', y => y.dataSync()],
    ['itemSync', y => y.itemSync()],
    ['toArray', y => y.toArray()],
    ['String', y => String(y)],
    ['JSON', y => JSON.stringify(y)],
    ['contiguous', y => y.contiguous()],
    ['to', y => y.to('f64')],
    ['get', y => y.get(0)],
    ['dispose', y => y.dispose()],
    ['disposed', y => y.disposed],
    ['compiled', y => compile((z: Tensor) => z.add(1))(y)],
    ['compiled before', y => warm(y)],
  ]
  const warm = compile((z: Tensor) => z.add(1))
  warm(x)

  it.each(fakes)('%s', (_, fake) => {
    for (const [name, use] of uses) {
      const error = errorOf(() => use(fake))
      expect([name, error instanceof TegulaError ? error.message : error]).toEqual([
        name,
        expect.stringMatching(/a proxy or a copy of a tensor.*fix: pass the tensor itself/),
      ])
    }
    expect(x.toArray()).toEqual([
      [1, -2],
      [3.5, 0],
    ])
  })

  it('reading one asynchronously rejects', async () => {
    await expect(fakes[1]![1].data()).rejects.toThrow(/a proxy or a copy of a tensor/)
  })

  it('spread into a plain object it is rejected as an operand', () => {
    expect(() => x.add({ ...x } as unknown as Tensor)).toThrow(ArgumentError)
  })
})
