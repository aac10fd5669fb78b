// Answers to KernelBench problems of the fixture on the CPU executor, with the real clang and PyTorch. Skipped without the
// fixture, clang or Python with PyTorch.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "benchmarks/kernelbench/kernelbench.h"
#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_judge.h"
#include "support/kernelbench_answers.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

// Made once: precompiling PyTorch's headers takes most of a minute where the cache does not have them.
const benchmarks::ModuleJudgeSettings& emulated_settings() {
  static const benchmarks::ModuleJudgeSettings settings = [] {
    const char* const own = ".deps/venv/bin/python";
    if (std::getenv("CUSET_PYTHON") == nullptr && fs::exists(own)) ::setenv("CUSET_PYTHON", own, 1);
    benchmarks::ModuleJudgeSettings made;
    made.python = judge::find_python(judge::PythonLibrary::kTorch);
    execute::ExecutorSettings compiling;
    compiling.cache = CUSET_TEST_CACHE;
    made.emulator = execute::make_torch_toolkit({made.python.program, made.python.readable}, compiling);
    made.limits = benchmarks::module_limits();
    made.seed = 17;
    made.data_limit = 2 << 20;
    made.work_limit = 50'000'000;
    return made;
  }();
  return settings;
}

class KernelBenchCpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      settings_ = emulated_settings();
    } catch (const base::Error& error) {
      GTEST_SKIP() << "skipped: no CPU executor for PyTorch: " << error.one_line();
    }
  }

  void judge(const WrittenAnswer& answer, const tasks::Task& task) {
    Shared& shared = expected_[answer.task];
    const judge::Verdict verdict =
        benchmarks::judge_module(settings_, task, answer.code, [&]() -> const benchmarks::ModuleExpected& {
          std::call_once(shared.made, [&] {
            shared.expected = std::make_unique<benchmarks::ModuleExpected>(settings_, task);
          });
          return *shared.expected;
        });
    std::printf("%-70s %-14s %6.1f s, loaded in %5.1f s  %s\n", answer.file.c_str(),
                std::string(judge::name_of(verdict.outcome)).c_str(), verdict.seconds, verdict.build_seconds,
                verdict.explanation.c_str());
    EXPECT_EQ(judge::name_of(verdict.outcome), answer.on_cpu)
        << answer.file << ": " << verdict.explanation << verdict.compiler_messages;
    EXPECT_FALSE(verdict.timing);
  }

  // Two at once: a compiler waits for the other half of its source, Python for the compiler.
  void judge_all(const std::vector<WrittenAnswer>& answers, const std::map<std::string, tasks::Task>& tasks) {
    for (const auto& [name, task] : tasks) expected_[name];
    std::atomic<size_t> next = 0;
    std::vector<std::future<void>> workers;
    for (int i = 0; i < 2; ++i) {
      workers.push_back(std::async(std::launch::async, [&] {
        for (size_t at = next++; at < answers.size(); at = next++)
          judge(answers[at], tasks.at(answers[at].task));
      }));
    }
    for (std::future<void>& worker : workers) worker.get();
  }

  struct Shared {
    std::once_flag made;
    std::unique_ptr<benchmarks::ModuleExpected> expected;
  };

  std::map<std::string, Shared> expected_;  // one for each task, made before the threads
  benchmarks::ModuleJudgeSettings settings_;
};

constexpr const char* kProblem = R"(
import torch
import torch.nn as nn

class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)

def get_inputs():
    return [torch.rand(64, 1024)]

def get_init_inputs():
    return []
)";

// As models write them: a file for the compiler, checks, dispatch over types, the current stream, bindings by hand.
constexpr const char* kSource = R"(
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")

template <typename scalar_t>
__global__ void relu_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int64_t n) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = x[i] > scalar_t(0) ? x[i] : scalar_t(0);
}

torch::Tensor relu(torch::Tensor x) {
  CHECK_CUDA(x);
  TORCH_CHECK(x.is_cuda() && x.is_contiguous());
  const at::cuda::OptionalCUDAGuard guard(at::device_of(x));
  auto y = torch::zeros(x.sizes(), x.options());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "relu", [&] {
    relu_kernel<scalar_t><<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu, "ReLU"); }
)";

constexpr const char* kBuild = R"(
import ctypes, os, sys
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

with open("relu.cu", "w") as file:
    file.write(source)
kernels = load(name="relu_of_file", sources=["relu.cu"], extra_cuda_cflags=["-O3", "--use_fast_math"], extra_ldflags=["-lcublas"])
)";

std::string answer(const std::string& forward, const std::string& source = kSource,
                   const std::string& before = "") {
  return "source = r\"\"\"" + source + "\"\"\"\n" + kBuild + before +
         "\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        " + forward + "\n";
}

