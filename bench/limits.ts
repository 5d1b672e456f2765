/**
 * The machine's limits, measured in the run that reports ratios to them: plain C loops, run over the same thread pool as
 * our kernels, so that a ratio compares code with code.
 */

import { kernelAbi } from '../src/runtime/cpu/abi.js'
import { cpuDevice } from '../src/runtime/cpu/device.js'
import { median } from './timing.js'

const source = `${kernelAbi}
enum { BLOCK = 16384 };

/* out = max(a + b, 0) * scale over n floats: what a person would write. */
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

/* Fused multiply-adds in registers only: 20 independent vectors of 64 bytes, args[0] rounds. */
void fma_loop(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch) {
  typedef float v __attribute__((vector_size(64)));
  for (int64_t program = first; program < last; program++) {
    v a[20];
    for (int i = 0; i < 20; i++) a[i] = (v){} + (float)i;
    v x = (v){} + 0.5f, y = (v){} + 1e-9f;
    for (int64_t k = 0; k < args[0].i; k++) {
#pragma GCC unroll 20
      for (int i = 0; i < 20; i++) a[i] = a[i] * x + y;
    }
    float sum = 0;
    for (int i = 0; i < 20; i++) sum += a[i][0];
    ((float *)args[1].ptr)[program] = sum;
  }
}
`

const block = 16384

/** Nanoseconds of the plain loop over `n` floats: 12 bytes each. */
export function plainAddReluMul(n: number, runs: number): number {
  const device = cpuDevice()
  const kernel = device.loadModule(source).symbol('plain_add_relu_mul')
  const steps = device.stepList([{ kernel, args: 5, grid: [Math.ceil(n / block), 1, 1], minChunk: 1 }])
  const blocks = [0, 1, 2].map(() => device.allocator.allocate(n * 4))
  for (const { buffer, byteOffset } of blocks) new Float32Array(buffer, byteOffset, n).fill(0.5)
  for (const [i, { address }] of blocks.entries()) steps.setPointer(0, i, address)
  steps.setInt(0, 3, n)
  steps.setFloat(0, 4, 2)
  return median(() => steps.run(), runs)
}

/** Bytes per nanosecond when `n` floats are only read. */
export function readBandwidth(n: number, runs: number): number {
  const device = cpuDevice()
  const kernel = device.loadModule(source).symbol('plain_read')
  const steps = device.stepList([{ kernel, args: 3, grid: [Math.ceil(n / block), 1, 1], minChunk: 1 }])
  const [data, sums] = [device.allocator.allocate(n * 4), device.allocator.allocate(4096)]
  new Float32Array(data.buffer, data.byteOffset, n).fill(0.5)
  steps.setPointer(0, 0, data.address)
  steps.setInt(0, 1, n)
  steps.setPointer(0, 2, sums.address)
  return (n * 4) / median(() => steps.run(), runs)
}

/** Floating-point operations per nanosecond of register-only FMA loops on `threads` threads. */
export function fmaRate(threads: number, runs: number): number {
  const device = cpuDevice()
  const kernel = device.loadModule(source).symbol('fma_loop')
  const rounds = 200_000
  const steps = device.stepList([{ kernel, args: 2, grid: [threads, 1, 1], minChunk: threads > 1 ? 1 : 0 }])
  const sums = device.allocator.allocate(4096)
  steps.setInt(0, 0, rounds)
  steps.setPointer(0, 1, sums.address)
  return (threads * rounds * 20 * 16 * 2) / median(() => steps.run(), runs)
}
