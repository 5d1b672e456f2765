/** The tensors of a case. Each element follows from a hash of its place, so that the peer (torch_peer.py) makes the same. */
import { arange, compile, type Device, type Tensor } from 'tegula'
import { dtypes, isFloat, type TensorDtype } from '../../src/types/dtype.js'
import { elementsOf, type TensorArgument, type Values } from './case.js'

/** Places of different tensors of a case are so far apart, so that their values differ. */
const seedDistance = 1_000_003

/** 31 random bits of each place (i64). Products stay below 2^63 for places below 2^32. */
function hashed(places: Tensor): Tensor {
  const first = places.mul(1_103_515_245).add(12_345).bitwiseAnd(0x7fffffff)
  const second = first.bitwiseXor(first.bitwiseRightShift(13)).mul(1_597_334_677).bitwiseAnd(0x7fffffff)
  return second.bitwiseXor(second.bitwiseRightShift(16))
}

/** Integers of a range of floats: five times as wide, so that they are more than a few; positive if the range is. */
export const integerRange = (
  dtype: TensorDtype,
  { from, to }: { from: number; to: number },
): readonly [number, number] => [
  Math.max(from > 0 ? Math.ceil(from * 5) : Math.round(from * 5), dtypes[dtype].min),
  Math.round(to * 5),
]

type Spread = Exclude<Values, 'ascending' | { readonly below: number }>

function spread(hash: Tensor, dtype: TensorDtype, values: Spread): Tensor {
  if (values === 'sign') return hash.bitwiseAnd(1).mul(2).sub(1).to(dtype)
  if (dtype === 'bool') return hash.bitwiseAnd(1).to(dtype)
  if (!isFloat(dtype)) {
    const [low, high] = integerRange(dtype, values)
    return hash
      .remainder(high - low + 1)
      .add(low)
      .to(dtype)
  }
  // In f64, where it makes no difference whether the product is rounded before the sum: in f32 inputs of f64 would differ visibly.
  const share = hash
    .bitwiseAnd(0xffffff)
    .to('f64')
    .mul(2 ** -24)
  return share
    .mul(values.to - values.from)
    .add(values.from)
    .to(dtype)
}

const compiledHash = compile(hashed, { dynamic: true })
/** By dtype and values: one kernel makes tensors of any size. */
const makers = new Map<string, (places: Tensor) => Tensor>()

function filled(places: Tensor, dtype: TensorDtype, values: Exclude<Values, 'ascending'>): Tensor {
  if (typeof values === 'object' && 'below' in values) return compiledHash(places).remainder(values.below).to(dtype)
  const key = `${dtype} ${JSON.stringify(values)}`
  const known = makers.get(key) ?? compile((at: Tensor) => spread(hashed(at), dtype, values), { dynamic: true })
  makers.set(key, known)
  return known(places)
}

function elements(count: number, { dtype, shape, values }: TensorArgument, index: number, device: Device): Tensor {
  if (values === 'ascending') {
    const row = arange(shape.at(-1)!, { dtype: 'f32', device })
      .mul(4 / shape.at(-1)!)
      .sub(2)
    return row.to(dtype).expand(shape).reshape(-1)
  }
  return filled(arange(count, { device }).add(index * seedDistance), dtype, values)
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
