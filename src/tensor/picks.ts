/** Picks whose size depends on values: the mask is read, so they work outside of compiled functions only. */
import { CaptureError, DtypeError } from '../base/errors.js'
import { requireTensor } from './dispatch.js'
import { tensor as makeTensor } from './host-data.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

function refuseCapture(name: string, fix: string): void {
  if (currentTracer() === null) return
  throw new CaptureError(`${name}: the size of the result depends on values, which a compiled function does not know`, {
    fix,
  })
}

/** The elements of `input` where `mask` (bool, broadcast) is true, in row-major order: [count]. Not in compiled functions. */
export function maskedSelect(input: Tensor, mask: Tensor): Tensor {
  const [x, where] = [
    requireTensor('maskedSelect', input, 'the input'),
    requireTensor('maskedSelect', mask, 'the mask'),
  ]
  if (where.dtype !== 'bool')
    throw new DtypeError(`maskedSelect: the mask is ${where.dtype}, not bool`, { fix: 'compare it: mask.ne(0)' })
  refuseCapture(
    'maskedSelect',
    'keep the shape: where(mask, x, 0) or maskedFill(mask.logicalNot(), 0); or select outside of it',
  )
  const shape = x.logicalOr(where).shape
  const places = flatPlaces(where.expand(shape))
  return x
    .expand(shape)
    .reshape([-1])
    .indexSelect(0, makeTensor(places, { dtype: 'i64' }))
}

/** The indices of the elements that are not 0, one row each: i64 [count, dims]. Not in compiled functions. */
export function nonzero(input: Tensor): Tensor {
  const x = requireTensor('nonzero', input, 'the input')
  refuseCapture('nonzero', 'keep the shape: work with the mask x.ne(0) itself; or call nonzero outside of it')
  const { shape } = x
  const rows = flatPlaces(x.ne(0)).map(place => {
    let rest = place
    return shape.map((_, d) => {
      const inner = shape.slice(d + 1).reduce((a, b) => a * b, 1)
      const index = Math.floor(rest / inner)
      rest -= index * inner
      return index
    })
  })
  return makeTensor(rows.flat(), { dtype: 'i64' }).reshape([rows.length, shape.length])
}

const flatPlaces = (mask: Tensor): number[] =>
  Array.from(mask.dataSync('bool')).flatMap((set, i) => (set === 0 ? [] : [i]))
