"""Reference data for tests/torch: what PyTorch gives for every op that has a counterpart there.

    python3 scripts/torch/reference.py OUT [op …]    # needs torch, uses CPU tensors only; half a minute on 16 cores

writes OUT/reference.bin.gz (tests/torch/reference.bin.gz is one), OUT/surface.json (PyTorch's names) and OUT/log.txt.
Cases come from PyTorch's own sample and error inputs (op_db), from special values per kind of op, and from forms.txt.
A case that cannot be written down or that this script fails on is listed in the log and left out.

The format, little-endian: u32 length of the JSON that follows; the JSON; then the bytes of all tensors. The JSON is
{ "torch": version, "cases": [...] }. A case is
    { "op": ours, "from": "opinfo" | "error" | "special" | "form", "args": {name: value}, "out": [value] }
or, where PyTorch raises, { …, "raises": "IndexError: first line" } without "out". "after": {name: tensor} holds what an
argument is after the call, where the call changed it. A value is JSON, except for objects:
    {"t": [dtype, shape, offset in bytes, layout]}   a tensor, row-major; layout 1: was not contiguous, 2: 0-strides
    {"f": "nan" | "inf" | "-inf" | "-0"}             a float JSON cannot hold; {"f": 2}: the float 2.0, not the integer
    {"i": "123"}                                     an integer beyond 2^53
    {"d": "f32"}                                     a dtype
"""
import gzip
import itertools
import json
import math
import os
import struct
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ['f32', 'f64', 'f16', 'bf16', 'i8', 'i16', 'i32', 'i64', 'u8', 'bool']
OPNAMES = {  # where op_db calls with other positions than PyTorch's function
    'where': ['input', 'condition', 'other'],
    'einsum': ['operands', 'equation'],
    'embedding': ['weight', 'input'],
}
NO_OPINFO = {'full', 'arange', 'linspace', 'eye', 'to', 'logspace', 'upsample', 'upsampleNearest', 'upsampleBilinear'}
MAX_ELEMENTS = 700
PER_DTYPE = {'f32': 60, 'f64': 12, 'i64': 16, 'bool': 8}  # others: 6


class Unwritable(Exception):
    pass


def read_ops():
    ops = {}
    for line in open(os.path.join(HERE, 'ops.txt')):
        words = line.split('#')[0].split()
        if not words:
            continue
        kinds = {word[1:] for word in words if word.startswith(':')}
        names = [word for word in words[2:] if not word.startswith(':')]
        ops[words[0]] = (words[1], names, kinds)
    return ops


def read_forms():
    forms = {}
    for line in open(os.path.join(HERE, 'forms.txt')):
        text = line.strip()
        if text and not text.startswith('#'):
            name, call = text.split(None, 1)
            forms.setdefault(name, []).append(call)
    return forms


# --- generate --------------------------------------------------------------------------------------------------------


class Writer:
    """Cases of one op: JSON with offsets into bytes of its own."""

    def __init__(self, torch):
        self.torch = torch
        self.bytes = bytearray()
        self.dtypes = {
            torch.float32: 'f32', torch.float64: 'f64', torch.float16: 'f16', torch.bfloat16: 'bf16', torch.int8: 'i8',
            torch.int16: 'i16', torch.int32: 'i32', torch.int64: 'i64', torch.uint8: 'u8', torch.bool: 'bool',
        }

    def tensor(self, value):
        torch = self.torch
        if value.dtype not in self.dtypes or value.layout != torch.strided:
            raise Unwritable(f'tensor of {value.dtype}')
        if value.dim() > 20:
            raise Unwritable(f'{value.dim()} dims')
        if value.numel() > MAX_ELEMENTS:
            raise Unwritable(f'{value.numel()} elements')
        layout = 2 if 0 in [s for s, n in zip(value.stride(), value.shape) if n > 1] else int(not value.is_contiguous())
        plain = value.detach().resolve_conj().resolve_neg().contiguous()
        flat = torch.empty(plain.numel(), dtype=plain.dtype).copy_(plain.reshape(-1))  # of stride 1, which view asks for
        at = len(self.bytes)
        self.bytes += bytes(flat.view(torch.uint8).tolist())
        return {'t': [self.dtypes[value.dtype], list(value.shape), at, layout]}

    def value(self, value):
        torch = self.torch
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if abs(value) < 2**53 else {'i': str(value)}
        if isinstance(value, float):
            if math.isnan(value):
                return {'f': 'nan'}
            if math.isinf(value):
                return {'f': 'inf' if value > 0 else '-inf'}
            if value == 0 and math.copysign(1, value) < 0:
                return {'f': '-0'}
            return {'f': int(value)} if value == int(value) and abs(value) < 2**53 else value
        if isinstance(value, torch.dtype):
            if value not in self.dtypes:
                raise Unwritable(str(value))
            return {'d': self.dtypes[value]}
        if isinstance(value, (list, tuple, torch.Size)):
            return [self.value(one) for one in value]
        raise Unwritable(type(value).__name__)


