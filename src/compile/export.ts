/**
 * Compiled functions as files: `exportCompiled` writes all compiled versions of a function with their native code and
 * the tensors that they close over; `loadCompiled` runs them in another process, where nothing is captured or compiled
 * and no C compiler is needed. The code is for one kind of machine, which is checked. It is code: load only files that
 * you trust; the digest finds damage, not malice.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { contentHash } from '../base/canonical.js'
import { ArgumentError, ArtifactError, CaptureError, RecompileError } from '../base/errors.js'
import { version } from '../base/version.js'
import { recordTable } from '../graph/ops/index.js'
import type { OpRecord } from '../graph/record.js'
import { type CpuDevice, cpuDevice } from '../runtime/cpu/device.js'
import { NativeModule } from '../runtime/cpu/library.js'
import { runtimeFlags, runtimeSource } from '../runtime/cpu/native-runtime.js'
import { cpuIdentity } from '../runtime/cpu/probe.js'
import { defaultGenerator } from '../tensor/generator.js'
import { outsideScopes, Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { TensorFunction } from './capture.js'
import { versionsOf } from './compile.js'
import { CpuMachine } from './cpu-machine.js'
import { Entry, type EntryData } from './entry.js'
import { Executable } from './executable.js'
import {
  checkPortable,
  decodeExport,
  type ExportedFunction,
  type ExportedTensor,
  type ExportedVersion,
  encodeExport,
  type Requirements,
  reviveTree,
} from './export-format.js'
import type { ResultPlace } from './results.js'
import { backend } from './runner.js'
import { describeValue } from './tree.js'

// --- export --------------------------------------------------------------------------------------------------------

/**
 * All versions of `f` that are compiled now (call it or `warmup` it first), as bytes; written to `path` too when given.
 * Tensors that the function closes over go along with the values that they have now; arguments are given at each call.
 * Throws ArgumentError when `f` is no compiled function, has no version yet, reads values inside (graph breaks), takes
 * functions or class instances as arguments, or draws from a generator of its own.
 */
export function exportCompiled(f: unknown, path?: string): Uint8Array {
  const versions = versionsOf(f)
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
  const writer = new ExportWriter(name, cpuDevice())
  const bytes = encodeExport(writer.write(entries))
  if (path !== undefined) writeFileSync(path, bytes)
  return bytes
}

class ExportWriter {
  readonly #libraries: Uint8Array[] = []
  readonly #libraryOf = new Map<string, number>()
  readonly #storages: Storage[] = []

  constructor(
    readonly name: string,
    readonly device: CpuDevice,
  ) {}

