/**
 * For every op: the calls that the survey measures, as functions of a size, or the reason why it is not measured. Ops that
 * take tensors of one shape (elementwise ops, reductions) need no entry: their calls follow from their signatures.
 */
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import type { Layout } from './case.js'
import { type FunctionName, TensorArgument, type Values } from './case.js'
import type { AttentionSize, ImageSize, MatrixSize, ProductSize } from './sizes.js'

/** Makes the tensors of one case. */
export class Maker {
  constructor(
    readonly dtype: TensorDtype,
    readonly layout: Layout,
  ) {}

  /** Of the case's dtype and layout. */
  main(shape: readonly number[], values: Values = normal): TensorArgument {
    return new TensorArgument(this.dtype, shape, values, shape.length < 2 ? 'dense' : this.layout)
  }

  /** Contiguous; of the case's dtype unless given. */
  dense(shape: readonly number[], values: Values = normal, dtype: TensorDtype = this.dtype): TensorArgument {
    return new TensorArgument(dtype, shape, values)
  }

  /** A table that is read at some places only. */
  table(shape: readonly number[]): TensorArgument {
    return new TensorArgument(this.dtype, shape, normal, 'dense', true)
  }

  /** Indices from 0 up to `below`, excluded. */
  index(shape: readonly number[], below: number): TensorArgument {
    return new TensorArgument('i64', shape, { below })
  }

  mask(shape: readonly number[]): TensorArgument {
    return new TensorArgument('bool', shape, { below: 2 })
  }
}

export const normal: Values = { from: -2, to: 2 }
const positive: Values = { from: 0.0625, to: 4 }
const inside: Values = { from: -0.9375, to: 0.9375 }
const unit: Values = { from: 0.03125, to: 0.96875 }

type Takes = 'any' | 'number' | 'float' | 'integer' | 'bits'
type Args = readonly unknown[]

interface FormOf<Family extends string, Size> {
  readonly family: Family
  readonly takes?: Takes
  /** Alternatives, taken in turn. */
  readonly calls: readonly ((make: Maker, size: Size) => Args)[]
  /** Elements of the largest tensor; default: of the size itself. Sizes that are too large are left out. */
  readonly elements?: (size: Size) => number
  readonly flops?: (size: Size) => number
  /** Sizes that the op does not take. */
  readonly takesSize?: (size: Size) => boolean
  readonly unordered?: boolean
}

export type MatrixForm = FormOf<'matrix', MatrixSize>
export type ImageForm = FormOf<'image', ImageSize>
export type ProductForm = FormOf<'product', ProductSize>
export type AttentionForm = FormOf<'attention', AttentionSize>
export type Form = MatrixForm | ImageForm | ProductForm | AttentionForm

/** Why an op is not measured. */
export interface LeftOut {
  readonly because: string
}

const view: LeftOut = { because: 'a view: it moves no memory' }

type MatrixCall = (make: Maker, size: MatrixSize) => Args
const shape = ({ rows, columns }: MatrixSize): readonly number[] => [rows, columns]

const matrix = (...calls: readonly MatrixCall[]): MatrixForm => ({ family: 'matrix', calls })

/** A call on a matrix, with further plain arguments. */
const on =
  (...more: Args): MatrixCall =>
  (make, size) => [make.main(shape(size)), ...more]
const rowsAndColumns = matrix(on(-1), on(0))
/** Of values whose products neither overflow nor vanish soon. */
const products =
  (dim: number): MatrixCall =>
  (make, size) => [make.main(shape(size), { from: 0.9375, to: 1.0625 }), dim]

/** Elementwise in values of this range. */
const within = (values: Values): MatrixForm => ({
  ...matrix((make, size) => [make.main(shape(size), values)]),
  takes: 'float',
})

/** Elementwise on two tensors of one shape, or one and a row. */
const two = (values: Values, others: Values): MatrixForm =>
  matrix(
    (make, size) => [make.main(shape(size), values), make.dense(shape(size), others)],
    (make, size) => [make.main(shape(size), values), make.dense([size.columns], others)],
  )

const pair = (values: Values, others: Values = values, ...more: Args): MatrixForm => ({
  ...matrix((make, size) => [make.main(shape(size), values), make.dense(shape(size), others), ...more]),
  takes: 'float',
})
const signed =
  (...more: Args): MatrixCall =>
  (make, size) => [make.main(shape(size)), make.dense(shape(size)), make.dense(shape(size), 'sign'), ...more]

/** Class indices of each row. */
const classes: MatrixForm = {
  ...matrix((make, size) => [make.main(shape(size)), make.index([size.rows], size.columns)]),
  takes: 'float',
}

const shapeOf = ({ images, channels, height, width }: ImageSize): readonly number[] => [images, channels, height, width]
const elements = ({ images, channels, height, width }: ImageSize): number => images * channels * height * width

