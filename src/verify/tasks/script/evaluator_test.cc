#include "verify/tasks/script/evaluator.h"

#include <gtest/gtest.h>

#include "verify/tasks/input_script.h"

namespace cuset {
namespace {

Array written(const std::string& text, Variation variation = Variation::kPlain, uint64_t seed = 1) {
  return run_input_script(text, {"b"}, variation, RandomStream(seed, "test"))[0];
}

std::string dump(const Array& array) {
  std::string text = fmt::format("{} {}:", name_of(array.type), text_of(array.shape));
  for (uint64_t i = 0; i < array.count(); ++i) text += fmt::format(" {:.6g}", array.at(i));
  return text;
}

struct Case {
  std::string name;
  std::string script;    // leaves its result in B
  std::string expected;  // type, shape and numbers as numpy and PyTorch give them
};

const Case kCases[] = {
    {"ViewsWriteThrough", R"(import torch
B = torch.zeros(3, 4)
Bf = B.view(-1)
Bf[:5] = torch.arange(5).float()
B.view(-1)[7] = 9.5
B[2, 1:3] += 1)",
     "float32 (3, 4): 0 1 2 3 4 0 0 9.5 0 1 1 0"},
    {"NumpySlicesAreViews", R"(import numpy as B0
A = B0.arange(12).reshape(3, 4)
A[1:, ::2] *= 10
row = A[0]
row[:] = -1
B = A[::-1, [3, 0]])",
     "int64 (3, 2): 11 80 7 40 -1 -1"},
    {"ReshapeOfATransposeCopies", R"(import numpy as np
A = np.arange(6, dtype=np.int32).reshape(2, 3)
B = A.T
C = B.reshape(-1)
C[0] = 100
B = np.concatenate([B.ravel(), C]))",
     "int32 (12,): 0 3 1 4 2 5 100 3 1 4 2 5"},
    {"MasksAndIndexArrays", R"(import numpy as np
a = np.arange(10) - 5
a[a < 0] = 0
B = np.stack([a[[1, 5, 9]], a[np.array([7, 8, 9])]], axis=1)
B[[0, 2], [1, 0]] = 77)",
     "int64 (3, 2): 0 77 0 3 77 4"},
    {"TypesOfMixedArithmetic", R"(import numpy as np
a = np.arange(3, dtype=np.int32)
f = np.ones(3, dtype=np.float32)
B = np.concatenate([a / 2, (f * 0.1).astype(np.float64), a * f]))",
     "float64 (9,): 0 0.5 1 0.1 0.1 0.1 0 1 2"},
    {"TorchIntegersDivideToFloat32", R"(import torch
B = torch.arange(4) / 3)",
     "float32 (4,): 0 0.333333 0.666667 1"},
    {"Float32RoundsEachStep", R"(import torch
x = torch.tensor([0.1, 0.2, 1e10], dtype=torch.float32)
B = (x + 0.7) * 3.3 - x / 7)",
     "float32 (3,): 2.62571 2.94143 3.15714e+10"},
    {"WholeNumbersWrap", R"(import numpy as np
a = np.array([250, 251, 252], dtype=np.uint8)
B = a + np.array([10, 3, 1], dtype=np.uint8))",
     "uint8 (3,): 4 254 253"},
    {"Reductions", R"(import numpy as np
A = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
B = np.concatenate([A.sum(axis=1).ravel(), A.mean(axis=(0, 2)), A.max(axis=2, keepdims=True).ravel(), [A.std()], A.cumsum()[:3]]))",
     "float64 (21,): 12 15 18 21 48 51 54 57 7.5 11.5 15.5 3 7 11 15 19 23 6.92219 0 1 3"},
    {"FunctionsWithDefaults", R"(import numpy as np
def window(n: int, scale: float = 2.0, *, shift=0) -> np.ndarray:
    """Docstring."""
    w = np.zeros(n, dtype=np.float32)
    for i in range(n):
        if i % 2 == 0:
            continue
        w[i] = scale * i + shift
        if i > 5:
            break
    return w
B = window(9, shift=1))",
     "float32 (9,): 0 3 0 7 0 11 0 15 0"},
    {"ControlFlow", R"(import numpy as np
out = []
i, j = 0, 10
while i < j:
    i += 2; j -= 1
    out.append(i * j if i != 4 else -1)
else:
    out.extend([100])
B = np.array([x for x in out if x > 0] + [len(out)], dtype=np.int64))",
     "int64 (5,): 18 42 48 100 5"},
    {"Integers", R"(import numpy as np
B = np.array([7 // -2, -7 % 3, 2 ** 10, 1 << 5, 0xff & 0x0f, ~5, 10 ^ 3, -17 // 4, 5 % -3, int(7.9), int(-7.9), round(2.5), 3 or 4, 0 or 5], dtype=np.int64))",
     "int64 (14,): -4 2 1024 32 15 -6 9 -5 -1 7 -7 2 3 5"},
    {"MathFunctions", R"(import math
import numpy as np
B = np.array([math.sqrt(2), math.floor(-1.5), math.ceil(1.2), math.log(8, 2), math.pi, np.exp(1.0), abs(-3.5), min(3, 1, 2), max([4, 9])]))",
     "float64 (9,): 1.41421 -2 2 3 3.14159 2.71828 3.5 1 9"},
    {"WindowsAndSinc", R"(import numpy as np
m = np.arange(5) - 2
B = np.concatenate([np.hamming(5), np.hanning(5), np.sinc(0.3 * m)]))",
     "float64 (15,): 0.08 0.54 1 0.54 0.08 0 0.5 1 0.5 0 0.504551 0.858394 1 0.858394 0.504551"},
    {"GridsAndJoins", R"(import torch
x = torch.linspace(0, 3, 4)
gx, gy = torch.meshgrid(x, x[:2], indexing='ij')
B = torch.cat([torch.stack([gx, gy], dim=-1).reshape(-1, 2), torch.ones(1, 2)], dim=0))",
     "float32 (9, 2): 0 0 0 1 1 0 1 1 2 0 2 1 3 0 3 1 1 1"},
    {"WhereClipAndSort", R"(import numpy as np
a = np.array([3.0, -1.0, 2.0, 7.0])
B = np.concatenate([np.where(a > 2, a, 0), np.clip(a, 0, 3), np.sort(a), np.argsort(a)]))",
     "float64 (16,): 3 0 0 7 3 0 2 3 -1 2 3 7 1 2 0 3"},
    {"TorchMaxGivesIndices", R"(import torch
a = torch.tensor([[1.0, 5.0], [4.0, 2.0]])
v, i = a.max(dim=1)
B = torch.stack([v, i.float(), a.min(dim=0)[0]]))",
     "float32 (3, 2): 5 4 1 0 1 2"},
    {"MatrixProducts", R"(import numpy as np
A = np.arange(6, dtype=np.float32).reshape(2, 3)
B = A @ A.T + np.dot(A, np.ones(3, dtype=np.float32)))",
     "float32 (2, 2): 8 26 17 62"},
    {"PermuteAndFlip", R"(import torch
a = torch.arange(24).reshape(2, 3, 4)
B = a.permute(2, 0, 1).flip(0)[:, 1].contiguous())",
     "int64 (4, 3): 15 19 23 14 18 22 13 17 21 12 16 20"},
    {"RollRepeatTilePad", R"(import numpy as np
a = np.arange(4)
B = np.concatenate([np.roll(a, 1), np.repeat(a, 2), np.tile(a, 2), np.pad(a, (1, 2)), np.flip(a)]))",
     "int64 (31,): 3 0 1 2 0 0 1 1 2 2 3 3 0 1 2 3 0 1 2 3 0 0 1 2 3 0 0 3 2 1 0"},
    {"FormattedPathsAndLists", R"(import numpy as np
names = ["a", "b"]
parts = {n: i * 1.5 for i, n in enumerate(names)}
total = sum(parts[n] for n in names)
B = np.array([total, len(f"data/{names[0]}_{3:03d}.bin"), len("%d-%s" % (5, "x"))]))",
     "float64 (3,): 1.5 14 3"},
    {"AxesWithNoneAndEllipsis", R"(import numpy as np
a = np.arange(6).reshape(2, 3)
B = (a[..., None] * a[:, None, :])[..., 1])",
     "int64 (2, 3): 0 1 2 12 16 20"},
    {"UnpackingAndStars", R"(import numpy as np
first, *rest = range(5)
(a, b), c = (1, 2), 3
shape = (2, 2)
B = np.zeros((*shape, 1)) + np.array([first, sum(rest), a + b + c, 1]).reshape(*shape, 1))",
     "float64 (2, 2, 1): 0 10 6 1"},
    {"HalfPrecision", R"(import torch
B = (torch.tensor([1.0, 2049.0, 1e-7, 65519.0]) * 1.0).half().float())",
     "float32 (4,): 1 2048 1.19209e-07 65504"},
    {"LambdasAndClosures", R"(import numpy as np
def outer(k):
    def inner(x):
        return x * k
    return inner
B = np.array([outer(3)(4), (lambda a, b=2: a + b)(1), list(map(lambda v: v ** 2, [1, 2]))[1]]))",
     "int64 (3,): 12 3 4"},
    {"InPlaceMethods", R"(import torch
B = torch.zeros(2, 3)
B.fill_(2).mul_(3)
B[0].zero_()
B.add_(0.5)
B[1].clamp_(max=4))",
     "float32 (2, 3): 0.5 0.5 0.5 4 4 4"},
    {"BroadcastStores", R"(import numpy as np
B = np.zeros((2, 3), dtype=np.int32)
B[:, 1] = [7, 8]
B[0, :] += np.array([1, 1, 1])
B[1] = 2.9)",
     "int32 (2, 3): 1 8 1 2 2 2"},
    {"EyeTriangleDiagonal", R"(import numpy as np
B = np.eye(3) + np.tril(np.ones((3, 3))) + np.diag(np.arange(3.0)) + np.triu(np.full((3, 3), 4), k=1))",
     "float64 (3, 3): 2 4 4 1 3 4 1 1 4"},
    {"SoftmaxAndNorm", R"(import torch
a = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
B = torch.cat([torch.softmax(a, dim=1), torch.norm(a, dim=1)[None], a.var(dim=0, unbiased=False).unsqueeze(0), a.std(0)[None]]))",
     "float32 (5, 2): 0.268941 0.731059 0.119203 0.880797 2.23607 5.83095 1 2.25 1.41421 2.12132"},
};

class ScriptResult : public testing::TestWithParam<Case> {};

TEST_P(ScriptResult, IsThatOfNumpyOrTorch) {
  EXPECT_EQ(dump(written(GetParam().script + "\nB.tofile('data/b.bin')\n")), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(All, ScriptResult, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace cuset
