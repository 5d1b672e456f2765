/** Products of matrices by warpgroups, by hand: operands come as they lie in shared memory, made by `arranged`. */
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import type { SharedMatrix } from '../../../src/lane/shared-matrix.js'
import type { TensorDtype } from '../../../src/types/dtype.js'
import { toBf16, toF16 } from '../../../src/types/float16.js'
import { pointer } from '../../lane/build.js'
import type { TestArgument } from '../compare.js'
import { zeros } from '../samples.js'
import { type BlockBuilder, blockProgram } from './block-programs.js'

export interface Product {
  readonly dtype: 'f16' | 'bf16' | 'i8' | 'u8'
  /** Columns, and rows for each of the warpgroups. */
  readonly n: number
  readonly k: number
  readonly warpgroups?: number
  readonly a: { readonly swizzle: 32 | 64 | 128; readonly major: 'k' | 'mn' } | 'registers'
  readonly b: { readonly swizzle: 32 | 64 | 128; readonly major: 'k' | 'mn' }
  /** Changes the program in one place, to see that it is refused. */
  readonly fault?: 'no fence' | 'no barrier' | 'early read' | 'early write' | 'no commit'
  /** A loop over the steps of k, with one group under way. */
  readonly looped?: boolean
}

export const small = (i: number): number => ((i * 7 + (i >> 4) * 3) % 9) - 4

const itemBytes = (dtype: Product['dtype']): number => (dtype === 'i8' || dtype === 'u8' ? 1 : 2)

/** How an operand with so many rows (m or n) and steps of k lies in memory; panels follow each other. */
export function matrixOf(
  { swizzle, major }: Exclude<Product['a'], 'registers'>,
  rows: number,
  k: number,
): SharedMatrix {
  return {
    swizzle,
    major,
    groupBytes: 8 * swizzle,
    panelBytes: swizzle * (major === 'k' ? rows : k),
  }
}

/** The operand's elements (row, step) in the order of memory: by the manual's drawings, not by shared-matrix.ts. */
export function arranged(
  { swizzle, major }: Exclude<Product['a'], 'registers'>,
  bytes: number,
  rows: number,
  k: number,
  value: (row: number, step: number) => number,
): number[] {
  const out = new Array<number>(rows * k)
  const perRow = swizzle / bytes
  const lines = major === 'k' ? rows : k
  for (let row = 0; row < rows; row++) {
    for (let step = 0; step < k; step++) {
      const [line, along] = major === 'k' ? [row, step] : [step, row]
      const [panel, inLine] = [Math.floor(along / perRow), along % perRow]
      const piece = Math.floor((inLine * bytes) / 16)
      // Rows of 64 or 32 bytes share a line of 128: two or four of them have the same number.
      const turned = piece ^ (Math.floor((line % 8) / (128 / swizzle)) % (swizzle / 16))
      out[(panel * lines + line) * perRow + turned * (16 / bytes) + (inLine % (16 / bytes))] = value(row, step)
    }
  }
  return out
}

export const valueA = (row: number, step: number): number => small(row * 5 + step)
export const valueB = (column: number, step: number): number => small(column * 3 + step * 2 + 1)

function stored(dtype: Product['dtype'], values: readonly number[]): TestArgument {
  const array = zeros(dtype as TensorDtype, values.length)
  const code = dtype === 'f16' ? toF16 : dtype === 'bf16' ? toBf16 : (x: number) => x
  values.forEach((value, i) => {
    array[i] = code(dtype === 'u8' ? Math.abs(value) : value) as never
  })
  return array
}

/** What the product is, as c lies in memory. */
export function expected({ dtype, n, k, warpgroups = 1 }: Product): number[] {
  const of = (value: number): number => (dtype === 'u8' ? Math.abs(value) : value)
  return Array.from({ length: 64 * warpgroups * n }, (_, i) => {
    const [row, column] = [Math.floor(i / n), i % n]
    let sum = 2
    for (let step = 0; step < k; step++) sum += of(valueA(row, step)) * of(valueB(column, step))
    return sum
  })
}

