"""
Losses of six steps of a dozen programs, as users of PyTorch write them, in float64 from formula-made weights and data.

    python3 scripts/torch/strangers.py tests/nn/strangers.json

Written with PyTorch 1.13.1. The file: { NAME: [[loss, …] of each step] }. tests/nn/strangers.ts has the same programs.
"""
import copy
import json
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

torch.set_default_dtype(torch.float64)
STEPS = 6


def wave(*shape, phase=0.0, scale=1.0):
    count = math.prod(shape)
    return (torch.sin(1.3 * torch.arange(count, dtype=torch.float64) + phase) * scale).reshape(shape)


def ints(limit, *shape, phase=0):
    return ((torch.arange(math.prod(shape)) * 7 + phase * 3) % limit).reshape(shape)


def init(*modules):
    for k, p in enumerate(p for m in modules for p in m.parameters()):
        p.data.copy_(wave(*p.shape, phase=0.7 * k, scale=0.3))


def vae():
    enc, mu, logvar = nn.Linear(12, 16), nn.Linear(16, 3), nn.Linear(16, 3)
    dec = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 12), nn.Sigmoid())
    init(enc, mu, logvar, dec)
    opt = torch.optim.Adam([*enc.parameters(), *mu.parameters(), *logvar.parameters(), *dec.parameters()], lr=0.01)
    for t in range(STEPS):
        x, noise = wave(8, 12, phase=t).abs(), wave(8, 3, phase=2 * t)
        h = torch.tanh(enc(x))
        q = torch.distributions.Normal(mu(h), (0.5 * logvar(h)).exp())
        z = q.loc + noise * q.scale
        p = torch.distributions.Normal(torch.zeros_like(z), torch.ones_like(z))
        kl = torch.distributions.kl_divergence(q, p).sum(1)
        rec = -torch.distributions.Bernoulli(dec(z)).log_prob((x > 0.5).double()).sum(1)
        loss = (rec + kl).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, kl.mean()


def gan():
    g = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.LeakyReLU(0.2), nn.Linear(16, 6), nn.Tanh())
    d = nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
    init(g, d)
    og = torch.optim.Adam(g.parameters(), lr=0.01, betas=(0.5, 0.999))
    od = torch.optim.RMSprop(d.parameters(), lr=0.005)
    bce = nn.BCEWithLogitsLoss()
    for t in range(STEPS):
        real, z = wave(8, 6, phase=t), wave(8, 4, phase=3 * t)
        od.zero_grad()
        fake = g(z)
        ld = bce(d(real), torch.ones(8, 1)) + bce(d(fake.detach()), torch.zeros(8, 1))
        ld.backward()
        od.step()
        for p in d.parameters():
            p.requires_grad_(False)
        og.zero_grad()
        lg = bce(d(fake), torch.ones(8, 1))
        lg.backward()
        og.step()
        for p in d.parameters():
            p.requires_grad_(True)
        yield ld, lg


def dqn():
    q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    init(q)
    target = copy.deepcopy(q)
    opt = torch.optim.AdamW(q.parameters(), lr=0.02, amsgrad=True)
    states, nexts = torch.zeros(32, 4), torch.zeros(32, 4)
    actions, rewards, dones = torch.zeros(32, dtype=torch.int64), torch.zeros(32), torch.zeros(32, dtype=torch.bool)
    for t in range(STEPS):
        s = wave(8, 4, phase=t)
        at = slice((8 * t) % 32, (8 * t) % 32 + 8)
        states[at], nexts[at] = s, wave(8, 4, phase=t + 1)
        actions[at], rewards[at], dones[at] = ints(3, 8, phase=t), s.sum(1), s[:, 0] > 0.5
        index = ints(min(32, 8 * (t + 1)), 16, phase=t)
        value = q(states[index]).gather(1, actions[index].unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = torch.zeros(16)
            alive = ~dones[index]
            best[alive] = target(nexts[index][alive]).max(1).values
        loss = F.smooth_l1_loss(value, rewards[index] + 0.9 * best)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(q.parameters(), 0.5)
        opt.step()
        for p, o in zip(target.parameters(), q.parameters()):
            p.detach().mul_(0.9).add_(o.detach(), alpha=0.1)
        yield loss, best.sum()


def lm():
    emb, rnn, head = nn.Embedding(13, 8), nn.LSTM(8, 10, 2, batch_first=True), nn.Linear(10, 13)
    init(emb, rnn, head)
    params = [*emb.parameters(), *rnn.parameters(), *head.parameters()]
    opt = torch.optim.SGD(params, lr=0.5, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
    hidden = None
    for t in range(STEPS):
        x, y = ints(13, 3, 7, phase=t), ints(13, 3, 7, phase=t + 2)
        out, hidden = rnn(emb(x), hidden)
        hidden = tuple(h.detach() for h in hidden)
        loss = F.cross_entropy(head(out).reshape(-1, 13), y.reshape(-1), label_smoothing=0.1)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(params, 0.25)
        opt.step()
        sched.step()
        yield loss, norm


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        block = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))
        self.down1, self.down2, self.mid = block(2, 4), block(4, 8), block(8, 8)
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.up2, self.up1 = block(16, 4), block(8, 4)
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        m = self.mid(F.avg_pool2d(b, 2))
        u = self.up2(torch.cat([self.up(m), b], 1))
        u = F.interpolate(u, scale_factor=2, mode='bilinear', align_corners=False)
        return self.out(self.up1(torch.cat([u, a], dim=1)))


