/**
 * Runs a graph whose code has variants: decides at each call which one it may use (variant.ts), and compiles a variant when
 * it is first needed. Nearly all programs only need the first.
 */

import type { Artifact } from '../../backends/artifact.js'
import type { ComputeDevice, MachineOptions } from '../../backends/device.js'
import type { Tensor } from '../../tensor/tensor.js'
import { itemBytes } from '../../types/dtype.js'
import { type Executable, makeExecutable, type Runner } from './executable.js'
import { bestVariant, type Variant, VariantReader, variantKey } from './variant.js'

const maxDivisor = 16

export class VersionedRunner implements Runner {
  readonly #reader: VariantReader
  readonly #versions = new Map<string, { readonly variant: Variant; readonly executable: Executable }>()
  #present: Executable
  #variant: Variant
  /** The symbols of the last call; NaN at first, so that the first call reads them. */
  readonly #symbols: Float64Array
  #divisible = true
  #index32 = true

  /**
   * @param compile compiles the code of a variant
   * @param first the executable of `bestVariant`; default: compiled now
   */
  constructor(
    readonly device: ComputeDevice,
    readonly options: MachineOptions,
    readonly compile: (variant: Variant) => Artifact,
    first?: Executable,
  ) {
    this.#variant = bestVariant
    this.#present = this.#add(bestVariant, first ?? this.#make(bestVariant))
    const { plan } = this.#present.artifact
    this.#reader = new VariantReader(plan)
    this.#symbols = new Float64Array(plan.symbols.length).fill(Number.NaN)
  }

  /** The variants compiled so far. */
  versions(): { readonly variant: Variant; readonly artifact: Artifact }[] {
    return [...this.#versions.values()].map(({ variant, executable }) => ({ variant, artifact: executable.artifact }))
  }

  /** The artifact of the variant that ran last. */
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

  /** NaN until the first call of a graph without symbols. */
  #static = Number.NaN

  #change(aligned: boolean): void {
    this.#variant = { aligned, divisible: this.#divisible, index32: this.#index32 }
    const known = this.#versions.get(variantKey(this.#variant))?.executable
    this.#present = known ?? this.#add(this.#variant, this.#make(this.#variant))
  }

  #make(variant: Variant): Executable {
    const artifact = this.compile(variant)
    return makeExecutable(artifact, this.device, this.options)
  }

  #add(variant: Variant, executable: Executable): Executable {
    this.#versions.set(variantKey(variant), { variant, executable })
    return executable
  }
}

function isAligned(inputs: readonly Tensor[]): boolean {
  for (let i = 0; i < inputs.length; i++) {
    const { source, layout, dtype } = inputs[i]!
    if (source.kind !== 'storage') continue
    if ((source.block.address + layout.offset * itemBytes(dtype)) % maxDivisor !== 0) return false
  }
  return true
}
