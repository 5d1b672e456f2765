/** The programs of scripts/torch/strangers.py, as its author would write them here. */
import {
  arange,
  cat,
  checkpoint,
  compile,
  eye,
  full,
  gradients,
  linalg,
  noGrad,
  ones,
  stack,
  type Tensor,
  tensor,
  where,
  zeros,
} from '../../src/index.js'
import {
  BatchNorm1d,
  BatchNorm2d,
  BCEWithLogitsLoss,
  Conv2d,
  ConvTranspose2d,
  Embedding,
  functional as F,
  GELU,
  LayerNorm,
  LeakyReLU,
  Linear,
  LSTM,
  Module,
  ModuleList,
  Parameter,
  ParameterList,
  ReLU,
  Sequential,
  Sigmoid,
  SiLU,
  Tanh,
  TransformerEncoderLayer,
  utils,
} from '../../src/nn/index.js'
import {
  Adagrad,
  Adam,
  AdamW,
  clipGradNorm,
  clipGradValue,
  cosine,
  lambda,
  NAdam,
  RAdam,
  RMSprop,
  SGD,
  stepLR,
} from '../../src/optim/index.js'

const steps = 6
const f64 = { dtype: 'f64' } as const
const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

function wave(shape: readonly number[], phase = 0, scale = 1): Tensor {
  return tensor(Float64Array.from({ length: count(shape) }, (_, i) => Math.sin(1.3 * i + phase) * scale)).reshape(shape)
}

function ints(limit: number, shape: readonly number[], phase = 0): Tensor {
  return tensor(
    Array.from({ length: count(shape) }, (_, i) => (i * 7 + phase * 3) % limit),
    { dtype: 'i64' },
  ).reshape(shape)
}

function init(...modules: readonly Module[]): void {
  const params = modules.flatMap(module => module.parameters())
  for (const [k, p] of params.entries()) p.detach().copy_(wave(p.shape, 0.7 * k, 0.3))
}

/** A function as it is, or compiled. */
type Wrap = <A extends readonly unknown[], R>(fn: (...args: A) => R) => (...args: A) => R

const wraps: Readonly<Record<string, Wrap>> = { eagerly: fn => fn, compiled: fn => compile(fn) as typeof fn }

/** Losses of each step. */
type Program = (wrap: Wrap) => readonly (readonly Tensor[])[]

const repeat = (step: (t: number) => readonly Tensor[]): readonly (readonly Tensor[])[] =>
  Array.from({ length: steps }, (_, t) => step(t).map(each => each.clone()))

const vae: Program = wrap => {
  const [enc, mu, logvar] = [new Linear(12, 16, f64), new Linear(16, 3, f64), new Linear(16, 3, f64)]
  const dec = new Sequential(new Linear(3, 16, f64), new ReLU(), new Linear(16, 12, f64), new Sigmoid())
  init(enc, mu, logvar, dec)
  const opt = new Adam(
    [enc, mu, logvar, dec].flatMap(m => m.parameters()),
    { lr: 0.01 },
  )
  const step = wrap((x: Tensor, noise: Tensor) => {
    const h = enc(x).tanh()
    const [mean, log] = [mu(h), logvar(h)]
    const z = mean.add(noise.mul(log.mul(0.5).exp()))
    const kl = mean.square().add(log.exp()).sub(1).sub(log).mul(0.5).sum(1)
    const rec = F.binaryCrossEntropy(dec(z), x.gt(0.5).to('f64'), { reduction: 'none' }).sum(1)
    const loss = rec.add(kl).mean()
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return [loss, kl.mean()] as const
  })
  return repeat(t => step(wave([8, 12], t).abs(), wave([8, 3], 2 * t)))
}

const gan: Program = wrap => {
  const g = new Sequential(
    new Linear(4, 16, f64),
    new BatchNorm1d(16, f64),
    new LeakyReLU(0.2),
    new Linear(16, 6, f64),
    new Tanh(),
  )
  const d = new Sequential(new Linear(6, 16, f64), new LeakyReLU(0.2), new Linear(16, 1, f64))
  init(g, d)
  const og = new Adam(g.parameters(), { lr: 0.01, betas: [0.5, 0.999] })
  const od = new RMSprop(d.parameters(), { lr: 0.005 })
  const bce = new BCEWithLogitsLoss()
  const step = wrap((real: Tensor, z: Tensor) => {
    od.zeroGrad()
    const fake = g(z)
    const ld = bce(d(real), ones([8, 1], f64)).add(bce(d(fake.detach()), zeros([8, 1], f64)))
    ld.backward()
    od.step()
    for (const p of d.parameters()) p.requiresGrad_(false)
    og.zeroGrad()
    const lg = bce(d(fake), ones([8, 1], f64))
    lg.backward()
    og.step()
    for (const p of d.parameters()) p.requiresGrad_(true)
    return [ld, lg] as const
  })
  return repeat(t => step(wave([8, 6], t), wave([8, 4], 3 * t)))
}