const image = (
  calls: readonly ((make: Maker, size: ImageSize) => Args)[],
  more: Partial<ImageForm> = {},
): ImageForm => ({ family: 'image', takes: 'float', calls, ...more })

/** Images as 1, 2 or 3 places: the rows joined, as they are, or four of them behind each other. */
const places = (make: Maker, size: ImageSize, dims: 1 | 2 | 3, values: Values = normal): TensorArgument => {
  const { images, channels, height, width } = size
  if (dims === 2) return make.main([images, channels, height, width], values)
  if (dims === 1) return make.dense([images, channels, height * width], values)
  return make.dense([images, channels / 4, 4, height, width], values)
}
const pool = (dims: 1 | 2 | 3, values: Values, ...calls: readonly Args[]): ImageForm =>
  image(
    calls.map(more => (make: Maker, size: ImageSize) => [places(make, size, dims, values), ...more]),
    { takesSize: ({ height, width }) => Math.min(height, width) >= 4 },
  )

interface ConvCall {
  readonly kernel: number
  readonly stride?: number
  readonly padding?: number
  readonly dilation?: number
  /** Each channel by itself. */
  readonly depthwise?: boolean
  readonly bias?: boolean
}
const convFlops = ({ channels, ...size }: ImageSize, dims: number): number =>
  2 * elements({ ...size, channels }) * channels * 3 ** dims

function conv(dims: 1 | 2 | 3, transposed: boolean, ...calls: readonly ConvCall[]): ImageForm {
  const one =
    ({ kernel, stride = 1, padding = 0, dilation = 1, depthwise = false, bias = false }: ConvCall) =>
    (make: Maker, size: ImageSize): Args => {
      const x = places(make, size, dims)
      const channels = x.shape[1]!
      const weight = make.dense([channels, depthwise ? 1 : channels, ...new Array<number>(dims).fill(kernel)])
      const groups = depthwise ? channels : 1
      return [
        x,
        weight,
        { stride, padding, groups, ...(dilation > 1 && { dilation }), ...(bias && { bias: make.dense([channels]) }) },
      ]
    }
  return image(calls.map(one), {
    takesSize: ({ height, width }) => Math.min(height, width) >= 7,
    flops: size => convFlops(size, dims),
    ...(transposed ? { elements: size => 4 * elements(size) } : {}),
  })
}

type ProductCall = (make: Maker, size: ProductSize) => Args
const product = (calls: readonly ProductCall[], more: Partial<ProductForm> = {}): ProductForm => ({
  family: 'product',
  takes: 'float',
  calls,
  flops: ({ batch, m, k, n }) => 2 * batch * m * k * n,
  elements: ({ batch, m, k, n }) => batch * Math.max(m * k, k * n, m * n),
  ...more,
})
const single = { takesSize: ({ batch }: ProductSize): boolean => batch === 1 }
const batched = { takesSize: ({ batch }: ProductSize): boolean => batch > 1 }
const vector = { takesSize: ({ batch, m, k, n }: ProductSize): boolean => batch === 1 && n !== 1 && m * k * n > 4096 }
const left = (make: Maker, { m, k }: ProductSize): TensorArgument => make.main([m, k])
const right = (make: Maker, { k, n }: ProductSize): TensorArgument => make.dense([k, n])
const lefts = (make: Maker, { batch, m, k }: ProductSize): TensorArgument => make.main([batch, m, k])
const rights = (make: Maker, { batch, k, n }: ProductSize): TensorArgument => make.dense([batch, k, n])
const weight = (make: Maker, { n, k }: ProductSize): TensorArgument => make.dense([n, k])

const attention = (...options: readonly object[]): AttentionForm => ({
  family: 'attention',
  takes: 'float',
  calls: options.map(given => (make: Maker, { batch, heads, sharedHeads, queries, keys, depth }: AttentionSize) => [
    make.dense([batch, heads, queries, depth]),
    make.dense([batch, sharedHeads, keys, depth]),
    make.dense([batch, sharedHeads, keys, depth]),
    { ...given, ...(sharedHeads < heads && { enableGqa: true }) },
  ]),
  elements: ({ batch, heads, queries, keys, depth }) => batch * heads * Math.max(queries, keys) * depth,
  flops: ({ batch, heads, queries, keys, depth }) => 4 * batch * heads * queries * keys * depth,
})

/** Random ops get the state of a generator first. */
const seeded = (call: MatrixCall): MatrixForm => ({
  ...matrix((make, size) => [1n, 0n, ...call(make, size)]),
  unordered: true,
})

const few = (columns: number): number => Math.max(1, Math.min(50, columns))
const many: Partial<MatrixForm> = { elements: ({ rows, columns }: MatrixSize) => 2 * rows * columns }
const square = { elements: ({ rows, columns }: MatrixSize): number => rows * Math.max(rows, columns) }
const enough = { takesSize: ({ rows, columns }: MatrixSize): boolean => rows > 1 && columns > 1 }