  write(entries: readonly Entry[]): ExportedFunction {
    this.#library(runtimeSource, runtimeFlags)
    const versions = entries.map(entry => this.#version(entry))
    const storages = this.#storages.map(({ block, bytes, memory }) => memory.read(block, 0, bytes))
    return { name: this.name, requires: requirements(), versions, libraries: this.#libraries, storages }
  }

  #version({ data, runner }: Entry): ExportedVersion {
    if (!(runner instanceof Executable)) {
      throw new ArgumentError(`exportCompiled: ${this.name} runs in the interpreter and has no native code`, {
        fix: 'unset TEGULA_BACKEND',
      })
    }
    checkPortable(data.args, this.name)
    if (data.draws.some(({ generator }) => generator !== defaultGenerator)) {
      throw new ArgumentError(`exportCompiled: ${this.name} draws from a generator of its own`, {
        fix: 'draw from the default generator, which manualSeed() seeds, or pass random tensors in',
      })
    }
    const { artifact } = runner
    return {
      ...data,
      inputs: data.inputs.map(({ path, tensor }) => ({ path, tensor: tensor === null ? null : this.#tensor(tensor) })),
      draws: data.draws.map(({ elements }) => elements),
      results: data.results.map(exportedResult),
      artifact,
      library: artifact.source === '' ? null : this.#library(artifact.source, []),
    }
  }

  #tensor(tensor: Tensor): ExportedTensor {
    const storage = tensor.storage('exportCompiled')
    const known = this.#storages.indexOf(storage)
    const index = known >= 0 ? known : this.#storages.push(storage) - 1
    return { storage: index, dtype: tensor.dtype, layout: tensor.layout }
  }

  /** The index of a library, which the cache holds unless somebody has cleared it meanwhile. */
  #library(source: string, flags: readonly string[]): number {
    const known = this.#libraryOf.get(source)
    if (known !== undefined) return known
    const index = this.#libraries.push(readFileSync(this.device.toolchain.compile(source, { flags }).path)) - 1
    this.#libraryOf.set(source, index)
    return index
  }
}

function exportedResult(place: ResultPlace): ExportedVersion['results'][number] {
  if (place.kind === 'output') return place
  return { ...place, path: place.path.map(({ record, attrs }) => ({ record: record.name, attrs })) }
}

const requirements = (): Requirements => ({
  version,
  runtime: contentHash([runtimeSource, ...runtimeFlags]),
  platform: process.platform,
  arch: process.arch,
  cpu: cpuIdentity(),
})

// --- load ----------------------------------------------------------------------------------------------------------

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
  const from = typeof source === 'string' ? source : 'the bytes passed'
  const exported = decodeExport(typeof source === 'string' ? readExport(source) : source, from)
  checkRequirements(exported, from)
  const { name } = exported
  const entries = new ExportReader(exported, cpuDevice()).entries()
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

/** Native code runs where every instruction set that it may use is there. */
function checkRequirements({ requires, name }: ExportedFunction, from: string): void {
  const here = requirements()
  const refuse = (what: string, fix: string): never => {
    throw new ArtifactError(`loadCompiled: ${name} in ${from} was ${what}`, { fix })
  }
  if (requires.version !== here.version) {
    refuse(`exported by Tegula ${requires.version}, this is ${here.version}`, 'export it again with this version')
  }
  if (requires.platform !== here.platform || requires.arch !== here.arch) {
    const [made, wanted] = [requires, here].map(({ platform, arch }) => `${platform} on ${arch}`)
    refuse(`compiled for ${made}, this is ${wanted}`, 'export it on a machine of this kind')
  }
  if (requires.runtime !== here.runtime) {
    refuse('exported by another build of this version of Tegula', 'export it again with this build')
  }
  const has = new Set(here.cpu.flags.split(' '))
  const missing = requires.cpu.flags.split(' ').filter(flag => !has.has(flag))
  const unknown = requires.cpu.flags === '' && requires.cpu.model !== here.cpu.model
  if (missing.length === 0 && !unknown) return
  const lacks = unknown ? 'is another' : `lacks ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ', …' : ''}`
  refuse(`compiled for ${requires.cpu.model}; this CPU, ${here.cpu.model}, ${lacks}`, 'export it on a CPU of this kind')
}

class ExportReader {
  readonly #storages: readonly Storage[]

  constructor(
    readonly exported: ExportedFunction,
    readonly device: CpuDevice,
  ) {
    if (backend() === 'interpreter') {
      throw new ArgumentError(`loadCompiled: ${exported.name} is native code, and TEGULA_BACKEND is 'interpreter'`, {
        fix: 'unset TEGULA_BACKEND',
      })
    }
    this.#storages = exported.storages.map(bytes => this.#storage(bytes))
    device.adoptRuntime(this.#module(0, runtimeSource))
  }

  entries(): Entry[] {
    return this.exported.versions.map(version => {
      const { artifact, library } = version
      const module = library === null ? null : this.#module(library, artifact.source)
      return new Entry(this.#data(version), new Executable(artifact, new CpuMachine(artifact, this.device, module)))
    })
  }

  #data(version: ExportedVersion): EntryData {
    return {
      ...version,
      args: reviveTree(version.args),
      result: reviveTree(version.result),
      inputs: version.inputs.map(({ path, tensor }) => ({
        path,
        tensor: tensor === null ? null : this.#tensor(tensor),
      })),
      draws: version.draws.map(elements => ({ generator: defaultGenerator, elements })),
      results: version.results.map((place): ResultPlace => {
        if (place.kind === 'output') return place
        const path = place.path.map(({ record, attrs }) => ({
          record: recordOf(record),
          attrs,
          example: attrs,
          at: null,
        }))
        return { ...place, path }
      }),
    }
  }

  #storage(bytes: Uint8Array): Storage {
    const { allocator } = this.device
    const block = allocator.allocate(bytes.length)
    allocator.write(block, 0, bytes)
    return outsideScopes(() => new Storage(block, bytes.length, 'cpu', allocator))
  }

  #tensor({ storage, dtype, layout }: ExportedTensor): Tensor {
    return new Tensor(this.#storages[storage]!, dtype, layout, false)
  }

  /** A library that lies in the cache under its own content: the system's loader opens files only. */
  #module(index: number, source: string): NativeModule {
    const { cache } = this.device.toolchain
    const bytes = this.exported.libraries[index]!
    const key = contentHash(['loaded library', bytes])
    const extension = process.platform === 'darwin' ? 'dylib' : 'so'
    const path = cache.getFile(key) ?? cache.putFile(key, extension, bytes, { c: source })
    return new NativeModule({ path, sourcePath: `${path.slice(0, -extension.length)}c`, cached: true })
  }
}

function recordOf(name: string): OpRecord {
  const record = Object.entries(recordTable).find(([known]) => known === name)?.[1]
  if (record === undefined) throw new ArtifactError(`loadCompiled: no op '${name}'`, { fix: 'export it again' })
  return record as OpRecord
}
