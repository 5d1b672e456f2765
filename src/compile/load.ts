/**
 * Runs compiled functions from files that `exportCompiled` wrote: nothing is captured or compiled. It is code: load only
 * files that you trust; the digest finds damage, not malice.
 */
import { readFileSync } from 'node:fs'
import { contentHash } from '../base/canonical.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError, ArtifactError, CaptureError, DeviceError, RecompileError } from '../base/errors.js'
import { version } from '../base/version.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import { NativeModule } from '../runtime/cpu/library.js'
import { runtimeSource } from '../runtime/cpu/native-runtime.js'
import { type CudaDevice, cudaDevice } from '../runtime/cuda/device.js'
import type { Device } from '../tensor/device.js'
import { defaultGenerator } from '../tensor/generator.js'
import { makeLayout } from '../tensor/layout.js'
import { outsideScopes, Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { TensorFunction } from './capture.js'
import { CpuMachine } from './cpu-machine.js'
import { CudaRunner } from './cuda-runner.js'
import { computeDevice } from './devices.js'
import { Entry, type EntryData } from './entry.js'
import { Executable, type Runner } from './executable.js'
import { cpuRequirements } from './export.js'
import {
  type CpuRequirements,
  decodeExport,
  type ExportedCall,
  type ExportedCpuCode,
  type ExportedCudaCode,
  type ExportedFunction,
  type ExportedTensor,
  type ExportedVersion,
  reviveArguments,
  reviveResult,
} from './export-format.js'
import type { Bindings } from './follow.js'
import { backend } from './runner.js'
import { variantKey } from './variant.js'

export interface LoadedMethods {
  /** One line per tensor and version: what calls it takes. */
  guards(): string[]
}

export type LoadedFunction<F extends TensorFunction> = F & LoadedMethods

/**
 * The function in a file, or in the bytes, that `exportCompiled` made. Throws ArtifactError when they are damaged, or made
 * by another version of Tegula or for another machine. Calling it with arguments that no exported version fits throws
 * RecompileError, which says why each does not.
 */
export function loadCompiled<F extends TensorFunction = (...args: never[]) => unknown>(
  source: string | Uint8Array,
): LoadedFunction<F> {
  if (typeof source !== 'string' && !((source as unknown) instanceof Uint8Array)) {
    throw new ArgumentError(`loadCompiled: the source is ${describeAny(source)}, neither a path nor bytes`, {
      fix: 'pass the path that exportCompiled() wrote to, or the bytes that it gave',
    })
  }
  const from = typeof source === 'string' ? source : 'the bytes passed'
  const exported = decodeExport(typeof source === 'string' ? readExport(source) : source, from)
  checkRequirements(exported, from)
  const { name } = exported
  const entries = new ExportReader(exported, from).entries()
  const call = (...args: readonly unknown[]): unknown => callLoaded(name, entries, args)
  const methods: LoadedMethods = { guards: () => entries.flatMap(({ guards }) => guards.describe()) }
  return Object.assign(call, methods) as unknown as LoadedFunction<F>
}

function readExport(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ArtifactError(
      `loadCompiled: ${path} cannot be read (${cause instanceof Error ? cause.message : cause})`,
      {
        cause,
        fix: 'pass the path that exportCompiled() wrote to',
      },
    )
  }
}

function callLoaded(name: string, entries: readonly Entry[], args: readonly unknown[]): unknown {
  if (currentTracer() !== null) {
    throw new CaptureError(`${name}: a loaded function is called inside a function that is being captured`, {
      fix: 'call it outside, or compile its source instead of loading it',
    })
  }
  for (const entry of entries) if (entry.match(args)) return entry.run(name)
  const reasons = entries.map((entry, i) => `version ${i + 1}: ${entry.explain(args) ?? 'it fits now'}`)
  throw new RecompileError(`${name}: no loaded version fits these arguments; ${reasons.join('; ')}`, {
    fix: 'call the function with such arguments before exportCompiled(), or export it with dynamic: true',
  })
}

function checkRequirements({ requires, name }: ExportedFunction, from: string): void {
  const refuse: Refuse = (what, fix) => {
    throw new ArtifactError(`loadCompiled: ${name} in ${from} was ${what}`, { fix })
  }
  if (requires.version !== version) {
    refuse(`exported by Tegula ${requires.version}, this is ${version}`, 'export it again with this version')
  }
  if (requires.cpu !== null) checkCpu(requires.cpu, refuse)
}

type Refuse = (what: string, fix: string) => void

/** Native code runs where every instruction set that it may use is there. */
function checkCpu(needs: CpuRequirements, refuse: Refuse): void {
  const here = cpuRequirements(needs.library)
  if (needs.platform !== here.platform || needs.arch !== here.arch) {
    const [made, wanted] = [needs, here].map(({ platform, arch }) => `${platform} on ${arch}`)
    refuse(`compiled for ${made}, this is ${wanted}`, 'export it on a machine of this kind')
  }
  if (needs.runtime !== here.runtime) {
    refuse('exported by another build of this version of Tegula', 'export it again with this build')
  }
  const has = new Set(here.flags.split(' '))
  const missing = needs.flags.split(' ').filter(flag => !has.has(flag))
  const unknown = needs.flags === '' && needs.model !== here.model
  if (missing.length === 0 && !unknown) return
  const lacks = unknown ? 'is another' : `lacks ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ', …' : ''}`
  refuse(`compiled for ${needs.model}; this CPU, ${here.model}, ${lacks}`, 'export it on a CPU of this kind')
}

