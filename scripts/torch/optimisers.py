"""Reference data for tests/optim: trajectories of PyTorch's optimisers, and learning rates of its schedules.

    /usr/bin/python3 scripts/torch/optimisers.py     # needs torch >= 1.13; some seconds on one core

writes optimisers.json.gz beside itself. Lion and Muon, which torch 1.13 lacks, are computed here by the formulas of their
papers in plain Python: "Symbolic Discovery of Optimization Algorithms" (Chen et al. 2023, algorithm 2) and
https://kellerjordan.github.io/posts/muon (with torch.optim.Muon's update of torch 2.9).

A trajectory is 12 steps in float64 of three parameters of shapes [3, 4], [4] and [1] whose gradients are formulas:
parameter p, element i starts at cos(0.7 i + p), and its gradient at step t (from 0) is
0.5 x + 0.3 sin(2 x) + sin(1.7 t + 0.9 i + p). Parameter 1 has no gradient in the steps that `missing` names.
The JSON is { torch, trajectories: [{ name, optimiser, options, groups?, missing, lrs?, weights: {step: [[...], ...]},
state? }], schedules: [{ name, args, options, base, values: [...] , momenta? }],
plateaus, lbfgs }; `weights` are those after steps 1, 2 and 12.
"""
import functools
import gzip
import json
import math
import os

import torch

SHAPES = [[3, 4], [4], [1]]
STEPS = 12
KEPT = (1, 2, 12)


def start(p, shape):
    count = math.prod(shape)
    return torch.tensor([math.cos(0.7 * i + p) for i in range(count)], dtype=torch.float64).reshape(shape)


def gradient(p, x, t):
    at = torch.arange(x.numel(), dtype=torch.float64).reshape(x.shape)
    return 0.5 * x + 0.3 * torch.sin(2 * x) + torch.sin(1.7 * t + 0.9 * at + p)


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay, maximize=maximize))

    def step(self):
        for group in self.param_groups:
            lr, (b1, b2), decay = group['lr'], group['betas'], group['weight_decay']
            for p in group['params']:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state['exp_avg'] = torch.zeros_like(p)
                m, g = state['exp_avg'], -p.grad if group['maximize'] else p.grad
                for i in range(p.numel()):
                    x, gi, mi = p.view(-1), g.reshape(-1)[i].item(), m.view(-1)[i].item()
                    c = b1 * mi + (1 - b1) * gi
                    x.data[i] -= lr * ((c > 0) - (c < 0) + decay * x[i].item())
                    m.view(-1)[i] = b2 * mi + (1 - b2) * gi


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def newton_schulz(g, steps, coefficients, eps):
    a, b, c = coefficients
    tall = len(g) > len(g[0])
    x = [list(col) for col in zip(*g)] if tall else [list(row) for row in g]
    norm = max(math.sqrt(sum(v * v for row in x for v in row)), eps)
    x = [[v / norm for v in row] for row in x]
    for _ in range(steps):
        gram = matmul(x, [list(col) for col in zip(*x)])
        square = matmul(gram, gram)
        update = [[b * u + c * v for u, v in zip(r, s)] for r, s in zip(gram, square)]
        moved = matmul(update, x)
        x = [[a * u + v for u, v in zip(r, s)] for r, s in zip(x, moved)]
    return [list(col) for col in zip(*x)] if tall else x


