"""PyTorch's side of bench/conv-cpu.ts, eager, on the CPU: `conv_cpu_peer.py THREADS` answers each shape, a JSON line, with a JSON line."""
import json, os, sys, time
import torch, torch.nn.functional as F
torch.manual_seed(0)
torch.set_num_threads(int(sys.argv[1]))
seconds = float(os.environ.get("SECONDS", 0.15))
def times_of(call):
    call(); call()
    ts = []; end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(ts) < 5:
        t = time.perf_counter(); call(); ts.append(time.perf_counter() - t)
    ts.sort()
    return {"us": round(ts[len(ts) // 2] * 1e6, 1), "least": round(ts[0] * 1e6, 1)}
def call_of(s):
    dtype = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16}[s.get("dtype", "f32")]
    x = torch.randn(s["x"]).to(dtype); op = s.get("op"); k = s.get("k")
    c = x.shape[1]; zero, one = torch.zeros(c, dtype=dtype), torch.ones(c, dtype=dtype)
    kw = dict(stride=s.get("stride", 1), padding=s.get("pad", 0))
    if op == "max": return lambda: F.max_pool2d(x, k, **kw)
    if op == "maxi": return lambda: F.max_pool2d(x, k, return_indices=True, **kw)
    if op == "avg": return lambda: F.avg_pool2d(x, k, **kw)
    if op == "aavg": return lambda: F.adaptive_avg_pool2d(x, k)
    if op == "amax": return lambda: F.adaptive_max_pool2d(x, k)
    if op == "bn": return lambda: F.batch_norm(x, zero, one, zero, one)
    if op == "bnt": return lambda: F.batch_norm(x, zero, one, zero, one, training=True)
    if op: return lambda: F.interpolate(x, (k, k), mode=op)
    w = (torch.randn(s["w"]) * 0.05).to(dtype)
    kw.update(dilation=s.get("dilation", 1), groups=s.get("groups", 1))
    g = F.conv_transpose2d if s.get("transposed") else {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[x.dim()]
    return lambda: g(x, w, **kw)
last = None
with torch.inference_mode():
    for line in sys.stdin:
        try:
            if last is None or last[0] != line: last = (line, call_of(json.loads(line)))
            print(json.dumps(times_of(last[1])), flush=True)
        except Exception as e:
            print(json.dumps({"error": str(e)[:300]}), flush=True)
