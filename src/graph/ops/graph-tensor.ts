/**
 * A tensor of a graph with ops as methods, so that a formula reads as users write it: `x.sub(y).abs().mul(0.5)`. Each method
 * emits through the record of its op: operands promote and broadcast, plain numbers take the other operand's dtype.
 */
import { InternalError } from '../../base/errors.js'
import type { ReductionName } from '../../scalar/ops.js'
import { type Size, SizeExpr } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import { parseCall } from '../apply.js'
import {
  castTo,
  countOf,
  dtypeOf,
  expandTo,
  fromFront,
  full,
  numberNode,
  reduce,
  reduceKeepdim,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, ScatterFold, Shape } from '../ir.js'
import type { OpInput, OpRecord } from '../record.js'
import type { MethodArgs, Signature } from '../signature.js'
import { arithmeticRecords } from './arithmetic.js'
import { choiceRecords } from './choice.js'
import { indexingRecords } from './indexing.js'
import { mathRecords } from './math.js'
import { matmulRecords } from './matmul.js'
import { reductionRecords } from './reduction.js'
import { viewRecords } from './view.js'

const methods = {
  ...arithmeticRecords,
  ...mathRecords,
  ...choiceRecords,
  ...reductionRecords,
  ...viewRecords,
  ...indexingRecords,
  ...matmulRecords,
}

type Method<R> = R extends { readonly signature: Signature<infer Text>; readonly results: infer Results }
  ? (
      ...args: MethodArgs<Text>
    ) => Results extends readonly string[] ? Readonly<Record<Results[number], GraphTensor>> : GraphTensor
  : never
type Methods = { readonly [Name in keyof typeof methods]: Method<(typeof methods)[Name]> }

export interface GraphTensor extends Methods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the loop below defines every method of the interface
export class GraphTensor {
  /** `given`: its dtype when passed to the formula; `isNumber` as in `OpInput`. */
  constructor(
    readonly b: GraphBuilder,
    readonly node: GraphNode,
    readonly given: Dtype = dtypeOf(node),
    readonly isNumber = false,
  ) {}

  get shape(): Shape {
    return shapeOf(this.node)
  }

  get rank(): number {
    return this.shape.length
  }

  get dtype(): Dtype {
    return dtypeOf(this.node)
  }

  /** The size of a dim, counted from either end. */
  size(dim: number): Size {
    return this.shape.at(dim)!
  }

  /** Wraps another node of the same graph. */
  with(node: GraphNode): GraphTensor {
    return new GraphTensor(this.b, node, this.given)
  }

  as(dtype: Dtype): GraphTensor {
    return this.with(castTo(this.b, this.node, dtype))
  }

  /** Broadcast to a shape that is known to be compatible. */
  expandTo(shape: Shape): GraphTensor {
    return this.with(expandTo(this.b, this.node, shape))
  }

  /** Reshaped. */
  shaped(shape: Shape): GraphTensor {
    return this.with(reshapeTo(this.b, this.node, shape))
  }

  /** Summed over non-negative dims in its own dtype (`sum` would give i64 for narrower integers). */
  summed(dims: readonly number[]): GraphTensor {
    return this.with(reduce(this.b, 'add', this.node, dims))
  }

  /** Reduced over non-negative dims, which are kept with size 1; over no elements, the reduction's identity. */
  folded(fn: ReductionName, dims: readonly number[]): GraphTensor {
    return this.with(reduceKeepdim(this.b, fn, this.node, dims))
  }

  /** Without dims of size 1. */
  without(dims: readonly number[]): GraphTensor {
    return this.shaped(this.shape.filter((_, d) => !dims.includes(d)))
  }

  /** A slice of `length` elements of a dim from `start`, `step` apart; known to be in bounds. */
  part(dim: number, start: Size, length: Size, step = 1): GraphTensor {
    const { starts, steps, sizes } = wholeSlice(this.shape)
    const attrs = { starts: starts.with(dim, start), steps: steps.with(dim, step), sizes: sizes.with(dim, length) }
    return this.with(sliceTo(this.b, this.node, attrs))
  }

