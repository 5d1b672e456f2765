/** An NVIDIA GPU as a compute device: modules from the driver's assembler, launched on the current stream. */
import { DeviceError } from '../../base/errors.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { OutOfShared } from '../../lower/simt/shared-memory.js'
import type { CudaBlock } from '../../runtime/cuda/block.js'
import { OutOfResources } from '../../runtime/cuda/context.js'
import type { CudaDevice } from '../../runtime/cuda/device.js'
import type { TensorMemory } from '../../runtime/device.js'
import { archOf } from '../../target/cuda.js'
import { wordArguments } from '../../types/argument-layout.js'
import type { Artifact } from '../artifact.js'
import type {
  CompilerStats,
  ComputeDevice,
  ExportedBinary,
  ExportRequirements,
  KernelResourceUse,
  MachineOptions,
  NamedKernel,
  SingleKernel,
  Stopwatch,
} from '../device.js'
import type { Launchable, Machine } from '../machine.js'
import type { Target } from '../target.js'
import { CudaMachine } from './machine.js'
import { gpuStopwatch } from './stopwatch.js'
import { targetForCuda } from './target.js'

export class CudaComputeDevice implements ComputeDevice {
  readonly threads = null
  readonly isHost = false
  readonly roundsMatmuls = true
  #target: Target | null = null

  constructor(readonly gpu: CudaDevice) {}

  get name(): CudaDevice['name'] {
    return this.gpu.name
  }

  get model(): string {
    return this.gpu.facts.name
  }

  get memory(): TensorMemory {
    return this.gpu.memory
  }

  get cache(): DiskCache {
    return this.gpu.cache
  }

  get isCapturing(): boolean {
    return this.gpu.context.capturing
  }

  get target(): Target {
    this.#target ??= targetOf(this.gpu)
    return this.#target
  }

  get compilerStats(): CompilerStats {
    return this.gpu.assemblerStats
  }

  /** Kernels need nothing but their module. */
  async warmup(): Promise<void> {}

  compileAhead(): (source: string) => void {
    return this.gpu.assembler.ahead()
  }

  machine(artifact: Artifact, { graphs = false }: MachineOptions = {}): Machine {
    const module = artifact.source === '' ? null : this.gpu.loadModule(artifact.source)
    return new CudaMachine(artifact, this.gpu, module, graphs)
  }

  async machineAsync(artifact: Artifact, { graphs = false }: MachineOptions = {}): Promise<Machine> {
    const module = artifact.source === '' ? null : await this.gpu.loadModuleAsync(artifact.source)
    return new CudaMachine(artifact, this.gpu, module, graphs)
  }

  launch({ source, symbol, args, resources, lines }: SingleKernel): Launchable {
    const { gpu } = this
    const { threads, sharedBytes } = resources
    const kernel = gpu.loadModule(source).kernel(symbol)
    const steps = gpu.stepList([{ kind: 'kernel', kernel, args: wordArguments(args), threads, sharedBytes, lines }])
    return {
      steps,
      uses: (block, writes) => gpu.allocator.use(block as CudaBlock, gpu.streams.current, writes),
      run: () => steps.run(gpu.streams.current),
    }
  }

  stopwatch(): Stopwatch {
    return gpuStopwatch(this.gpu)
  }

  /** What each kernel uses on this device, as the driver's assembler reports it. */
  kernelUses(source: string, kernels: readonly NamedKernel[]): readonly KernelResourceUse[] {
    const module = this.gpu.loadModule(source)
    return kernels.map(({ symbol, resources: { threads, sharedBytes } }) => {
      const { registers, localBytes, assembled } = module.kernel(symbol)
      const spilledBytes = Math.max(assembled?.spillStoreBytes ?? 0, assembled?.spillLoadBytes ?? 0, 0)
      return {
        threads,
        sharedBytes,
        registers: assembled?.registers || registers,
        spilledBytes: assembled === null ? localBytes : spilledBytes,
        note: assembled?.serialized ?? null,
      }
    })
  }

  isTooLarge(error: unknown): boolean {
    return error instanceof OutOfShared || error instanceof OutOfResources
  }

  exportCode(source: string): ExportedBinary {
    const { cubins, log } = this.gpu.assembler.assemble(source)
    return { files: cubins, log }
  }

  adoptCode(source: string, { files, log }: ExportedBinary): void {
    this.gpu.assembler.adopt(source, { cubins: files, log })
  }

  get requirements(): ExportRequirements {
    const { name, capability } = this.gpu.facts
    return { needs: { model: name, capability }, files: [] }
  }

  synchronize(): void {
    this.gpu.synchronize()
  }

  trim(): number {
    return this.gpu.allocator.trim()
  }
}

function targetOf({ name, facts }: CudaDevice): Target {
  const { capability, multiprocessors, l2Bytes } = facts
  const arch = archOf(capability)
  if (arch !== null) return targetForCuda({ kind: 'cuda', arch, multiprocessors, l2Bytes })
  throw new DeviceError(
    `${name}: ${facts.name} has compute capability ${capability / 10}; Tegula generates code for 8.0 and later`,
    { fix: "use { device: 'cpu' }, or a newer GPU" },
  )
}
