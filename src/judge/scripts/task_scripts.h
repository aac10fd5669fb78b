// Runs the scripts that a task carries (CUDABench's gen.py and compare.py) in real Python, inside the
// sandbox. docs/input-scripts.md.
//
// A warm Python process, with its libraries imported, forks a worker that takes one task after the other, and
// another one after a script that may have changed its process: it runs the part of the input script that
// makes the inputs once for each trial, with random numbers of ours, and finds the tolerances of the
// comparison by trying it. The script is somebody else's code: what it leaves is taken for input that may be
// wrong in any way. Tasks that share a warm process could disturb each other's, no more.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "judge/scripts/python.h"
#include "judge/verdict/verdict.h"
#include "sandbox/sandbox.h"
#include "tasks/inputs.h"
#include "tasks/task.h"

namespace cuset::judge {

struct InputDraw {
  tasks::Variation variation = tasks::Variation::kPlain;
  base::RandomStream stream;
  tasks::Peaks peaks = {};
};

struct ScriptedTrials {
  Outcome outcome =
      Outcome::kCorrect;  // kFaultyTask or kUnsupported: there are no inputs, `explanation` says why
  std::string explanation;
  std::vector<std::vector<tasks::Array>> inputs;       // of each draw, in the order of the task's inputs
  std::map<std::string, tasks::Tolerance> tolerances;  // of those outputs for which the comparison gave one
  bool stray_kill = false;                             // there are none because of one (sandbox/sandbox.h)
};

// Of one warm process; the time is that of one task.
sandbox::SandboxLimits script_limits();

class TaskScripts {
 public:
  explicit TaskScripts(sandbox::Confinement confinement,
                       const sandbox::SandboxLimits& limits = script_limits());
  ~TaskScripts();

  // The inputs of `draws`, and with `compare` the tolerances. Throws Error where the machine fails: no Python
  // with numpy, no sandbox; and JudgeInterrupted. Safe to call from many threads.
  ScriptedTrials run(const tasks::Task& task, std::span<const InputDraw> draws, bool compare);

 private:
  class Server;

  // Warm processes that have the same libraries.
  struct Pool {
    std::vector<std::unique_ptr<Server>> idle;
    size_t taken = 0;
    std::condition_variable given_back;
  };

  ScriptedTrials run_repeatedly(const tasks::Task& task, std::span<const InputDraw> draws, bool compare);
  ScriptedTrials run_in_turn(const tasks::Task& task, std::span<const InputDraw> draws, bool compare);
  std::unique_ptr<Server> take_server(Pool& pool);
  void give_back(Pool& pool, std::unique_ptr<Server> server);

  sandbox::Confinement confinement_;
  sandbox::SandboxLimits limits_;
  std::mutex mutex_;
  std::optional<Python> python_;
  Pool numpy_;
  Pool torch_;  // numpy and torch
};

// What a task's process left in `job`, a folder below `folder`: result.json and
// trial_<number>/data/<input>.bin. Throws nothing for what they hold.
ScriptedTrials read_scripted_trials(const std::filesystem::path& folder, const std::string& job,
                                    const tasks::Task& task, size_t trials);

}  // namespace cuset::judge