class Muon(torch.optim.Optimizer):
    """Parameters of two dims; the others by torch's AdamW, as tegula does."""

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_steps=5,
                 ns_coefficients=(3.4445, -4.7750, 2.0315), eps=1e-7, adjust_lr_fn='original', adamw=None):
        params = list(params)
        rest = [p for p in params if p.dim() != 2]
        self.adamw = torch.optim.AdamW(rest, **{'lr': lr, 'weight_decay': weight_decay, **(adamw or {})})
        super().__init__([p for p in params if p.dim() == 2], dict(
            lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_steps=ns_steps,
            ns_coefficients=ns_coefficients, eps=eps, adjust_lr_fn=adjust_lr_fn))

    def step(self):
        self.adamw.step()
        for group in self.param_groups:
            lr, beta = group['lr'], group['momentum']
            for p in group['params']:
                state = self.state[p]
                if not state:
                    state['momentum_buffer'] = torch.zeros_like(p)
                buffer, g = state['momentum_buffer'], p.grad
                buffer.mul_(beta).add_(g * (1 - beta))
                update = g * (1 - beta) + buffer * beta if group['nesterov'] else buffer
                o = newton_schulz(update.tolist(), group['ns_steps'], group['ns_coefficients'], group['eps'])
                rows, columns = p.shape
                ratio = (math.sqrt(max(1, rows / columns)) if group['adjust_lr_fn'] == 'original'
                         else 0.2 * math.sqrt(max(rows, columns)))
                p.data.mul_(1 - lr * group['weight_decay'])
                p.data.sub_(torch.tensor(o, dtype=torch.float64) * (lr * ratio))


OPTIMISERS = {name: getattr(torch.optim, name) for name in (
    'SGD', 'Adam', 'AdamW', 'Adagrad', 'RMSprop', 'Adadelta', 'Adamax', 'NAdam', 'RAdam', 'Rprop', 'ASGD')}
# By itself the update of one tensor of torch 1.13 takes a momentum twice.
OPTIMISERS['NAdam'] = functools.partial(torch.optim.NAdam, foreach=True)
OPTIMISERS.update(Lion=Lion, Muon=Muon)


def trajectory(name, optimiser, options, groups=None, missing=(), lrs=None, state=False):
    params = [torch.nn.Parameter(start(p, shape)) for p, shape in enumerate(SHAPES)]
    given = params if groups is None else [
        {**{k: v for k, v in group.items() if k != 'params'}, 'params': [params[i] for i in group['params']]}
        for group in groups]
    made = OPTIMISERS[optimiser](given, **options)
    weights = {}
    for t in range(STEPS):
        if lrs is not None:
            for group in made.param_groups:
                group['lr'] = lrs[t]
        for p, param in enumerate(params):
            param.grad = None if p == 1 and t in missing else gradient(p, param.detach(), t)
        with torch.no_grad():
            made.step()
        if t + 1 in KEPT:
            weights[t + 1] = [param.detach().reshape(-1).tolist() for param in params]
    result = dict(name=name, optimiser=optimiser, options=options, missing=list(missing), weights=weights)
    if groups is not None:
        result['groups'] = groups
    if lrs is not None:
        result['lrs'] = lrs
    if state:
        saved = made.state_dict()
        plain = lambda v: v.reshape(-1).tolist() if isinstance(v, torch.Tensor) else v
        result['state'] = dict(
            state={k: {n: plain(v) for n, v in s.items()} for k, s in saved['state'].items()},
            param_groups=saved['param_groups'])
    return result


