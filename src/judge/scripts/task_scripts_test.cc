#include "judge/scripts/task_scripts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "judge/scripts/task_scripts_fixture.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

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
  EXPECT_NE(
      message.find("name a Python with numpy in CUSET_PYTHON; in the source tree, make setup installs one"),
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
