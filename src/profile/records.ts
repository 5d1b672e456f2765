/**
 * What measuring leaves behind, as plain data (serialisable with `JSON.stringify`): tables, traces, plots and reports are made of
 * it. Times are nanoseconds; those on a clock count from the profile's start.
 */
import type { SourceLocation } from '../base/source.js'
import type { SpanKind } from '../base/spans.js'
import type { MachineLimits } from '../compile/limits.js'
import type { Device } from '../tensor/device.js'
import type { Timing } from './timing.js'
import type { Work, WorkLimit } from './work.js'

/** One function, as `benchmark` and `compare` measured it. */
export interface MeasurementRecord {
  /** The function's. */
  readonly name: string
  /** On the host's clock, per call until the work is done: the time that a program sees. */
  readonly call: Timing
  /** On the GPU's clock, one call at a time; null on the CPU. */
  readonly device: Timing | null
  /** The first function's median divided by this one's, on the GPU's clock where there is one. */
  readonly speedup: number
  /** Largest difference from the expected results, else the first function's, relative to their largest value; null: compared with nothing. */
  readonly error: number | null
  /** As given, or counted from the plans that the call runs; null: neither is known. */
  readonly work: Work | null
  /** Bytes of the work per second of the device's median; null: unknown. */
  readonly bytesPerSecond: number | null
  /** Operations of the work per second; null: unknown. */
  readonly flopsPerSecond: number | null
  /** The time of the work at the device's measured peak (roofline); null: no peak was measured, or no work is known. */
  readonly limit: WorkLimit | null
  /** That time divided by the measured one; null: no limit, or data that stays in the caches exceeds it. */
  readonly share: number | null
}

/** Functions measured against each other in one run. */
export interface ComparisonRecord {
  /** Where the calls ran: that of the first tensor. */
  readonly device: Device
  /** The device's model name. */
  readonly model: string
  /** Threads of the CPU's pool; null on a GPU. */
  readonly threads: number | null
  /** The tensors among the arguments: dtype, shape and device. */
  readonly inputs: readonly string[]
  /** Caches were flushed before each call that is timed on the device. */
  readonly flushed: boolean
  /** The peak rates, measured in the same process; null: not asked for. */
  readonly limits: MachineLimits | null
  /** The functions, in order. */
  readonly rows: readonly MeasurementRecord[]
}

/** The value of a parameter of a sweep. */
export type ParameterValue = number | string | boolean

/** A comparison at one point of a sweep. */
export interface SweepPoint {
  /** By name. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** What was measured there. */
  readonly comparison: ComparisonRecord
}

/** The first call of a function in a process. */
export interface FirstCall {
  /** On the host's clock, until the work is done. */
  readonly nanoseconds: number
  /** Libraries and GPU modules that were compiled. */
  readonly compiled: number
  /** Those that were loaded from the disk cache. */
  readonly loaded: number
}

/** First calls of a function in two processes. */
export interface FirstCalls {
  /** With an empty disk cache. */
  readonly cold: FirstCall
  /** In a second process, with the cache that the first one filled. */
  readonly warm: FirstCall
}

/** A kind of base/spans.ts, or a kernel: one launch. */
export type RecordedKind = SpanKind | 'kernel'

/** A stretch of time with a name. */
export interface SpanRecord {
  /** What it is of. */
  readonly kind: RecordedKind
  /** Of the label, module, function, op, kernel or phase. */
  readonly name: string
  /** On the host's clock. */
  readonly start: number
  /** With what lies inside. */
  readonly duration: number
  /** Index of the span around it; -1: none. A span stands after the one around it. */
  readonly parent: number
  /** Shapes of the tensors among its inputs: `f32[64, 128]`. */
  readonly shapes: readonly string[]
  /** Path of the nn.Module in whose call it lies: `GPT.layers.0.attention`; '': in none. */
  readonly module: string
  /** The user's line; null: unknown, or not asked for. */
  readonly line: SourceLocation | null
  /** Of a kernel: its ops; else empty. */
  readonly ops: readonly string[]
  /** Bytes and operations of a kernel's plan at the call's sizes; null: of other spans, or unknown. */
  readonly work: Required<Work> | null
  /** Of a kernel on a GPU: when it ran, on the GPU's clock, counted from the profile's start; null: it ran on the CPU, or is no kernel. */
  readonly onDevice: DeviceSpan | null
  /** Bytes of device memory in use at its end less those at its start. */
  readonly memory: number
}

