/** Training's part of attention: forward and backward pass of long sequences, and each kernel's share by what is asked for. */
import { arange, compile, gradients, manualSeed, randn, scaledDotProductAttention, scope, type Tensor } from 'tegula'
import { check, type GpuCase, type Measured } from './case.js'

const [batch, heads, length] = [4, 16, 4096]
/** Of the largest gradient, for bf16. */
const tolerance = 2e-2

type Call = (q: Tensor, k: Tensor, v: Tensor, g: Tensor) => Tensor[]

const gradientsOf =
  (attend: (q: Tensor, k: Tensor, v: Tensor) => Tensor): Call =>
  (q, k, v, g) => {
    const operands = [q, k, v].map(x => x.detach().requiresGrad_()) as [Tensor, Tensor, Tensor]
    const out = attend(...operands)
    return [out.detach(), ...gradients(out, operands, { gradOutputs: g }).map(gradient => gradient!)]
  }

function written(q: Tensor, k: Tensor, v: Tensor, isCausal: boolean): Tensor {
  const scores = q.matmul(k.transpose(-1, -2)).mul(q.size(-1) ** -0.5)
  const index = arange(q.size(-2), { device: q.device })
  const later = index.unsqueeze(0).gt(index.unsqueeze(1))
  return (isCausal ? scores.maskedFill(later, Number.NEGATIVE_INFINITY) : scores).softmax(-1).matmul(v)
}

/** Matmuls of the forward pass, 2, and of the backward pass, 5: what PyTorch's kernels do, not what ours repeat. */
const products = 7

function trainingCase(size: number, isCausal: boolean): GpuCase {
  const name = `attention_training_${isCausal ? 'causal_' : ''}bf16_d${size}`
  return {
    name,
    bar: 0.6,
    run(timer) {
      manualSeed(0)
      const make = (requiresGrad: boolean): Tensor =>
        randn([batch, heads, length, size], { dtype: 'bf16', requiresGrad })
      const [q, k, v, g] = [make(true), make(true), make(true), make(false)]
      const attend = (q: Tensor, k: Tensor, v: Tensor): Tensor => scaledDotProductAttention(q, k, v, { isCausal })
      const all = gradientsOf(attend)
      const step = compile(all, { mode: 'reduce-overhead' })
      scope(() => {
        const one = (x: Tensor): Tensor => x.narrow(0, 0, 1).narrow(1, 0, 1)
        const given = [q, k, v, g].map(x => one(x.detach()).to('f32').requiresGrad_()) as Parameters<Call>
        const expected = gradientsOf((q, k, v) => written(q, k, v, isCausal))(...given)
        for (const [i, found] of step(q, k, v, g).entries()) check(`${name}, ${i}`, one(found), expected[i]!, tolerance)
      })
      const flops = (products * 2 * batch * heads * length * length * size) / (isCausal ? 2 : 1)
      const time = (variant: string, call: Call, aside: boolean): Measured => ({
        case: name,
        variant,
        us: timer.time(() => void call(q, k, v, g), { flush: false }),
        ...(aside ? { aside } : { flops }),
      })
      const part = (count: number, from: number): Call =>
        compile((...args: Parameters<Call>) => all(...args).slice(from, from + count), { mode: 'reduce-overhead' })
      return [
        time('forward and backward', step, false),
        time('forward', part(1, 0), true),
        time('forward, gradient of the query', part(1, 1), true),
        time('forward, gradients of key and value', part(2, 2), true),
      ]
    },
  }
}

/** Created while the default device is a GPU. */
export const attentionGradientCases = (): readonly GpuCase[] =>
  [64, 128].flatMap(size => [false, true].map(isCausal => trainingCase(size, isCausal)))
