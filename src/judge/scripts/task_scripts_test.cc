#include "judge/scripts/task_scripts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

tasks::TaskInput input_named(const std::string& name, tasks::NumberType type = tasks::NumberType::kFloat64,
                             tasks::Shape shape = {2}) {
  tasks::TaskInput input;
  input.name = name;
  input.type = type;
  input.shape = std::move(shape);
  return input;
}

tasks::Task script_task(const std::string& script, std::vector<tasks::TaskInput> inputs) {
  tasks::Task task;
  task.id = "1";
  task.place = "test:1";
  task.input_script = script;
  task.inputs = std::move(inputs);
  return task;
}

std::vector<InputDraw> draws_of(tasks::Variation variation, uint64_t seed, size_t count = 1) {
  std::vector<InputDraw> draws;
  const base::RandomStream stream(seed, "test");
  for (size_t i = 0; i < count; ++i) draws.push_back({variation, stream.child(i)});
  return draws;
}

// Skips where the machine has no Python with numpy or no full confinement.
class TaskScriptsTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      python_ = find_python(PythonLibrary::kNumpy);
    } catch (const base::Error& error) {
      GTEST_SKIP() << "skipped: " << error.one_line();
    }
  }

  static sandbox::SandboxLimits quick_limits() {
    sandbox::SandboxLimits limits = script_limits();
    limits.wall_time = std::chrono::seconds(20);
    return limits;
  }

  ScriptedTrials run(const tasks::Task& task, tasks::Variation variation = tasks::Variation::kPlain,
                     uint64_t seed = 1, size_t trials = 1) {
    return scripts_.run(task, draws_of(variation, seed, trials), false);
  }

  // The numbers of the input b, two of float64; else what is said of their absence.
  std::string numbers_of(const std::string& script) {
    const ScriptedTrials made = run(script_task(script, {input_named("b")}));
    if (made.outcome != Outcome::kCorrect)
      return std::string(name_of(made.outcome)) + ": " + made.explanation;
    return fmt::format("{:g} {:g}", made.inputs[0][0].at(0), made.inputs[0][0].at(1));
  }

  std::optional<Python> python_;
  TaskScripts scripts_{sandbox::Confinement::kLimits, quick_limits()};
};

