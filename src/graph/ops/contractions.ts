/**
 * addmm and its relatives, and contractions over named dims (einsum), of which outer products, tensordot and inner products
 * are special cases.
 */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import type { Shape } from '../ir.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { compose, requireShape } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { accumulator, fixedRankMatmul } from './matmul.js'
import { numberKept } from './texts.js'

// --- input + product -----------------------------------------------------------------------------------------------------

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

interface Factors {
  readonly beta: number
  readonly alpha: number
}

/** beta · input + alpha · (left · right). */
function addedTo(name: AddName, input: GraphTensor, left: GraphTensor, right: GraphTensor, { beta, alpha }: Factors) {
  const { dtype } = left
  if (input.dtype !== dtype)
    throw new DtypeError(`${name}: the input is ${input.dtype}, the factors ${dtype}`, {
      fix: `cast it: input.to('${dtype}')`,
    })
  if (!isFloat(dtype) && !(Number.isInteger(beta) && Number.isInteger(alpha)))
    throw new ArgumentError(`${name}: beta ${beta} and alpha ${alpha} on integers (${dtype})`, {
      fix: 'use integers, or cast to floats',
    })
  // The matmul stays in its accumulator dtype, so that f16 is rounded once, at the end.
  const compute = computeDtype(dtype)
  const pair = [left.node, right.as(dtype).node] as const
  const made = left.with(fixedRankMatmul(matmulOf[name], name, operandRoles[name], left.b, pair))
  const products = unrounded(made, compute)
  const product = name === 'addbmm' ? products.summed([0]) : products
  const what = (): string =>
    `${name}: the input ${printShape(input.shape)} does not broadcast to the product ${printShape(product.shape)}`
  requireShape(broadcastShapes(name, [input.shape, product.shape]), product.shape, what)
  const times = (x: GraphTensor, factor: number): GraphTensor => (factor === 1 ? x : x.mul(factor))
  const scaled = times(product, alpha)
  return beta === 0 ? scaled : times(input.as(compute), beta).expandTo(product.shape).add(scaled)
}

/** A matmul without its rounding to a narrow dtype. */
function unrounded(x: GraphTensor, compute: ReturnType<typeof computeDtype>): GraphTensor {
  const { node } = x
  if (node.op === 'reshape') return unrounded(x.with(node.inputs[0]!), compute).shaped(x.shape)
  return node.op === 'matmul' ? x.with(x.b.node('matmul', node.inputs, { ...node.attrs, to: compute })) : x.as(compute)
}

const addedMatmul = <const Text extends string>(name: AddName, signature: Text, summary: string) =>
  compose<Text>({
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
    keeps: ['self', ...operandRoles[name]],
    body: args => {
      const given = args as unknown as Readonly<Record<string, GraphTensor>> & Factors
      const [left, right] = operandRoles[name]
      return addedTo(name, given.self!, given[left]!, given[right]!, given)
    },
    signature,
  })

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

/** The labels of each input and of the result. */
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
  readonly x: GraphTensor
  readonly labels: Labels
}

/** Takes the diagonal over repeated labels, one dim for each label. */
function withoutRepeats({ x, labels }: Term): Term {
  const unique = [...new Set(labels)]
  if (unique.length === labels.length) return { x, labels }
  const { shape } = x
  for (const [d, label] of labels.entries())
    requireEqual(
      shape[labels.indexOf(label)]!,
      shape[d]!,
      () => `einsum: '${label}' names dims of different sizes in ${printShape(shape)}`,
    )
  const factors = labels.map(label => unique.map(other => Number(other === label)))
  const view = { shape: unique.map(label => shape[labels.indexOf(label)]!), starts: shape.map(() => 0), factors }
  return { x: x.with(x.b.node('affine', [x.node], view)), labels: unique }
}

/** Sums over the dims whose labels nothing else needs. */
const summed = ({ x, labels }: Term, needed: ReadonlySet<string>): Term => ({
  x: x.summed(labels.flatMap((label, d) => (needed.has(label) ? [] : [d]))),
  labels: labels.filter(label => needed.has(label)),
})

/** Its dims in the given order; missing ones have size 1. */
function arranged({ x, labels }: Term, order: Labels): GraphTensor {
  const own = order.filter(label => labels.includes(label))
  const turned = x.permute(own.map(label => labels.indexOf(label)))
  return turned.shaped(order.map(label => (own.includes(label) ? turned.size(own.indexOf(label)) : 1)))
}

