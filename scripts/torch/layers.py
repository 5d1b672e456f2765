"""Reference data for tests/nn/torch.test.ts: what PyTorch's layers give, in float64.

    python3 scripts/torch/layers.py tests/nn/layers.json.gz     # needs torch, CPU only; some seconds

A case is a layer with its arguments (options in snake_case), the kinds of its inputs, the names and shapes of its state dict
in order, its results after eval() and (if `train`) in training, and its buffers after that call. State and inputs are not
stored: `values` computes them, here and in the test, from a number.
"""
import gzip
import json
import sys

import torch
from torch import nn

torch.set_num_threads(2)


def values(shape, seed, kind):
    n = 1
    for size in shape:
        n *= size
    u = [((i * 7919 + seed * 104729 + 12345) % 1009) / 1009 for i in range(n)]
    if kind.startswith('int'):
        return torch.tensor([int(v * int(kind[3:])) for v in u], dtype=torch.int64).reshape(shape)
    if kind == 'bool':
        return torch.tensor([v < 0.3 for v in u]).reshape(shape)
    if kind == 'sign':
        return torch.tensor([1.0 if v < 0.5 else -1.0 for v in u], dtype=torch.float64).reshape(shape)
    scale, offset = {'float': (4, -2), 'small': (1, -0.5), 'unit': (0.9, 0.05), 'positive': (1, 0.5)}[kind]
    return torch.tensor([v * scale + offset for v in u], dtype=torch.float64).reshape(shape)


