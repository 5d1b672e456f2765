/** Compiles C source to a shared object on disk, through the cache: each source is compiled once per machine. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { contentHash } from '../../base/canonical.js'
import { CompilerError } from '../../base/errors.js'
import { span } from '../../base/spans.js'
import { plural } from '../../base/units.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { errorCode } from '../../cache/private-folder.js'
import { compileSeconds, timeoutFix } from '../time-limit.js'
import { exportsOf, unitsOf } from './abi.js'
import { type Compiler, describeCompiler, firstLines } from './compiler.js'
import { installHint } from './find-compiler.js'
import { type Command, describeFailure, type Outcome, runAsync, runBlocking, type Work } from './process.js'
import { whyNotLoadable } from './shared-object.js'

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
  /** Of its cache entry. */
  readonly key: string
  /** True when nothing had to be compiled. */
  readonly cached: boolean
}

export interface CompileOptions {
  /** Further compiler or linker flags, after the common ones. */
  readonly flags?: readonly string[]
}

const extension = process.platform === 'darwin' ? 'dylib' : 'so'
const shownErrorLines = 12
/** The result of an attempt when the disk is full. */
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
    // One query serves all concurrent callers.
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
    return span('phase', 'C compiler', () => runBlocking(this.#work(this.compiler(), source, options.flags ?? [])))
  }

  /** Like `compile`, without blocking the event loop; equal sources in flight are compiled once. */
  async compileAsync(source: string, options: CompileOptions = {}): Promise<CompiledFile> {
    const compiler = await this.compilerAsync()
    const flags = options.flags ?? []
    const key = sharedObjectKey(compiler, source, flags)
    const running = this.#inFlight.get(key)
    if (running !== undefined) return running
    const work = span('phase', 'C compiler', () => runAsync(this.#work(compiler, source, flags))).finally(() =>
      this.#inFlight.delete(key),
    )
    this.#inFlight.set(key, work)
    return work
  }

  /** Removes a file that turned out to be unusable. */
  discard({ key, path, sourcePath }: CompiledFile): void {
    this.cache.discard(key)
    for (const file of [path, sourcePath]) rmSync(file, { force: true })
  }

  *#work(compiler: Compiler, source: string, flags: readonly string[]): Work<CompiledFile> {
    const key = sharedObjectKey(compiler, source, flags)
    const known = this.cache.getFile(key)
    if (known !== null) {
      this.stats.loaded++
      return { path: known, sourcePath: sourceBeside(known), key, cached: true }
    }
    const path = yield* this.#compile(compiler, key, source, flags)
    return { path, sourcePath: sourceBeside(path), key, cached: false }
  }

  /** A full disk costs a warning and the cache, not the work: it is redone in a temporary folder. */
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

  /** Compiles once; returns the path of the library, or `diskFull`. */
  *#attempt(compiler: Compiler, key: string, source: string, flags: readonly string[]): Work<string | typeof diskFull> {
    const folder = this.cache.createWorkFolder()
    try {
      const started = performance.now()
      const libraries = needsLibraries(source)
      let command = buildCommand(compiler, source, flags, folder, libraries)
      let outcome = yield command
      // The compiler may have made calls of its own, of memcpy and the like.
      if (!libraries && outcome.stderr.includes('undefined reference')) {
        command = buildCommand(compiler, source, flags, folder, true)
        outcome = yield command
      }
      if (outcome.status !== 0 && outcome.stderr.includes('No space left on device')) return diskFull
      if (outcome.status !== 0) throw this.#failure(compiler, key, source, command, outcome)
      const made = this.#requireLibrary(compiler, join(folder, 'kernel.out'), outcome)
      this.stats.compiled++
      this.stats.compileMs += performance.now() - started
      return this.cache.putFile(key, extension, made, { c: source })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return diskFull
      throw error
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** The compiler's output. Throws CompilerError when there is none, or it cannot be loaded. */
  #requireLibrary(compiler: Compiler, path: string, { stderr }: Outcome): Uint8Array {
    const made = readIfThere(path)
    const problem = made === null ? 'wrote no output file' : whyNotLoadable(made)
    if (made !== null && problem === null) return made
    const what =
      made === null ? problem : `wrote an output file that cannot be loaded: ${problem} (${made.length} bytes)`
    const said = firstLines(stderr, shownErrorLines)
    throw new CompilerError(
      `${compiler.program.file} ended with exit status 0 but ${what}${said === '' ? '' : `:\n${said}\n`}`,
      { fix: `check the compiler (${compiler.version}), or name another in TEGULA_CC; ${installHint()}`, at: null },
    )
  }

  /** The error for a failed compilation; keeps the source for a report. */
  #failure(compiler: Compiler, key: string, source: string, command: Command, outcome: Outcome): CompilerError {
    const kept = this.cache.putText(`failed-${key}`, 'c', source)
    const { failure } = outcome
    const why = failure === null ? `exit status ${outcome.status}` : describeFailure(failure)
    const said = firstLines(outcome.stderr, shownErrorLines)
    const { program, version } = compiler
    const [what, advice] =
      failure?.kind === 'too slow'
        ? [
            `${[command.file, ...command.args].join(' ')}, on ${plural(exportsOf(source).kernels, 'kernel')}`,
            `${timeoutFix}; `,
          ]
        : [program.file, failure?.kind === 'killed' ? 'look for a lack of memory; ' : '']
    return new CompilerError(`${what} failed (${why}) on ${kept}:\n${said}\n`, {
      fix: `${advice}report the kept source as a bug of Tegula, or check the compiler (${version}); ${installHint()}`,
    })
  }
}