TEST_F(TaskScriptsTest, FilesBecomeInputsOfTheDeclaredTypeAndShape) {
  const tasks::Task task = script_task(
      "import numpy as np, os\n"
      "os.makedirs('data', exist_ok=True)\n"
      "np.arange(6).astype(np.int32).tofile('./data/x.bin')\n"
      "np.array([3, 0], np.uint8).tofile('data/f.bin')\n",
      {input_named("x", tasks::NumberType::kInt32, {2, 3}), input_named("f", tasks::NumberType::kBool)});
  const ScriptedTrials made = run(task);
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  EXPECT_EQ(made.inputs[0][0].shape, (tasks::Shape{2, 3}));
  EXPECT_EQ(made.inputs[0][0].to_doubles(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(made.inputs[0][1].to_doubles(), (std::vector<double>{1, 0}));
}

TEST_F(TaskScriptsTest, TheSameStreamGivesTheSameNumbers) {
  const tasks::Task task =
      script_task("import numpy as np\nnp.random.seed(3)\nb = np.random.randn(100)\nb.tofile('data/b.bin')\n",
                  {input_named("b", tasks::NumberType::kFloat64, {100})});
  const auto second = [&](tasks::Variation variation, uint64_t seed) {
    const ScriptedTrials made = run(task, variation, seed, 2);
    if (made.outcome != Outcome::kCorrect) throw base::Error("{}", made.explanation);
    EXPECT_NE(made.inputs[0][0].bytes, made.inputs[1][0].bytes);
    return made.inputs[1][0].bytes;
  };
  const std::vector<std::byte> one = second(tasks::Variation::kPlain, 1);
  EXPECT_EQ(one, second(tasks::Variation::kPlain, 1));
  EXPECT_NE(one, second(tasks::Variation::kPlain, 2));
  EXPECT_NE(one, second(tasks::Variation::kHeavyTailed, 1));
}

// Whatever stands in for the reference would fail, or never end, if it were carried out.
TEST_F(TaskScriptsTest, LeavesOutWhatTheFilesDoNotNeed) {
  const char* const kScripts[] = {
      "import numpy as np\nimport no_such_module\nb = np.ones(2)\nC = no_such_module.f(b)\n"
      "b.tofile('data/b.bin')\nC.tofile('data/c.bin')\n",
      "import numpy as np\nb = np.ones(2)\nout = np.zeros(2)\nwhile True:\n    out[0] += "
      "b[1]\nb.tofile('data/b.bin')\n",
      "import numpy as np\ndef ref(x):\n    while True:\n        pass\n    return x\nb = np.ones(2)\ny = "
      "ref(b)\nb.tofile('data/b.bin')\ny.tofile('data/y.bin')\n",
      "import numpy as np\ndef save(a, name):\n    a.tofile('data/' + name + '.bin')\nb = np.ones(2)\n"
      "while b[0] > 0:\n    r = np.sin(b)\nsave(b, 'b')\nsave(r, 'r')\n",
      "import numpy as np\ndef main():\n    b = np.ones(2)\n    r = b.copy()\n    while True:\n        r += "
      "1\n"
      "    b.tofile('data/b.bin')\n    r.tofile('data/r.bin')\nif __name__ == '__main__':\n    main()\n",
      "import numpy as np\nb = np.ones(2)\nassert np.unknown(b)\nprint(np.unknown(b))\n"
      "b.tofile('data/b.bin')\n",
  };
  for (const char* const text : kScripts) EXPECT_EQ(numbers_of(text), "1 1") << text;
}

TEST_F(TaskScriptsTest, KeepsWhatChangesAFileThroughAnotherName) {
  const std::pair<const char*, const char*> kScripts[] = {
      {"b = np.zeros(2)\nf = b.reshape(2, 1)\ng = f[1]\ng += 1\n", "0 1"},
      {"def put(x):\n    x[0] = 5\nb = np.zeros(2)\nput(b.view())\n", "5 0"},
      {"def same(x):\n    return x\nb = np.zeros(2)\nc = same(b)\nc.fill(2)\n", "2 2"},
      {"b = np.zeros(2)\nparts = [b, 3]\nfor p in parts[:1]:\n    p[1] = 4\n", "0 4"},
      {"b = np.zeros(2)\nparts = []\nparts.append(b)\nparts[0][0] = 6\n", "6 0"},
      {"b = np.zeros(2)\ndef change():\n    global b\n    b = b + 1\nchange()\n", "1 1"},
      {"b = np.zeros(2)\nnp.add(b, 1, out=b)\nb = b\n", "1 1"},
      {"n = 3\nfor i in range(2):\n    n = n * 2\nb = np.zeros(n - 10)\n", "0 0"},
      {"b = np.zeros(2)\nfor i in range(5):\n    if i == 2:\n        break\n    b[i] = i + 1\n", "1 2"},
      {"b = np.zeros(2)\ntry:\n    b[0] = 1\nexcept ValueError:\n    b[1] = 1\n", "1 0"},
      {"class A:\n    def put(self, x):\n        x[0] = 7\nb = np.zeros(2)\nA().put(b)\n", "7 0"},
  };
  for (const auto& [text, numbers] : kScripts) {
    const std::string whole = std::string("import numpy as np\n") + text + "b.tofile('data/b.bin')\n";
    EXPECT_EQ(numbers_of(whole), numbers) << text;
  }
}

// What the slice cannot do the whole script may: here the slice sees no way from `names` to b.
TEST_F(TaskScriptsTest, RunsTheWholeScriptWhereASliceFails) {
  EXPECT_EQ(numbers_of("import numpy as np\nd = {}\n(lambda: d.update(b=np.ones(2)))()\n"
                       "d['b'].tofile('data/b.bin')\n"),
            "1 1");
}

TEST_F(TaskScriptsTest, FailuresNameTheLine) {
  EXPECT_EQ(numbers_of("x = (1,\n").find("faulty_task: input script, line 1: \"SyntaxError"), 0u);
  EXPECT_EQ(numbers_of("x = 1\nb = x + y\nb.tofile('data/b.bin')\n"),
            "faulty_task: input script, line 2: \"NameError: name 'y' is not defined\"");
  EXPECT_EQ(numbers_of("x = 1\n"), "faulty_task: the input script writes no data/b.bin");
  EXPECT_EQ(
      numbers_of("import numpy as np\nnp.ones(3).tofile('data/b.bin')\n"),
      "faulty_task: the input script writes 24 bytes to data/b.bin, where float64 of shape (2,) takes 16");
  EXPECT_EQ(numbers_of("import no_such_module\nno_such_module.f().tofile('data/b.bin')\n")
                .find("unsupported: the input script needs the Python module \"no_such_module\""),
            0u);
}

TEST_F(TaskScriptsTest, HostileScriptsGiveAnOutcome) {
  EXPECT_EQ(numbers_of("import os\nos._exit(0)\n"), "faulty_task: the input script leaves no result");
  EXPECT_EQ(numbers_of("import os\nos._exit(3)\n"),
            "faulty_task: the input script gives no inputs: exit status 3");
  EXPECT_EQ(numbers_of("import os\nos.kill(os.getpid(), 11)\n"),
            "faulty_task: the input script gives no inputs: it crashed with signal 11");
  EXPECT_EQ(numbers_of("import os\nos.symlink('/dev/zero', 'data/b.bin')\n"),
            "faulty_task: the input script writes no data/b.bin");
  EXPECT_EQ(numbers_of("import os\nos.mkfifo('data/b.bin')\n"),
            "faulty_task: the input script writes no data/b.bin");
  // Its own idea of how it went, and then the end.
  EXPECT_EQ(numbers_of("import os\nos.write(os.open('../result.json', os.O_CREAT | os.O_WRONLY), "
                       "b'{\"error\": 3, \"line\": [], \"tolerances\": 7}')\nos._exit(0)\n"),
            "faulty_task: the input script writes no data/b.bin");
}

// The number of the process is the first word of its status.
constexpr const char* kProcessNumber =
    "import numpy as np\n"
    "b = np.array([int(open('/proc/self/stat').read().split()[0]), np.pi])\n"
    "b.tofile('data/b.bin')\n";

TEST_F(TaskScriptsTest, ScriptsThatChangeNothingShareAProcess) {
  const std::string first = numbers_of(kProcessNumber);
  EXPECT_TRUE(first.ends_with(" 3.14159")) << first;
  EXPECT_EQ(numbers_of(kProcessNumber), first);
}

// Each of them would change the next script's pi if that ran in the same process.
TEST_F(TaskScriptsTest, WhatAScriptChangesDoesNotReachTheNextOne) {
  const std::string write = "np.ones(2).tofile('data/b.bin')\n";
  for (const std::string change :
       {"import numpy as np\nnp.pi = 3\n", "import numpy as np\nsetattr(np, 'pi', 3)\n",
        "import numpy as np\nnp.__dict__['pi'] = 3\n", "import numpy as np\nvars(np)['pi'] = 3\n",
        "import numpy as np, sys\nsys.modules['numpy'].pi = 3\n",
        "import numpy as np\nfrom numpy import set_printoptions\nset_printoptions(precision=1)\n",
        "import numpy as np\nexec('np.pi = 3')\n", "import numpy as np\nnp.pi += 1\n",
        "import numpy as np\nfor np.pi in range(3): pass\n",
        "import numpy as np, os\nother = os\nother.environ['OMP_NUM_THREADS'] = '3'\n",
        "import numpy as np, random\nrandom._os.chdir('/')\n"
        "random._os.chdir(__file__.rpartition('/')[0])\n"}) {
    const std::string before = numbers_of(kProcessNumber);
    // Whole: what a slice leaves out does not count.
    EXPECT_EQ(numbers_of("class Whole: pass\n" + change + write), "1 1") << change;
    const std::string after = numbers_of(kProcessNumber);
    EXPECT_TRUE(after.ends_with(" 3.14159")) << change << after;
    EXPECT_NE(after, before) << change;
  }
}

TEST_F(TaskScriptsTest, NumbersDoNotDependOnEarlierScripts) {
  if (!python_->has_torch) GTEST_SKIP() << "skipped: no torch";
  const std::string draw = "import numpy as np\nb = np.random.randn(2)\nb.tofile('data/b.bin')\n";
  const std::string draw_by_torch =
      "import torch\nb = torch.randn(2, dtype=torch.float64)\nb.numpy().tofile('data/b.bin')\n";
  const std::string first = numbers_of(draw);
  const std::string first_of_torch = numbers_of(draw_by_torch);
  EXPECT_EQ(numbers_of(draw), first);
  EXPECT_EQ(numbers_of(draw_by_torch), first_of_torch);
}

// Large inputs are drawn by several processes at once.
TEST_F(TaskScriptsTest, LargeInputsAreThoseOfOneProcess) {
  constexpr int64_t kLarge = 5 << 20;
  const auto draw = [&](int64_t count, const std::string& more = "") {
    const tasks::TaskInput input{"b", tasks::NumberType::kFloat64, {count}, {}};
    return run(
        script_task(
            fmt::format("import numpy as np\nb = np.random.rand({})[:{}]\n{}\nb.tofile('data/b.bin')\n",
                        kLarge, count, more),
            {input}),
        tasks::Variation::kPlain, 5, 3);
  };
  const ScriptedTrials large = draw(kLarge), small = draw(2);
  ASSERT_EQ(large.outcome, Outcome::kCorrect) << large.explanation;
  ASSERT_EQ(large.inputs.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(large.inputs[i][0].at(1), small.inputs[i][0].at(1)) << i;
  EXPECT_EQ(draw(kLarge, "b = b[:7]").outcome, Outcome::kFaultyTask);
}

TEST_F(TaskScriptsTest, AScriptThatLeavesProcessesDoesNotHarmTheNextOne) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(numbers_of("import numpy as np, os, time\n"
                         "if os.fork() == 0:\n    os.setsid()\n    time.sleep(100)\n"
                         "np.ones(2).tofile('data/b.bin')\n"),
              "1 1");
    EXPECT_EQ(numbers_of("import numpy as np\nnp.zeros(2).tofile('data/b.bin')\n"), "0 0");
  }
}

TEST_F(TaskScriptsTest, AScriptThatNeverEndsIsEnded) {
  sandbox::SandboxLimits limits = script_limits();
  limits.wall_time = std::chrono::seconds(2);
  TaskScripts scripts(sandbox::Confinement::kLimits, limits);
  const tasks::Task task =
      script_task("import os\nwhile True:\n    os.getpid()\n    open('data/b.bin', 'wb').write(b'')\n",
                  {input_named("b")});
  const ScriptedTrials made = scripts.run(task, draws_of(tasks::Variation::kPlain, 1), false);
  EXPECT_EQ(made.outcome, Outcome::kUnsupported);
  EXPECT_EQ(made.explanation.find("the input script gives no inputs: killed after"), 0u) << made.explanation;
}

TEST_F(TaskScriptsTest, AScriptThatTakesAllMemoryIsEnded) {
  sandbox::SandboxLimits limits = quick_limits();
  limits.memory = 512ull << 20;
  TaskScripts scripts(sandbox::Confinement::kLimits, limits);
  const tasks::Task task = script_task(
      "import numpy as np\nb = [np.ones(1 << 24) for i in range(64)]\nb[0].tofile('data/b.bin')\n",
      {input_named("b")});
  const ScriptedTrials made = scripts.run(task, draws_of(tasks::Variation::kPlain, 1), false);
  EXPECT_EQ(made.outcome, Outcome::kUnsupported);
  EXPECT_NE(made.explanation.find("memory"), std::string::npos) << made.explanation;
}

TEST_F(TaskScriptsTest, AnInputThatIsNotAFileNameIsRefused) {
  EXPECT_EQ(run(script_task("x = 1\n", {input_named("../b")})).explanation, "\"../b\" is not a file name");
}

struct Moments {
  double mean = 0, deviation = 0, least = INFINITY, most = -INFINITY, zeros = 0;
};

Moments moments_of(const tasks::Array& array) {
  const std::vector<double> numbers = array.to_doubles();
  Moments result;
  const auto count = static_cast<double>(numbers.size());
  for (const double x : numbers) {
    result.mean += x / count;
    result.least = std::min(result.least, x);
    result.most = std::max(result.most, x);
    result.zeros += x == 0 ? 1 / count : 0;
  }
  for (const double x : numbers) result.deviation += (x - result.mean) * (x - result.mean) / count;
  result.deviation = std::sqrt(result.deviation);
  return result;
}

struct DrawCase {
  const char* expression;
  double mean, deviation, least, most;
};

// A task with one input of 20,000 numbers for each expression.
template <typename Cases>
tasks::Task drawing(const Cases& cases, bool torch) {
  std::string script = "import numpy as np\nimport random\nrng = np.random.default_rng(1)\n";
  script += torch ? "import torch\ndef save(x, name):\n    x.double().numpy().tofile(f'data/{name}.bin')\n"
                  : "def save(x, name):\n    np.asarray(x, np.float64).tofile(f'data/{name}.bin')\n";
  std::vector<tasks::TaskInput> inputs;
  for (size_t i = 0; i < std::size(cases); ++i) {
    script += fmt::format("save({}, 'x{}')\n", cases[i].expression, i);
    inputs.push_back(input_named(fmt::format("x{}", i), tasks::NumberType::kFloat64, {20000}));
  }
  return script_task(script, std::move(inputs));
}

// Mean, deviation, least, most of 20,000 draws; standard errors of the mean are below 0.01 of the deviation.
template <typename Cases>
void expect_moments(const Cases& cases, const ScriptedTrials& made) {
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  for (size_t i = 0; i < std::size(cases); ++i) {
    const DrawCase& wanted = cases[i];
    const Moments moments = moments_of(made.inputs[0][i]);
    EXPECT_NEAR(moments.mean, wanted.mean, wanted.deviation * 0.04) << wanted.expression;
    EXPECT_NEAR(moments.deviation, wanted.deviation, wanted.deviation * 0.05) << wanted.expression;
    EXPECT_GE(moments.least, wanted.least) << wanted.expression;
    EXPECT_LE(moments.most, wanted.most) << wanted.expression;
  }
}

TEST_F(TaskScriptsTest, PlainDrawsHaveTheirDistribution) {
  const DrawCase kDraws[] = {
      {"np.random.rand(100, 200)", 0.5, 0.2887, 0, 1},
      {"np.random.random_sample(20000)", 0.5, 0.2887, 0, 1},
      {"np.random.uniform(-2, 4, size=(20000,))", 1, 1.732, -2, 4},
      {"np.random.randn(20000).astype(np.float32) * 3 + 1", 1, 3, -17, 19},
      {"np.random.normal(5, 0.5, 20000)", 5, 0.5, 2, 8},
      {"np.random.RandomState(3).normal(size=20000)", 0, 1, -6, 6},
      {"rng.standard_normal(20000, dtype=np.float32)", 0, 1, -6, 6},
      {"rng.integers(0, 10, 20000)", 4.5, 2.872, 0, 9},
      {"np.random.randint(-100, 100, size=20000, dtype=np.int32)", -0.5, 57.7, -100, 99},
      {"np.random.randint(8, size=20000)", 3.5, 2.291, 0, 7},
      {"np.random.choice([1.0, 3.0], size=20000, p=[0.25, 0.75])", 2.5, 0.866, 1, 3},
      {"np.random.choice(20000, 20000, replace=False)", 9999.5, 5773.5, 0, 19999},
      {"np.random.permutation(20000)", 9999.5, 5773.5, 0, 19999},
      {"np.random.gamma(4, 1, 20000)", 4, 2, 0, 40},
      {"[random.random() for i in range(20000)]", 0.5, 0.2887, 0, 1},
      {"[random.randint(1, 6) for i in range(20000)]", 3.5, 1.708, 1, 6},
  };
  expect_moments(kDraws, run(drawing(kDraws, false)));
}

TEST_F(TaskScriptsTest, PlainDrawsOfTorchHaveTheirDistribution) {
  if (!python_->has_torch) GTEST_SKIP() << "skipped: " << python_->version << " has no torch";
  const DrawCase kDraws[] = {
      {"torch.rand(20000, device='cuda')", 0.5, 0.2887, 0, 1},
      {"torch.randn(200, 100).cuda().to('cuda:0') ** 2", 1, 1.414, 0, 36},
      {"torch.randint(0, 1000, (20000,), dtype=torch.int64)", 499.5, 288.7, 0, 999},
      {"torch.randint(8, (20000,))", 3.5, 2.291, 0, 7},
      {"torch.randperm(20000)", 9999.5, 5773.5, 0, 19999},
      {"torch.empty(20000).uniform_(-1, 1)", 0, 0.577, -1, 1},
      {"torch.empty(20000).normal_(2, 3)", 2, 3, -16, 20},
      {"torch.randn_like(torch.zeros(20000))", 0, 1, -6, 6},
      {"torch.normal(5.0, 0.5, (20000,))", 5, 0.5, 2, 8},
      {"torch.bernoulli(torch.full((20000,), 0.25))", 0.25, 0.433, 0, 1},
  };
  const ScriptedTrials made =
      scripts_.run(drawing(kDraws, true), draws_of(tasks::Variation::kPlain, 1, 2), false);
  expect_moments(kDraws, made);
  for (size_t i = 0; i < std::size(kDraws); ++i)
    EXPECT_NE(made.inputs[0][i].bytes, made.inputs[1][i].bytes) << kDraws[i].expression;
}

TEST_F(TaskScriptsTest, VariationsKeepTheSupportAndAreWhatTheirNamesSay) {
  const DrawCase kDraws[] = {{"np.random.rand(20000)", 0, 0, 0, 0},
                             {"np.random.randint(3, 50, size=20000)", 0, 0, 0, 0},
                             {"np.random.randn(20000)", 0, 0, 0, 0}};
  const tasks::Task task = drawing(kDraws, false);
  std::vector<InputDraw> draws;
  for (uint64_t i = 0; i < 4 * tasks::kSpreads; ++i)
    draws.push_back({static_cast<tasks::Variation>(i % tasks::kSpreads), base::RandomStream(9, i)});
  const ScriptedTrials made = scripts_.run(task, draws, false);
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  for (size_t i = 0; i < draws.size(); ++i) {
    const tasks::Variation variation = draws[i].variation;
    const Moments uniform = moments_of(made.inputs[i][0]);
    EXPECT_GT(uniform.least, 0) << tasks::name_of(variation);
    EXPECT_LT(uniform.most, 1) << tasks::name_of(variation);
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_LT(uniform.mean, 0.25);
    }
    const Moments whole = moments_of(made.inputs[i][1]);
    EXPECT_GE(whole.least, 3) << tasks::name_of(variation);
    EXPECT_LE(whole.most, 49) << tasks::name_of(variation);
    EXPECT_GT(whole.deviation, 1) << tasks::name_of(variation);
    const Moments normal = moments_of(made.inputs[i][2]);
    EXPECT_LE(std::max(-normal.least, normal.most), 12) << tasks::name_of(variation);
    EXPECT_GT(normal.deviation, 0.12) << tasks::name_of(variation);
    EXPECT_LT(normal.deviation, 2.1) << tasks::name_of(variation);
    if (variation == tasks::Variation::kZerosAndSigns) {
      EXPECT_NEAR(normal.zeros, 0.25, 0.02);
    }
    if (variation == tasks::Variation::kShifted) {
      EXPECT_GT(std::abs(normal.mean), 0.45);
    }
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_NEAR(normal.deviation, 1, 0.1);
    }
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_GT(normal.most, 6);
    }
  }
}