const scatterOf = (...more: Args): MatrixCall[] => [
  (make, size) => [make.main(shape(size)), 1, make.index(shape(size), size.columns), make.dense(shape(size)), ...more],
  (make, size) => [make.main(shape(size)), 0, make.index(shape(size), size.rows), make.dense(shape(size)), ...more],
]

/** Rows of a matrix that go to rows of a smaller one. */
const rowsInto = (
  { rows, columns }: MatrixSize,
  make: Maker,
  into: number,
): readonly [TensorArgument, number, TensorArgument, TensorArgument] => [
  make.main([into, columns]),
  0,
  make.index([rows], into),
  make.dense([rows, columns]),
]

type Beside = { readonly [Name in FunctionName]: Form }

/** What follows from no signature. */
const given = {
  // Elementwise, by the range of the values.
  reciprocal: within(positive),
  sqrt: within(positive),
  rsqrt: within(positive),
  log: within(positive),
  log2: within(positive),
  log10: within(positive),
  log1p: within(unit),
  asin: within(inside),
  acos: within(inside),
  atanh: within(inside),
  acosh: within({ from: 1.5, to: 5.5 }),
  erfinv: within(inside),
  logit: within(unit),
  entr: within(positive),
  lgamma: within(positive),
  digamma: within(positive),
  pow: { ...two(positive, { from: 0, to: 4 }), takes: 'float' },
  floatPower: { ...two(positive, { from: 0, to: 4 }), takes: 'float' },
  div: { ...two(normal, positive), takes: 'float' },
  trueDivide: { ...two(normal, positive), takes: 'float' },
  floorDivide: { ...two(normal, positive), takes: 'number' },
  remainder: { ...two(normal, positive), takes: 'number' },
  fmod: { ...two(normal, positive), takes: 'number' },
  xlogy: { ...two(normal, positive), takes: 'float' },
  xlog1py: { ...two(normal, unit), takes: 'float' },
  addcdiv: {
    ...matrix((make, size) => [
      make.main(shape(size)),
      make.dense(shape(size)),
      make.dense(shape(size), positive),
      { value: 0.5 },
    ]),
    takes: 'float',
  },
  bitwiseLeftShift: { ...two({ from: 0, to: 4 }, { from: 0, to: 1 }), takes: 'integer' },
  bitwiseRightShift: { ...two({ from: 0, to: 4 }, { from: 0, to: 1 }), takes: 'integer' },
  lerp: { ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size)), 0.25]), takes: 'float' },
  clamp: { ...matrix(on(-1, 1)), takes: 'number' },
  clampMin: { ...matrix(on(0)), takes: 'number' },
  clampMax: { ...matrix(on(0)), takes: 'number' },
  threshold: { ...matrix(on(1, 0)), takes: 'number' },
  prelu: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense([size.columns])]),
    takes: 'float',
  },
  where: matrix(
    (make, size) => [make.mask(shape(size)), make.main(shape(size)), make.dense(shape(size))],
    (make, size) => [make.mask([size.columns]), make.main(shape(size)), 0],
  ),
  maskedFill: matrix((make, size) => [make.main(shape(size)), make.mask(shape(size)), 1]),
  to: matrix(on('f32'), on('bf16'), on('i32')),
  isclose: two(normal, normal),

  // Reductions
  max: matrix(on()),
  min: matrix(on()),
  median: { ...matrix(on()), takes: 'number' },
  nanmedian: { ...matrix(on()), takes: 'number' },
  norm: { ...matrix(on(), on(2, -1), on(1, 0)), takes: 'float' },
  vectorNorm: { ...matrix(on(), on(2, -1), on(3, 0)), takes: 'float' },
  aminmax: matrix(on(), on({ dim: -1 }), on({ dim: 0 })),
  countNonzero: matrix(on(), on(-1), on(0)),
  logsumexp: { ...rowsAndColumns, takes: 'float' },
  var: { ...matrix(on(-1), on(0), on()), takes: 'float', ...enough },
  std: { ...matrix(on(-1), on(0), on()), takes: 'float', ...enough },
  varMean: { ...matrix(on(-1), on(0)), takes: 'float', ...enough },
  stdMean: { ...matrix(on(-1), on(0)), takes: 'float', ...enough },
  mean: { ...matrix(on(-1), on(0), on()), takes: 'float' },
  nanmean: { ...matrix(on(-1), on(0), on()), takes: 'float' },
  prod: { ...matrix(products(-1), products(0)), takes: 'float' },
  cumprod: { ...matrix(products(-1), products(0)), takes: 'float' },
  cov: { ...matrix(on()), takes: 'float', ...square, ...enough },
  corrcoef: { ...matrix(on()), takes: 'float', ...square, ...enough },
  trapezoid: { ...matrix(on(), on({ dim: 0 })), takes: 'float' },
  cumulativeTrapezoid: { ...matrix(on(), on({ dim: 0 })), takes: 'float' },
  trace: matrix(on()),
  quantile: { ...matrix(on(0.5, -1), on(0.25), on([0.1, 0.9], 0)), takes: 'float' },
  nanquantile: { ...matrix(on(0.5, -1), on(0.25)), takes: 'float' },
  histc: { ...matrix(on({ bins: 100, min: -2, max: 2 })), takes: 'float' },
  glu: { ...matrix((make, { rows, columns }) => [make.main([rows, 2 * columns])]), takes: 'float', ...many },

  // Normalisation and losses
  softmax: { ...rowsAndColumns, takes: 'float' },
  softmin: { ...rowsAndColumns, takes: 'float' },
  logSoftmax: { ...rowsAndColumns, takes: 'float' },
  layerNorm: {
    ...matrix((make, size) => [
      make.main(shape(size)),
      [size.columns],
      { weight: make.dense([size.columns]), bias: make.dense([size.columns]) },
    ]),
    takes: 'float',
  },
  rmsNorm: {
    ...matrix((make, size) => [make.main(shape(size)), [size.columns], { weight: make.dense([size.columns]) }]),
    takes: 'float',
  },
  normalize: { ...matrix(on({ dim: -1 }), on({ dim: 0 })), takes: 'float' },
  renorm: { ...matrix(on(2, 0, 1), on(2, 1, 1)), takes: 'float' },
  groupNorm: image([(make, size) => [make.main(shapeOf(size)), 4, { weight: make.dense([size.channels]) }]]),
  batchNorm: image([
    (make, size) => [
      make.main(shapeOf(size)),
      make.dense([size.channels]),
      make.dense([size.channels], positive),
      { weight: make.dense([size.channels]), bias: make.dense([size.channels]) },
    ],
    (make, size) => [make.main(shapeOf(size)), null, null, { training: true }],
  ]),
  instanceNorm: image([(make, size) => [make.main(shapeOf(size))]]),
  localResponseNorm: image([(make, size) => [make.main(shapeOf(size)), 3]]),
  mseLoss: pair(normal),
  l1Loss: pair(normal),
  smoothL1Loss: pair(normal),
  huberLoss: pair(normal),
  binaryCrossEntropy: pair(unit),
  binaryCrossEntropyWithLogits: pair(normal, unit),
  klDiv: pair(normal, unit),
  poissonNllLoss: pair(normal, positive),
  softMarginLoss: pair(normal, 'sign'),
  hingeEmbeddingLoss: pair(normal, 'sign'),
  multilabelSoftMarginLoss: pair(normal, { below: 2 }),
  cosineSimilarity: pair(normal),
  pairwiseDistance: pair(normal),
  dist: pair(normal),
  nllLoss: classes,
  crossEntropy: classes,
  multiMarginLoss: classes,
  multilabelMarginLoss: {
    ...matrix((make, size) => [make.main(shape(size)), make.index(shape(size), size.columns)]),
    takes: 'float',
    elements: ({ rows, columns }: MatrixSize) => rows * columns ** 2,
  },
  gaussianNllLoss: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size)), make.dense(shape(size), positive)]),
    takes: 'float',
  },
  marginRankingLoss: { ...matrix(signed()), takes: 'float' },
  tripletMarginLoss: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size)), make.dense(shape(size), unit)]),
    takes: 'float',
  },
  cosineEmbeddingLoss: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size)), make.dense([size.rows], 'sign')]),
    takes: 'float',
  },
  cdist: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size))]),
    takes: 'float',
    ...square,
    flops: ({ rows, columns }: MatrixSize) => 2 * rows ** 2 * columns,
  },

  // Views, and what moves elements
  view,
  expand: view,
  broadcastTo: view,
  squeeze: view,
  unsqueeze: view,
  permute: view,
  transpose: view,
  t: view,
  slice: view,
  narrow: view,
  select: view,
  unflatten: view,
  movedim: view,
  diagonal: view,
  unfold: view,
  positive: view,
  bitcast: view,
  flatten: view,
  ravel: { because: 'reshape to one dim, which is measured' },
  reshape: matrix((make, { rows, columns }) => [
    new TensorArgument(make.dtype, [rows, columns], normal, 'transposed'),
    -1,
  ]),
  contiguous: matrix((make, size) => [new TensorArgument(make.dtype, shape(size), normal, 'transposed')]),
  clone: matrix(on()),
  flip: matrix(on([0, 1]), on(-1), on(0)),
  fliplr: matrix(on()),
  flipud: matrix(on()),
  roll: matrix(on(1, -1), on(3, 0), on(5)),
  rot90: matrix(on(), on(2)),
  repeat: { ...matrix(on([2, 1]), on([1, 2])), ...many },
  tile: { ...matrix(on([1, 2])), ...many },
  repeatInterleave: { ...matrix(on(2, 1), on(2, 0)), ...many },
  diag: {
    ...matrix(on(), (make, { columns }) => [make.dense([columns])]),
    elements: ({ rows, columns }: MatrixSize) => Math.max(rows * columns, columns ** 2),
  },
  diagflat: {
    ...matrix((make, { columns }) => [make.dense([columns])]),
    elements: ({ columns }: MatrixSize) => columns ** 2,
  },
  diagEmbed: { ...matrix(on()), elements: ({ rows, columns }: MatrixSize) => rows * columns ** 2 },
  diff: { ...matrix(on(), on({ dim: 0 })), takes: 'number', ...enough },
  oneHot: {
    ...matrix((make, { rows, columns }) => [make.index([rows], columns), columns]),
    takes: 'integer',
    elements: ({ rows, columns }: MatrixSize) => 2 * rows * columns,
  },
  pad: matrix(on([1, 1]), on([2, 1, 0, 3]), on([1, 1], { mode: 'replicate' })),
  tril: matrix(on()),
  triu: matrix(on(1)),
  cat: {
    ...matrix(
      (make, size) => [[make.main(shape(size)), make.dense(shape(size))], 0],
      (make, size) => [[make.main(shape(size)), make.dense(shape(size)), make.dense([size.rows, 3])], -1],
    ),
    ...many,
  },
  stack: {
    ...matrix(
      (make, size) => [[make.main(shape(size)), make.dense(shape(size))], 0],
      (make, size) => [[make.main(shape(size)), make.dense(shape(size))], -1],
    ),
    ...many,
  },
  selectScatter: matrix((make, size) => [make.main(shape(size)), make.dense([size.columns]), 0, 0]),
  sliceScatter: matrix((make, { rows, columns }) => [
    make.main([rows, columns]),
    make.dense([Math.ceil(rows / 2), columns]),
    { end: Math.ceil(rows / 2) },
  ]),

  // Picking and putting by index
  gather: matrix(
    (make, size) => [make.main(shape(size)), 1, make.index(shape(size), size.columns)],
    (make, size) => [make.main(shape(size)), 0, make.index(shape(size), size.rows)],
  ),
  takeAlongDim: matrix((make, size) => [make.main(shape(size)), make.index(shape(size), size.columns), 1]),
  take: matrix((make, { rows, columns }) => [make.main([rows, columns]), make.index([rows * columns], rows * columns)]),
  indexSelect: matrix(
    (make, { rows, columns }) => [make.table([rows, columns]), 0, make.index([rows], rows)],
    (make, { rows, columns }) => [make.table([rows, columns]), 1, make.index([columns], columns)],
  ),
  embedding: {
    ...matrix((make, { rows, columns }) => [
      make.index([rows], Math.min(rows, 50_257)),
      make.table([Math.min(rows, 50_257), columns]),
    ]),
    takes: 'float',
  },
  embeddingBag: {
    ...matrix((make, { rows, columns }) => [make.index([Math.ceil(rows / 8), 8], rows), make.table([rows, columns])]),
    takes: 'float',
  },
  scatter: { ...matrix(...scatterOf()), unordered: true },
  scatterAdd: { ...matrix(...scatterOf()), takes: 'number' },
  scatterReduce: { ...matrix(...scatterOf('sum'), ...scatterOf('amax'), ...scatterOf('mean')), takes: 'float' },
  indexAdd: {
    ...matrix(
      (make, size) => [...rowsInto(size, make, Math.max(1, Math.ceil(size.rows / 16)))],
      (make, size) => [...rowsInto(size, make, size.rows)],
    ),
    takes: 'number',
  },
  indexCopy: { ...matrix((make, size) => [...rowsInto(size, make, size.rows)]), unordered: true },
  indexFill: matrix((make, { rows, columns }) => [
    make.main([rows, columns]),
    0,
    make.index([Math.ceil(rows / 2)], rows),
    1,
  ]),
  indexPut: {
    ...matrix((make, { rows, columns }) => [
      make.main([rows, columns]),
      [make.index([rows], rows)],
      make.dense([rows, columns]),
      { accumulate: true },
    ]),
    takes: 'number',
  },
  maskedScatter: matrix((make, size) => [make.main(shape(size)), make.mask(shape(size)), make.dense(shape(size))]),

  // Order
  sort: { ...matrix(on(), on({ dim: 0 }), on({ descending: true })), takes: 'any' },
  argsort: { ...matrix(on()), takes: 'any', unordered: true },
  msort: matrix(on()),
  topk: {
    ...matrix(
      (make, size) => [make.main(shape(size)), few(size.columns)],
      (make, size) => [make.main(shape(size)), Math.min(5, size.rows), { dim: 0 }],
      (make, size) => [make.main(shape(size)), 1, { largest: false }],
    ),
    takes: 'number',
  },
  kthvalue: { ...matrix((make, size) => [make.main(shape(size)), Math.ceil(size.columns / 2)]), takes: 'number' },
  mode: { ...matrix(on()), takes: 'number' },
  medianWithIndices: { ...rowsAndColumns, takes: 'number' },
  nanmedianWithIndices: { ...rowsAndColumns, takes: 'number' },
  searchsorted: {
    ...matrix((make, size) => [make.dense([size.columns], 'ascending'), make.main(shape(size))]),
    takes: 'float',
  },
  bucketize: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense([100], 'ascending')]),
    takes: 'float',
  },
  isin: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense([few(size.columns)])]),
    takes: 'number',
  },

  // Products
  mm: product([(make, size) => [left(make, size), right(make, size)]], single),
  bmm: product([(make, size) => [lefts(make, size), rights(make, size)]], batched),
  mv: product([(make, size) => [make.main([size.n, size.k]), make.dense([size.k])]], {
    ...vector,
    flops: ({ k, n }) => 2 * k * n,
    elements: ({ k, n }) => k * n,
  }),
  dot: product([(make, { k, n }) => [make.dense([k * n]), make.dense([k * n])]], {
    ...vector,
    flops: ({ k, n }) => 2 * k * n,
    elements: ({ k, n }) => k * n,
  }),
  matmul: product([
    (make, size) => [lefts(make, size), right(make, size)],
    (make, size) => [lefts(make, size), rights(make, size)],
  ]),
  linear: product(
    [
      (make, size) => [left(make, size), weight(make, size), { bias: make.dense([size.n]) }],
      (make, size) => [left(make, size), weight(make, size)],
    ],
    single,
  ),
  addmm: product([(make, size) => [make.dense([size.n]), left(make, size), right(make, size)]], single),
  baddbmm: product(
    [(make, size) => [make.dense([size.batch, size.m, size.n]), lefts(make, size), rights(make, size)]],
    batched,
  ),
  addbmm: product([(make, size) => [make.dense([size.m, size.n]), lefts(make, size), rights(make, size)]], batched),
  addmv: product([(make, { k, n }) => [make.dense([n]), make.main([n, k]), make.dense([k])]], {
    ...vector,
    flops: ({ k, n }) => 2 * k * n,
    elements: ({ k, n }) => k * n,
  }),
  einsum: product([
    (make, size) => ['bij,bjk->bik', lefts(make, size), rights(make, size)],
    (make, size) => ['bij,bjk->ik', lefts(make, size), rights(make, size)],
  ]),
  outer: product([(make, { m, n }) => [make.dense([m]), make.dense([n])]], { ...single, flops: () => 0 }),
  inner: product([(make, size) => [left(make, size), weight(make, size)]], single),
  tensordot: product([(make, size) => [left(make, size), right(make, size), 1]], single),
  kron: {
    ...matrix((make, size) => [make.main(shape(size)), make.dense([3, 2])]),
    elements: ({ rows, columns }: MatrixSize) => 6 * rows * columns,
  },
  multiDot: product([(make, { m, k, n }) => [[make.dense([m, k]), make.dense([k, n]), make.dense([n, m])]]], single),
  matrixPower: product([(make, { m }) => [make.main([m, m]), 3]], {
    ...single,
    flops: ({ m }) => 4 * m ** 3,
    elements: ({ m }) => m ** 2,
  }),
  vecdot: { ...matrix((make, size) => [make.main(shape(size)), make.dense(shape(size))]), takes: 'float' },
  cross: {
    ...matrix((make, { rows, columns }) => [make.main([rows * columns, 3]), make.dense([rows * columns, 3])]),
    takes: 'number',
    elements: ({ rows, columns }: MatrixSize) => 3 * rows * columns,
  },
  addr: {
    ...matrix((make, { rows, columns }) => [make.main([rows, columns]), make.dense([rows]), make.dense([columns])]),
    takes: 'number',
  },
  bilinear: product(
    [
      (make, { m, k }) => [
        make.dense([m, Math.min(k, 64)]),
        make.dense([m, Math.min(k, 64)]),
        make.dense([16, Math.min(k, 64), Math.min(k, 64)]),
      ],
    ],
    { ...single, flops: ({ m, k }) => 32 * m * Math.min(k, 64) ** 2, elements: ({ m, k }) => m * k },
  ),
  vander: {
    ...matrix((make, { rows }) => [make.dense([rows], unit), 8]),
    takes: 'float',
    elements: ({ rows }: MatrixSize) => 8 * rows,
  },
  scaledDotProductAttention: attention({}, { isCausal: true }),
  attentionDropout: {
    ...attention({ dropoutP: 0.1 }),
    calls: attention({ dropoutP: 0.1 }).calls.map(call => (make: Maker, size: AttentionSize) => [
      1n,
      0n,
      ...call(make, size),
    ]),
    unordered: true,
  },
  attentionLse: {
    ...attention({}),
    calls: attention({}).calls.map(call => (make: Maker, size: AttentionSize) => [1n, 0n, ...call(make, size)]),
  },

  // Convolutions, pooling, images
  conv1d: conv(1, false, { kernel: 3, padding: 1 }, { kernel: 1 }, { kernel: 7, stride: 2, padding: 3 }),
  conv2d: conv(
    2,
    false,
    { kernel: 3, padding: 1 },
    { kernel: 1, bias: true },
    { kernel: 3, padding: 1, depthwise: true },
    { kernel: 3, padding: 1, stride: 2 },
    { kernel: 7, padding: 3, stride: 2 },
    { kernel: 3, padding: 2, dilation: 2 },
    { kernel: 1, stride: 2 },
  ),
  conv3d: conv(3, false, { kernel: 3, padding: 1 }, { kernel: 1 }),
  convTranspose1d: conv(1, true, { kernel: 4, padding: 1, stride: 2 }),
  convTranspose2d: conv(2, true, { kernel: 4, padding: 1, stride: 2 }, { kernel: 3, padding: 1 }),
  convTranspose3d: conv(3, true, { kernel: 2, stride: 2 }),
  maxPool1d: pool(1, normal, [2], [3, { stride: 2, padding: 1 }]),
  maxPool2d: pool(2, normal, [2], [3, { stride: 2, padding: 1 }]),
  maxPool3d: pool(3, normal, [2]),
  maxPool1dWithIndices: pool(1, normal, [2]),
  maxPool2dWithIndices: pool(2, normal, [2], [3, { stride: 2, padding: 1 }]),
  maxPool3dWithIndices: pool(3, normal, [2]),
  avgPool1d: pool(1, normal, [2]),
  avgPool2d: pool(2, normal, [2], [3, { stride: 1, padding: 1 }]),
  avgPool3d: pool(3, normal, [2]),
  lpPool1d: pool(1, positive, [2, 2]),
  lpPool2d: pool(2, positive, [2, 2]),
  lpPool3d: pool(3, positive, [2, 2]),
  adaptiveAvgPool1d: pool(1, normal, [1], [4]),
  adaptiveAvgPool2d: pool(2, normal, [1], [[4, 3]]),
  adaptiveAvgPool3d: pool(3, normal, [[2, 3, 3]]),
  adaptiveMaxPool1d: pool(1, normal, [1], [4]),
  adaptiveMaxPool2d: pool(2, normal, [1], [[4, 3]]),
  adaptiveMaxPool3d: pool(3, normal, [[2, 3, 3]]),
  adaptiveMaxPool1dWithIndices: pool(1, normal, [4]),
  adaptiveMaxPool2dWithIndices: pool(2, normal, [[4, 3]]),
  adaptiveMaxPool3dWithIndices: pool(3, normal, [[2, 3, 3]]),
  maxUnpool1d: image(
    [
      (make, { images, channels, height, width }) => [
        make.dense([images, channels, height * width]),
        make.index([images, channels, height * width], 2 * height * width),
        2,
      ],
    ],
    { unordered: true },
  ),
  maxUnpool2d: image(
    [(make, size) => [make.dense(shapeOf(size)), make.index(shapeOf(size), 4 * size.height * size.width), 2]],
    {
      unordered: true,
      elements: size => 4 * elements(size),
    },
  ),
  maxUnpool3d: image(
    [
      (make, { images, channels, height, width }) => {
        const places = [images, channels / 4, 4, height, width]
        return [make.dense(places), make.index(places, 32 * height * width), 2]
      },
    ],
    { unordered: true, elements: size => 8 * elements(size) },
  ),
  im2col: image([(make, size) => [make.main(shapeOf(size)), 3, { padding: 1 }]], {
    elements: size => 9 * elements(size),
  }),
  fold: image(
    [
      (make, { images, channels, height, width }) => [
        make.dense([images, channels * 9, height * width]),
        [height, width],
        3,
        { padding: 1 },
      ],
    ],
    { elements: size => 9 * elements(size) },
  ),
  pixelShuffle: image([(make, size) => [make.main(shapeOf(size)), 2]]),
  pixelUnshuffle: image([(make, size) => [make.main(shapeOf(size)), 2]], {
    takesSize: ({ height, width }) => height % 2 === 0 && width % 2 === 0,
  }),
  channelShuffle: image([(make, size) => [make.main(shapeOf(size)), 2]]),
  interpolate: image(
    [{ mode: 'nearest' }, { mode: 'bilinear' }, { mode: 'bicubic' }].map(mode => (make: Maker, size: ImageSize) => [
      make.main(shapeOf(size)),
      { scaleFactor: 2, ...mode },
    ]),
    { elements: size => 4 * elements(size) },
  ),
  gridSample: image([
    (make, size) => [make.main(shapeOf(size)), make.dense([size.images, size.height, size.width, 2], inside)],
  ]),

  // Creation and random numbers
  full: matrix((make, size) => [shape(size), 1, { dtype: make.dtype }]),
  arange: matrix((_, { rows, columns }) => [0, rows * columns, 1]),
  linspace: matrix((_, { rows, columns }) => [0, 1, rows * columns]),
  eye: { ...matrix((_, { columns }) => [columns]), elements: ({ columns }: MatrixSize) => columns ** 2 },
  rand: seeded((_, size) => [shape(size)]),
  randn: seeded((_, size) => [shape(size)]),
  randint: seeded((_, size) => [0, 1000, shape(size)]),
  bernoulli: { ...seeded((make, size) => [make.main(shape(size), unit)]), takes: 'float' },
  dropout: { ...seeded((make, size) => [make.main(shape(size)), 0.1]), takes: 'float' },
  randperm: seeded((_, { rows, columns }) => [rows * columns]),
} satisfies Partial<Record<RecordName, Form | LeftOut>>

