/**
 * Compiled functions as files: `exportCompiled` writes all compiled versions of a function with their native code and
 * the tensors that they close over; `loadCompiled` (load.ts) runs them in another process, where nothing is captured or
 * compiled and no C compiler is needed. The code is for one kind of machine, which is checked.
 */
import { writeFileSync } from 'node:fs'
import type { Artifact } from '../../backends/artifact.js'
import type { ComputeDevice, ExportedBinary } from '../../backends/device.js'
import { backendOf, computeDevice } from '../../backends/index.js'
import { describeAny } from '../../base/describe.js'
import { ArgumentError } from '../../base/errors.js'
import { version } from '../../base/version.js'
import { defaultGenerator } from '../../tensor/generator.js'
import type { Storage } from '../../tensor/storage.js'
import type { Tensor } from '../../tensor/tensor.js'
import { describeValue } from '../capture/tree.js'
import { versionsOf } from '../compile.js'
import type { Entry } from '../entry.js'
import { Executable, type Runner } from '../execute/executable.js'
import { type Variant, weakestVariant } from '../execute/variant.js'
import { VersionedRunner } from '../execute/versions.js'
import {
  checkPortable,
  type ExportedCall,
  type ExportedCode,
  type ExportedFunction,
  type ExportedTensor,
  type ExportedVersion,
  encodeExport,
  type Requirements,
} from './export-format.js'

/**
 * All compiled versions of `f` (call it or `warmup` it first) as bytes; also written to `path` when passed. Tensors that the
 * function closes over are included with their current values; of versions for several states of a module (`train()`,
 * `eval()`), those for the present one. Throws ArgumentError when `f` is no compiled function, has
 * no version yet, reads values inside (graph breaks), takes functions or class instances as arguments, or uses a random
 * generator other than the default one.
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
  const portable = entries.filter(({ data }) => data.inputs.every(({ alias }) => alias === null))
  if (portable.length === 0) {
    throw new ArgumentError(`exportCompiled: ${name} was only called with tensors that it closes over too`, {
      fix: 'call it, or await f.warmup(…), with other tensors: the other process has none of these',
    })
  }
  const present = portable.filter(({ fitsModules }) => fitsModules)
  if (present.length === 0) {
    throw new ArgumentError(`exportCompiled: ${name} has no version for what its modules hold now`, {
      fix: 'call it, or await f.warmup(…), after the last change of the modules (train(), eval(), assigned fields)',
    })
  }
  const bytes = encodeExport(new ExportWriter(name).write(present))
  if (path !== undefined) writeFileSync(path, bytes)
  return bytes
}

/** A traced call in the exported form. Calls with host data that differs from the exported data are left out. */
function exportedCall({ key, bindings }: Entry['known'][number]): ExportedCall[] {
  const { numbers, symbols, assigned, constants } = bindings
  if (constants.size > 0) return []
  return [
    { key, numbers, symbols: [...symbols], assigned: assigned.map(value => (value === undefined ? [] : [value])) },
  ]
}

/** A plan's code, and what it assumes. */
interface CodeVersion {
  readonly variant: Variant
  readonly artifact: Artifact
}

class ExportWriter {
  readonly #libraries: Uint8Array[] = []
  /** Compiled code by device and source, as several versions may share it. */
  readonly #binaries = new Map<string, { readonly files: readonly number[]; readonly log: string }>()
  readonly #storages: Storage[] = []
  /** For each back end in use, one of its devices. */
  readonly #devices = new Map<string, ComputeDevice>()

  constructor(readonly name: string) {}

