#include "cuda/hostile_run.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "base/error.h"
#include "base/files/remove_folder.h"
#include "cuda/leftovers.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIncludeFolder = "testdata/cuda/hostile";

std::string random_token() {
  std::random_device random;
  return fmt::format("cuset-left-{:08x}{:08x}", random(), random());
}

execute::ExecutorSettings settings(const fs::path& cache, sandbox::Confinement confinement,
                                   std::chrono::seconds compile_time) {
  execute::ExecutorSettings settings;
  settings.cache = cache;
  settings.confinement = confinement;
  settings.compile_limits.wall_time = compile_time;
  settings.compile_limits.memory = 2ull << 30;
  settings.compile_limits.file_size = 256 << 20;
  settings.compile_limits.output_kill = 64 << 20;
  return settings;
}

std::unique_ptr<execute::Executor> make_executor(const std::string& name,
                                                 const execute::ExecutorSettings& settings) {
  return name == "gpu" ? execute::make_gpu_executor(settings) : execute::make_cpu_executor(settings);
}

// CUDA on a GPU needs some time and memory for itself.
sandbox::SandboxLimits limits_of_attacks(bool gpu) {
  sandbox::SandboxLimits limits;
  limits.wall_time = std::chrono::seconds(gpu ? 6 : 3);
  limits.memory = gpu ? 4ull << 30 : 256ull << 20;
  limits.file_size = 64 << 20;
  limits.folder_size = 256 << 20;
  limits.output = 256 << 10;
  limits.output_kill = 64 << 20;
  return limits;
}

base::FileDescriptor listening(int family, const void* address, size_t size) {
  base::FileDescriptor file(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const auto* where = static_cast<const sockaddr*>(address);
  if (!file.is_open() || ::bind(file.get(), where, static_cast<socklen_t>(size)) != 0 ||
      ::listen(file.get(), 64) != 0)
    throw base::Error("cannot listen on a socket: {}", base::errno_text(errno));
  return file;
}

const char* outcome_name(execute::Build::Outcome outcome) {
  constexpr const char* kNames[] = {"built",       "compile error", "link error", "compiler stopped",
                                    "unsupported", "interrupted"};
  return kNames[static_cast<int>(outcome)];
}

const char* outcome_name(execute::Run::Outcome outcome) {
  constexpr const char* kNames[] = {"done",        "failed",        "launch error",    "crash",
                                    "timeout",     "out of memory", "too much output", "unsupported",
                                    "device lost", "interrupted"};
  return kNames[static_cast<int>(outcome)];
}

}  // namespace

Listeners::Listeners(const fs::path& path, const std::string& abstract_name) {
  sockaddr_in internet = {};
  internet.sin_family = AF_INET;
  internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockets_.push_back(listening(AF_INET, &internet, sizeof internet));
  socklen_t size = sizeof internet;
  ::getsockname(sockets_.back().get(), reinterpret_cast<sockaddr*>(&internet), &size);
  port_ = ntohs(internet.sin_port);

  sockaddr_un local = {};
  local.sun_family = AF_UNIX;
  CUSET_CHECK(path.string().size() < sizeof local.sun_path, "{} is too long", path.string());
  std::strcpy(local.sun_path, path.c_str());
  sockets_.push_back(listening(AF_UNIX, &local, sizeof local));
  std::memset(local.sun_path, 0, sizeof local.sun_path);
  std::strcpy(local.sun_path + 1, abstract_name.c_str());
  sockets_.push_back(listening(AF_UNIX, &local, offsetof(sockaddr_un, sun_path) + 1 + abstract_name.size()));
}

int Listeners::connections() const {
  int count = 0;
  for (const base::FileDescriptor& socket : sockets_) {
    while (base::FileDescriptor(::accept(socket.get(), nullptr, nullptr)).is_open()) ++count;
  }
  return count;
}

HostileRun::HostileRun(const std::string& executor, sandbox::Confinement confinement)
    : token_(random_token()),
      cache_(folder_ / "cache"),
      secrets_(folder_.path(), cache_),
      listeners_(folder_ / "socket", token_),
      executor_(make_executor(
          executor, settings(cache_, confinement, std::chrono::seconds(executor == "gpu" ? 25 : 10)))),
      honest_executor_(make_executor(executor, settings(cache_, confinement, std::chrono::seconds(120)))),
      limits_(limits_of_attacks(executor == "gpu")) {}

execute::BuildOptions HostileRun::build_options(const TestProgram& program) const {
  execute::BuildOptions options;
  if (program.is_honest()) return options;
  options.optimization = 1;
  options.include_folders = {kIncludeFolder};
  options.defines = {fmt::format("TRICK={}", program.trick)};
  if (program.family == "compile")
    options.defines.push_back(fmt::format("SECRET_FILE=\"{}\"", secrets_.files().front().string()));
  return options;
}

