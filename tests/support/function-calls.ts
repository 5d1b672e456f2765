/** Valid calls of every exported function that is not an op, and of methods; wrong calls are derived from them. */
import * as index from '../../src/index.js'
import * as kernels from '../../src/kernel.js'
import { functional as F } from '../../src/nn/index.js'
import * as quant from '../../src/quant/index.js'

const { Generator, compile, scalar, tensor, zeros } = index
const { f32, i64, kernel, view } = kernels

type Args = readonly unknown[]
type Forms = () => readonly Args[]
export interface FunctionTarget {
  /** Right arguments, made anew; several where a function has several forms. */
  readonly right: Forms
  readonly call: (...args: readonly never[]) => unknown
  /** What its errors begin with, where that is not the name: what it is made of says what does not fit it. */
  readonly says: readonly string[] | null
}

const generator = () => new Generator(1)
const typed = { dtype: 'f32', device: 'cpu' } as const
const drawn = () => ({ ...typed, generator: generator() })
const matrix = () => tensor([[1, 2, 3], [4, 5, 6]]) // biome-ignore format: one line
const square = () => tensor([[2, 1], [1, 2]]) // biome-ignore format: one line
const vector = () => tensor([3, 1, 2])
const counts = () => tensor([3, 1, 1], { dtype: 'i64' })
const codes = () => zeros([2, 32], { dtype: 'u8' })
const wide = () => zeros([2, 32])
const image = () => zeros([1, 1, 2, 2])
/** Parts of 2 × 32 zeros, computed without a kernel. */
const parts = () => ({
  format: 'mxfp8e4m3' as const,
  block: 32,
  scale: 'e8m0' as const,
  values: zeros([2, 32], { dtype: 'u8' }),
  scales: zeros([2, 1], { dtype: 'u8' }),
  tensorScale: null,
  layout: 'linear' as const,
})

const of = (...args: Args): Args => args
const by = (call: (...args: never[]) => unknown, right: Forms, ...says: readonly string[]): FunctionTarget => ({
  call,
  right,
  says: says.length === 0 ? null : says,
})