def trajectories():
    gaps = (1, 5)
    cases = [
        ('plain', 'SGD', dict(lr=0.1)),
        ('weight decay', 'SGD', dict(lr=0.1, weight_decay=0.05)),
        ('momentum', 'SGD', dict(lr=0.1, momentum=0.9)),
        ('dampening', 'SGD', dict(lr=0.1, momentum=0.9, dampening=0.3)),
        ('nesterov', 'SGD', dict(lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)),
        ('maximize', 'SGD', dict(lr=0.1, momentum=0.5, maximize=True)),
        ('defaults', 'Adam', dict()),
        ('betas and eps', 'Adam', dict(lr=0.05, betas=(0.8, 0.95), eps=1e-3)),
        ('weight decay', 'Adam', dict(lr=0.05, weight_decay=0.1)),
        ('amsgrad', 'Adam', dict(lr=0.05, amsgrad=True)),
        ('maximize', 'Adam', dict(lr=0.05, maximize=True)),
        ('defaults', 'AdamW', dict(lr=0.05)),
        ('amsgrad', 'AdamW', dict(lr=0.05, weight_decay=0.2, amsgrad=True)),
        ('maximize', 'AdamW', dict(lr=0.05, maximize=True)),
        ('defaults', 'Adagrad', dict(lr=0.1)),
        ('everything', 'Adagrad', dict(lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.2, eps=1e-4)),
        ('maximize', 'Adagrad', dict(lr=0.1, maximize=True)),
        ('defaults', 'RMSprop', dict(lr=0.02)),
        ('centered', 'RMSprop', dict(lr=0.02, alpha=0.9, centered=True)),
        ('momentum', 'RMSprop', dict(lr=0.02, momentum=0.9, weight_decay=0.1, eps=1e-4)),
        ('centered with momentum', 'RMSprop', dict(lr=0.02, alpha=0.8, momentum=0.5, centered=True)),
        ('maximize', 'RMSprop', dict(lr=0.02, maximize=True)),
        ('defaults', 'Adadelta', dict()),
        ('everything', 'Adadelta', dict(lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1)),
        ('maximize', 'Adadelta', dict(maximize=True)),
        ('defaults', 'Adamax', dict(lr=0.05)),
        ('everything', 'Adamax', dict(lr=0.05, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1)),
        ('maximize', 'Adamax', dict(lr=0.05, maximize=True)),
        ('defaults', 'NAdam', dict(lr=0.05)),
        ('everything', 'NAdam', dict(lr=0.05, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1, momentum_decay=0.1)),
        ('defaults', 'RAdam', dict(lr=0.05)),
        ('everything', 'RAdam', dict(lr=0.05, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1)),
        ('defaults', 'Rprop', dict()),
        ('everything', 'Rprop', dict(lr=0.05, etas=(0.6, 1.5), step_sizes=(0.02, 0.3))),
        ('defaults', 'ASGD', dict(lr=0.1)),
        ('everything', 'ASGD', dict(lr=0.1, lambd=0.02, alpha=0.6, t0=4, weight_decay=0.1)),
        ('defaults', 'Lion', dict(lr=0.01)),
        ('weight decay', 'Lion', dict(lr=0.01, betas=(0.8, 0.95), weight_decay=0.3)),
        ('maximize', 'Lion', dict(lr=0.01, maximize=True)),
        ('defaults', 'Muon', dict(lr=0.02)),
        ('plain momentum', 'Muon', dict(lr=0.02, nesterov=False, momentum=0.8, weight_decay=0.0, ns_steps=3)),
        ('as AdamW', 'Muon', dict(lr=0.02, adjust_lr_fn='match_rms_adamw', adamw=dict(betas=(0.8, 0.9), lr=0.01))),
    ]
    made = [trajectory(*case) for case in cases]
    some = [
        ('SGD', dict(lr=0.1, momentum=0.9, dampening=0.3)),
        ('Adam', dict(lr=0.05, amsgrad=True)),
        ('AdamW', dict(lr=0.05)),
        ('Adagrad', dict(lr=0.1, lr_decay=0.1)),
        ('RMSprop', dict(lr=0.02, momentum=0.9, centered=True)),
        ('Adadelta', dict()),
        ('Adamax', dict(lr=0.05)),
        ('NAdam', dict(lr=0.05)),
        ('RAdam', dict(lr=0.05)),
        ('Lion', dict(lr=0.01)),
        ('Rprop', dict()),
        ('ASGD', dict(lr=0.1, t0=3)),
    ]
    made += [trajectory('gradients that are missing', name, options, missing=gaps, state=True) for name, options in some]
    made += [
        trajectory('groups', 'SGD', dict(lr=0.1), groups=[
            dict(params=[2, 0]), dict(params=[1], lr=0.02, momentum=0.9, nesterov=True)]),
        trajectory('groups', 'AdamW', dict(lr=0.05), groups=[
            dict(params=[1, 2], weight_decay=0.0), dict(params=[0], betas=(0.5, 0.6))]),
        trajectory('learning rates', 'AdamW', dict(lr=0.05), lrs=[0.01 * (t + 1) for t in range(STEPS)]),
        trajectory('learning rates', 'SGD', dict(lr=0.05, momentum=0.9), lrs=[0.1 / (t + 1) for t in range(STEPS)]),
    ]
    return made