def unet():
    net = UNet()
    init(net)
    opt = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)
    for t in range(STEPS):
        x = wave(2, 2, 8, 8, phase=t)
        y = (wave(2, 1, 8, 8, phase=t + 1) > 0).double()
        logits = net(x)
        prob = logits.sigmoid()
        dice = 1 - (2 * (prob * y).sum((1, 2, 3)) + 1) / (prob.sum((1, 2, 3)) + y.sum((1, 2, 3)) + 1)
        loss = F.binary_cross_entropy_with_logits(logits, y, pos_weight=torch.tensor([2.0])) + dice.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, dice.mean()


class MoCo(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
        self.k = copy.deepcopy(self.q)
        self.register_buffer('queue', F.normalize(wave(4, 16), dim=0))
        self.ptr = 0

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            for pq, pk in zip(self.q.parameters(), self.k.parameters()):
                pk.data = pk.data * 0.9 + pq.data * 0.1
            k = F.normalize(self.k(b), dim=1)
        pos = torch.einsum('nc,nc->n', q, k).unsqueeze(-1)
        neg = torch.einsum('nc,ck->nk', q, self.queue.clone().detach())
        logits = torch.cat([pos, neg], dim=1) / 0.2
        with torch.no_grad():
            self.queue[:, self.ptr:self.ptr + 8] = k.T
            self.ptr = (self.ptr + 8) % 16
        return F.cross_entropy(logits, torch.zeros(8, dtype=torch.long))


def moco():
    net = MoCo()
    init(net.q)
    net.k.load_state_dict(net.q.state_dict())
    for p in net.k.parameters():
        p.requires_grad = False
    opt = torch.optim.SGD(net.q.parameters(), lr=0.3, momentum=0.9, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    for t in range(STEPS):
        loss = net(wave(8, 6, phase=t), wave(8, 6, phase=t + 0.1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        yield loss, net.queue.abs().sum()


def accumulate():
    net = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3))
    init(net)
    opt = torch.optim.NAdam(net.parameters(), lr=0.02, foreach=True)
    for t in range(STEPS):
        total = 0
        for m in range(3):
            loss = F.cross_entropy(net(wave(4, 6, phase=3 * t + m)), ints(3, 4, phase=t + m)) / 3
            (loss * 64).backward()
            total = total + loss.detach()
        for p in net.parameters():
            p.grad.div_(64)
        opt.step()
        opt.zero_grad(set_to_none=False)
        yield total, sum(p.grad.abs().sum() for p in net.parameters())


def maml():
    net = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
    init(net)
    opt = torch.optim.Adam(net.parameters(), lr=0.01)

    def call(params, x):
        return F.linear(torch.tanh(F.linear(x, params[0], params[1])), params[2], params[3])

    for t in range(STEPS):
        opt.zero_grad()
        outer = 0
        for task in range(2):
            x, y = wave(6, 2, phase=t + task), wave(6, 1, phase=task)
            fast = list(net.parameters())
            for _ in range(2):
                inner = F.mse_loss(call(fast, x), y)
                grads = torch.autograd.grad(inner, fast, create_graph=True)
                fast = [p - 0.1 * g for p, g in zip(fast, grads)]
            outer = outer + F.mse_loss(call(fast, x.flip(0)), y.flip(0))
        outer.backward()
        opt.step()
        yield outer, inner


class Gcn(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 8), nn.Linear(8, 3)
        self.norm = nn.BatchNorm1d(8)

    def spread(self, x, src, dst, n):
        degree = torch.zeros(n).scatter_add_(0, dst, torch.ones(len(dst))).clamp(min=1)
        out = torch.zeros(n, x.shape[1]).index_add_(0, dst, x[src])
        return out / degree.unsqueeze(1)

    def forward(self, x, src, dst):
        n = x.shape[0]
        h = F.elu(self.norm(self.a(x) + self.spread(x, src, dst, n).matmul(self.a.weight.t())))
        top = torch.full((n, 8), -1e9).scatter_reduce(0, dst.unsqueeze(1).expand(-1, 8), h[src], 'amax')
        top = torch.where(top < -1e8, torch.zeros(()), top)
        return F.log_softmax(self.b(h + top), dim=-1)


def gnn():
    net = Gcn()
    init(net)
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    src, dst = ints(10, 24), ints(9, 24, phase=2)
    y, train = ints(3, 10), torch.arange(10) % 3 != 0
    for t in range(STEPS):
        out = net(wave(10, 5, phase=t), src, dst)
        loss = F.nll_loss(out[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, (out.argmax(1) == y).double().mean()


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(11, 8)
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, norm_first=True) for _ in range(2)])
        self.head = nn.Linear(8, 11, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        h = self.tokens(x) * math.sqrt(8)
        for block in self.blocks:
            h = checkpoint(lambda v, block=block: block(v, mask), h, use_reentrant=False)
        return self.head(h)


def tied():
    net = Tied()
    init(net)
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([dict(params=decay, weight_decay=0.1), dict(params=rest, weight_decay=0.0)], lr=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda t: min(1, (t + 1) / 3))
    for t in range(STEPS):
        x = ints(11, 2, 6, phase=t)
        loss = F.cross_entropy(net(x[:, :-1]).transpose(1, 2), x[:, 1:], ignore_index=3)
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        yield loss, norm


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.ParameterList([nn.Parameter(torch.zeros(4, 4)) for _ in range(2)])
        self.nets = nn.ModuleList([nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 4)) for _ in range(2)])

    def forward(self, x):
        logdet = torch.zeros(x.shape[0])
        for mix, net in zip(self.mix, self.nets):
            w = mix + torch.eye(4)
            x = x @ w.t()
            logdet = logdet + torch.linalg.slogdet(w)[1]
            a, b = x.chunk(2, dim=1)
            s, t = net(a).chunk(2, dim=1)
            s = torch.tanh(s)
            x = torch.cat([a, b * s.exp() + t], dim=1)
            logdet = logdet + s.sum(1)
        return x, logdet


