/**
 * Training programs of kinds that people write, small: each as it would be in PyTorch. A program gives its modules, and a step, which
 * is one compiled function or runs eagerly; results are losses.
 */
import {
  arange,
  bernoulli,
  cat,
  gradients,
  linspace,
  multinomial,
  noGrad,
  ones,
  rand,
  randint,
  randn,
  randnLike,
  stack,
  type Tensor,
  tensor,
  where,
  zeros,
  zerosLike,
} from '../../src/index.js'
import {
  BatchNorm2d,
  Conv2d,
  ConvTranspose2d,
  Dropout,
  Embedding,
  functional as F,
  Flatten,
  GELU,
  GRU,
  init,
  LayerNorm,
  LeakyReLU,
  Linear,
  LSTM,
  LSTMCell,
  Module,
  ModuleList,
  Parameter,
  ReLU,
  Sequential,
  SiLU,
  Tanh,
  Transformer,
  utils,
} from '../../src/nn/index.js'
import { Adadelta, Adam, AdamW, clipGradNorm, NAdam, RAdam, RMSprop, SGD } from '../../src/optim/index.js'

export interface Program {
  /** What is trained, and compared at the end. */
  readonly modules: readonly Module[]
  /** One step: a loss, or several. */
  readonly step: (...inputs: Tensor[]) => Tensor | readonly Tensor[]
  /** The inputs of step `i`. */
  readonly inputs: (i: number) => readonly Tensor[]
}

// --- a variational autoencoder: reparametrisation, two losses in sum ---------------------------------------------------------

class Vae extends Module {
  fc1 = new Linear(20, 16)
  fc21 = new Linear(16, 3)
  fc22 = new Linear(16, 3)
  fc3 = new Linear(3, 16)
  fc4 = new Linear(16, 20)

  encode(x: Tensor): [Tensor, Tensor] {
    const h = F.relu(this.fc1(x))
    return [this.fc21(h), this.fc22(h)]
  }

  reparameterize(mu: Tensor, logvar: Tensor): Tensor {
    const std = logvar.mul(0.5).exp()
    const eps = randnLike(std)
    return mu.add(eps.mul(std))
  }

  forward(x: Tensor): [Tensor, Tensor, Tensor] {
    const [mu, logvar] = this.encode(x.view([-1, 20]))
    const z = this.reparameterize(mu, logvar)
    return [this.fc4(F.relu(this.fc3(z))).sigmoid(), mu, logvar]
  }
}

