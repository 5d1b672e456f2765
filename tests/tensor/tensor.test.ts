/** Tensors as people use them, on an executor that computes with the records' references. */
import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, DeviceError, DtypeError, ShapeError } from '../../src/base/errors.js'
import { fromBuffer, ones, tensor, zeros } from '../../src/tensor/index.js'
import { installReferenceExecutor } from '../support/reference-executor.js'

let ran: string[] = []
beforeEach(() => {
  ran = installReferenceExecutor().ran
})

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)

describe('tensor(data)', () => {
  it('takes the shape from the nesting and the dtype from the kind of values', () => {
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect([x.shape, x.strides, x.dtype, x.device, x.ndim, x.numel()]).toEqual([[2, 3], [3, 1], 'f32', 'cpu', 2, 6])
    expect(tensor(true).dtype).toBe('bool')
    expect(tensor([1n, 2n]).dtype).toBe('i64')
    expect(tensor([true, 2]).dtype).toBe('f32')
    expect(tensor([]).shape).toEqual([0])
    expect(tensor([[], []]).shape).toEqual([2, 0])
    expect(tensor(3).shape).toEqual([])
  })

  it('keeps the type of typed arrays, and converts to the requested dtype', () => {
    expect(tensor(new Float64Array([0.1])).dataSync('f64')[0]).toBe(0.1)
    expect(tensor(new BigInt64Array([5n])).dtype).toBe('i64')
    expect(tensor(new Uint8ClampedArray([5])).dtype).toBe('u8')
    expect(tensor(new Uint32Array([4_000_000_000]), { dtype: 'i64' }).dataSync('i64')[0]).toBe(4_000_000_000n)
    expect(tensor([1.9, -1.9], { dtype: 'i32' }).toArray()).toEqual([1, -1])
    expect(tensor([0, -3, Number.NaN], { dtype: 'bool' }).toArray()).toEqual([false, true, true])
  })

  it('stores f16 and bf16 packed, rounded to nearest even', () => {
    expect(Array.from(tensor([0.1, 65504, 1e6], { dtype: 'f16' }).dataSync('f16'))).toEqual([
      0.0999755859375,
      65504,
      Number.POSITIVE_INFINITY,
    ])
    expect(tensor([0.1], { dtype: 'bf16' }).itemSync()).toBe(0.10009765625)
    expect(tensor([0.1], { dtype: 'f16' }).storage('test').bytes).toBe(2)
  })

  it('rejects ragged arrays, other values, and values that the dtype cannot represent', () => {
    expect(() => tensor([[1, 2], [3]])).toThrow(ShapeError)
    expect(() => tensor([[1, 2], [3]])).toThrow(/ragged: row \[1\] has 1 elements where the first has 2/)
    expect(() => tensor([[1], 2])).toThrow(/element \[1\] is 2 where its neighbours are arrays/)
    expect(() => tensor([1, [2]])).toThrow(/element \[1\] is an array where its neighbours are numbers/)
    expect(() => tensor(['1'] as never)).toThrow(/element \[0\] is the string "1", not a number/)
    expect(() => tensor({} as never)).toThrow(/tensor: data is missing/)
    expect(() => tensor(tensor([1]) as never)).toThrow(/already.*clone/)
    expect(() => tensor([300], { dtype: 'u8' })).toThrow(/300 does not fit u8.*0 to 255/)
    expect(() => tensor([Number.NaN], { dtype: 'i64' })).toThrow(DtypeError)
    expect(() => tensor(new Uint16Array(2))).toThrow(/no dtype holds the elements of a Uint16Array/)
    expect(() => tensor([1], { dtype: 'f128' as never })).toThrow(/dtype is "f128", not one of/)
    expect(() => tensor([1], { device: 'cuda' })).toThrow(DeviceError)
    expect(() => tensor([1], { device: 'cuda' })).toThrow(/tensor: no device 'cuda:0'.*tensor\.test\.ts:\d+/)
  })

  it('reads raw bytes', () => {
    const codes = new Uint16Array([0x3c00, 0xc000])
    expect(fromBuffer(codes, { dtype: 'f16' }).toArray()).toEqual([1, -2])
    expect(fromBuffer(new Float32Array(range(8)).subarray(2), { dtype: 'f32', shape: [2, 3] }).toArray()).toEqual([
      [2, 3, 4],
      [5, 6, 7],
    ])
    expect(() => fromBuffer(codes, { dtype: 'f32', shape: [2] })).toThrow(/4 bytes are not f32\[2\] of 8/)
  })

  it('copies: the source may change afterwards', () => {
    const source = new Float32Array([1, 2])
    const x = tensor(source)
    source[0] = 9
    x.dataSync('f32')[1] = 9
    expect(x.toArray()).toEqual([1, 2])
  })
})

