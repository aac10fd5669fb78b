// cuset run: compiles one CUDA program and runs it inside the sandbox, on the GPU or on the CPU. docs/run.md.
#include "base/files/make_folder.h"
#include "cli/commands/commands.h"

#include <cstdio>
#include <cstdlib>
#include <set>

#include "base/console.h"
#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "execute/build/emulator_messages.h"
#include "execute/build/nvcc_options.h"
#include "execute/build/program_sources.h"
#include "execute/project/project_folder.h"
#include "execute/run/executor_choice.h"
#include "execute/run/neighbor_files.h"
#include "execute/run/run_report.h"
#include "execute/run/working_files.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kShownOutput = 64 << 20;  // bytes of each stream; what is beyond is counted
constexpr const char* kDefaultStandard = "c++17";
constexpr uint64_t kLargestNeighbor = 256 << 20;  // bytes of a file or folder beside the sources

void print(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

class RunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  std::string_view summary() const override {
    return "Compile one CUDA program and run it in a sandbox, on the GPU or without one on the CPU";
  }
  std::string_view examples() const override {
    return "  cuset run examples/saxpy.cu\n"
           "  cuset run examples/saxpy.cu --executor cpu -- 1000\n"
           "  cuset run examples/overflow.cu --check\n"
           "  cuset run examples/race.cu --executor cpu --schedules 8\n"
           "  cuset run main.cpp kernels.cu -std=c++17 -lcublas -rdc=true\n"
           "  cuset run solver/ -- 100\n"
           "  cuset run kernel.cu --input data --output results --timeout 10 --json run.json";
  }

  void declare(Settings& settings) override {
    settings.add_positional(
        "file", files_,
        "CUDA program: its .cu and .cpp files, or a folder with a Makefile or CMakeLists.txt");
    settings.add_rest("arguments", arguments_, "arguments of the program");
    settings.add_choice("executor", executor_, {"auto", "cpu", "gpu"}, "Executor that the program runs on");
    settings.add("check", options_.check,
                 "Report wrong memory accesses, races and divergent barriers by source line");
    settings.add("schedules", schedules_,
                 "Number of thread orders to try, one run each; reports results that differ");
    settings.add("seed", seed_, "Random seed of the thread orders");
    settings.add_choice("std", options_.standard, {"c++11", "c++14", "c++17", "c++20"}, "C++ standard");
    settings.add("optimize", optimize_, "Optimization level, 0 to 3");
    settings.add_alias("optimise", "optimize");
    settings.add_letter('O', "optimize");
    settings.add("arch", options_.architecture,
                 "GPU architecture, like sm_90 (empty: that of this machine's GPU)");
    settings.add_words("define", options_.defines,
                       "Macro to define, NAME or NAME=VALUE; may be given several times");
    settings.add_letter('D', "define");
    settings.add_words("include", includes_, "Folder of headers; may be given several times");
    settings.add_letter('I', "include");
    settings.add_words("library", options_.libraries,
                       "Library to link, as -l of nvcc; may be given several times");
    settings.add_choice("language", language_, {"auto", "cu"}, "cu: .cpp files are CUDA sources, too");
    settings.add("target", target_, "Of a folder: program to run, or target of its Makefile");
    settings.add("rdc", options_.relocatable, "Device code of all files is one, as with -rdc=true of nvcc");
    settings.add_words("nvcc_flag", options_.nvcc_flags,
                       "Further option of nvcc, such as --extended-lambda; may be given several times");
    settings.add("nvcc", options_.judge_with_nvcc,
                 "CPU executor: also let nvcc decide whether the program compiles");
    settings.add("timeout", timeout_, "Time limit of the program in seconds");
    settings.add("memory", memory_, "Memory limit of the program in GiB");
    settings.add_choice(
        "sandbox", sandbox_, {"full", "limits"},
        "Isolate the program fully, or limit only time and memory where the system forbids more");
    settings.add_words("input", inputs_,
                       "File or folder to copy into the working folder; may be given several times");
    settings.add("output", output_, "Folder for the files that the program wrote");
    settings.add("keep", keep_, "Folder for the compiled program, its files, compiler messages and result");
    settings.add("json", json_, "JSON file to write the result to (-: standard output)");
  }

  std::vector<std::string> translate(const std::vector<std::string>& words) const override {
    return execute::translate_nvcc_options(words);
  }

  int run() override {
    check_flags();
    execute::RunReport report;
    report.options = build_options();
    const bool is_folder = files_.size() == 1 && fs::is_directory(files_[0]);
    if (is_folder) take_folder(report.options);
    if (is_folder) bring_arguments();
    const execute::ProgramSources sources =
        execute::read_program_sources(files_, language_ == "cu", report.options);
    report.source = sources.main;
    report.source_text = sources.texts[0];
    execute::ChosenExecutor chosen = execute::choose_executor(wanted_executor(), executor_settings());
    report.executor = chosen.executor->name();
    report.description = chosen.executor->description();
    report.gpu = chosen.executor->gpu();
    if (!chosen.reason.empty()) base::log_info("executor: {} ({})", report.executor, chosen.reason);

    const base::InterruptGuard guard("interrupted: stopping the compiler or the program");
    const base::TemporaryFolder folder;
    const execute::WorkingFiles files(all_inputs(sources), folder.path());
    build_and_run(*chosen.executor, folder.path(), report);
    if (!output_.empty() && report.run) bring_back(files);
    if (!keep_.empty()) keep(report, folder.path());
    if (report.run || !guard.is_requested()) show(report);
    if (guard.is_requested()) return 128 + guard.signal_number();
    return report.is_clean() ? 0 : 1;
  }

 private:
  void check_flags() const {
    if (files_.empty())
      throw base::UsageError("no program to run").with_remedy("name a .cu file or a folder");
    if (!target_.empty() && !(files_.size() == 1 && fs::is_directory(files_[0])))
      throw base::UsageError("--target chooses among the programs of a folder")
          .with_remedy("name a folder, or leave --target out");
    if (schedules_ < 1 || schedules_ > 10'000)
      throw base::UsageError("--schedules: {} is not in 1 to 10000", schedules_);
    if (optimize_ < 0 || optimize_ > 3) throw base::UsageError("--optimize: {} is not in 0 to 3", optimize_);
    if (!(timeout_ > 0) || timeout_ > 1e6)
      throw base::UsageError("--timeout: {} seconds is out of range", timeout_);
    if (!(memory_ >= 0.0625) || memory_ > 1e5)
      throw base::UsageError("--memory: {} GiB is out of range", memory_);
    if (executor_ == "gpu" && schedules_ > 1) throw base::UsageError("--schedules needs --executor cpu");
    if (executor_ == "gpu" && options_.check) throw base::UsageError("--check needs --executor cpu");
  }

  // The sources of the folder's program in place of the folder, and its options beside those of the command line, which
  // count where both say something.
  void take_folder(execute::BuildOptions& options) {
    project_ = files_[0];
    const execute::FoundProgram found = execute::find_program(project_, target_, confinement());
    const execute::ProjectProgram& program = found.program;
    files_.clear();
    for (const fs::path& source : program.sources)
      files_.push_back(source.lexically_proximate(fs::current_path()));
    const auto put_before = [](auto& ours, const auto& theirs) {
      ours.insert(ours.begin(), theirs.begin(), theirs.end());
    };
    put_before(options.defines, program.defines);
    put_before(options.libraries, program.libraries);
    put_before(options.nvcc_flags, program.nvcc_flags);
    for (const fs::path& folder : program.include_folders)
      if (fs::is_directory(folder) && !execute::holds_cuda_headers(folder))
        options.include_folders.push_back(fs::canonical(folder));
    if (options.standard == kDefaultStandard && !program.standard.empty())
      options.standard = program.standard;
    options.relocatable = options.relocatable || program.relocatable;
    if (program.all_cuda) language_ = "cu";
    base::log_info("{}: {}", (project_ / found.origin).lexically_normal().string(),
                   execute::describe(program, project_));
  }

  // What arguments name beside the folder ("../data/mesh.txt") cannot be reached from the program's own folder: it is copied
  // there, and named so.
  void bring_arguments() {
    for (std::string& argument : arguments_) {
      if (!argument.starts_with("../")) continue;
      std::error_code absent;
      const fs::path path = fs::canonical(project_ / argument, absent);
      if (absent || path.filename().empty() || bytes_of(path) > kLargestNeighbor) continue;
      base::log_info("argument {}: copied into the program's folder as {}", argument,
                     path.filename().string());
      inputs_.push_back(path.string());
      argument = path.filename().string();
    }
  }

  // What the user names, and what the program names of the files beside it.
  std::vector<std::string> all_inputs(const execute::ProgramSources& sources) const {
    std::vector<std::string> inputs = inputs_;
    std::set<fs::path> names;
    for (const fs::path input : inputs_) names.insert(input.filename());
    fs::path folder = sources.main.has_parent_path() ? sources.main.parent_path() : fs::path(".");
    if (!project_.empty()) folder = project_;
    for (const fs::path& file : execute::files_named_in(sources.texts, arguments_, folder)) {
      if (!names.insert(file.filename()).second) continue;
      if (bytes_of(file) > kLargestNeighbor) {
        base::log_warning("{} is too large to be copied for the program; give it with --input",
                          file.string());
        continue;
      }
      base::log_debug("copied for the program: {}", file.string());
      inputs.push_back(file.string());
    }
    return inputs;
  }

  static uint64_t bytes_of(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return fs::file_size(path, ignored);
    uint64_t bytes = 0;
    for (const std::string& file : base::regular_files_below(path))
      bytes += fs::file_size(path / file, ignored);
    return bytes;
  }

  // What only the CPU executor can do chooses it.
  std::string wanted_executor() const {
    return executor_ == "auto" && (options_.check || schedules_ > 1) ? "cpu" : executor_;
  }

  execute::BuildOptions build_options() const {
    execute::BuildOptions options = options_;
    options.optimization = static_cast<int>(optimize_);
    for (const fs::path folder : includes_) {
      if (!fs::is_directory(folder))
        throw base::Error("{} is not a folder", folder.string()).with_remedy("check --include");
      if (execute::holds_cuda_headers(folder)) continue;
      options.include_folders.push_back(fs::canonical(folder));  // the compiler runs in a folder of its own
    }
    return options;
  }

  execute::ExecutorSettings executor_settings() const {
    execute::ExecutorSettings settings;
    settings.confinement = confinement();
    return settings;
  }

  sandbox::Confinement confinement() const {
    return sandbox_ == "full" ? sandbox::Confinement::kFull : sandbox::Confinement::kLimits;
  }

  execute::RunOptions run_options(const fs::path& folder) const {
    execute::RunOptions options;
    options.arguments = arguments_;
    options.folder = folder;
    options.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(timeout_ * 1000));
    options.limits.memory = static_cast<uint64_t>(memory_ * static_cast<double>(1ull << 30));
    options.limits.output = kShownOutput;
    options.schedules = static_cast<int>(schedules_);
    options.seed = static_cast<uint64_t>(seed_);
    return options;
  }

  void build_and_run(execute::Executor& executor, const fs::path& folder, execute::RunReport& report) const {
    {
      base::log_debug("compiling {}", report.source.string());
      const base::StatusLine status(fmt::format("compiling {}", report.source.string()));
      report.build = executor.build(report.source, report.options);
    }
    if (!report.build.done()) return;
    base::log_debug("running {}", report.build.program.string());
    const base::StatusLine status(fmt::format("running {}", report.source.string()));
    report.run = executor.run(report.build, run_options(folder));
  }

  void bring_back(const execute::WorkingFiles& files) const {
    const base::CopiedFiles copied = files.copy_written(output_);
    base::log_info("{}: {} file{} written by the program", output_.string(), copied.files,
                   copied.files == 1 ? "" : "s");
  }

  void keep(const execute::RunReport& report, const fs::path& folder) const {
    base::make_folder(keep_);
    base::copy_folder(folder, keep_ / "files");
    base::write_file_atomic(keep_ / "messages.txt", report.build.messages);
    base::write_json_file(keep_ / "result.json", execute::to_json(report));
    if (report.build.done()) base::copy_regular_file(report.build.program, keep_ / "program");
  }

  void show(const execute::RunReport& report) const {
    const bool color = base::standard_console().has_color();
    const bool talks = base::log_wanted(base::LogLevel::kInfo);
    if (talks || !report.build.done())
      print(stderr, execute::render_messages(messages_of(report.build), color));
    if (!report.build.done()) print(stderr, hint(report));
    if (report.run) show_output(*report.run);
    if (talks && report.run)
      print(stderr,
            execute::render_kernels(*report.run, report.gpu) + execute::render_findings(report, color));
    if (talks) print(stderr, execute::render_ending(report, color));
    if (json_ == "-") {
      print(stdout, base::to_json_line(execute::to_json(report)) + "\n");
    } else if (!json_.empty()) {
      base::write_json_file(json_, execute::to_json(report));
    }
  }

  void show_output(const execute::Run& run) const {
    if (json_ != "-") print(stdout, run.process.output);
    print(stderr, run.process.errors);
    const uint64_t shown = run.process.output.size() + run.process.errors.size();
    if (run.process.output_bytes > shown) {
      base::log_warning("{} bytes of output were dropped", run.process.output_bytes - shown);
    }
  }

  // Where the emulator lacks something, what else clang says is no help.
  static std::string messages_of(const execute::Build& build) {
    const bool lacks = build.outcome == execute::Build::Outcome::kUnsupported;
    return lacks ? execute::decisive_diagnostic(build.messages) : build.messages;
  }

  // A header between < > is not found beside the source.
  static std::string hint(const execute::RunReport& report) {
    const std::string missing = execute::missing_include(report.build.messages);
    const fs::path folder = report.source.has_parent_path() ? report.source.parent_path() : fs::path(".");
    if (missing.empty() || !fs::exists(folder / missing)) return "";
    return fmt::format("{} exists, but the compiler sees only the folders it is given: add -I {}\n",
                       base::printable((folder / missing).string()), folder.string());
  }

  std::vector<std::string> files_;
  std::string target_;
  fs::path project_;  // the folder that was named in place of files; empty: none
  std::vector<std::string> arguments_;
  std::vector<std::string> includes_;
  std::vector<std::string> inputs_;
  std::string executor_ = "auto";
  std::string language_ = "auto";
  std::string sandbox_ = "full";
  execute::BuildOptions options_;
  int64_t optimize_ = 3;
  int64_t schedules_ = 1;
  int64_t seed_ = 1;
  double timeout_ = 60;
  double memory_ = 4;
  fs::path output_;
  fs::path keep_;
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> make_run_command() { return std::make_unique<RunCommand>(); }

}  // namespace cuset::cli