const dqn: Program = wrap => {
  const q = new Sequential(new Linear(4, 16, f64), new ReLU(), new Linear(16, 3, f64))
  init(q)
  const target = q.clone()
  const opt = new AdamW(q.parameters(), { lr: 0.02, amsgrad: true })
  const [states, nexts] = [zeros([32, 4], f64), zeros([32, 4], f64)]
  const [actions, rewards, dones] = [zeros([32], { dtype: 'i64' }), zeros([32], f64), zeros([32], { dtype: 'bool' })]
  const step = wrap((index: Tensor) => {
    const value = q(states.get(index)).gather(1, actions.get(index).unsqueeze(1)).squeeze(1)
    const best = noGrad(() => {
      const alive = dones.get(index).logicalNot()
      const found = target(nexts.get(index).get(alive)).amax(1)
      return zeros([16], f64).maskedScatter(alive, found)
    })
    const loss = F.smoothL1Loss(value, rewards.get(index).add(best.mul(0.9)))
    opt.zeroGrad()
    loss.backward()
    clipGradValue(q.parameters(), 0.5)
    opt.step()
    const online = q.parameters()
    for (const [i, p] of target.parameters().entries()) p.detach().mul_(0.9).add_(online[i]!, { alpha: 0.1 })
    return [loss, best.sum()] as const
  })
  return repeat(t => {
    const s = wave([8, 4], t)
    const at: [number, number] = [(8 * t) % 32, ((8 * t) % 32) + 8]
    states.get(at).copy_(s)
    nexts.get(at).copy_(wave([8, 4], t + 1))
    actions.get(at).copy_(ints(3, [8], t))
    rewards.get(at).copy_(s.sum(1))
    dones.get(at).copy_(s.select(1, 0).gt(0.5))
    return step(ints(Math.min(32, 8 * (t + 1)), [16], t))
  })
}

const lm: Program = wrap => {
  const emb = new Embedding(13, 8, f64)
  const rnn = new LSTM(8, 10, 2, { batchFirst: true, ...f64 })
  const head = new Linear(10, 13, f64)
  init(emb, rnn, head)
  const params = [emb, rnn, head].flatMap(m => m.parameters())
  const opt = new SGD(params, { lr: 0.5, momentum: 0.9, nesterov: true })
  const sched = stepLR(opt, 2, { gamma: 0.5 })
  const step = wrap((x: Tensor, y: Tensor, hidden: readonly [Tensor, Tensor] | null) => {
    const [out, next] = rnn(emb(x), hidden)
    const loss = F.crossEntropy(head(out).reshape([-1, 13]), y.reshape([-1]), { labelSmoothing: 0.1 })
    opt.zeroGrad()
    loss.backward()
    const norm = clipGradNorm(params, 0.25)
    opt.step()
    return [loss, norm, [next[0].detach(), next[1].detach()]] as const
  })
  let hidden: readonly [Tensor, Tensor] | null = null
  return repeat(t => {
    const [loss, norm, next] = step(ints(13, [3, 7], t), ints(13, [3, 7], t + 2), hidden)
    hidden = next as unknown as [Tensor, Tensor]
    sched.step()
    return [loss, norm]
  })
}

const block = (i: number, o: number): Sequential =>
  new Sequential(new Conv2d(i, o, 3, { padding: 1, bias: false, ...f64 }), new BatchNorm2d(o, f64), new ReLU(true))

class UNet extends Module {
  down1 = block(2, 4)
  down2 = block(4, 8)
  mid = block(8, 8)
  up = new ConvTranspose2d(8, 8, 2, 2, f64)
  up2 = block(16, 4)
  up1 = block(8, 4)
  out = new Conv2d(4, 1, 1, f64)

