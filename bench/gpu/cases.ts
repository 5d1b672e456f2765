/** The cases: each checks its results, then measures its time. `peer` names the peer's case of the same work. */
import { compile, empty, randn, type Tensor } from 'tegula'
import { cudaDevice } from '../../src/runtime/cuda/device.js'
import { check, type GpuCase } from './case.js'
import { gpt2Case } from './gpt2.js'

const device = 'cuda'
const bf16 = (shape: readonly number[], scale = 1): Tensor => randn(shape, { device }).mul(scale).to('bf16')

/** Runs a compiled function and frees its result. */
const freed =
  <A extends readonly Tensor[]>(fn: (...args: A) => Tensor, ...args: A) =>
  (): void =>
    fn(...args).dispose()

const pointwise: GpuCase = {
  name: 'add_relu_mul_10M',
  bar: 1,
  share: 0.85,
  run(timer) {
    const n = 10_000_000
    const f = (x: Tensor, b: Tensor): Tensor => x.add(b).relu().mul(2)
    const [x, b] = [randn([n], { device }), randn([n], { device })]
    const compiled = compile(f)
    check(
      this.name,
      compiled(x, b).narrow(0, n - 5000, 5000),
      f(x.narrow(0, n - 5000, 5000).to('cpu'), b.narrow(0, n - 5000, 5000).to('cpu')),
      1e-6,
    )
    return [{ case: this.name, variant: 'compile', us: timer.time(freed(compiled, x, b)), bytes: n * 12 }]
  },
}

const wholeCall: GpuCase = {
  name: 'my_model_1000x1000',
  bar: 4,
  run(timer) {
    const f = (x: Tensor): Tensor => x.add(1).mul(2).relu()
    const x = randn([1000, 1000], { device })
    return (['default', 'reduce-overhead'] as const).flatMap(mode => {
      const compiled = compile(f, { mode })
      check(this.name, compiled(x), f(x.to('cpu')), 1e-6)
      return [
        {
          case: this.name,
          variant: mode,
          us: timer.time(freed(compiled, x), { flush: false, warmup: 20_000 }),
          bytes: 8e6,
        },
        { case: this.name, variant: `${mode}, in a row`, us: timer.throughput(freed(compiled, x)), aside: true },
      ]
    })
  },
}

const [rows, columns] = [8192, 4096]
const rowCase = (name: string, f: (x: Tensor, w: Tensor, b: Tensor) => Tensor): GpuCase => ({
  name: `${name}_8192x4096_bf16`,
  bar: 1,
  share: 0.85,
  run(timer) {
    const [x, w, b] = [bf16([rows, columns]), bf16([columns]), bf16([columns])]
    const compiled = compile(f)
    const some = (t: Tensor): Tensor => t.narrow(0, 100, 64)
    check(
      this.name,
      some(compiled(x, w, b)),
      f(some(x).to('cpu').to('f32'), w.to('cpu').to('f32'), b.to('cpu').to('f32')),
      1e-2,
    )
    return [
      { case: this.name, variant: 'compile', us: timer.time(freed(compiled, x, w, b)), bytes: rows * columns * 4 },
    ]
  },
})

const sumCase = (name: string, f: (x: Tensor) => Tensor): GpuCase => ({
  name: `${name}_64M`,
  bar: 1,
  run(timer) {
    const x = randn([8192, 8192], { device })
    const compiled = compile(f)
    check(this.name, compiled(x), f(x.to('cpu').to('f64')), 1e-5)
    return [{ case: this.name, variant: 'compile', us: timer.time(freed(compiled, x)), bytes: 8192 * 8192 * 4 }]
  },
})

const gemmCase = (n: number, bar?: number): GpuCase => ({
  name: `gemm_bf16_${n}`,
  ...(bar === undefined ? {} : { bar }),
  run(timer) {
    const [a, b] = [bf16([n, n]), bf16([n, n])]
    const compiled = compile((x: Tensor, y: Tensor) => x.matmul(y.t()))
    const expected = a.narrow(0, 64, 32).to('cpu').to('f32').matmul(b.to('cpu').to('f32').t())
    check(this.name, compiled(a, b).narrow(0, 64, 32), expected, 1e-2)
    return [
      {
        case: this.name,
        variant: 'compile',
        us: timer.time(freed(compiled, a, b), { flush: false }),
        flops: 2 * n ** 3,
      },
    ]
  },
})

const gemmF32: GpuCase = {
  name: 'gemm_fp32_4096',
  run(timer) {
    const n = 4096
    const [a, b] = [randn([n, n], { device }), randn([n, n], { device })]
    const compiled = compile((x: Tensor, y: Tensor) => x.matmul(y))
    check(this.name, compiled(a, b).narrow(0, 64, 32), a.narrow(0, 64, 32).to('cpu').matmul(b.to('cpu')), 1e-5)
    return [
      {
        case: this.name,
        variant: 'compile',
        us: timer.time(freed(compiled, a, b), { flush: false, repeats: 20 }),
        flops: 2 * n ** 3,
      },
    ]
  },
}

const chain: GpuCase = {
  name: 'chain_1000_kernels',
  bar: 1,
  peer: { case: 'chain_1000_kernels', variants: ['graph'] },
  run(timer) {
    const x = randn([1024], { device })
    const f = (v: Tensor): Tensor => {
      let y = v
      for (let i = 0; i < 1000; i++) y = y.sin()
      return y
    }
    const expected = f(x.to('cpu'))
    const { graph, result } = cudaDevice().captureGraph(() => f(x))
    graph.launch()
    check(this.name, result, expected, 1e-5)
    const us = timer.time(() => graph.launch(), { flush: false, warmup: 3, repeats: 20 })
    const compiled = compile(f)
    check(`${this.name}, fused`, compiled(x), expected, 1e-5)
    return [
      { case: this.name, variant: 'graph', us },
      {
        case: this.name,
        variant: 'fused by compile',
        us: timer.time(freed(compiled, x), { flush: false }),
        aside: true,
      },
    ]
  },
}

const copy: GpuCase = {
  name: 'copy_1G',
  run(timer) {
    const n = 2 ** 28
    const [x, y] = [empty([n], { device }), empty([n], { device })]
    const compiled = compile((from: Tensor, to: Tensor) => void to.copy_(from))
    x.fill_(1)
    compiled(x, y)
    check(this.name, y.narrow(0, n - 100, 100), x.narrow(0, 0, 100), 0)
    const { transfers, streams } = cudaDevice()
    const blocks = [x, y].map(t => t.storage('copy').block as never)
    const driver = timer.time(() => transfers.copy(blocks[1]!, 0, blocks[0]!, 0, n * 4, streams.current), {
      flush: false,
    })
    return [
      { case: this.name, variant: 'driver', us: driver, bytes: n * 8 },
      { case: this.name, variant: 'compile', us: timer.time(() => compiled(x, y), { flush: false }), bytes: n * 8 },
    ]
  },
}

export const gpuCases: readonly GpuCase[] = [
  copy,
  pointwise,
  wholeCall,
  rowCase('softmax', x => x.softmax(-1)),
  rowCase('layer_norm', (x, w, b) => x.layerNorm([columns], { weight: w, bias: b })),
  rowCase('rms_norm', (x, w) => x.rmsNorm([columns], { weight: w })),
  sumCase('sum_all', x => x.sum()),
  sumCase('sum_rows', x => x.sum({ dim: 1 })),
  sumCase('sum_cols', x => x.sum({ dim: 0 })),
  gemmCase(2048),
  gemmCase(4096, 0.5),
  gemmCase(8192),
  gemmF32,
  chain,
  gpt2Case,
]
