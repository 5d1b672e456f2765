/**
 * Runs a graph on a GPU: finds out at each call which version of its code the call may use (variant.ts), and compiles a
 * version when it is first needed. Nearly all programs only ever need the first.
 */
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { Tensor } from '../tensor/tensor.js'
import { itemBytes } from '../types/dtype.js'
import type { Artifact } from './artifact.js'
import { CudaMachine } from './cuda-machine.js'
import { Executable, type Runner } from './executable.js'
import { bestVariant, type Variant, VariantReader, variantKey } from './variant.js'

const widest = 16

export class CudaRunner implements Runner {
  readonly #reader: VariantReader
  readonly #versions = new Map<string, { readonly variant: Variant; readonly executable: Executable }>()
  #present: Executable
  #variant: Variant
  /** What the symbols said last; NaN-filled at first, so that they are looked at. */
  readonly #symbols: Float64Array
  #divisible = true
  #index32 = true

  /**
   * @param graphs run as a graph
   * @param compile the code of a version
   * @param first that of `bestVariant`
   */
  constructor(
    readonly device: CudaDevice,
    readonly graphs: boolean,
    readonly compile: (variant: Variant) => Artifact,
    first: Artifact = compile(bestVariant),
  ) {
    this.#reader = new VariantReader(first.plan)
    this.#symbols = new Float64Array(first.plan.symbols.length).fill(Number.NaN)
    this.#variant = bestVariant
    this.#present = this.#add(bestVariant, first)
  }

  /** Those compiled so far. */
  versions(): { readonly variant: Variant; readonly artifact: Artifact }[] {
    return [...this.#versions.values()].map(({ variant, executable }) => ({ variant, artifact: executable.artifact }))
  }

  /** Of the version that ran last. */
  get artifact(): Artifact {
    return this.#present.artifact
  }

  get sourcePath(): string | null {
    return this.#present.sourcePath
  }

  run(inputs: readonly Tensor[], scalars: readonly (number | bigint)[], symbols: Float64Array): readonly Tensor[] {
    this.#readSymbols(symbols)
    const aligned = isAligned(inputs)
    const { aligned: wasAligned, divisible, index32 } = this.#variant
    if (aligned !== wasAligned || divisible !== this.#divisible || index32 !== this.#index32) this.#change(aligned)
    return this.#present.run(inputs, scalars, symbols)
  }

  #readSymbols(symbols: Float64Array): void {
    let changed = this.#symbols.length === 0 && Number.isNaN(this.#static)
    for (let i = 0; i < symbols.length; i++) {
      if (this.#symbols[i] === symbols[i]) continue
      this.#symbols[i] = symbols[i]!
      changed = true
    }
    if (!changed) return
    this.#static = 0
    this.#divisible = this.#reader.divisible(symbols)
    this.#index32 = this.#reader.index32(symbols)
  }

  /** NaN until a graph without symbols has been looked at. */
  #static = Number.NaN

  #change(aligned: boolean): void {
    this.#variant = { aligned, divisible: this.#divisible, index32: this.#index32 }
    const known = this.#versions.get(variantKey(this.#variant))?.executable
    this.#present = known ?? this.#add(this.#variant, this.compile(this.#variant))
  }

  #add(variant: Variant, artifact: Artifact): Executable {
    const module = artifact.source === '' ? null : this.device.loadModule(artifact.source)
    const made = new Executable(artifact, new CudaMachine(artifact, this.device, module, this.graphs))
    this.#versions.set(variantKey(variant), { variant, executable: made })
    return made
  }
}

function isAligned(inputs: readonly Tensor[]): boolean {
  for (let i = 0; i < inputs.length; i++) {
    const { source, layout, dtype } = inputs[i]!
    if (source.kind !== 'storage') continue
    if ((source.block.address + layout.offset * itemBytes(dtype)) % widest !== 0) return false
  }
  return true
}