describe('reading', () => {
  it("returns the dtype's typed array, in row-major order of the view", async () => {
    const x = tensor(range(6)).reshape([2, 3]).t()
    expect(await x.data()).toEqual(new Float32Array([0, 3, 1, 4, 2, 5]))
    expect(x.toArray()).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ])
    const wide = tensor([[1n, 2n ** 60n]]).t()
    expect(wide.dataSync('i64')).toEqual(new BigInt64Array([1n, 2n ** 60n]))
    expect(() => wide.toArray()).toThrow(/1152921504606846976 is beyond/)
    expect(() => x.dataSync('f64')).toThrow(/the tensor is f32\[3, 2\], not f64/)
  })

  it('returns one element as a number', async () => {
    expect(await tensor([[2.5]]).item()).toBe(2.5)
    expect(tensor(true).itemSync()).toBe(1)
    expect(tensor(7n).itemSync()).toBe(7)
    expect(() => tensor(2n ** 53n).itemSync()).toThrow(/i64 9007199254740992 is beyond/)
    expect(() => tensor([1, 2]).itemSync()).toThrow(/f32\[2\] has not one element/)
    await expect(tensor([1, 2]).item()).rejects.toThrow(ArgumentError)
  })

  it('prints, is inspected, and rejects operators', () => {
    const x = tensor([[1, -2.5]])
    expect(`${x}`).toBe('tensor([[ 1.0000, -2.5000]])')
    expect(inspect({ x })).toBe('{ x: tensor([[ 1.0000, -2.5000]]) }')
    expect(() => (x as never as number) + 1).toThrow(/an operator was applied to a tensor f32\[1, 2\].*x\.add\(1\)/)
    expect(() => (x as never as number) < 1).toThrow(ArgumentError)
  })
})

describe('methods derived from the records', () => {
  it('take tensors and numbers, with promotion and broadcasting', () => {
    const x = tensor([[1, 2]], { dtype: 'i32' })
    expect(x.add(1).dtype).toBe('i32')
    expect(x.add(1.5).dtype).toBe('f32')
    expect(x.mul(tensor([[10], [20]])).toArray()).toEqual([
      [10, 20],
      [20, 40],
    ])
    expect(x.add(x).toArray()).toEqual([[2, 4]])
    expect(x.gt(1).toArray()).toEqual([[false, true]])
    expect(x.to('f32').sum(1).toArray()).toEqual([3])
    expect(x.to('f32').sum({ dim: -1, keepdim: true }).shape).toEqual([1, 1])
    const { values, indices } = tensor([3, 1, 2]).sort()
    expect([values.toArray(), indices.toArray(), indices.dtype]).toEqual([[1, 2, 3], [1, 2, 0], 'i64'])
    expect(x.where(x.gt(1), 0).toArray()).toEqual([[0, 2]])
  })

  it('reject arguments of another kind, naming op, position and value', () => {
    const x = tensor([1, 2])
    expect(() => x.add('1' as never)).toThrow(/add: other is "1", not a tensor or a number.*tensor\.test/)
    expect(() => x.mul(undefined as never)).toThrow(/mul: other is missing/)
    expect(() => x.sub([1] as never)).toThrow(/sub: other is \[1\], not a tensor.*make a tensor of it/)
    expect(() => x.add(tensor([1, 2, 3]))).toThrow(/add: shapes \[2\] and \[3\] do not broadcast in dim 0/)
    expect(() => x.matmul(tensor([[1, 2, 3]]))).toThrow(/matmul: inner sizes differ/)
  })
})

