/** Advice: for each kind a program that deserves it and one, as like it as can be, that does not. */
import { compile, noGrad, ones, randn, scalar, type Tensor, tensor } from 'tegula'
import { Dropout, Linear, Module, Sequential } from 'tegula/nn'
import { describe, expect, it, vi } from 'vitest'
import { diagnose, type Patient } from '../../src/cli/diagnosis.js'
import { type Advice, type AdviceKind, adviceKinds } from '../../src/compile/advice/advice.js'
import { explainedAdvice } from '../../src/compile/advice/explained.js'
import { type CallTimes, observedAdvice } from '../../src/compile/advice/observed.js'
import type { TensorFunction } from '../../src/compile/capture/capture.js'
import type { Explanation } from '../../src/compile/explain/explanation.js'
import { hasCompiler } from '../support/compiler.js'

type Function = (...args: never[]) => unknown

/** A function with the arguments of its calls. */
const calls = (fn: Function, ...args: readonly (readonly unknown[])[]): (() => Promise<Advice[]>) => {
  const [inputs, ...moreInputs] = args as unknown as readonly Patient['inputs'][]
  const patient = { name: 'patient', fn: fn as TensorFunction, inputs: inputs!, moreInputs, options: {} }
  return () => diagnose(patient, { limits: false, calls: 1000 }, () => {})
}

/** A machine of 1 TFLOP/s and 10 GB/s: 100 operations a byte. */
const limits = { flopsPerNanosecond: 1000, copyBytesPerNanosecond: 10, readBytesPerNanosecond: 10 }
const explained = (fn: Function, ...inputs: unknown[]): Explanation =>
  compile(fn as TensorFunction)
    .explain(...(inputs as never[]))
    .against(limits)

/** As it would run in these times. */
const timed =
  (times: CallTimes, fn: Function, ...inputs: unknown[]): (() => Advice[]) =>
  () =>
    observedAdvice({
      explanation: explained(fn, ...inputs),
      recompiles: { reasons: [], nanoseconds: 0 },
      differentiated: false,
      training: [],
      times,
      interpreted: false,
    })

const onGpu = (explanation: Explanation): Advice[] =>
  explainedAdvice({
    ...explanation,
    segments: explanation.segments.map(each => ({ ...each, facts: { ...each.facts, device: 'cuda:0' as const } })),
  })

const x = randn([64, 256])
const narrow = x.to('bf16')
const weights = randn([256, 256])
const trained = randn([256, 256], { requiresGrad: true })
const memory = randn([64 * 256 + 4])
const wide = randn([64, 512])

const linear = (h: Tensor): Tensor => h.matmul(weights)
const chain = (h: Tensor): Tensor => h.mul(2).tanh().add(1)
const loop = (h: Tensor, depth: number): Tensor => {
  for (let i = 0; i < depth; i++) h = h.tanh()
  return h
}
const scaled = (h: Tensor, by: Tensor): Tensor => h.mul(by)

class Net extends Module {
  readonly layers = new Sequential(new Linear(256, 8), new Dropout(0.5))
  forward(h: Tensor): Tensor {
    return this.layers(h)
  }
}

interface Pair {
  /** Said in the message or the fix. */
  readonly says: RegExp
  readonly deserves: () => readonly Advice[] | Promise<readonly Advice[]>
  readonly doesNot: () => readonly Advice[] | Promise<readonly Advice[]>
}