execute::RunOptions HostileRun::run_options(const TestProgram& program, const fs::path& folder) const {
  execute::RunOptions options;
  options.folder = folder;
  options.exclusive = false;  // on a GPU: beside each other, honest ones beside hostile ones
  options.limits.wall_time = std::chrono::seconds(120);
  if (program.is_honest()) return options;
  options.limits = limits_;
  options.arguments = {"--token=" + token_, fmt::format("--driver={}", ::getpid()),
                       fmt::format("--port={}", listeners_.port()),
                       "--socket=" + (folder_ / "socket").string(), "--abstract=" + token_};
  for (const fs::path& file : secrets_.files()) options.arguments.push_back("--secret=" + file.string());
  for (const fs::path& one : secrets_.folders()) options.arguments.push_back("--folder=" + one.string());
  return options;
}

void HostileRun::check_text(const std::string& text, const char* where, ProgramReport& report) const {
  if (const std::string place = secrets_.found_in(text); !place.empty())
    report.faults += fmt::format("the secret of {} is in its {}\n", place, where);
  if (const size_t at = text.find("ESCAPED: "); at != std::string::npos)
    report.faults += base::in_quotes(text.substr(at, text.find('\n', at) - at), 200) + "\n";
}

// Only what a reader of results would open: regular files, links not followed.
void HostileRun::check_files(const fs::path& folder, ProgramReport& report) const {
  std::error_code failed;
  int left = 1000;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator() && left > 0;
       entry.increment(failed), --left) {
    if (entry.depth() > 8) entry.disable_recursion_pending();
    const bool is_file = fs::is_regular_file(entry->symlink_status(failed));
    if (failed || !is_file || entry->file_size(failed) > 1 << 20 ||
        ::access(entry->path().c_str(), R_OK) != 0)
      continue;
    check_text(base::read_file(entry->path()), "files", report);
  }
}

void HostileRun::check_run(const TestProgram& program, const execute::Run& run, ProgramReport& report) const {
  report.ending = outcome_name(run.outcome);
  if (!run.explanation.empty()) report.ending += ": " + base::in_quotes(run.explanation, 160);
  if (program.is_honest()) {
    if (run.outcome != execute::Run::Outcome::kDone || run.process.output != program.output)
      report.faults += fmt::format("an honest program failed: {}\n{}{}", report.ending, run.process.output,
                                   run.process.errors);
    return;
  }
  check_text(run.process.output, "output", report);
  check_text(run.process.errors, "errors", report);
  check_text(run.explanation, "explanation", report);
  for (const execute::RunFinding& finding : run.findings)
    check_text(finding.kind + finding.file + finding.text, "findings", report);
  for (const execute::KernelLaunches& kernel : run.kernels) check_text(kernel.name, "kernels", report);
  constexpr double kGrace = 5;  // to kill and collect a tree of processes on a busy machine
  const double limit = std::chrono::duration<double>(limits_.wall_time).count();
  if (run.process.wall_seconds > limit + kGrace)
    report.faults += fmt::format("it ran {:.1f} s of {:.1f} s\n", run.process.wall_seconds, limit);
}

void HostileRun::build_and_run(const TestProgram& program, const fs::path& folder, ProgramReport& report) {
  execute::Executor& executor = program.is_honest() ? *honest_executor_ : *executor_;
  const execute::Build build = executor.build(program.source, build_options(program));
  report.ending = outcome_name(build.outcome);
  check_text(build.messages, "compiler messages", report);
  if (build.done()) {
    execute::RunOptions options = run_options(program, folder);
    execute::Run run = executor.run(build, options);
    // A neighbor may have taken all memory: as the judge does, alone once more.
    options.exclusive = program.is_honest() && run.outcome != execute::Run::Outcome::kDone;
    if (options.exclusive) run = executor.run(build, options);
    check_run(program, run, report);
    check_files(folder, report);
  } else if (program.is_honest() || program.family != "compile") {
    report.faults += "it was not built: " + base::in_quotes(build.messages, 400) + "\n";
  }
}

ProgramReport HostileRun::run(const TestProgram& program) {
  static std::atomic<int> count = 0;
  ProgramReport report{.name = program.name, .ending = "", .seconds = 0, .faults = ""};
  const auto start = std::chrono::steady_clock::now();
  const fs::path folder = folder_ / fmt::format("work-{}", ++count);
  fs::create_directory(folder);
  try {
    build_and_run(program, folder, report);
  } catch (const std::exception& error) {
    report.faults += fmt::format("the executor threw: {}\n", error.what());
  }
  if (!base::remove_folder(folder)) report.faults += "its folder cannot be removed\n";
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

std::vector<ProgramReport> HostileRun::run_all(const std::vector<TestProgram>& programs, int workers) {
  std::vector<ProgramReport> reports(programs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < programs.size(); i = next++) reports[i] = run(programs[i]);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return reports;
}

std::string HostileRun::faults() const {
  std::vector<fs::path> folders = secrets_.folders();
  for (const auto& entry : fs::recursive_directory_iterator(cache_)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::string lines = secrets_.damage() + files_left(token_, folders);
  if (const int count = listeners_.connections(); count > 0)
    lines += fmt::format("{} connections were made\n", count);
  return lines;
}

}  // namespace cuset::tests
