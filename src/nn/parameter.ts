/** Parameters: the tensors of a module that are trained. */
import { DtypeError } from '../base/errors.js'
import type { TensorLayout } from '../tensor/layout.js'
import type { Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import { type Dtype, isFloat } from '../types/dtype.js'

/** Options of `Parameter`. */
export interface ParameterOptions {
  /** false: gradients leave it alone. Default true. */
  readonly requiresGrad?: boolean | undefined
}

/**
 * A tensor that a module trains: as a field of a module it is one of its `parameters()`. It shares the memory of `data`.
 *
 * @throws DtypeError for integers and bool, which have no gradients
 */
export class Parameter extends Tensor {
  constructor(data: Tensor, { requiresGrad = true }: ParameterOptions = {}) {
    super(data.storage('Parameter'), data.dtype, data.layout, data.ownsMemory)
    if (requiresGrad && !isFloat(data.dtype)) {
      throw new DtypeError(`Parameter: ${data.describe()} has no gradients`, {
        fix: "cast it: x.to('f32'), keep it as a buffer, or pass { requiresGrad: false }",
      })
    }
    if (requiresGrad) this.requiresGrad_(true)
  }

  /** For the library: a tensor of this `layout` and `dtype` on the same memory. A view of a parameter is no parameter. */
  override withLayout(layout: TensorLayout, dtype: Dtype = this.dtype): this {
    return new Tensor(this.source as Storage, dtype, layout, false) as this
  }
}
