/**
 * Runs functions of the C prelude from tests: wraps each in a loop over arrays, compiles all with the system's compiler
 * and calls them through koffi. `scan` measures errors in C, against libm in float64, for millions of arguments a second.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import koffi from 'koffi'
import { preludeFor, type VectorBytes } from '../../src/codegen/c/prelude/index.js'
import type { CodeDtype } from '../../src/types/dtype.js'

export const hasCompiler = spawnSync('cc', ['--version']).status === 0

const has = (feature: string): boolean =>
  process.arch === 'x64' && process.platform === 'linux' && readFileSync('/proc/cpuinfo', 'utf8').includes(feature)

/** Whether this machine runs code for older x86-64 machines, down to the first, and for AVX2. */
export const runsOlder = has(' avx2 ')
/** Whether it runs code for x86-64-v4. */
export const runsAvx512 = has(' avx512vl ') && has(' avx512dq ') && has(' avx512bw ')

/** A function under test; `name` carries no width. Operands and result are in memory as tensors of these dtypes. */
export interface Call {
  readonly name: string
  readonly operands: readonly CodeDtype[]
  readonly result: CodeDtype
  /** Functions of one operand applied in order, in place of the one that is named. */
  readonly steps?: readonly string[]
  /** Default: those of the build. */
  readonly widths?: readonly number[]
}

const suffix = (width: number): string => (width === 1 ? '' : `x${width}`)
const memory = (dtype: CodeDtype): string =>
  dtype === 'bool' ? 'u8' : dtype === 'f16' || dtype === 'bf16' ? 'u16' : dtype
const piece = (dtype: CodeDtype): string => (dtype === 'bool' ? 'b32' : dtype)

interface Wrapper {
  readonly text: string
  readonly uses: readonly string[]
}

function wrapper({ name, operands, result, steps = [name] }: Call, width: number): Wrapper {
  const w = suffix(width)
  const loads = operands.map((dtype, i) => `load_${piece(dtype)}${w}((const ${memory(dtype)} *)${'abc'[i]} + i)`)
  const value = steps.reduce((inner, step) => `${step}${w}(${inner})`, loads.join(', '))
  return {
    text: `void run_${name}${w}(i64 n, const void *a, const void *b, const void *c, void *out) {
  (void)b, (void)c;
  for (i64 i = 0; i < n; i += ${width}) store_${piece(result)}${w}((${memory(result)} *)out + i, ${value});
}`,
    uses: [
      ...operands.map(dtype => `load_${piece(dtype)}${w}`),
      `store_${piece(result)}${w}`,
      ...steps.map(step => step + w),
    ],
  }
}

/**
 * Errors of f32 results in units of the last place of the reference; infinity for a wrong sign of zero, NaN or limit. logaddexp
 * is the sum of the larger operand and of a function of the difference, which is rounded: where they cancel, the unit is theirs.
 */
const scanText = `
static f64 ulp_of(f64 magnitude) {
  int exponent = __builtin_ilogb(magnitude);
  exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
  return __builtin_ldexp(1, exponent - 23);
}
static f64 ulp_error(f32 got, f64 want) {
  if (want != want || got != got) return want != want && got != got ? 0 : __builtin_inf();
  if (!__builtin_signbit(got) != !__builtin_signbit(want)) return __builtin_inf();
  f64 magnitude = __builtin_fabs(want), actual = __builtin_fabs(got);
  if (magnitude == 0 || __builtin_isinf(magnitude)) return actual == magnitude ? 0 : __builtin_inf();
  if (actual > 0x1.fffffep127) actual = 0x1p128;
  f64 unit = ulp_of(magnitude);
  if (magnitude > 0x1p128) magnitude = 0x1p128;
  return __builtin_fabs(actual - magnitude) / unit;
}
static f64 reference_sigmoid(f64 x) { return x < 0 ? __builtin_exp(x) / (1 + __builtin_exp(x)) : 1 / (1 + __builtin_exp(-x)); }
static f64 reference_rsqrt(f64 x) { return 1 / __builtin_sqrt(x); }
static f64 logaddexp_error(f32 got, f64 a, f64 b) {
  f64 larger = __builtin_fmax(a, b), rest = a == b ? 0 : __builtin_fabs(a - b);
  f64 added = __builtin_log1p(__builtin_exp(-rest)), want = larger + added;
  if (want != want || __builtin_isinf(want) || __builtin_isinf(got)) return ulp_error(got, want);
  f64 terms = __builtin_fmax(__builtin_fabs(larger), added * __builtin_fmax(1, rest));
  return __builtin_fabs(got - want) / ulp_of(__builtin_fmax(__builtin_fabs(want), terms));
}
`