/** The GPU of that name, if the code runs on it. Throws ArtifactError. */
function gpuFor(device: Device, { requires, name }: ExportedFunction, from: string): CudaDevice {
  const { model, capability } = requires.gpu!
  const made = `loadCompiled: ${name} in ${from} was compiled for ${model} (compute capability ${capability / 10})`
  let gpu: CudaDevice
  try {
    gpu = cudaDevice(Number(device.slice('cuda:'.length)))
  } catch (cause) {
    if (!(cause instanceof DeviceError)) throw cause
    throw new ArtifactError(`${made}; ${cause.what}`, { cause, fix: 'load it where such a GPU is' })
  }
  if (gpu.facts.capability === capability) return gpu
  throw new ArtifactError(`${made}; ${gpu.name}, ${gpu.facts.name}, has ${gpu.facts.capability / 10}`, {
    fix: 'export it on a GPU of this kind',
  })
}

class ExportReader {
  readonly #exported: ExportedFunction
  readonly #from: string
  readonly #storages = new Map<string, Storage>()

  constructor(exported: ExportedFunction, from: string) {
    this.#exported = exported
    this.#from = from
    if (backend() === 'interpreter') {
      throw new ArgumentError(`loadCompiled: ${exported.name} is native code, and TEGULA_BACKEND is 'interpreter'`, {
        fix: 'unset TEGULA_BACKEND',
      })
    }
    const { cpu } = exported.requires
    if (cpu !== null) cpuDevice().adoptRuntime(this.#library(cpu.library, runtimeSource))
  }

  entries(): Entry[] {
    return this.#exported.versions.map(version => {
      const entry = new Entry(this.#data(version), this.#runner(version.code))
      entry.adopt(version.known.map(({ key, ...call }) => ({ key, bindings: bindingsOf(call) })))
      return entry
    })
  }

  #runner(code: ExportedCpuCode | ExportedCudaCode): Runner {
    if (code.kind === 'cuda') return this.#cudaRunner(code)
    const { artifact, library } = code
    const module = library === null ? null : this.#library(library, artifact.source)
    return new Executable(artifact, new CpuMachine(artifact, cpuDevice(), module))
  }

  #cudaRunner({ device, graphs, variants }: ExportedCudaCode): Runner {
    const gpu = gpuFor(device, this.#exported, this.#from)
    for (const { artifact, modules, log } of variants) {
      const cubins = modules.map(index => this.#exported.libraries[index]!)
      if (artifact.source !== '') gpu.assembler.adopt(artifact.source, { cubins, log })
    }
    const weakest = variants.at(-1)!
    return new CudaRunner(gpu, graphs, wanted => {
      const key = variantKey(wanted)
      return (variants.find(({ variant }) => variantKey(variant) === key) ?? weakest).artifact
    })
  }

  #data(version: ExportedVersion): EntryData {
    return {
      ...version,
      args: reviveArguments(version.args),
      result: reviveResult(version.result),
      inputs: version.inputs.map(({ path, tensor, value }) => ({
        path,
        tensor: tensor === null ? null : this.#tensor(tensor),
        value,
      })),
      draws: version.draws.map(draw => ({ generator: defaultGenerator, ...draw })),
    }
  }

  /** One for each exported memory and device. */
  #storage(index: number, device: Device): Storage {
    const key = `${device} ${index}`
    const known = this.#storages.get(key)
    if (known !== undefined) return known
    const { memory } = computeDevice(device)
    const bytes = this.#exported.storages[index]!
    const block = memory.allocate(bytes.length)
    memory.write(block, 0, bytes)
    const made = outsideScopes(() => new Storage(block, bytes.length, device, memory))
    this.#storages.set(key, made)
    return made
  }

  #tensor({ storage, device, dtype, layout }: ExportedTensor): Tensor {
    const { shape, strides, offset } = layout
    return new Tensor(this.#storage(storage, device), dtype, makeLayout(shape, strides, offset), false)
  }

  /** A library that lies in the cache under its own content: the system's loader opens files only. */
  #library(index: number, source: string): NativeModule {
    const { cache } = cpuDevice().toolchain
    const bytes = this.#exported.libraries[index]!
    const key = contentHash(['loaded library', bytes])
    const extension = process.platform === 'darwin' ? 'dylib' : 'so'
    const path = cache.getFile(key) ?? cache.putFile(key, extension, bytes, { c: source })
    return new NativeModule({ path, sourcePath: `${path.slice(0, -extension.length)}c`, key, cached: true })
  }
}

const bindingsOf = ({ numbers, symbols, given }: Omit<ExportedCall, 'key'>): Bindings => ({
  numbers,
  symbols: Float64Array.from(symbols),
  given: given.map(([value]) => value),
  constants: new Map(),
})
