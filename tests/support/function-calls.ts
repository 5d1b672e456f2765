/** Valid calls of every exported function that is not an op, and of methods; wrong calls are derived from them. */
import * as index from '../../src/index.js'
import * as kernels from '../../src/kernel.js'
import { functional as F } from '../../src/nn/index.js'
import * as quant from '../../src/quant/index.js'

const { Generator, compile, scalar, tensor, zeros } = index
const { f32, i64, kernel, view } = kernels

type Make = () => readonly unknown[]
export interface FunctionTarget {
  /** Valid arguments; several lists if a function has several forms. */
  readonly right: readonly Make[]
  readonly call: (...args: readonly never[]) => unknown
  /** The prefix of its errors, if it is not the function's name: an inner function reports the error. */
  readonly says?: readonly string[]
}

const generator = () => new Generator(1)
const typed = { dtype: 'f32', device: 'cpu' } as const
const drawn = () => ({ ...typed, generator: generator() })
const matrix = () => tensor([[1, 2, 3], [4, 5, 6]]) // biome-ignore format: one line
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

const by = (call: (...args: never[]) => unknown, ...right: Make[]): FunctionTarget => ({ call, right })

/** Functions with an op record are called by tests/tensor/wrong-calls.test.ts. */
const tensorFunctions: Readonly<Record<string, FunctionTarget>> = {
  allclose: {
    ...by(
      index.allclose,
      () => [matrix(), matrix(), 1e-5, 1e-8, true],
      () => [matrix(), { other: matrix(), rtol: 0 }],
    ),
    says: ['allclose', 'isclose'],
  },
  equal: by(
    index.equal,
    () => [matrix(), matrix()],
    () => [matrix(), { other: matrix() }],
  ),
  arange: by(
    index.arange,
    () => [0, 6, 2, typed],
    () => [{ start: 0, end: 6, step: 2, ...typed }],
    () => [3],
  ),
  empty: by(
    index.empty,
    () => [[2, 3], typed],
    () => [2, 3, typed],
    () => [{ size: [2], ...typed }],
  ),
  zeros: by(
    index.zeros,
    () => [[2, 3], typed],
    () => [2, 3, typed],
    () => [{ size: [2], ...typed }],
  ),
  ones: by(
    index.ones,
    () => [[2, 3], typed],
    () => [2, 3, typed],
    () => [{ size: [2], ...typed }],
  ),
  full: by(
    index.full,
    () => [[2, 3], 1, typed],
    () => [{ size: [2], fillValue: 1, ...typed }],
  ),
  linspace: by(
    index.linspace,
    () => [0, 1, 5, typed],
    () => [{ start: 0, end: 1, steps: 5, ...typed }],
  ),
  eye: by(
    index.eye,
    () => [2, 3, typed],
    () => [{ n: 2, m: 3, ...typed }],
  ),
  rand: by(
    index.rand,
    () => [[2, 3], drawn()],
    () => [2, 3, drawn()],
    () => [{ size: [2], ...drawn() }],
  ),
  randn: by(
    index.randn,
    () => [[2, 3], drawn()],
    () => [2, 3, drawn()],
    () => [{ size: [2], ...drawn() }],
  ),
  randint: by(
    index.randint,
    () => [-5, 5, [2, 3], { ...drawn(), dtype: 'i64' }],
    () => [5, [2, 3], { ...drawn(), dtype: 'i64' }],
    () => [{ low: 0, high: 5, size: [2], ...drawn(), dtype: 'i64' }],
  ),
  emptyLike: by(
    index.emptyLike,
    () => [matrix(), typed],
    () => [{ input: matrix(), ...typed }],
  ),
  zerosLike: by(
    index.zerosLike,
    () => [matrix(), typed],
    () => [{ input: matrix(), ...typed }],
  ),
  onesLike: by(
    index.onesLike,
    () => [matrix(), typed],
    () => [{ input: matrix(), ...typed }],
  ),
  fullLike: {
    ...by(
      index.fullLike,
      () => [matrix(), 1, typed],
      () => [{ input: matrix(), fillValue: 1, ...typed }],
    ),
    says: ['fullLike', 'full'],
  },
  randLike: {
    ...by(
      index.randLike,
      () => [matrix(), drawn()],
      () => [{ input: matrix(), ...drawn() }],
    ),
    says: ['randLike', 'rand'],
  },
  randnLike: {
    ...by(
      index.randnLike,
      () => [matrix(), drawn()],
      () => [{ input: matrix(), ...drawn() }],
    ),
    says: ['randnLike', 'randn'],
  },
  bernoulli: by(index.bernoulli, () => [matrix().mul(0.1), { generator: generator() }]),
  dropout: by(
    index.dropout,
    () => [matrix(), 0.5, true, { generator: generator() }],
    () => [matrix(), { p: 0.5, training: true, generator: generator() }],
  ),
  scaledDotProductAttention: by(
    index.scaledDotProductAttention,
    () => [matrix(), matrix(), matrix(), null, 0.5, false, { scale: 0.5, enableGqa: false }],
    () => [matrix(), matrix(), matrix(), { isCausal: true, dropoutP: 0.1 }],
    () => [{ input: matrix(), key: matrix(), value: matrix(), attnMask: null }],
  ),
  randperm: by(index.randperm, () => [5, { dtype: 'i64', generator: generator() }]),
  multinomial: by(
    index.multinomial,
    () => [vector(), 2, false, { generator: generator() }],
    () => [matrix(), { numSamples: 4, replacement: true, generator: generator() }],
  ),
  tensor: by(index.tensor, () => [[[1, 2], [3, 4]], typed], () => [{ data: [1, true], ...typed }], () => [new Float32Array(4)]), // biome-ignore format: one line
  fromBuffer: by(
    index.fromBuffer,
    () => [new ArrayBuffer(8), { ...typed, shape: [2] }],
    () => [new Uint8Array(8), typed],
  ),
  rearrange: by(index.rearrange, () => [matrix(), 'a (b c) -> c a b', { b: 3 }]),
  reduce: { ...by(index.reduce, () => [matrix(), 'a (b c) -> a c', 'mean', { b: 3 }]), says: ['reduce', 'mean'] },
  repeatPattern: by(index.repeatPattern, () => [matrix(), 'a b -> a b c', { c: 2 }]),
  chunk: by(
    index.chunk,
    () => [matrix(), 2, 1],
    () => [matrix(), { chunks: 2, dim: 1 }],
  ),
  split: by(
    index.split,
    () => [matrix(), [1, 2], 1],
    () => [matrix(), { splitSize: 2, dim: 1 }],
  ),
  tensorSplit: by(
    index.tensorSplit,
    () => [matrix(), [1, 2], 1],
    () => [matrix(), { indicesOrSections: 2, dim: 1 }],
  ),
  logspace: by(
    index.logspace,
    () => [0, 2, 3, 2, typed],
    () => [{ start: 0, end: 2, steps: 3, base: 2, ...typed }],
  ),
  gradient: by(
    index.gradient,
    () => [matrix(), { spacing: 2, dim: 1, edgeOrder: 2 }],
    () => [matrix(), { spacing: [1, 2] }],
  ),
  gumbelSoftmax: {
    ...by(
      index.gumbelSoftmax,
      () => [matrix(), 0.5, true, 1, { generator: generator() }],
      () => [matrix(), { tau: 2, hard: false, dim: 0 }],
    ),
    says: ['gumbelSoftmax', 'softmax'],
  },
  hsplit: by(
    index.hsplit,
    () => [matrix(), 3],
    () => [matrix(), { indicesOrSections: [1] }],
  ),
  vsplit: by(
    index.vsplit,
    () => [matrix(), 2],
    () => [matrix(), { indicesOrSections: [1] }],
  ),
  dsplit: by(
    index.dsplit,
    () => [zeros([1, 2, 4]), 2],
    () => [zeros([1, 2, 4]), { indicesOrSections: [1] }],
  ),
  unbind: by(
    index.unbind,
    () => [matrix(), 1],
    () => [matrix(), { dim: 1 }],
  ),
  columnStack: {
    ...by(
      index.columnStack,
      () => [[vector(), vector()]],
      () => [{ tensors: [vector(), vector()] }],
    ),
    says: ['columnStack', 'cat'],
  },
  dstack: {
    ...by(
      index.dstack,
      () => [[vector(), vector()]],
      () => [{ tensors: [vector(), vector()] }],
    ),
    says: ['dstack', 'cat'],
  },
  hstack: {
    ...by(
      index.hstack,
      () => [[vector(), vector()]],
      () => [{ tensors: [vector(), vector()] }],
    ),
    says: ['hstack', 'cat'],
  },
  vstack: {
    ...by(
      index.vstack,
      () => [[vector(), vector()]],
      () => [{ tensors: [vector(), vector()] }],
    ),
    says: ['vstack', 'cat'],
  },
  atleast1d: by(
    index.atleast1d,
    () => [vector()],
    () => [[vector(), matrix()]],
  ),
  atleast2d: by(
    index.atleast2d,
    () => [vector()],
    () => [[vector(), matrix()]],
  ),
  atleast3d: by(
    index.atleast3d,
    () => [vector()],
    () => [[vector(), matrix()]],
  ),
  blockDiag: {
    ...by(
      index.blockDiag,
      () => [[matrix(), vector()]],
      () => [matrix(), vector()],
      () => [{ tensors: [matrix(), vector()] }],
    ),
    says: ['blockDiag', 'cat'],
  },
  cartesianProd: {
    ...by(
      index.cartesianProd,
      () => [[vector(), vector()]],
      () => [{ tensors: [vector(), vector()] }],
    ),
    says: ['cartesianProd', 'stack', 'meshgrid'],
  },
  combinations: by(
    index.combinations,
    () => [vector(), 2, true],
    () => [vector(), { r: 2, withReplacement: true }],
  ),
  trilIndices: by(
    index.trilIndices,
    () => [3, 4, 1, { dtype: 'i64' }],
    () => [3, 4, { offset: 1 }],
  ),
  triuIndices: by(
    index.triuIndices,
    () => [3, 4, 1, { dtype: 'i64' }],
    () => [3, 4, { offset: 1 }],
  ),
  matrixNorm: {
    ...by(
      index.linalg.matrixNorm,
      () => [matrix(), 'fro', [0, 1], true, { dtype: 'f32' }],
      () => [matrix(), { ord: 1, keepdim: true }],
    ),
    says: ['matrixNorm', 'vectorNorm'],
  },
  norm: {
    ...by(
      index.linalg.norm,
      () => [matrix(), 'fro', [0, 1], true, { dtype: 'f32' }],
      () => [vector(), { ord: 2 }],
    ),
    says: ['norm', 'vectorNorm'],
  },
  upsample: {
    ...by(
      F.upsample,
      () => [image(), 4, null, 'nearest', null],
      () => [image(), { scaleFactor: 2, mode: 'bilinear' }],
    ),
    says: ['upsample', 'interpolate'],
  },
  upsampleBilinear: {
    ...by(
      F.upsampleBilinear,
      () => [image(), 4],
      () => [image(), { scaleFactor: 2 }],
    ),
    says: ['upsampleBilinear', 'interpolate'],
  },
  upsampleNearest: {
    ...by(
      F.upsampleNearest,
      () => [image(), 4],
      () => [image(), { scaleFactor: 2 }],
    ),
    says: ['upsampleNearest', 'interpolate'],
  },
  meshgrid: by(
    index.meshgrid,
    () => [[vector(), vector()], { indexing: 'xy' }],
    () => [vector(), vector(), { indexing: 'xy' }],
    () => [{ tensors: [vector(), vector()], indexing: 'xy' }],
  ),
  bincount: by(
    index.bincount,
    () => [counts(), vector(), 2],
    () => [counts(), { weights: vector(), minlength: 2 }],
  ),
  maskedSelect: {
    ...by(
      index.maskedSelect,
      () => [matrix(), matrix().gt(2)],
      () => [matrix(), { mask: matrix().gt(2) }],
    ),
    says: ['maskedSelect', 'logicalOr'],
  },
  nonzero: by(index.nonzero, () => [matrix()]),
  unique: by(
    index.unique,
    () => [vector(), true],
    () => [vector(), { sorted: true }],
  ),
  uniqueConsecutive: by(index.uniqueConsecutive, () => [vector()]),
  uniqueWithParts: by(
    index.uniqueWithParts,
    () => [vector(), true],
    () => [vector(), { sorted: true }],
  ),
}