def flow():
    net = Flow()
    init(net)
    opt = torch.optim.RAdam(net.parameters(), lr=0.02)
    cov = torch.eye(4) + 0.2 * torch.ones(4, 4)
    for t in range(STEPS):
        z, logdet = net(wave(8, 4, phase=t))
        base = torch.distributions.MultivariateNormal(torch.zeros(4), covariance_matrix=cov)
        loss = -(base.log_prob(z) + logdet).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, logdet.mean()


def sam():
    net = nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 3))
    init(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for t in range(STEPS):
        x, y = wave(8, 6, phase=t), ints(3, 8, phase=t)
        first = F.cross_entropy(net(x), y)
        first.backward()
        with torch.no_grad():
            norm = torch.norm(torch.stack([p.grad.norm() for p in net.parameters()]))
            moved = []
            for p in net.parameters():
                e = p.grad * (0.05 / (norm + 1e-12))
                p.add_(e)
                moved.append(e)
        opt.zero_grad()
        second = F.cross_entropy(net(x), y)
        second.backward()
        with torch.no_grad():
            for p, e in zip(net.parameters(), moved):
                p.sub_(e)
        opt.step()
        opt.zero_grad()
        yield first, second


def norms():
    weight, spectral = torch.nn.utils.weight_norm, torch.nn.utils.spectral_norm
    net = nn.Sequential(weight(nn.Linear(6, 8)), nn.Tanh(), spectral(nn.Linear(8, 8), n_power_iterations=2), nn.ReLU(),
                        weight(nn.Linear(8, 3), dim=None))
    init(net)
    net[2].weight_u.copy_(F.normalize(wave(8, phase=1), dim=0))
    net[2].weight_v.copy_(F.normalize(wave(8, phase=2), dim=0))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for t in range(STEPS):
        loss = F.cross_entropy(net(wave(8, 6, phase=t)), ints(3, 8, phase=t))
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, sum(v.abs().sum() for v in net.state_dict().values())


PROGRAMS = [vae, gan, dqn, lm, unet, moco, accumulate, maml, gnn, tied, flow, sam, norms]

if __name__ == '__main__':
    torch.set_num_threads(1)
    made = {program.__name__: [[float(v) for v in values] for values in program()] for program in PROGRAMS}
    with open(sys.argv[1], 'w') as file:
        json.dump(made, file, indent=0)
        file.write('\n')
    for name, steps in made.items():
        print(name, [round(values[0], 4) for values in steps])
