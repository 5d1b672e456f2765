"""Gradients where formulas disagree: at ties, kinks, zeros, infinities and NaN, by PyTorch in float64, for tests/torch.

    python3 scripts/torch/gradients.py tests/torch/gradients.json.gz      # needs torch; some seconds

A case is a call of ours and PyTorch's gradients of Σ w · result, w = 1, 2, 3, … over each result's elements in order:
    { "op": our name, "args": [value], "inputs": [[dtype, shape, values]], "gradients": [values or null], "results": [index] }
In args {"$": i} stands for input i. "results": which of the op's results are summed (PyTorch's differentiable ones).
Floats that JSON cannot hold are strings: "nan", "inf", "-inf", "-0".
"""
import gzip
import json
import math
import sys

import torch
import torch.nn.functional as F

INF, NAN = math.inf, math.nan
CASES = []


def written(x):
    if isinstance(x, int):
        return x
    if math.isnan(x):
        return 'nan'
    if math.isinf(x):
        return 'inf' if x > 0 else '-inf'
    return '-0' if x == 0 and math.copysign(1, x) < 0 else x


def flat(tensor):
    return [written(x) for x in tensor.detach().reshape(-1).tolist()]


def case(op, function, inputs, args, results=(0,)):
    """`inputs`: nested lists; lists of ints become i64, bools bool, all others f64."""
    tensors = [torch.tensor(x) if not isinstance(x, torch.Tensor) else x for x in inputs]
    tensors = [t.double() if t.is_floating_point() else t for t in tensors]
    leaves = [t.clone().requires_grad_() if t.is_floating_point() else t for t in tensors]
    found = function(*leaves)
    outs = found if isinstance(found, (tuple, list)) else [found]
    counted = [out for out in outs if out.requires_grad]
    if not counted:
        raise ValueError(f'{op}: no gradient')
    weights = [torch.arange(1, out.numel() + 1, dtype=torch.float64).reshape(out.shape) for out in counted]
    torch.autograd.backward(counted, weights)
    names = {torch.float64: 'f64', torch.int64: 'i64', torch.bool: 'bool'}
    CASES.append({
        'op': op,
        'args': args,
        'inputs': [[names[t.dtype], list(t.shape), flat(t) if t.dtype != torch.bool else [int(x) for x in t.reshape(-1).tolist()]] for t in tensors],
        'gradients': [None if not t.is_floating_point() or t.grad is None else flat(t.grad) for t in leaves],
        'results': list(results),
    })


def arg(i):
    return {'$': i}


LINE = [-INF, -1000., -7., -3., -2., -1., -0.5, -0.25, -0., 0., 0.25, 0.5, 1., 2., 3., 6., 20., 21., 1000., INF, NAN]

UNARY = {
    'relu': F.relu, 'relu6': F.relu6, 'hardtanh': F.hardtanh, 'hardsigmoid': F.hardsigmoid, 'hardswish': F.hardswish,
    'hardshrink': F.hardshrink, 'softshrink': F.softshrink, 'leakyRelu': F.leaky_relu, 'elu': F.elu, 'selu': F.selu,
    'celu': F.celu, 'softplus': F.softplus, 'logSigmoid': F.logsigmoid, 'silu': F.silu, 'mish': F.mish,
    'gelu': F.gelu, 'tanhshrink': F.tanhshrink, 'softsign': F.softsign,
    'abs': torch.abs, 'sign': torch.sign, 'neg': torch.neg, 'floor': torch.floor, 'round': torch.round,
    'frac': torch.frac, 'trunc': torch.trunc, 'sqrt': torch.sqrt, 'rsqrt': torch.rsqrt, 'exp': torch.exp,
    'expm1': torch.expm1, 'exp2': torch.exp2, 'log': torch.log, 'log2': torch.log2, 'log10': torch.log10,
    'log1p': torch.log1p, 'reciprocal': torch.reciprocal, 'square': torch.square, 'sigmoid': torch.sigmoid,
    'tanh': torch.tanh, 'sin': torch.sin, 'cos': torch.cos, 'atan': torch.atan, 'asin': torch.asin, 'acos': torch.acos,
    'sinh': torch.sinh, 'cosh': torch.cosh, 'asinh': torch.asinh, 'acosh': torch.acosh, 'atanh': torch.atanh,
    'erf': torch.erf, 'erfc': torch.erfc, 'erfinv': torch.erfinv, 'sinc': torch.sinc, 'nanToNum': torch.nan_to_num,
    'logit': torch.logit, 'digamma': torch.digamma, 'lgamma': torch.lgamma, 'entr': torch.special.entr,
    'deg2rad': torch.deg2rad,
}
for name, function in UNARY.items():
    case(name, function, [LINE], [arg(0)])
