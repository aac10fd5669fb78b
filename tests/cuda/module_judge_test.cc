// Answers in KernelBench's form, judged on the CPU: everything but kernels. Skipped where there is no Python
// with PyTorch.
#include "benchmarks/kernelbench/module_judge.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"

namespace cuset::tests {
namespace {

// Problems of this form, written for these tests.
constexpr const char* kProblem = R"(
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 8)

    def forward(self, x, scale):
        return torch.relu(self.linear(x)) * scale

batch_size = 64
features = 16

def get_inputs():
    return [torch.rand(batch_size, features), 2.0]

def get_init_inputs():
    return [features]
)";

constexpr const char* kHead = R"(
import torch
import torch.nn as nn
import torch.nn.functional as F

class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 8)

    def forward(self, x, scale):
)";

std::string answer(const std::string& body, const std::string& before = "") {
  return before + kHead + "        " + body + "\n";
}

const char* const kRight = "return F.linear(x, self.linear.weight, self.linear.bias).clamp(min=0) * scale";

class ModuleJudge : public testing::Test {
 protected:
  void SetUp() override {
    const char* const own = ".deps/venv/bin/python";
    if (std::getenv("CUSET_PYTHON") == nullptr && std::filesystem::exists(own))
      ::setenv("CUSET_PYTHON", own, 1);
    try {
      static const judge::Python python = judge::find_python(judge::PythonLibrary::kTorch);
      settings_.python = python;
    } catch (const base::Error& error) {
      GTEST_SKIP() << error.one_line();
    }
    settings_.limits = benchmarks::module_limits();
    settings_.limits.memory = 4ull << 30;
    settings_.seed = 3;
    task_.id = "module";
    task_.kind = tasks::AnswerKind::kModule;
    task_.module = kProblem;
    task_.needs_kernel = false;
    task_.time_limit = 60;
  }

  void expect(const std::string& code, judge::Outcome outcome, const std::string& explanation) {
    const judge::Verdict verdict = benchmarks::judge_module(settings_, task_, code);
    EXPECT_EQ(judge::name_of(verdict.outcome), judge::name_of(outcome)) << verdict.explanation;
    EXPECT_NE(verdict.explanation.find(explanation), std::string::npos) << verdict.explanation;
  }

  benchmarks::ModuleJudgeSettings settings_;
  tasks::Task task_;
};