const pairs: Readonly<Record<AdviceKind, Pair>> = {
  refused: {
    says: /share.* memory/,
    deserves: calls((a: Tensor, b: Tensor) => a.add_(b), [memory.narrow(0, 0, 8), memory.narrow(0, 4, 8)]),
    doesNot: calls((a: Tensor, b: Tensor) => a.add_(b), [memory.narrow(0, 0, 8), memory.narrow(0, 8, 8)]),
  },
  'graph-break': {
    says: /reads values.*where\(\)/s,
    deserves: calls((h: Tensor) => (h.sum().itemSync() > 1e9 ? h : h.mul(2)), [x]),
    doesNot: calls((h: Tensor) => h.where(h.sum().gt(1e9), h.mul(2)), [x]),
  },
  'round-trip': {
    says: /64\.0 KiB .*go to JavaScript and back/,
    deserves: calls((h: Tensor) => tensor(h.exp().toArray() as number[][]).add(h), [x]),
    doesNot: calls((h: Tensor) => (h.sum().itemSync() > 1e9 ? h : h.exp().add(h)), [x]), // reads, and gives nothing back
  },
  recompiles: {
    says: /compiled again 2 times.*args\[1\] was 2, now 3.*loop count/s,
    deserves: calls(loop, [x, 1], [x, 2], [x, 3]),
    doesNot: calls(scaled, [x, scalar(1)], [x, scalar(2)], [x, scalar(3)]),
  },
  'no-grad': {
    says: /because of 1 input.*noGrad/s,
    deserves: calls((h: Tensor) => h.matmul(trained), [x]),
    doesNot: calls((h: Tensor) => noGrad(() => h.matmul(trained)), [x]),
  },
  eval: {
    says: /Net\.layers\.1 \(Dropout\) run in training mode.*eval\(\)/s,
    deserves: calls((h: Tensor, net: Net) => noGrad(() => net(h)), [x, new Net()]),
    doesNot: calls((h: Tensor, net: Net) => noGrad(() => net(h)), [x, new Net().eval()]),
  },
  'f32-weights': {
    says: /bf16 activations become f32.*net\.to\('bf16'\)/s,
    deserves: calls((h: Tensor) => linear(h.to('f32')), [narrow]),
    doesNot: calls((h: Tensor) => h.matmul(weights.to('bf16')), [narrow]),
  },
  'f32-products': {
    says: /f32 without tensor cores.*tf32/s,
    deserves: () => onGpu(explained((a: Tensor) => a.matmul(a.t()), randn([512, 512]))),
    doesNot: () => onGpu(explained((a: Tensor) => a.matmul(a.t()), randn([64, 64]))), // too small to matter
  },
  unaligned: {
    says: /starts 4 B into its memory/,
    deserves: calls((h: Tensor) => h.mul(2), [memory.narrow(0, 1, 64 * 256)]),
    doesNot: calls((h: Tensor) => h.mul(2), [memory.narrow(0, 4, 64 * 256)]),
  },
  strided: {
    says: /2 apart.*contiguous\(\)/s,
    deserves: calls((h: Tensor) => h.add(1), [wide.slice('all', [0, 512, 2])]),
    doesNot: calls((h: Tensor) => h.add(1), [wide.t()]),
  },
  fallback: {
    says: /interpreted.*C compiler/s,
    deserves: () => {
      vi.stubEnv('TEGULA_BACKEND', 'interpreter')
      return calls((h: Tensor) => h.neg(), [ones([4])])()
    },
    doesNot: calls((h: Tensor) => h.neg(), [ones([4])]),
  },
  'few-calls': {
    says: /pays after 2,?000 calls.*for 1,?000 calls leave compile\(\) out/s,
    deserves: timed({ first: 2e8, compiled: 1e5, eager: 2e5, planned: 1000 }, chain, x),
    doesNot: () => timed({ first: 2e8, compiled: 1e5, eager: 2e6, planned: 1000 }, chain, x)().filter(isProblem),
  },
  eager: {
    says: /compiled it is 4\.00?× as fast: eagerly 3 ops/,
    deserves: timed({ first: 2e8, compiled: 1e5, eager: 4e5, planned: 1000 }, chain, x),
    doesNot: timed({ first: 2e8, compiled: 1e5, eager: 1.1e5, planned: 1000 }, chain, x),
  },
  'one-kernel': {
    says: /nothing to fuse/,
    deserves: () => explained(linear, x).advice,
    doesNot: () => explained(chain, x).advice,
  },
  'launch-bound': {
    says: /a call takes 5\.00 µs.*more work/s,
    deserves: timed(
      { first: 2e8, compiled: 5e3, eager: 2e4, planned: 1000 },
      (h: Tensor) => h.mul(2).add(1),
      ones([16]),
    ),
    doesNot: timed({ first: 2e8, compiled: 1.4e4, eager: 2e4, planned: 1000 }, (h: Tensor) => h.mul(2).add(1), x),
  },
  'memory-bound': {
    says: /moving bytes.*narrower dtypes/s,
    deserves: () => explained(chain, x).advice,
    doesNot: () => explained((a: Tensor) => a.matmul(a.t()), randn([1024, 1024])).advice,
  },
  'compute-bound': {
    says: /arithmetic.*16-bit products/s,
    deserves: () => explained((a: Tensor) => a.matmul(a.t()), randn([1024, 1024])).advice,
    doesNot: () => explained(chain, x).advice,
  },
  fusion: {
    says: /3 ops run as 1 kernel: 2 fewer/,
    deserves: () => explained(chain, x).advice,
    doesNot: () => explained(linear, x).advice,
  },
}

const isProblem = ({ severity }: Advice): boolean => severity === 'problem'

describe.skipIf(!hasCompiler)('advice (needs a C compiler)', () => {
  for (const kind of adviceKinds) {
    const { deserves, doesNot, says } = pairs[kind]
    it(`${kind}: for a program that deserves it, not for one that does not`, async () => {
      const found = (await deserves()).find(each => each.kind === kind)
      vi.unstubAllEnvs()
      expect(found, 'deserves it').toBeDefined()
      expect(`${found!.message}\n${found!.fix}`).toMatch(says)
      const others = (await doesNot()).map(each => each.kind)
      expect(others).not.toContain(kind)
    })
  }

  it('of a program without a problem names none', async () => {
    const advice = await calls(chain, [x], [randn([64, 256])])()
    expect(advice.filter(isProblem)).toEqual([])
  })
})
