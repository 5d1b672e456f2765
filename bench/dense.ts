/** Cases of dense tensor arithmetic: elementwise ops, matmuls, normalisation, an MLP block, a convolution. */
import { compile, type Tensor } from 'tegula'
import { fmaRate, plainAddReluMul, readBandwidth } from '../src/profile/limits.js'
import { type BenchCase, dataOf, normal, skipped, versus } from './case.js'

const gigabytes = (bytes: number, nanoseconds: number): string => `${(bytes / nanoseconds).toPrecision(3)} GB/s`
const gigaflops = (flops: number, nanoseconds: number): string => `${(flops / nanoseconds).toPrecision(3)} GFLOPS`

export const addReluMultiply: BenchCase = {
  name: 'add-relu-multiply 10M',
  async run({ peers }) {
    const n = 10_000_000
    const [x, b] = [normal([n]), normal([n])]
    const f = compile((x: Tensor, b: Tensor) => x.add(b).relu().mul(2))
    const graph = {
      inputs: { x: [n], b: [n] },
      outputs: { y: [n] },
      constants: { two: { shape: [], data: Float32Array.of(2) } },
      nodes: [
        { op: 'Add', inputs: ['x', 'b'], outputs: ['s'] },
        { op: 'Relu', inputs: ['s'], outputs: ['r'] },
        { op: 'Mul', inputs: ['r', 'two'], outputs: ['y'] },
      ],
    }
    return versus(peers, {
      name: addReluMultiply.name,
      ours: () => f(x, b),
      onnx: { graph, feeds: { x: dataOf(x), b: dataOf(b) } },
      limits: { 'plain C loop': { measure: () => plainAddReluMul(n, 5) } },
      tolerance: 1e-6,
      race: { rounds: 7, calls: 5 },
      bars: [
        { against: 'plain C loop', what: 'of a plain C loop', limit: 0.9 },
        { against: 'onnxruntime', what: 'against onnxruntime', limit: 3 },
      ],
      figures: ({ ours }) => ({ rate: gigabytes(12 * n, ours!) }),
    })
  },
}

export const matmul = (n: number): BenchCase => ({
  name: `matmul ${n}`,
  async run({ peers, cores }) {
    const [a, b] = [normal([n, n]), normal([n, n])]
    const f = compile((a: Tensor, b: Tensor) => a.matmul(b))
    const flops = 2 * n ** 3
    const peak = { against: 'fma loop', what: 'of a register-only FMA loop', limit: 0.8 }
    return versus(peers, {
      name: this.name,
      ours: () => f(a, b),
      onnx: { graph: matmulGraph(n, n, n), feeds: { a: dataOf(a), b: dataOf(b) } },
      limits: { 'fma loop': { measure: () => flops / fmaRate(cores, 3) } },
      tolerance: 1e-5,
      race: { rounds: 9, calls: n > 600 ? 7 : 25 },
      bars: [{ against: 'onnxruntime', what: 'against onnxruntime', limit: 1.2 }, ...(n === 1024 ? [peak] : [])],
      figures: time => ({ rate: gigaflops(flops, time.ours!), 'FMA loop': gigaflops(flops, time['fma loop']!) }),
    })
  },
})

const matmulGraph = (m: number, k: number, n: number) => ({
  inputs: { a: [m, k], b: [k, n] },
  outputs: { y: [m, n] },
  nodes: [{ op: 'MatMul', inputs: ['a', 'b'], outputs: ['y'] }],
})

export const rowTimesMatrix: BenchCase = {
  name: 'matmul 1×4096×4096',
  async run({ peers }) {
    const n = 4096
    const [a, b] = [normal([1, n]), normal([n, n])]
    const f = compile((a: Tensor, b: Tensor) => a.matmul(b))
    return versus(peers, {
      name: rowTimesMatrix.name,
      ours: () => f(a, b),
      onnx: { graph: matmulGraph(1, n, n), feeds: { a: dataOf(a), b: dataOf(b) } },
      limits: { 'read loop': { measure: () => (4 * n * n) / readBandwidth(n * n, 7) } },
      tolerance: 1e-5,
      race: { rounds: 9, calls: 7 },
      bars: [{ against: 'read loop', what: 'of read bandwidth', limit: 0.9 }],
      figures: ({ ours }) => ({ rate: gigabytes(4 * n * n, ours!) }),
    })
  },
}

const [rows, width] = [4096, 1024]

export const softmax: BenchCase = {
  name: 'softmax 4096×1024',
  async run({ peers }) {
    const x = normal([rows, width])
    const f = compile((x: Tensor) => x.softmax(-1))
    const node = { op: 'Softmax', inputs: ['x'], outputs: ['y'], attributes: { axis: -1 } }
    return versus(peers, {
      name: softmax.name,
      ours: () => f(x),
      onnx: {
        graph: { inputs: { x: [rows, width] }, outputs: { y: [rows, width] }, nodes: [node] },
        feeds: { x: dataOf(x) },
      },
      tolerance: 1e-5,
      race: { rounds: 9, calls: 10 },
      bars: [{ against: 'onnxruntime', what: 'against onnxruntime', limit: 1.5 }],
      figures: ({ ours }) => ({ rate: gigabytes(8 * rows * width, ours!) }),
    })
  },
}