/** When and where a kernel ran on a GPU. */
export interface DeviceSpan {
  /** Which GPU. */
  readonly device: Device
  /** Number of the stream: 0 is the default one. */
  readonly stream: number
  /** On the GPU's clock, counted from the profile's start. */
  readonly start: number
  /** On the GPU's clock. */
  readonly duration: number
  /** Of the duration: while no kernel ran that had begun earlier. Tables add these, so that no moment counts twice. */
  readonly alone: number
}

/** Memory of a device at a moment. */
export interface MemorySample {
  /** Since the profile's start. */
  readonly time: number
  /** Whose memory. */
  readonly device: Device
  /** In use. */
  readonly allocatedBytes: number
  /** By purpose, the largest first. */
  readonly byOwner: readonly { readonly owner: string; readonly bytes: number }[]
}

/** A phase of a compilation, and what it took without those inside it. */
export interface PhaseRecord {
  /** 'capture', 'passes', 'scheduling', 'lowering', 'emission', 'C compiler', 'assembler', 'cache', … */
  readonly name: string
  /** Without the phases inside. */
  readonly nanoseconds: number
}

/** One compilation: a version of a compiled function, or an eager op's kernel. */
export interface CompilationRecord {
  /** The function or op. */
  readonly name: string
  /** Since the profile's start. */
  readonly start: number
  /** All of it. */
  readonly duration: number
  /** In order of their first time. */
  readonly phases: readonly PhaseRecord[]
  /** Its code came from the disk cache: nothing was scheduled or compiled. */
  readonly cached: boolean
}

/** All that a profiler saw between start and stop. */
export interface ProfileRecord {
  /** Wall clock from start to stop, with the devices' work done. */
  readonly nanoseconds: number
  /** The devices that ran kernels. */
  readonly devices: readonly { readonly name: Device; readonly model: string }[]
  /** In order of their start. */
  readonly spans: readonly SpanRecord[]
  /** At the end of each run of kernels. */
  readonly memory: readonly MemorySample[]
  /** In order. */
  readonly compilations: readonly CompilationRecord[]
  /** Kernels on GPUs that ran without their times being seen: they have none in any table. */
  readonly untraced: number
  /** The peak rates that kernels are compared with, by device; null: not measured. */
  readonly limits: Readonly<Partial<Record<Device, MachineLimits>>> | null
}

/** A row of a profile's table: all spans of one group. */
export interface ProfileRow {
  /** Of the group. */
  readonly name: string
  /** How many spans it has. */
  readonly calls: number
  /** Time on the host's clock that is in none of the spans inside; of kernels on the CPU, their time. */
  readonly selfCpu: number
  /** Share of the sum of all rows' `selfCpu`, 0 to 1. */
  readonly selfCpuShare: number
  /** With the spans inside, each stretch counted once. */
  readonly cpuTotal: number
  /** `cpuTotal` per call. */
  readonly cpuAverage: number
  /** Time on the GPU of kernels that are in none of the spans inside. Where kernels overlap, each moment counts for the one that began first. */
  readonly selfDevice: number
  /** Sum of the kernels' durations, start to end: time in which kernels overlap counts for each of them, in `selfDevice` once. */
  readonly overlapping: number
  /** Time on the GPU of all its kernels. */
  readonly deviceTotal: number
  /** Shapes of the inputs if all calls have the same; else empty. */
  readonly shapes: readonly string[]
  /** Net bytes of device memory allocated, less freed. */
  readonly memory: number
  /** Planned bytes and operations of its kernels; null: it has none. */
  readonly work: { readonly bytes: number; readonly flops: number } | null
  /** Roofline time of its kernels divided by their measured time; null: no peak measured, or no kernels. */
  readonly share: number | null
}