export function productProgram(product: Product): { program: LaneProgram; args: TestArgument[] } {
  const { dtype, n, k, a, b, warpgroups = 1, fault } = product
  const bytes = itemBytes(dtype)
  const rows = 64 * warpgroups
  const wide = bytes === 1 ? 'i32' : 'f32'
  const bytesA = a === 'registers' ? 0 : rows * k * bytes
  const block = { threads: 128 * warpgroups, sharedBytes: bytesA + n * k * bytes }
  const types = { a: pointer(dtype), b: pointer(dtype), c: pointer(wide) }
  const name = `wgmma_${dtype}_${n}_${k}_${warpgroups}_${a === 'registers' ? 'r' : a.major + a.swizzle}_${b.major}${b.swizzle}`
  const program = blockProgram(name + (product.looped ? '_loop' : ''), block, types, (builder, g, args) => {
    const code = new ProductCode(product, builder, g)
    const left = a === 'registers' ? args.a : code.stage(args.a, rows * k, 0)
    const right = code.stage(args.b, n * k, bytesA)
    if (fault !== 'no fence') g.proxyFence()
    if (fault !== 'no barrier') g.barrier()
    const place = code.accumulatorPlace()
    const acc = code.multiply(left, right)
    if (fault === 'early write') builder.store(right, g.threadId(), builder.const(dtype, 0))
    const done = fault === 'early read' ? acc : g.wgmmaWait(0, acc)
    for (let i = 0; i < n / 4; i++) {
      const at = builder.map('add', place, g.i32((i >> 1) * 8 + (i & 1) * 8 * n))
      builder.store(args.c, at, g.slice(done, i * 2, 2))
    }
  })
  const matrixA = a === 'registers' ? fragments(product, rows) : arranged(a, bytes, rows, k, valueA)
  const memory = [stored(dtype, matrixA), stored(dtype, arranged(b, bytes, n, k, valueB)), zeros(wide, rows * n)]
  return { program, args: memory }
}

/** The left operand as threads load it: for each step of an instruction, 16 bytes of each thread after another. */
function fragments({ dtype, k }: Product, rows: number): number[] {
  const bytes = itemBytes(dtype)
  const each = 4 / bytes
  const values: number[] = []
  for (let step = 0; step < k; step += 32 / bytes) {
    for (let thread = 0; thread < rows * 2; thread++) {
      const row = Math.floor(thread / 32) * 16 + ((thread % 32) >> 2)
      for (let i = 0; i < 4 * each; i++) {
        const register = Math.floor(i / each)
        const column = (thread & 3) * each + (i % each) + (register >> 1) * 4 * each
        values.push(valueA(row + (register & 1) * 8, step + column))
      }
    }
  }
  return values
}

class ProductCode {
  constructor(
    readonly product: Product,
    readonly b: Parameters<Parameters<typeof blockProgram>[3]>[0],
    readonly g: BlockBuilder,
  ) {}

