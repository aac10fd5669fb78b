#!/usr/bin/env python3
"""Writes reference.json: what numpy, scipy and PyTorch give in float64 for the native oracles of tasks.

usage: python make_reference.py    (numpy, scipy, torch)

The inputs are not stored: number i of input k is (((i + 1000 k) * 37 + 11) % 101 - 50) / 16, exact in float32.
They are called x, y and c.
"""
import json
import pathlib

import numpy as np
import scipy.special as special
import torch
import torch.nn.functional as F

CASES = []


def sample(shape, k):
    i = np.arange(int(np.prod(shape)), dtype=np.int64) + 1000 * k
    return (((i * 37 + 11) % 101 - 50) / 16.0).reshape(shape)


def case(oracle, parameters, shapes, function):
    inputs = [sample(shape, k) for k, shape in enumerate(shapes)]
    wanted = np.asarray(function(*inputs), dtype=np.float64)
    CASES.append({"oracle": oracle, "parameters": parameters, "inputs": shapes, "output": list(wanted.shape),
                  "wanted": wanted.ravel().tolist()})


def torch_case(oracle, parameters, shapes, function):
    case(oracle, parameters, shapes, lambda *inputs: function(*[torch.tensor(one) for one in inputs]).numpy())


case("map", {"expression": "where(x > 0, x, 0.25 * x) + y"}, [[2, 3, 4], [4]],
     lambda x, y: np.where(x > 0, x, 0.25 * x) + y)
case("map", {"expression": "0.5 * x * (1 + erf(x / sqrt(2)))"}, [[5]],
     lambda x: 0.5 * x * (1 + special.erf(x / np.sqrt(2))))
case("map", {"expression": "tanh(x) * sigmoid(y) - min(x, y) / max(abs(y), 1)"}, [[3, 1], [1, 2]],
     lambda x, y: np.tanh(x) * special.expit(y) - np.minimum(x, y) / np.maximum(abs(y), 1))
case("map", {"expression": "x[1, mod(8 * y, 3)] - x[0, mod(y, 2)]"}, [[2, 3], [4]],
     lambda x, y: x[1, np.floor(8 * y % 3).astype(int)] - x[0, np.floor(y % 2).astype(int)])
case("loops", {"expression": "abs(x[i0, k0] - y[i1, k0])", "over": [5]}, [[3, 5], [2, 5]],
     lambda x, y: abs(x[:, None] - y[None]).sum(-1))
case("loops", {"expression": "x[i0 + k0 - 1, i1 + k1 - 1]", "over": [3, 3], "op": "mean"}, [[3, 4]],
     lambda x: sum(np.pad(x, 1)[a:a + 3, b:b + 4] for a in range(3) for b in range(3)) / 9)
case("loops", {"expression": "(x[i0] - y[k0]) * (x[i0] - y[k0])", "over": [7], "op": "argmin"}, [[6], [7]],
     lambda x, y: np.argmin((x[:, None] - y[None]) ** 2, axis=-1))
case("loops", {"expression": "x[i1, 3 - i0]"}, [[3, 4]], np.rot90)

REDUCTIONS = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod, "var": np.var,
              "l2norm": lambda x, axis: np.sqrt((x * x).sum(axis=axis)), "logsumexp": special.logsumexp}
for op, function in REDUCTIONS.items():
    case("reduce", {"op": op, "axes": [0, 2]}, [[2, 3, 4]], lambda x: function(x, axis=(0, 2)))
case("reduce", {"op": "argmax", "axes": 1}, [[2, 3, 4]], lambda x: np.argmax(x, axis=1))
case("reduce", {"op": "argmin"}, [[2, 3, 4]], np.argmin)
case("reduce", {"op": "var", "axes": [-1], "correction": 1, "keepdims": True}, [[2, 3, 4]],
     lambda x: np.var(x, axis=-1, ddof=1, keepdims=True))