def bind(names, args, kwargs):
    """Arguments by name; a name with a star takes the rest."""
    bound, args = {}, list(args)
    for name in names:
        if not args:
            break
        if name.endswith('*'):
            single = len(args) == 1 and isinstance(args[0], (list, tuple))
            bound[name[:-1]] = list(args[0]) if single else args
            args = []
        else:
            bound[name] = args.pop(0)
    if args:
        raise Unwritable(f'{len(args)} arguments too many')
    for name, value in kwargs.items():
        if name == 'out':
            raise Unwritable(name)
        if name not in ('device', 'layout', 'requires_grad', 'memory_format', 'pin_memory', 'size_average', 'reduce'):
            bound[name] = value
        elif value is not None and name in ('size_average', 'reduce') and name not in ('reduce',):
            raise Unwritable(name)
        elif name == 'reduce':
            bound[name] = value
    if isinstance(bound.get('dim'), bool):
        bound['unbiased'] = bound.pop('dim')
    return bound


def fewer_bits(torch, value):
    """Floats with 12 bits of significand: they compress, and sums of them round alike in many orders."""
    if not isinstance(value, torch.Tensor) or value.dtype not in (torch.float32, torch.float64) or value.is_leaf is False:
        return value
    plain = value.detach()
    if plain.numel() == 0 or not plain.is_contiguous():
        return plain
    kind, mask = (torch.int32, ~0xFFF) if plain.dtype == torch.float32 else (torch.int64, ~((1 << 41) - 1))
    return (plain.view(kind) & mask).view(plain.dtype)


def deep(function, value):
    if isinstance(value, (list, tuple)):
        return type(value)(deep(function, one) for one in value) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: deep(function, one) for key, one in value.items()}
    return function(value)


def form_of(value):
    """What makes two cases the same form: everything but the values of tensors."""
    if isinstance(value, dict):
        if 't' in value:
            return str(value['t'][:2] + value['t'][3:])
        return str({key: form_of(one) for key, one in value.items()})
    if isinstance(value, list):
        return str([form_of(one) for one in value])
    return repr(value)


