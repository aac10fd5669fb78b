#include "curate/trial/kernel_trial.h"

#include <xxhash.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "cuda_source/regions.h"
#include "curate/trial/trial_program.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/emulator_messages.h"

namespace cuset::curate {
namespace {

constexpr const char* kRowSource = "row.cu";
constexpr uint64_t kLargestTrialFile = 256ull << 20;

TrialResult refused(std::string reason, std::string detail) {
  TrialResult result;
  result.reason = std::move(reason);
  result.detail = std::move(detail);
  return result;
}

TrialResult interrupted() {
  TrialResult result;
  result.is_interrupted = true;
  return result;
}

// Findings that say nothing against a program.
bool is_harmless(const execute::RunFinding& finding) {
  for (const char* kind : {"note", "unsupported", "device_fault", "unrecorded", "early_return"})
    if (finding.kind == kind) return true;
  return false;
}

std::string reason_of(execute::Build::Outcome outcome) {
  switch (outcome) {
    case execute::Build::Outcome::kTimeout:
      return "compile_timeout";
    case execute::Build::Outcome::kUnsupported:
      return "unsupported";
    case execute::Build::Outcome::kLinkError:
      return "link_error";
    default:
      return "compile_error";
  }
}

std::string reason_of(execute::Run::Outcome outcome) {
  switch (outcome) {
    case execute::Run::Outcome::kLaunchError:
      return "launch_error";
    case execute::Run::Outcome::kTimeout:
      return "timeout";
    case execute::Run::Outcome::kOutOfMemory:
      return "out_of_memory";
    case execute::Run::Outcome::kTooMuchOutput:
      return "too_much_output";
    case execute::Run::Outcome::kUnsupported:
      return "unsupported";
    case execute::Run::Outcome::kFailed:
      return "failed";
    default:
      return "crash";
  }
}

// What a run says against the program; nothing where it is clean.
std::optional<TrialResult> fault_of_run(const execute::Run& run) {
  if (run.outcome == execute::Run::Outcome::kInterrupted) return interrupted();
  const auto finding = std::find_if_not(run.findings.begin(), run.findings.end(), is_harmless);
  if (finding != run.findings.end())
    return refused(finding->kind, fmt::format("line {}: {}", finding->line, finding->text));
  const bool is_ours =
      run.outcome == execute::Run::Outcome::kFailed && run.process.exit_status == kNoHarnessStatus;
  if (is_ours) return refused("no_harness", base::in_quotes(run.process.errors, 200));
  if (run.outcome != execute::Run::Outcome::kDone) return refused(reason_of(run.outcome), run.explanation);
  return std::nullopt;
}

class Trial {
 public:
  Trial(execute::Executor& executor, const std::string& program, const TrialOptions& options)
      : executor_(executor), program_(program), options_(options) {}

  TrialResult run() {
    const cuda_source::KernelUse use = cuda_source::find_kernel_use(program_);
    if (use.defined.empty()) return refused("no_kernel", "the program defines no kernel");
    TrialResult result = use.mentions_main ? run_program() : run_kernels();
    if (result.how.empty()) result.how = use.mentions_main ? "program" : "signature";
    return result;
  }

 private:
  execute::Build build(const std::string& text) {
    const std::filesystem::path file = folder_ / kRowSource;
    base::write_file_atomic(file, text);
    execute::BuildOptions build_options;
    build_options.check = true;
    build_options.companions.isolation = execute::Isolation::kProgram;
    execute::Build made = executor_.build(file, build_options);
    made.messages = execute::without_folder(std::move(made.messages), folder_.path());
    return made;
  }

  static TrialResult fault_of_build(const execute::Build& made) {
    if (made.outcome == execute::Build::Outcome::kInterrupted) return interrupted();
    std::string error = execute::first_error(made.messages);
    if (error.empty()) error = made.messages.substr(0, made.messages.find('\n'));
    return refused(reason_of(made.outcome), error);
  }

  execute::RunOptions run_options(const std::filesystem::path& folder) const {
    execute::RunOptions made;
    made.folder = folder;
    made.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(options_.seconds * 1000));
    made.limits.file_size = kLargestTrialFile;
    made.limits.folder_size = 2 * kLargestTrialFile;
    return made;
  }

  TrialResult run_program();
  TrialResult run_kernels();
  TrialResult run_all(const std::vector<cuda_source::KernelInterface>& kernels,
                      const std::vector<ProposedKernel>& inputs);
  TrialResult why_not_built(const execute::Build& made);
  std::optional<TrialResult> run_sets(const execute::Build& made, size_t kernel,
                                      const std::vector<TrialSet>& sets);