/** Functions with an op record are called by tests/tensor/wrong-calls.test.ts. */
const tensorFunctions: Readonly<Record<string, FunctionTarget>> = {
  allclose: by(
    index.allclose,
    () => [of(matrix(), matrix(), 1e-5, 1e-8, true), of(matrix(), { other: matrix(), rtol: 0 })],
    'allclose',
    'isclose',
  ),
  equal: by(index.equal, () => [of(matrix(), matrix()), of(matrix(), { other: matrix() })]),
  arange: by(index.arange, () => [of(0, 6, 2, typed), of({ start: 0, end: 6, step: 2, ...typed }), of(3)]),
  empty: by(index.empty, () => [of([2, 3], typed), of(2, 3, typed), of({ size: [2], ...typed })]),
  zeros: by(index.zeros, () => [of([2, 3], typed), of(2, 3, typed), of({ size: [2], ...typed })]),
  ones: by(index.ones, () => [of([2, 3], typed), of(2, 3, typed), of({ size: [2], ...typed })]),
  full: by(index.full, () => [of([2, 3], 1, typed), of({ size: [2], fillValue: 1, ...typed })]),
  linspace: by(index.linspace, () => [of(0, 1, 5, typed), of({ start: 0, end: 1, steps: 5, ...typed })]),
  eye: by(index.eye, () => [of(2, 3, typed), of({ n: 2, m: 3, ...typed })]),
  rand: by(index.rand, () => [of([2, 3], drawn()), of(2, 3, drawn()), of({ size: [2], ...drawn() })]),
  randn: by(index.randn, () => [of([2, 3], drawn()), of(2, 3, drawn()), of({ size: [2], ...drawn() })]),
  randint: by(index.randint, () => [
    of(-5, 5, [2, 3], { ...drawn(), dtype: 'i64' }),
    of(5, [2, 3], { ...drawn(), dtype: 'i64' }),
    of({ low: 0, high: 5, size: [2], ...drawn(), dtype: 'i64' }),
  ]),
  emptyLike: by(index.emptyLike, () => [of(matrix(), typed), of({ input: matrix(), ...typed })]),
  zerosLike: by(index.zerosLike, () => [of(matrix(), typed), of({ input: matrix(), ...typed })]),
  onesLike: by(index.onesLike, () => [of(matrix(), typed), of({ input: matrix(), ...typed })]),
  fullLike: by(
    index.fullLike,
    () => [of(matrix(), 1, typed), of({ input: matrix(), fillValue: 1, ...typed })],
    'fullLike',
    'full',
  ),
  randLike: by(index.randLike, () => [of(matrix(), drawn()), of({ input: matrix(), ...drawn() })], 'randLike', 'rand'),
  randnLike: by(
    index.randnLike,
    () => [of(matrix(), drawn()), of({ input: matrix(), ...drawn() })],
    'randnLike',
    'randn',
  ),
  bernoulli: by(index.bernoulli, () => [of(matrix().mul(0.1), { generator: generator() })]),
  alphaDropout: by(F.alphaDropout, () => [of(matrix(), 0.5, true), of(matrix(), { p: 0.5 })]),
  featureAlphaDropout: by(F.featureAlphaDropout, () => [of(image(), 0.5, true)]),
  dropout1d: by(F.dropout1d, () => [of(matrix(), 0.5, true), of(matrix(), { p: 0.5, training: true })]),
  dropout2d: by(F.dropout2d, () => [of(image(), 0.5, true)]),
  dropout3d: by(F.dropout3d, () => [of(image(), 0.5, true)]),
  inv: by(index.linalg.inv, () => [of(square())]),
  det: by(index.linalg.det, () => [of(square())]),
  choleskySolve: by(index.linalg.choleskySolve, () => [of(square(), square())]),
  logdet: by(index.linalg.logdet, () => [of(square())]),
  slogdet: by(index.linalg.slogdet, () => [of(square())]),
  cholesky: by(index.linalg.cholesky, () => [of(square(), { upper: true })]),
  solve: by(index.linalg.solve, () => [of(square(), square())]),
  solveTriangular: by(index.linalg.solveTriangular, () => [
    of(square(), square(), { upper: true, left: false, unitriangular: true }),
  ]),
  normal: by(index.normal, () => [of(0, 1, [2], { generator: generator() }), of(matrix(), 1)]),
  dropout: by(index.dropout, () => [
    of(matrix(), 0.5, true, { generator: generator() }),
    of(matrix(), { p: 0.5, training: true, generator: generator() }),
  ]),
  scaledDotProductAttention: by(index.scaledDotProductAttention, () => [
    of(matrix(), matrix(), matrix(), null, 0.5, false, { scale: 0.5, enableGqa: false }),
    of(matrix(), matrix(), matrix(), { isCausal: true, dropoutP: 0.1 }),
    of({ input: matrix(), key: matrix(), value: matrix(), attnMask: null }),
  ]),
  randperm: by(index.randperm, () => [of(5, { dtype: 'i64', generator: generator() })]),
  multinomial: by(index.multinomial, () => [
    of(vector(), 2, false, { generator: generator() }),
    of(matrix(), { numSamples: 4, replacement: true, generator: generator() }),
  ]),
  tensor: by(index.tensor, () => [of([[1, 2], [3, 4]], typed), of({ data: [1, true], ...typed }), of(new Float32Array(4))]), // biome-ignore format: one line
  fromBuffer: by(index.fromBuffer, () => [
    of(new ArrayBuffer(8), { ...typed, shape: [2] }),
    of(new Uint8Array(8), typed),
  ]),
  rearrange: by(index.rearrange, () => [of(matrix(), 'a (b c) -> c a b', { b: 3 })]),
  reduce: by(index.reduce, () => [of(matrix(), 'a (b c) -> a c', 'mean', { b: 3 })], 'reduce', 'mean'),
  repeatPattern: by(index.repeatPattern, () => [of(matrix(), 'a b -> a b c', { c: 2 })]),
  chunk: by(index.chunk, () => [of(matrix(), 2, 1), of(matrix(), { chunks: 2, dim: 1 })]),
  split: by(index.split, () => [of(matrix(), [1, 2], 1), of(matrix(), { splitSize: 2, dim: 1 })]),
  tensorSplit: by(index.tensorSplit, () => [of(matrix(), [1, 2], 1), of(matrix(), { indicesOrSections: 2, dim: 1 })]),
  logspace: by(index.logspace, () => [of(0, 2, 3, 2, typed), of({ start: 0, end: 2, steps: 3, base: 2, ...typed })]),
  gradient: by(index.gradient, () => [
    of(matrix(), { spacing: 2, dim: 1, edgeOrder: 2 }),
    of(matrix(), { spacing: [1, 2] }),
  ]),
  gumbelSoftmax: by(
    index.gumbelSoftmax,
    () => [of(matrix(), 0.5, true, 1, { generator: generator() }), of(matrix(), { tau: 2, hard: false, dim: 0 })],
    'gumbelSoftmax',
    'softmax',
  ),
  hsplit: by(index.hsplit, () => [of(matrix(), 3), of(matrix(), { indicesOrSections: [1] })]),
  vsplit: by(index.vsplit, () => [of(matrix(), 2), of(matrix(), { indicesOrSections: [1] })]),
  dsplit: by(index.dsplit, () => [of(zeros([1, 2, 4]), 2), of(zeros([1, 2, 4]), { indicesOrSections: [1] })]),
  unbind: by(index.unbind, () => [of(matrix(), 1), of(matrix(), { dim: 1 })]),
  columnStack: by(
    index.columnStack,
    () => [of([vector(), vector()]), of({ tensors: [vector(), vector()] })],
    'columnStack',
    'cat',
  ),
  dstack: by(index.dstack, () => [of([vector(), vector()]), of({ tensors: [vector(), vector()] })], 'dstack', 'cat'),
  hstack: by(index.hstack, () => [of([vector(), vector()]), of({ tensors: [vector(), vector()] })], 'hstack', 'cat'),
  vstack: by(index.vstack, () => [of([vector(), vector()]), of({ tensors: [vector(), vector()] })], 'vstack', 'cat'),
  atleast1d: by(index.atleast1d, () => [of(vector()), of([vector(), matrix()])]),
  atleast2d: by(index.atleast2d, () => [of(vector()), of([vector(), matrix()])]),
  atleast3d: by(index.atleast3d, () => [of(vector()), of([vector(), matrix()])]),
  blockDiag: by(
    index.blockDiag,
    () => [of([matrix(), vector()]), of(matrix(), vector()), of({ tensors: [matrix(), vector()] })],
    'blockDiag',
    'cat',
  ),
  cartesianProd: by(
    index.cartesianProd,
    () => [of([vector(), vector()]), of({ tensors: [vector(), vector()] })],
    'cartesianProd',
    'stack',
    'meshgrid',
  ),
  combinations: by(index.combinations, () => [of(vector(), 2, true), of(vector(), { r: 2, withReplacement: true })]),
  trilIndices: by(index.trilIndices, () => [of(3, 4, 1, { dtype: 'i64' }), of(3, 4, { offset: 1 })]),
  triuIndices: by(index.triuIndices, () => [of(3, 4, 1, { dtype: 'i64' }), of(3, 4, { offset: 1 })]),
  matrixNorm: by(
    index.linalg.matrixNorm,
    () => [of(matrix(), 'fro', [0, 1], true, { dtype: 'f32' }), of(matrix(), { ord: 1, keepdim: true })],
    'matrixNorm',
    'vectorNorm',
  ),
  norm: by(
    index.linalg.norm,
    () => [of(matrix(), 'fro', [0, 1], true, { dtype: 'f32' }), of(vector(), { ord: 2 })],
    'norm',
    'vectorNorm',
  ),
  affineGrid: by(F.affineGrid, () => [
    of(zeros([1, 2, 3]), [1, 1, 2, 2], true),
    of({ theta: zeros([1, 2, 3]), size: [1, 1, 2, 2], alignCorners: true }),
  ]),
  ctcLoss: by(F.ctcLoss, () => [
    of(zeros([3, 1, 4]), tensor([[1, 2]], { dtype: 'i64' }), [3], [2], { blank: 0, zeroInfinity: true }),
    of(zeros([3, 4]), tensor([1, 2], { dtype: 'i64' }), tensor([3], { dtype: 'i64' }), tensor([2], { dtype: 'i64' })),
  ]),
  fp8Linear: by(F.fp8Linear, () => [
    of(wide(), wide(), { bias: zeros([2]), scaling: 'block', gradients: 'e4m3' }),
    of({ input: wide(), weight: wide(), scaling: { input: tensor(1), weight: tensor(1), gradient: tensor(1) } }),
  ]),
  upsample: by(
    F.upsample,
    () => [of(image(), 4, null, 'nearest', null), of(image(), { scaleFactor: 2, mode: 'bilinear' })],
    'upsample',
    'interpolate',
  ),
  upsampleBilinear: by(
    F.upsampleBilinear,
    () => [of(image(), 4), of(image(), { scaleFactor: 2 })],
    'upsampleBilinear',
    'interpolate',
  ),
  upsampleNearest: by(
    F.upsampleNearest,
    () => [of(image(), 4), of(image(), { scaleFactor: 2 })],
    'upsampleNearest',
    'interpolate',
  ),
  meshgrid: by(index.meshgrid, () => [
    of([vector(), vector()], { indexing: 'xy' }),
    of(vector(), vector(), { indexing: 'xy' }),
    of({ tensors: [vector(), vector()], indexing: 'xy' }),
  ]),
  bincount: by(index.bincount, () => [of(counts(), vector(), 2), of(counts(), { weights: vector(), minlength: 2 })]),
  maskedSelect: by(
    index.maskedSelect,
    () => [of(matrix(), matrix().gt(2)), of(matrix(), { mask: matrix().gt(2) })],
    'maskedSelect',
    'logicalOr',
  ),
  nonzero: by(index.nonzero, () => [of(matrix())]),
  unique: by(index.unique, () => [of(vector(), true), of(vector(), { sorted: true })]),
  uniqueConsecutive: by(index.uniqueConsecutive, () => [of(vector())]),
  uniqueWithParts: by(index.uniqueWithParts, () => [of(vector(), true), of(vector(), { sorted: true })]),
}

