#include "judge/scripts/task_scripts.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <future>
#include <thread>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "execute/record/run_outcome.h"
#include "judge/run/data_files.h"
#include "judge/script_sources.h"
#include "judge/verdict/judge_settings.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;

constexpr uint64_t kBesideInputs = 1ull << 30;  // bytes that a script may write
constexpr uint64_t kLargestAnswer = 1 << 20;
constexpr size_t kLongestText = 300;
constexpr milliseconds kPatience(200);
constexpr uint64_t kLargeInputs = 32ull << 20;  // bytes of one trial
constexpr uint64_t kInputsAtOnce = 2ull << 30;  // bytes of trials that are drawn side by side

ScriptedTrials no_inputs(Outcome outcome, std::string explanation) {
  ScriptedTrials none;
  none.outcome = outcome;
  none.explanation = std::move(explanation);
  return none;
}

uint64_t bytes_of_input(const tasks::TaskInput& input) {
  return tasks::count_of(input.shape) * tasks::bytes_of(input.type);
}

// Bytes of the inputs of one trial.
uint64_t input_bytes(const tasks::Task& task) {
  uint64_t bytes = 0;
  for (const tasks::TaskInput& input : task.inputs) bytes += bytes_of_input(input);
  return bytes;
}

base::Json request_of(const tasks::Task& task, std::span<const InputDraw> draws, bool compare) {
  base::Json request = {{"script", task.input_script},     {"wanted", base::Json::array()},
                        {"trials", base::Json::array()},   {"compare", compare ? task.compare_script : ""},
                        {"outputs", base::Json::object()}, {"most_bytes", input_bytes(task) + kBesideInputs}};
  for (const tasks::TaskInput& input : task.inputs) request["wanted"].push_back(input.name);
  for (const tasks::TaskOutput& output : task.outputs)
    request["outputs"][output.name] = tasks::count_of(output.shape);
  for (const InputDraw& draw : draws) {
    const uint64_t seed = draw.stream.child("script").next_u64();
    request["trials"].push_back({{"seed", seed},
                                 {"variation", tasks::name_of(draw.variation)},
                                 {"level", tasks::name_of(draw.peaks.level)},
                                 {"places", draw.peaks.places}});
  }
  return request;
}