/** What is no op (case.ts). */
export const functionForms: Beside = {
  nonzero: matrix(on()),
  unique: { ...matrix((make, size) => [make.main(shape(size), { below: 1000 })]), takes: 'integer' },
  maskedSelect: matrix((make, size) => [make.main(shape(size)), make.mask(shape(size))]),
  bincount: {
    ...matrix((make, { rows, columns }) => [make.index([rows * columns], 1000)]),
    takes: 'integer',
  },
  multinomial: { ...matrix((make, size) => [make.main(shape(size), unit), 1]), takes: 'float', unordered: true },
}

/** The other functions of docs/ops.md, and why they are not measured. */
export const functionsLeftOut: Readonly<Record<string, LeftOut>> = {
  ...leftOut('memory of the host', 'tensor', 'fromBuffer'),
  ...leftOut('full or arange, which are measured', 'zeros', 'zerosLike', 'fullLike', 'logspace'),
  ...leftOut('state of a generator', 'manualSeed'),
  ...leftOut('randn, which is measured', 'normal'),
  ...leftOut('written with other ops', 'gumbelSoftmax', 'gradient', 'hstack', 'rearrange', 'reduce', 'repeatPattern'),
  ...leftOut('lists of views', 'split', 'chunk', 'tensorSplit', 'hsplit', 'unbind', 'meshgrid'),
  ...leftOut('control flow', 'cond', 'scan', 'whileLoop'),
  ...leftOut('a value to read: isclose and all, which are measured', 'allclose'),
}