  /** Concatenates tensors of its dtype along a dim. */
  joined(parts: readonly GraphTensor[], dim: number): GraphTensor {
    if (parts.length === 1) return parts[0]!
    return this.with(
      this.b.node(
        'cat',
        parts.map(({ node }) => node),
        { dim },
      ),
    )
  }

  /** As indices into a dim of `size`, i64: negative ones count from its end. */
  fromFront(size: Size): GraphTensor {
    return this.with(fromFront(this.b, this.node, size))
  }

  /** A 0-d tensor as a vector of one element; others unchanged. */
  atLeast1d(): GraphTensor {
    return this.rank === 0 ? this.shaped([1]) : this
  }

  /** A scan along a dim. */
  scanned(fn: GraphOps['scan']['fn'], dim: number): GraphTensor {
    return this.with(this.b.node('scan', [this.node], { fn, dim, reverse: false }))
  }

  /** The `gather` primitive: elements at an index of matching shape; 0 where it is out of range. */
  at(dim: number, index: GraphTensor): GraphTensor {
    return this.with(this.b.node('gather', [this.node, index.node], { dim }))
  }

  /** The `scatter` primitive: writes or folds the elements of `source` at an index of its shape. */
  putAt(dim: number, index: GraphTensor, source: GraphTensor, fold: ScatterFold): GraphTensor {
    return this.with(this.b.node('scatter', [this.node, index.node, source.node], { dim, fold }))
  }

  /** The same values, through which no gradient flows. */
  detached(): GraphTensor {
    return this.with(this.b.node('detach', [this.node], {}))
  }

  /** A copy in memory of its own. */
  copied(): GraphTensor {
    return this.with(this.b.node('copy', [this.node], {}))
  }

  /** Applies an op that has no method here; gives its one result. */
  apply(record: OpRecord, ...args: readonly unknown[]): GraphTensor {
    return emit(this.b, record, [this, ...args])[0]!
  }

  /** A plain number: `x.number(1).sub(x)`. */
  number(value: Size): GraphTensor {
    return new GraphTensor(this.b, numberNode(this.b, value), undefined, true)
  }

  /** Of the same shape and dtype, with one value everywhere. */
  like(value: number): GraphTensor {
    return this.full(this.shape, value)
  }

  /** One value everywhere. */
  full(shape: Shape, value: number | bigint, dtype = this.dtype): GraphTensor {
    return this.with(full(this.b, dtype, shape, value))
  }

  /** A size as a 0-d tensor. */
  count(size: Size, dtype = this.dtype): GraphTensor {
    return this.with(countOf(this.b, size, dtype))
  }

  /** 0, 1, … below a size. */
  iota(length: Size, dtype: Dtype = 'i64'): GraphTensor {
    return this.with(this.b.node('iota', [], { length, dtype }))
  }

  /** The indices 0, 1, … of a dim, as i64. */
  indicesOf(dim: number): GraphTensor {
    return this.iota(this.size(dim))
  }
}

const isOperand = (value: unknown): boolean => value instanceof GraphTensor || typeof value === 'number'

/** The results of an op's record on these arguments, as users write them. */
export function emit(b: GraphBuilder, record: OpRecord, args: readonly unknown[]): readonly GraphTensor[] {
  const { inputs, attrs } = parseCall(record, args, isOperand, { name: record.name, isMethod: true })
  const nodes = inputs.map((input): OpInput => {
    const one: unknown = input
    if (one instanceof GraphTensor) return one
    if (typeof input === 'object' && !(input instanceof SizeExpr))
      throw new InternalError(`${record.name}: no tensor of a graph`)
    return { node: numberNode(b, input), isNumber: true }
  })
  return record.build(b, nodes, attrs as never).map(node => new GraphTensor(b, node))
}

for (const [name, record] of Object.entries(methods as Readonly<Record<string, OpRecord>>))
  Object.defineProperty(GraphTensor.prototype, name, {
    value(this: GraphTensor, ...args: readonly unknown[]) {
      const results = emit(this.b, record, [this, ...args])
      return record.results === null
        ? results[0]
        : Object.fromEntries(record.results.map((key, i) => [key, results[i]]))
    },
  })
