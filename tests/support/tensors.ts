/** Specs as real tensors with their layouts, and tensors as host tensors: to run samples eagerly and compiled. */

import type { HostTensor } from '../../src/graph/record.js'
import type { DeviceName } from '../../src/tensor/device.js'
import { elementsInPlace, fillStorage, writeValues } from '../../src/tensor/host.js'
import { allocate } from '../../src/tensor/host-data.js'
import { makeLayout } from '../../src/tensor/layout.js'
import type { Storage } from '../../src/tensor/storage.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { checkTensorDtype, type TensorDtype } from '../../src/types/dtype.js'
import { type StoredArray, storedArrays } from '../../src/types/memory.js'
import { storageOf, type TensorSpec } from './tensor-spec.js'

/** The device on which the suites create their tensors: the same tests run on every device. */
export const testDevice = (process.env.TEGULA_TEST_DEVICE ?? 'cpu') as DeviceName

/** True if the suites run on a GPU: hardware runs all samples, a simulator only a few. */
export const onGpu = testDevice !== 'cpu'

export const tensorOf = (spec: TensorSpec): Tensor => tensorOn(testDevice, spec)

export function tensorOn(device: DeviceName, spec: TensorSpec): Tensor {
  const { data, strides, offset } = storageOf(spec)
  const dtype = checkTensorDtype(spec.dtype, 'tensorOf')
  const base = allocate([data.length], dtype, device, 'sample')
  fillStorage(base.storage('sample'), dtype, stored => writeValues(stored, dtype, data))
  return base.withLayout(makeLayout(spec.shape, strides, offset))
}

export function hostOfTensor(tensor: Tensor): HostTensor {
  return { dtype: tensor.dtype, shape: [...tensor.shape], data: [...(tensor.dataSync() as Iterable<number | bigint>)] }
}

/** Changes elements directly in memory, without an op. */
export function updateStorage(storage: Storage, dtype: TensorDtype, update: (stored: StoredArray) => void): void {
  const inPlace = elementsInPlace(storage, dtype)
  if (inPlace !== null) {
    update(inPlace)
    return
  }
  const bytes = storage.memory.read(storage.block, 0, storage.bytes)
  const View = storedArrays[dtype]
  update(new View(bytes.buffer as ArrayBuffer, bytes.byteOffset, storage.bytes / View.BYTES_PER_ELEMENT))
  storage.memory.write(storage.block, 0, bytes)
}

/** One tensor or an object of them, as a list in the record's order. */
export const resultList = (result: Tensor | Readonly<Record<string, Tensor>>): readonly Tensor[] =>
  result instanceof Tensor ? [result] : Object.values(result)
