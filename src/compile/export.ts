/**
 * Compiled functions as files: `exportCompiled` writes all compiled versions of a function with their native code and
 * the tensors that they close over; `loadCompiled` (load.ts) runs them in another process, where nothing is captured or
 * compiled and no C compiler is needed. The code is for one kind of machine, which is checked.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { contentHash } from '../base/canonical.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { version } from '../base/version.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import { runtimeFlags, runtimeSource } from '../runtime/cpu/native-runtime.js'
import { cpuIdentity } from '../runtime/cpu/probe.js'
import { defaultGenerator } from '../tensor/generator.js'
import type { Storage } from '../tensor/storage.js'
import type { Tensor } from '../tensor/tensor.js'
import { versionsOf } from './compile.js'
import { CudaRunner } from './cuda-runner.js'
import type { Entry } from './entry.js'
import { Executable, type Runner } from './executable.js'
import {
  type CpuRequirements,
  checkPortable,
  type ExportedCall,
  type ExportedCpuCode,
  type ExportedCudaCode,
  type ExportedFunction,
  type ExportedTensor,
  type ExportedVersion,
  encodeExport,
  type GpuRequirements,
} from './export-format.js'
import { describeValue } from './tree.js'
import { weakestVariant } from './variant.js'

/**
 * All versions of `f` that are compiled now (call it or `warmup` it first), as bytes; written to `path` too when given.
 * Tensors that the function closes over go along with the values that they have now; arguments are given at each call.
 * Throws ArgumentError when `f` is no compiled function, has no version yet, reads values inside (graph breaks), takes
 * functions or class instances as arguments, or draws from a generator of its own.
 */
export function exportCompiled(f: unknown, path?: string): Uint8Array {
  const versions = versionsOf(f)
  if (path !== undefined && typeof (path as unknown) !== 'string') {
    throw new ArgumentError(`exportCompiled: the path is ${describeAny(path)}, not a string`, {
      fix: 'pass where to write the file, or nothing for the bytes alone',
    })
  }
  if (versions === null) {
    throw new ArgumentError(`exportCompiled: ${describeValue(f)} was not made by compile()`, {
      fix: 'pass what compile() returned',
    })
  }
  const { name, entries, breaks } = versions
  if (breaks) {
    throw new ArgumentError(`exportCompiled: ${name} reads values inside, so it runs as TypeScript at each call`, {
      fix: 'return what it reads instead; fullgraph: true finds the places',
    })
  }
  if (entries.length === 0) {
    throw new ArgumentError(`exportCompiled: ${name} has no compiled version yet`, {
      fix: 'call it, or await f.warmup(…), with arguments of each kind that the other process will pass',
    })
  }
  const bytes = encodeExport(new ExportWriter(name).write(entries))
  if (path !== undefined) writeFileSync(path, bytes)
  return bytes
}

/** Calls that made other host data than the one that is exported are left out. */
function exportedCall({ key, bindings }: Entry['known'][number]): ExportedCall[] {
  const { numbers, symbols, given, constants } = bindings
  if (constants.size > 0) return []
  return [{ key, numbers, symbols: [...symbols], given: given.map(value => (value === undefined ? [] : [value])) }]
}

class ExportWriter {
  readonly #libraries: Uint8Array[] = []
  readonly #libraryOf = new Map<string, number>()
  readonly #storages: Storage[] = []
  #gpu: GpuRequirements | null = null
  #usesCpu = false

  constructor(readonly name: string) {}

  write(entries: readonly Entry[]): ExportedFunction {
    const versions = entries.map(entry => this.#version(entry))
    const storages = this.#storages.map(({ block, bytes, memory }) => memory.read(block, 0, bytes))
    const cpu = this.#usesCpu ? cpuRequirements(this.#library(runtimeSource, runtimeFlags)) : null
    return {
      name: this.name,
      requires: { version, cpu, gpu: this.#gpu },
      versions,
      libraries: this.#libraries,
      storages,
    }
  }

  #version({ data, runner, known }: Entry): ExportedVersion {
    checkPortable(data.args, this.name)
    const box = data.boxes.find(({ origin }) => 'box' in origin)
    if (box !== undefined) {
      throw new ArgumentError(`exportCompiled: ${this.name} closes over a boxed number, ${box.path}`, {
        fix: 'pass it as an argument',
      })
    }
    if (data.draws.some(({ generator }) => generator !== defaultGenerator)) {
      throw new ArgumentError(`exportCompiled: ${this.name} draws from a generator of its own`, {
        fix: 'draw from the default generator, which manualSeed() seeds, or pass random tensors in',
      })
    }
    return {
      ...data,
      inputs: data.inputs.map(({ path, tensor, value }) => ({
        path,
        tensor: tensor === null ? null : this.#tensor(tensor),
        value,
      })),
      draws: data.draws.map(({ elements, scalar }) => ({ elements, scalar })),
      known: known.flatMap(exportedCall),
      code: runner instanceof CudaRunner ? this.#cudaCode(runner) : this.#cpuCode(runner),
    }
  }

  #cpuCode(runner: Runner): ExportedCpuCode {
    if (!(runner instanceof Executable)) {
      throw new ArgumentError(`exportCompiled: ${this.name} runs in the interpreter and has no native code`, {
        fix: 'unset TEGULA_BACKEND',
      })
    }
    this.#usesCpu = true
    const { artifact } = runner
    return { kind: 'cpu', artifact, library: artifact.source === '' ? null : this.#library(artifact.source, []) }
  }

  /** With the version that any call may run: who loads it has no compiler for others. */
  #cudaCode(runner: CudaRunner): ExportedCudaCode {
    const { device, graphs } = runner
    this.#gpu = { model: device.facts.name, capability: device.facts.capability }
    const variants = [...runner.versions(), { variant: weakestVariant, artifact: runner.compile(weakestVariant) }]
    const exported = variants.map(({ variant, artifact }) => {
      if (artifact.source === '') return { variant, artifact, modules: [], log: '' }
      const { cubins, log } = device.assembler.assemble(artifact.source)
      return { variant, artifact, modules: cubins.map(cubin => this.#libraries.push(cubin) - 1), log }
    })
    return { kind: 'cuda', device: device.name, graphs, variants: exported }
  }

  #tensor(tensor: Tensor): ExportedTensor {
    const storage = tensor.storage('exportCompiled')
    const known = this.#storages.indexOf(storage)
    const index = known >= 0 ? known : this.#storages.push(storage) - 1
    return { storage: index, device: tensor.device, dtype: tensor.dtype, layout: tensor.layout }
  }

  /** The index of a library, which the cache holds unless somebody has cleared it meanwhile. */
  #library(source: string, flags: readonly string[]): number {
    const known = this.#libraryOf.get(source)
    if (known !== undefined) return known
    const { path } = cpuDevice().toolchain.compile(source, { flags })
    const index = this.#libraries.push(readFileSync(path)) - 1
    this.#libraryOf.set(source, index)
    return index
  }
}

/** Of code compiled here. `library`: the C runtime's index among the libraries. */
export const cpuRequirements = (library: number): CpuRequirements => ({
  runtime: contentHash([runtimeSource, ...runtimeFlags]),
  library,
  platform: process.platform,
  arch: process.arch,
  ...cpuIdentity(),
})
