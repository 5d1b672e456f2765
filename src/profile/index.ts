/** `tegula/profile`: measuring functions of tensors, and where their time goes. */
export { AccuracyError, MeasurementError } from '../base/errors.js'
export { formatBytes, formatCount, formatTime } from '../base/units.js'
export type { MachineLimits } from '../compile/limits.js'
export { type BenchmarkFunction, type BenchmarkOptions, benchmark, compare } from './benchmark.js'
export { Comparison, SingleBenchmark } from './comparison.js'
export { breakEven, firstCalls } from './first-calls.js'
export { Profile, type ProfileSort, type ProfileTableOptions } from './profile.js'
export { Profiler, type ProfilerOptions, profile, profiler, recordFunction } from './profiler.js'
export type {
  ComparisonRecord,
  CompilationRecord,
  DeviceSpan,
  FirstCall,
  FirstCalls,
  MeasurementRecord,
  MemorySample,
  ParameterValue,
  PhaseRecord,
  ProfileRecord,
  ProfileRow,
  RecordedKind,
  SpanRecord,
  SweepPoint,
} from './records.js'
export type { ProfileGroup } from './rows.js'
export {
  Sweep,
  type SweepCase,
  type SweepParameters,
  type SweepPlotOptions,
  type SweepQuantity,
  type SweepValues,
  sweep,
} from './sweep.js'
export { type Column, Table } from './table.js'
export type { Timing } from './timing.js'
export type { Arithmetic, Work, WorkLimit } from './work.js'