TEST_F(TaskScriptsTest, PeaksStandOnALevelAsFarInEveryInput) {
  const DrawCase kDraws[] = {{"np.random.rand(200, 100)", 0, 0, 0, 0},
                             {"np.random.randn(20000)", 0, 0, 0, 0}};
  const base::RandomStream stream(9, "peaks");
  std::vector<InputDraw> draws;
  for (const int places : {0, 1, 2, 4, 7})
    draws.push_back(
        {tasks::Variation::kPeak, stream, {tasks::Peaks::Level::kMiddle, static_cast<uint8_t>(places)}});
  const ScriptedTrials made = scripts_.run(drawing(kDraws, false), draws, false);
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  std::vector<uint64_t> inner;
  for (size_t input = 0; input < 2; ++input) {
    const auto numbers = [&](size_t trial) { return made.inputs[trial][input].to_doubles(); };
    const std::vector<double> none = numbers(0), all = numbers(4);
    EXPECT_EQ(moments_of(made.inputs[0][input]).least, moments_of(made.inputs[0][input]).most);
    EXPECT_NEAR(none[0], input == 0 ? 0.5 : 0, 1e-6);
    size_t peaks = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == none[i]) continue;
      ++peaks;
      const size_t trial = i == 0 ? 1 : i + 1 == all.size() ? 2 : 3;
      EXPECT_EQ(numbers(trial)[i], all[i]);
      if (trial == 3) inner.push_back(i);
    }
    EXPECT_EQ(peaks, 3u);
  }
  ASSERT_EQ(inner.size(), 2u);
  EXPECT_EQ(inner[0], inner[1]);
}

