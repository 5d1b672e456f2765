/**
 * Reports where functions of the C prelude are not bitwise equal to those before a change.
 *
 *     npx tsx scripts/math-bits.ts --out before.so           before the change (or in a checkout of it)
 *     npx tsx scripts/math-bits.ts --against before.so       after it
 *
 * `--march` and `--bytes` describe the machine for which both are compiled, `--only` is a part of a function's name. Functions
 * of one f32 are tested on every `--step`th of all 2^32 values (1: all), which for odd steps up to 2^13 includes all f16 and
 * bf16; functions of two operands and of f64 on all pairs of special values, values of all exponents, and random ones. All
 * NaNs are equal. Exit code 1: there is a difference.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import koffi from 'koffi'
import { preludeFor, type VectorBytes } from '../src/codegen/c/prelude/index.js'
import { accepts, type ScalarOpName, scalarOp, scalarOpNames } from '../src/scalar/ops.js'

const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    against: { type: 'string' },
    march: { type: 'string', default: 'native' },
    bytes: { type: 'string', default: '64' },
    only: { type: 'string', default: '' },
    step: { type: 'string', default: '509' },
  },
})

type FloatDtype = 'f32' | 'f64'
interface Call {
  readonly fn: ScalarOpName
  readonly dtype: FloatDtype
  readonly width: number
  readonly name: string
}

const calls: Call[] = (['f32', 'f64'] as const).flatMap(dtype =>
  scalarOpNames
    .filter(fn => accepts(fn, dtype) && scalarOp(fn).arity < 3)
    .flatMap(fn =>
      [1, 4, 16].map(width => ({ fn, dtype, width, name: `${fn}_${dtype}${width === 1 ? '' : `x${width}`}` })),
    )
    .filter(({ name }) => name.includes(options.only)),
)

/** run_NAME(n, a, b, out): results as floats, bools as 0 and -1. */
function wrapper({ fn, dtype, width, name }: Call): { text: string; uses: string[] } {
  const w = width === 1 ? '' : `x${width}`
  const load = (pointer: string): string => `load_${dtype}${w}(${pointer} + i)`
  const value = `${name}(${[load('a'), load('b')].slice(0, scalarOp(fn).arity).join(', ')})`
  const [store, result] = scalarOp(fn).result === 'bool' ? ['i32', 'i32'] : [dtype, dtype]
  const text = `void run_${name}(i64 n, const ${dtype} *a, const ${dtype} *b, ${result} *out) {
  (void)b;
  for (i64 i = 0; i < n; i += ${width}) store_${store}${w}(out + i, ${value});
}`
  return { text, uses: ['i64', `load_${dtype}${w}`, `store_${store}${w}`, name] }
}

function compile(target: string): void {
  const wrappers = calls.map(wrapper)
  const uses = new Set(wrappers.flatMap(w => w.uses))
  const text = [preludeFor(uses, Number(options.bytes) as VectorBytes), ...wrappers.map(w => w.text)].join('\n\n')
  const folder = mkdtempSync(join(tmpdir(), 'tegula-bits-'))
  writeFileSync(join(folder, 'bits.c'), text)
  const flags = `-std=gnu11 -O1 -fexpensive-optimizations -march=${options.march} -ffp-contract=fast -fno-math-errno -fno-trapping-math -fwrapv`
  execFileSync('cc', [
    ...flags.split(' '),
    '-fno-tree-slp-vectorize',
    '-shared',
    '-fPIC',
    join(folder, 'bits.c'),
    '-o',
    target,
    '-lm',
  ])
  rmSync(folder, { recursive: true })
}

type Floats = Float32Array | Float64Array
const chunk = 1 << 16

