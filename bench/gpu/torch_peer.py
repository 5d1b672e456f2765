"""PyTorch on the same work as bench/gpu: one JSON line per case and variant, {case, variant, us}.

Run it beside the benchmark, on the same GPU:  python3 bench/gpu/torch_peer.py [CASE ...] > peers.jsonl
Times are medians between CUDA events around each call; where caches matter they are emptied before each call.
"""
import json
import sys
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
DEVICE = "cuda"
WARM_SECONDS = 0.1
wanted = sys.argv[1:]
flush_buffer = torch.empty(64 * 2**20, device=DEVICE, dtype=torch.int32)


def report(case, variant, us):
    print(json.dumps({"case": case, "variant": variant, "us": round(us, 3)}), flush=True)


def median_us(call, flush=True, warmup=10, repeats=50):
    # A GPU that has idled is slower at first.
    started, calls = time.perf_counter(), 0
    while calls < warmup or time.perf_counter() - started < WARM_SECONDS:
        call()
        torch.cuda.synchronize()
        calls += 1
    times = []
    for _ in range(repeats):
        if flush:
            flush_buffer.zero_()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1000)
    return sorted(times)[len(times) // 2]


def as_graph(call):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def eager_and_compiled(case, f, *args, **timing):
    report(case, "eager", median_us(lambda: f(*args), **timing))
    compiled = torch.compile(f)
    report(case, "compile", median_us(lambda: compiled(*args), **timing))


def pointwise():
    x, b = torch.randn(10_000_000, device=DEVICE), torch.randn(10_000_000, device=DEVICE)
    eager_and_compiled("add_relu_mul_10M", lambda x, b: torch.relu(x + b) * 2.0, x, b)


def whole_call():
    x = torch.randn(1000, 1000, device=DEVICE)

    def model(x):
        return torch.relu((x + 1.0) * 2.0)

    report("my_model_1000x1000", "eager", median_us(lambda: model(x), flush=False))
    for mode in ("default", "reduce-overhead", "max-autotune"):
        compiled = torch.compile(model, mode=mode)
        report("my_model_1000x1000", mode, median_us(lambda: compiled(x), flush=False))


def row_norms():
    columns = 4096
    x = torch.randn(8192, columns, device=DEVICE, dtype=torch.bfloat16)
    w = torch.randn(columns, device=DEVICE, dtype=torch.bfloat16)
    b = torch.randn(columns, device=DEVICE, dtype=torch.bfloat16)
    eager_and_compiled("softmax_8192x4096_bf16", lambda x: torch.softmax(x, -1), x)
    eager_and_compiled("layer_norm_8192x4096_bf16", lambda x: F.layer_norm(x, (columns,), w, b), x)
    eager_and_compiled("rms_norm_8192x4096_bf16", lambda x: F.rms_norm(x, (columns,), w), x)


def sums():
    x = torch.randn(8192, 8192, device=DEVICE)
    eager_and_compiled("sum_all_64M", lambda x: x.sum(), x)
    eager_and_compiled("sum_rows_64M", lambda x: x.sum(1), x)
    eager_and_compiled("sum_cols_64M", lambda x: x.sum(0), x)


def gemm():
    for n in (2048, 4096, 8192):
        a = torch.randn(n, n, device=DEVICE, dtype=torch.bfloat16)
        b = torch.randn(n, n, device=DEVICE, dtype=torch.bfloat16)
        report(f"gemm_bf16_{n}", "cublas", median_us(lambda: a @ b.t(), flush=False))
        if n == 2048:
            continue
        one = torch.ones((), device=DEVICE)
        narrow_a, narrow_b = (x.to(torch.float8_e4m3fn) for x in (a, b))

        def scaled(scale_a, scale_b, **options):
            return torch._scaled_mm(narrow_a, narrow_b.t(), scale_a, scale_b, out_dtype=torch.bfloat16, **options)

        report(f"gemm_fp8_{n}", "cublas", median_us(lambda: scaled(one, one), flush=False))
        rows = torch.ones(n, 1, device=DEVICE), torch.ones(1, n, device=DEVICE)
        us = median_us(lambda: scaled(*rows, use_fast_accum=False), flush=False)
        report(f"gemm_fp8_rowwise_{n}", "scaled_mm", us)
    a, b = torch.randn(4096, 4096, device=DEVICE), torch.randn(4096, 4096, device=DEVICE)
    report("gemm_fp32_4096", "cublas", median_us(lambda: a @ b, flush=False, repeats=20))


def attention():
    for size in (64, 128):
        q, k, v = (torch.randn(4, 16, 4096, size, device=DEVICE, dtype=torch.bfloat16) for _ in range(3))
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            flash = median_us(lambda: F.scaled_dot_product_attention(q, k, v), flush=False)
            causal = median_us(lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True), flush=False)
        report(f"attention_bf16_d{size}", "flash", flash)
        report(f"attention_causal_bf16_d{size}", "flash", causal)

        def written_out(q, k, v):
            return torch.softmax(q @ k.transpose(-2, -1) * size**-0.5, -1) @ v

        eager_and_compiled(f"attention_written_out_bf16_d{size}", written_out, q, k, v, flush=False)


