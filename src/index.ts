/**
 * `tegula`: tensors and `compile`. Importing it registers the compiler as the executor of tensors; nothing is compiled, loaded
 * or spawned before the first op.
 */

import { installExecutors } from './compile/executors.js'

export type { CompilerStats } from './backends/device.js'
export {
  ArgumentError,
  ArtifactError,
  CacheError,
  CaptureError,
  CompilerError,
  DeviceError,
  DisposedError,
  DtypeError,
  GradientError,
  InternalError,
  KernelError,
  RecompileError,
  ShapeError,
  TegulaError,
  VerifyError,
} from './base/errors.js'
export { type Guarded, guardKey } from './base/guard-key.js'
export type { LogEvent, LogSink, LogTopic } from './base/log.js'
export { type Compiled, type CompileStats, compile } from './compile/compile.js'
export { compilerStats } from './compile/compiler-stats.js'
export {
  type CaptureGraphOptions,
  captureGraph,
  DeviceGraph,
  type GraphInputs,
} from './compile/execute/device-graph.js'
export {
  Event,
  type EventOptions,
  emptyCache,
  parallel,
  Stream,
  type StreamOptions,
  synchronize,
  withStream,
} from './compile/execute/streams.js'
export type { GroupExplanation } from './compile/explain/explain-group.js'
export type { KernelExplanation } from './compile/explain/explain-kernel.js'
export type { Explanation, InputExplanation, SegmentExplanation } from './compile/explain/explanation.js'
export { exportCompiled } from './compile/export/export.js'
export { type LoadedFunction, loadCompiled } from './compile/export/load.js'
export type { MachineLimits } from './compile/limits.js'
export { type LogChoice, setLogs } from './compile/logs.js'
export type { CompileMode, CompileOptions } from './compile/options.js'
export type { AnyBenchCase, BenchCase, BenchContext } from './profile/bench-case.js'
export * from './tensor/index.js'
export {
  bf16,
  bool,
  type Dtype,
  f8e4m3,
  f8e5m2,
  f16,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  type TensorDtype,
  u8,
} from './types/dtype.js'

installExecutors()