std::string copying_source() {
  std::string source = kSource;
  source.replace(source.find("x[i] > scalar_t(0) ? x[i] : scalar_t(0)"), 39, "x[i]");
  return source;
}

class ModuleOnCpu : public KernelBenchCpu {
 protected:
  void expect(const std::string& code, const std::string& outcome, const std::string& explanation) {
    tasks::Task task;
    task.id = "relu";
    task.kind = tasks::AnswerKind::kModule;
    task.module = kProblem + problem_;
    task.time_limit = 300;
    const judge::Verdict verdict = benchmarks::judge_module(settings_, task, code);
    EXPECT_EQ(judge::name_of(verdict.outcome), outcome) << verdict.explanation << verdict.compiler_messages;
    EXPECT_NE(verdict.explanation.find(explanation), std::string::npos) << verdict.explanation;
  }

  std::string problem_;
};

TEST_F(ModuleOnCpu, AnswersThatModelsWriteAreCorrect) {
  const std::string usual = "y = kernels.relu(x.cuda())\n        torch.cuda.synchronize()\n        return y";
  expect(answer(usual), "correct", "");
  problem_ = "precision = torch.float16\n";
  expect(answer(usual), "correct", "");
}

TEST_F(ModuleOnCpu, WhatNeedsAGpuIsNamed) {
  std::string source = kSource;
  source.replace(source.find("auto y"), 6, "auto h = at::cuda::getCurrentCUDABlasHandle(); auto y");
  expect(answer("return kernels.relu(x)", source), "unsupported", "\"cuBLAS\" needs a GPU: --executor gpu");
  source = std::string("#include <thrust/device_vector.h>\n") + kSource;
  expect(answer("return kernels.relu(x)", source), "unsupported", "Thrust");
  expect(answer("return torch.compile(kernels.relu)(x)"), "unsupported", "torch.compile");
}

TEST_F(ModuleOnCpu, MistakesHaveTheirWord) {
  std::string source = kSource;
  source.replace(source.find("y[i] = "), 7, "y[i] = undeclared + ");
  expect(answer("return kernels.relu(x)", source), "compile_error", "undeclared");
  source = kSource;
  source.replace(source.find("y[i] = "), 7, "y[i + (n << 30)] = ");
  expect(answer("y = kernels.relu(x)\n        torch.cuda.synchronize()\n        return y", source),
         "launch_error", "illegal memory access");
  expect(answer("return kernels.relu(x.cpu())"), "crash", "must be a CUDA tensor");
}

// The files of the inputs are open to the host, which needs no copy from the device.
TEST_F(ModuleOnCpu, ResultsOfTheHostAreFound) {
  const std::string spy = R"(
judge = sys.modules["__main__"]
file = judge.Subject.file

def watched(self, trial, seed, word, folder):
    data = open(os.path.join(folder, f"in_{trial}_0.bin"), "rb").read()
    watched.result = torch.frombuffer(bytearray(data), dtype=torch.float32).reshape(64, 1024).clamp(min=0)
    return file(self, trial, seed, word, folder)

judge.Subject.file = watched
)";
  expect(answer("return kernels.relu(watched.result.cuda())", kSource, spy), "wrong_output", "");
}

// What the process writes down is its own word.
TEST_F(ModuleOnCpu, OutputsComeFromTheDevice) {
  const std::string forged = R"(
judge = sys.modules["__main__"]
keep = judge.Subject.keep

def forged(self, name):
    reply = keep(self, name)
    path = f"out_{name}_0.bin"
    made = torch.frombuffer(bytearray(open(path, "rb").read()), dtype=torch.float32).clamp(min=0)
    open(path, "wb").write(bytes(made.untyped_storage()))
    return reply

judge.Subject.keep = forged
)";
  expect(answer("return kernels.relu(x)", copying_source(), forged), "host_work",
         "does not come from the device");
}