// A compare.py around the line that decides.
std::string comparer(const std::string& decision) {
  return "import numpy as np\nimport os\nTOL = 1e-2\ndef read(name, dtype, n):\n"
         "    return np.fromfile(name, dtype=dtype, count=n)\n"
         "def check(a_file, b_file, size, tolerance=1e-5):\n    if not os.path.exists(a_file):\n        "
         "return False\n"
         "    a = read(a_file, np.float32, size)\n    b = read(b_file, np.float32, size)\n"
         "    if a.shape != b.shape:\n        return False\n    diff = np.abs(a - b)\n    return " +
         decision +
         "\nif __name__ == '__main__':\n    if check('data/y.bin', './data/y_ref.bin', 64 * 64):\n        "
         "print('T')\n"
         "    else:\n        print('F')\n        exit(1)\n";
}

std::map<std::string, tasks::Tolerance> tolerances_of(TaskScripts& scripts, const std::string& compare) {
  tasks::Task task = script_task("x = 1\n", {});
  task.compare_script = compare;
  tasks::TaskOutput output;
  output.name = "y";
  output.shape = {4096};
  task.outputs.push_back(output);
  return scripts.run(task, {}, true).tolerances;
}

TEST_F(TaskScriptsTest, FindsTheToleranceOfAnyComparison) {
  const std::tuple<const char*, double, double> kForms[] = {
      {"np.all(diff < tolerance)", 1e-5, 0},
      {"np.max(diff) <= TOL", 1e-2, 0},
      {"np.allclose(a, b, atol=tolerance)", 1e-5, 1e-5},
      {"np.allclose(a, b, rtol=1e-3, atol=0.5)", 0.5, 1e-3},
      {"np.isclose(a, b, rtol=2e-4, atol=3e-6).all()", 3e-6, 2e-4},
      {"not (diff > tolerance + 1e-4 * np.abs(b)).any()", 1e-5, 1e-4},
      {"np.mean(diff) < 2.5e-3", 2.5e-3, 0},
      {"np.sum(diff) < 4.096", 1e-3, 0},
      {"np.count_nonzero(diff > tolerance) == 0", 1e-5, 0},
      {"np.linalg.norm(a - b) <= 1e-3 * np.linalg.norm(b) + 1e-30", 0, 1e-3},
      {"abs(a[0] - b[0]) < TOL", 1e-2, 0},
      {"np.all(diff.reshape(64, 64)[1:] < tolerance)", 1e-5, 0},
      {"diff.max() < tolerance and diff.mean() < 1", 1e-5, 0},
  };
  for (const auto& [decision, absolute, relative] : kForms) {
    const auto found = tolerances_of(scripts_, comparer(decision));
    ASSERT_EQ(found.count("y"), 1u) << decision;
    EXPECT_NEAR(found.at("y").absolute, absolute, absolute * 1e-6 + 1e-12) << decision;
    EXPECT_NEAR(found.at("y").relative, relative, relative * 1e-2) << decision;
  }
}