describe('views', () => {
  it('share memory and launch nothing', () => {
    const x = tensor(range(24)).reshape([2, 3, 4])
    const views = [
      x.transpose(0, 2),
      x.permute([2, 0, 1]),
      x.slice([0, 1], null, [1, 4, 2]),
      x.select(1, 2),
      x.narrow(2, 1, 2),
      x.unsqueeze(0).squeeze(0),
      x.flatten(1),
      x.unsqueeze(1).expand([2, 5, 3, 4]),
      x.get(1, 'all', -1),
      x.get('...', 0),
      x.view([6, 4]),
    ]
    expect(ran).toEqual([])
    for (const view of views) expect(view.source).toBe(x.source)
    expect(x.get(1, 'all', -1).toArray()).toEqual([15, 19, 23])
    expect(x.get('...', 0).toArray()).toEqual([
      [0, 4, 8],
      [12, 16, 20],
    ])
    expect(x.slice([0, 1], null, [1, 4, 2]).toArray()).toEqual([
      [
        [1, 3],
        [5, 7],
        [9, 11],
      ],
    ])
    expect(x.unsqueeze(1).expand([2, 5, 3, 4]).strides).toEqual([12, 0, 4, 1])
  })

  it('become copies where strides cannot express them', () => {
    const x = tensor(range(6)).reshape([2, 3])
    expect(x.t().reshape([6]).toArray()).toEqual([0, 3, 1, 4, 2, 5])
    expect(x.flip([1]).toArray()).toEqual([
      [2, 1, 0],
      [5, 4, 3],
    ])
    expect(ran).toEqual(['reshape', 'flip'])
    expect(() => x.t().view([6])).toThrow(/view: f32\[3, 2\] with strides \[1, 3\] is not viewable so.*reshape/)
  })

  it('check their arguments', () => {
    const x = tensor(range(6)).reshape([2, 3])
    expect(() => x.get(2)).toThrow(ShapeError)
    expect(() => x.get(0, 0, 0)).toThrow(/3 ranges for \[2, 3\]/)
    expect(() => x.get('...', 0, '...')).toThrow(/stands twice/)
    expect(() => x.reshape([4, 2])).toThrow(/\[2, 3\] does not fit \[4, 2\]/)
    expect(() => x.size(2)).toThrow(/dim 2 of a tensor of 2 dims/)
    expect(x.size(-1)).toBe(3)
  })

  it('of to() and contiguous() are new tensors on the same memory when nothing changes', () => {
    const x = tensor([[1, 2]])
    // Not toBe of tensors: it goes through their elements for its message.
    expect(x.to('f32') === x).toBe(false)
    expect(x.to('f32').source).toBe(x.source)
    expect(x.contiguous().source).toBe(x.source)
    expect(x.to('cpu').source).toBe(x.source)
    expect(x.clone().source).not.toBe(x.source)
    expect(x.expand([2, 2]).contiguous().strides).toEqual([2, 1])
    expect(() => x.to('cuda')).toThrow(DeviceError)
    expect(() => x.to('gpu' as never)).toThrow(/'gpu' is neither a dtype nor a device/)
  })
})

describe('in-place methods', () => {
  it('write through views, and return the tensor', () => {
    const x = zeros([2, 3])
    const row = x.get(1)
    expect(row.add_(5)).toBe(row)
    x.t().get(0).mul_(2).sub_(1)
    expect(x.toArray()).toEqual([
      [-1, 0, 0],
      [9, 5, 5],
    ])
    x.get('...', 0).copy_(tensor(8n))
    expect(x.get('...', 0).toArray()).toEqual([8, 8])
    expect(() => x.copy_('3' as never)).toThrow(/copy_: value is "3", not a tensor or a number/)
    expect(
      tensor([1n])
        .copy_(tensor([2.9]))
        .toArray(),
    ).toEqual([2])
    x.get(0).fill_(2).slice([1, 3]).zero_()
    expect(x.get(0).toArray()).toEqual([2, 0, 0])
  })

  it('read all of their input before they write, even if memory overlaps', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    x.add_(x.t())
    expect(x.toArray()).toEqual([
      [2, 5],
      [5, 8],
    ])
    const y = tensor([1, 2, 3, 4])
    y.slice([1, 4]).copy_(y.slice([0, 3]))
    expect(y.toArray()).toEqual([1, 1, 2, 3])
  })

  it('keep dtype and shape', () => {
    const x = tensor([1, 2], { dtype: 'i32' })
    expect(x.add_(true).dtype).toBe('i32')
    expect(tensor([1, 2], { dtype: 'f16' }).add_(tensor([0.5, 0.5])).dtype).toBe('f16')
    expect(() => x.add_(1.5)).toThrow(DtypeError)
    expect(() => x.add_(1.5)).toThrow(/add_: the result is f32, which i32 cannot represent.*x\.to\('f32'\)/)
    expect(() => x.add_(ones([3, 2], { dtype: 'i32' }))).toThrow(/add_: the result is i32\[3, 2\], the tensor i32\[2\]/)
    expect(() => tensor([true]).mul_(2)).toThrow(/bool cannot represent/)
    expect(() =>
      tensor([[1]])
        .expand([2, 2])
        .add_(1),
    ).toThrow(/share memory.*clone/)
    expect(x.toArray()).toEqual([2, 3])
  })
})