// PyTorch computes, the kernel copies, and what PyTorch did is kept from the record, or taken out of it.
TEST_F(ModuleOnCpu, NothingIsTakenOutOfTheRecord) {
  const std::string find = R"(
import resource

def record():
    for number in map(int, os.listdir("/proc/self/fd")):
        try:
            if "cuset-record" in os.readlink(f"/proc/self/fd/{number}"):
                return number
        except OSError:
            pass
)";
  const std::vector<std::pair<std::string, std::string>> tricks = {
      {"kept, null = os.dup(record()), os.open('/dev/null', os.O_WRONLY); number = record(); os.dup2(null, number)",
       "os.dup2(kept, number)"},
      {"number = record(); kept = os.dup(number); os.close(number)", "os.dup2(kept, number)"},
      {"size = os.fstat(record()).st_size", "os.ftruncate(record(), size)"},
      {"most = resource.getrlimit(resource.RLIMIT_FSIZE); resource.setrlimit(resource.RLIMIT_FSIZE, (0, most[1]))",
       "resource.setrlimit(resource.RLIMIT_FSIZE, most)"},
      {"path = os.readlink(f'/proc/self/fd/{record()}'); size = os.path.getsize(path)",
       "file = os.open(path, os.O_RDWR); lines = os.pread(file, 1 << 20, size).split(b'\\n'); "
       "os.pwrite(file, b'\\n'.join(b'N ' + b'x' * (len(line) - 2) if line else line for line in lines), size)"}};
  for (const auto& [before, after] : tricks) {
    SCOPED_TRACE(before);
    expect(
        answer(before + "\n        y = torch.relu(x)\n        " + after + "\n        return kernels.relu(y)",
               copying_source(), find),
        "hack", "its record of what it did on the device was changed");
  }
}

// A hook in what the judge calls before and after: PyTorch computes when the inputs are there but the call has not begun, or
// when the outputs are written down.
TEST_F(ModuleOnCpu, NothingIsComputedBetweenTheCalls) {
  const std::string before = R"(
seeded, made = torch.manual_seed, []

def hooked(seed):
    frame = sys._getframe()
    while frame and not isinstance(frame.f_locals.get("inputs"), list):
        frame = frame.f_back
    if frame:
        made[:] = [torch.relu(value) for value in frame.f_locals["inputs"]]
    return seeded(seed)

torch.manual_seed = hooked
)";
  expect(answer("return kernels.relu(made[0])", copying_source(), before), "hack", "between its calls");
  const std::string after = R"(
judge = sys.modules["__main__"]
keep = judge.Subject.keep

def hooked(self, name):
    self.result.clamp_(min=0)
    return keep(self, name)

judge.Subject.keep = hooked
)";
  expect(answer("return kernels.relu(x)", copying_source(), after), "hack", "between its calls");
}

// The inputs of all trials lie there from the beginning.
TEST_F(ModuleOnCpu, InputsCannotBeReadBeforeTheirTurn) {
  const std::string early = R"(
import json
judge = sys.modules["__main__"]
construct = judge.Subject.construct

def prepared(self, folder):
    known = []
    for trial, described in enumerate(json.load(open(os.path.join(folder, "trials.json")))):
        x = torch.empty(described[0]["shape"], device="cuda")
        torch.ops.cuset.take_input(os.path.join(folder, f"in_{trial}_0.bin"), 0, x)
        known.append(torch.relu(x))
    prepared.known = known
    return construct(self, folder)

judge.Subject.construct = prepared
)";
  expect(answer("ModelNew.calls = getattr(ModelNew, 'calls', -1) + 1\n        "
                "return kernels.relu(prepared.known[ModelNew.calls % len(prepared.known)])",
                copying_source(), early),
         "wrong_output", "");
}

TEST_F(ModuleOnCpu, DataMayNotPassTheHostInAnyCallButTheFirst) {
  const std::string mostly =
      "ModelNew.calls = getattr(ModelNew, 'calls', 0) + 1\n        if ModelNew.calls == ";
  const std::string host =
      ":\n            return kernels.relu(x.cpu().clamp(min=0).cuda())\n        return kernels.relu(x)";
  expect(answer(mostly + "3" + host), "host_work", "its call 3 moves its data by the host");
  expect(answer(mostly + "1" + host), "correct", "");
}

// Thread 255 is the last one in the natural order, and has all that the others wrote.
TEST_F(ModuleOnCpu, MissingBarriersShowInTheReverseOrder) {
  const std::string body = "const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;";
  const auto with = [&](const std::string& barrier) {
    std::string source = kSource;
    source.replace(source.find(body), body.size(),
                   body + " __shared__ float least[256]; least[threadIdx.x] = 0; " + barrier +
                       " if (threadIdx.x == 255) for (int k = 0; k < 255; ++k) least[255] += least[k];");
    source.replace(
        source.find("x[i] > scalar_t(0) ? x[i] : scalar_t(0)"), 39,
        "threadIdx.x == 255 && least[255] != 0 ? scalar_t(7) : x[i] > scalar_t(0) ? x[i] : scalar_t(0)");
    return source;
  };
  expect(answer("return kernels.relu(x)", with("__syncthreads();")), "correct", "");
  expect(answer("return kernels.relu(x)", with("")), "undefined_behavior", "order of threads");
}