TEST_F(TaskScriptsTest, WhatDecidesNothingGivesNoTolerance) {
  for (const std::string& compare : {comparer("True"), std::string("import numpy as np\nnp.unknown()\n"),
                                     std::string("x = (\n"), std::string("print('F')\n")})
    EXPECT_TRUE(tolerances_of(scripts_, compare).empty()) << compare;
}

TEST(FindPython, OneWithoutNumpyIsNamedWithTheRemedy) {
  ::setenv("CUSET_PYTHON", "/bin/false", 1);
  std::string message;
  try {
    find_python(PythonLibrary::kNumpy);
  } catch (const base::Error& error) {
    message = error.one_line();
  }
  ::unsetenv("CUSET_PYTHON");
  EXPECT_EQ(message.find("no Python with numpy: /bin/false: "), 0u) << message;
  EXPECT_NE(message.find("`make setup` installs one; or name a Python with numpy in CUSET_PYTHON"),
            std::string::npos);
}

// What a process left is read without trust, whatever it is.
TEST(ScriptedTrials, AreReadFromWhateverIsThere) {
  const tasks::Task task = script_task("", {input_named("b")});
  const base::TemporaryFolder folder;
  const auto said = [&] { return read_scripted_trials(folder.path(), "job_0", task, 1).explanation; };
  EXPECT_EQ(said(), "the input script leaves no result");
  fs::create_directories(folder / "job_0");
  for (const char* const text : {"", "{", "[]", "null", "\xff", "{\"tolerances\": {\"y\": [1, \"a\"]}}"}) {
    base::write_file_atomic(folder / "job_0/result.json", text);
    EXPECT_NE(said(), "") << text;
  }
  base::write_file_atomic(folder / "job_0/result.json", "{}");
  EXPECT_EQ(said(), "the input script writes no data/b.bin");
  fs::create_directories(folder / "elsewhere/data");
  base::write_file_atomic(folder / "elsewhere/data/b.bin", std::string(16, '\0'));
  fs::create_directory_symlink(folder / "elsewhere", folder / "job_0/trial_0");
  EXPECT_EQ(said(), "the input script writes no data/b.bin");
  fs::remove(folder / "job_0/trial_0");
  fs::rename(folder / "elsewhere", folder / "job_0/trial_0");
  EXPECT_EQ(said(), "");
  for (const size_t bytes : {0, 15, 17}) {
    base::write_file_atomic(folder / "job_0/trial_0/data/b.bin", std::string(bytes, '\0'));
    EXPECT_EQ(
        said(),
        fmt::format("the input script writes {} bytes to data/b.bin, where float64 of shape (2,) takes 16",
                    bytes));
  }
}

}  // namespace
}  // namespace cuset::judge