function errorOf(name: string, arity: number): string {
  if (name === 'logaddexp') return 'logaddexp_error(got[i], a[i], b[i])'
  const call = name === 'sigmoid' || name === 'rsqrt' ? `reference_${name}` : `__builtin_${name}`
  return `ulp_error(got[i], ${call}(${arity === 1 ? 'a[i]' : 'a[i], b[i]'}))`
}

function scanner({ name, operands }: Call): string {
  return `f64 scan_${name}(i64 n, const f32 *a, const f32 *b, const f32 *got, i64 *worst) {
  f64 most = 0;
  (void)b;
  for (i64 i = 0; i < n; i++) {
    f64 error = ${errorOf(name.replace('_f32', ''), operands.length)};
    if (error > most) most = error, *worst = i;
  }
  return most;
}`
}

/** Reproducible 32-bit integers (xorshift). */
export function randomBits(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

export interface Build {
  readonly calls: readonly Call[]
  /** Calls on f32 whose errors are to be measured. */
  readonly scans?: readonly Call[]
  readonly widths: readonly number[]
  readonly march?: string
  readonly vectorBytes?: VectorBytes
}

export type Numbers =
  | Float32Array
  | Float64Array
  | Int32Array
  | BigInt64Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array

export interface Library extends Disposable {
  run(call: Call, width: number, operands: readonly Numbers[], out: Numbers): void
  scan(
    call: Call,
    operands: readonly Float32Array[],
    got: Float32Array,
  ): { readonly ulp: number; readonly index: number }
}

/** Vectors wider than the build's registers cross no call here, so the flags are those that kernels are built with. */
export function build({ calls, scans = [], widths, march = 'native', vectorBytes = 64 }: Build): Library {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-math-'))
  const wrappers = [...calls, ...scans].flatMap(call => (call.widths ?? widths).map(width => wrapper(call, width)))
  const prelude = preludeFor(new Set(['i64', 'f64', 'f32', ...wrappers.flatMap(w => w.uses)]), vectorBytes)
  const text = [prelude, scanText, ...wrappers.map(w => w.text), ...scans.map(scanner)].join('\n\n')
  const [source, target] = [join(folder, 'math.c'), join(folder, 'math.so')]
  writeFileSync(source, text)
  const flags = [
    '-std=gnu11',
    '-O1',
    '-fexpensive-optimizations',
    '-fno-tree-bit-ccp',
    `-march=${march}`,
    '-ffp-contract=fast',
    '-fno-math-errno',
    '-fno-trapping-math',
    '-fwrapv',
    '-fno-strict-aliasing',
    '-Wall',
    '-Werror',
    '-Wno-unused-function',
  ]
  execFileSync('cc', [...flags, '-shared', '-fPIC', source, '-o', target, '-lm'], { stdio: 'pipe' })
  const library = koffi.load(target)
  return {
    run({ name }, width, operands, out) {
      const f = library.func(`run_${name}${suffix(width)}`, 'void', ['int64_t', 'void *', 'void *', 'void *', 'void *'])
      f(out.length, operands[0] ?? null, operands[1] ?? null, operands[2] ?? null, out)
    },
    scan({ name }, operands, got) {
      const f = library.func(`scan_${name}`, 'double', ['int64_t', 'void *', 'void *', 'void *', 'void *'])
      const worst = new BigInt64Array(1)
      const ulp = f(got.length, operands[0] ?? null, operands[1] ?? null, got, worst) as number
      return { ulp, index: Number(worst[0]) }
    },
    [Symbol.dispose]() {
      library.unload()
      rmSync(folder, { recursive: true })
    },
  }
}
