/**
 * addmm and its relatives, and contractions over named dims (einsum), of which outer products, tensordot and inner products
 * are special cases.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import { castTo, dtypeOf, expandTo, map, permuteTo, rankOf, reduce, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpCall, type OpInput, op, signed } from '../record.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { arithmeticRecords } from './arithmetic.js'
import { fixedRankMatmul } from './matmul.js'
import { numberKept } from './texts.js'

const given = (node: GraphNode): OpInput => ({ node, isNumber: false })

// --- input + product -----------------------------------------------------------------------------------------------------

type AddAttrs = { readonly beta: number; readonly alpha: number }
type AddName = 'addmm' | 'baddbmm' | 'addbmm' | 'addmv'
const factors = '*, beta: number = 1, alpha: number = 1'
const factorDetails = { beta: 'a factor on self; 0 ignores it, NaN included', alpha: 'a factor on the matmul' }
const added = {
  addmm: { shape: '[N, P]', details: { mat1: '[N, M]', mat2: '[M, P]' } },
  baddbmm: { shape: '[B, N, P]', details: { batch1: '[B, N, M]', batch2: '[B, M, P]' } },
  addbmm: { shape: '[N, P]', details: { batch1: '[B, N, M]', batch2: '[B, M, P]' } },
  addmv: { shape: '[N]', details: { mat: '[N, M]', vec: '[M]' } },
}
const matmulOf = { addmm: 'mm', baddbmm: 'bmm', addbmm: 'bmm', addmv: 'mv' } as const
const batches = ['batch1', 'batch2'] as const
const operandRoles = { addmm: ['mat1', 'mat2'], baddbmm: batches, addbmm: batches, addmv: ['mat', 'vec'] } as const

function buildAdd(name: AddName, b: GraphBuilder, inputs: readonly OpInput[], { beta, alpha }: AddAttrs): GraphNode {
  const [input, left, right] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
  const dtype = dtypeOf(left)
  if (dtypeOf(input) !== dtype)
    throw new DtypeError(`${name}: the input is ${dtypeOf(input)}, the factors ${dtype}`, {
      fix: `cast it: input.to('${dtype}')`,
    })
  if (!isFloat(dtype) && !(Number.isInteger(beta) && Number.isInteger(alpha)))
    throw new ArgumentError(`${name}: beta ${beta} and alpha ${alpha} on integers (${dtype})`, {
      fix: 'use integers, or cast to floats',
    })
  // The matmul stays in its accumulator dtype, so that f16 is rounded once, at the end.
  const compute = computeDtype(dtype)
  const pair = [castTo(b, left, dtype), castTo(b, right, dtype)] as const
  const products = unroundedMatmul(b, fixedRankMatmul(matmulOf[name], name, operandRoles[name], b, pair), compute)
  const product = name === 'addbmm' ? reduce(b, 'add', products, [0]) : products
  const shape = broadcastShapes(name, [shapeOf(input), shapeOf(product)])
  const what = (): string =>
    `${name}: the input ${printShape(shapeOf(input))} does not stretch to the product ${printShape(shapeOf(product))}`
  if (shape.length !== rankOf(product)) throw new ShapeError(what())
  for (const [d, size] of shape.entries()) requireEqual(size, shapeOf(product)[d]!, what)
  const factor = (node: GraphNode, value: number): GraphNode => {
    if (value === 1) return node
    const number = b.node('constant', [], { dtype: compute, value: compute === 'i64' ? BigInt(value) : value })
    return map(b, 'mul', node, expandTo(b, number, shapeOf(node)))
  }
  const scaled = factor(product, alpha)
  if (beta === 0) return castTo(b, scaled, dtype)
  const start = expandTo(b, factor(castTo(b, input, compute), beta), shape)
  return castTo(b, map(b, 'add', start, scaled), dtype)
}

/** A matmul without its rounding to a narrow dtype. */
function unroundedMatmul(b: GraphBuilder, node: GraphNode, compute: ReturnType<typeof computeDtype>): GraphNode {
  if (node.op === 'reshape') return reshapeTo(b, unroundedMatmul(b, node.inputs[0]!, compute), shapeOf(node))
  return node.op === 'matmul' ? b.node('matmul', node.inputs, { ...node.attrs, to: compute }) : castTo(b, node, compute)
}