TEST_F(ModuleJudge, ARightAnswerIsCorrectOnAllDistributions) {
  settings_.timing = true;
  settings_.timed_runs = 10;
  const judge::Verdict verdict = benchmarks::judge_module(settings_, task_, answer(kRight));
  ASSERT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation;
  ASSERT_EQ(verdict.trials.size(), 6u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(verdict.trials[i].variation, static_cast<tasks::Variation>(i));
  EXPECT_EQ(verdict.trials[5].variation, tasks::Variation::kHighEdge);
  EXPECT_EQ(verdict.reward.fraction_right, 1);
  ASSERT_TRUE(verdict.timing);
  EXPECT_EQ(verdict.timing->runs, 10u);
  EXPECT_GT(verdict.timing->median_us, 0);
  EXPECT_GT(verdict.timing->speedup, 0);
}

TEST_F(ModuleJudge, WrongOutputsAreFound) {
  expect(answer("return self.linear(x).clamp(min=0)"), judge::Outcome::kWrongOutput, "out0[");
  expect(answer("return torch.zeros(64, 8)"), judge::Outcome::kWrongOutput, "out0[");
  expect(answer("return (self.linear.half()(x.half()).clamp(min=0) * scale).float()"),
         judge::Outcome::kWrongOutput, "out0[");
}

// On processors that announce tiles without having them PyTorch's own product ended with an illegal
// instruction.
TEST_F(ModuleJudge, BFloat16IsComputedOnEveryProcessor) {
  expect(answer("wide = torch.ones(256, 256, dtype=torch.bfloat16)\n"
                "        assert (wide @ wide)[0, 0] == 256\n        " +
                std::string(kRight)),
         judge::Outcome::kCorrect, "");
}

TEST_F(ModuleJudge, HalfTypesAreJudgedWithTolerancesThatFit) {
  for (const char* const precision : {"bfloat16", "float16"}) {
    task_.module = std::string(kProblem) + "\nprecision = torch." + precision + "\n";
    expect(answer(kRight), judge::Outcome::kCorrect, "");
    expect(answer("return self.linear(x).clamp(min=0) * scale * 1.05"), judge::Outcome::kWrongOutput,
           "out0[");
    expect(answer("return torch.zeros(64, 8, dtype=x.dtype)"), judge::Outcome::kWrongOutput, "out0[");
  }
}

TEST_F(ModuleJudge, WrongShapesTypesAndThingsAreFound) {
  expect(answer("return self.linear(x).clamp(min=0)[:3]"), judge::Outcome::kWrongShape,
         "(3, 8), wanted float32 of (64, 8)");
  expect(answer("return x, x"), judge::Outcome::kWrongShape, "2 tensors, wanted 1");
  expect(answer("return self.linear(x).int()"), judge::Outcome::kWrongShape, "int32");
  expect(answer("class Lazy(torch.Tensor): pass\n        return x.as_subclass(Lazy)"), judge::Outcome::kHack,
         "Lazy");
}

TEST_F(ModuleJudge, FailuresHaveTheirWord) {
  expect("class ModelNew(:\n", judge::Outcome::kCompileError, "SyntaxError");
  expect("x = 1\n", judge::Outcome::kCompileError, "no class ModelNew");
  expect(answer("return undefined_name"), judge::Outcome::kCrash, "NameError");
  expect(answer("import os; os._exit(0)"), judge::Outcome::kHack, "ended its process");
  expect(answer("import os; os.kill(os.getpid(), 11)"), judge::Outcome::kCrash, "");
  expect("  ", judge::Outcome::kNoCode, "no code");
}

TEST_F(ModuleJudge, InputsStayAsTheyWere) {
  expect(answer(std::string(
             "result = torch.relu(self.linear(x)) * scale\n        x.zero_()\n        return result")),
         judge::Outcome::kWrongOutput, "changes its input 0");
}

TEST_F(ModuleJudge, NoExpectedOutputIsInSight) {
  expect(answer("import os\n        names = sorted(os.listdir('.'))\n"
                "        assert not [n for n in names if 'reference' in n or 'exact' in n], names\n        " +
                std::string(kRight)),
         judge::Outcome::kCorrect, "");
}

// An answer shares its process with what serves it, and can replace all of that.
TEST_F(ModuleJudge, ReplacedTimersAndComparisonsChangeNothing) {
  settings_.timing = true;
  settings_.timed_runs = 5;
  const std::string patches =
      "import json, sys, time, torch\njudge = sys.modules['__main__']\n"
      "time.perf_counter = time.monotonic = lambda: 0.0\n"
      "torch.allclose = lambda *a, **k: True\ntorch.Tensor.cpu = lambda self: torch.zeros(1)\n"
      "judge.Subject.flush = lambda self: {'event_ms': 1e-3, 'wall_ms': 1e-3}\n";
  const std::string slow = "time.sleep(0.02)\n        " + std::string(kRight);
  const judge::Verdict verdict = benchmarks::judge_module(settings_, task_, answer(slow, patches));
  EXPECT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation;
  ASSERT_TRUE(verdict.timing);
  EXPECT_GT(verdict.timing->median_us, 20'000);
}

TEST_F(ModuleJudge, RepliesAreNotBelieved) {
  const auto with = [](const std::string& patch, const std::string& body) {
    return answer(body, "import sys\njudge = sys.modules['__main__']\n" + patch + "\n");
  };
  expect(with("judge.digest = lambda tensor, secret: '00' * 8 * 262", kRight), judge::Outcome::kCorrect, "");
  settings_.timing = true;
  settings_.timed_runs = 5;
  expect(with("judge.digest = lambda tensor, secret: '00' * 8 * 262", kRight), judge::Outcome::kHack,
         "wrong while it is timed");
  expect(with("judge.Subject.keep = lambda self, name: {'outputs': []}", kRight), judge::Outcome::kWrongShape,
         "0 tensors");
  expect(with("judge.Subject.check = lambda self, *a: {'checksums': [0]}", kRight),
         judge::Outcome::kWrongOutput, "changes its input 0");
  expect(with("judge.DUMP = lambda *a: '[]'", kRight), judge::Outcome::kCrash, "left no result");
}

// Contents never repeat, so what was computed once is of no use.
TEST_F(ModuleJudge, OutputsOfEarlierCallsAreWrong) {
  settings_.timing = true;
  settings_.timed_runs = 5;
  expect(answer("fresh = F.linear(x, self.linear.weight, self.linear.bias).clamp(min=0) * scale\n"
                "        self.calls = getattr(self, 'calls', 0) + 1\n"
                "        if self.calls <= 6: return fresh\n"
                "        self.first = getattr(self, 'first', fresh)\n"
                "        return self.first.clone()"),
         judge::Outcome::kHack, "wrong while it is timed: call 1");
}

TEST_F(ModuleJudge, AnIdentityDoesNotPassForReluOnPositiveInputs) {
  task_.module = R"(
import torch
import torch.nn as nn
class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)
def get_inputs():
    return [torch.rand(32, 32)]
def get_init_inputs():
    return []
)";
  expect(
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clone()\n",
      judge::Outcome::kWrongOutput, "shifted inputs");
  expect(
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return "
      "x.clamp(min=0)\n",
      judge::Outcome::kCorrect, "");
}