const identity = (x: unknown): unknown => x

const processFunctions: Readonly<Record<string, FunctionTarget>> = {
  compile: by(
    (...args: Parameters<typeof compile>) => compile(...args)(matrix() as never),
    () => [
      (x: index.Tensor) => x.add(1),
      {
        mode: 'default',
        fullgraph: true,
        dynamic: true,
        bucket: [2, 4],
        deterministic: true,
        float32MatmulPrecision: 'highest',
        onRecompile: 'error',
        recompileLimit: 2,
        name: 'f',
      },
    ],
  ),
  captureGraph: by(index.captureGraph, () => [
    identity,
    { inputs: { x: matrix() }, device: 'cuda', results: 'copied', limit: 2 },
  ]),
  exportCompiled: by(index.exportCompiled, () => [identity]),
  loadCompiled: by(index.loadCompiled, () => ['nowhere']),
  parallel: by(index.parallel, () => [[() => 1], { device: 'cuda' }]),
  synchronize: by(index.synchronize, () => ['cpu']),
  withStream: by(index.withStream, () => [1, () => 1]),
  compilerStats: by(index.compilerStats, () => []),
  emptyCache: by(index.emptyCache, () => []),
  memorySummary: by(index.memorySummary, () => []),
  getDefaultDevice: by(index.getDefaultDevice, () => []),
  setDefaultDevice: by(index.setDefaultDevice, () => ['cpu']),
  getFloat32MatmulPrecision: by(index.getFloat32MatmulPrecision, () => []),
  setFloat32MatmulPrecision: by(index.setFloat32MatmulPrecision, () => ['high']),
  manualSeed: by(index.manualSeed, () => [1]),
  scalar: by(index.scalar, () => [1]),
  scope: by(index.scope, () => [() => 1]),
  cond: by(
    index.cond,
    () => [index.tensor(true), identity, identity, [matrix()]],
    () => [false, () => matrix(), () => matrix()],
  ),
  whileLoop: by(index.whileLoop, () => [() => index.tensor(false), identity, [matrix()]]),
}