  execute::Executor& executor_;
  const std::string& program_;
  const TrialOptions& options_;
  base::TemporaryFolder folder_;
};

TrialResult Trial::run_program() {
  const execute::Build made = build(program_);
  if (!made.done()) return fault_of_build(made);
  const base::TemporaryFolder folder;
  execute::RunOptions options = run_options(folder.path());
  options.schedules = kTrialOrders;
  options.seed = options_.seed;
  const execute::Run run = executor_.run(made, options);
  if (std::optional<TrialResult> fault = fault_of_run(run)) return *fault;
  if (run.kernels.empty()) return refused("no_launch", "its main launches no kernel");
  return {};
}

TrialResult Trial::run_kernels() {
  const std::vector<cuda_source::KernelInterface> kernels = cuda_source::find_kernel_interfaces(program_);
  if (kernels.empty()) return refused("no_harness", "its kernels are made by macros");
  std::string fault, prompt;
  if (!options_.command.arguments.empty()) {
    std::variant<Proposal, std::string> proposed = ask_for_proposal(options_.command, program_, kernels);
    if (const auto* proposal = std::get_if<Proposal>(&proposed)) {
      TrialResult result = run_all(kernels, proposal->kernels);
      result.how = "proposal";
      result.prompt = proposal->prompt;
      return result;
    }
    fault = std::get<std::string>(proposed);
  }
  const uint64_t hash = XXH3_64bits(program_.data(), program_.size());
  const base::RandomStream stream = base::RandomStream(options_.seed, "curate/trial").child(hash);
  TrialResult result;
  for (const SizeGuess guess : {SizeGuess::kUsual, SizeGuess::kSmall}) {
    std::vector<ProposedKernel> inputs;
    for (const cuda_source::KernelInterface& kernel : kernels)
      inputs.push_back({template_arguments_for(kernel),
                        draw_trial_sets(kernel, kTrialSets, guess, stream.child(kernel.name))});
    result = run_all(kernels, inputs);
    // Other reasons do not depend on sizes.
    if (result.reason != "out_of_bounds" && result.reason != "launch_error" && result.reason != "crash")
      break;
  }
  result.proposal_fault = std::move(fault);
  return result;
}

TrialResult Trial::run_all(const std::vector<cuda_source::KernelInterface>& kernels,
                           const std::vector<ProposedKernel>& inputs) {
  std::vector<std::string> template_arguments;
  for (const ProposedKernel& input : inputs) template_arguments.push_back(input.template_arguments);
  const execute::Build made = build(trial_program(program_, kernels, template_arguments));
  if (!made.done()) return why_not_built(made);
  for (size_t i = 0; i < kernels.size(); ++i) {
    std::optional<TrialResult> fault = run_sets(made, i, inputs[i].sets);
    if (!fault) continue;
    if (!fault->detail.empty()) fault->detail = kernels[i].name + ": " + fault->detail;
    return *fault;
  }
  return {};
}

// Is it the program, or what we put around it?
TrialResult Trial::why_not_built(const execute::Build& made) {
  const TrialResult fault = fault_of_build(made);
  if (made.outcome != execute::Build::Outcome::kCompileError &&
      made.outcome != execute::Build::Outcome::kLinkError)
    return fault;
  const execute::Build alone = build(program_alone(program_));
  if (alone.outcome == execute::Build::Outcome::kInterrupted) return interrupted();
  return alone.done() ? refused("no_harness", fault.detail) : fault_of_build(alone);
}

std::optional<TrialResult> Trial::run_sets(const execute::Build& made, size_t kernel,
                                           const std::vector<TrialSet>& sets) {
  std::vector<TrialBuffer> usual;
  for (int order = 0; order < kTrialOrders; ++order) {
    const base::TemporaryFolder folder;
    execute::RunOptions options = run_options(folder.path());
    options.order = static_cast<uint64_t>(order);
    options.arguments = {std::to_string(kernel)};
    for (const TrialSet& set : sets)
      for (std::string& word : words_of(set)) options.arguments.push_back(std::move(word));
    if (std::optional<TrialResult> fault = fault_of_run(executor_.run(made, options))) return fault;
    std::vector<TrialBuffer> written = read_trial_output(folder / kTrialOutput);
    if (order == 0) {
      usual = std::move(written);
    } else if (const std::string difference = difference_between(usual, written); !difference.empty()) {
      return refused("order_dependent", fmt::format("with the threads in order {}, {}", order, difference));
    }
  }
  return std::nullopt;
}

}  // namespace

TrialResult try_program(execute::Executor& executor, const std::string& program,
                        const TrialOptions& options) {
  return Trial(executor, program, options).run();
}

}  // namespace cuset::curate