case("matmul", {}, [[2, 3], [3, 4]], lambda x, y: x @ y)
case("matmul", {"transpose_a": True, "transpose_b": True}, [[3, 2], [4, 3]], lambda x, y: x.T @ y.T)
case("matmul", {"transpose_b": True}, [[2, 2, 3], [2, 3], [2]], lambda x, y, c: x @ y.T + c)
case("matmul", {}, [[2, 3], [3]], lambda x, y: x @ y)
case("matmul", {}, [[2, 70], [70, 2]], lambda x, y: x @ y)
case("matmul", {"then": "max(0, 2 * result - c)"}, [[2, 3], [3, 2], [2]], lambda x, y, c: np.maximum(0, 2 * (x @ y) - c))

case("softmax", {}, [[2, 3]], lambda x: special.softmax(x, axis=-1))
case("softmax", {"axis": 0}, [[3, 2]], lambda x: special.softmax(x, axis=0))
case("log_softmax", {"axis": 1}, [[2, 3]], lambda x: special.log_softmax(x, axis=1))
torch_case("layer_norm", {"eps": 1e-3}, [[2, 4], [4], [4]], lambda x, y, c: F.layer_norm(x, (4,), y, c, 1e-3))
torch_case("layer_norm", {"axes": [1, 2]}, [[2, 2, 2]], lambda x: F.layer_norm(x, (2, 2)))
case("rms_norm", {"eps": 1e-6}, [[2, 4], [4]],
     lambda x, y: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * y)

case("transpose", {}, [[2, 3]], lambda x: x.T)
case("transpose", {"permutation": [1, 2, 0]}, [[2, 3, 2]], lambda x: x.transpose(1, 2, 0))
case("reshape", {}, [[2, 6]], lambda x: x.reshape(3, 4))
case("triangle", {}, [[2, 3, 3]], np.tril)
case("triangle", {"part": "upper", "diagonal": 1, "value": -2}, [[3, 4]],
     lambda x: np.triu(x, 1) + np.tril(np.full((3, 4), -2.0), 0))
case("sort", {}, [[2, 5]], lambda x: np.sort(x, axis=1))
case("sort", {"axis": 0, "descending": True, "k": 2}, [[4, 2]], lambda x: -np.sort(-x, axis=0)[:2])
case("prefix_sum", {}, [[2, 4]], lambda x: np.cumsum(x, axis=1))
case("prefix_sum", {"axis": 0, "inclusive": False}, [[3, 2]], lambda x: np.cumsum(x, axis=0) - x)
case("scan", {"op": "max"}, [[2, 5]], lambda x: np.maximum.accumulate(x, axis=1))
case("scan", {"op": "min", "axis": 0}, [[4, 2]], lambda x: np.minimum.accumulate(x, axis=0))
case("scan", {"op": "prod"}, [[4]], np.cumprod)


def recurrence(x, gate, scale, from_first=False):
    y = np.zeros_like(x)
    for t in range(x.shape[-1]):
        before = y[..., t - 1] if t > 0 else np.zeros_like(y[..., 0])
        y[..., t] = x[..., t] if from_first and t == 0 else gate[..., t] * before + scale * x[..., t]
    return y


case("recurrence", {"decay": 0.5, "scale": 0.25}, [[2, 4]], lambda x: recurrence(x, np.full_like(x, 0.5), 0.25))
case("recurrence", {"decay": 0.75, "scale": 0.25, "from_first": True}, [[2, 4]],
     lambda x: recurrence(x, np.full_like(x, 0.75), 0.25, True))
case("recurrence", {"axis": 0}, [[4, 2], [4, 2]], lambda x, y: recurrence(x.T, y.T, 1).T)
case("histogram", {"bins": 5, "low": -3.125, "high": 3.125}, [[40]],
     lambda x: np.histogram(x, bins=5, range=(-3.125, 3.125))[0])
case("histogram", {"bins": 7, "low": -1, "high": 2.5}, [[40]], lambda x: np.histogram(x, bins=7, range=(-1, 2.5))[0])

torch_case("conv1d", {"stride": 2, "padding": 1}, [[1, 2, 6], [3, 2, 3], [3]],
           lambda x, y, c: F.conv1d(x, y, c, stride=2, padding=1))
torch_case("conv1d", {"dilation": 2, "groups": 2}, [[1, 2, 6], [2, 1, 3]],
           lambda x, y: F.conv1d(x, y, dilation=2, groups=2))
