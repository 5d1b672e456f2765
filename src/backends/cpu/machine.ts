/** Runs plans on the CPU: packed steps of library functions, all run by one native call. */
import type { CpuDevice } from '../../runtime/cpu/device.js'
import type { NativeModule } from '../../runtime/cpu/library.js'
import type { StepList } from '../../runtime/cpu/steps.js'
import { launchesAmong } from '../../schedule/plan/plan.js'
import { argumentsOf } from '../../tile/abi.js'
import type { Artifact, KernelInterface } from '../artifact.js'
import type { Machine } from '../machine.js'

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

  /** Calls run one after another: there is nothing to synchronise. */
  uses(): void {}

  run(): void {
    this.steps.run()
  }

  runSome(first: number, end: number): void {
    this.steps.runSome(first, end)
  }
}
