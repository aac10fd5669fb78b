// Tasks with input scripts and what runs them, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "judge/scripts/task_scripts.h"

namespace cuset::judge {

inline tasks::TaskInput input_named(const std::string& name,
                                    tasks::NumberType type = tasks::NumberType::kFloat64,
                                    tasks::Shape shape = {2}) {
  tasks::TaskInput input;
  input.name = name;
  input.type = type;
  input.shape = std::move(shape);
  return input;
}

inline tasks::Task script_task(const std::string& script, std::vector<tasks::TaskInput> inputs) {
  tasks::Task task;
  task.id = "1";
  task.place = "test:1";
  task.input_script = script;
  task.inputs = std::move(inputs);
  return task;
}

inline std::vector<InputDraw> draws_of(tasks::Variation variation, uint64_t seed, size_t count = 1) {
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

}  // namespace cuset::judge
