import json, os, sys, time
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
torch.backends.cudnn.benchmark = True
wanted = (sys.argv[1] if len(sys.argv) > 1 else "").split(",")
D = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
def median_us(call):
    t0, n = time.perf_counter(), 0
    while n < 10 or time.perf_counter() - t0 < 0.05:
        call(); torch.cuda.synchronize(); n += 1
    ts = []
    for _ in range(40):
        s, e = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        s.record(); call(); e.record(); e.synchronize(); ts.append(s.elapsed_time(e) * 1000)
    return sorted(ts)[len(ts) // 2]
def as_graph(call):
    side = torch.cuda.Stream(); side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3): call()
    torch.cuda.current_stream().wait_stream(side)
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g): call()
    return g.replay
fmt = {4: torch.channels_last, 5: torch.channels_last_3d}
with torch.no_grad():
    for s in json.load(open(os.path.join(os.path.dirname(__file__), "conv-shapes.json"))):
        if not any(p in s["name"] for p in wanted): continue
        try:
            x = torch.randn(s["x"], device="cuda").to(D[s["dtype"]])
            r = {"case": s["name"]}
            for layout in ("nchw", "cl"):
                if layout == "cl" and x.dim() not in fmt: continue
                def lay(t): return t.to(memory_format=fmt[t.dim()]) if layout == "cl" else t
                xx = lay(x)
                if "pool" in s:
                    f = lambda: F.max_pool2d(xx, s["pool"], s["stride"], s["pad"])
                else:
                    w = lay(torch.randn(s["w"], device="cuda").to(x.dtype) * 0.05)
                    kw = dict(stride=s.get("stride", 1), padding=s.get("pad", 0), dilation=s.get("dilation", 1), groups=s.get("groups", 1))
                    op = F.conv_transpose2d if s.get("transposed") else {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[x.dim()]
                    f = lambda: op(xx, w, **kw)
                r[layout] = round(median_us(as_graph(f)), 2)
                if s["dtype"] == "f32" and "w" in s:
                    torch.backends.cudnn.allow_tf32 = False
                    r[layout + "_exact"] = round(median_us(as_graph(f)), 2)
                    torch.backends.cudnn.allow_tf32 = True
            print(json.dumps(r), flush=True)
        except Exception as e: print(json.dumps({"case": s["name"], "error": str(e)[:200]}), flush=True)
    class B(nn.Module):
        def __init__(s, i, o, st):
            super().__init__(); s.a = nn.Conv2d(i, o, 3, st, 1); s.b = nn.Conv2d(o, o, 3, 1, 1); s.d = nn.Conv2d(i, o, 1, st) if st > 1 else None
        def forward(s, x): return F.relu(s.b(F.relu(s.a(x))) + (s.d(x) if s.d is not None else x))
    class R(nn.Module):
        def __init__(s):
            super().__init__(); s.s = nn.Conv2d(3, 64, 7, 2, 3); c = 64; l = []
            for i, o in enumerate((64, 128, 256, 512)):
                for j in (0, 1): l.append(B(c, o, 2 if i and not j else 1)); c = o
            s.l = nn.Sequential(*l); s.f = nn.Linear(512, 1000)
        def forward(s, x): return s.f(s.l(F.max_pool2d(F.relu(s.s(x)), 3, 2, 1)).mean((2, 3)))
    for b, dt in ((1, "f32"), (64, "f16"), (1, "f16"), (64, "f32")):
        name = f"resnet18_b{b}_{dt}"
        if not any(p in name for p in wanted): continue
        r = {"case": name}
        for layout in ("nchw", "cl"):
            try:
                m = R().cuda().to(D[dt]).eval(); x = torch.randn(b, 3, 224, 224, device="cuda").to(D[dt])
                if layout == "cl": m = m.to(memory_format=torch.channels_last); x = x.to(memory_format=torch.channels_last)
                r[layout] = round(median_us(as_graph(lambda: m(x))), 1)
                if not os.environ.get("NOCOMPILE"):
                    c = torch.compile(m); r[layout + "_compiled"] = round(median_us(as_graph(lambda: c(x))), 1)
                if dt == "f32":
                    torch.backends.cudnn.allow_tf32 = False
                    r[layout + "_exact"] = round(median_us(as_graph(lambda: m(x))), 1)
                    torch.backends.cudnn.allow_tf32 = True
            except Exception as e: r[layout + "_error"] = str(e)[:200]
        print(json.dumps(r), flush=True)