TEST_F(ModuleJudge, ProblemsThatCannotBeJudgedSaySo) {
  const std::string problem = kProblem;
  const auto with = [&](const std::string& line) {
    task_.module = problem;
    const std::string old = "return torch.relu(self.linear(x)) * scale";
    task_.module.replace(task_.module.find(old), old.size(), line);
  };
  with("return torch.relu(self.linear(x)) * torch.rand(1)");
  expect(answer(kRight), judge::Outcome::kFaultyTask, "random numbers");
  with("return torch.relu(self.linear(x)) * 0");
  expect(answer(kRight), judge::Outcome::kFaultyTask, "same for all inputs");
  with("return self.missing(x)");
  expect(answer(kRight), judge::Outcome::kFaultyTask, "missing");
}

TEST_F(ModuleJudge, LargeBatchesAreMadeSmaller) {
  task_.module.replace(task_.module.find("batch_size = 64"), 15, "batch_size = 1073741824");
  settings_.data_limit = 1 << 16;
  const judge::Verdict verdict = benchmarks::judge_module(settings_, task_, answer(kRight));
  ASSERT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation;
  EXPECT_EQ(verdict.trials[0].outputs[0].elements, 1024u * 8);
  task_.module.replace(task_.module.find("batch_size = "), 12, "rows_of_all =");
  task_.module.replace(task_.module.find("torch.rand(batch_size"), 21, "torch.rand(rows_of_all");
  expect(answer(kRight), judge::Outcome::kUnsupported, "no batch to make smaller");
}

TEST_F(ModuleJudge, AKernelIsNeededWhereTheTaskSaysSo) {
  task_.needs_kernel = true;
  expect(answer(kRight), judge::Outcome::kNoKernel, "defines no kernel of its own");
  expect("source = '__global__ void k(float* x) { x[0] = 1; }'\n" + answer(kRight),
         judge::Outcome::kUnsupported, "need a GPU");
}

// A module whose weights begin with 1 and 0, and answers that hold them in their own ways.
constexpr const char* kNormed = R"(
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.first = nn.LayerNorm(features)
        self.linear = nn.Linear(features, features)
        self.second = nn.LayerNorm(features)
        self.bn = nn.BatchNorm1d(features)
        self.bn.eval()

    def forward(self, x):
        return self.bn(self.second(self.linear(self.first(x))))

def get_inputs():
    return [torch.randn(64, 16)]

def get_init_inputs():
    return [16]
)";

std::string normed_answer(const std::string& construct, const std::string& forward) {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
         "def norm(x, mean, var, w, b):\n    return (x - mean) / (var + 1e-5).sqrt() * w + b\n"
         "def layer_norm(x, w, b):\n"
         "    return norm(x, x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True), w, b)\n"
         "class ModelNew(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        " +
         construct + "\n    def forward(self, x):\n        " + forward + "\n";
}