case('gelu', lambda x: F.gelu(x, approximate='tanh'), [LINE], [arg(0), {'approximate': 'tanh'}])
case('threshold', lambda x: F.threshold(x, 1., 5.), [LINE], [arg(0), 1, 5])
case('clamp', lambda x: x.clamp(-1, 2), [LINE], [arg(0), -1, 2])
case('clamp', lambda x: x.clamp(min=0), [LINE], [arg(0), 0])
case('logit', lambda x: torch.logit(x, 0.25), [LINE], [arg(0), 0.25])
case('hardtanh', lambda x: F.hardtanh(x, -2, 3), [LINE], [arg(0), -2, 3])
case('prelu', F.prelu, [[LINE], [0.25]], [arg(0), arg(1)])
for power in [0, 1, 2, 3, -1, 0.5, -0.5]:
    case('pow', lambda x: x.pow(power), [LINE], [arg(0), power])

POINTS = [-INF, -2., -1., -0., 0., 0.5, 1., 2., INF, NAN]
LEFT = [x for x in POINTS for _ in POINTS]
RIGHT = [y for _ in POINTS for y in POINTS]
BINARY = {
    'maximum': torch.maximum, 'minimum': torch.minimum, 'fmax': torch.fmax, 'fmin': torch.fmin, 'mul': torch.mul,
    'div': torch.div, 'sub': torch.sub, 'pow': torch.pow, 'remainder': torch.remainder, 'fmod': torch.fmod,
    'copysign': torch.copysign, 'atan2': torch.atan2, 'hypot': torch.hypot, 'xlogy': torch.xlogy,
    'xlog1py': torch.special.xlog1py, 'logaddexp': torch.logaddexp, 'logaddexp2': torch.logaddexp2,
}
for name, function in BINARY.items():
    case(name, function, [LEFT, RIGHT], [arg(0), arg(1)])
case('clamp', lambda x, a, b: torch.clamp(x, a, b), [LEFT, RIGHT, [0.] * len(LEFT)], [arg(0), arg(1), arg(2)])

ROWS = [[1., 3., 3., 2.], [0., 0., 0., 0.], [0., 2., 0., 5.], [3., 0., 4., 2.], [NAN, 1., 2., 2.], [INF, INF, 1., 0.],
        [-INF, -INF, -INF, -INF], [-1., -1., 5., -INF]]
FINITE = ROWS[:4]
REDUCED = {
    'amax': lambda x: x.amax(-1), 'amin': lambda x: x.amin(-1), 'prod': lambda x: x.prod(-1),
    'logsumexp': lambda x: x.logsumexp(-1), 'softmax': lambda x: x.softmax(-1), 'logSoftmax': lambda x: x.log_softmax(-1),
    'cumsum': lambda x: x.cumsum(-1), 'cumprod': lambda x: x.cumprod(-1), 'std': lambda x: x.std(-1), 'var': lambda x: x.var(-1),
    'logcumsumexp': lambda x: x.logcumsumexp(-1),
}
for name, function in REDUCED.items():
    case(name, function, [FINITE if name in ('std', 'logcumsumexp') else ROWS], [arg(0), -1])
case('max', lambda x: x.max(), [ROWS[:1]], [arg(0)])
case('min', lambda x: x.min(), [ROWS[1:2]], [arg(0)])
case('prod', lambda x: x.prod(), [ROWS[2:4]], [arg(0)])
case('cummax', lambda x: x.cummax(-1)[0], [ROWS[:4] + ROWS[5:]], [arg(0), -1])
case('cummin', lambda x: x.cummin(-1)[0], [ROWS[:4] + ROWS[5:]], [arg(0), -1])
case('maxWithIndices', lambda x: x.max(-1)[0], [ROWS], [arg(0), -1])
case('minWithIndices', lambda x: x.min(-1)[0], [ROWS], [arg(0), -1])
case('median', lambda x: x.median(), [[5., 1., 4., 2., 3.]], [arg(0)])
case('medianWithIndices', lambda x: x.median(-1)[0], [[[5., 1., 4., 2.], [2., 0., 1., 7.]]], [arg(0), -1])
case('kthvalue', lambda x: x.kthvalue(2, -1)[0], [[[5., 1., 4., 2.], [2., 0., 1., 7.]]], [arg(0), 2, -1])
case('sort', lambda x: x.sort(dim=-1, stable=True)[0], [ROWS], [arg(0), -1])
case('topk', lambda x: x.topk(2, -1)[0], [[[5., 1., 4., 2.], [2., 0., 1., 7.]]], [arg(0), 2, -1])
for p in [0, 0.5, 1, 1.5, 2, 3, INF, -INF]:
    zeros = [[3., -4., 0., 1.], [0., 0., 0., 0.], [2., -2., 2., 0.5]]
    case('norm', lambda x: torch.norm(x, p, -1), [zeros], [arg(0), p if math.isfinite(p) else written(p), [-1]])