def schedules():
    S = torch.optim.lr_scheduler
    polynomial = getattr(S, 'PolynomialLR')
    count = 30

    def values(name, ours, make, args=(), options=None, momentum=False):
        optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.4, momentum=0.9)
        made = make(optimiser)
        lrs, momenta = [], []
        for _ in range(count):
            lrs.append(optimiser.param_groups[0]['lr'])
            momenta.append(optimiser.param_groups[0]['momentum'])
            optimiser.step()
            try:
                made.step()
            except ValueError:  # one-cycle is over
                break
        result = dict(name=name, schedule=ours, args=list(args), options=options or {}, values=lrs)
        if momentum:
            result['momenta'] = momenta
        return result

    warm = lambda o: S.LinearLR(o, start_factor=0.1, total_iters=5)
    made = [
        values('every 4', 'stepLR', lambda o: S.StepLR(o, 4), [4]),
        values('every 3, half', 'stepLR', lambda o: S.StepLR(o, 3, gamma=0.5), [3], dict(gamma=0.5)),
        values('milestones', 'multiStep', lambda o: S.MultiStepLR(o, [3, 9, 9, 14], gamma=0.3), [[3, 9, 9, 14]], dict(gamma=0.3)),
        values('exponential', 'exponential', lambda o: S.ExponentialLR(o, 0.9), [0.9]),
        values('cosine', 'cosine', lambda o: S.CosineAnnealingLR(o, 10), [10]),
        values('cosine to a minimum', 'cosine', lambda o: S.CosineAnnealingLR(o, 29, eta_min=0.05), [29], dict(etaMin=0.05)),
        values('restarts', 'cosineRestarts', lambda o: S.CosineAnnealingWarmRestarts(o, 7), [7]),
        values('longer restarts', 'cosineRestarts', lambda o: S.CosineAnnealingWarmRestarts(o, 4, T_mult=2, eta_min=0.01), [4], dict(tMult=2, etaMin=0.01)),
        values('linear', 'linear', S.LinearLR),
        values('warm-up', 'linear', lambda o: S.LinearLR(o, start_factor=0.1, end_factor=0.9, total_iters=8), [], dict(startFactor=0.1, endFactor=0.9, totalIters=8)),
        values('constant', 'constant', lambda o: S.ConstantLR(o, factor=0.25, total_iters=6), [], dict(factor=0.25, totalIters=6)),
        values('polynomial', 'polynomial', lambda o: polynomial(o, total_iters=12, power=1.5), [], dict(totalIters=12, power=1.5)),
        values('polynomial of default', 'polynomial', polynomial),
        values('one cycle', 'oneCycle', lambda o: S.OneCycleLR(o, 1.0, total_steps=24), [1.0], dict(totalSteps=24), True),
        values('one cycle, linear, in three phases', 'oneCycle', lambda o: S.OneCycleLR(
            o, 0.8, epochs=4, steps_per_epoch=5, pct_start=0.4, anneal_strategy='linear', div_factor=10, final_div_factor=100,
            three_phase=True, base_momentum=0.6, max_momentum=0.8), [0.8], dict(
            epochs=4, stepsPerEpoch=5, pctStart=0.4, annealStrategy='linear', divFactor=10, finalDivFactor=100,
            threePhase=True, baseMomentum=0.6, maxMomentum=0.8), True),
        values('warm-up, then cosine', 'sequential', lambda o: S.SequentialLR(o, [warm(o), S.CosineAnnealingLR(o, 20)], [5])),
        values('multiplicative', 'multiplicative', lambda o: S.MultiplicativeLR(o, lambda t: 0.95 - 0.01 * t)),
        values('cyclic', 'cyclic', lambda o: S.CyclicLR(o, 0.1, 0.9, step_size_up=5), [0.1, 0.9], dict(stepSizeUp=5), True),
        values('cyclic, halved', 'cyclic', lambda o: S.CyclicLR(
            o, 0.1, 0.9, step_size_up=3, step_size_down=6, mode='triangular2', base_momentum=0.5, max_momentum=0.7), [0.1, 0.9], dict(
            stepSizeUp=3, stepSizeDown=6, mode='triangular2', baseMomentum=0.5, maxMomentum=0.7), True),
        values('cyclic, decaying', 'cyclic', lambda o: S.CyclicLR(
            o, 0.1, 0.9, step_size_up=4, mode='exp_range', gamma=0.9, cycle_momentum=False), [0.1, 0.9], dict(
            stepSizeUp=4, mode='exp_range', gamma=0.9, cycleMomentum=False)),
        values('lambda', 'lambda', lambda o: S.LambdaLR(o, lambda t: 0.95 ** t / (1 + t))),
    ]
    return made