const identity = (x: unknown): unknown => x

const processFunctions: Readonly<Record<string, FunctionTarget>> = {
  compile: by(
    (...args: Parameters<typeof compile>) => compile(...args)(matrix() as never),
    () => [
      of((x: index.Tensor) => x.add(1), {
        mode: 'default',
        fullgraph: true,
        dynamic: true,
        bucket: [2, 4],
        deterministic: true,
        float32MatmulPrecision: 'highest',
        onRecompile: 'error',
        recompileLimit: 2,
        name: 'f',
      }),
    ],
  ),
  captureGraph: by(index.captureGraph, () => [
    of(identity, { inputs: { x: matrix() }, device: 'cuda', results: 'copied', limit: 2 }),
  ]),
  exportCompiled: by(index.exportCompiled, () => [of(identity)]),
  loadCompiled: by(index.loadCompiled, () => [of('nowhere')]),
  parallel: by(index.parallel, () => [of([() => 1], { device: 'cuda' })]),
  synchronize: by(index.synchronize, () => [of('cpu')]),
  withStream: by(index.withStream, () => [of(1, () => 1)]),
  compilerStats: by(index.compilerStats, () => [of()]),
  emptyCache: by(index.emptyCache, () => [of()]),
  memorySummary: by(index.memorySummary, () => [of()]),
  getDefaultDevice: by(index.getDefaultDevice, () => [of()]),
  setDefaultDevice: by(index.setDefaultDevice, () => [of('cpu')]),
  getFloat32MatmulPrecision: by(index.getFloat32MatmulPrecision, () => [of()]),
  setFloat32MatmulPrecision: by(index.setFloat32MatmulPrecision, () => [of('high')]),
  manualSeed: by(index.manualSeed, () => [of(1)]),
  scalar: by(index.scalar, () => [of(1)]),
  scope: by(index.scope, () => [of(() => 1)]),
  cond: by(index.cond, () => [
    of(index.tensor(true), identity, identity, [matrix()]),
    of(
      false,
      () => matrix(),
      () => matrix(),
    ),
  ]),
  whileLoop: by(index.whileLoop, () => [of(() => index.tensor(false), identity, [matrix()])]),
  scan: by(index.scan, () => [
    of(() => [[], [matrix()]] as const, [], [matrix()]),
    of(() => [[], [matrix()]] as const, [], [matrix()], { reverse: true }),
  ]),
}

