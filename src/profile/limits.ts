/**
 * The CPU's peak rates, measured in the same run that reports ratios to them: plain C loops on the thread pool that our
 * kernels use, so that a ratio compares like with like.
 */
import type { MachineLimits } from '../compile/limits.js'
import { kernelAbi } from '../runtime/cpu/abi.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { StepList } from '../runtime/cpu/steps.js'
import { tileInstructions } from '../target/amx.js'
import { type CpuTarget, cpuTarget } from '../target/cpu.js'
import { median } from './timing.js'

/** Elements per program instance in the memory loops. */
const block = 16384

/** Independent accumulators of the FMA loop: enough to hide the latency, few enough for the registers. */
const fmaVectors = (target: CpuTarget): number => (target.vectorRegisters === 32 ? 20 : 12)
const vectorLanes = (target: CpuTarget): number => target.vectorBytes / 4

const source = (target: CpuTarget): string => `${kernelAbi}
enum { BLOCK = ${block}, LANES = ${vectorLanes(target)}, VECTORS = ${fmaVectors(target)} };

/* out = max(a + b, 0) * scale over n floats, as one would write it by hand. */
void plain_add_relu_mul(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  const float *restrict a = args[0].ptr, *restrict b = args[1].ptr;
  float *restrict out = args[2].ptr;
  int64_t end = last * BLOCK < args[3].i ? last * BLOCK : args[3].i;
  float scale = (float)args[4].f;
  for (int64_t i = first * BLOCK; i < end; i++) {
    float sum = a[i] + b[i];
    out[i] = (sum > 0 ? sum : 0) * scale;
  }
}

/* Copies n floats: read and write bandwidth together. The xor prevents the compiler from calling memcpy. */
void plain_copy(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  const uint32_t *restrict from = args[0].ptr;
  uint32_t *restrict to = args[1].ptr;
  int64_t end = last * BLOCK < args[2].i ? last * BLOCK : args[2].i;
  for (int64_t i = first * BLOCK; i < end; i++) to[i] = from[i] ^ 1;
}

/* Sums n floats: read bandwidth. */
void plain_read(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  const float *a = args[0].ptr;
  int64_t end = last * BLOCK < args[1].i ? last * BLOCK : args[1].i;
  typedef float v __attribute__((vector_size(64), aligned(4), may_alias));
  v s[8] = {{0}};
  int64_t i = first * BLOCK;
  for (; i + 128 <= end; i += 128)
    for (int k = 0; k < 8; k++) s[k] += *(const v *)(a + i + 16 * k);
  v total = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  float sum = 0;
  for (int k = 0; k < 16; k++) sum += total[k];
  ((float *)args[2].ptr)[first & 1023] = sum;
}

/* Fused multiply-adds in registers only: independent vectors, args[0] iterations. */
void fma_loop(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  typedef float v __attribute__((vector_size(4 * LANES)));
  for (int64_t program = first; program < last; program++) {
    v a[VECTORS];
    for (int i = 0; i < VECTORS; i++) a[i] = (v){} + (float)i;
    v x = (v){} + 0.5f, y = (v){} + 1e-9f;
    for (int64_t k = 0; k < args[0].i; k++) {
#pragma GCC unroll 20
      for (int i = 0; i < VECTORS; i++) a[i] = a[i] * x + y;
    }
    float sum = 0;
    for (int i = 0; i < VECTORS; i++) sum += a[i][0];
    ((float *)args[1].ptr)[program] = sum;
  }
}

typedef __UINT8_TYPE__ u8;
typedef __INT64_TYPE__ i64;
${tileInstructions}

/* Sums of products of bf16 pairs in registers only, by the fastest instruction that the process may use: args[0]
   iterations. Writes how many operations an iteration is; 0: there is no such instruction. */
void dot_loop(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  float operations = 0;
#if TILES
  if (tiles_allowed) {
    TILE_CONFIG(whole_tiles); /* clears the tiles */
    for (int64_t k = 0; k < (last - first) * args[0].i; k++) {
      TILE_DOT_bf16(0, 4, 6);
      TILE_DOT_bf16(1, 4, 7);
      TILE_DOT_bf16(2, 5, 6);
      TILE_DOT_bf16(3, 5, 7);
    }
    TILE_RELEASE();
    operations = 4 * 2 * 16 * 16 * 32;
  }
#endif
#if defined(__AVX512BF16__)
  if (operations == 0) {
    typedef float v __attribute__((vector_size(64)));
    v a[20] = {{0}}, x = {0}, y = {0};
    for (int64_t k = 0; k < (last - first) * args[0].i; k++) {
#pragma GCC unroll 20
      for (int i = 0; i < 20; i++) __asm__ volatile("vdpbf16ps %2, %1, %0" : "+v"(a[i]) : "v"(x), "v"(y));
    }
    operations = 20 * 2 * 32;
  }
#endif
  for (int64_t program = first; program < last; program++) ((float *)args[1].ptr)[program] = operations;
}
`

