/** The tensors of a case. Each element follows from a hash of its place, so that the peer (torch_peer.py) makes the same. */
import { arange, compile, type Device, type Tensor } from 'tegula'
import { dtypes, isFloat, type TensorDtype } from '../../src/types/dtype.js'
import { elementsOf, type TensorArgument, type Values } from './case.js'

/** Places of different tensors of a case are so far apart, so that their values differ. */
const seedDistance = 1_000_003

/** 31 random bits of each place (i64). Products stay below 2^63 for places below 2^32. */
const hashed = compile(
  (places: Tensor): Tensor => {
    const first = places.mul(1_103_515_245).add(12_345).bitwiseAnd(0x7fffffff)
    const second = first.bitwiseXor(first.bitwiseRightShift(13)).mul(1_597_334_677).bitwiseAnd(0x7fffffff)
    return second.bitwiseXor(second.bitwiseRightShift(16))
  },
  { dynamic: true },
)

/** Integers of a range of floats: five times as wide, so that they are more than a few; positive if the range is. */
export const integerRange = (
  dtype: TensorDtype,
  { from, to }: { from: number; to: number },
): readonly [number, number] => [
  Math.max(from > 0 ? Math.ceil(from * 5) : Math.round(from * 5), dtypes[dtype].min),
  Math.round(to * 5),
]

function filled(hash: Tensor, dtype: TensorDtype, values: Exclude<Values, 'ascending'>): Tensor {
  if (values === 'sign') return hash.bitwiseAnd(1).mul(2).sub(1).to(dtype)
  if ('below' in values) return hash.remainder(values.below).to(dtype)
  if (dtype === 'bool') return hash.bitwiseAnd(1).to(dtype)
  if (!isFloat(dtype)) {
    const [low, high] = integerRange(dtype, values)
    return hash
      .remainder(high - low + 1)
      .add(low)
      .to(dtype)
  }
  const share = hash
    .bitwiseAnd(0xffffff)
    .to('f32')
    .mul(2 ** -24)
  return share
    .mul(values.to - values.from)
    .add(values.from)
    .to(dtype)
}

function elements(count: number, { dtype, shape, values }: TensorArgument, index: number, device: Device): Tensor {
  if (values === 'ascending') {
    const row = arange(shape.at(-1)!, { dtype: 'f32', device })
      .mul(4 / shape.at(-1)!)
      .sub(2)
    return row.to(dtype).expand(shape).reshape(-1)
  }
  return filled(hashed(arange(count, { device }).add(index * seedDistance)), dtype, values)
}

/** `index`: the tensor's number among the case's. */
export function makeInput(tensor: TensorArgument, index: number, device: Device): Tensor {
  const { shape, layout } = tensor
  const count = elementsOf(shape)
  if (layout === 'dense') return elements(count, tensor, index, device).reshape(shape)
  if (layout === 'transposed') {
    const swapped = [...shape.slice(0, -2), shape.at(-1)!, shape.at(-2)!]
    return elements(count, tensor, index, device).reshape(swapped).transpose(-1, -2)
  }
  const wide = elements(2 * count, tensor, index, device).reshape([...shape.slice(0, -1), 2 * shape.at(-1)!])
  return wide.narrow(-1, shape.at(-1)!, shape.at(-1)!)
}
