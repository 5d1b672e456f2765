/**
 * Runs compiled functions from files that `exportCompiled` wrote: nothing is captured or compiled. It is code: load only
 * files that you trust; the digest finds damage, not malice.
 */

import { readFileSync } from 'node:fs'
import type { Refuse } from '../../backends/backend.js'
import type { ComputeDevice } from '../../backends/device.js'
import { backendOf, computeDevice } from '../../backends/index.js'
import { describeAny } from '../../base/describe.js'
import { ArgumentError, ArtifactError, RecompileError } from '../../base/errors.js'
import { version } from '../../base/version.js'
import type { Device } from '../../tensor/device.js'
import { defaultGenerator } from '../../tensor/generator.js'
import { makeLayout } from '../../tensor/layout.js'
import { outsideScopes, Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import { captureRefusal } from '../../tensor/trace.js'
import { currentTracer } from '../../tensor/tracer.js'
import type { TensorFunction } from '../capture/capture.js'
import { Entry, type EntryData } from '../entry.js'
import { makeExecutable, type Runner } from '../execute/executable.js'
import { backend } from '../execute/runner.js'
import { variantKey } from '../execute/variant.js'
import { VersionedRunner } from '../execute/versions.js'
import type { Bindings } from '../retrace/follow.js'
import {
  decodeExport,
  type ExportedCall,
  type ExportedCode,
  type ExportedFunction,
  type ExportedTensor,
  type ExportedVersion,
  reviveArguments,
  reviveResult,
} from './export-format.js'

export interface LoadedMethods {
  /** The guards of all versions, one line each. */
  guards(): string[]
}

/** What `loadCompiled` returns: the exported function, with `guards`. */
export type LoadedFunction<F extends TensorFunction> = F & LoadedMethods

/**
 * The function that `exportCompiled` wrote. `source`: the file's path, or the bytes. Throws ArtifactError when they are
 * damaged, or made by another version of Tegula or for another machine. Calling it with arguments that no exported version
 * accepts throws RecompileError, which says why each does not.
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
  const refuse = refusing(exported, from)
  const { name, requires } = exported
  if (requires.version !== version) {
    refuse(`exported by Tegula ${requires.version}, this is ${version}`, 'export it again with this version')
  }
  const entries = new ExportReader(exported, refuse).entries()
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
    throw captureRefusal(`${name}: a loaded function is called inside a function that is being captured`, {
      fix: 'call it outside, or compile its source instead of loading it',
    })
  }
  for (const entry of entries) if (entry.match(args)) return entry.run(name)
  const reasons = entries.map((entry, i) => `version ${i + 1}: ${entry.explain(args) ?? 'it fits now'}`)
  throw new RecompileError(`${name}: no loaded version fits these arguments; ${reasons.join('; ')}`, {
    fix: 'call the function with such arguments before exportCompiled(), or export it with dynamic: true',
  })
}

const refusing =
  ({ name }: ExportedFunction, from: string): Refuse =>
  (what, fix, cause) => {
    throw new ArtifactError(`loadCompiled: ${name} in ${from} was ${what}`, { fix, cause })
  }

class ExportReader {
  readonly #exported: ExportedFunction
  readonly #refuse: Refuse
  readonly #storages = new Map<string, Storage>()
  readonly #devices = new Map<Device, ComputeDevice>()

  constructor(exported: ExportedFunction, refuse: Refuse) {
    this.#exported = exported
    this.#refuse = refuse
    if (backend() === 'interpreter') {
      throw new ArgumentError(`loadCompiled: ${exported.name} is native code, and TEGULA_BACKEND is 'interpreter'`, {
        fix: 'unset TEGULA_BACKEND',
      })
    }
  }

  entries(): Entry[] {
    return this.#exported.versions.map(version => {
      const entry = new Entry(this.#data(version), this.#runner(version.code))
      entry.adopt(version.known.map(({ key, ...call }) => ({ key, bindings: bindingsOf(call) })))
      return entry
    })
  }

  #runner({ device: name, options, versions }: ExportedCode): Runner {
    const device = this.#device(name)
    for (const { artifact, files, log } of versions) {
      if (artifact.source !== '') device.adoptCode(artifact.source, { files: this.#files(files), log })
    }
    const weakest = versions.at(-1)!.artifact
    if (versions.length === 1) return makeExecutable(weakest, device, options)
    return new VersionedRunner(device, options, wanted => {
      const key = variantKey(wanted)
      return versions.find(({ variant }) => variantKey(variant) === key)?.artifact ?? weakest
    })
  }

  /** The device of that name, prepared for the exported code. */
  #device(name: Device): ComputeDevice {
    const known = this.#devices.get(name)
    if (known !== undefined) return known
    const backEnd = backendOf(name)
    const { needs, files } = this.#exported.requires.backends[backEnd.name]!
    const device = backEnd.deviceForExport(name, { needs, files: this.#files(files) }, this.#refuse)
    this.#devices.set(name, device)
    return device
  }

  #files(indices: readonly number[]): Uint8Array[] {
    return indices.map(index => this.#exported.libraries[index]!)
  }

  #data(version: ExportedVersion): EntryData {
    return {
      ...version,
      args: reviveArguments(version.args),
      result: reviveResult(version.result),
      inputs: version.inputs.map(({ path, tensor, value }) => ({
        path,
        tensor: tensor === null ? null : this.#tensor(tensor),
        alias: null,
        value,
        gradOf: null,
      })),
      grads: [],
      autocast: null,
      ends: [],
      recording: null,
      tape: null,
      draws: version.draws.map(draw => ({ generator: defaultGenerator, ...draw })),
      watched: { objects: [], held: [] },
    }
  }

  /** The storage of an exported memory on a device, created once. */
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
}

const bindingsOf = ({ numbers, symbols, assigned }: Omit<ExportedCall, 'key'>): Bindings => ({
  numbers,
  symbols: Float64Array.from(symbols),
  assigned: assigned.map(([value]) => value),
  constants: new Map(),
})