  forward(x: Tensor): Tensor {
    const a: Tensor = this.down1(x)
    const b: Tensor = this.down2(F.maxPool2d(a, 2))
    const m: Tensor = this.mid(F.avgPool2d(b, 2))
    const u: Tensor = this.up2(cat([this.up(m), b], 1))
    const wide = F.interpolate(u, { scaleFactor: 2, mode: 'bilinear', alignCorners: false })
    return this.out(this.up1(cat([wide, a], 1)))
  }
}

const unet: Program = wrap => {
  const net = new UNet()
  init(net)
  const opt = new AdamW(net.parameters(), { lr: 0.01, weightDecay: 0.1 })
  const step = wrap((x: Tensor, y: Tensor) => {
    const logits = net(x)
    const prob = logits.sigmoid()
    const over: [number, number, number] = [1, 2, 3]
    const hits = prob.mul(y).sum(over).mul(2).add(1)
    const dice = hits.div(prob.sum(over).add(y.sum(over)).add(1)).rsub(1)
    const loss = F.binaryCrossEntropyWithLogits(logits, y, { posWeight: tensor([2], f64) }).add(dice.mean())
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return [loss, dice.mean()] as const
  })
  return repeat(t =>
    step(
      wave([2, 2, 8, 8], t),
      wave([2, 1, 8, 8], t + 1)
        .gt(0)
        .to('f64'),
    ),
  )
}

class MoCo extends Module {
  q = new Sequential(new Linear(6, 16, f64), new ReLU(), new Linear(16, 4, f64))
  k = this.q.clone()
  queue = this.registerBuffer('queue', F.normalize(wave([4, 16]), { dim: 0 }))
  ptr = 0

  forward(a: Tensor, b: Tensor): Tensor {
    const q = F.normalize(this.q(a) as Tensor, { dim: 1 })
    const k = noGrad(() => {
      const own = this.q.parameters()
      for (const [i, p] of this.k.parameters().entries()) p.mul_(0.9).add_(own[i]!, { alpha: 0.1 })
      return F.normalize(this.k(b) as Tensor, { dim: 1 })
    })
    const pos = q.mul(k).sum(1).unsqueeze(-1)
    const neg = q.matmul(this.queue.clone().detach())
    const logits = cat([pos, neg], 1).div(0.2)
    noGrad(() => {
      this.queue.narrow(1, this.ptr, 8).copy_(k.T)
      this.ptr = (this.ptr + 8) % 16
    })
    return F.crossEntropy(logits, zeros([8], { dtype: 'i64' }))
  }
}

const moco: Program = wrap => {
  const net = new MoCo()
  init(net.q)
  net.k.loadStateDict(net.q.stateDict())
  net.k.requiresGrad_(false)
  const opt = new SGD(net.q.parameters(), { lr: 0.3, momentum: 0.9, weightDecay: 1e-3 })
  const sched = cosine(opt, steps)
  const step = wrap((a: Tensor, b: Tensor) => {
    const loss = net(a, b)
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return [loss, net.queue.abs().sum()] as const
  })
  return repeat(t => {
    const found = step(wave([8, 6], t), wave([8, 6], t + 0.1))
    sched.step()
    return found
  })
}

const accumulate: Program = wrap => {
  const net = new Sequential(new Linear(6, 16, f64), new GELU(), new LayerNorm(16, f64), new Linear(16, 3, f64))
  init(net)
  const opt = new NAdam(net.parameters(), { lr: 0.02 })
  const micro = wrap((x: Tensor, y: Tensor) => {
    const loss = F.crossEntropy(net(x), y).div(3)
    loss.mul(64).backward()
    return loss.detach()
  })
  const update = wrap(() => {
    for (const p of net.parameters()) p.grad!.div_(64)
    opt.step()
    opt.zeroGrad({ setToNull: false })
  })
  return repeat(t => {
    const losses = [0, 1, 2].map(m => micro(wave([4, 6], 3 * t + m), ints(3, [4], t + m)).clone())
    update()
    const left = stack(net.parameters().map(p => p.grad!.abs().sum())).sum()
    return [stack(losses).sum(), left]
  })
}

