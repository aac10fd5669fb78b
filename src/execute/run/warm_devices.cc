#include "execute/run/warm_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>

#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "base/files/temporary_folder.h"
#include "emulator/device_account.h"
#include "execute/record/run_outcome.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kForever = std::chrono::hours(1000);

// Of the process: what any program may need.
sandbox::SandboxLimits process_limits() {
  sandbox::SandboxLimits limits;
  limits.wall_time = kForever;
  limits.cpu_time = kForever;
  limits.memory = 64ull << 30;
  limits.file_size = 16ull << 30;
  limits.folder_size = 64ull << 30;
  return limits;
}

void open_to_all(const fs::path& folder) { fs::permissions(folder, fs::perms{0755}); }

}  // namespace

class WarmDevices::Process {
 public:
  Process(const fs::path& program, const Start& start, bool for_trusted) : for_trusted_(for_trusted) {
    open_to_all(jobs_.path());
    open_to_all(pipes_.path());
    sandbox::SandboxedCommand command;
    command.arguments = {program.string(), "--serve", jobs_.path().string()};
    command.folder = folder_.path();
    command.readable = {program.parent_path(), jobs_.path(), pipes_.path()};
    command.limits = process_limits();
    command.waited = [this] { return milliseconds(stop_ ? -milliseconds(kForever) : milliseconds(0)); };
    command_ = start(std::move(command));
    ended_ = std::async(std::launch::async, [this] { return sandbox::run_sandboxed(command_); });
  }

  ~Process() {
    stop_ = true;
    if (ended_.valid()) ended_.wait();
  }

  bool is_for_trusted() const { return for_trusted_; }

  bool has_ended() const {
    return is_last_ || !ended_.valid() || ended_.wait_for(milliseconds(0)) == std::future_status::ready;
  }

  SplitRun run(const Job& job) {
    const std::string name = fmt::format("{}{}", CUSET_JOB_PREFIX, next_);
    const ProcessPipes pipes(pipes_ / name);
    lay(job.options, name, pipes);
    const SplitProcesses processes{job.host, [&](const fs::path&) { return wait_for_job(job.limits); }};
    SplitRun result = run_two_processes(job.options, folder_ / name, pipes, processes);
    fs::remove_all(jobs_ / name);
    ++next_;
    return result;
  }

 private:
  // The process sees the whole folder or none.
  void lay(const SplitOptions& options, const std::string& name, const ProcessPipes& pipes) const {
    const fs::path draft = jobs_ / "job.new";
    fs::create_directory(draft);
    open_to_all(draft);
    lay_device_files(options, draft);
    base::write_scratch_file(draft / CUSET_PIPES_FILE, pipes.folder().string() + "\n");
    fs::rename(draft, jobs_ / name);
  }

  Run wait_for_job(const sandbox::SandboxLimits& limits) {
    const fs::path done = folder_ / fmt::format("{}{}", CUSET_DONE_PREFIX, next_);
    const auto start = Clock::now();
    while (true) {
      const bool ended = ended_.wait_for(milliseconds(1)) == std::future_status::ready;
      std::error_code ignored;
      if (fs::is_regular_file(fs::symlink_status(done, ignored))) {
        is_last_ = base::read_file(done) != "0";
        Run run;
        run.outcome = Run::Outcome::kDone;
        run.process.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return run;
      }
      if (ended) return classify_run(ended_.get(), {}, limits);
      if (Clock::now() - start <= limits.wall_time) continue;
      stop_ = true;
      Run run = classify_run(ended_.get(), {}, limits);
      run.outcome = Run::Outcome::kTimeout;
      return run;
    }
  }

  const bool for_trusted_;
  base::TemporaryFolder jobs_;    // only we write there
  base::TemporaryFolder pipes_;   // likewise
  base::TemporaryFolder folder_;  // where it works
  sandbox::SandboxedCommand command_;
  uint64_t next_ = 0;
  bool is_last_ = false;  // it has said that it serves no more
  std::atomic<bool> stop_ = false;
  std::future<sandbox::SandboxResult> ended_;
};

WarmDevices::WarmDevices(fs::path program, size_t most_idle, Start start)
    : program_(std::move(program)), most_idle_(most_idle), start_(std::move(start)) {}

WarmDevices::~WarmDevices() = default;

SplitRun WarmDevices::run(const Job& job) {
  std::unique_ptr<Process> process = take(job.is_trusted);
  SplitRun result = process->run(job);
  give_back(std::move(process));
  return result;
}

std::unique_ptr<WarmDevices::Process> WarmDevices::take(bool for_trusted) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(idle_, [](const std::unique_ptr<Process>& process) { return process->has_ended(); });
    const auto found = std::find_if(
        idle_.rbegin(), idle_.rend(),
        [&](const std::unique_ptr<Process>& process) { return process->is_for_trusted() == for_trusted; });
    if (found != idle_.rend()) {
      std::unique_ptr<Process> process = std::move(*found);
      idle_.erase(std::next(found).base());
      return process;
    }
  }
  return std::make_unique<Process>(program_, start_, for_trusted);
}

void WarmDevices::give_back(std::unique_ptr<Process> process) {
  std::unique_ptr<Process> ended;  // outside of the lock
  const std::lock_guard lock(mutex_);
  if (process->has_ended()) return;
  idle_.push_back(std::move(process));
  if (idle_.size() <= most_idle_) return;
  ended = std::move(idle_.front());
  idle_.erase(idle_.begin());
}

}  // namespace cuset::execute