const addedMatmul = <const Text extends string>(name: AddName, signature: Text, summary: string) =>
  signed<Text, AddAttrs, null>(
    {
      name,
      summary,
      category: 'matmul',
      shape: added[name].shape,
      dtypes: numberKept,
      details: { self: 'what is added; broadcasts to the result', ...added[name].details, ...factorDetails },
      errors: {
        ArgumentError: 'when beta or alpha is a fraction and the tensors are integers',
        DtypeError: 'when the dtypes differ',
        ShapeError: 'when the factors do not fit, or self does not broadcast to their product',
      },
      results: null,
      build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: AddAttrs) => [buildAdd(name, b, inputs, attrs)],
      gradient: 'later',
    },
    signature,
  )

// --- einsum --------------------------------------------------------------------------------------------------------------

/** A label per dim; '…0', '…1' stand for the dims of an ellipsis, counted from its end. */
type Labels = readonly string[]
interface Contraction {
  readonly inputs: readonly Labels[]
  readonly output: Labels
}

function labelsOf(text: string, rank: number | null, equation: string): Labels {
  const [before = '', after] = text.split('...')
  const letters = (part: string): string[] => {
    if (!/^[a-zA-Z]*$/.test(part))
      throw new ArgumentError(`einsum: '${equation}' is no equation`, { fix: "name dims by letters: 'bij,bjk->bik'" })
    return [...part]
  }
  if (after === undefined) return letters(before)
  const count = rank === null ? 0 : rank - before.length - after.length
  const dots = Array.from({ length: Math.max(0, count) }, (_, i) => `…${Math.max(0, count) - 1 - i}`)
  return [...letters(before), ...dots, ...letters(after)]
}

function parseEquation(equation: string, ranks: readonly number[]): Contraction {
  const [left = '', right, ...more] = equation.replaceAll(/\s/g, '').split('->')
  const texts = left.split(',')
  if (more.length > 0)
    throw new ArgumentError(`einsum: '${equation}' has more than one '->'`, {
      fix: 'write one arrow: inputs -> result',
    })
  if (texts.length !== ranks.length)
    throw new ArgumentError(`einsum: '${equation}' names ${texts.length} tensors, got ${ranks.length}`, {
      fix: 'write one list of labels per tensor, with commas between',
    })
  const inputs = texts.map((text, i) => labelsOf(text, ranks[i]!, equation))
  for (const [i, labels] of inputs.entries())
    if (labels.length !== ranks[i])
      throw new ShapeError(`einsum: '${texts[i]}' names ${labels.length} dims, tensor ${i} has ${ranks[i]}`, {
        fix: 'write one label per dim, or … (three dots) for the rest',
      })
  const all = inputs.flat()
  const dots = [...new Set(all.filter(label => label.startsWith('…')))].sort().reverse()
  const once = [...new Set(all)].filter(
    label => !label.startsWith('…') && all.filter(other => other === label).length === 1,
  )
  const output =
    right === undefined
      ? [...dots, ...once.sort()]
      : right.includes('...')
        ? labelsWithDots(right, dots, equation)
        : labelsOf(right, null, equation)
  const unknown = output.find(label => !all.includes(label))
  if (unknown !== undefined)
    throw new ArgumentError(`einsum: '${unknown}' of the result is in no input of '${equation}'`, {
      fix: 'use labels of the inputs behind the arrow',
    })
  if (new Set(output).size !== output.length)
    throw new ArgumentError(`einsum: a dim appears twice in the result of '${equation}'`, {
      fix: 'name each dim of the result once',
    })
  return { inputs, output }
}

function labelsWithDots(text: string, dots: Labels, equation: string): Labels {
  const [before = '', after = ''] = text.split('...')
  return [...labelsOf(before, null, equation), ...dots, ...labelsOf(after, null, equation)]
}

interface Term {
  readonly node: GraphNode
  readonly labels: Labels
}