class Recorder:
    def __init__(self, torch, ours, names, log):
        self.torch, self.ours, self.names, self.log = torch, ours, names, log
        self.writer = Writer(torch)
        self.cases, self.seen = [], set()

    def note(self, text):
        self.log.append(f'{self.ours}: {text}')

    def fits(self, bound):
        """One function of PyTorch can be several of ours."""
        if self.ours in ('max', 'min', 'median', 'nanmedian'):
            return set(bound) <= {'input'}
        if self.ours in ('maxWithIndices', 'minWithIndices', 'medianWithIndices', 'nanmedianWithIndices'):
            return 'dim' in bound and not isinstance(bound['dim'], self.torch.Tensor)
        if self.ours == 'where':
            return 'other' in bound
        return True

    def record(self, source, function, args, kwargs, names=None, expect_error=False, any_form=False):
        torch = self.torch
        keep = len(self.writer.bytes)
        try:
            bound = bind(names or self.names, args, kwargs)
            if not self.fits(bound):
                return False
            written = {name: self.writer.value(value) for name, value in bound.items()}
            form = source[0] + form_of(written)
            if form in self.seen and not any_form:
                del self.writer.bytes[keep:]
                return False
            case = {'op': self.ours, 'from': source, 'args': written}
            with torch.no_grad():
                before = {k: v.clone() for k, v in bound.items() if isinstance(v, torch.Tensor)}
                try:
                    result = function(*args, **kwargs)
                except Exception as error:  # what PyTorch refuses is data too
                    case['raises'] = f'{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ""}'[:160]
                    result = None
            if 'raises' not in case:
                if expect_error:
                    self.note(f'error input did not raise: {form[:120]}')
                results = list(result) if isinstance(result, (tuple, list)) else [result]
                case['out'] = [self.writer.value(one) for one in results]
                changed = {
                    k: self.writer.value(bound[k]) for k, v in before.items()
                    if k in ('running_mean', 'running_var', 'weight') and not torch.equal(v, bound[k])
                }
                if changed:
                    case['after'] = changed
            self.seen.add(form)
            self.cases.append(case)
            return True
        except Unwritable as error:
            del self.writer.bytes[keep:]
            self.note(f'{source} left out: {error}')
        except Exception as error:
            del self.writer.bytes[keep:]
            self.note(f'{source} failed: {type(error).__name__}: {str(error)[:200]}')
        return False


def from_opinfo(torch, recorder, infos, dtypes):
    ours = recorder.ours
    names = OPNAMES.get(ours, recorder.names)
    for info in infos:
        supported = info.supported_dtypes('cpu')
        for dtype, short in dtypes:
            if dtype not in supported:
                continue
            taken, tried = 0, 0
            limit = PER_DTYPE.get(short, 6)
            try:
                torch.manual_seed(1)
                samples = info.sample_inputs('cpu', dtype, requires_grad=False)
                for sample in itertools.islice(samples, 1500):
                    if taken >= limit or tried > 600:
                        break
                    tried += 1
                    args = deep(lambda v: fewer_bits(torch, v), [sample.input, *sample.args])
                    kwargs = deep(lambda v: fewer_bits(torch, v), dict(sample.kwargs))
                    done = recorder.record('opinfo', info.op, args, kwargs, names)
                    taken += done
                    if done and short == 'f32' and taken % 4 == 1:
                        other = sample.noncontiguous()
                        recorder.record('opinfo', info.op, [other.input, *other.args], other.kwargs, names)
            except Exception as error:
                recorder.note(f'samples of {short}: {type(error).__name__}: {str(error)[:160]}')
        try:
            if info.error_inputs_func is not None:
                for error in itertools.islice(info.error_inputs('cpu'), 60):
                    sample = error.sample_input
                    recorder.record('error', info.op, [sample.input, *sample.args], sample.kwargs, names, True)
        except Exception as error:
            recorder.note(f'error inputs: {type(error).__name__}: {str(error)[:160]}')