/** Whether the text calls the C library: most kernels do not, and searching the libraries takes longer than linking. */
const needsLibraries = (source: string): boolean => process.platform !== 'linux' || libraryCall.test(source)
const libraryCall = /#include|__builtin_(a?(sin|cos|tan)h?|atan2|exp\w*|log\w*|erfc?|pow|fmod)f?\(/

/**
 * Writes the source into `folder`, and gives the command that makes kernel.out of it there. Names inside the folder are fixed, so
 * that the same source gives the same bytes in every process.
 */
function buildCommand(
  compiler: Compiler,
  source: string,
  flags: readonly string[],
  folder: string,
  libraries: boolean,
): Command {
  const { file, args } = compiler.program
  const parts = unitsOf(source, maxUnits())
  const names = parts.map((_, i) => (parts.length === 1 ? 'kernel.c' : `kernel${i}.c`))
  parts.forEach((text, i) => {
    writeFileSync(join(folder, names[i]!), text)
  })
  const common = [...compiler.flags, ...flags]
  const link = (inputs: readonly string[]): string[] => [
    ...args,
    ...['-o', 'kernel.out', ...inputs],
    ...common,
    ...compiler.linkFlags,
    ...(libraries ? ['-lm'] : ['-nostdlib']),
  ]
  const seconds = compileSeconds()
  if (parts.length === 1) return { file, args: link(names), folder, seconds }
  const commands = [
    ...names.map((name, i) => `"$0" ${shellWords([...args, '-c', '-o', `kernel${i}.o`, name, ...common])} & p${i}=$!`),
    ...names.map((_, i) => `wait $p${i} || exit`),
    `exec "$0" ${shellWords(link(names.map((_, i) => `kernel${i}.o`)))}`,
  ]
  return { file: '/bin/sh', args: ['-c', commands.join('\n'), file], folder, seconds }
}

const shellWords = (words: readonly string[]): string =>
  words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

/** Compilers that run at once. They are short of memory before they are of cores. */
const mostUnits = 8
const maxUnits = (): number => (process.platform === 'win32' ? 1 : Math.min(mostUnits, availableParallelism()))

function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EISDIR') return null
    throw error
  }
}

function sharedObjectKey(compiler: Compiler, source: string, flags: readonly string[]): string {
  return contentHash(['shared object', compiler.identity, flags.join('\0'), source])
}

function sourceBeside(path: string): string {
  return `${path.slice(0, -extension.length)}c`
}