/** Takes the diagonal over repeated labels, one dim for each label. */
function withoutRepeats(b: GraphBuilder, { node, labels }: Term): Term {
  const unique = [...new Set(labels)]
  if (unique.length === labels.length) return { node, labels }
  const shape = shapeOf(node)
  for (const [d, label] of labels.entries()) {
    const first = labels.indexOf(label)
    requireEqual(
      shape[first]!,
      shape[d]!,
      () => `einsum: '${label}' names dims of different sizes in ${printShape(shape)}`,
    )
  }
  const factors = labels.map(label => unique.map(other => Number(other === label)))
  const view = { shape: unique.map(label => shape[labels.indexOf(label)]!), starts: shape.map(() => 0), factors }
  return { node: b.node('affine', [node], view), labels: unique }
}

/** Sums over the dims whose labels nothing else needs. */
function summed(b: GraphBuilder, { node, labels }: Term, needed: ReadonlySet<string>): Term {
  const dims = labels.flatMap((label, d) => (needed.has(label) ? [] : [d]))
  return { node: reduce(b, 'add', node, dims), labels: labels.filter(label => needed.has(label)) }
}

/** The node with its dims in the given order; missing ones have size 1. */
function arranged(b: GraphBuilder, { node, labels }: Term, order: Labels): GraphNode {
  const own = order.filter(label => labels.includes(label))
  const turned = permuteTo(
    b,
    node,
    own.map(label => labels.indexOf(label)),
  )
  return reshapeTo(
    b,
    turned,
    order.map(label => (own.includes(label) ? shapeOf(turned)[own.indexOf(label)]! : 1)),
  )
}

/** Contracts two terms as one batched matmul. */
function contract(
  b: GraphBuilder,
  left: Term,
  right: Term,
  needed: ReadonlySet<string>,
  sizes: ReadonlyMap<string, Size>,
): Term {
  const shared = left.labels.filter(label => right.labels.includes(label))
  const batch = shared.filter(label => needed.has(label))
  const inner = shared.filter(label => !needed.has(label))
  const rows = left.labels.filter(label => !shared.includes(label))
  const columns = right.labels.filter(label => !shared.includes(label))
  const sizesOf = (labels: Labels): Shape => labels.map(label => sizes.get(label)!)
  const flat = (term: Term, groups: readonly Labels[]): GraphNode => {
    const order = groups.flat()
    // Dims of size 1 that broadcast against another operand's ellipsis.
    const full = expandTo(b, arranged(b, term, order), sizesOf(order))
    return reshapeTo(b, full, [...sizesOf(batch), ...groups.slice(1).map(group => productOf(sizesOf(group)))])
  }
  const dtype = dtypeOf(left.node)
  const accumulate = isFloat(dtype) ? (dtype as 'f32' | 'f64') : dtype === 'i64' ? 'i64' : 'i32'
  const product = b.node('matmul', [flat(left, [batch, rows, inner]), flat(right, [batch, inner, columns])], {
    accumulate,
    to: dtype,
  })
  return {
    node: reshapeTo(b, product, sizesOf([...batch, ...rows, ...columns])),
    labels: [...batch, ...rows, ...columns],
  }
}

function sizesByLabel(name: string, terms: readonly Term[]): Map<string, Size> {
  const sizes = new Map<string, Size>()
  for (const { node, labels } of terms)
    for (const [d, label] of labels.entries()) {
      const [known, size] = [sizes.get(label), shapeOf(node)[d]!]
      if (known === undefined || (known === 1 && label.startsWith('…'))) sizes.set(label, size)
      else if (!(size === 1 && label.startsWith('…')))
        requireEqual(known, size, () => `${name}: dim '${label}' has sizes that differ`)
    }
  return sizes
}

function buildContraction(
  name: string,
  b: GraphBuilder,
  nodes: readonly GraphNode[],
  { inputs, output }: Contraction,
): GraphNode {
  const dtype = dtypeOf(nodes[0]!)
  for (const node of nodes) {
    if (dtypeOf(node) !== dtype)
      throw new DtypeError(`${name}: dtypes ${dtype} and ${dtypeOf(node)} differ`, {
        fix: `cast one: x.to('${dtype}')`,
      })
    if (dtype === 'bool') throw new DtypeError(`${name}: not defined on bool`, { fix: "cast: x.to('f32')" })
  }
  const compute = computeDtype(dtype)
  const terms = nodes.map((node, i) => withoutRepeats(b, { node: castTo(b, node, compute), labels: inputs[i]! }))
  const sizes = sizesByLabel(name, terms)
  let result = terms[0]!
  for (const [i, next] of terms.entries()) {
    const rest = new Set([...output, ...terms.slice(i + 1).flatMap(term => term.labels)])
    if (i === 0) {
      result = summed(b, result, terms.length === 1 ? new Set(output) : rest)
      continue
    }
    const alone = summed(b, next, new Set([...rest, ...result.labels]))
    result = contract(b, result, alone, rest, sizes)
  }
  result = summed(b, result, new Set(output))
  return castTo(
    b,
    expandTo(
      b,
      arranged(b, result, output),
      output.map(label => sizes.get(label)!),
    ),
    dtype,
  )
}