  get #threads(): number {
    return 128 * (this.product.warpgroups ?? 1)
  }

  /** Copies memory to shared memory as it is. */
  stage(from: LaneNode, count: number, offset: number): LaneNode {
    const { b, g } = this
    const { dtype } = this.product
    const to = g.shared(dtype, count, offset, 'operand')
    const lanes = 16 / itemBytes(dtype)
    for (let first = 0; first < count; first += this.#threads * lanes) {
      const at = b.map('add', b.map('mul', g.threadId(), g.i32(lanes)), g.i32(first))
      const isInside = b.map('lt', at, g.i32(count))
      b.store(to, at, b.load(from, at, lanes, this.#all(isInside, lanes)), this.#all(isInside, lanes))
    }
    return to
  }

  #all(condition: LaneNode, lanes: number): LaneNode {
    return this.b.map('where', condition, this.g.i32(lanes), this.g.i32(0))
  }

  /** Where a thread's first value of the accumulator belongs in c. */
  accumulatorPlace(): LaneNode {
    const { b, g } = this
    const thread = g.threadId()
    const lane = b.map('and', thread, g.i32(31))
    const row = b.map('add', b.map('mul', b.map('shr', thread, g.i32(5)), g.i32(16)), b.map('shr', lane, g.i32(2)))
    const column = b.map('mul', b.map('and', lane, g.i32(3)), g.i32(2))
    return b.map('add', b.map('mul', row, g.i32(this.product.n)), column)
  }

  multiply(left: LaneNode, right: LaneNode): LaneNode {
    const { g, b } = this
    const { dtype, n, k, looped, fault } = this.product
    const depth = 32 / itemBytes(dtype)
    const start = this.b.const(itemBytes(dtype) === 1 ? 'i32' : 'f32', 2, n / 2)
    if (looped !== true) {
      const acc = this.#group(start, left, right, g.i32(0), k / depth)
      if (fault !== 'no commit') g.wgmmaCommit()
      return acc
    }
    const [sum] = b.for([0, k / depth, 1], [start], (counter, [acc]) => {
      const next = this.#group(acc!, left, right, b.cast('i32', counter), 1)
      g.wgmmaCommit()
      g.wgmmaWait(1)
      return [next]
    })
    return sum!
  }

  /** `steps` instructions from step `from` on, which is a constant unless rows along k fit one row of the pattern. */
  #group(start: LaneNode, left: LaneNode, right: LaneNode, from: LaneNode, steps: number): LaneNode {
    const { g, b } = this
    const { dtype, n, k, a, b: columns } = this.product
    const lanes = 16 / itemBytes(dtype)
    const rows = 64 * (this.product.warpgroups ?? 1)
    const loads =
      a === 'registers'
        ? Array.from({ length: steps }, (_, step) => {
            const stepStart = b.map('mul', b.map('add', from, g.i32(step)), g.i32(rows * 2 * lanes))
            return b.load(left, b.map('add', b.map('mul', g.threadId(), g.i32(lanes)), stepStart), lanes)
          })
        : []
    let acc = g.wgmmaFence(start, loads)
    const warpgroup = b.map('shr', g.threadId(), g.i32(7))
    for (let step = 0; step < steps; step++) {
      const at = b.map('add', from, g.i32(step))
      const indexB = this.#index(columns, n, k, at)
      if (a === 'registers') acc = g.wgmma(acc, right, indexB, matrixOf(columns, n, k), { registers: loads[step]! })
      else {
        const own = this.#index(a, rows, k, at)
        const perGroup =
          a.major === 'k'
            ? 64 * (a.swizzle / itemBytes(dtype))
            : (64 / (a.swizzle / itemBytes(dtype))) * k * (a.swizzle / itemBytes(dtype))
        const indexA = b.map('add', own, b.map('mul', warpgroup, g.i32(perGroup)))
        acc = g.wgmma(acc, right, indexB, matrixOf(columns, n, k), {
          pointer: left,
          index: indexA,
          matrix: matrixOf(a, rows, k),
        })
      }
    }
    return acc
  }

  /** The first element of an instruction's step, before swizzling. */
  #index({ swizzle, major }: Exclude<Product['a'], 'registers'>, rows: number, k: number, step: LaneNode): LaneNode {
    const { b, g } = this
    const bytes = itemBytes(this.product.dtype)
    const [perRow, depth] = [swizzle / bytes, 32 / bytes]
    if (major === 'mn') return b.map('mul', step, g.i32(depth * perRow))
    if (k <= perRow) return b.map('mul', step, g.i32(depth))
    const inPanel = perRow / depth
    const panel = b.map('shr', step, g.i32(Math.log2(inPanel)))
    const within = b.map('mul', b.map('sub', step, b.map('mul', panel, g.i32(inPanel))), g.i32(depth))
    return b.map('add', b.map('mul', panel, g.i32(rows * perRow)), within)
  }
}