const loss = (x: index.Tensor): index.Tensor => x.mul(x).sum()
/** Tensors that require gradients, and what was made of them. */
function recorded(): readonly [output: index.Tensor, input: index.Tensor] {
  const input = matrix().requiresGrad_()
  return [loss(input), input]
}

const gradientFunctions: Readonly<Record<string, FunctionTarget>> = {
  gradients: by(
    index.gradients,
    () => {
      const [output, input] = recorded()
      const [other, leaf] = recorded()
      return [
        of([output], [input], [tensor(1)], { retainGraph: true, createGraph: true, allowUnused: true }),
        of(other, leaf, { gradOutputs: tensor(2), retainGraph: false }),
      ]
    },
    'gradients',
  ),
  grad: by(
    (...args: Parameters<typeof index.grad>) => index.grad(...args)(matrix()),
    () => [of(loss), of(loss, [0])],
    'grad',
  ),
  valueAndGrad: by(
    (...args: Parameters<typeof index.valueAndGrad>) => index.valueAndGrad(...args)(matrix()),
    () => [of(loss), of(loss, [0])],
    'valueAndGrad',
  ),
  vjp: by(index.vjp, () => [of(loss, matrix())]),
  jvp: by(index.jvp, () => [of(loss, [matrix()], [matrix()])]),
  customGradient: by(
    (...args: Parameters<typeof index.customGradient>) => index.customGradient(...args)(matrix()),
    () => [of((x: index.Tensor) => x.exp(), (gradient: index.Tensor) => gradient)], // biome-ignore format: one line
    'customGradient',
  ),
  checkpoint: by(
    (...args: Parameters<typeof index.checkpoint>) => index.checkpoint(...args)(matrix()),
    () => [of((x: index.Tensor) => x.exp())],
    'checkpoint',
  ),
  noGrad: by(index.noGrad, () => [of(() => 1)]),
  enableGrad: by(index.enableGrad, () => [of(() => 1)]),
  inferenceMode: by(index.inferenceMode, () => [of(() => 1)]),
  detectAnomaly: by(index.detectAnomaly, () => [of(() => 1)]),
  isGradEnabled: by(index.isGradEnabled, () => [of()]),
  setGradEnabled: by(index.setGradEnabled, () => [of(true)]),
  setDetectAnomaly: by(index.setDetectAnomaly, () => [of(false)]),
  setLogs: by(index.setLogs, () => [of({}), of({ graph: false })]),
  autocast: by(index.autocast, () => [of('bf16', () => 1), of(null, () => 1)]),
}