def attention_training():
    for size in (64, 128):
        q, k, v = (torch.randn(4, 16, 4096, size, device=DEVICE, dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
        g = torch.randn_like(q)
        for causal in (False, True):
            name = f"attention_training_{'causal_' if causal else ''}bf16_d{size}"
            for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):

                def step():
                    with sdpa_kernel(backend):
                        out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
                        torch.autograd.grad(out, (q, k, v), g)

                try:
                    report(name, backend.name, median_us(step, flush=False))
                except RuntimeError as error:
                    print(f"{name}, {backend.name}: {error}", file=sys.stderr)


def vision_step(name, model, optimizer, x, y, modes, autocast=False):
    """A whole training step: compiled in each mode, and compiled or eager inside one CUDA graph."""

    def step(call):
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=autocast):
            loss = F.cross_entropy(call(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    calls = {"eager": model, **{mode: torch.compile(model, mode=mode) for mode in modes}}
    for variant, call in calls.items():
        started = time.time()
        step(call)
        torch.cuda.synchronize()
        report(name, f"{variant}_first_call", (time.time() - started) * 1e6)
        torch.cuda.reset_peak_memory_stats()
        report(name, variant, median_us(lambda: step(call), flush=False, repeats=30))
        print(json.dumps({"case": name, "variant": variant, "peak_bytes": torch.cuda.max_memory_allocated()}), flush=True)
        if variant != "reduce-overhead":  # which has graphs of its own
            report(name, f"{variant}, one graph", median_us(as_graph(lambda: step(call)), flush=False, repeats=30))


def training_mlp():
    layers = [torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10)]
    model = torch.nn.Sequential(*layers).to(DEVICE)
    x, y = torch.randn(64, 784, device=DEVICE), torch.randint(0, 10, (64,), device=DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), capturable=True, fused=True)
    vision_step("train_mlp_784_256_128_10_b64_f32", model, optimizer, x, y, ["default", "reduce-overhead"])


def training_resnet():
    from torchvision.models import resnet18

    for batch, precision in ((32, "tf32"), (128, "bf16"), (32, "f32")):
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        torch._dynamo.reset()
        model = resnet18().to(DEVICE, memory_format=torch.channels_last)
        x = torch.randn(batch, 3, 224, 224, device=DEVICE).to(memory_format=torch.channels_last)
        y = torch.randint(0, 1000, (batch,), device=DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, fused=True)
        name = f"train_resnet18_b{batch}_{precision}"
        vision_step(name, model, optimizer, x, y, ["default", "reduce-overhead"], autocast=precision == "bf16")
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False


# The numbers that e2m1 codes stand for.
E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


