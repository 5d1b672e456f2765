"""PyTorch on the cases of the survey: reads calls (torch.ts), appends a JSON line for each to a file.

    python3 bench/survey/torch_peer.py CALLS.json OUT.jsonl cpu|cuda SECONDS [torch-compile]

Times are taken as Tegula's are (src/profile/call-times.ts): the median of samples after a warm-up; a sample is a batch of calls of
at least a millisecond until the device has finished ("call"), and on a GPU also one call between events after a flush of the L2
cache ("device"). Cases that OUT.jsonl has are skipped.
"""
import json
import os
import sys
import time

import torch

CALLS, OUT, DEVICE, SECONDS = sys.argv[1:5]
COMPILE = 'torch-compile' in sys.argv[5:]
STARTED = time.perf_counter()
SEED_DISTANCE = 1_000_003
PROBES = 24
DTYPES = {
    'f32': torch.float32, 'f64': torch.float64, 'f16': torch.float16, 'bf16': torch.bfloat16, 'i8': torch.int8,
    'i16': torch.int16, 'i32': torch.int32, 'i64': torch.int64, 'u8': torch.uint8, 'bool': torch.bool,
}
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
flush_buffer = torch.empty(64 * 2**20, device=DEVICE, dtype=torch.int32) if DEVICE == 'cuda' else None


def synchronize():
    if DEVICE == 'cuda':
        torch.cuda.synchronize()


def hashed(count, index):
    h = torch.arange(count, device=DEVICE) + index * SEED_DISTANCE
    h = h.mul_(1103515245).add_(12345).bitwise_and_(0x7FFFFFFF)
    h = (h ^ (h >> 13)).mul_(1597334677).bitwise_and_(0x7FFFFFFF)
    return h ^ (h >> 16)


def elements(count, spec):
    values, dtype = spec['values'], DTYPES[spec['t']]
    if values == 'ascending':
        n = spec['shape'][-1]
        row = torch.arange(n, device=DEVICE, dtype=torch.float32) * (4 / n) - 2
        return row.to(dtype).expand(spec['shape']).reshape(-1)
    h = hashed(count, spec['index'])
    if values == 'sign':
        return ((h & 1) * 2 - 1).to(dtype)
    if 'below' in values:
        return (h % values['below']).to(dtype)
    if dtype == torch.bool:
        return (h & 1).to(dtype)
    if not dtype.is_floating_point:
        low, high = spec['range']
        return (h % (high - low + 1) + low).to(dtype)
    share = (h & 0xFFFFFF).to(torch.float64) * 2.0**-24
    return (share * (values['to'] - values['from']) + values['from']).to(dtype)


def tensor(spec):
    shape = spec['shape']
    count = 1
    for n in shape:
        count *= n
    if spec['layout'] == 'dense':
        return elements(count, spec).reshape(shape)
    if spec['layout'] == 'transposed':
        return elements(count, spec).reshape([*shape[:-2], shape[-1], shape[-2]]).transpose(-1, -2)
    wide = elements(2 * count, spec).reshape([*shape[:-1], 2 * shape[-1]])
    return wide.narrow(-1, shape[-1], shape[-1])


def made(value, known):
    if isinstance(value, list):
        return [made(one, known) for one in value]
    if isinstance(value, dict):
        if 't' in value:
            if value['index'] not in known:
                known[value['index']] = tensor(value)
            return known[value['index']]
        if 'd' in value:
            return DTYPES[value['d']]
        return {key: made(one, known) for key, one in value.items()}
    return value


def function_of(name):
    path = name.split('.')
    if path[0] == 'T':
        return lambda x, *args, **kwargs: getattr(x, path[1])(*args, **kwargs)
    at = torch
    for part in path[1:]:
        at = getattr(at, part)
    return at