type EinsumAttrs = { readonly equation: string }

const einsum = op({
  name: 'einsum',
  summary: "Products summed over named dims: einsum('bij,bjk->bik', x, y); '...' matches any further dims.",
  category: 'matmul',
  signature: 'equation: string, ...operands: tensors',
  shape: 'the sizes of the dims that the equation names for the result',
  dtypes: numberKept,
  details: {
    equation:
      "the dims of each tensor, and after -> those of the result: 'bij,bjk->bik'; '...' for further ones, which broadcast. Without -> the letters that appear once, in alphabetical order",
    operands: 'as many tensors as the equation names',
  },
  errors: {
    ArgumentError: 'when the equation is none, or names another number of tensors',
    DtypeError: 'when the dtypes differ',
    ShapeError: 'when a tensor has a different number of dims than the equation names, or one letter two sizes',
  },
  call: ({ equation, operands }) => {
    if (operands.length === 0)
      throw new ArgumentError('einsum: no tensors given', {
        fix: "give the tensors behind the equation: einsum('ij,jk->ik', a, b)",
      })
    return call(operands, { equation })
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { equation }: EinsumAttrs) => {
    const nodes = inputs.map(({ node }) => node)
    return [buildContraction('einsum', b, nodes, parseEquation(equation, nodes.map(rankOf)))]
  },
  gradient: 'later',
})

/** A contraction of two tensors whose labels follow from their ranks. */
const contraction = <A extends { readonly [key: string]: unknown }>(
  name: string,
  summary: string,
  contractionOf: (a: readonly Size[], c: readonly Size[], attrs: A) => Contraction,
) => ({
  name,
  summary,
  category: 'matmul' as const,
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: A) => {
    const nodes = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    return [buildContraction(name, b, nodes, contractionOf(shapeOf(nodes[0]), shapeOf(nodes[1]), attrs))]
  },
  gradient: 'later' as const,
})

const outer = op({
  name: 'outer',
  summary: 'self[i] · vec2[j] of two vectors.',
  category: 'matmul',
  signature: 'self, vec2',
  shape: '[N, M]',
  dtypes: { takes: 'any', gives: 'promoted' },
  details: { self: '[N]', vec2: '[M]' },
  errors: { ShapeError: 'when either is no vector' },
  results: null,
  build: (b: GraphBuilder, [self, other]: readonly OpInput[]) => {
    const [a, c] = [shapeOf(self!.node), shapeOf(other!.node)]
    if (a.length !== 1 || c.length !== 1)
      throw new ShapeError(`outer: takes two vectors, got ${printShape(a)} and ${printShape(c)}`, {
        fix: 'flatten them first',
      })
    const [rows, columns] = [reshapeTo(b, self!.node, [a[0]!, 1]), reshapeTo(b, other!.node, [1, c[0]!])]
    return arithmeticRecords.mul.build(b, [given(rows), given(columns)], {})
  },
  gradient: ({ inputs: [x, y], outputGradients: [g], op }) => [op('mv', g, y), op('mv', op('t', g), x)],
})

const names = (shape: readonly Size[], prefix: string): string[] => shape.map((_, d) => `${prefix}${d}`)

const inner = op({
  ...contraction('inner', 'Σ self · other over the last dim of both.', (a, c) => {
    if (a.length === 0 || c.length === 0)
      return { inputs: [names(a, 'a'), names(c, 'c')], output: [...names(a, 'a'), ...names(c, 'c')] }
    const [left, right] = [names(a, 'a').with(-1, 'k'), names(c, 'c').with(-1, 'k')]
    return { inputs: [left, right], output: [...left.slice(0, -1), ...right.slice(0, -1)] }
  }),
  signature: 'self, other',
  shape: 'the shapes of both without their last dims, one after the other',
  dtypes: numberKept,
  details: { self: '[*, N]', other: '[*, N]' },
  errors: { DtypeError: 'when the dtypes differ', ShapeError: 'when the last dims differ' },
})