  /** The exported form of these versions. */
  write(entries: readonly Entry[]): ExportedFunction {
    const versions = entries.map(entry => this.#version(entry))
    const storages = this.#storages.map(({ block, bytes, memory }) => memory.read(block, 0, bytes))
    const backends: Requirements['backends'] = Object.fromEntries(
      [...this.#devices].map(([name, { requirements }]) => [
        name,
        { needs: requirements.needs, files: this.#files(requirements.files) },
      ]),
    )
    return {
      name: this.name,
      requires: { version, backends },
      versions,
      libraries: this.#libraries,
      storages,
    }
  }

  /** The exported form of one version. Throws ArgumentError for what another process cannot restore. */
  #version({ data, runner, known }: Entry): ExportedVersion {
    checkPortable(data.args, this.name)
    const box = data.boxes.find(({ origin }) => 'box' in origin)
    if (box !== undefined) {
      throw new ArgumentError(`exportCompiled: ${this.name} closes over a boxed number, ${box.path}`, {
        fix: 'pass it as an argument',
      })
    }
    if (data.draws.some(({ generator }) => generator !== defaultGenerator)) {
      throw new ArgumentError(`exportCompiled: ${this.name} draws from a generator that is not the default one`, {
        fix: 'draw from the default generator, which manualSeed() seeds, or pass random tensors in',
      })
    }
    if (data.grads.length > 0) {
      throw new ArgumentError(`exportCompiled: ${this.name} reads or changes .grad of tensors`, {
        fix: 'export a function of the forward pass',
      })
    }
    const written = data.changes.find(({ object }) => object < 0)
    if (written !== undefined) {
      throw new ArgumentError(
        `exportCompiled: ${this.name} writes into ${written.path}, which the other process lacks`,
        {
          fix: 'return the value, or write into a buffer in place',
        },
      )
    }
    const {
      grads: _grads,
      ends: _ends,
      recording: _recording,
      tape: _tape,
      watched: _watched,
      autocast: _autocast,
      ...portable
    } = data
    return {
      ...portable,
      // The other process has copies of what the function closes over, which require no gradients.
      guards: data.guards.map(guard => ({ ...guard, requiresGrad: false })),
      inputs: data.inputs.map(({ path, tensor, value }) => ({
        path,
        tensor: tensor === null ? null : this.#tensor(tensor),
        value,
      })),
      draws: data.draws.map(({ elements, scalar }) => ({ elements, scalar })),
      known: known.flatMap(exportedCall),
      code: this.#code(runner),
    }
  }

  /** Includes the variant that any call may run, because the loading process compiles nothing. */
  #code(runner: Runner): ExportedCode {
    const { device, options, versions } = this.#portable(runner)
    this.#devices.set(backendOf(device.name).name, device)
    return {
      device: device.name,
      options,
      versions: versions.map(({ variant, artifact }) => ({
        variant,
        artifact,
        ...(artifact.source === '' ? { files: [], log: '' } : this.#binary(artifact.source, device)),
      })),
    }
  }

  /** The code versions of a runner, with one that assumes nothing about its arguments. */
  #portable(
    runner: Runner,
  ): Pick<VersionedRunner, 'device' | 'options'> & { readonly versions: readonly CodeVersion[] } {
    if (runner instanceof VersionedRunner) {
      const weakest = { variant: weakestVariant, artifact: runner.compile(weakestVariant) }
      return { device: runner.device, options: runner.options, versions: [...runner.versions(), weakest] }
    }
    if (runner instanceof Executable) {
      const { artifact, machine } = runner
      return { device: computeDevice(machine.device), options: {}, versions: [{ variant: weakestVariant, artifact }] }
    }
    throw new ArgumentError(`exportCompiled: ${this.name} runs in the interpreter and has no native code`, {
      fix: 'unset TEGULA_BACKEND',
    })
  }

  #tensor(tensor: Tensor): ExportedTensor {
    const storage = tensor.storage('exportCompiled')
    const known = this.#storages.indexOf(storage)
    const index = known >= 0 ? known : this.#storages.push(storage) - 1
    const { shape, strides, offset } = tensor.layout
    return { storage: index, device: tensor.device, dtype: tensor.dtype, layout: { shape, strides, offset } }
  }

  #binary(source: string, device: ComputeDevice): { readonly files: readonly number[]; readonly log: string } {
    const key = `${device.name} ${source}`
    const known = this.#binaries.get(key)
    if (known !== undefined) return known
    const { files, log }: ExportedBinary = device.exportCode(source)
    const made = { files: this.#files(files), log }
    this.#binaries.set(key, made)
    return made
  }

  /** Adds files; returns their indices among the libraries. */
  #files(files: readonly Uint8Array[]): number[] {
    return files.map(file => this.#libraries.push(file) - 1)
  }
}