def median(values):
    return sorted(values)[len(values) // 2]


def once(call, batch):
    synchronize()
    started = time.perf_counter()
    for _ in range(batch):
        call()
    synchronize()
    return (time.perf_counter() - started) / batch * 1e6


def on_device(call):
    flush_buffer.zero_()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1000


def timed(call, seconds):
    """Microseconds."""
    once(call, 1)
    first = max(1e-3, min(once(call, 1), once(call, 1)))
    if first > 50_000:
        return {'call': first, 'device': first if DEVICE == 'cuda' else None}
    batch = min(20_000, max(1, int(-(-1000 // first))))
    samples = max(5, min(9, int(seconds * 1e6 / (first * batch * (1 if DEVICE == 'cpu' else 2)))))
    calls, device = [], []
    for i in range(-3, samples):
        us = once(call, batch)
        there = on_device(call) if DEVICE == 'cuda' else None
        if i >= 0:
            calls.append(us)
            device.append(there)
    return {'call': median(calls), 'device': None if DEVICE == 'cpu' else median(device)}


def as_graph(call):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = call()
    replay = lambda: graph.replay()
    replay.kept = kept
    return replay


def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, (list, tuple)) else []


def probe(result):
    """Of each result its shape and some elements."""
    found = []
    for leaf in leaves(result):
        n = leaf.numel()
        places = torch.tensor([(2 * i + 1) * n // (2 * PROBES) for i in range(min(PROBES, n))], device=leaf.device)
        some = leaf.reshape(-1)[places].to(torch.float64).cpu().tolist() if n > 0 else []
        found.append({'shape': list(leaf.shape), 'values': [float('%.10g' % x) if x == x and abs(x) != float('inf') else str(x) for x in some]})
    return found


def differentiated(call, known, variables):
    """A call that gives the gradients by some of the known tensors."""
    at = [known[index].requires_grad_() for index in variables]

    def forward():
        with torch.enable_grad():
            result = call()
        return result if isinstance(result, torch.Tensor) else result[0]

    result = forward()
    dtype = next(name for name, each in DTYPES.items() if each == result.dtype)
    values = {'from': -2, 'to': 2}
    seed = tensor({'t': dtype, 'shape': list(result.shape), 'values': values, 'layout': 'dense', 'index': len(known)})
    return lambda: torch.autograd.grad(forward(), at, seed)


def run(case):
    function, known = function_of(case['name']), {}
    args, kwargs = made(case['args'], known), made(case['kwargs'], known)
    if not known and DEVICE == 'cuda':
        kwargs['device'] = DEVICE
    call = lambda: function(*args, **kwargs)
    if case['variables'] is not None:
        call = differentiated(call, known, case['variables'])
    started = time.perf_counter()
    result = call()
    synchronize()
    row = {'id': case['id'], 'first': {'eager': (time.perf_counter() - started) * 1e3}, 'probe': probe(result)}
    del result
    row['eager'] = timed(call, 0.03)
    try:
        if DEVICE == 'cuda' and not case['eagerOnly'] and row['eager']['call'] < 50_000:
            row['compiled'] = timed(as_graph(call), 0.03)
    except Exception as error:
        row['graphError'] = str(error)[:200]
        torch.cuda.synchronize()
    if COMPILE:
        torch._dynamo.reset()
        compiled = torch.compile(function, mode='reduce-overhead' if DEVICE == 'cuda' else 'default')
        again = lambda: compiled(*args, **kwargs)
        started = time.perf_counter()
        again()
        synchronize()
        row['first']['torchCompile'] = (time.perf_counter() - started) * 1e3
        row['torchCompile'] = timed(again, 0.03)
    return row


@torch.no_grad()
def main():
    done = set()
    if os.path.exists(OUT):
        done = {json.loads(line)['id'] for line in open(OUT) if line.startswith('{')}
    with open(OUT, 'a') as out:
        for case in json.load(open(CALLS)):
            if time.perf_counter() - STARTED > float(SECONDS):
                break
            if case['id'] in done:
                continue
            try:
                row = run(case)
            except Exception as error:
                row = {'id': case['id'], 'error': f'{type(error).__name__}: {str(error)[:200]}'}
            out.write(json.dumps(row) + '\n')
            out.flush()
            if 'CUDA error' in row.get('error', '') + row.get('graphError', ''):  # it concerns all later calls
                os._exit(9)


main()