export const layerNorm: BenchCase = {
  name: 'layer norm 4096×1024',
  async run({ peers }) {
    const [x, weight, bias] = [normal([rows, width]), normal([width]), normal([width])]
    const f = compile((x: Tensor, weight: Tensor, bias: Tensor) => x.layerNorm([width], { weight, bias }))
    const node = { op: 'LayerNormalization', inputs: ['x', 'weight', 'bias'], outputs: ['y'], attributes: { axis: -1 } }
    const constants = {
      weight: { shape: [width], data: dataOf(weight) },
      bias: { shape: [width], data: dataOf(bias) },
    }
    return versus(peers, {
      name: layerNorm.name,
      ours: () => f(x, weight, bias),
      onnx: {
        graph: { inputs: { x: [rows, width] }, outputs: { y: [rows, width] }, constants, nodes: [node] },
        feeds: { x: dataOf(x) },
      },
      tolerance: 1e-5,
      race: { rounds: 9, calls: 10 },
      bars: [{ against: 'onnxruntime', what: 'against onnxruntime', limit: 1.5 }],
      figures: ({ ours }) => ({ rate: gigabytes(8 * rows * width, ours!) }),
    })
  },
}

export const mlpBlock: BenchCase = {
  name: 'GELU MLP 256×1024×4096',
  async run({ peers, cores }) {
    const [m, d, h] = [256, 1024, 4096]
    const [x, w1, b1, w2, b2] = [
      normal([m, d]),
      normal([d, h], d ** -0.5),
      normal([h]),
      normal([h, d], h ** -0.5),
      normal([d]),
    ]
    const f = compile((x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) =>
      x.matmul(w1).add(b1).gelu().matmul(w2).add(b2),
    )
    const graph = {
      inputs: { x: [m, d] },
      outputs: { y: [m, d] },
      constants: {
        w1: { shape: [d, h], data: dataOf(w1) },
        b1: { shape: [h], data: dataOf(b1) },
        w2: { shape: [h, d], data: dataOf(w2) },
        b2: { shape: [d], data: dataOf(b2) },
      },
      nodes: [
        { op: 'MatMul', inputs: ['x', 'w1'], outputs: ['p'] },
        { op: 'Add', inputs: ['p', 'b1'], outputs: ['q'] },
        { op: 'Gelu', inputs: ['q'], outputs: ['g'] },
        { op: 'MatMul', inputs: ['g', 'w2'], outputs: ['r'] },
        { op: 'Add', inputs: ['r', 'b2'], outputs: ['y'] },
      ],
    }
    const flops = 4 * m * d * h
    return versus(peers, {
      name: mlpBlock.name,
      ours: () => f(x, w1, b1, w2, b2),
      onnx: { graph, feeds: { x: dataOf(x) } },
      limits: { 'fma loop': { measure: () => flops / fmaRate(cores, 3) } },
      tolerance: 1e-4,
      race: { rounds: 7, calls: 5 },
      bars: [{ against: 'onnxruntime', what: 'against onnxruntime', limit: 1.5 }],
      figures: time => ({ rate: gigaflops(flops, time.ours!), 'FMA loop': gigaflops(flops, time['fma loop']!) }),
    })
  },
}

/** `conv2d` as a method, if this build has the op. */
type Conv2d = (weight: Tensor, options: { padding: number }) => Tensor

export const convolution: BenchCase = {
  name: 'conv2d 3×3 56×56×64→64',
  async run({ peers, cores }) {
    const [c, side] = [64, 56]
    const [x, w] = [normal([1, c, side, side]), normal([c, c, 3, 3], 1 / 24)]
    const conv2d = (x: Tensor) => (x as unknown as Partial<Record<'conv2d', Conv2d>>).conv2d
    if (conv2d(x) === undefined) return skipped(convolution.name, 'skipped: there is no op conv2d yet')
    const f = compile((x: Tensor, w: Tensor) => conv2d(x)!.call(x, w, { padding: 1 }))
    const attributes = { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }
    const graph = {
      inputs: { x: [1, c, side, side] },
      outputs: { y: [1, c, side, side] },
      constants: { w: { shape: [c, c, 3, 3], data: dataOf(w) } },
      nodes: [{ op: 'Conv', inputs: ['x', 'w'], outputs: ['y'], attributes }],
    }
    const flops = 2 * c * c * 9 * side * side
    return versus(peers, {
      name: convolution.name,
      ours: () => f(x, w),
      onnx: { graph, feeds: { x: dataOf(x) } },
      limits: { 'fma loop': { measure: () => flops / fmaRate(cores, 3) } },
      tolerance: 1e-5,
      race: { rounds: 9, calls: 10 },
      bars: [{ against: 'onnxruntime', what: 'against onnxruntime', limit: 0.9 }],
      figures: time => ({ rate: gigaflops(flops, time.ours!), 'FMA loop': gigaflops(flops, time['fma loop']!) }),
    })
  },
}
