/**
 * The figures of the CPU product, each as a ratio in one run: against the machine's limit measured in that run, or
 * against eager execution. Numbers are checked before anything is timed.
 *
 *     npx tsx bench/spine.ts [FILE.json]
 */
import { writeFileSync } from 'node:fs'
import { compile, manualSeed, randn, type Tensor } from 'tegula'
import { fmaRate, plainAddReluMul } from './limits.js'
import { interleaved, median } from './timing.js'

interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly bar: string
}

const cores = Number(process.env.TEGULA_THREADS ?? 2)

function check(what: string, got: Tensor, expected: Tensor, tolerance: number): void {
  const error = got.sub(expected).abs().max().itemSync()
  const scale = expected.abs().max().itemSync()
  if (!(error <= tolerance * scale)) throw new Error(`${what}: error ${error} at scale ${scale}`)
}

function addReluMul(): Figure[] {
  const n = 10_000_000
  const [x, b] = [randn([n]), randn([n])]
  const write = (x: Tensor, b: Tensor): Tensor => x.add(b).relu().mul(2)
  const f = compile(write)
  check('add-relu-mul', f(x, b), write(x, b), 1e-6)
  // Taken in turn with the plain loop, so that a machine that drifts drifts for both.
  const ratios = Array.from({ length: 7 }, () => {
    const plain = plainAddReluMul(n, 5)
    const ours = median(() => f(x, b).dispose(), 5)
    return { ratio: plain / ours, rate: (12 * n) / ours }
  }).sort((p, q) => p.ratio - q.ratio)
  const { ratio, rate } = ratios[3]!
  return [
    { name: 'add-relu-mul 10M f32, compiled', value: rate, unit: 'GB/s', bar: '' },
    { name: '  of a plain C loop on the same threads', value: ratio, unit: '×', bar: '≥ 0.85' },
  ]
}

function matmul(): Figure[] {
  return [256, 512, 1024].flatMap((n): Figure[] => {
    const [a, b] = [randn([n, n]), randn([n, n])]
    const f = compile((a: Tensor, b: Tensor) => a.matmul(b))
    check(`matmul ${n}`, f(a, b), a.to('f64').matmul(b.to('f64')).to('f32'), 1e-5)
    const shares = Array.from({ length: 5 }, () => {
      const peak = fmaRate(cores, 3)
      const ours = (2 * n ** 3) / median(() => f(a, b).dispose(), 10)
      return { ours, share: ours / peak }
    }).sort((p, q) => p.share - q.share)
    const { ours, share } = shares[2]!
    return [
      { name: `matmul ${n} f32, compiled`, value: ours, unit: 'GFLOPS', bar: '' },
      { name: '  of a register-only FMA loop', value: share, unit: '×', bar: n === 1024 ? '≥ 0.70' : '' },
    ]
  })
}

function smallCall(): Figure[] {
  const x = randn([8])
  const write = (x: Tensor): Tensor => x.add(1).mul(2).relu()
  const f = compile(write)
  check('small call', f(x), write(x), 1e-6)
  const batch = 1000
  const repeat = (call: () => void) => () => {
    for (let i = 0; i < batch; i++) call()
  }
  const [compiled, eager] = interleaved(
    repeat(() => f(x)),
    repeat(() => write(x)),
    50,
  )
  return [
    { name: 'warm compiled call on 8 elements', value: compiled / batch / 1000, unit: 'µs', bar: '≤ 2' },
    { name: '  eager, 3 ops', value: eager / batch / 1000, unit: 'µs', bar: '' },
  ]
}

function softmax(): Figure[] {
  const x = randn([4096, 1024])
  const f = compile((x: Tensor) => x.softmax(-1))
  check('softmax', f(x), x.to('f64').softmax(-1).to('f32'), 1e-6)
  const ours = median(() => f(x).dispose(), 20)
  return [{ name: 'softmax 4096×1024 f32, compiled', value: (2 * 4 * 4096 * 1024) / ours, unit: 'GB/s', bar: '' }]
}

manualSeed(0)
const figures: Figure[] = []
for (const section of [addReluMul, matmul, softmax, smallCall]) {
  process.stderr.write(`${section.name} …\n`)
  figures.push(...section())
}
for (const { name, value, unit, bar } of figures) {
  console.log(`${name.padEnd(42)} ${value.toPrecision(4).padStart(8)} ${unit.padEnd(7)} ${bar}`)
}
const [, , file] = process.argv
if (file !== undefined) writeFileSync(file, JSON.stringify({ date: new Date().toISOString(), cores, figures }, null, 2))