type DotAttrs = { readonly dims: number | readonly (readonly number[])[] }

const tensordot = op({
  ...contraction(
    'tensordot',
    'Σ a · b over the last dims of a and the first of b, or over given pairs of dims.',
    (a, c, { dims }: DotAttrs) => {
      const pairs =
        typeof dims === 'number'
          ? [Array.from({ length: dims }, (_, i) => a.length - dims + i), Array.from({ length: dims }, (_, i) => i)]
          : dims
      const [left, right] = [names(a, 'a'), names(c, 'c')]
      for (const [i, d] of pairs[0]!.entries()) {
        const [first, second] = [d < 0 ? d + a.length : d, pairs[1]![i]! < 0 ? pairs[1]![i]! + c.length : pairs[1]![i]!]
        if (left[first] === undefined || right[second] === undefined)
          throw new ShapeError(`tensordot: dims ${d} and ${pairs[1]![i]} of ${printShape(a)} and ${printShape(c)}`)
        // A dim of size 1 is stretched to the other's, as PyTorch does.
        left[first] = `…k${i}`
        right[second] = `…k${i}`
      }
      return { inputs: [left, right], output: [...left, ...right].filter(label => !label.startsWith('…')) }
    },
  ),
  signature: 'a, b, dims: count | dimLists = 2',
  shape: 'the remaining dims of a, then those of b',
  dtypes: numberKept,
  details: { a: 'one tensor', b: 'the other', dims: 'how many, or which: [those of a, those of b]' },
  errors: {
    ArgumentError: 'when dims are not two lists of one length',
    DtypeError: 'when the dtypes differ',
    ShapeError: 'when a pair of dims differs in size, unless one is 1',
  },
  call: ({ a, b, dims }): OpCall<DotAttrs> => {
    if (typeof dims !== 'number' && (dims.length !== 2 || dims[0]!.length !== dims[1]!.length))
      throw new ArgumentError(`tensordot: dims ${JSON.stringify(dims)}`, {
        fix: 'use a count, or two lists of as many dims',
      })
    return call([a, b], { dims })
  },
})

const kron = op({
  name: 'kron',
  summary: 'The Kronecker product: every element of self times all of other, as blocks.',
  category: 'matmul',
  signature: 'self, other',
  shape: "the products of both shapes' sizes, aligned at the last dim",
  dtypes: { takes: 'any', gives: 'promoted' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const [x, y] = inputs.map(({ node }) => node) as [GraphNode, GraphNode]
    const rank = Math.max(rankOf(x), rankOf(y))
    const padded = (shape: Shape): Shape => [...new Array<Size>(rank - shape.length).fill(1), ...shape]
    const [a, c] = [padded(shapeOf(x)), padded(shapeOf(y))]
    const left = reshapeTo(
      b,
      x,
      a.flatMap(size => [size, 1]),
    )
    const right = reshapeTo(
      b,
      y,
      c.flatMap(size => [1, size]),
    )
    const product = arithmeticRecords.mul.build(b, [given(left), given(right)], {})[0]!
    return [
      reshapeTo(
        b,
        product,
        a.map((size, d) => productOf([size, c[d]!])),
      ),
    ]
  },
  gradient: 'later',
})

export const contractionRecords = {
  addmm: addedMatmul('addmm', `self, mat1, mat2, ${factors}`, 'beta · self + alpha · (mat1 @ mat2) of matrices.'),
  baddbmm: addedMatmul(
    'baddbmm',
    `self, batch1, batch2, ${factors}`,
    'beta · self + alpha · (batch1 @ batch2) of batches of matrices.',
  ),
  addbmm: addedMatmul(
    'addbmm',
    `self, batch1, batch2, ${factors}`,
    'beta · self + alpha · Σ (batch1 @ batch2), summed over the batch.',
  ),
  addmv: addedMatmul('addmv', `self, mat, vec, ${factors}`, 'beta · self + alpha · (mat @ vec).'),
  einsum,
  outer,
  inner,
  tensordot,
  kron,
}