def random_nvfp4(rows, columns):
    codes = torch.randint(0, 256, (rows, columns // 2), device=DEVICE, dtype=torch.uint8)
    return codes, torch.rand(rows, columns // 16, device=DEVICE).to(torch.float8_e4m3fn)


def decode_nvfp4(codes, scales, table):
    pairs = torch.stack([table[(codes & 15).long()], table[(codes >> 4).long()]], -1)
    return pairs.reshape(codes.shape[0], -1) * scales.to(table.dtype).repeat_interleave(16, 1)


def dequantised(case, f, *args):
    """Eager, compiled, and compiled in a CUDA graph."""
    report(case, "dequant_eager", median_us(lambda: f(*args), flush=False, warmup=5, repeats=20))
    compiled = torch.compile(f)
    report(case, "dequant_compile", median_us(lambda: compiled(*args), flush=False, warmup=5, repeats=20))
    replay = as_graph(lambda: compiled(*args))
    report(case, "dequant_compile_graph", median_us(replay, flush=False, warmup=5, repeats=20))


def groups():
    table = torch.tensor(E2M1 + [-x for x in E2M1], device=DEVICE, dtype=torch.float16)
    for ms, n, k in (
        ([80, 176, 128, 72, 64, 248, 96, 160], 4096, 7168),
        ([40, 76, 168, 72, 164, 148, 196, 160], 7168, 2048),
        ([192, 320], 3072, 4096),
        ([128, 384], 4096, 1536),
    ):
        a, b = [random_nvfp4(m, k) for m in ms], [random_nvfp4(n, k) for _ in ms]

        def products(a, b):
            return [decode_nvfp4(*x, table) @ decode_nvfp4(*w, table).t() for x, w in zip(a, b)]

        case = f"group{len(ms)}_n{n}_k{k}"
        dequantised(case, products, a, b)
        wide = [[decode_nvfp4(*x, table) for x in xs] for xs in (a, b)]
        replay = as_graph(lambda: [x @ w.t() for x, w in zip(*wide)])
        report(case, "fp16_predequantized_graph", median_us(replay, flush=False))


def duals():
    table = torch.tensor(E2M1 + [-x for x in E2M1], device=DEVICE, dtype=torch.float16)
    for m, n, k in ((256, 4096, 7168), (512, 4096, 7168), (256, 3072, 4096), (512, 3072, 7168)):
        x, gate, up = random_nvfp4(m, k), random_nvfp4(n, k), random_nvfp4(n, k)

        def gated(x, gate, up):
            left = decode_nvfp4(*x, table)
            first, second = ((left @ decode_nvfp4(*w, table).t()).float() for w in (gate, up))
            return (F.silu(first) * second).half()

        case = f"dual_{m}x{n}x{k}"
        dequantised(case, gated, x, gate, up)
        wide = [decode_nvfp4(*each, table) for each in (x, gate, up)]
        ready = torch.compile(lambda x, g, u: (F.silu((x @ g.t()).float()) * (x @ u.t()).float()).half())
        replay = as_graph(lambda: ready(*wide))
        report(case, "fp16_predequantized_graph", median_us(replay, flush=False))


def mxint8():
    n = 4096 * 14336
    values = torch.randint(-128, 128, (n,), device=DEVICE, dtype=torch.int8)
    scales = torch.randint(110, 140, (n // 32,), device=DEVICE, dtype=torch.uint8)

    def decode(values, scales):
        exponents = (scales.int() - 127 - 6)[:, None]
        return torch.ldexp(values.view(-1, 32).float(), exponents).to(torch.bfloat16)

    eager_and_compiled("mxint8_dequant_58M", decode, values, scales, warmup=5, repeats=20)


def corners():
    def case(name, f, *args):
        report(name, "eager", median_us(lambda: f(*args)))
        report(name, "graph", median_us(as_graph(lambda: f(*args))))

    case("sort_1m", lambda x: torch.sort(x).values, torch.randn(10**6, device=DEVICE))
    rows = torch.randn(64, 128256, device=DEVICE)
    case("topk50_64x128256", lambda x: torch.topk(x, 50).values, rows)
    case("argmax_64x128256", lambda x: torch.argmax(x, 1), rows)
    case("topk1000_1m", lambda x: torch.topk(x, 1000).values, torch.randn(10**6, device=DEVICE))
    case("argmax_1mx7", lambda x: torch.argmax(x, 1), torch.randn(10**6, 7, device=DEVICE))
    case("argmax_8x1m_columns", lambda x: torch.argmax(x, 0), torch.randn(8, 10**6, device=DEVICE))
    tests = torch.randint(0, 10**6, (10000,), device=DEVICE)
    members = torch.randint(0, 10**6, (10**6,), device=DEVICE)
    report("isin_1m_10k", "eager", median_us(lambda: torch.isin(members, tests)))  # it reads sizes: no graph
    case("cumsum_1m", lambda x: torch.cumsum(x, 0), torch.randint(0, 3, (10**6,), device=DEVICE, dtype=torch.int32))
    for name, shape, dim in [
        ("10m", (10**7,), 0),
        ("64x128256", (64, 128256), 1),
        ("1000000x16", (10**6, 16), 1),
        ("4096x4096_columns", (4096, 4096), 0),
    ]:
        case(f"cumsum_{name}", lambda x: torch.cumsum(x, dim), torch.randn(*shape, device=DEVICE))
    index = torch.randint(0, 10000, (262144,), device=DEVICE)
    source = torch.randn(262144, 128, device=DEVICE)
    case("index_add_262144x128", lambda i, s: torch.zeros(10000, 128, device=DEVICE).index_add(0, i, s), index, source)
    values, ones = torch.randint(0, 1000, (10**7,), device=DEVICE), torch.ones(1, dtype=torch.int64, device=DEVICE)
    counts = lambda x: torch.zeros(1000, dtype=torch.int64, device=DEVICE).scatter_add(0, x, ones.expand(10**7))
    case("bincount_10m", counts, values)
    weight = torch.randn(128000, 4096, device=DEVICE, dtype=torch.bfloat16)
    case("embedding_4096x4096", F.embedding, torch.randint(0, 128000, (4096,), device=DEVICE), weight)
    for batch, keys in [(1, 32768), (16, 8192), (1, 4096)]:
        q = torch.randn(batch, 32, 1, 128, device=DEVICE, dtype=torch.bfloat16)
        k, v = (torch.randn(batch, 8, keys, 128, device=DEVICE, dtype=torch.bfloat16) for _ in range(2))
        sdpa = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        case(f"decode_{batch}x{keys}", sdpa, q, k, v)


def chain():
    x = torch.randn(1024, device=DEVICE)

    def f():
        y = x
        for _ in range(1000):
            y = torch.sin(y)
        return y

    report("chain_1000_kernels", "eager", median_us(f, flush=False, warmup=3, repeats=10))
    report("chain_1000_kernels", "graph", median_us(as_graph(f), flush=False, warmup=3, repeats=20))


class Block(torch.nn.Module):
    def __init__(self, width=768, heads=12):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


def gpt2():
    model = torch.nn.Sequential(*[Block() for _ in range(12)]).to(DEVICE, torch.bfloat16).eval()
    x = torch.randn(1, 1, 768, device=DEVICE, dtype=torch.bfloat16)
    case = "gpt2_blocks_1x1_bf16"
    with torch.no_grad():
        report(case, "eager", median_us(lambda: model(x), flush=False))
        for mode in ("default", "reduce-overhead"):
            compiled = torch.compile(model, mode=mode)
            started = time.time()
            compiled(x)
            torch.cuda.synchronize()
            report(case, f"{mode}_first_call", (time.time() - started) * 1e6)
            report(case, mode, median_us(lambda: compiled(x), flush=False))


class Gpt(torch.nn.Module):
    def __init__(self, vocabulary=50304, context=512, width=768):
        super().__init__()
        self.wte, self.wpe = torch.nn.Embedding(vocabulary, width), torch.nn.Embedding(context, width)
        self.blocks = torch.nn.Sequential(*[Block(width) for _ in range(12)])
        self.norm = torch.nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        return F.linear(self.norm(self.blocks(x)), self.wte.weight)


def training_step(model, loss_of):
    """Forward and backward pass, and the update by the fused optimiser, which is PyTorch's fastest."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def step():
        torch.compiler.cudagraph_mark_step_begin()
        loss_of().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def training_variants(case, make):
    """`make`: the model, and its loss, by what calls are compiled with."""
    for mode in (None, "default", "reduce-overhead"):
        torch.compiler.reset()
        model, loss_of = make(lambda f: f if mode is None else torch.compile(f, mode=mode))
        step = training_step(model, loss_of)
        name = mode or "eager"
        try:
            torch.cuda.reset_peak_memory_stats()
            started = time.time()
            step()
            torch.cuda.synchronize()
            report(case, f"{name}_first_call", (time.time() - started) * 1e6)
            report(case, name, median_us(step, flush=False, repeats=30))
            peak = torch.cuda.max_memory_allocated() - flush_buffer.numel() * flush_buffer.element_size()
            print(json.dumps({"case": case, "variant": f"{name}_peak", "bytes": peak}), flush=True)
        except RuntimeError as error:
            print(f"{case}, {name}: {error}", file=sys.stderr)
        del model, loss_of, step
        torch.cuda.empty_cache()


def training_gpt():
    tokens, targets = (torch.randint(0, 50304, (8, 512), device=DEVICE) for _ in range(2))
    x = torch.randn(8, 512, 768, device=DEVICE, dtype=torch.bfloat16)

    def whole(compiled):
        model = Gpt().to(DEVICE)

        @compiled
        def loss_of(tokens, targets):
            with torch.autocast(DEVICE, torch.bfloat16):
                return F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())

        return model, lambda: loss_of(tokens, targets)

    def blocks(compiled):
        model = torch.nn.Sequential(*[Block() for _ in range(12)]).to(DEVICE, torch.bfloat16)
        loss_of = compiled(lambda x: model(x).float().square().mean())
        return model, lambda: loss_of(x)

    training_variants("gpt2_blocks_training_bf16", blocks)
    training_variants("gpt2_124m_training_bf16", whole)


print(json.dumps({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__}), flush=True)
for section in (pointwise, whole_call, row_norms, sums, gemm, attention, attention_training, training_mlp, training_resnet, groups, duals, mxint8, chain, corners, gpt2, training_gpt):
    if not wanted or section.__name__ in wanted:
        try:
            section()
        except RuntimeError as error:  # what one version lacks must not cost the other figures
            print(json.dumps({"case": section.__name__, "error": str(error)[:300]}), flush=True)