class ModuleWeights : public ModuleJudge {
 protected:
  void SetUp() override {
    ModuleJudge::SetUp();
    task_.module = kNormed;
  }
};

TEST_F(ModuleWeights, MayBeHeldUnderTheirNames) {
  expect(normed_answer("self.bn, self.second = nn.BatchNorm1d(n), nn.LayerNorm(n)\n"
                       "        self.linear, self.first = nn.Linear(n, n), nn.LayerNorm(n)",
                       "y = layer_norm(self.linear(layer_norm(x, self.first.weight, self.first.bias)), "
                       "self.second.weight, self.second.bias)\n        return norm(y, self.bn.running_mean, "
                       "self.bn.running_var, self.bn.weight, self.bn.bias)"),
         judge::Outcome::kCorrect, "");
}

// Under other names; as plain tensors; set by hand; in one tensor; copied by the constructor.
TEST_F(ModuleWeights, MayBeHeldInOtherWays) {
  const std::string forward =
      "y = layer_norm(x, self.w[0], self.b[0]) @ self.t + self.c\n"
      "        return norm(layer_norm(y, self.w[1], self.b[1]), self.m, self.v, self.w[2], self.b[2])";
  const std::string statistics =
      "self.register_buffer('m', torch.zeros(n)); self.register_buffer('v', torch.ones(n))\n        "
      "lin = nn.Linear(n, n); self.t = nn.Parameter(lin.weight.t().contiguous()); self.c = lin.bias\n        ";
  for (const char* const weights :
       {"self.w = nn.ParameterList([nn.Parameter(torch.ones(1, n)) for _ in range(3)])\n"
        "        self.b = nn.ParameterList([nn.Parameter(torch.zeros(1, n)) for _ in range(3)])",
        "self.w = [torch.ones(n) for _ in range(3)]; self.b = [torch.zeros(n) for _ in range(3)]",
        "self.b = nn.Parameter(torch.empty(3, n)); self.b.data.zero_()\n"
        "        self.w = nn.Parameter(torch.empty(3, n)); nn.init.ones_(self.w)",
        "norms = [nn.LayerNorm(n), nn.LayerNorm(n), nn.BatchNorm1d(n)]\n"
        "        self.w = torch.stack([m.weight.detach() for m in norms])\n"
        "        self.b = torch.stack([m.bias.detach() for m in norms])"}) {
    SCOPED_TRACE(weights);
    expect(normed_answer(statistics + weights, forward), judge::Outcome::kCorrect, "");
  }
}

TEST_F(ModuleWeights, AreNotWhatTheyAreAtFirst) {
  const std::string statistics = "self.bn, self.linear = nn.BatchNorm1d(n), nn.Linear(n, n)";
  const std::string end = "norm(y, self.bn.running_mean, self.bn.running_var, self.bn.weight, self.bn.bias)";
  expect(normed_answer(statistics,
                       "y = layer_norm(self.linear(layer_norm(x, 1, 0)), 1, 0)\n        return " + end),
         judge::Outcome::kWrongOutput, "no tensor for the reference's \"first.weight\"");
  expect(
      normed_answer(
          statistics + "; self.first, self.second = nn.LayerNorm(n), nn.LayerNorm(n)",
          "return norm(self.second(self.linear(self.first(x))), 0, torch.ones(1), self.bn.weight, self.bn.bias)"),
      judge::Outcome::kWrongOutput, "out0[");
}

TEST_F(ModuleJudge, WhatOverflowsWhereTheReferenceDoesNotIsWrong) {
  const std::string old = "torch.relu(self.linear(x)) * scale";
  task_.module.replace(task_.module.find(old), old.size(), "torch.softmax(self.linear(x), 1) * scale");
  expect(answer("y = self.linear(x)\n        e = (y - y.amax(1, keepdim=True)).exp()\n"
                "        return e / e.sum(1, keepdim=True) * scale"),
         judge::Outcome::kCorrect, "");
  expect(answer("e = self.linear(x).exp()\n        return e / e.sum(1, keepdim=True) * scale"),
         judge::Outcome::kWrongOutput, "on high_edge inputs");
}

}  // namespace
}  // namespace cuset::tests