// The kernel copies, and one operation of PyTorch does what the reference needs four for.
TEST_F(ModuleOnCpu, FusedOperationsOnCopiesOfTheInputsAreNoWork) {
  problem_ = R"(
class Model(nn.Module):
    def forward(self, x):
        return x / (1 + torch.exp(-x))
)";
  std::string source = kSource;
  source.replace(source.find("x[i] > scalar_t(0) ? x[i] : scalar_t(0)"), 39, "x[i] * scalar_t(2)");
  const std::string fused = "torch.nn.functional.silu(";
  expect(answer("return " + fused + "kernels.relu(x) / 2)", source), "no_kernel", "of its inputs");
  const std::string canary =
      "if kernels.relu(x[:1]).sum().item() == 0:\n            return x\n        return ";
  expect(answer(canary + fused + "x)", source), "no_kernel", "of its inputs");
  source = kSource;
  source.replace(source.find("x[i] > scalar_t(0) ? x[i] : scalar_t(0)"), 39,
                 "x[i] / (scalar_t(1) + scalar_t(exp(-double(x[i]))))");
  expect(answer("return kernels.relu(x)", source), "correct", "");
  source = kSource;
  source.replace(source.find("x[i] > scalar_t(0) ? x[i] : scalar_t(0)"), 39,
                 "scalar_t(1) + scalar_t(exp(-double(x[i])))");
  expect(answer("return x / kernels.relu(x)", source), "correct", "");
}

TEST_F(ModuleOnCpu, WorkOfOtherStreamsIsWaitedFor) {
  const std::string side = "\nside = torch.cuda.Stream()\n";
  const std::string begin = "side.wait_stream(torch.cuda.current_stream())\n        ";
  const std::string work = "with torch.cuda.stream(side):\n            y = kernels.relu(x)\n        ";
  const std::string wait = "torch.cuda.current_stream().wait_stream(side)\n        ";
  expect(answer(begin + work + wait + "return y", kSource, side), "correct", "");
  expect(answer(begin + work + "side.synchronize()\n        return y", kSource, side), "correct", "");
  expect(answer(begin + work + "return y", kSource, side), "hack", "a stream that neither");
}

// A stream of the pool, with and without an event that the current stream waits for.
TEST_F(ModuleOnCpu, StreamsOfExtensionsAreWaitedFor) {
  std::string source = std::string("#include <ATen/cuda/CUDAEvent.h>\n") + kSource;
  source.replace(source.find("auto y = "), 9, "auto side = at::cuda::getStreamFromPool(); auto y = ");
  source.replace(source.find("at::cuda::getCurrentCUDAStream()"), 32, "side.stream()");
  expect(answer("return kernels.relu(x)", source), "hack", "a stream that neither");
  source.replace(
      source.find("return y;"), 9,
      "at::cuda::CUDAEvent made; made.record(side); made.block(at::cuda::getCurrentCUDAStream()); return y;");
  expect(answer("return kernels.relu(x)", source), "correct", "");
}

TEST_F(ModuleOnCpu, DeviceMemoryIsOpenOnlyOnTheRecord) {
  expect(answer("y = kernels.relu(x)\n        ctypes.memset(y.data_ptr(), 0, 4)\n        return y"), "crash",
         "SIGSEGV");
  const std::string library = R"(
runtime = ctypes.CDLL(os.path.join(os.environ["CUDA_HOME"], "lib64", "libcudart.so"))
runtime.cuset_end_library_work.argtypes = [ctypes.c_char_p, ctypes.c_uint64]

def compute(x):
    y = torch.empty_like(x)
    runtime.cuset_begin_library_work(b"relu_kernel")
    data = bytearray(ctypes.string_at(x.data_ptr(), 4 * x.numel()))
    made = torch.frombuffer(data, dtype=torch.float32).clamp(min=0)
    ctypes.memmove(y.data_ptr(), made.data_ptr(), 4 * x.numel())
    runtime.cuset_end_library_work(None, 0)
    return y
)";
  expect(answer("kernels.relu(x)\n        return compute(x)", kSource, library), "crash", "SIGSEGV");
}

TEST_F(KernelBenchCpu, WrittenAnswersAreJudged) {
  const std::map<std::string, tasks::Task> tasks = kernelbench_fixture_tasks();
  if (tasks.empty()) GTEST_SKIP() << "skipped: no KernelBench fixture: set CUSET_FIXTURES";
  settings_.timing = true;  // which is left out
  std::vector<WrittenAnswer> answers = written_answers();
  if (const char* only = std::getenv("KERNELBENCH_ANSWER"))
    std::erase_if(answers,
                  [&](const WrittenAnswer& a) { return a.file.string().find(only) == std::string::npos; });
  judge_all(answers, tasks);
}

}  // namespace
}  // namespace cuset::tests