case('normalize', lambda x: F.normalize(x), [[[3., 4.], [0., 0.]]], [arg(0)])
case('cdist', lambda x, y: torch.cdist(x, y), [[[1., 2.], [3., 4.]], [[1., 2.], [0., 0.]]], [arg(0), arg(1)])
case('cdist', lambda x, y: torch.cdist(x, y, 1.), [[[1., 2.], [3., 4.]], [[1., 2.], [0., 0.]]], [arg(0), arg(1), 1])
case('pairwiseDistance', lambda x, y: F.pairwise_distance(x, y), [[[1., 2.], [3., 4.]], [[1., 2.], [0., 0.]]], [arg(0), arg(1)])
case('cosineSimilarity', lambda x, y: F.cosine_similarity(x, y), [[[1., 2.], [3., 4.]], [[1., 2.], [2., 0.]]], [arg(0), arg(1)])

INDEX = [[0, 0, 1], [2, 1, 2]]
SELF = [[1., 2., 3.], [4., 0., 6.], [0., 0., 9.]]
SOURCE = [[1., 2., 3.], [0., 0., 9.]]
for reduce, ours in [('sum', 'sum'), ('prod', 'prod'), ('amax', 'amax'), ('amin', 'amin')]:
    for include in [True, False]:
        case('scatterReduce', lambda s, i, x: s.scatter_reduce(1, i, x, reduce, include_self=include),
             [SELF, torch.tensor(INDEX), SOURCE], [arg(0), 1, arg(1), arg(2), ours, {'includeSelf': include}])
case('scatterAdd', lambda s, i, x: s.scatter_add(1, i, x), [SELF, torch.tensor(INDEX), SOURCE], [arg(0), 1, arg(1), arg(2)])
case('gather', lambda s, i: s.gather(1, i), [SELF, torch.tensor(INDEX)], [arg(0), 1, arg(1)])
case('indexSelect', lambda s, i: s.index_select(0, i), [SELF, torch.tensor([0, 2, 0])], [arg(0), 0, arg(1)])
case('embedding', lambda i, w: F.embedding(i, w, padding_idx=1), [torch.tensor(INDEX), SELF], [arg(0), arg(1), {'paddingIdx': 1}])
case('embedding', lambda i, w: F.embedding(i, w), [torch.tensor(INDEX), SELF], [arg(0), arg(1)])

IMAGE = [[[[1., 1., 0., 2.], [1., 1., 2., 2.], [0., 3., 3., 0.], [0., 0., 0., 0.]]]]
case('maxPool2d', lambda x: F.max_pool2d(x, 2), [IMAGE], [arg(0), [2, 2]])
case('maxPool2d', lambda x: F.max_pool2d(x, 2, 1), [IMAGE], [arg(0), [2, 2], {'stride': [1, 1]}])
case('adaptiveMaxPool2d', lambda x: F.adaptive_max_pool2d(x, 2), [IMAGE], [arg(0), [2, 2]])

SCORES = [[1., 2., 3.], [1000., 0., -1000.], [0., 0., 0.]]
case('crossEntropy', F.cross_entropy, [SCORES, torch.tensor([2, 0, 1])], [arg(0), arg(1)])
case('crossEntropy', lambda x, t: F.cross_entropy(x, t, ignore_index=0), [SCORES, torch.tensor([2, 0, 1])], [arg(0), arg(1), {'ignoreIndex': 0}])
case('crossEntropy', lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), [SCORES, torch.tensor([2, 0, 1])], [arg(0), arg(1), {'labelSmoothing': 0.1}])
case('mseLoss', F.mse_loss, [[1., 2., 3.], [1., 0., 5.]], [arg(0), arg(1)])
case('l1Loss', F.l1_loss, [[1., 2., 3.], [1., 0., 5.]], [arg(0), arg(1)])
case('smoothL1Loss', F.smooth_l1_loss, [[1., 2., 3., 4.], [1., 1., 5., 4.5]], [arg(0), arg(1)])
case('huberLoss', F.huber_loss, [[1., 2., 3., 4.], [1., 1., 5., 4.5]], [arg(0), arg(1)])
case('binaryCrossEntropyWithLogits', F.binary_cross_entropy_with_logits, [[-1000., 0., 1000., 2.], [0., 1., 1., 0.5]], [arg(0), arg(1)])
case('binaryCrossEntropy', F.binary_cross_entropy, [[0., 0.5, 1., 0.25], [0., 1., 1., 0.5]], [arg(0), arg(1)])
case('klDiv', lambda x, t: F.kl_div(x, t, reduction='sum'), [[-1., -2., 0.], [0.5, 0., 0.25]], [arg(0), arg(1), {'reduction': 'sum'}])
case('hingeEmbeddingLoss', F.hinge_embedding_loss, [[1., 0.5, 2., 1.], [1., -1., -1., -1.]], [arg(0), arg(1)])
case('marginRankingLoss', F.margin_ranking_loss, [[1., 2., 3.], [1., 1., 4.], [1., -1., 1.]], [arg(0), arg(1), arg(2)])
case('layerNorm', lambda x: F.layer_norm(x, [4]), [[[1., 2., 3., 4.], [5., 5., 5., 5.]]], [arg(0), [4]])

with gzip.GzipFile(sys.argv[1], 'wb', mtime=0) as out:
    out.write(json.dumps({'torch': torch.__version__, 'cases': CASES}, separators=(',', ':')).encode())
print(len(CASES), 'cases')
