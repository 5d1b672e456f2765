/** Runs plans on the CPU: packed steps of library functions, all run by one native call. */
import type { CpuDevice } from '../../runtime/cpu/device.js'
import type { NativeModule } from '../../runtime/cpu/library.js'
import type { StepList } from '../../runtime/cpu/steps.js'
import type { StepSize } from '../../runtime/patches.js'
import { launchesAmong } from '../../schedule/plan.js'
import { argumentsOf } from '../../tile/abi.js'
import type { Artifact, KernelInterface } from '../artifact.js'
import type { Machine } from '../machine.js'

/** Less work than this is not worth waking a thread for; it is also the target size of a chunk of a larger step. */
const chunkNanoseconds = 8000
/** Conservative speeds of one core, to estimate how long a step takes. */
const bytesPerNanosecond = 12
const flopsPerNanosecond = 25

export class CpuMachine implements Machine {
  readonly device = 'cpu'
  readonly alignment = 64
  /** Calls run one after another. */
  readonly queue = this
  readonly memory: CpuDevice['allocator']
  readonly sourcePath: string | null
  readonly steps: StepList

  /** `library`: null when the plan runs no kernel. */
  constructor({ plan, kernels }: Artifact, device: CpuDevice, library: NativeModule | null) {
    this.memory = device.allocator
    this.sourcePath = library?.sourcePath ?? null
    this.steps = device.stepList(
      launchesAmong(plan.steps).map(step => {
        const { symbol, params, resources } = kernels[step.kernel] as KernelInterface
        return {
          kernel: library!.symbol(symbol),
          args: argumentsOf(params).length,
          scratchBytes: resources.scratchBytes,
        }
      }),
    )
  }

  resize(sizes: readonly StepSize[], values: Float64Array): void {
    this.steps.setGrids(sizes, values)
    for (let i = 0; i < sizes.length; i++) {
      const { step, x, y, z, bytes, flops } = sizes[i]!
      const programs = values[x]! * values[y]! * values[z]!
      this.steps.setMinChunk(step, programs < 2 ? 0 : minChunk(programs, values[bytes]!, values[flops]!))
    }
  }

  /** Calls run one after another: there is nothing to synchronise. */
  uses(): void {}

  run(): void {
    this.steps.run()
  }
}

/** Program instances per chunk, so that a chunk is worth waking a thread; 0: the step runs on the calling thread alone. */
function minChunk(programs: number, bytes: number, flops: number): number {
  const nanoseconds = Math.max(bytes / bytesPerNanosecond, flops / flopsPerNanosecond)
  if (nanoseconds < 2 * chunkNanoseconds) return 0
  return Math.max(1, Math.ceil((programs * chunkNanoseconds) / nanoseconds))
}