function leftOut(because: string, ...names: readonly string[]): Record<string, LeftOut> {
  return Object.fromEntries(names.map(name => [name, { because }]))
}

/** Follows from the signature: tensors of one shape, and for a `dim` rows, columns and (where it may be null) everything. */
function ofSignature(name: RecordName): Form {
  const { category, signature, dtypes } = recordTable[name]
  const params = signature?.params ?? []
  const inputs = params.filter(({ isInput, fallback }) => isInput && fallback === undefined).length
  const rest = params.filter(({ isInput, fallback }) => !isInput && fallback === undefined).map(({ name: own }) => own)
  const dim = params.find(({ name: own }) => own === 'dim')
  const takes = takesOf(dtypes?.takes ?? 'any')
  if (inputs === 1 && dim !== undefined && rest.every(own => own === 'dim')) {
    const all = dim.kinds.includes('null') ? [on()] : []
    return { ...matrix(on(-1), on(0), ...all), takes }
  }
  if (category !== 'pointwise' || rest.length > 0)
    throw new Error(
      `survey: forms.ts has no entry for ${name}(${signature?.text}), and none follows from its signature`,
    )
  const same: MatrixCall = (make, size) => [
    make.main(shape(size)),
    ...Array.from({ length: inputs - 1 }, () => make.dense(shape(size))),
  ]
  const row: MatrixCall = (make, size) => [make.main(shape(size)), make.dense([size.columns])]
  return { ...matrix(same, ...(inputs === 2 ? [row] : [])), takes }
}

const takesOf = (takes: string): Takes => (takes === 'cast' ? 'float' : (takes as Takes))

/** The form of an op, or why it has none. */
export const formOf = (name: RecordName): Form | LeftOut =>
  (given as Partial<Record<RecordName, Form | LeftOut>>)[name] ?? ofSignature(name)