base::Json result_of(const fs::path& folder, const std::string& job) {
  const OutputFile file = read_output(folder, job + "/result.json", kLargestAnswer);
  if (file.state != OutputFile::State::kWhole) return nullptr;
  auto parsed = base::try_parse_json({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
  base::Json* const result = std::get_if<base::Json>(&parsed);
  return result != nullptr && result->is_object() ? std::move(*result) : base::Json();
}

std::string text_in(const base::Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string()
             ? base::in_quotes(found->get<std::string>(), kLongestText)
             : "";
}

// What the script itself failed with; nothing where it did not.
std::optional<ScriptedTrials> failure_in(const base::Json& result) {
  if (const std::string module = text_in(result, "module"); !module.empty()) {
    return no_inputs(Outcome::kUnsupported,
                     fmt::format("the input script needs the Python module {}, which is not installed "
                                 "(install it, or name another Python in CUSET_PYTHON)",
                                 module));
  }
  const std::string error = text_in(result, "error");
  if (error.empty()) return std::nullopt;
  const auto line = result.find("line");
  const std::string place = line != result.end() && line->is_number_unsigned()
                                ? fmt::format(", line {}", line->get<uint64_t>())
                                : std::string();
  return no_inputs(Outcome::kFaultyTask, fmt::format("input script{}: {}", place, error));
}

std::optional<tasks::Tolerance> tolerance_in(const base::Json& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number())
    return std::nullopt;
  const tasks::Tolerance tolerance{.absolute = pair[0].get<double>(), .relative = pair[1].get<double>()};
  const bool sound = std::isfinite(tolerance.absolute) && std::isfinite(tolerance.relative) &&
                     tolerance.absolute >= 0 && tolerance.relative >= 0;
  return sound ? std::optional(tolerance) : std::nullopt;
}

std::map<std::string, tasks::Tolerance> tolerances_in(const base::Json& result, const tasks::Task& task) {
  std::map<std::string, tasks::Tolerance> tolerances;
  const auto found = result.find("tolerances");
  if (found == result.end() || !found->is_object()) return tolerances;
  for (const tasks::TaskOutput& output : task.outputs) {
    if (!found->contains(output.name)) continue;
    if (const auto tolerance = tolerance_in((*found)[output.name])) tolerances[output.name] = *tolerance;
  }
  return tolerances;
}

// One input of one trial. `problem` says why there is none.
tasks::Array read_input_of(const fs::path& folder, const std::string& trial, const tasks::TaskInput& input,
                           std::string& problem) {
  const std::string file = data_file(input.name);
  const uint64_t bytes = bytes_of_input(input);
  OutputFile content = read_output(folder, trial + "/" + file, bytes);
  tasks::Array array;
  if (content.state == OutputFile::State::kAbsent || content.state == OutputFile::State::kNotAFile) {
    problem = fmt::format("the input script writes no {}", file);
  } else if (content.size != bytes) {
    problem = fmt::format("the input script writes {} bytes to {}, where {} of shape {} takes {}",
                          content.size, file, tasks::name_of(input.type), tasks::text_of(input.shape), bytes);
  } else {
    array.type = input.type;
    array.shape = input.shape;
    array.bytes = std::move(content.bytes);
    if (array.type == tasks::NumberType::kBool)
      for (std::byte& byte : array.bytes) byte = byte == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  return array;
}

// A name with a folder in it would lead out of the trial's.
bool is_plain(const tasks::TaskInput& input) {
  return !input.name.empty() && input.name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

// Why a process that left no result ended.
ScriptedTrials ended_by(int status) {
  const auto gives_none = [](const std::string& how) {
    return no_inputs(Outcome::kFaultyTask, "the input script gives no inputs: " + how);
  };
  if (WIFSIGNALED(status)) {
    ScriptedTrials none = gives_none(fmt::format("it crashed with signal {}", WTERMSIG(status)));
    none.stray_kill = WTERMSIG(status) == SIGKILL;
    return none;
  }
  return gives_none(fmt::format("exit status {}", WEXITSTATUS(status)));
}

}  // namespace

sandbox::SandboxLimits script_limits() {
  sandbox::SandboxLimits limits;
  limits.wall_time = std::chrono::minutes(3);
  limits.cpu_time = std::chrono::hours(1000);
  limits.memory = 16ull << 30;
  limits.processes = 256;
  limits.file_size = 8ull << 30;
  limits.folder_size = 48ull << 30;
  limits.output = 1 << 16;
  return limits;
}

ScriptedTrials read_scripted_trials(const fs::path& folder, const std::string& job, const tasks::Task& task,
                                    size_t trials) {
  const base::Json result = result_of(folder, job);
  if (result.is_null()) return no_inputs(Outcome::kFaultyTask, "the input script leaves no result");
  if (auto failure = failure_in(result)) return *std::move(failure);
  ScriptedTrials made;
  made.tolerances = tolerances_in(result, task);
  for (size_t trial = 0; trial < trials; ++trial) {
    std::vector<tasks::Array>& arrays = made.inputs.emplace_back();
    for (const tasks::TaskInput& input : task.inputs) {
      std::string problem;
      arrays.push_back(read_input_of(folder, fmt::format("{}/trial_{}", job, trial), input, problem));
      if (!problem.empty()) return no_inputs(Outcome::kFaultyTask, problem);
    }
  }
  return made;
}

// A warm Python process. It serves one job after the other; when it has ended, it is of no more use.
class TaskScripts::Server {
 public:
  Server(const Python& python, bool with_torch, sandbox::Confinement confinement,
         const sandbox::SandboxLimits& limits) {
    // To a process of another user, which --sandbox=limits makes of root's.
    fs::permissions(jobs_.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                      fs::perms::others_read | fs::perms::others_exec);
    base::write_scratch_file(jobs_ / "script_child.py", kScriptChild);
    base::write_scratch_file(jobs_ / "script_draws.py", kScriptDraws);
    base::write_scratch_file(jobs_ / "script_slice.py", kScriptSlice);
    base::write_scratch_file(jobs_ / "script_torch.py", kScriptTorch);
    const std::vector<std::string> libraries = {with_torch ? "torch" : "numpy"};
    command_ = python_command(python, folder_.path(), jobs_ / "script_child.py", libraries);
    command_.readable.push_back(jobs_.path());
    // Drawing numbers is all it does, beside other processes that are busy.
    for (const char* const variable : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      command_.environment[variable] = "1";
    command_.limits = limits;
    command_.confinement = confinement;
    command_.waited = [this] { return time_without_job(); };
    ended_ = std::async(std::launch::async, [this] { return sandbox::run_sandboxed(command_); });
  }

  ~Server() {
    stop_ = true;
    if (ended_.valid()) ended_.wait();
  }

  bool has_ended() const {
    return ends_ || !ended_.valid() || ended_.wait_for(milliseconds(0)) == std::future_status::ready;
  }

  ScriptedTrials run(const base::Json& request, const tasks::Task& task, size_t trials) {
    const std::string job = fmt::format("job_{}", jobs_done_);
    job_since_ = Clock::now().time_since_epoch().count();
    const fs::path file = jobs_ / (job + ".json");
    submit(request, file);
    const std::optional<int> status = wait_for_job();
    job_since_ = 0;
    ++jobs_done_;
    fs::remove(file);
    if (!status) return of_ended_process();
    ScriptedTrials made = read_scripted_trials(folder_.path(), job, task, trials);
    return *status == 0 || made.outcome == Outcome::kCorrect ? made : ended_by(*status);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // The process sees the whole file or none.
  void submit(const base::Json& request, const fs::path& file) const {
    const fs::path draft = jobs_ / "job.new";
    base::write_scratch_file(draft, request.dump(-1, ' ', false, base::Json::error_handler_t::replace));
    if (::rename(draft.c_str(), file.c_str()) != 0) throw base::file_error("write", file, errno);
  }

  // Added to the limit on wall time, so that the limit is one of each job.
  milliseconds time_without_job() const {
    if (stop_) return -std::chrono::duration_cast<milliseconds>(std::chrono::hours(1000));
    const Clock::rep since = job_since_;
    const Clock::time_point until = since == 0 ? Clock::now() : Clock::time_point(Clock::duration(since));
    return std::chrono::duration_cast<milliseconds>(until - start_);
  }

  // The wait status of the job's process; nothing where the warm one has ended.
  std::optional<int> wait_for_job() {
    const std::string name = fmt::format("done_{}", jobs_done_);
    while (true) {
      const bool ended = ended_.wait_for(milliseconds(1)) == std::future_status::ready;
      const OutputFile file = read_output(folder_.path(), name, 20);
      if (file.state == OutputFile::State::kAbsent) {
        if (ended) return std::nullopt;
        continue;
      }
      int status = 0;
      const char* const text = reinterpret_cast<const char*>(file.bytes.data());
      const char* const rest = std::from_chars(text, text + file.bytes.size(), status).ptr;
      ends_ = rest != text + file.bytes.size();
      // Memory that ran out may end the job's process first; the watch then says so.
      const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
      if (killed && ended_.wait_for(milliseconds(500)) == std::future_status::ready) return std::nullopt;
      return status;
    }
  }

  ScriptedTrials of_ended_process() {
    sandbox::SandboxResult ended = ended_.get();
    if (ended.ending == sandbox::Ending::kNotStarted)
      throw base::Error("cannot start {}: {}", command_.arguments[0], ended.reason)
          .with_remedy("name a Python with numpy in CUSET_PYTHON");
    const execute::Run run = execute::classify_run(std::move(ended), {}, command_.limits);
    if (run.outcome == execute::Run::Outcome::kInterrupted) throw JudgeInterrupted();
    const bool exhausted =
        run.outcome == execute::Run::Outcome::kTimeout || run.outcome == execute::Run::Outcome::kOutOfMemory;
    ScriptedTrials none = no_inputs(exhausted ? Outcome::kUnsupported : Outcome::kFaultyTask,
                                    fmt::format("the input script gives no inputs: {}", run.explanation));
    none.stray_kill = run.process.stray_kill;
    return none;
  }

  base::TemporaryFolder jobs_;    // only we write there
  base::TemporaryFolder folder_;  // where the scripts work
  sandbox::SandboxedCommand command_;
  uint64_t jobs_done_ = 0;
  bool ends_ = false;  // the process has said that this was its last job
  Clock::time_point start_ = Clock::now();
  std::atomic<Clock::rep> job_since_ = 0;  // 0: there is none
  std::atomic<bool> stop_ = false;
  std::future<sandbox::SandboxResult> ended_;
};

TaskScripts::TaskScripts(sandbox::Confinement confinement, const sandbox::SandboxLimits& limits)
    : confinement_(confinement), limits_(limits) {}

TaskScripts::~TaskScripts() = default;

ScriptedTrials TaskScripts::run(const tasks::Task& task, std::span<const InputDraw> draws, bool compare) {
  for (const tasks::TaskInput& input : task.inputs) {
    if (!is_plain(input))
      return no_inputs(Outcome::kFaultyTask,
                       fmt::format("{} is not a file name", base::in_quotes(input.name)));
  }
  // Much data is drawn by several processes, as many as have room beside each other.
  const uint64_t bytes = std::max<uint64_t>(1, input_bytes(task));
  const size_t parts = bytes < kLargeInputs ? 1 : std::clamp<size_t>(kInputsAtOnce / bytes, 1, draws.size());
  std::vector<std::future<ScriptedTrials>> drawn;
  for (size_t i = 0, begin = 0; i < parts; ++i) {
    const size_t end = draws.size() * (i + 1) / parts;
    const auto draw = [&, begin, end, i] {
      return run_repeatedly(task, draws.subspan(begin, end - begin), compare && i == 0);
    };
    drawn.push_back(std::async(parts == 1 ? std::launch::deferred : std::launch::async, draw));
    begin = end;
  }
  ScriptedTrials all = drawn[0].get();
  for (size_t i = 1; i < parts; ++i) {
    ScriptedTrials more = drawn[i].get();
    if (all.outcome != Outcome::kCorrect) continue;
    if (more.outcome != Outcome::kCorrect) all = no_inputs(more.outcome, more.explanation);
    std::move(more.inputs.begin(), more.inputs.end(), std::back_inserter(all.inputs));
  }
  return all;
}

ScriptedTrials TaskScripts::run_repeatedly(const tasks::Task& task, std::span<const InputDraw> draws,
                                           bool compare) {
  ScriptedTrials made = run_in_turn(task, draws, compare);
  for (int i = 0; i < sandbox::kMostRepeats && made.stray_kill; ++i) made = run_in_turn(task, draws, compare);
  return made;
}

ScriptedTrials TaskScripts::run_in_turn(const tasks::Task& task, std::span<const InputDraw> draws,
                                        bool compare) {
  // Torch takes a second to import, and more to fork: scripts that do not name it do without.
  Pool& pool = task.input_script.find("torch") == std::string::npos ? numpy_ : torch_;
  std::unique_ptr<Server> server = take_server(pool);
  try {
    ScriptedTrials made = server->run(request_of(task, draws, compare), task, draws.size());
    give_back(pool, std::move(server));
    return made;
  } catch (...) {
    give_back(pool, nullptr);
    throw;
  }
}

// Most jobs take less time than the start of a process, so that few of them serve many threads; only who waits long,
// because others draw much data, gets one more.
std::unique_ptr<TaskScripts::Server> TaskScripts::take_server(Pool& pool) {
  const size_t most = std::max(1U, std::thread::hardware_concurrency()), few = std::max<size_t>(1, most / 4);
  std::unique_lock lock(mutex_);
  if (!pool.given_back.wait_for(lock, kPatience, [&] { return pool.taken < few; }))
    pool.given_back.wait(lock, [&] { return pool.taken < most; });
  ++pool.taken;
  while (!pool.idle.empty()) {
    std::unique_ptr<Server> server = std::move(pool.idle.back());
    pool.idle.pop_back();
    if (!server->has_ended()) return server;
  }
  try {
    if (!python_) python_ = find_python(PythonLibrary::kNumpy);
    return std::make_unique<Server>(*python_, &pool == &torch_, confinement_, limits_);
  } catch (...) {
    --pool.taken;
    throw;
  }
}

void TaskScripts::give_back(Pool& pool, std::unique_ptr<Server> server) {
  const std::lock_guard lock(mutex_);
  --pool.taken;
  if (server && !server->has_ended()) pool.idle.push_back(std::move(server));
  pool.given_back.notify_one();
}

}  // namespace cuset::judge
