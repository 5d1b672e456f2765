/**
 * Facts about the CPU for which code is generated, as data: lowerings, cost models and emitters know only this about the
 * machine. The runtime finds the facts; this file touches neither devices nor files.
 */

/**
 * The runtime's findings about a CPU. `features` are the compiler's macro names without underscores: 'AVX512F', 'FMA', 'F16C'.
 */
export interface CpuProbe {
  /** Node's name of the architecture: 'x64', 'arm64'. */
  readonly arch: string
  readonly model: string
  /** Cores that this process may use. */
  readonly cores: number
  readonly features: readonly string[]
  /** Data cache sizes in bytes; 0 when unknown. l1 and l2 are per core. */
  readonly l1Bytes: number
  readonly l2Bytes: number
  readonly l3Bytes: number
}

export interface CpuTarget {
  readonly kind: 'cpu'
  readonly arch: string
  readonly model: string
  readonly cores: number
  /** Width of the widest vector register that the compiler may use. */
  readonly vectorBytes: 16 | 32 | 64
  readonly vectorRegisters: 16 | 32
  /** Fused multiply-add in one instruction. */
  readonly fma: boolean
  /** Conversion between f16 and f32 in one instruction. */
  readonly convertF16: boolean
  /** Arithmetic on f16 vectors. */
  readonly nativeF16: boolean
  /** Dot products of bf16 pairs into f32. */
  readonly dotBf16: boolean
  /** Dot products of four unsigned and signed bytes into i32. */
  readonly dotI8: boolean
  readonly l1Bytes: number
  readonly l2Bytes: number
  readonly l3Bytes: number
}

/** Assumed sizes where the system reports none. */
const assumedBytes = { l1: 32 * 1024, l2: 512 * 1024, l3: 4 * 1024 * 1024 }

/** The facts of a CPU target; unknown cache sizes are replaced by small ones. */
export function cpuTarget(probe: CpuProbe): CpuTarget {
  const features = new Set(probe.features)
  const arm = probe.arch === 'arm64'
  return {
    kind: 'cpu',
    arch: probe.arch,
    model: probe.model,
    cores: Math.max(1, probe.cores),
    vectorBytes: features.has('AVX512F') ? 64 : features.has('AVX') ? 32 : 16,
    vectorRegisters: arm || features.has('AVX512VL') ? 32 : 16,
    fma: arm || features.has('FMA'),
    convertF16: arm || features.has('F16C') || features.has('AVX512F'),
    nativeF16: features.has('AVX512FP16') || features.has('ARM_FEATURE_FP16_VECTOR_ARITHMETIC'),
    dotBf16: features.has('AVX512BF16') || features.has('ARM_FEATURE_BF16_VECTOR_ARITHMETIC'),
    dotI8: features.has('AVX512VNNI'),
    l1Bytes: probe.l1Bytes || assumedBytes.l1,
    l2Bytes: probe.l2Bytes || assumedBytes.l2,
    l3Bytes: probe.l3Bytes || assumedBytes.l3,
  }
}