const quantFunctions: Readonly<Record<string, FunctionTarget>> = {
  quantize: by(
    quant.quantize,
    () => [
      of(wide(), 'int8', { block: 32, scale: 'f32', layout: 'linear', saturate: true }),
      of(wide(), { format: 'nvfp4', tensorScale: tensor(1), layout: 'blocked' }),
    ],
    'quantize',
    'toBlocked',
  ),
  fakeQuantize: by(quant.fakeQuantize, () => [
    of(wide(), 'int8', { block: 32, scale: 'f32', saturate: true }),
    of(wide(), { format: 'nvfp4', tensorScale: tensor(1) }),
  ]),
  dequantize: by(quant.dequantize, () => [of(parts(), 'f32', { method: 'arithmetic' }), of(parts(), { dtype: 'f16' })]),
  withLayout: by(quant.withLayout, () => [of(parts(), 'blocked'), of(parts(), { layout: 'blocked' })]),
  toBlocked: by(quant.toBlocked, () => [of(codes())]),
  fromBlocked: by(quant.fromBlocked, () => [
    of(quant.toBlocked(codes()), 2, 32),
    of(quant.toBlocked(codes()), { rows: 2, blocks: 32 }),
  ]),
  quantizedTensor: by(quant.quantizedTensor, () => [of(parts())]),
  isQuantized: by(quant.isQuantized, () => [of(parts())]),
  shapeOf: by(quant.shapeOf, () => [of(parts())]),
  scaledMatmul: by(quant.scaledMatmul, () => [
    of(wide(), parts(), { bias: zeros([2]), outDtype: 'f16' }),
    of({ a: parts(), b: wide(), bias: zeros([2]) }),
  ]),
  dualMatmul: by(quant.dualMatmul, () => [
    of(wide(), parts(), wide(), { bias1: zeros([2]), bias2: zeros([2]), activation: 'silu', outDtype: 'f16' }),
  ]),
  groupedMatmul: by(quant.groupedMatmul, () => [
    of(
      [
        { a: wide(), b: parts(), out: zeros([2, 2]) },
        { a: wide(), b: wide() },
      ],
      { strategy: 'sequential', outDtype: 'f32' },
    ),
    of(wide(), wide().t(), tensor([2], { dtype: 'i32' }), { outDtype: 'f16' }),
  ]),
  raggedMatmul: by(quant.raggedMatmul, () => [
    of(wide(), zeros([1, 2, 32]), tensor([2], { dtype: 'i32' }), {
      bias: zeros([1, 2]),
      factor: zeros([1]),
      outDtype: 'f16',
    }),
  ]),
  raggedDualMatmul: by(quant.raggedDualMatmul, () => [
    of(wide(), zeros([1, 2, 32]), zeros([1, 2, 32]), tensor([2], { dtype: 'i32' }), {
      bias1: zeros([1, 2]),
      bias2: zeros([1, 2]),
      factor1: zeros([1]),
      factor2: zeros([1]),
      activation: 'gelu',
      outDtype: 'f16',
    }),
  ]),
}