const quantFunctions: Readonly<Record<string, FunctionTarget>> = {
  quantize: {
    ...by(
      quant.quantize,
      () => [wide(), 'int8', { block: 32, scale: 'f32', layout: 'linear', saturate: true }],
      () => [wide(), { format: 'nvfp4', tensorScale: tensor(1), layout: 'blocked' }],
    ),
    says: ['quantize', 'toBlocked'],
  },
  dequantize: by(
    quant.dequantize,
    () => [parts(), 'f32', { method: 'arithmetic' }],
    () => [parts(), { dtype: 'f16' }],
  ),
  withLayout: by(
    quant.withLayout,
    () => [parts(), 'blocked'],
    () => [parts(), { layout: 'blocked' }],
  ),
  toBlocked: by(quant.toBlocked, () => [codes()]),
  fromBlocked: by(
    quant.fromBlocked,
    () => [quant.toBlocked(codes()), 2, 32],
    () => [quant.toBlocked(codes()), { rows: 2, blocks: 32 }],
  ),
  quantizedTensor: by(quant.quantizedTensor, () => [parts()]),
  isQuantized: by(quant.isQuantized, () => [parts()]),
  shapeOf: by(quant.shapeOf, () => [parts()]),
  scaledMatmul: by(
    quant.scaledMatmul,
    () => [wide(), parts(), { bias: zeros([2]), outDtype: 'f16' }],
    () => [{ a: parts(), b: wide(), bias: zeros([2]) }],
  ),
  dualMatmul: by(quant.dualMatmul, () => [
    wide(),
    parts(),
    wide(),
    { bias1: zeros([2]), bias2: zeros([2]), activation: 'silu', outDtype: 'f16' },
  ]),
  groupedMatmul: by(
    quant.groupedMatmul,
    () => [
      [
        { a: wide(), b: parts(), out: zeros([2, 2]) },
        { a: wide(), b: wide() },
      ],
      { strategy: 'sequential', outDtype: 'f32' },
    ],
    () => [wide(), wide().t(), tensor([2], { dtype: 'i32' }), { outDtype: 'f16' }],
  ),
  raggedMatmul: by(quant.raggedMatmul, () => [
    wide(),
    zeros([1, 2, 32]),
    tensor([2], { dtype: 'i32' }),
    { bias: zeros([1, 2]), factor: zeros([1]), outDtype: 'f16' },
  ]),
  raggedDualMatmul: by(quant.raggedDualMatmul, () => [
    wide(),
    zeros([1, 2, 32]),
    zeros([1, 2, 32]),
    tensor([2], { dtype: 'i32' }),
    {
      bias1: zeros([1, 2]),
      bias2: zeros([1, 2]),
      factor1: zeros([1]),
      factor2: zeros([1]),
      activation: 'gelu',
      outDtype: 'f16',
    },
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
  kernel: {
    ...by(
      (...args: Parameters<typeof kernel>) => {
        const made = kernel(...args)
        made.interpret(launchArguments() as never)
        made.code('cpu')
        made.code('ptx')
      },
      () => [definition()],
    ),
    says: ["kernel 'k'", "kernel ''", 'kernel', 'k'],
  },
  view: by(view, () => [f32, 1]),
  cdiv: by(kernels.cdiv, () => [7, 2]),
  'kernel.launch': {
    ...by(
      (...args: Parameters<typeof k.launch>) => k.launch(...args),
      () => [launchArguments(), options()],
    ),
    says: ["kernel 'k'", 'k'],
  },
  'kernel.interpret': {
    ...by(
      (...args: Parameters<typeof k.interpret>) => k.interpret(...args),
      () => [launchArguments(), options()],
    ),
    says: ["kernel 'k'", 'k'],
  },
  'kernel.code': {
    ...by(
      (...args: Parameters<typeof k.code>) => k.code(...args),
      () => ['cpu', options()],
    ),
    says: ["kernel 'k'", 'k', 'code'],
  },
}

/** Methods and constructors that are not ops: the object, which the call does not change, comes first. */
const on = <T>(make: () => T, name: keyof T & string, ...right: Make[]): FunctionTarget => {
  const call = (...args: readonly unknown[]): unknown => {
    const receiver = make()
    return (receiver[name] as (...given: readonly unknown[]) => unknown).apply(receiver, [...args])
  }
  return { call, right }
}

const cut = () => compile((_: index.Tensor) => zeros([2]))
const methods: Readonly<Record<string, FunctionTarget>> = {
  size: on(
    matrix,
    'size',
    () => [1],
    () => [{ dim: 1 }],
  ),
  dim: on(
    matrix,
    'dim',
    () => [1],
    () => [{ dim: 1 }],
  ),
  dataSync: on(
    matrix,
    'dataSync',
    () => ['f32'],
    () => [{ dtype: 'f32' }],
  ),
  data: on(
    matrix,
    'data',
    () => ['f32'],
    () => [{ dtype: 'f32' }],
  ),
  itemSync: on(
    () => tensor(1),
    'itemSync',
    () => [],
  ),
  item: on(
    () => tensor(1),
    'item',
    () => [],
  ),
  toArray: on(matrix, 'toArray', () => []),
  get: {
    ...on(
      matrix,
      'get',
      () => [1, [0, 2]],
      () => ['...', tensor([2, 0], { dtype: 'i64' })],
    ),
    says: ['get', 'slice', 'add'],
  },
  to: on(
    matrix,
    'to',
    () => ['f16'],
    () => [{ dtype: 'f16', device: 'cpu' }],
  ),
  contiguous: on(matrix, 'contiguous', () => []),
  where: on(
    matrix,
    'where',
    () => [matrix().gt(2), 1],
    () => [{ condition: matrix().gt(2), other: 1 }],
  ),
  split: on(
    matrix,
    'split',
    () => [[1, 2], 1],
    () => [{ splitSize: 2, dim: 1 }],
  ),
  chunk: on(
    matrix,
    'chunk',
    () => [2, 1],
    () => [{ chunks: 2, dim: 1 }],
  ),
  unbind: on(
    matrix,
    'unbind',
    () => [1],
    () => [{ dim: 1 }],
  ),
  copy_: on(matrix, 'copy_', () => [matrix()]),
  fill_: on(matrix, 'fill_', () => [1]),
  zero_: on(matrix, 'zero_', () => []),
  'generator.manualSeed': { ...on(generator, 'manualSeed', () => [1]), says: ['manualSeed'] },
  'generator.restore': { ...on(generator, 'restore', () => [{ seed: 1n, offset: 4n }]), says: ['restore'] },
  'new Generator': {
    ...by(
      (...args: readonly never[]) => new Generator(...(args as readonly [])),
      () => [1],
    ),
    says: ['manualSeed', 'Generator'],
  },
  'new Stream': {
    ...by(
      (...args: readonly never[]) => new index.Stream(...(args as readonly [])),
      () => [{ device: 'cuda' }],
    ),
    says: ['Stream'],
  },
  'Stream.current': by(index.Stream.current, () => [{ device: 'cuda' }]),
  'Stream.main': by(index.Stream.main, () => [{ device: 'cuda' }]),
  'new Event': {
    ...by(
      (...args: readonly never[]) => new index.Event(...(args as readonly [])),
      () => [{ device: 'cuda', timing: true }],
    ),
    says: ['Event'],
  },
  'number.add': {
    ...on(
      () => scalar(2),
      'add',
      () => [1],
    ),
    says: ['add'],
  },
  'number.floorDiv': {
    ...on(
      () => scalar(2),
      'floorDiv',
      () => [1],
    ),
    says: ['floorDiv'],
  },
  'scalar.set': {
    ...on(
      () => scalar(2),
      'set',
      () => [1],
    ),
    says: ['scalar'],
  },
  'compiled.warmup': { ...on(cut, 'warmup', () => [matrix()]), says: ['compile'] },
  'compiled.explain': { ...on(cut, 'explain', () => [matrix()]), says: ['compile'] },
  'compiled.stats': { ...on(cut, 'stats', () => []), says: ['compile'] },
}

export const functionTargets: Readonly<Record<string, FunctionTarget>> = {
  ...tensorFunctions,
  ...processFunctions,
  ...quantFunctions,
  ...kernelFunctions,
  ...methods,
}