const maml: Program = wrap => {
  const net = new Sequential(new Linear(2, 12, f64), new Tanh(), new Linear(12, 1, f64))
  init(net)
  const opt = new Adam(net.parameters(), { lr: 0.01 })
  const call = ([w, b, v, c]: readonly Tensor[], x: Tensor): Tensor => F.linear(F.linear(x, w!, b!).tanh(), v!, c!)
  const step = wrap((xs: readonly Tensor[], ys: readonly Tensor[]) => {
    opt.zeroGrad()
    let outer: Tensor = zeros([], f64)
    let last: Tensor = outer
    for (const [task, x] of xs.entries()) {
      let fast: readonly Tensor[] = net.parameters()
      for (let i = 0; i < 2; i++) {
        last = F.mseLoss(call(fast, x), ys[task]!)
        const grads = gradients(last, fast, { createGraph: true })
        fast = fast.map((p, k) => p.sub(grads[k]!.mul(0.1)))
      }
      outer = outer.add(F.mseLoss(call(fast, x.flip(0)), ys[task]!.flip(0)))
    }
    outer.backward()
    opt.step()
    return [outer.detach(), last.detach()] as const
  })
  return repeat(t => step([wave([6, 2], t), wave([6, 2], t + 1)], [wave([6, 1], 0), wave([6, 1], 1)]))
}

class Gcn extends Module {
  a = new Linear(5, 8, f64)
  b = new Linear(8, 3, f64)
  norm = new BatchNorm1d(8, f64)

  spread(x: Tensor, src: Tensor, dst: Tensor, n: number): Tensor {
    const degree = zeros([n], f64)
      .scatterAdd_(0, dst, ones([dst.size(0)], f64))
      .clamp({ min: 1 })
    const out = zeros([n, x.size(1)], f64).indexAdd_(0, dst, x.get(src))
    return out.div(degree.unsqueeze(1))
  }

  forward(x: Tensor, src: Tensor, dst: Tensor): Tensor {
    const n = x.size(0)
    const mixed = this.spread(x, src, dst, n).matmul(this.a.weight.t())
    const h = F.elu(this.norm(this.a(x).add(mixed)))
    const filled = full([n, 8], -1e9, f64)
    const top = filled.scatterReduce(0, dst.unsqueeze(1).expand([-1, 8]), h.get(src), 'amax')
    return F.logSoftmax(this.b(h.add(where(top.lt(-1e8), 0, top))), -1)
  }
}

const gnn: Program = wrap => {
  const net = new Gcn()
  init(net)
  const opt = new Adagrad(net.parameters(), { lr: 0.05 })
  const [src, dst, y] = [ints(10, [24]), ints(9, [24], 2), ints(3, [10])]
  const train = arange(10).remainder(3).ne(0)
  const step = wrap((x: Tensor) => {
    const out = net(x, src, dst)
    const loss = F.nllLoss(out.get(train), y.get(train))
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return [loss, out.argmax(1).eq(y).to('f64').mean()] as const
  })
  return repeat(t => step(wave([10, 5], t)))
}

class Tied extends Module {
  tokens = new Embedding(11, 8, f64)
  blocks = new ModuleList(
    [0, 1].map(
      () =>
        new TransformerEncoderLayer(8, 2, {
          dimFeedforward: 16,
          dropout: 0,
          batchFirst: true,
          normFirst: true,
          ...f64,
        }),
    ),
  )
  head = new Linear(8, 11, { bias: false, ...f64 })

  constructor() {
    super()
    this.head.weight = this.tokens.weight
  }

  forward(x: Tensor): Tensor {
    const n = x.size(1)
    const mask = full([n, n], Number.NEGATIVE_INFINITY, f64).triu(1)
    let h: Tensor = this.tokens(x).mul(Math.sqrt(8))
    for (const layer of this.blocks) h = checkpoint((v: Tensor) => layer(v, { srcMask: mask }))(h)
    return this.head(h)
  }
}

const tied: Program = wrap => {
  const net = new Tied()
  init(net)
  const decay = net.parameters().filter(p => p.ndim > 1)
  const rest = net.parameters().filter(p => p.ndim <= 1)
  const opt = new AdamW([{ params: decay, weightDecay: 0.1 }, { params: rest, weightDecay: 0 }], { lr: 0.01 }) // biome-ignore format: groups
  const sched = lambda(opt, t => Math.min(1, (t + 1) / 3))
  const step = wrap((x: Tensor) => {
    const logits = net(x.get('all', [0, -1]))
    const loss = F.crossEntropy(logits.transpose(1, 2), x.get('all', [1, null]), { ignoreIndex: 3 })
    opt.zeroGrad()
    loss.backward()
    const norm = clipGradNorm(net.parameters(), 1)
    opt.step()
    return [loss, norm] as const
  })
  return repeat(t => {
    const found = step(ints(11, [2, 6], t))
    sched.step()
    return found
  })
}