interface Body {
  readonly x: kernels.ViewValue
  readonly out: kernels.ViewValue
  readonly n: kernels.TileValue
}
const definition = () => ({
  name: 'k',
  params: { x: view(f32, 1), out: view(f32, 1), n: i64 } as const,
  constants: { BLOCK: 4 },
  hints: { warps: 4 },
  space: { BLOCK: [4, 8], warps: [4] },
  grid: ({ n }: { n: number | bigint }) => [Number(n)],
  body: (t: kernels.TileBuilder, { x, out, n }: Body, { BLOCK }: { readonly BLOCK: number }) => {
    t.store(out, [t.programId(0).mul(BLOCK)], t.load(x, [n], [BLOCK]))
  },
})
const launchArguments = () => ({ x: zeros([8]), out: zeros([8]), n: 1 })
const k = kernel(definition())
const options = () => ({ BLOCK: 4, warps: 4 })

const kernelFunctions: Readonly<Record<string, FunctionTarget>> = {
  kernel: by(
    (...args: Parameters<typeof kernel>) => {
      const made = kernel(...args)
      made.interpret(launchArguments() as never)
      made.code('cpu')
      made.code('ptx')
    },
    () => [of(definition())],
    "kernel 'k'",
    "kernel ''",
    'kernel',
    'k',
  ),
  view: by(view, () => [of(f32, 1)]),
  cdiv: by(kernels.cdiv, () => [of(7, 2)]),
  'kernel.launch': by(
    (...args: Parameters<typeof k.launch>) => k.launch(...args),
    () => [of(launchArguments(), options())],
    "kernel 'k'",
    'k',
  ),
  'kernel.interpret': by(
    (...args: Parameters<typeof k.interpret>) => k.interpret(...args),
    () => [of(launchArguments(), options())],
    "kernel 'k'",
    'k',
  ),
  'kernel.code': by(
    (...args: Parameters<typeof k.code>) => k.code(...args),
    () => [of('cpu', options())],
    "kernel 'k'",
    'k',
    'code',
  ),
}

/** Methods and constructors that are no ops': the object first, which stays as it is. */
const on = <T>(make: () => T, name: keyof T & string, right: Forms, ...says: readonly string[]): FunctionTarget =>
  by(
    (...args: readonly unknown[]): unknown => {
      const receiver = make()
      return (receiver[name] as (...given: readonly unknown[]) => unknown).apply(receiver, [...args])
    },
    right,
    ...says,
  )

