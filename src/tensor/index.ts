/** The tensor layer as users see it. */

export { type AutocastDtype, autocast } from './autocast.js'
export { detectAnomaly, setDetectAnomaly } from './autograd/anomaly.js'
export { type BackwardOptions, type GradientsOptions, gradients } from './autograd/backward.js'
export { checkpoint } from './autograd/checkpoint.js'
export { customGradient, type GradientCall, type InputGradients, type TensorResult } from './autograd/custom.js'
export { grad, jvp, type Pullback, valueAndGrad, vjp } from './autograd/functional.js'
export type { GradientHook } from './autograd/history.js'
export { enableGrad, inferenceMode, isGradEnabled, noGrad, setGradEnabled } from './autograd/mode.js'
export { allclose, equal } from './compare.js'
export { type BlockResult, cond, type ScanOptions, scan, whileLoop } from './control.js'
export {
  arange,
  empty,
  emptyLike,
  eye,
  full,
  fullLike,
  type LogspaceOptions,
  linspace,
  logspace,
  ones,
  onesLike,
  type RandomOptions,
  rand,
  randint,
  randLike,
  randn,
  randnLike,
  zeros,
  zerosLike,
} from './create.js'
export { type Device, type DeviceName, getDefaultDevice } from './device.js'
export { setDefaultDevice } from './dispatch.js'
export { type PatternSizes, rearrange, reduce, repeatPattern } from './einops.js'
export * from './functions.js'
export { defaultGenerator, Generator, manualSeed, type RandomState } from './generator.js'
export { type GradientOptions, gradient } from './gradient.js'
export type { DataArray, DataArrays } from './host.js'
export { type FromBufferOptions, fromBuffer, type TensorOptions, type TypedArray, tensor } from './host-data.js'
export {
  atleast1d,
  atleast2d,
  atleast3d,
  blockDiag,
  cartesianProd,
  combinations,
  type TriangleOptions,
  trilIndices,
  triuIndices,
} from './joins.js'
export * as linalg from './linalg.js'
export {
  chunk,
  columnStack,
  dsplit,
  dstack,
  hsplit,
  hstack,
  meshgrid,
  type Sections,
  split,
  tensorSplit,
  unbind,
  vsplit,
  vstack,
  vstack as rowStack,
} from './lists.js'
export type { Nested, NestedArray, Scalar } from './nested.js'
export {
  type BincountOptions,
  bincount,
  maskedSelect,
  nonzero,
  nonzero as argwhere,
  type UniqueOptions,
  type UniqueParts,
  unique,
  uniqueConsecutive,
  uniqueWithParts,
} from './picks.js'
export { type Float32MatmulPrecision, getFloat32MatmulPrecision, setFloat32MatmulPrecision } from './precision.js'
export type { FillOptions } from './random-fills.js'
export {
  type AttentionOptions,
  bernoulli,
  type DropoutOptions,
  dropout,
  type GeneratorOption,
  type GumbelSoftmaxOptions,
  gumbelSoftmax,
  type MultinomialOptions,
  multinomial,
  normal,
  type RandpermOptions,
  randperm,
  scaledDotProductAttention,
} from './sampling.js'
export {
  type DeviceMemorySummary,
  type MemoryEntry,
  type MemorySummary,
  memorySummary,
  scope,
} from './scope.js'
export { type NumberLike, type PlainNumber, ScalarVariable, SymbolicNumber, scalar } from './symbolic-number.js'
export { type Index, type NewTensorOptions, Tensor } from './tensor.js'
