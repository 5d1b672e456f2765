/**
 * Compile-time facts about scalars: divisors, non-negativity, and whether a block is inside its view. Derived from
 * constants in the program and from the launcher's guarantees (`LaunchFacts`).
 */
import { powerOfTwoIn } from '../../scalar/lattice.js'
import type { LaunchFacts } from '../../target/launch.js'
import { argumentsOf } from '../../tile/abi.js'
import { type TileNode, type TileProgram, viewType } from '../../tile/ir.js'
import { constantForm, IndexAnalysis, isConstant, sum } from '../shared/index-analysis.js'

/** Cap on divisors: larger ones bring no gain, as accesses are at most 16 bytes wide and tiles are smaller. */
const largest = 2 ** 20

export class Facts {
  readonly index: IndexAnalysis
  readonly index32: boolean
  readonly #given = new Map<string, number>()

  constructor(program: TileProgram, { divisors, indices }: LaunchFacts) {
    this.index32 = indices === 'i32'
    argumentsOf(program.params).forEach((argument, i) => {
      const detail = argument.kind === 'size' || argument.kind === 'stride' ? argument.dim : ''
      this.#given.set(`${argument.param}:${argument.kind}${detail}`, divisors[i] ?? 1)
    })
    this.index = new IndexAnalysis(
      { body: program.body },
      {
        size: (view, dim) => this.#ofArgument(view, `size${dim}`),
        stride: (view, dim) => this.#ofArgument(view, `stride${dim}`),
        scalar: ({ attrs }) => this.#given.get(`${attrs.index}:scalar`) ?? 1,
      },
    )
  }

  #ofArgument(view: TileNode, key: string): number {
    const { index } = (view as Extract<TileNode, { op: 'view' }>).attrs
    return this.#given.get(`${index}:${key}`) ?? 1
  }

  /** Known alignment in bytes of a view's element 0. */
  pointerBytes(view: TileNode): number {
    return this.#ofArgument(view, 'pointer')
  }

  /** A power of two that divides the size of a view's dim. */
  sizeDivisor(view: TileNode, dim: number): number {
    return powerOfTwoIn(this.index.divisor(this.index.size(view, dim)), largest)
  }

  /** A power of two that divides a stride. */
  strideDivisor(view: TileNode, dim: number): number {
    return powerOfTwoIn(viewType(view).strides[dim] ?? this.#ofArgument(view, `stride${dim}`), largest)
  }

  /** A power of two that divides an i64 scalar. */
  divisor(node: TileNode): number {
    return powerOfTwoIn(this.index.divisor(this.index.affine(node)), largest)
  }

  /** True when an i64 scalar is never negative. */
  isNatural(node: TileNode): boolean {
    return this.index.interval(this.index.affine(node)).min >= 0
  }

  /** True when `extent` elements from `offset` on always end within the view's dim. */
  endsInside(view: TileNode, dim: number, offset: TileNode, extent: number): boolean {
    const end = sum(this.index.affine(offset), constantForm(extent))
    return this.index.atMost(end, this.index.size(view, dim))
  }

  /** True when a block always begins within the view's dim. */
  startsInside(view: TileNode, dim: number, offset: TileNode): boolean {
    const next = sum(this.index.affine(offset), constantForm(1))
    return this.index.atMost(next, this.index.size(view, dim))
  }

  /** True when an index is never less than the end of the view's dim. */
  reaches(end: TileNode, view: TileNode, dim: number): boolean {
    return this.index.atMost(this.index.size(view, dim), this.index.affine(end))
  }

  /** The scalar's constant value, or null. */
  constant(node: TileNode): number | null {
    const form = this.index.affine(node)
    return isConstant(form) ? form.offset : null
  }
}
