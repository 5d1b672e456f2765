/** Shared objects loaded into this process. */
import type { LibraryHandle } from 'koffi'
import { CompilerError, InternalError } from '../../base/errors.js'
import { koffi } from '../native.js'
import { exportsOf } from './abi.js'
import type { CompiledFile } from './toolchain.js'

/** A function of a loaded library that takes and returns numbers. */
export type NativeFunction = (...values: number[]) => number

/** The address of a function, and the library that must stay loaded while it may be called. */
export interface NativeSymbol {
  readonly module: NativeModule
  readonly name: string
  readonly address: number
}

/** A loaded shared object. It is unloaded when nothing refers to it any more. */
export class NativeModule {
  readonly path: string
  /** The C that it was compiled from. */
  readonly sourcePath: string
  readonly #library: LibraryHandle

  /** Loads the file. Throws CompilerError when the system refuses it. */
  constructor(file: CompiledFile) {
    this.path = file.path
    this.sourcePath = file.sourcePath
    try {
      this.#library = koffi().load(file.path)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new CompilerError(`the compiled library ${file.path} cannot be loaded (${why})`, {
        fix: 'if its folder is mounted noexec, set TEGULA_CACHE_DIR to one that is not; else check the C compiler (TEGULA_CC)',
        at: null,
        cause,
      })
    }
  }

  /** The address of an exported symbol. Throws InternalError when the library has no such symbol. */
  address(name: string): number {
    try {
      return Number(this.#library.symbol(name) as bigint)
    } catch (cause) {
      throw new InternalError(`${this.path} exports no symbol ${name}; its source is ${this.sourcePath}`, { cause })
    }
  }

  /** Throws CompilerError unless the library exports every symbol that its source defines. */
  requireExports(source: string): void {
    for (const name of exportsOf(source).names) {
      try {
        this.#library.symbol(name)
      } catch (cause) {
        throw new CompilerError(`the compiled library ${this.path} has no ${name}, which its source defines`, {
          fix: 'check the C compiler (TEGULA_CC): it did not compile what it was given',
          at: null,
          cause,
        })
      }
    }
  }

  symbol(name: string): NativeSymbol {
    return { module: this, name, address: this.address(name) }
  }

  /** A callable function from its C prototype: `int tg_run(double steps, double count, double sizes)`. A call costs ~25 ns. */
  function<A extends readonly (number | string)[] = number[]>(prototype: string): (...values: A) => number {
    return this.#library.func(prototype) as (...values: A) => number
  }
}