/** Reproducible 32-bit integers (xorshift). */
function randomBits(): () => number {
  let state = 12345
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** Chunks of operands, each used for all functions with the same operand types. */
function* everyF32(step: number): Generator<Floats[]> {
  const a = new Float32Array(chunk)
  const bits = new Uint32Array(a.buffer)
  for (let from = 0; from < 2 ** 32; from += chunk * step) {
    for (let i = 0; i < chunk; i++) bits[i] = from + i * step
    yield [a, a]
  }
}

const specials = [0, 1, 2, 3, 0.5, 1.5, 1e-45, 1e-310, 2 ** 24, 2 ** 40, 1e30, 3.4e38, Infinity].flatMap(x => [x, -x])

/** Random bits of all exponents, ordinary values, integers, and pairs of special values in every chunk. */
function* mixed(dtype: FloatDtype, chunks: number): Generator<Floats[]> {
  const random = randomBits()
  const known = [...specials, Number.NaN]
  const make = (): Floats => (dtype === 'f32' ? new Float32Array(chunk) : new Float64Array(chunk))
  const operands = [make(), make()]
  const words = operands.map(x => new Uint32Array(x.buffer))
  const uniform = (limit: number): number => (random() / 2 ** 31 - 1) * limit
  const ordinary = [
    () => uniform(40),
    () => Math.round(uniform(300)),
    () => Math.round(uniform(300)) / 2,
    () => Math.exp(uniform(30)),
  ]
  for (let round = 0; round < chunks; round++) {
    for (const bits of words) for (let i = 0; i < bits.length; i++) bits[i] = random()
    for (const values of operands) {
      for (let i = 0; i < chunk; i++) {
        const kind = random() % 5
        if (kind < 4) values[i] = ordinary[kind]!()
      }
    }
    for (let i = 0; i < known.length ** 2; i++) {
      operands[0]![i] = known[i % known.length]!
      operands[1]![i] = known[Math.floor(i / known.length)]!
    }
    yield operands
  }
}

type Library = ReturnType<typeof koffi.load>
type Run = (n: number, a: Floats, b: Floats, out: Floats) => void
const functionOf = (library: Library, { name }: Call): Run =>
  library.func(`run_${name}`, 'void', ['int64_t', 'void *', 'void *', 'void *']) as unknown as Run

function difference(call: Call, operands: Floats[], before: Floats, after: Floats, out: { count: number }): string {
  let first = ''
  if (Buffer.from(before.buffer).equals(Buffer.from(after.buffer))) return first
  for (let i = 0; i < chunk; i++) {
    const [x, y] = [before[i], after[i]]
    if (Object.is(x, y)) continue
    out.count++
    if (first === '') first = `at ${operands.slice(0, scalarOp(call.fn).arity).map(o => o[i])}: ${x} before, ${y} now`
  }
  return first
}

function compare(before: Library, after: Library): boolean {
  let same = true
  for (const call of calls) {
    const [old, now] = [functionOf(before, call), functionOf(after, call)]
    const isBool = scalarOp(call.fn).result === 'bool'
    const make = (): Floats => (call.dtype === 'f32' || isBool ? new Float32Array(chunk) : new Float64Array(chunk))
    const [was, is] = [make(), make()]
    const unary = scalarOp(call.fn).arity === 1 && call.dtype === 'f32'
    const total = { count: 0, values: 0 }
    let first = ''
    for (const operands of unary ? everyF32(Number(options.step)) : mixed(call.dtype, 32)) {
      old(chunk, operands[0]!, operands[1]!, was)
      now(chunk, operands[0]!, operands[1]!, is)
      const found = difference(call, operands, was, is, total)
      first = first === '' ? found : first
      total.values += chunk
    }
    if (total.count > 0) console.log(`${call.name}: ${total.count} of ${total.values} differ, first ${first}`)
    same &&= total.count === 0
  }
  console.log(`${calls.length} functions compared`)
  return same
}

if (options.out !== undefined) compile(options.out)
if (options.against !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-bits-'))
  compile(join(folder, 'now.so'))
  process.exitCode = compare(koffi.load(options.against), koffi.load(join(folder, 'now.so'))) ? 0 : 1
  rmSync(folder, { recursive: true })
}