class Flow extends Module {
  mix = new ParameterList([0, 1].map(() => new Parameter(zeros([4, 4], f64))))
  nets = new ModuleList([0, 1].map(() => new Sequential(new Linear(2, 8, f64), new Tanh(), new Linear(8, 4, f64))))

  forward(input: Tensor): [Tensor, Tensor] {
    let [x, logdet]: [Tensor, Tensor] = [input, zeros([input.size(0)], f64)]
    for (const [i, mix] of [...this.mix].entries()) {
      const w = mix.add(eye(4, f64))
      x = x.matmul(w.t())
      logdet = logdet.add(linalg.slogdet(w).logabsdet)
      const [a, b] = x.chunk(2, 1) as [Tensor, Tensor]
      const [raw, t] = (this.nets[i]!(a) as Tensor).chunk(2, 1) as [Tensor, Tensor]
      const s = raw.tanh()
      x = cat([a, b.mul(s.exp()).add(t)], 1)
      logdet = logdet.add(s.sum(1))
    }
    return [x, logdet]
  }
}

const flow: Program = wrap => {
  const net = new Flow()
  init(net)
  const opt = new RAdam(net.parameters(), { lr: 0.02 })
  const cov = eye(4, f64).add(ones([4, 4], f64).mul(0.2))
  const step = wrap((x: Tensor) => {
    const [z, logdet] = net(x)
    const factor = linalg.cholesky(cov)
    const white = linalg.solveTriangular(factor, z.t(), { upper: false })
    const half = factor.diagonal().log().sum()
    const logProb = white
      .square()
      .sum(0)
      .mul(-0.5)
      .sub(half)
      .sub(2 * Math.log(2 * Math.PI))
    const loss = logProb.add(logdet).mean().neg()
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return [loss, logdet.mean()] as const
  })
  return repeat(t => step(wave([8, 4], t)))
}

const sam: Program = wrap => {
  const net = new Sequential(new Linear(6, 12, f64), new SiLU(), new Linear(12, 3, f64))
  init(net)
  const opt = new SGD(net.parameters(), { lr: 0.1, momentum: 0.9 })
  const step = wrap((x: Tensor, y: Tensor) => {
    const params = net.parameters()
    const first = F.crossEntropy(net(x), y)
    first.backward()
    const moved = noGrad(() => {
      const norm = stack(params.map(p => p.grad!.norm())).norm()
      return params.map(p => {
        const e = p.grad!.mul(norm.add(1e-12).reciprocal().mul(0.05))
        p.add_(e)
        return e
      })
    })
    opt.zeroGrad()
    const second = F.crossEntropy(net(x), y)
    second.backward()
    noGrad(() => {
      for (const [i, p] of params.entries()) p.sub_(moved[i]!)
    })
    opt.step()
    opt.zeroGrad()
    return [first, second] as const
  })
  return repeat(t => step(wave([8, 6], t), ints(3, [8], t)))
}

const norms: Program = wrap => {
  const { spectralNorm, weightNorm } = utils
  const net = new Sequential(
    weightNorm(new Linear(6, 8, f64)),
    new Tanh(),
    spectralNorm(new Linear(8, 8, f64), { nPowerIterations: 2 }),
    new ReLU(),
    weightNorm(new Linear(8, 3, f64), 'weight', null),
  )
  init(net)
  const [u, v] = net.buffers()
  u!.copy_(F.normalize(wave([8], 1), { dim: 0 }))
  v!.copy_(F.normalize(wave([8], 2), { dim: 0 }))
  const opt = new Adam(net.parameters(), { lr: 0.02 })
  const step = wrap((x: Tensor, y: Tensor) => {
    const loss = F.crossEntropy(net(x), y)
    opt.zeroGrad()
    loss.backward()
    opt.step()
    return loss.detach()
  })
  return repeat(t => {
    const loss = step(wave([8, 6], t), ints(3, [8], t))
    return [loss, stack(Object.values(net.stateDict()).map(each => each.abs().sum())).sum()]
  })
}

export const programs: Readonly<Record<string, Program>> = {
  vae,
  gan,
  dqn,
  lm,
  unet,
  moco,
  accumulate,
  maml,
  gnn,
  tied,
  flow,
  sam,
  norms,
}
export { wraps }