torch_case("conv2d", {"padding": [1, 0]}, [[1, 2, 3, 4], [2, 2, 3, 2], [2]],
           lambda x, y, c: F.conv2d(x, y, c, padding=(1, 0)))
torch_case("conv2d", {"stride": [2, 1], "padding": 2, "dilation": [1, 3]}, [[2, 1, 4, 5], [1, 1, 2, 2]],
           lambda x, y: F.conv2d(x, y, stride=(2, 1), padding=2, dilation=(1, 3)))
torch_case("conv2d", {"padding": 1}, [[1, 9, 2, 2], [1, 9, 3, 3]], lambda x, y: F.conv2d(x, y, padding=1))
torch_case("pool2d", {"op": "max", "kernel": 3, "stride": 2, "padding": 1}, [[1, 2, 4, 5]],
           lambda x: F.max_pool2d(x, 3, 2, 1))
torch_case("pool2d", {"op": "avg", "kernel": [2, 3], "padding": [1, 1]}, [[1, 4, 5]],
           lambda x: F.avg_pool2d(x, (2, 3), padding=(1, 1)))
torch_case("pool2d", {"op": "avg", "kernel": 2, "stride": 1, "padding": 1, "count_padding": False}, [[1, 2, 2]],
           lambda x: F.avg_pool2d(x, 2, 1, 1, count_include_pad=False))
torch_case("conv3d", {"stride": [1, 2, 1], "padding": [1, 0, 2]}, [[1, 2, 3, 4, 3], [2, 2, 2, 3, 2], [2]],
           lambda x, y, c: F.conv3d(x, y, c, stride=(1, 2, 1), padding=(1, 0, 2)))
torch_case("conv_transpose1d", {"stride": 2, "padding": 1}, [[2, 2, 4], [2, 3, 3], [3]],
           lambda x, y, c: F.conv_transpose1d(x, y, c, stride=2, padding=1))
torch_case("pool1d", {"op": "max", "kernel": 3, "stride": 2, "padding": 1}, [[1, 2, 7]],
           lambda x: F.max_pool1d(x, 3, 2, 1))
torch_case("pool1d", {"op": "avg", "kernel": 2}, [[2, 2, 6]], lambda x: F.avg_pool1d(x, 2))
torch_case("pool3d", {"op": "max", "kernel": 2}, [[1, 2, 4, 2, 4]], lambda x: F.max_pool3d(x, 2))
torch_case("pool3d", {"op": "avg", "kernel": [2, 3, 1], "stride": [1, 2, 1], "padding": [1, 1, 0]}, [[1, 1, 3, 4, 2]],
           lambda x: F.avg_pool3d(x, (2, 3, 1), (1, 2, 1), (1, 1, 0)))
case("chain", {"steps": [{"name": "low", "native": "reduce", "inputs": ["x"], "shape": [2, 1],
                          "parameters": {"op": "min", "axes": 1, "keepdims": True}},
                         {"native": "map", "parameters": {"expression": "x - low"}}]}, [[2, 3]],
     lambda x: x - x.min(axis=1, keepdims=True))
torch_case("chain", {"steps": [{"name": "groups", "native": "reshape", "inputs": ["x"], "shape": [2, 2, 6]},
                               {"name": "normed", "native": "layer_norm", "inputs": ["groups"], "shape": [2, 2, 6]},
                               {"name": "channels", "native": "reshape", "inputs": ["normed"], "shape": [2, 4, 3]},
                               {"native": "map", "inputs": ["channels", "y"],
                                "parameters": {"expression": "channels * y"}}]}, [[2, 4, 3], [4, 1]],
           lambda x, y: F.group_norm(x, 2, y.reshape(4)))
torch_case("mse", {}, [[2, 3], [2, 3]], F.mse_loss)
torch_case("mse", {"reduction": "sum"}, [[3], [3]], lambda x, y: F.mse_loss(x, y, reduction="sum"))

lines = ",\n".join(json.dumps(one) for one in CASES)
(pathlib.Path(__file__).parent / "reference.json").write_text(f"[\n{lines}\n]\n")