def special_values(torch, dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if not dtype.is_floating_point:
        limits = torch.iinfo(dtype)
        values = [0, 1, 2, 3, 7, 10, limits.max, limits.max - 1]
        values += [] if limits.min == 0 else [-1, -2, -3, -7, -10, limits.min, limits.min + 1]
        return torch.tensor(values, dtype=dtype)
    limits = torch.finfo(dtype)
    plain = [0.0, 0.1, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.7, 9.25, 20.0, 33.3, 88.0, 100.0, 171.5, 1e3, 12345.678]
    plain += [1e-3, 1e-6, 2.0**-20, limits.tiny, limits.smallest_normal / 4, limits.eps, limits.max, math.pi, math.inf]
    return torch.tensor([*plain, *[-x for x in plain], math.nan], dtype=torch.float64).to(dtype)


def from_specials(torch, recorder, function, kinds, dtypes):
    record = lambda *args, **kwargs: recorder.record('special', function, args, kwargs, any_form=True)
    few = lambda dtype: special_values(torch, dtype)[::3] if dtype.is_floating_point else special_values(torch, dtype)
    if 'u' in kinds:
        for dtype, _ in dtypes:
            values = special_values(torch, dtype)
            record(values)
            record(values[1].clone())
            record(values[:0].clone())
        record(special_values(torch, torch.float32)[:12].reshape(3, 4).t())
    if 'b' in kinds:
        wide = recorder.ours in ('add', 'mul', 'div', 'pow', 'maximum', 'eq', 'remainder', 'floorDivide', 'atan2', 'sub')
        for dtype, _ in dtypes:
            values = few(dtype)
            record(values.reshape(-1, 1), values)
            record(values, values[1].clone())
            record(values[:0].clone(), values[1].clone())
            for number in [2, -3, 0, 0.5, 2.0, True] if wide else [2, 0.5]:
                record(values, number)
        for (one, _), (two, _) in itertools.product(dtypes, dtypes):
            if one == two or (not wide and torch.float32 not in (one, two)):
                continue
            a, b = torch.tensor([1, 3, 5]).to(one), torch.tensor([2, 1, 3]).to(two)
            record(a, b)
            if wide:
                record(a, b[0].clone())
                record(b[0].clone(), torch.tensor(3).to(one))
    many = [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.uint8, torch.bool]
    x = lambda dtype, *shape: (torch.arange(math.prod(shape)).reshape(shape) * 7 % 5 - (2 if dtype.is_floating_point else 0)).to(dtype)
    nan, inf = math.nan, math.inf
    rows = torch.tensor([[1, nan, 2, -1], [inf, 1, -inf, 3], [inf, 2, inf, 0], [-inf, -inf, -inf, -inf], [0, -0.0, 0, -0.0], [3e38, 3e38, -3e38, 1]])
    if 'r0' in kinds:
        for dtype in many:
            for shape in [(), (1,), (4,), (3, 5), (0,), (2, 0)]:
                record(x(dtype, *shape))
        for row in rows:
            record(row.clone())
    if 'r1' in kinds or 'c' in kinds:
        for dtype in many:
            for shape, dim in [((), 0), ((), -1), ((1,), 0), ((3, 5), 0), ((3, 5), -1), ((0,), 0), ((2, 0), 0), ((2, 0), 1), ((2, 3, 4), 1), ((3, 5), 2), ((3, 5), -3)]:
                record(x(dtype, *shape), dim)
        for dtype in (torch.float32, torch.float64, torch.float16):
            record(rows.to(dtype), 1)
        record(rows.t(), 0)
    if 'r' in kinds:
        lead = (2,) if recorder.ours == 'norm' else ()
        for dtype in many:
            for shape in [(), (1,), (3, 5), (0,), (2, 0)]:
                record(x(dtype, *shape), *lead)
            for shape, dim in [((), 0), ((), -1), ((3, 5), 0), ((3, 5), -1), ((0,), 0), ((2, 0), 0), ((2, 0), 1), ((2, 3, 4), (0, 2)), ((2, 3, 4), ()), ((3, 5), 2), ((3, 5), (0, 0))]:
                record(x(dtype, *shape), *lead, dim)
            record(x(dtype, 2, 3), *lead, 1, keepdim=True)
        for dtype in (torch.float32, torch.float64, torch.float16):
            record(rows.to(dtype), *lead, 1)
        record(rows.t(), *lead, 0)


def form_namespace(torch):
    generator = torch.Generator().manual_seed(7)
    draw = lambda *shape: fewer_bits(torch, torch.randn(shape, generator=generator))
    space = {short: dtype for dtype, short in Writer(torch).dtypes.items()}
    space.update(
        torch=torch, F=torch.nn.functional, nan=math.nan, inf=math.inf, pi=math.pi,
        f=draw,
        u=lambda *shape: fewer_bits(torch, torch.rand(shape, generator=generator)),
        r=lambda low, high, *shape: torch.randint(low, high, shape, generator=generator),
        t=lambda values, dtype=None: torch.tensor(values, dtype=dtype),
        A=lambda *args, **kwargs: (args, kwargs),
    )
    return space


def resolve(torch, path):
    if path.startswith('T.'):
        name = path[2:]
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    found = torch
    for part in path.split('.')[1:]:
        found = getattr(found, part)
    return found


def work(ours):
    import torch
    torch.set_num_threads(1)
    started = time.time()
    from torch.testing._internal.common_methods_invocations import op_db
    path, names, kinds = read_ops()[ours]
    log = []
    recorder = Recorder(torch, ours, names, log)
    dtypes = [(dtype, short) for dtype, short in Writer(torch).dtypes.items()]
    try:
        function = resolve(torch, path)
        key = path[2:] if path.startswith('T.') else path[6:]
        space = form_namespace(torch)
        for text in read_forms().get(ours, []):
            try:
                args, kwargs = eval(text, dict(space))
            except Exception as error:
                log.append(f'{ours}: form {text}: {type(error).__name__}: {error}')
                continue
            recorder.record('form', function, args, kwargs, any_form=True)
        from_specials(torch, recorder, function, kinds, dtypes)
        if ours not in NO_OPINFO:
            infos = [info for info in op_db if info.name == key]
            if not infos:
                log.append(f'{ours}: no entry in op_db')
            from_opinfo(torch, recorder, infos, dtypes)
    except Exception as error:
        log.append(f'{ours}: {type(error).__name__}: {error}')
    log.append(f'{ours}: {len(recorder.cases)} cases, {len(recorder.writer.bytes)} bytes, {time.time() - started:.1f} s')
    return ours, recorder.cases, bytes(recorder.writer.bytes), log


def shift(value, by):
    if isinstance(value, dict):
        if 't' in value:
            dtype, shape, at, layout = value['t']
            return {'t': [dtype, shape, at + by, layout]}
        return {key: shift(one, by) for key, one in value.items()}
    return [shift(one, by) for one in value] if isinstance(value, list) else value


def write(path, head, cases, data):
    text = json.dumps({**head, 'cases': cases}, separators=(',', ':')).encode()
    with gzip.GzipFile(path, 'wb', compresslevel=9, mtime=0) as file:
        file.write(struct.pack('<I', len(text)) + text + bytes(data))


def stub_test_modules():
    """op_db lives beside test helpers that import a package which only tests use."""
    import importlib.util
    import types
    import unittest
    if importlib.util.find_spec('expecttest') is None:
        stub = types.ModuleType('expecttest')
        stub.TestCase = unittest.TestCase
        sys.modules['expecttest'] = stub


def generate(out, only):
    import multiprocessing
    os.environ['CUDA_VISIBLE_DEVICES'] = ''  # references are the CPU's
    import torch
    torch.set_num_threads(1)
    stub_test_modules()
    from torch.testing._internal.common_methods_invocations import op_db  # noqa: F401 (loaded once, before the fork)
    names = [name for name in read_ops() if not only or name in only]
    cases, data, logs = [], bytearray(), []
    public = lambda module: sorted(name for name in dir(module) if not name.startswith('_'))
    surface = {
        'torch': public(torch), 'Tensor': public(torch.Tensor), 'functional': public(torch.nn.functional),
        'linalg': public(torch.linalg), 'special': public(torch.special), 'op_db': sorted({info.name for info in op_db}),
        'callable': [name for name in public(torch) if callable(getattr(torch, name, None))],
    }
    json.dump(surface, open(os.path.join(out, 'surface.json'), 'w'))
    head = {'torch': torch.__version__}
    with multiprocessing.get_context('fork').Pool(14, maxtasksperchild=20) as pool:
        pending = {name: pool.apply_async(work, (name,)) for name in names}
        deadline = time.time() + 170
        for name, job in pending.items():
            try:
                _, found, extra, log = job.get(timeout=max(0.1, deadline - time.time()))
            except Exception as error:
                logs.append(f'{name}: no answer: {type(error).__name__}: {str(error)[:100]}')
                continue
            logs += log
            cases += [shift(case, len(data)) for case in found]
            data += extra
        pool.terminate()
    write(os.path.join(out, 'reference.bin.gz'), head, cases, data)
    open(os.path.join(out, 'log.txt'), 'w').write('\n'.join(logs))
    print('\n'.join(line for line in logs if 'no answer' in line)[-3000:])
    print(len(cases), 'cases,', len(data), 'bytes, torch', torch.__version__)


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    generate(sys.argv[1], set(sys.argv[2:]))