const cut = () => compile((_: index.Tensor) => zeros([2]))
const methods: Readonly<Record<string, FunctionTarget>> = {
  size: on(matrix, 'size', () => [of(1), of({ dim: 1 })]),
  dim: on(matrix, 'dim', () => [of(1), of({ dim: 1 })]),
  dataSync: on(matrix, 'dataSync', () => [of('f32'), of({ dtype: 'f32' })]),
  data: on(matrix, 'data', () => [of('f32'), of({ dtype: 'f32' })]),
  itemSync: on(
    () => tensor(1),
    'itemSync',
    () => [of()],
  ),
  item: on(
    () => tensor(1),
    'item',
    () => [of()],
  ),
  toArray: on(matrix, 'toArray', () => [of()]),
  get: on(matrix, 'get', () => [of(1, [0, 2]), of('...', tensor([2, 0], { dtype: 'i64' }))], 'get', 'slice', 'add'),
  to: on(matrix, 'to', () => [of('f16'), of({ dtype: 'f16', device: 'cpu' })]),
  contiguous: on(matrix, 'contiguous', () => [of()]),
  where: on(matrix, 'where', () => [of(matrix().gt(2), 1), of({ condition: matrix().gt(2), other: 1 })]),
  split: on(matrix, 'split', () => [of([1, 2], 1), of({ splitSize: 2, dim: 1 })]),
  chunk: on(matrix, 'chunk', () => [of(2, 1), of({ chunks: 2, dim: 1 })]),
  unbind: on(matrix, 'unbind', () => [of(1), of({ dim: 1 })]),
  copy_: on(matrix, 'copy_', () => [of(matrix())]),
  fill_: on(matrix, 'fill_', () => [of(1)]),
  zero_: on(matrix, 'zero_', () => [of()]),
  uniform_: on(matrix, 'uniform_', () => [of(1, 2, { generator: generator() }), of({ from: 0, to: 1 })]),
  normal_: on(matrix, 'normal_', () => [of(1, 2, { generator: generator() }), of({ mean: 0, std: 1 })]),
  logNormal_: on(matrix, 'logNormal_', () => [of(1, 2, { generator: generator() }), of({ mean: 0, std: 1 })]),
  cauchy_: on(matrix, 'cauchy_', () => [of(1, 2, { generator: generator() }), of({ median: 0, sigma: 1 })]),
  exponential_: on(matrix, 'exponential_', () => [of(1, { generator: generator() }), of({ lambd: 2 })]),
  geometric_: on(matrix, 'geometric_', () => [of(0.5, { generator: generator() }), of({ p: 0.5 })]),
  bernoulli_: on(matrix, 'bernoulli_', () => [of(0.5, { generator: generator() }), of({ p: 0.5 })]),
  random_: on(matrix, 'random_', () => [of(1, 5, { generator: generator() }), of({ from: 0, to: 3 })]),
  'generator.manualSeed': on(generator, 'manualSeed', () => [of(1)], 'manualSeed'),
  'generator.restore': on(generator, 'restore', () => [of({ seed: 1n, offset: 4n })], 'restore'),
  'new Generator': by(
    (...args: readonly never[]) => new Generator(...(args as readonly [])),
    () => [of(1)],
    'manualSeed',
    'Generator',
  ),
  'new Stream': by(
    (...args: readonly never[]) => new index.Stream(...(args as readonly [])),
    () => [of({ device: 'cuda' })],
    'Stream',
  ),
  'Stream.current': by(index.Stream.current, () => [of({ device: 'cuda' })]),
  'Stream.main': by(index.Stream.main, () => [of({ device: 'cuda' })]),
  'new Event': by(
    (...args: readonly never[]) => new index.Event(...(args as readonly [])),
    () => [of({ device: 'cuda', timing: true })],
    'Event',
  ),
  'number.add': on(
    () => scalar(2),
    'add',
    () => [of(1)],
    'add',
  ),
  'number.floorDiv': on(
    () => scalar(2),
    'floorDiv',
    () => [of(1)],
    'floorDiv',
  ),
  'scalar.set': on(
    () => scalar(2),
    'set',
    () => [of(1)],
    'scalar',
  ),
  'compiled.warmup': on(cut, 'warmup', () => [of(matrix())], 'compile'),
  'compiled.explain': on(cut, 'explain', () => [of(matrix())], 'compile'),
  'compiled.stats': on(cut, 'stats', () => [of()], 'compile'),
}

export const functionTargets: Readonly<Record<string, FunctionTarget>> = {
  ...tensorFunctions,
  ...processFunctions,
  ...gradientFunctions,
  ...quantFunctions,
  ...kernelFunctions,
  ...methods,
}
