/** Specs as real tensors with their layouts, and tensors as host tensors: to run samples eagerly and compiled. */
import type { HostTensor } from '../../src/graph/record.js'
import { writeValues } from '../../src/tensor/host.js'
import { allocate, storedElements } from '../../src/tensor/host-data.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { checkTensorDtype } from '../../src/types/dtype.js'
import { storageOf, type TensorSpec } from './tensor-spec.js'

export function tensorOf(spec: TensorSpec): Tensor {
  const { data, strides, offset } = storageOf(spec)
  const dtype = checkTensorDtype(spec.dtype, 'tensorOf')
  const base = allocate([data.length], dtype, 'cpu', 'sample')
  writeValues(storedElements(base), dtype, data)
  return base.withLayout({ shape: spec.shape, strides, offset })
}

export function hostOfTensor(tensor: Tensor): HostTensor {
  return { dtype: tensor.dtype, shape: [...tensor.shape], data: [...(tensor.dataSync() as Iterable<number | bigint>)] }
}

/** One tensor or an object of them, as a list in the record's order. */
export const resultList = (result: Tensor | Readonly<Record<string, Tensor>>): readonly Tensor[] =>
  result instanceof Tensor ? [result] : Object.values(result)
