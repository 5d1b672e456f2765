/** A smoke test on a GPU: eager ops, compiled functions in all modes, captures; checks results, then prints rough times. */
import { compile, randn, type Tensor, tensor } from '../../src/index.js'

const say = (what: string, value: unknown): void => console.log(JSON.stringify({ what, value }))

function attempt(what: string, run: () => unknown): void {
  try {
    say(what, run())
  } catch (error) {
    say(what, { error: String(error instanceof Error ? error.stack : error).slice(0, 1500) })
  }
}

function worst(got: Tensor, expected: Tensor): number {
  const [a, b] = [got.to('cpu').to('f64').dataSync('f64'), expected.to('f64').dataSync('f64')]
  return a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i]!)), 0)
}

attempt('to and back', () =>
  tensor(
    [
      [1, 2],
      [3, 4],
    ],
    { device: 'cuda' },
  )
    .to('cpu')
    .toArray(),
)
attempt('eager add', () => tensor([1, 2, 3], { device: 'cuda' }).add(1).toArray())
attempt('eager sum', () => tensor([1, 2, 3], { device: 'cuda' }).sum().itemSync())
const x = randn([64, 100])
attempt('eager softmax', () => worst(x.to('cuda').softmax(-1), x.softmax(-1)))
const [a, b] = [randn([200, 300]), randn([300, 128])]
attempt('eager matmul f32', () => worst(a.to('cuda').matmul(b.to('cuda')), a.matmul(b)))
const [ah, bh] = [a.to('bf16'), b.to('bf16')]
attempt('eager matmul bf16', () => worst(ah.to('cuda').matmul(bh.to('cuda')), ah.matmul(bh)))
const f = (v: Tensor, w: Tensor): Tensor => v.add(w).relu().mul(2).softmax(-1)
const y = randn([64, 100])
for (const mode of ['default', 'reduce-overhead', 'max-autotune'] as const) {
  const compiled = compile(f, { mode })
  attempt(`compiled ${mode}`, () => worst(compiled(x.to('cuda'), y.to('cuda')), f(x, y)))
  const [gx, gy] = [x.to('cuda'), y.to('cuda')]
  attempt(`warm call ${mode}, µs`, () => {
    for (let i = 0; i < 200; i++) compiled(gx, gy).dispose()
    gx.add(0).dataSync()
    const started = performance.now()
    for (let i = 0; i < 2000; i++) compiled(gx, gy).dispose()
    gx.add(0).dataSync()
    return ((performance.now() - started) / 2000) * 1000
  })
}
const mlp = (v: Tensor, w1: Tensor, w2: Tensor): Tensor => v.matmul(w1).gelu().matmul(w2).layerNorm([128])
const [v, w1, w2] = [randn([96, 256]), randn([256, 512]), randn([512, 128])]
for (const mode of ['default', 'reduce-overhead'] as const) {
  attempt(`mlp ${mode}`, () => {
    const compiled = compile(mlp, { mode })
    const call = (): Tensor => compiled(v.to('cuda'), w1.to('cuda'), w2.to('cuda'))
    call()
    return worst(call(), mlp(v, w1, w2))
  })
}
