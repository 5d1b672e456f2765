"""
Trainings of small models in float64: losses of 12 steps and the final weights, from given weights, on given data.

    python3 scripts/torch/training.py scripts/torch/training.json.gz

Written with PyTorch 1.13.1. The file: { NAME: { inputs, targets, start, losses, end } }, where tensors are { shape, values };
`start` and `end` are state dicts. tests/nn/trainings.ts has the same models.
"""
import gzip
import json
import sys

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
STEPS = 12


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 3))

    def forward(self, x):
        return self.layers(x)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 6, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(6)
        self.grouped = nn.Conv2d(6, 6, 3, stride=2, padding=1, groups=3)
        self.second_norm = nn.GroupNorm(2, 6)
        self.up = nn.ConvTranspose2d(6, 4, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.pool = nn.MaxPool2d(2)
        self.out = nn.Linear(4 * 3 * 3, 3)

    def forward(self, x):
        x = F.relu(self.norm(self.first(x)))
        x = F.silu(self.second_norm(self.grouped(x)))
        return self.out(self.pool(F.leaky_relu(self.up(x), 0.1)).flatten(1))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (each.view(b, t, self.heads, -1).transpose(1, 2) for each in self.qkv(self.norm1(x)).split(c, 2))
        scores = (q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5
        mask = torch.ones(t, t, dtype=torch.bool).tril()
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        x = x + self.proj((weights @ v).transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    """The output's weight is the embedding's."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(11, 8)
        self.places = nn.Embedding(5, 8)
        self.blocks = nn.ModuleList([Block(8, 2), Block(8, 2)])
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        h = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        for block in self.blocks:
            h = block(h)
        return (self.norm(h) @ self.tokens.weight.t()).flatten(0, 1)


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(4, 5, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(10, 3)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1])


def classes(n, k):
    return torch.randint(0, k, (n,))


def trainings():
    return {
        "mlp": (Mlp(), torch.randn(7, 6), classes(7, 3), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)),
        "cnn": (Cnn(), torch.randn(4, 2, 6, 6), classes(4, 3), lambda p: torch.optim.AdamW(p, lr=1e-2)),
        "gpt": (Gpt(), torch.randint(0, 11, (3, 5)), classes(15, 11), lambda p: torch.optim.AdamW(p, lr=1e-2, weight_decay=0.1)),
        "lstm": (Recurrent(nn.LSTM), torch.randn(3, 6, 4), classes(3, 3), lambda p: torch.optim.RMSprop(p, lr=1e-2)),
        "gru": (Recurrent(nn.GRU), torch.randn(3, 6, 4), classes(3, 3), lambda p: torch.optim.Adam(p, lr=1e-2)),
    }


def data(tensor):
    return {"shape": list(tensor.shape), "values": tensor.detach().flatten().tolist()}


def weights(model):
    return {name: data(tensor) for name, tensor in model.state_dict().items()}


def main():
    torch.manual_seed(7)
    results = {}
    for name, (model, inputs, targets, optimiser) in trainings().items():
        start = weights(model)
        opt = optimiser(model.parameters())
        losses = []
        for _ in range(STEPS):
            opt.zero_grad()
            loss = F.cross_entropy(model(inputs), targets)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            losses.append(loss.item())
        results[name] = {
            "inputs": data(inputs),
            "targets": data(targets),
            "start": start,
            "losses": losses,
            "end": weights(model),
        }
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as file:
        file.write(json.dumps(results, separators=(",", ":")).encode())


main()
