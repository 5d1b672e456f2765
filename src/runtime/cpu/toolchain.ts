/**
 * From C source to a shared object on disk, through the cache: what was compiled once on this machine is only looked up.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../base/canonical.js'
import { CompilerError } from '../../base/errors.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { type Compiler, describeCompiler, firstLines } from './compiler.js'
import { installHint } from './find-compiler.js'
import { type Outcome, runAsync, runBlocking, type Work } from './process.js'

export interface ToolchainStats {
  /** Shared objects that the compiler made in this process. */
  compiled: number
  /** Shared objects found in the cache. */
  loaded: number
  /** Milliseconds spent in compilers that made shared objects. */
  compileMs: number
}

export interface CompiledFile {
  /** The shared object. */
  readonly path: string
  /** The C that it was made from, beside it. */
  readonly sourcePath: string
  /** True when nothing had to be compiled. */
  readonly cached: boolean
}

export interface CompileOptions {
  /** Further compiler or linker flags, after the common ones. */
  readonly flags?: readonly string[]
}

const extension = process.platform === 'darwin' ? 'dylib' : 'so'
const shownErrorLines = 12
/** What an attempt gives when the disk has no space for it. */
const diskFull = Symbol('disk full')

export class Toolchain {
  readonly stats: ToolchainStats = { compiled: 0, loaded: 0, compileMs: 0 }
  readonly #inFlight = new Map<string, Promise<CompiledFile>>()
  #compiler: Compiler | null = null
  #describing: Promise<Compiler> | null = null

  constructor(readonly cache: DiskCache) {}

  /** The compiler in use. Throws CompilerError when there is none. */
  compiler(): Compiler {
    this.#compiler ??= runBlocking(describeCompiler(this.cache))
    return this.#compiler
  }

  /** As `compiler`, without blocking the event loop. */
  async compilerAsync(): Promise<Compiler> {
    if (this.#compiler !== null) return this.#compiler
    // Asked once for all who wait, so that those who ask together go on together.
    this.#describing ??= runAsync(describeCompiler(this.cache)).finally(() => {
      this.#describing = null
    })
    this.#compiler = await this.#describing
    return this.#compiler
  }

  /**
   * Compiles a C translation unit into a shared object, or finds it in the cache.
   * Throws CompilerError when there is no compiler or it refuses the source.
   */
  compile(source: string, options: CompileOptions = {}): CompiledFile {
    return runBlocking(this.#work(this.compiler(), source, options.flags ?? []))
  }

  /** As `compile`, without blocking the event loop; equal sources in flight are compiled once. */
  async compileAsync(source: string, options: CompileOptions = {}): Promise<CompiledFile> {
    const compiler = await this.compilerAsync()
    const flags = options.flags ?? []
    const key = sharedObjectKey(compiler, source, flags)
    const running = this.#inFlight.get(key)
    if (running !== undefined) return running
    const work = runAsync(this.#work(compiler, source, flags)).finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, work)
    return work
  }

  *#work(compiler: Compiler, source: string, flags: readonly string[]): Work<CompiledFile> {
    const key = sharedObjectKey(compiler, source, flags)
    const known = this.cache.getFile(key)
    if (known !== null) {
      this.stats.loaded++
      return { path: known, sourcePath: sourceBeside(known), cached: true }
    }
    const path = yield* this.#compile(compiler, key, source, flags)
    return { path, sourcePath: sourceBeside(path), cached: false }
  }

  /** A full disk costs a warning and the cache, not the work: it is done once more in a temporary folder. */
  *#compile(compiler: Compiler, key: string, source: string, flags: readonly string[]): Work<string> {
    for (;;) {
      const made = yield* this.#attempt(compiler, key, source, flags)
      if (made !== diskFull) return made
      if (!this.cache.leaveFullDisk()) {
        throw new CompilerError(`no space is left on the disk to compile in (${this.cache.folder})`, {
          fix: 'free disk space, or set TEGULA_CACHE_DIR and TMPDIR to folders on another disk',
        })
      }
    }
  }

  *#attempt(compiler: Compiler, key: string, source: string, flags: readonly string[]): Work<string | typeof diskFull> {
    const folder = this.cache.createWorkFolder()
    try {
      // Fixed names inside the folder: the same source then gives the same bytes in every process.
      writeFileSync(join(folder, 'kernel.c'), source)
      const { file, args } = compiler.program
      const started = performance.now()
      const output = ['-o', 'kernel.out', 'kernel.c']
      const outcome = yield { file, args: [...args, ...output, ...compiler.flags, ...flags], folder }
      if (outcome.status !== 0 && outcome.stderr.includes('No space left on device')) return diskFull
      if (outcome.status !== 0) throw this.#failure(compiler, key, source, outcome)
      this.stats.compiled++
      this.stats.compileMs += performance.now() - started
      return this.cache.putFile(key, extension, readFileSync(join(folder, 'kernel.out')), { c: source })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return diskFull
      throw error
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  #failure(compiler: Compiler, key: string, source: string, outcome: Outcome): CompilerError {
    const kept = this.cache.putText(`failed-${key}`, 'c', source)
    const why = outcome.failure ?? `exit status ${outcome.status}`
    const said = firstLines(outcome.stderr, shownErrorLines)
    const killed = outcome.status === null ? 'the compiler was stopped: look for a lack of memory; ' : ''
    return new CompilerError(`${compiler.program.file} failed (${why}) on ${kept}:\n${said}\n`, {
      fix: `${killed}report the kept source as a bug of Tegula, or check the compiler (${compiler.version}); ${installHint()}`,
    })
  }
}

function sharedObjectKey(compiler: Compiler, source: string, flags: readonly string[]): string {
  return contentHash(['shared object', compiler.identity, flags.join('\0'), source])
}

function sourceBeside(path: string): string {
  return `${path.slice(0, -extension.length)}c`
}
