/** Runs a plan with the tile interpreter, in plain TypeScript (TEGULA_BACKEND=interpreter): needs no C compiler. */
import type { ComputeDevice } from '../../backends/device.js'
import { InternalError } from '../../base/errors.js'
import { type HostInput, interpretPlan, type LaunchKernel } from '../../schedule/plan/interpret.js'
import type { Plan } from '../../schedule/plan/plan.js'
import { elementsInPlace } from '../../tensor/host.js'
import { makeLayout } from '../../tensor/layout.js'
import { Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import { checkTensorDtype } from '../../types/dtype.js'
import type { Runner } from './executable.js'

export class InterpretedPlan implements Runner {
  readonly sourcePath = null

  constructor(
    readonly plan: Plan,
    readonly device: ComputeDevice,
    /** Runs one kernel; default: the tile interpreter. */
    readonly launch?: LaunchKernel,
  ) {}

  /** Runs the plan. */
  run(inputs: readonly Tensor[], scalars: readonly (number | bigint)[], symbols: Float64Array): Tensor[] {
    const results = interpretPlan(this.plan, { inputs: inputs.map(hostInput), scalars, symbols }, this.launch)
    const made = new Map<number, Storage>()
    return results.map(({ data, offset, shape, strides }, i) => {
      const { buffer, dtype } = this.plan.outputs[i]!
      const planned = this.plan.buffers[buffer]!
      if (planned.kind === 'input') {
        return new Tensor(inputs[planned.input]!.source, dtype, makeLayout(shape, strides, offset), false)
      }
      const owner = !made.has(buffer)
      const storage = made.get(buffer) ?? this.#store(data)
      made.set(buffer, storage)
      return new Tensor(storage, dtype, makeLayout(shape, strides, offset), owner)
    })
  }

  /** Elements as they are stored, in memory of the device. */
  #store(data: HostInput['data']): Storage {
    const { memory, name } = this.device
    const storage = new Storage(memory.allocate(data.byteLength), data.byteLength, name, memory)
    memory.write(storage.block, 0, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    return storage
  }
}

function hostInput(tensor: Tensor): HostInput {
  const data = elementsInPlace(tensor.storage('interpret'), checkTensorDtype(tensor.dtype, 'interpret'))
  if (data === null) throw new InternalError(`interpret: ${tensor.describe()} is on ${tensor.device}`)
  return { data, offset: tensor.layout.offset }
}