/** Contracts two terms as one batched matmul. */
function contract(left: Term, right: Term, needed: ReadonlySet<string>, sizes: ReadonlyMap<string, Size>): Term {
  const shared = left.labels.filter(label => right.labels.includes(label))
  const batch = shared.filter(label => needed.has(label))
  const inner = shared.filter(label => !needed.has(label))
  const rows = left.labels.filter(label => !shared.includes(label))
  const columns = right.labels.filter(label => !shared.includes(label))
  const sizesOf = (labels: Labels): Shape => labels.map(label => sizes.get(label)!)
  const flat = (term: Term, groups: readonly Labels[]): GraphTensor => {
    const order = [batch, ...groups].flat()
    // Dims of size 1 that broadcast against another operand's ellipsis.
    const full = arranged(term, order).expandTo(sizesOf(order))
    return full.shaped([...sizesOf(batch), ...groups.map(group => productOf(sizesOf(group)))])
  }
  const { x } = left
  const operands = [flat(left, [rows, inner]).node, flat(right, [inner, columns]).node]
  const product = x.with(x.b.node('matmul', operands, { accumulate: accumulator(x.dtype), to: x.dtype }))
  const labels = [...batch, ...rows, ...columns]
  return { x: product.shaped(sizesOf(labels)), labels }
}

function sizesByLabel(name: string, terms: readonly Term[]): Map<string, Size> {
  const sizes = new Map<string, Size>()
  for (const { x, labels } of terms)
    for (const [d, label] of labels.entries()) {
      const [known, size] = [sizes.get(label), x.size(d)]
      if (known === undefined || (known === 1 && label.startsWith('…'))) sizes.set(label, size)
      else if (!(size === 1 && label.startsWith('…')))
        requireEqual(
          known,
          size,
          () =>
            `${name}: ${label.startsWith('…k') ? `pair ${label.slice(2)} of dims` : `dim '${label}'`} has sizes that differ`,
        )
    }
  return sizes
}

/** Contracts the tensors from left to right; each step sums the labels that nothing later needs. */
function contracted(name: string, given: readonly GraphTensor[], { inputs, output }: Contraction): GraphTensor {
  const { dtype } = given[0]!
  for (const other of given) {
    if (other.dtype !== dtype)
      throw new DtypeError(`${name}: dtypes ${dtype} and ${other.dtype} differ`, { fix: `cast one: x.to('${dtype}')` })
    if (dtype === 'bool') throw new DtypeError(`${name}: not defined on bool`, { fix: "cast: x.to('f32')" })
  }
  const terms = given.map((x, i) => withoutRepeats({ x: x.as(computeDtype(dtype)), labels: inputs[i]! }))
  const sizes = sizesByLabel(name, terms)
  let result = terms[0]!
  for (const [i, next] of terms.entries()) {
    const rest = new Set([...output, ...terms.slice(i + 1).flatMap(term => term.labels)])
    if (i === 0) {
      result = summed(result, terms.length === 1 ? new Set(output) : rest)
      continue
    }
    const alone = summed(next, new Set([...rest, ...result.labels]))
    result = contract(result, alone, rest, sizes)
  }
  return arranged(summed(result, new Set(output)), output).expandTo(output.map(label => sizes.get(label)!))
}

const einsum = compose({
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
  keeps: ['operands'],
  check: ({ operands }) => {
    if (operands.length === 0)
      throw new ArgumentError('einsum: no tensors given', {
        fix: "give the tensors behind the equation: einsum('ij,jk->ik', a, b)",
      })
  },
  body: ({ equation, operands }) =>
    contracted(
      'einsum',
      operands,
      parseEquation(
        equation,
        operands.map(({ rank }) => rank),
      ),
    ),
})

const outer = compose({
  name: 'outer',
  summary: 'self[i] · vec2[j] of two vectors.',
  category: 'matmul',
  signature: 'self, vec2',
  shape: '[N, M]',
  dtypes: { takes: 'any', gives: 'promoted' },
  details: { self: '[N]', vec2: '[M]' },
  errors: { ShapeError: 'when either is no vector' },
  keeps: ['self', 'vec2'],
  body: ({ self, vec2 }) => {
    if (self.rank !== 1 || vec2.rank !== 1)
      throw new ShapeError(`outer: takes two vectors, got ${printShape(self.shape)} and ${printShape(vec2.shape)}`, {
        fix: 'flatten them first',
      })
    return self.unsqueeze(1).mul(vec2.unsqueeze(0))
  },
})