def lbfgs():
    """Weights after three steps that minimise Rosenbrock's function, and how often it was called."""
    cases = [
        ({}, {}),
        (dict(lr=0.5, max_iter=7, history_size=3), dict(lr=0.5, maxIter=7, historySize=3)),
        (dict(line_search_fn='strong_wolfe'), dict(lineSearchFn='strongWolfe')),
        (dict(lr=0.1, line_search_fn='strong_wolfe', max_iter=5, max_eval=40), dict(
            lr=0.1, lineSearchFn='strongWolfe', maxIter=5, maxEval=40)),
    ]
    made = []
    for theirs, ours in cases:
        x = torch.nn.Parameter(torch.tensor([[-1.2, 1.0], [0.5, -0.3]], dtype=torch.float64))
        y = torch.nn.Parameter(torch.tensor([0.7], dtype=torch.float64))
        optimiser = torch.optim.LBFGS([x, y], **theirs)
        calls = 0

        def closure():
            nonlocal calls
            calls += 1
            optimiser.zero_grad()
            z = torch.cat([x.reshape(-1), y])
            loss = (10 * (z[1:] - z[:-1] ** 2) ** 2 + (1 - z[:-1]) ** 2).sum()
            loss.backward()
            return loss

        losses = [optimiser.step(closure).item() for _ in range(3)]
        made.append(dict(options=ours, losses=losses, weights=[x.reshape(-1).tolist(), y.tolist()], calls=calls))
    return made


def plateaus():
    """Learning rates of ReduceLROnPlateau; the metrics are in the file."""
    metrics = [1.0, 0.9, 0.95, 0.94, 0.93, 0.92, 0.91, 0.9, 0.5, 0.49, 0.495, 0.4951, 0.4952, 0.6, 0.7, 0.8, 0.8, 0.8, 0.2, 0.2]
    cases = [
        ({}, {}),
        (dict(factor=0.5, patience=2), dict(factor=0.5, patience=2)),
        (dict(mode='max', factor=0.2, patience=1, cooldown=2), dict(mode='max', factor=0.2, patience=1, cooldown=2)),
        (dict(threshold=0.05, threshold_mode='abs', patience=1, min_lr=0.03), dict(threshold=0.05, thresholdMode='abs', patience=1, minLr=0.03)),
        (dict(threshold=0.1, patience=0, eps=0.01), dict(threshold=0.1, patience=0, eps=0.01)),
    ]
    made = []
    for theirs, ours in cases:
        optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.4)
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, **theirs)
        lrs = []
        for metric in metrics:
            schedule.step(metric)
            lrs.append(optimiser.param_groups[0]['lr'])
        made.append(dict(options=ours, metrics=metrics, values=lrs))
    return made


if __name__ == '__main__':
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)  # NAdam keeps a product of numbers in it
    data = dict(torch=torch.__version__, trajectories=trajectories(), schedules=schedules(), plateaus=plateaus(), lbfgs=lbfgs())
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'optimisers.json.gz')
    with open(path, 'wb') as raw, gzip.GzipFile(fileobj=raw, mode='wb', mtime=0) as file:
        file.write(json.dumps(data, separators=(',', ':')).encode())
    print(f'{len(data["trajectories"])} trajectories, {len(data["schedules"])} schedules, {os.path.getsize(path)} bytes')
