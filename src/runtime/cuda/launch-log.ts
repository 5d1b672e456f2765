/**
 * The launches that may still run. A kernel's failure is reported at some later call; the log lets the error name the
 * kernels that may have caused it. A fixed ring: recording writes a few array elements.
 */
import type { SourceLocation } from '../../base/source.js'

/** A kernel, and the user's lines behind it. */
export interface KernelLabel {
  readonly kernel: string
  readonly lines: readonly SourceLocation[]
}

/** Something that launches kernels, and can list them. */
export interface Launcher {
  readonly kernels: readonly KernelLabel[]
}

const capacity = 256

export class LaunchLog {
  readonly #launchers = new Array<Launcher | null>(capacity).fill(null)
  readonly #streams = new Float64Array(capacity)
  #count = 0

  /** Work of `launcher` was queued on the stream of this id. */
  record(launcher: Launcher, stream: number): void {
    const slot = this.#count++ % capacity
    this.#launchers[slot] = launcher
    this.#streams[slot] = stream
  }

  /** A moment: everything recorded until now. */
  get mark(): number {
    return this.#count
  }

  /** All work of the stream (or, without one, of all streams) recorded before `mark` is done. */
  done(mark: number, stream?: number): void {
    for (let i = Math.max(0, this.#count - capacity); i < mark; i++) {
      const slot = i % capacity
      if (stream === undefined || this.#streams[slot] === stream) this.#launchers[slot] = null
    }
  }

  /** The kernels that may still run, in order, each once. */
  pending(): KernelLabel[] {
    const kernels = new Set<KernelLabel>()
    for (let i = Math.max(0, this.#count - capacity); i < this.#count; i++) {
      for (const kernel of this.#launchers[i % capacity]?.kernels ?? []) kernels.add(kernel)
    }
    return [...kernels]
  }
}

const maxNamed = 8

/** "kernel add_relu (model.ts:41)", "one of these kernels: …", or null when none was launched. */
export function blame(kernels: readonly KernelLabel[]): string | null {
  if (kernels.length === 0) return null
  const named = kernels.slice(-maxNamed).map(describe)
  if (kernels.length === 1) return `kernel ${named[0]}`
  const more = kernels.length > maxNamed ? ` or ${kernels.length - maxNamed} launched before` : ''
  return `one of the kernels launched last: ${named.join(', ')}${more}`
}

function describe({ kernel, lines }: KernelLabel): string {
  const places = [...new Set(lines.map(({ file, line }) => `${file.slice(file.lastIndexOf('/') + 1)}:${line}`))]
  return places.length === 0 ? kernel : `${kernel} (${places.join(', ')})`
}