/** Plain loops, unlike the code of kernels: the compiler must unroll and vectorise them. */
const loopFlags = { flags: ['-O3'] } as const

interface Loop {
  readonly steps: StepList
  /** Frees the loop's arrays. */
  release(): void
}

/**
 * The loop `name` of the C source over new arrays of `n` floats each. `arrays`: the places of the arrays among the kernel's
 * arguments; `otherArgs`: how many arguments there are beside the arrays and `n`, which the caller sets.
 */
function memoryLoop(name: string, arrays: readonly number[], n: number, otherArgs = 0): Loop {
  const device = cpuDevice()
  const kernel = device.loadModule(source(cpuTarget(device.facts)), loopFlags).symbol(name)
  const grid = [Math.ceil(n / block), 1, 1] as const
  const steps = device.stepList([{ kernel, args: arrays.length + 1 + otherArgs, grid, minChunk: 1 }])
  const blocks = arrays.map(() => device.allocator.allocate(n * 4))
  for (const { buffer, byteOffset } of blocks) new Float32Array(buffer, byteOffset, n).fill(0.5)
  for (const [i, { address }] of blocks.entries()) steps.setPointer(0, arrays[i]!, address)
  return { steps, release: () => blocks.forEach(each => void device.allocator.release(each)) }
}

/** Median nanoseconds of the loop; its arrays are freed afterwards. */
function timeLoop({ steps, release }: Loop, runs: number): number {
  try {
    return median(() => steps.run(), runs)
  } finally {
    release()
  }
}

/** Nanoseconds of the plain loop over `n` floats, 12 bytes each. Throws CompilerError. */
export function plainAddReluMul(n: number, runs: number): number {
  const loop = memoryLoop('plain_add_relu_mul', [0, 1, 2], n, 1)
  loop.steps.setInt(0, 3, n)
  loop.steps.setFloat(0, 4, 2)
  return timeLoop(loop, runs)
}

/** Bytes read and written per nanosecond when `n` floats are copied. Throws CompilerError. */
export function copyBandwidth(n: number, runs: number): number {
  const loop = memoryLoop('plain_copy', [0, 1], n)
  loop.steps.setInt(0, 2, n)
  return (n * 8) / timeLoop(loop, runs)
}

/** Bytes per nanosecond when `n` floats are only read. Throws CompilerError. */
export function readBandwidth(n: number, runs: number): number {
  const loop = memoryLoop('plain_read', [0], n, 1)
  const sums = cpuDevice().allocator.allocate(4096)
  loop.steps.setInt(0, 1, n)
  loop.steps.setPointer(0, 2, sums.address)
  const time = timeLoop(loop, runs)
  cpuDevice().allocator.release(sums)
  return (n * 4) / time
}

/** Operations per nanosecond of the loop `name` in registers, on `threads` threads, of `iterations` each. */
function registerRate(
  name: string,
  threads: number,
  runs: number,
  iterations: number,
  operations: (written: number) => number,
): number {
  const device = cpuDevice()
  const kernel = device.loadModule(source(cpuTarget(device.facts)), loopFlags).symbol(name)
  const steps = device.stepList([{ kernel, args: 2, grid: [threads, 1, 1], minChunk: threads > 1 ? 1 : 0 }])
  const results = device.allocator.allocate(Math.max(4096, threads * 4))
  steps.setInt(0, 0, iterations)
  steps.setPointer(0, 1, results.address)
  const time = median(() => steps.run(), runs)
  const [written] = new Float32Array(results.buffer, results.byteOffset, 1)
  device.allocator.release(results)
  return (threads * iterations * operations(written!)) / time
}

/** Floating-point operations (f32) per nanosecond of register-only FMA loops on `threads` threads. Throws CompilerError. */
export function fmaRate(threads: number, runs: number): number {
  const target = cpuTarget(cpuDevice().facts)
  return registerRate('fma_loop', threads, runs, 200_000, () => fmaVectors(target) * vectorLanes(target) * 2)
}

/** As `fmaRate`, of the fastest products of bf16 pairs; 0 where no instruction multiplies them. Throws CompilerError. */
export function bf16DotRate(threads: number, runs: number): number {
  return registerRate('dot_loop', threads, runs, 50_000, written => written)
}

/** Number of floats in an array that exceeds the caches: four times the L3, between 64 MB and 512 MB. */
export function uncachedFloats(): number {
  const { l3Bytes } = cpuTarget(cpuDevice().facts)
  return Math.min(512e6, Math.max(64e6, 4 * l3Bytes)) / 4
}

/** The limits with all threads of the pool; takes about a second. Throws CompilerError. */
export function measureLimits(runs = 7): MachineLimits {
  const n = uncachedFloats()
  const { threads } = cpuDevice().runtime
  const matrix = bf16DotRate(threads, runs)
  return {
    flopsPerNanosecond: fmaRate(threads, runs),
    ...(matrix > 0 && { matrixFlopsPerNanosecond: matrix }),
    copyBytesPerNanosecond: copyBandwidth(n, runs),
    readBytesPerNanosecond: readBandwidth(n, runs),
  }
}
