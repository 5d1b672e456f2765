/** A user's kernel inside a graph: the tile program of a `launch` node, opaque to the graph. */
import { contentHash } from '../base/canonical.js'
import { InternalError } from '../base/errors.js'
import { elementCount, rowMajorStrides } from '../graph/host.js'
import type { GraphOps, Shape } from '../graph/ir.js'
import type { GraphKernel } from '../graph/kernel.js'
import type { HostTensor } from '../graph/record.js'
import { print } from '../ir/print.js'
import type { Value } from '../scalar/ops.js'
import type { Size } from '../scalar/size.js'
import { interpret, type ViewMemory } from '../tile/interpret.js'
import { type TileNode, type TileProgram, tileDialect } from '../tile/ir.js'
import { overwrites } from '../tile/overwrites.js'
import { codecOf } from '../types/codec.js'
import type { Dtype } from '../types/dtype.js'
import { type StoredArray, storedArrayType } from '../types/memory.js'

export class UserKernel implements GraphKernel {
  readonly canonicalText: string

  /** `program`: traced for the given constants; all sizes and strides are symbolic. */
  constructor(readonly program: TileProgram) {
    const text = print<TileNode>(tileDialect, program.body)
    this.canonicalText = `${program.name} ${contentHash([text, JSON.stringify([program.params, program.hints])]).slice(0, 32)}`
  }

  get name(): string {
    return this.program.name
  }

  overwrites(param: number, shapes: readonly (Shape | null)[], grid: readonly [Size, Size, Size]): boolean {
    return overwrites(this.program, param, { shapes, grid })
  }

  /** Runs the kernel on host tensors, by the tile interpreter. */
  run(
    inputs: readonly HostTensor[],
    { args, writes, overwritten }: Omit<GraphOps['launch'], 'kernel' | 'grid'>,
    grid: readonly number[],
  ): HostTensor[] {
    const memory = inputs.map(viewOf)
    // Poisons buffers that the kernel must overwrite, so that stale contents cannot pass as results.
    for (const input of overwritten) new Uint8Array(memory[input]!.data.buffer).fill(0xff)
    const given = args.map(arg => {
      if ('scalar' in arg) return arg.scalar
      if ('input' in arg) return memory[arg.input]!
      throw new InternalError(`launch of '${this.name}': a number of the call is not known`)
    })
    interpret(
      this.program,
      given.map((value, i) => this.#scalarOrView(value, i)),
      grid,
    )
    return writes.map(input => ({ ...inputs[input]!, data: valuesOf(memory[input]!, inputs[input]!.dtype) }))
  }

  #scalarOrView(value: ViewMemory | number | bigint, param: number): ViewMemory | number | bigint | boolean {
    const { type } = this.program.params[param]!
    return type.kind === 'scalar' && type.dtype === 'bool' ? value !== 0 : value
  }
}

/** The tile program behind a graph's kernel. */
export function userKernel(kernel: GraphKernel): UserKernel {
  if (kernel instanceof UserKernel) return kernel
  throw new InternalError(`graph: the kernel '${kernel.name}' contains no tile program`)
}

/** A copy of the tensor as view memory. */
function viewOf({ dtype, shape, data }: HostTensor): ViewMemory {
  const stored = new (storedArrayType(dtype))(elementCount(shape)) as StoredArray
  for (const [i, value] of data.entries()) stored[i] = encode(dtype, value)
  return { data: stored, offset: 0, sizes: shape, strides: rowMajorStrides(shape) }
}

const valuesOf = ({ data }: ViewMemory, dtype: Dtype): Value[] =>
  Array.from(data as Iterable<Value>, value => decode(dtype, value))

const encode = (dtype: Dtype, value: Value): Value => codecOf(dtype)?.encode(Number(value)) ?? value
const decode = (dtype: Dtype, code: Value): Value => codecOf(dtype)?.decode(Number(code)) ?? code