class RMSNorm(nn.Module):
    """Newer than this PyTorch."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        super().__init__()
        self.dims, self.eps = [-1 - i for i in range(len(normalized_shape))], eps
        self.weight = nn.Parameter(torch.ones(normalized_shape)) if elementwise_affine else None

    def forward(self, x):
        eps = torch.finfo(x.dtype).eps if self.eps is None else self.eps
        y = x * torch.rsqrt(x.pow(2).mean(self.dims, keepdim=True) + eps)
        return y if self.weight is None else y * self.weight


EXTRA = {'RMSNorm': RMSNorm}
CASES = []


def case(layer, args, options, *inputs, call=None, train=True):
    """inputs: [shape, kind]; call: further arguments by name, each [shape, kind] or plain."""
    CASES.append({'layer': layer, 'args': args, 'options': options, 'inputs': inputs, 'call': call or {}, 'train': train})


def tensor(given):
    return isinstance(given, (list, tuple)) and len(given) == 2 and isinstance(given[1], str)


def made(given, seed):
    return values(given[0], seed, given[1]) if tensor(given) else given


# --- the cases ---
x = lambda *shape: [list(shape), 'float']
case('Linear', [3, 4], {}, x(2, 3))
case('Linear', [3, 4], {'bias': False}, x(2, 2, 3))
case('Linear', [3, 4], {}, x(3))
case('Bilinear', [2, 3, 4], {}, x(5, 2), x(5, 3))
case('Bilinear', [2, 3, 4], {'bias': False}, x(5, 2), x(5, 3))
case('Identity', [], {}, x(2, 3))
case('Flatten', [], {}, x(2, 3, 2))
case('Flatten', [], {'start_dim': 0, 'end_dim': 1}, x(2, 3, 2))
case('Unflatten', [1, [2, -1]], {}, x(2, 6))
case('Conv1d', [2, 4, 3], {}, x(2, 2, 7))
case('Conv1d', [2, 4, 3], {'stride': 2, 'padding': 1, 'groups': 2, 'bias': False}, x(2, 2, 7))
case('Conv1d', [2, 3, 2], {'padding': 'same', 'dilation': 3}, x(2, 7))
case('Conv1d', [2, 3, 4], {'padding': 'same', 'padding_mode': 'circular'}, x(2, 2, 7))
case('Conv2d', [2, 3, 3], {'padding': 1}, x(2, 2, 4, 5))
case('Conv2d', [2, 4, [3, 2]], {'stride': [2, 1], 'padding': [1, 0], 'dilation': [1, 2], 'groups': 2}, x(2, 2, 5, 5))
case('Conv2d', [2, 2, 3], {'padding': [1, 2], 'padding_mode': 'reflect'}, x(1, 2, 4, 4))
case('Conv2d', [2, 2, 3], {'padding': [2, 1], 'padding_mode': 'replicate'}, x(2, 4, 4))
case('Conv2d', [2, 2, 3], {'padding': 'valid', 'padding_mode': 'reflect'}, x(1, 2, 4, 4))
case('Conv3d', [2, 2, 2], {'padding': 1, 'stride': 2}, x(1, 2, 3, 4, 3))
case('ConvTranspose1d', [2, 4, 3], {'stride': 2, 'padding': 1, 'output_padding': 1, 'groups': 2}, x(2, 2, 4))
case('ConvTranspose2d', [2, 3, 3], {'stride': 2}, x(1, 2, 3, 3))
case('ConvTranspose2d', [2, 3, [3, 2]], {'stride': [2, 3], 'dilation': [2, 1], 'bias': False}, x(1, 2, 3, 2))
case('ConvTranspose2d', [2, 1, 3], {'stride': 2}, x(1, 2, 3, 3), call={'output_size': [8, 7]})
case('ConvTranspose3d', [2, 2, 2], {'stride': 2}, x(1, 2, 2, 3, 2))
for d, shape in ((1, [3, 4]), (1, [3, 4, 5]), (2, [2, 4, 3, 2]), (3, [2, 4, 2, 3, 2])):
    case(f'BatchNorm{d}d', [4], {}, x(*shape))
case('BatchNorm1d', [4], {'momentum': None}, x(3, 4))
case('BatchNorm1d', [4], {'affine': False, 'eps': 0.1, 'momentum': 0.3}, x(3, 4))
case('BatchNorm2d', [4], {'track_running_stats': False}, x(2, 4, 3, 2))
for d, shape in ((1, [2, 3, 5]), (2, [2, 3, 3, 2]), (3, [2, 3, 2, 3, 2])):
    case(f'InstanceNorm{d}d', [3], {}, x(*shape))
case('InstanceNorm1d', [3], {'affine': True, 'track_running_stats': True}, x(2, 3, 5))
case('InstanceNorm2d', [3], {'affine': True}, x(3, 4, 2))
case('LayerNorm', [4], {}, x(3, 4))
case('LayerNorm', [[3, 4]], {'eps': 0.01}, x(2, 3, 4))
case('LayerNorm', [4], {'elementwise_affine': False}, x(3, 4))
case('RMSNorm', [[4]], {}, x(3, 4))
case('RMSNorm', [[3, 4]], {'eps': 0.01, 'elementwise_affine': False}, x(2, 3, 4))
case('GroupNorm', [2, 4], {}, x(2, 4, 3))
case('GroupNorm', [4, 4], {'affine': False}, x(2, 4, 3, 2))
case('LocalResponseNorm', [3], {'alpha': 0.01, 'beta': 0.6, 'k': 2}, x(2, 5, 3))
case('Embedding', [7, 3], {}, [[2, 4], 'int7'])
case('Embedding', [7, 3], {'padding_idx': -2, 'max_norm': 0.6}, [[2, 4], 'int7'])
for mode in ('mean', 'sum', 'max'):
    case('EmbeddingBag', [7, 3], {'mode': mode}, [[2, 4], 'int7'])
case('Dropout', [], {'p': 0.4}, x(2, 3), train=False)
case('Dropout2d', [], {}, x(2, 3, 2, 2), train=False)
case('AlphaDropout', [], {}, x(2, 3), train=False)
for layer, options in (
    ('ELU', {'alpha': 0.7}), ('CELU', {'alpha': 0.7}), ('Hardshrink', {}), ('Hardsigmoid', {}), ('Hardtanh', {'min_val': -0.5}),
    ('Hardswish', {}), ('LeakyReLU', {'negative_slope': 0.2}), ('LogSigmoid', {}), ('PReLU', {}), ('PReLU', {'num_parameters': 4}),
    ('ReLU', {}), ('ReLU6', {}), ('SELU', {}), ('GELU', {}), ('GELU', {'approximate': 'tanh'}), ('Sigmoid', {}), ('SiLU', {}),
    ('Mish', {}), ('Softplus', {'beta': 2, 'threshold': 3}), ('Softshrink', {'lambd': 0.3}), ('Softsign', {}), ('Tanh', {}),
    ('Tanhshrink', {}), ('GLU', {}), ('GLU', {'dim': 0}),
):
    case(layer, [], options, x(2, 4))
case('RReLU', [], {'lower': 0.1, 'upper': 0.5}, x(2, 4), train=False)
case('Threshold', [0.5, -3.0], {}, x(2, 4))
for layer in ('Softmax', 'Softmin', 'LogSoftmax'):
    case(layer, [1], {}, x(2, 4))
case('Softmax2d', [], {}, x(2, 3, 2, 2))
sizes = {1: [2, 3, 6], 2: [2, 2, 5, 6], 3: [1, 2, 4, 4, 4]}
for d, shape in sizes.items():
    case(f'MaxPool{d}d', [2], {}, x(*shape))
    case(f'MaxPool{d}d', [3], {'stride': 2, 'padding': 1, 'ceil_mode': True}, x(*shape))
    case(f'AvgPool{d}d', [2], {}, x(*shape))
    case(f'AvgPool{d}d', [3], {'stride': 2, 'padding': 1, 'count_include_pad': False}, x(*shape))
    case(f'AdaptiveAvgPool{d}d', [2], {}, x(*shape))
    case(f'AdaptiveMaxPool{d}d', [3], {}, x(*shape))
    for kind, mode in (('ZeroPad', None), ('ReflectionPad', None), ('ReplicationPad', None)):
        if kind != 'ZeroPad' or d == 2:
            case(f'{kind}{d}d', [1], {}, x(*shape))
    case(f'ConstantPad{d}d', [list(range(1, 2 * d + 1)), 3.5], {}, x(1, 1, *([2] * d)))
case('MaxPool2d', [[2, 1]], {'dilation': [2, 1]}, x(1, 5, 4))
case('AvgPool2d', [2], {'divisor_override': 3}, x(1, 5, 4))
case('AdaptiveAvgPool2d', [[None, 2]], {}, x(1, 5, 4))
case('LPPool1d', [2, 3], {}, x(1, 2, 6))
case('LPPool2d', [3, 2], {'stride': 1}, [[1, 2, 4, 4], 'positive'])
case('ReflectionPad2d', [[1, 2, 0, 1]], {}, x(1, 2, 3, 4))
case('PixelShuffle', [2], {}, x(1, 8, 2, 3))
case('PixelUnshuffle', [2], {}, x(1, 2, 4, 6))
case('ChannelShuffle', [2], {}, x(1, 4, 2, 2))
case('Upsample', [], {'scale_factor': 2.0}, x(1, 2, 3, 2))
case('Upsample', [], {'size': [5, 4], 'mode': 'bilinear', 'align_corners': True}, x(1, 2, 3, 2))
case('Unfold', [2], {'padding': 1, 'stride': 2}, x(1, 2, 4, 4))
case('Fold', [[4, 4], 2], {'stride': 2}, x(1, 8, 4))

# losses
for reduction in ('mean', 'sum', 'none'):
    case('MSELoss', [], {'reduction': reduction}, x(3, 2), x(3, 2))
    case('CrossEntropyLoss', [], {'reduction': reduction}, x(4, 3), [[4], 'int3'])
for layer, options in (('L1Loss', {}), ('SmoothL1Loss', {'beta': 0.5}), ('HuberLoss', {'delta': 0.7})):
    case(layer, [], options, x(3, 2), x(3, 2))
case('CrossEntropyLoss', [], {'label_smoothing': 0.1, 'ignore_index': 1}, x(4, 3), [[4], 'int3'])
case('CrossEntropyLoss', [], {}, x(2, 3, 4), [[2, 4], 'int3'])
case('NLLLoss', [], {}, x(4, 3), [[4], 'int3'])
case('KLDivLoss', [], {'reduction': 'batchmean'}, x(3, 2), [[3, 2], 'unit'])
case('KLDivLoss', [], {'log_target': True, 'reduction': 'sum'}, x(3, 2), x(3, 2))
case('BCELoss', [], {}, [[3, 2], 'unit'], [[3, 2], 'unit'])
case('BCEWithLogitsLoss', [], {}, x(3, 2), [[3, 2], 'unit'])
case('PoissonNLLLoss', [], {'full': True}, x(3, 2), [[3, 2], 'positive'])
case('GaussianNLLLoss', [], {'full': True}, x(3, 2), x(3, 2), [[3, 2], 'positive'])
case('HingeEmbeddingLoss', [], {'margin': 0.5}, x(3, 2), [[3, 2], 'sign'])
case('SoftMarginLoss', [], {}, x(3, 2), [[3, 2], 'sign'])
case('MultiLabelMarginLoss', [], {}, x(3, 4), [[3, 4], 'int4'])
case('MultiLabelSoftMarginLoss', [], {}, x(3, 4), [[3, 4], 'unit'])
case('MultiMarginLoss', [], {'p': 2, 'margin': 0.7}, x(3, 4), [[3], 'int4'])
case('MarginRankingLoss', [], {'margin': 0.3}, x(4), x(4), [[4], 'sign'])
case('CosineEmbeddingLoss', [], {'margin': 0.2}, x(4, 3), x(4, 3), [[4], 'sign'])
case('TripletMarginLoss', [], {'swap': True}, x(4, 3), x(4, 3), x(4, 3))
case('CosineSimilarity', [], {}, x(4, 3), x(4, 3))
case('PairwiseDistance', [], {'p': 1, 'keepdim': True}, x(4, 3), x(4, 3))

# attention
q, k = x(3, 2, 4), x(5, 2, 4)
case('MultiheadAttention', [4, 2], {}, q, q, q)
case('MultiheadAttention', [4, 2], {'batch_first': True}, q, x(3, 5, 4), x(3, 5, 4), call={'average_attn_weights': False})
case('MultiheadAttention', [4, 2], {'bias': False}, x(3, 4), x(5, 4), x(5, 4), call={'need_weights': False})
case('MultiheadAttention', [4, 2], {'kdim': 3, 'vdim': 5}, q, x(5, 2, 3), x(5, 2, 5))
case('MultiheadAttention', [4, 2], {'add_bias_kv': True, 'add_zero_attn': True}, q, k, k,
     call={'key_padding_mask': [[2, 5], 'bool']})
case('MultiheadAttention', [4, 2], {}, q, k, k, call={'key_padding_mask': [[2, 5], 'bool'], 'attn_mask': x(3, 5), 'need_weights': False})
case('MultiheadAttention', [4, 2], {}, q, k, k, call={'key_padding_mask': [[2, 5], 'bool'], 'attn_mask': [[3, 5], 'bool']})
case('MultiheadAttention', [4, 2], {}, q, k, k, call={'attn_mask': x(4, 3, 5)})
for options in ({}, {'norm_first': True, 'activation': 'gelu', 'batch_first': True}, {'layer_norm_eps': 0.01}):
    both = {'dim_feedforward': 6, 'dropout': 0.0, **options}
    case('TransformerEncoderLayer', [4, 2], both, x(3, 2, 4))
    case('TransformerDecoderLayer', [4, 2], both, x(3, 2, 4), x(3, 2, 4))
case('TransformerEncoderLayer', [4, 2], {'dim_feedforward': 6, 'dropout': 0.0}, x(3, 2, 4),
     call={'src_mask': x(3, 3), 'src_key_padding_mask': [[2, 3], 'bool']})
case('TransformerDecoderLayer', [4, 2], {'dim_feedforward': 6, 'dropout': 0.0}, x(3, 2, 4), x(5, 2, 4),
     call={'tgt_mask': x(3, 3), 'memory_mask': [[3, 5], 'bool'], 'memory_key_padding_mask': [[2, 5], 'bool']})
case('Transformer', [], {'d_model': 4, 'nhead': 2, 'num_encoder_layers': 2, 'num_decoder_layers': 2, 'dim_feedforward': 5, 'dropout': 0.0},
     x(4, 1, 4), x(3, 1, 4))

# recurrent
for layer in ('RNN', 'LSTM', 'GRU'):
    case(layer, [3, 4], {}, x(5, 2, 3))
    case(layer, [3, 4], {'num_layers': 2, 'bidirectional': True, 'batch_first': True}, x(2, 4, 3))
    case(layer, [3, 4], {'bias': False}, x(5, 3))
    case(f'{layer}Cell', [3, 4], {}, x(2, 3))
    case(f'{layer}Cell', [3, 4], {'bias': False}, x(3))
case('RNN', [3, 4], {'nonlinearity': 'relu'}, x(5, 2, 3), x(1, 2, 4))
case('GRU', [3, 4], {}, x(5, 2, 3), x(1, 2, 4))
case('LSTM', [3, 4], {}, x(5, 2, 3), [x(1, 2, 4), x(1, 2, 4)])
case('LSTM', [3, 4], {'proj_size': 2, 'num_layers': 2}, x(5, 2, 3))
case('GRUCell', [3, 4], {}, x(2, 3), x(2, 4))


def put(value):
    """[dtype, shape, values] of each tensor in a result."""
    if isinstance(value, (list, tuple)):
        return [item for each in value for item in put(each)]
    if value is None:
        return []
    return [[list(value.shape), value.detach().double().reshape(-1).tolist()]]


def buffers(module):
    return {name: put(tensor)[0] for name, tensor in module.named_buffers()}


def fill(module):
    with torch.no_grad():
        for i, (name, entry) in enumerate(module.state_dict().items()):
            kind = 'int3' if entry.dtype == torch.int64 else 'positive' if name.endswith('_var') else 'small'
            entry.copy_(values(list(entry.shape), i, kind))


def run(spec):
    kind = getattr(nn, spec['layer'], None) or EXTRA[spec['layer']]
    module = kind(*spec['args'], **spec['options']).double()
    state = [[name, list(entry.shape), str(entry.dtype)[6:]] for name, entry in module.state_dict().items()]
    numbers = iter(range(100, 1000))
    take = lambda given: made(given, next(numbers)) if tensor(given) or not isinstance(given, list) else tuple(take(each) for each in given)
    inputs = [take(given) for given in spec['inputs']]
    call = {name: made(given, 200 + i) for i, (name, given) in enumerate(spec['call'].items())}
    result = {**spec, 'state': state}
    with torch.no_grad():
        fill(module)
        result['eval'] = put(module.eval()(*inputs, **call))
        if spec['train']:
            fill(module)
            result['train'] = put(module.train()(*inputs, **call))
            result['after'] = {name: put(entry)[0] for name, entry in module.state_dict().items()
                               if name.split('.')[-1] in ('running_mean', 'running_var', 'num_batches_tracked')}
    return result


# The means and variances of initial values, of layers with many of them.
def initial():
    torch.manual_seed(0)
    layers = [['Linear', [256, 512]], ['Conv2d', [64, 64, 5]], ['ConvTranspose2d', [64, 128, 3]], ['Bilinear', [64, 32, 64]],
              ['Embedding', [500, 256]], ['MultiheadAttention', [256, 4]], ['LSTM', [64, 256]], ['GRU', [64, 256]], ['RNN', [256, 256]],
              ['BatchNorm2d', [300]], ['LayerNorm', [300]], ['PReLU', []], ['LSTMCell', [64, 256]]]
    found = []
    for name, args in layers:
        module = getattr(nn, name)(*args)
        # Of several draws, as a test compares with tolerances.
        rows = {key: [list(p.shape), p.mean().item(), p.std(unbiased=False).item(), p.abs().max().item()]
                for key, p in module.named_parameters()}
        found.append({'layer': name, 'args': args, 'parameters': rows})
    return found


out = {'torch': torch.__version__, 'cases': [run(spec) for spec in CASES], 'initial': initial()}
with open(sys.argv[1], 'wb') as raw, gzip.GzipFile(fileobj=raw, mode='wb', mtime=0, filename='') as file:
    file.write(json.dumps(out, separators=(',', ':')).encode())
print(len(out['cases']), 'cases')