function vae(): Program {
  const model = new Vae()
  const optimizer = new Adam(model.parameters(), { lr: 1e-2 })
  return {
    modules: [model],
    inputs: () => [rand([8, 1, 4, 5])],
    step: x => {
      optimizer.zeroGrad()
      const [recon, mu, logvar] = model(x!)
      const bce = F.binaryCrossEntropy(recon, x!.view([-1, 20]), { reduction: 'sum' })
      const kld = logvar.add(1).sub(mu.pow(2)).sub(logvar.exp()).sum().mul(-0.5)
      const loss = bce.add(kld)
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- a GAN: two optimisers, detach, batch norm in both -----------------------------------------------------------------------

function dcgan(): Program {
  const netG = new Sequential(
    new ConvTranspose2d(6, 8, 3, { bias: false }),
    new BatchNorm2d(8),
    new ReLU(),
    new ConvTranspose2d(8, 1, 4, { stride: 2, padding: 1, bias: false }),
    new Tanh(),
  )
  const netD = new Sequential(
    new Conv2d(1, 8, 4, { stride: 2, padding: 1, bias: false }),
    new BatchNorm2d(8),
    new LeakyReLU(0.2),
    new Conv2d(8, 1, 3, { bias: false }),
    new Flatten({ startDim: 0 }),
  )
  for (const net of [netG, netD])
    net.apply(m => {
      if (m instanceof Conv2d || m instanceof ConvTranspose2d) init.normal_(m.weight, 0, 0.02)
      else if (m instanceof BatchNorm2d) init.normal_(m.weight!, 1, 0.02)
    })
  const optimizerD = new Adam(netD.parameters(), { lr: 2e-3, betas: [0.5, 0.999] })
  const optimizerG = new Adam(netG.parameters(), { lr: 2e-3, betas: [0.5, 0.999] })
  const criterion = (x: Tensor, label: number): Tensor => F.binaryCrossEntropyWithLogits(x, zerosLike(x).add(label))
  return {
    modules: [netG, netD],
    inputs: () => [rand([4, 1, 6, 6]).mul(2).sub(1)],
    step: real => {
      netD.zeroGrad()
      const errDReal = criterion(netD(real!), 1)
      errDReal.backward()
      const fake = netG(randn([real!.shape[0]!, 6, 1, 1]))
      const errDFake = criterion(netD(fake.detach()), 0)
      errDFake.backward()
      optimizerD.step()
      netG.zeroGrad()
      const errG = criterion(netD(fake), 1)
      errG.backward()
      optimizerG.step()
      return [errDReal.add(errDFake).detach(), errG.detach()]
    },
  }
}

// --- a Wasserstein GAN's critic with a gradient penalty: gradients of gradients of convolutions ------------------------------

function gradientPenalty(): Program {
  const critic = new Sequential(
    new Conv2d(1, 4, 3, { stride: 2, padding: 1 }),
    new LeakyReLU(0.2),
    new Flatten(),
    new Linear(36, 1),
  )
  const optimizer = new RMSprop(critic.parameters(), { lr: 1e-3 })
  return {
    modules: [critic],
    inputs: () => [randn([3, 1, 6, 6]), randn([3, 1, 6, 6]).mul(2)],
    step: (real, fake) => {
      const alpha = rand([real!.size(0), 1, 1, 1])
      const mixed = real!
        .mul(alpha)
        .add(fake!.mul(alpha.neg().add(1)))
        .requiresGrad_(true)
      const scores = critic(mixed)
      const [g] = gradients([scores], [mixed], { gradOutputs: [ones(scores.shape)], createGraph: true })
      const penalty = g!.flatten(1).norm({ p: 2, dim: 1 }).sub(1).square().mean()
      const loss = critic(fake!).mean().sub(critic(real!).mean()).add(penalty.mul(10))
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return [loss.detach(), penalty.detach()]
    },
  }
}

// --- triplets through one network --------------------------------------------------------------------------------------------

function triplet(): Program {
  const net = new Sequential(new Linear(6, 16), new ReLU(), new Linear(16, 4))
  const embed = (x: Tensor): Tensor => F.normalize(net(x), { dim: 1 })
  const optimizer = new SGD(net.parameters(), { lr: 0.1, momentum: 0.9 })
  return {
    modules: [net],
    inputs: () => [randn([8, 6]), randn([8, 6]), randn([8, 6])],
    step: (anchor, positive, negative) => {
      const loss = F.tripletMarginLoss(embed(anchor!), embed(positive!), embed(negative!), { margin: 0.5, swap: true })
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- sequence to sequence with attention; half of the decoder's inputs are the targets ---------------------------------------

class Seq2Seq extends Module {
  source = new Embedding(12, 8, { paddingIdx: 0 })
  target = new Embedding(9, 8)
  encoder = new LSTM(8, 10, { batchFirst: true, bidirectional: true })
  bridge = new Linear(20, 10)
  cell = new LSTMCell(28, 10)
  query = new Linear(10, 20)
  out = new Linear(30, 9)
  dropout = new Dropout(0.1)

  forward(source: Tensor, target: Tensor): Tensor {
    const [states, [h0]] = this.encoder(this.source(source))
    let h = this.bridge(cat([h0.get(0), h0.get(1)], 1)).tanh()
    let c = zerosLike(h)
    let token = target.get('all', 0)
    const logits: Tensor[] = []
    for (let t = 1; t < target.shape[1]!; t++) {
      const scores = states.matmul(this.query(h).unsqueeze(2)).squeeze(2)
      const weights = scores.maskedFill(source.eq(0), -Infinity).softmax(1)
      const context = weights.unsqueeze(1).bmm(states).squeeze(1)
      ;[h, c] = this.cell(cat([this.dropout(this.target(token)), context], 1), [h, c])
      const scored = this.out(cat([h, context], 1))
      logits.push(scored)
      const forced = bernoulli(ones([target.shape[0]!]).mul(0.5)).to('bool')
      token = where(forced, target.get('all', t), scored.argmax(1))
    }
    return stack(logits, 1)
  }
}

function seq2seq(): Program {
  const net = new Seq2Seq()
  const optimizer = new Adam(net.parameters(), { lr: 1e-2 })
  return {
    modules: [net],
    inputs: () => {
      const source = randint(1, 12, [4, 6])
      source.get([2, null], [4, null]).fill_(0)
      return [source, randint(0, 9, [4, 5])]
    },
    step: (source, target) => {
      optimizer.zeroGrad()
      const logits = net(source!, target!)
      const loss = F.crossEntropy(logits.transpose(1, 2), target!.get('all', [1, null]), { labelSmoothing: 0.1 })
      loss.backward()
      clipGradNorm(net.parameters(), 1)
      optimizer.step()
      return loss
    },
  }
}

// --- a graph network: messages along edges -----------------------------------------------------------------------------------

class GraphLayer extends Module {
  message: Linear
  self: Linear

  constructor(inFeatures: number, outFeatures: number) {
    super()
    this.message = new Linear(2 * inFeatures, outFeatures)
    this.self = new Linear(inFeatures, outFeatures)
  }

  forward(x: Tensor, edges: Tensor): Tensor {
    const [from, to] = edges.unbind(0) as [Tensor, Tensor]
    const messages = this.message(cat([x.get(from), x.get(to)], 1)).relu()
    const sum = zeros([x.shape[0]!, messages.shape[1]!]).scatterAdd(0, to.unsqueeze(1).expand(messages.shape), messages)
    const degree = zeros([x.shape[0]!]).indexAdd(0, to, ones(to.shape))
    return this.self(x).add(sum.div(degree.clamp({ min: 1 }).unsqueeze(1)))
  }
}

class GraphNet extends Module {
  layers = new ModuleList([new GraphLayer(5, 8), new GraphLayer(8, 8)])
  out = new Linear(16, 3)

  forward(x: Tensor, edges: Tensor, graph: Tensor): Tensor {
    for (const layer of this.layers) x = layer(x, edges).relu()
    const index = graph.unsqueeze(1).expand(x.shape)
    const mean = zeros([2, 8]).scatterReduce(0, index, x, 'mean', { includeSelf: false })
    const most = zeros([2, 8]).scatterReduce(0, index, x, 'amax', { includeSelf: false })
    return this.out(cat([mean, most], 1))
  }
}

function graph(): Program {
  const net = new GraphNet()
  const optimizer = new AdamW(net.parameters(), { lr: 1e-2 })
  return {
    modules: [net],
    inputs: () => [
      randn([7, 5]),
      randint(0, 7, [2, 15]),
      tensor([0, 0, 0, 1, 1, 1, 1], { dtype: 'i64' }),
      randint(0, 3, [2]),
    ],
    step: (x, edges, part, y) => {
      optimizer.zeroGrad()
      const loss = F.crossEntropy(net(x!, edges!, part!), y!)
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- diffusion: noise at random times, embedded times, an average of the weights ---------------------------------------------

class Denoiser extends Module {
  time = new Sequential(new Linear(8, 16), new SiLU(), new Linear(16, 16))
  down = new Conv2d(1, 16, 3, { padding: 1 })
  middle = new Conv2d(16, 16, 3, { padding: 1, stride: 2 })
  out = new Conv2d(32, 1, 3, { padding: 1 })

  forward(x: Tensor, t: Tensor): Tensor {
    const frequencies = arange(4)
      .mul(-Math.log(1e4) / 4)
      .exp()
    const angles = t.unsqueeze(1).to('f32').mul(frequencies)
    const embedded = this.time(cat([angles.sin(), angles.cos()], 1))
    const h = F.silu(this.down(x).add(embedded.get('...', 'newaxis', 'newaxis')))
    const low = F.interpolate(F.silu(this.middle(h)), { scaleFactor: 2, mode: 'nearest' })
    return this.out(cat([h, low], 1))
  }
}

function diffusion(): Program {
  const model = new Denoiser()
  const ema = model.clone().requiresGrad_(false)
  const optimizer = new AdamW(model.parameters(), { lr: 1e-3 })
  const steps = 20
  const alphasCumprod = linspace(1e-4, 0.02, steps).neg().add(1).cumprod(0)
  return {
    modules: [model, ema],
    inputs: () => [randn([4, 1, 6, 6])],
    step: x0 => {
      const t = randint(0, steps, [x0!.shape[0]!])
      const noise = randnLike(x0!)
      const a = alphasCumprod.get(t).view([-1, 1, 1, 1])
      const noisy = a.sqrt().mul(x0!).add(a.neg().add(1).sqrt().mul(noise))
      const loss = F.mseLoss(model(noisy, t), noise)
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      noGrad(() => {
        const current = model.parameters()
        for (const [i, average] of ema.parameters().entries()) average.lerp_(current[i]!, 0.1)
      })
      return loss
    },
  }
}

// --- contrastive pairs with a learned temperature ----------------------------------------------------------------------------

class Clip extends Module {
  image = new Sequential(new Linear(10, 16), new GELU(), new Linear(16, 6))
  text = new Embedding(13, 6)
  logitScale = new Parameter(tensor(Math.log(1 / 0.07)))

  forward(image: Tensor, text: Tensor): Tensor {
    const a = this.image(image)
    const b = this.text(text).mean(1)
    const [na, nb] = [a, b].map(each => each.div(each.norm({ dim: -1, keepdim: true }))) as [Tensor, Tensor]
    return this.logitScale.exp().mul(na.matmul(nb.t()))
  }
}

function clip(): Program {
  const net = new Clip()
  const optimizer = new AdamW(
    [
      { params: net.parameters().filter(p => p.ndim >= 2), weightDecay: 0.2 },
      { params: net.parameters().filter(p => p.ndim < 2), weightDecay: 0 },
    ],
    { lr: 1e-2, betas: [0.9, 0.98] },
  )
  return {
    modules: [net],
    inputs: () => [randn([6, 10]), randint(0, 13, [6, 4])],
    step: (image, text) => {
      const logits = net(image!, text!)
      const labels = arange(logits.shape[0]!, { dtype: 'i64' })
      const loss = F.crossEntropy(logits, labels).add(F.crossEntropy(logits.t(), labels)).div(2)
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      noGrad(() => net.logitScale.clamp_({ min: 0, max: Math.log(100) }))
      return loss
    },
  }
}

// --- low-rank updates of a frozen network ------------------------------------------------------------------------------------

class Lora extends Module {
  a: Parameter
  b: Parameter

  constructor(
    readonly base: Linear,
    rank: number,
    readonly alpha = 4,
  ) {
    super()
    for (const parameter of base.parameters()) parameter.requiresGrad = false
    this.a = new Parameter(randn([rank, base.inFeatures]).mul(0.1))
    this.b = new Parameter(zeros([base.outFeatures, rank]))
  }

  forward(x: Tensor): Tensor {
    const update = x.matmul(this.a.t()).matmul(this.b.t())
    return this.base(x).add(update.mul(this.alpha / this.a.shape[0]!))
  }
}

function lora(): Program {
  const net = new Sequential({ first: new Linear(6, 12), act: new GELU(), last: new Linear(12, 3) })
  net.requiresGrad_(false)
  const [first, last] = [net.get('first') as Linear, net.get('last') as Linear]
  const tuned = new Sequential(new Lora(first, 2), new GELU(), new Lora(last, 2))
  const optimizer = new AdamW(
    tuned.parameters().filter(p => p.requiresGrad),
    { lr: 1e-2 },
  )
  return {
    modules: [tuned],
    inputs: () => [randn([8, 6]), randint(0, 3, [8])],
    step: (x, y) => {
      const loss = F.crossEntropy(tuned(x!), y!)
      loss.backward()
      optimizer.step()
      optimizer.zeroGrad({ setToNull: false })
      return loss
    },
  }
}

// --- gradients of micro-batches in sum ---------------------------------------------------------------------------------------

function accumulation(): Program {
  const net = new Sequential(new Linear(6, 8), new LayerNorm(8), new ReLU(), new Linear(8, 3))
  const optimizer = new SGD(net.parameters(), { lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 1e-3 })
  return {
    modules: [net],
    inputs: () => [randn([12, 6]), randint(0, 3, [12])],
    step: (x, y) => {
      const [xs, ys] = [x!.chunk(4), y!.chunk(4)]
      let total = zeros([])
      for (const [i, part] of xs.entries()) {
        const loss = F.crossEntropy(net(part), ys[i]!).div(xs.length)
        loss.backward()
        total = total.add(loss.detach())
      }
      clipGradNorm(net.parameters(), 1)
      optimizer.step()
      optimizer.zeroGrad()
      return total
    },
  }
}

// --- a differential equation as the loss: u'' = -u, u(0) = 0, u'(0) = 1 ------------------------------------------------------

function physics(): Program {
  const net = new Sequential(new Linear(1, 16), new Tanh(), new Linear(16, 16), new Tanh(), new Linear(16, 1))
  const optimizer = new Adam(net.parameters(), { lr: 1e-2 })
  const derivative = (y: Tensor, x: Tensor): Tensor => gradients([y.sum()], [x], { createGraph: true })[0]!
  return {
    modules: [net],
    inputs: () => [rand([10, 1]).mul(3)],
    step: points => {
      const x = points!.clone().requiresGrad_()
      const u = net(x)
      const residual = derivative(derivative(u, x), x).add(u)
      const zero = zeros([1, 1], { requiresGrad: true })
      const start = net(zero)
      const slope = derivative(start, zero)
      const loss = residual.square().mean().add(start.square().sum()).add(slope.sub(1).square().sum())
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss.detach()
    },
  }
}

// --- Q-learning: a target network that follows -------------------------------------------------------------------------------

function qLearning(): Program {
  const policy = new Sequential(new Linear(4, 16), new ReLU(), new Linear(16, 2))
  const target = policy.clone()
  const optimizer = new AdamW(policy.parameters(), { lr: 1e-2, amsgrad: true })
  return {
    modules: [policy, target],
    inputs: () => [
      randn([9, 4]),
      randint(0, 2, [9, 1]),
      randn([9]),
      randn([9, 4]),
      bernoulli(ones([9]).mul(0.2)).to('bool'),
    ],
    step: (state, action, reward, next, isDone) => {
      const values = policy(state!).gather(1, action!)
      const nextValues = noGrad(() => target(next!).max(1).values.maskedFill(isDone!, 0))
      const expected = nextValues.mul(0.99).add(reward!)
      const loss = F.smoothL1Loss(values, expected.unsqueeze(1))
      optimizer.zeroGrad()
      loss.backward()
      for (const p of policy.parameters()) p.grad!.clamp_({ min: -0.5, max: 0.5 })
      optimizer.step()
      noGrad(() => {
        for (const [name, own] of Object.entries(target.stateDict()))
          own.copy_(own.mul(0.99).add(policy.stateDict()[name]!.mul(0.01)))
      })
      return loss
    },
  }
}

// --- policy gradients: actions are drawn in the step -------------------------------------------------------------------------

function reinforce(): Program {
  const policy = new Sequential(new Linear(4, 8), new Tanh(), new Linear(8, 3))
  const value = new Linear(4, 1)
  const optimizer = new Adam([...policy.parameters(), ...value.parameters()], { lr: 1e-2 })
  return {
    modules: [policy, value],
    inputs: () => [randn([10, 4])],
    step: state => {
      const logp = F.logSoftmax(policy(state!), -1)
      const action = multinomial(logp.exp().detach(), 1)
      const reward = action.squeeze(1).eq(state!.argmax(1).remainder(3)).to('f32')
      const baseline = value(state!).squeeze(1)
      const advantage = reward.sub(baseline).detach()
      const entropy = logp.exp().mul(logp).sum(-1).neg().mean()
      const actor = logp.gather(1, action).squeeze(1).mul(advantage).mean().neg()
      const loss = actor.add(F.mseLoss(baseline, reward)).sub(entropy.mul(0.01))
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return [loss.detach(), entropy.detach(), reward.mean()]
    },
  }
}

// --- learning to learn: a gradient step within the loss ----------------------------------------------------------------------

function meta(): Program {
  const net = new Sequential(new Linear(1, 8), new Tanh(), new Linear(8, 1))
  const optimizer = new Adam(net.parameters(), { lr: 1e-2 })
  const run = (params: readonly Tensor[], x: Tensor): Tensor =>
    F.linear(F.linear(x, params[0]!, params[1]!).tanh(), params[2]!, params[3]!)
  return {
    modules: [net],
    inputs: () => [randn([5, 1]), randn([5, 1]), randn([3, 1, 1])],
    step: (x, xTest, slopes) => {
      optimizer.zeroGrad()
      const losses = slopes!.unbind(0).map(slope => {
        let fast: Tensor[] = net.parameters()
        for (let i = 0; i < 2; i++) {
          const inner = F.mseLoss(run(fast, x!), x!.mul(slope).sin())
          const steps = gradients([inner], fast, { createGraph: true })
          fast = fast.map((p, j) => p.sub(steps[j]!.mul(0.1)))
        }
        return F.mseLoss(run(fast, xTest!), xTest!.mul(slope).sin())
      })
      const loss = stack(losses).mean()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- a normalising flow: coupling layers and their log-determinants ----------------------------------------------------------

class Coupling extends Module {
  net = new Sequential(new Linear(2, 16), new ReLU(), new Linear(16, 4))

  constructor(readonly flip: boolean) {
    super()
  }

  forward(x: Tensor): [Tensor, Tensor] {
    const [a, b] = (this.flip ? x.flip([1]) : x).chunk(2, 1) as [Tensor, Tensor]
    const [s, t] = this.net(a).chunk(2, 1) as [Tensor, Tensor]
    const scale = s.tanh()
    return [cat([a, b.mul(scale.exp()).add(t)], 1), scale.sum(1)]
  }
}

function flow(): Program {
  const layers = new ModuleList([new Coupling(false), new Coupling(true), new Coupling(false)])
  const optimizer = new Adam(layers.parameters(), { lr: 1e-2 })
  return {
    modules: [layers],
    inputs: () => [randn([12, 4]).mul(2)],
    step: x => {
      let z = x!
      let logDet = zeros([x!.shape[0]!])
      for (const layer of layers) {
        const [next, own] = layer(z)
        z = next
        logDet = logDet.add(own)
      }
      const logp = z
        .square()
        .sum(1)
        .mul(-0.5)
        .sub(2 * Math.log(2 * Math.PI))
      const loss = logp.add(logDet).mean().neg()
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- experts that a router picks ---------------------------------------------------------------------------------------------

class Experts extends Module {
  router = new Linear(6, 4, { bias: false })
  up = new Parameter(randn([4, 6, 12]).mul(0.3))
  down = new Parameter(randn([4, 12, 6]).mul(0.3))

  forward(x: Tensor): [Tensor, Tensor] {
    const probabilities = this.router(x).softmax(-1)
    const { values, indices } = probabilities.topk(2, -1)
    const weights = values.div(values.sum(-1, { keepdim: true }))
    const gates = zerosLike(probabilities).scatter(1, indices, weights)
    const h = F.gelu(x.unsqueeze(0).matmul(this.up)).matmul(this.down)
    const load = F.oneHot(indices, 4).to('f32').mean([0, 1])
    const balance = load.mul(probabilities.mean(0)).sum().mul(4)
    return [h.mul(gates.t().unsqueeze(-1)).sum(0), balance]
  }
}

function experts(): Program {
  const moe = new Experts()
  const head = new Linear(6, 3)
  const optimizer = new AdamW([...moe.parameters(), ...head.parameters()], { lr: 1e-2 })
  return {
    modules: [moe, head],
    inputs: () => [randn([10, 6]), randint(0, 3, [10])],
    step: (x, y) => {
      const [mixed, balance] = moe(x!)
      const loss = F.crossEntropy(head(x!.add(mixed)), y!).add(balance.mul(0.01))
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return [loss.detach(), balance.detach()]
    },
  }
}

// --- translation by a transformer, with masks --------------------------------------------------------------------------------

class Translator extends Module {
  source = new Embedding(11, 8)
  target = new Embedding(9, 8)
  net = new Transformer({
    dModel: 8,
    nhead: 2,
    numEncoderLayers: 1,
    numDecoderLayers: 1,
    dimFeedforward: 16,
    batchFirst: true,
  })
  out = new Linear(8, 9)

  forward(source: Tensor, target: Tensor): Tensor {
    const time = target.shape[1]!
    const tgtMask = ones([time, time], { dtype: 'bool' }).triu(1)
    const padding = source.eq(0)
    const h = this.net(this.source(source), this.target(target), {
      tgtMask,
      srcKeyPaddingMask: padding,
      memoryKeyPaddingMask: padding,
    })
    return this.out(h)
  }
}

function translation(): Program {
  const net = new Translator()
  // The gradient of a key's bias is zero: with a small eps, Adam would take steps of what rounding leaves of it.
  const optimizer = new Adam(net.parameters(), { lr: 3e-3, betas: [0.9, 0.98], eps: 1e-5 })
  return {
    modules: [net],
    inputs: () => {
      const source = randint(1, 11, [3, 5])
      source.get([1, null], [3, null]).fill_(0)
      return [source, randint(1, 9, [3, 6])]
    },
    step: (source, target) => {
      const logits = net(source!, target!.get('all', [0, -1]))
      const loss = F.crossEntropy(logits.reshape([-1, 9]), target!.get('all', [1, null]).reshape([-1]), {
        ignoreIndex: 8,
      })
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- spectral normalisation: a buffer that each step writes ------------------------------------------------------------------

class SpectralLinear extends Module {
  weight = new Parameter(randn([5, 6]))
  u = this.registerBuffer('u', F.normalize(randn([5]), { dim: 0 }))

  forward(x: Tensor): Tensor {
    const v = noGrad(() => {
      const next = F.normalize(this.weight.t().mv(this.u), { dim: 0 })
      this.u.copy_(F.normalize(this.weight.mv(next), { dim: 0 }))
      return next
    })
    const sigma = this.u.clone().dot(this.weight.mv(v))
    return F.linear(x, this.weight.div(sigma))
  }
}

function spectral(): Program {
  const net = new Sequential(new SpectralLinear(), new LeakyReLU(0.1), new Linear(5, 1))
  const optimizer = new SGD(net.parameters(), { lr: 0.05 })
  return {
    modules: [net],
    inputs: () => [randn([6, 6]), randn([6, 1])],
    step: (x, y) => {
      const loss = F.huberLoss(net(x!), y!, { delta: 0.7 })
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- speech: sequences of several lengths, whose alignment to the labels is unknown -------------------------------------------

class Speech extends Module {
  rnn = new GRU(4, 6, { batchFirst: true, bidirectional: true })
  out = new Linear(12, 5)

  forward(x: Tensor, lengths: Tensor): Tensor {
    const packed = utils.packPaddedSequence(x, lengths, { batchFirst: true, enforceSorted: false })
    const [states] = utils.padPackedSequence(this.rnn(packed)[0])
    return F.logSoftmax(this.out(states), 2)
  }
}

function speech(): Program {
  const net = new Speech()
  const optimizer = new NAdam(net.parameters(), { lr: 1e-2 })
  return {
    modules: [net],
    inputs: () => [
      randn([3, 6, 4]),
      tensor([6, 4, 5], { dtype: 'i64' }),
      randint(1, 5, [3, 3]),
      tensor([3, 1, 2], { dtype: 'i64' }),
    ],
    step: (x, lengths, labels, counts) => {
      optimizer.zeroGrad()
      const loss = F.ctcLoss(net(x!, lengths!), labels!, lengths!, counts!, { zeroInfinity: true })
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- a spatial transformer: where to look is learned ---------------------------------------------------------------------------

function spatialTransformer(): Program {
  const locate = new Sequential(new Conv2d(1, 3, 3, 2), new ReLU(true), new Flatten(), new Linear(27, 6))
  const last = locate.get(3) as Linear
  init.zeros_(last.weight)
  noGrad(() => last.bias!.copy_(tensor([1, 0, 0.1, 0, 1, -0.1])))
  const classify = new Linear(64, 3)
  const optimizer = new Adadelta([...locate.parameters(), ...classify.parameters()])
  return {
    modules: [locate, classify],
    inputs: () => [randn([4, 1, 8, 8]), randint(0, 3, [4])],
    step: (x, y) => {
      const grid = F.affineGrid(locate(x!).view(-1, 2, 3), x!.size())
      const loss = F.crossEntropy(classify(F.gridSample(x!, grid).flatten(1)), y!)
      optimizer.zeroGrad()
      loss.backward()
      optimizer.step()
      return loss
    },
  }
}

// --- words that are masked, in batches of several lengths: positions are cut to the length that is read --------------------------

class MaskedWords extends Module {
  word = new Embedding(12, 8, { paddingIdx: 0 })
  position = new Embedding(16, 8)
  norm = new LayerNorm(8)
  decoder = new Linear(8, 12)
  positions = this.registerBuffer('positions', arange(16, { dtype: 'i64' }))

  constructor() {
    super()
    this.decoder.weight = this.word.weight
  }

  forward(words: Tensor): Tensor {
    const x = this.norm(this.word(words).add(this.position(this.positions.get([null, words.size(1)]))))
    return this.decoder(F.scaledDotProductAttention(x, x, x).add(x))
  }
}

function maskedWords(): Program {
  const net = new MaskedWords()
  const optimizer = new RAdam(net.parameters(), { lr: 1e-2 })
  return {
    modules: [net],
    inputs: i => [randint(1, 12, [3, 5 + (i % 3)]), randint(1, 12, [3, 5 + (i % 3)])],
    step: (words, labels) => {
      const loss = F.crossEntropy(net(words!).view(-1, 12), labels!.view(-1), { ignoreIndex: 11 })
      loss.backward()
      optimizer.step()
      optimizer.zeroGrad()
      return loss
    },
  }
}

export const programs = {
  vae,
  dcgan,
  gradientPenalty,
  triplet,
  seq2seq,
  graph,
  diffusion,
  clip,
  lora,
  accumulation,
  physics,
  qLearning,
  reinforce,
  meta,
  flow,
  experts,
  translation,
  spectral,
  speech,
  spatialTransformer,
  maskedWords,
} as const satisfies Readonly<Record<string, () => Program>>