const names = (shape: Shape, prefix: string): string[] => shape.map((_, d) => `${prefix}${d}`)

/** The contraction over the last dim of both. */
function innerOf(a: Shape, c: Shape): Contraction {
  const [left, right] = [names(a, 'a'), names(c, 'c')]
  if (a.length === 0 || c.length === 0) return { inputs: [left, right], output: [...left, ...right] }
  const output = [...left.slice(0, -1), ...right.slice(0, -1)]
  return { inputs: [left.with(-1, 'k'), right.with(-1, 'k')], output }
}

const inner = compose({
  name: 'inner',
  summary: 'Σ self · other over the last dim of both.',
  category: 'matmul',
  signature: 'self, other',
  shape: 'the shapes of both without their last dims, one after the other',
  dtypes: numberKept,
  details: { self: '[*, N]', other: '[*, N]' },
  errors: { DtypeError: 'when the dtypes differ', ShapeError: 'when the last dims differ' },
  keeps: ['self', 'other'],
  body: ({ self, other }) => contracted('inner', [self, other], innerOf(self.shape, other.shape)),
})

/** The contraction over pairs of dims: a count of the last of `a` and the first of `c`, or two lists. */
function dotOf(a: Shape, c: Shape, dims: number | readonly (readonly number[])[]): Contraction {
  const pairs =
    typeof dims === 'number'
      ? [Array.from({ length: dims }, (_, i) => a.length - dims + i), Array.from({ length: dims }, (_, i) => i)]
      : dims
  const [left, right] = [names(a, 'a'), names(c, 'c')]
  for (const [i, d] of pairs[0]!.entries()) {
    const e = pairs[1]![i]!
    const [first, second] = [d < 0 ? d + a.length : d, e < 0 ? e + c.length : e]
    if (left[first] === undefined || right[second] === undefined)
      throw new ShapeError(`tensordot: dims ${d} and ${e} of ${printShape(a)} and ${printShape(c)}`)
    // A dim of size 1 is broadcast to the other's, as PyTorch does.
    left[first] = `…k${i}`
    right[second] = `…k${i}`
  }
  return { inputs: [left, right], output: [...left, ...right].filter(label => !label.startsWith('…')) }
}

const tensordot = compose({
  name: 'tensordot',
  summary: 'Σ a · b over the last dims of a and the first of b, or over given pairs of dims.',
  category: 'matmul',
  signature: 'a, b, dims: count | dimLists = 2',
  shape: 'the remaining dims of a, then those of b',
  dtypes: numberKept,
  details: { a: 'one tensor', b: 'the other', dims: 'how many, or which: [those of a, those of b]' },
  errors: {
    ArgumentError: 'when dims are not two lists of one length',
    DtypeError: 'when the dtypes differ',
    ShapeError: 'when a pair of dims differs in size, unless one is 1',
  },
  keeps: ['a', 'b'],
  check: ({ dims }) => {
    if (typeof dims !== 'number' && (dims.length !== 2 || dims[0]!.length !== dims[1]!.length))
      throw new ArgumentError(`tensordot: dims ${JSON.stringify(dims)}`, {
        fix: 'use a count, or two lists of as many dims',
      })
  },
  body: ({ a, b, dims }) => contracted('tensordot', [a, b], dotOf(a.shape, b.shape, dims)),
})

const kron = compose({
  name: 'kron',
  summary: 'The Kronecker product: every element of self times all of other, as blocks.',
  category: 'matmul',
  signature: 'self, other',
  shape: "the products of both shapes' sizes, aligned at the last dim",
  dtypes: { takes: 'any', gives: 'promoted' },
  keeps: ['self', 'other'],
  body: ({ self, other }) => {
    const rank = Math.max(self.rank, other.rank)
    const padded = ({ shape }: GraphTensor): Shape => [...new Array<Size>(rank - shape.length).fill(1), ...shape]
    const [a, c] = [padded(self), padded(other)]
    const product = self.shaped(a.flatMap(size => [size, 1])).mul(other.shaped(c.flatMap(size => [1, size])))
    return product.shaped(a.map((size, d) => productOf([size, c[d]!])))
  },
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
