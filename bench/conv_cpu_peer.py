"""PyTorch on the cases of bench/conv-cpu.ts, eager, on the CPU: python3 bench/conv_cpu_peer.py THREADS [PART_OF_NAME,...]"""
import json, os, sys, time
import torch, torch.nn.functional as F
torch.manual_seed(0)
torch.set_num_threads(int(sys.argv[1]))
wanted = (sys.argv[2] if len(sys.argv) > 2 else "").split(",")
seconds = float(os.environ.get("SECONDS", 0.15))
def median_us(call):
    t0, n = time.perf_counter(), 0
    while n < 3 or time.perf_counter() - t0 < 0.03: call(); n += 1
    ts = []; end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(ts) < 5:
        t = time.perf_counter(); call(); ts.append(time.perf_counter() - t)
    return sorted(ts)[len(ts) // 2] * 1e6
with torch.inference_mode():
    for s in json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "conv-shapes.json"))):
        if not any(p in s["name"] for p in wanted): continue
        try:
            x = torch.randn(s["x"]); op = s.get("op"); k = s.get("k")
            c = x.shape[1]; zero, one = torch.zeros(c), torch.ones(c)
            kw = dict(stride=s.get("stride", 1), padding=s.get("pad", 0))
            if op == "max": f = lambda: F.max_pool2d(x, k, **kw)
            elif op == "maxi": f = lambda: F.max_pool2d(x, k, return_indices=True, **kw)
            elif op == "avg": f = lambda: F.avg_pool2d(x, k, **kw)
            elif op == "aavg": f = lambda: F.adaptive_avg_pool2d(x, k)
            elif op == "amax": f = lambda: F.adaptive_max_pool2d(x, k)
            elif op == "bn": f = lambda: F.batch_norm(x, zero, one, zero, one)
            elif op == "bnt": f = lambda: F.batch_norm(x, zero, one, zero, one, training=True)
            elif op: f = lambda: F.interpolate(x, (k, k), mode=op)
            else:
                w = torch.randn(s["w"]) * 0.05
                kw.update(dilation=s.get("dilation", 1), groups=s.get("groups", 1))
                g = F.conv_transpose2d if s.get("transposed") else {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[x.dim()]
                f = lambda: g(x, w, **kw)
            print(json.dumps({"case": s["name"], "us": round(median_us(f), 1)}), flush=True)
        except Exception as e:
            print(json.dumps({"case": s["name"], "error": str(e)[:300]}), flush=True)
