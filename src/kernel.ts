/** `tegula/kernel`: the kernel language. Kernels are launched on the tensors of `tegula`. */

export type { CodeTarget } from './backends/index.js'
export { KernelError } from './base/errors.js'
export { type DifferentiableDefinition, type Kernel, kernel } from './compile/kernels/kernel.js'
export {
  type BodyParams,
  type Constants,
  type GridParams,
  type KernelDefinition,
  type KernelOptions,
  type LaunchArguments,
  type ParamSpecs,
  view,
} from './tile/kernel.js'
export { cdiv, type DotOptions, TileBuilder, type TileOperand, TileValue, ViewValue } from './tile/language.js'
export { bf16, bool, f8e4m3, f8e5m2, f16, f32, f64, i8, i16, i32, i64, type TensorDtype, u8 } from './types/dtype.js'
