#include "benchmarks/kernelbench/module_judge.h"

#include <algorithm>
#include <chrono>
#include <future>

#include "base/error.h"
#include "base/files/file.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "benchmarks/kernelbench/emulated_work.h"
#include "benchmarks/kernelbench/light_headers.h"
#include "benchmarks/kernelbench/module_errors.h"
#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_process.h"
#include "benchmarks/kernelbench/module_timing.h"
#include "benchmarks/kernelbench/python_kernels.h"
#include "execute/build/companion_sources.h"
#include "judge/trials/compare.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/rules.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr double kMostRepeatedUs =
    50e3;  // of a call's own kernels, in another order of threads 20 to 50 times that

// A module on its way through the rules. One process compiles its kernels while the expected outputs are made, runs the
// trials, and is timed.
class ModuleRules : public judge::Rules {
 public:
  ModuleRules(const ModuleJudgeSettings& settings, const tasks::Task& task, const std::string& code,
              const std::function<const ModuleExpected&()>& expected)
      : judge::Rules(task, code),
        settings_(settings),
        code_(code),
        own_(kernels_in_python(code)),
        make_expected_(expected) {
    verdict_.executor = settings.gpu ? "gpu" : "cpu";
    verdict_.compiler = settings.python.version;
    verdict_.seed = settings.seed;
  }

  // Something from outside ended one of its processes: the verdict may not be the answer's own.
  bool met_stray_kill() const { return met_stray_kill_; }

 private:
  bool check_answer() override {
    if (!has_sound_task() || !has_code(code_)) return false;
    if (task_.needs_kernel && own_.empty())
      return decide(judge::Outcome::kNoKernel, "the answer defines no kernel of its own");
    if (task_.needs_kernel && !settings_.runs_kernels())
      return decide(judge::Outcome::kUnsupported, "modules with kernels need a GPU");
    if (settings_.emulator) {
      if (const std::string construct = find_gpu_only_construct(code_); !construct.empty())
        return decide(judge::Outcome::kUnsupported, needs_gpu(construct));
    }
    return true;
  }

  bool compile() override {
    server_ = serve(code_, folder_.path());
    loaded_ = base::async_in_scope([this] {
      const auto start = std::chrono::steady_clock::now();
      const bool is_loaded = server_->session().load();
      load_seconds_ = base::seconds_since(start);
      return is_loaded;
    });
    return true;
  }

  bool obtain_expected() override {
    expected_ = &make_expected_();
    if (!take_expected(expected_->outcome(), expected_->explanation())) return false;
    // Before it is needed, while kernels are compiled.
    if (times()) reference_ = base::async_in_scope([this] { reference_times(); });
    return true;
  }

  bool run_trials() override { return run_answer() && judge_trials(); }

  // Its kernels must have replaced what PyTorch's do. Without a timeline of the device the outputs must at least depend
  // on them.
  bool prove_work() override {
    if (!module_process(settings_, task_).has_timeline()) return prove_by_noop_kernels();
    if (!tampering_.empty()) return decide(judge::Outcome::kHack, tampering_);
    std::vector<ActivityList> calls;
    for (const ModuleCall& call : calls_) calls.push_back(call.inside);
    // Before the first call the model is made.
    const OwnKernels own(own_, expected_->reference_calls());
    for (size_t i = 1; i < calls_.size(); ++i) {
      if (shares_of(calls_[i].outside, own).own_launches > 0)
        return decide(judge::Outcome::kHack, "its kernels work between its calls");
    }
    const auto fault =
        find_unproven_work(calls, expected_->reference_calls(), own_, expected_->input_bytes());
    if (fault) {
      verdict_.reward.launched = 0;
      return decide(fault->outcome, fault->explanation);
    }
    if (settings_.emulator) return prove_by_timeline(own);
    return !has_library_work(calls, own) || prove_by_noop_kernels();
  }

  // Beside which its own kernels may be for show.
  static bool has_library_work(const std::vector<ActivityList>& calls, const OwnKernels& own) {
    return std::any_of(calls.begin(), calls.end(),
                       [&](const ActivityList& call) { return shares_of(call, own).library_launches > 0; });
  }

  bool prove_by_timeline(const OwnKernels& own) {
    std::vector<EmulatedCall> trials;
    for (const ModuleTrial& expected : expected_->trials())
      trials.push_back({calls_[expected.number], outputs_of(expected)});
    if (does_work_between_calls(trials, own))
      return decide(judge::Outcome::kHack, "it computes on the device between its calls");
    std::optional<WorkFault> fault = find_host_results(trials, expected_->input_bytes());
    if (!fault) fault = find_library_results(trials, expected_->reference_calls(), own_);
    if (!fault) return stands_reverse_order(own) && prove_by_calls_without_kernels(own);
    verdict_.reward.launched = 0;
    return decide(fault->outcome, fault->explanation);
  }

  // Of a trial, as the process wrote them down.
  std::vector<tasks::Array> outputs_of(const ModuleTrial& expected) const {
    std::vector<tasks::Array> outputs;
    const base::Json& kept = base::json_list(calls_[expected.number].kept, "outputs");
    for (size_t i = 0; i < kept.size(); ++i) {
      std::optional<tasks::Array> output =
          read_tensor(folder_.path(), fmt::format("out_{}_{}.bin", expected.number, i), kept[i]);
      if (output) outputs.push_back(*std::move(output));
    }
    return outputs;
  }

  // One of the trials once more, in the process that ran them; nothing where the call did not come to its end.
  std::optional<judge::Trial> call_again(const std::string& how, const ModuleTrial& trial, ModuleCall& call) {
    const std::string name = fmt::format("{}_{}", how, trial.number);
    ModuleSession& session = server_->session();
    const bool done =
        session.take_file(file_of(trial), call) && session.run(call) && session.keep(name, call);
    if (!done) return std::nullopt;
    return judge_trial(folder_.path(), name, trial, call);
  }

  // Kernels that miss a barrier are right in one order of threads and wrong in another. Other orders are much slower than the
  // natural one, so the trial with the least work is repeated, and only where it is quick.
  bool stands_reverse_order(const OwnKernels& own) {
    const ModuleTrial* least = nullptr;
    double least_us = kMostRepeatedUs;
    for (const ModuleTrial& trial : expected_->trials()) {
      const double us = shares_of(calls_[trial.number].inside, own).own_us;
      if (us < least_us) least = &trial, least_us = us;
    }
    if (least == nullptr) return true;
    server_->turn_threads_backward();
    ModuleCall call;
    const std::optional<judge::Trial> again = call_again("backward", *least, call);
    if (again && again->outcome == judge::Outcome::kCorrect) return true;
    return decide(judge::Outcome::kUndefinedBehavior,
                  "its outputs depend on the order of threads" + (again ? ": " + again->explanation : ""));
  }

  // The trials once more in the same process, whose kernels do nothing now. Kernels whose work goes into the outputs are
  // missed: in all trials but those on which they happen to change nothing, as a clamp may. An answer that is honest in few
  // calls only leaves most of them to PyTorch.
  bool prove_by_calls_without_kernels(const OwnKernels& own) {
    server_->turn_kernels_off();
    size_t right = 0, right_by_library = 0;
    for (const ModuleTrial& trial : expected_->trials()) {
      ModuleCall call;
      const std::optional<judge::Trial> again = call_again("without_kernels", trial, call);
      if (!again) return true;
      if (again->outcome != judge::Outcome::kCorrect) continue;
      ++right;
      if (shares_of(call.inside, own).library_launches > 0) ++right_by_library;
    }
    if (right < expected_->trials().size() && 2 * right_by_library <= expected_->trials().size()) return true;
    return refuse_unproven_work("its outputs are right");
  }

  bool prove_by_noop_kernels() {
    const std::optional<std::string> noop = without_kernels_in_python(code_);
    if (!noop) return true;
    const base::TemporaryFolder folder;
    std::vector<ModuleCall> calls;
    std::string ignored;
    run_code(*noop, folder.path(), calls, ignored);
    const bool all_right =
        calls.size() == expected_->trials().size() &&
        std::all_of(expected_->trials().begin(), expected_->trials().end(), [&](const ModuleTrial& trial) {
          const std::string name = fmt::format("{}", trial.number);
          return judge_trial(folder.path(), name, trial, calls[trial.number]).outcome ==
                 judge::Outcome::kCorrect;
        });
    return !all_right || refuse_unproven_work("its outputs are right");
  }

  void time() override {
    if (!times()) return;
    const ReferenceTimes& reference = reference_times();
    if (!reference.eager.fault.empty()) return;  // there is nothing to compare with
    ModuleTimes answer = ModuleTimer(settings_, task_, *expected_).measure_answer(*server_);
    add_ending(answer, server_->finish());
    if (answer.run.outcome == execute::Run::Outcome::kTimeout) return;  // a busy machine is no guilt
    const TimedModule timed{settings_, own_, task_.needs_kernel, data_bytes(), calls_.size()};
    std::string hack = answer.fault;
    if (hack.empty()) hack = find_wrong_digest(answer, reference, *expected_);
    if (hack.empty()) hack = find_wrong_kept(answer, reference);
    if (hack.empty()) hack = find_dishonest_timing(answer, reference, timed);
    // Nothing to be held against it, and no time to be believed.
    if (hack.empty() && settings_.gpu && lingers_between_calls(answer, reference)) return;
    take_timing(hack.empty() ? std::optional(timing_of(answer, reference, timed)) : std::nullopt, hack);
  }

  // The emulator's times say nothing about a GPU's.
  bool times() const { return settings_.timing && !settings_.emulator; }

  const ReferenceTimes& reference_times() const {
    return expected_->reference_times(
        [&] { return ModuleTimer(settings_, task_, *expected_).measure_reference(); });
  }

  std::string find_wrong_kept(const ModuleTimes& answer, const ReferenceTimes& reference) const {
    for (const auto& [number, expected] : reference.kept) {
      if (number >= answer.calls.size()) continue;
      const judge::Trial trial =
          judge_trial(folder_.path(), name_of_kept(number), expected, answer.calls[number]);
      if (trial.outcome != judge::Outcome::kCorrect)
        return "its outputs are wrong while it is timed: " + trial.explanation;
    }
    return "";
  }

  uint64_t data_bytes() const {
    uint64_t bytes = expected_->input_bytes();
    for (const ModuleOutput& output : expected_->trials()[0].outputs)
      bytes += output.wanted.count() * tasks::bytes_of(output.type);
    return bytes;
  }

  std::unique_ptr<ModuleServer> serve(const std::string& code, const fs::path& folder) const {
    base::write_file_atomic(folder / "problem.py", task_.module);
    base::write_file_atomic(folder / "answer.py", code);
    if (light_headers_ && settings_.gpu)
      write_answer_headers(folder / kAnswerHeaders, code, settings_.python);
    base::Json request = module_request(settings_, task_);
    request["model"] = "ModelNew";
    ModuleProcess process = module_process(settings_, task_);
    process.light_headers = light_headers_;
    return std::make_unique<ModuleServer>(process, "model", folder, request);
  }

  ModuleRun finish(ModuleServer& server) {
    ModuleRun run = server.finish();
    met_stray_kill_ = met_stray_kill_ || run.run.process.stray_kill;
    if (run.run.outcome == execute::Run::Outcome::kInterrupted) throw judge::JudgeInterrupted();
    return run;
  }

  // Of a module that is loaded. `calls` are those that came to their end; `tampering` says why what is known of them
  // cannot be believed.
  void call_trials(ModuleServer& server, std::vector<ModuleCall>& calls, std::string& tampering) const {
    ModuleSession& session = server.session();
    server.hold(execute::GpuQueue::Want::kShared);
    if (!session.construct(expected_->inputs())) return;
    ModuleCall construction;
    if (settings_.emulator) session.look_at_keeping(construction);
    for (const ModuleTrial& trial : expected_->trials()) {
      const auto [factor, offset] = question_about(trial);
      ModuleCall call;
      const bool done = session.take_file(file_of(trial), call) && session.run(call) &&
                        session.keep(fmt::format("{}", trial.number), call);
      if (settings_.emulator) session.look_at_keeping(call);
      if (!done || !session.check_inputs(factor, offset, call)) return;
      if (settings_.emulator) session.pass_over();
      calls.push_back(std::move(call));
    }
    server.let_go();
    tampering = session.find_tampering();
  }

  TrialFile file_of(const ModuleTrial& trial) const {
    return {trial.number, static_cast<uint32_t>(trial.number), expected_->input_word(trial),
            expected_->inputs()};
  }

  ModuleRun run_code(const std::string& code, const fs::path& folder, std::vector<ModuleCall>& calls,
                     std::string& tampering) {
    const std::unique_ptr<ModuleServer> server = serve(code, folder);
    if (server->session().load()) call_trials(*server, calls, tampering);
    return finish(*server);
  }

  // What its inputs are asked for after the call.
  std::pair<uint32_t, uint32_t> question_about(const ModuleTrial& trial) const {
    base::RandomStream stream = base::RandomStream(settings_.seed, task_.id + " inputs").child(trial.number);
    const uint32_t factor = stream.next_u32() >> 1, offset = stream.next_u32() >> 1;
    return {factor, offset};
  }

  // Once more with PyTorch's own headers where ours may have been too few.
  bool load_with_fitting_headers() {
    const bool is_loaded = loaded_.get();
    verdict_.build_seconds = load_seconds_;
    if (is_loaded) return true;
    run_ = finish(*server_);
    return settings_.gpu && failed_to_build(run_.result) && load_with_full_headers();
  }

  bool load_with_full_headers() {
    light_headers_ = false;
    server_.reset();
    execute::keep_only(folder_.path(), {});
    server_ = serve(code_, folder_.path());
    if (server_->session().load()) return true;
    run_ = finish(*server_);
    return false;
  }

  // A crash is the answer's own only where nothing of ours was compiled into it.
  void call_all_trials() {
    if (!load_with_fitting_headers() || call_until_end()) return;
    if (run_.run.outcome != execute::Run::Outcome::kCrash || !light_headers_ || !settings_.gpu) return;
    calls_.clear();
    if (load_with_full_headers()) call_until_end();
  }

  // A process that is to be timed, or asked for more, lives on. False where a call did not come to its end.
  bool call_until_end() {
    call_trials(*server_, calls_, tampering_);
    const bool is_done = calls_.size() == expected_->trials().size();
    if (is_done && (times() || settings_.emulator))
      run_.run = server_->run_so_far();
    else
      run_ = finish(*server_);
    return is_done;
  }

  bool run_answer() {
    call_all_trials();
    verdict_.kernels = judge::names_of(run_.run.kernels);
    const std::string phase = base::json_string(run_.result, "phase"),
                      error = base::json_string(run_.result, "error");
    if (const std::string construct = settings_.emulator ? find_unserved(run_.run, error) : "";
        !construct.empty())
      return decide(judge::Outcome::kUnsupported, needs_gpu(construct));
    if (const auto outcome = outcome_of_ending(run_.run)) {
      verdict_.reward.compiled = phase.empty() || phase == "import" ? 0 : 1;
      return decide(*outcome, run_.run.explanation);
    }
    const bool is_done = calls_.size() == expected_->trials().size();
    verdict_.reward.compiled = is_done || phase == "construct" || phase == "run" || phase == "done" ? 1 : 0;
    if (is_done) return true;
    const bool left_early = run_.run.outcome == execute::Run::Outcome::kDone && run_.result.is_object() &&
                            (run_.result.contains("ended") || phase == "done");
    if (left_early)
      return decide(judge::Outcome::kHack, "it ended its process with status 0 before it had run");
    if (phase == "import") verdict_.compiler_messages = error.substr(0, judge::kKeptMessages);
    return decide(outcome_of_error(phase, error), reason_of(error));
  }

  bool judge_trials() {
    // Millions of elements each: side by side.
    std::vector<std::future<judge::Trial>> judged;
    for (const ModuleTrial& expected : expected_->trials()) {
      judged.push_back(std::async(std::launch::async, [this, &expected] {
        const std::string name = fmt::format("{}", expected.number);
        judge::Trial trial = judge_trial(folder_.path(), name, expected, calls_[expected.number]);
        if (trial.outcome == judge::Outcome::kCorrect) check_inputs(expected, trial);
        return trial;
      }));
    }
    for (std::future<judge::Trial>& trial : judged) verdict_.trials.push_back(trial.get());
    const bool is_correct = conclude_trials(expected_->trials().size());
    if (const std::string& weight = server_->session().missing_weight(); !is_correct && !weight.empty())
      verdict_.explanation +=
          fmt::format("; it has no tensor for the reference's {}, which differs from its first value",
                      base::in_quotes(weight, 60));
    const bool launched = judge::own_launches(run_.run, own_) >= expected_->trials().size();
    verdict_.reward.launched = launched || (!task_.needs_kernel && is_correct) ? 1 : 0;
    if (is_correct && task_.needs_kernel && !launched)
      return decide(judge::Outcome::kNoKernel, "no kernel of the answer's own was launched on every input");
    return is_correct;
  }

  void check_inputs(const ModuleTrial& expected, judge::Trial& trial) const {
    const auto [factor, offset] = question_about(expected);
    const std::vector<uint64_t> wanted = expected_->input_sums(expected, factor, offset);
    const auto& got = calls_[expected.number].input_sums;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (i < got.size() && got[i] == wanted[i]) continue;
      trial.outcome = judge::Outcome::kWrongOutput;
      trial.explanation = fmt::format("it changes its input {}", i);
      return;
    }
  }

  judge::Trial judge_trial(const fs::path& folder, const std::string& name, const ModuleTrial& expected,
                           const ModuleCall& call) const {
    const base::Json& result = call.kept;
    judge::Trial trial;
    trial.variation = expected.variation;
    if (result.is_object() && result.contains("strange")) {
      trial.outcome = judge::Outcome::kHack;
      trial.explanation = fmt::format("it returns something else than tensors: {}",
                                      base::in_quotes(result["strange"].dump()));
      return trial;
    }
    const base::Json& outputs = base::json_list(result, "outputs");
    if (outputs.size() != expected.outputs.size()) {
      trial.outcome = judge::Outcome::kWrongShape;
      trial.explanation =
          fmt::format("it returns {} tensors, wanted {}", outputs.size(), expected.outputs.size());
      return trial;
    }
    for (size_t i = 0; i < outputs.size() && trial.outcome == judge::Outcome::kCorrect; ++i)
      compare_output(folder, fmt::format("out_{}_{}.bin", name, i), expected.outputs[i], outputs[i], trial);
    if (trial.outcome != judge::Outcome::kCorrect) return trial;
    trial.fraction_right = judge::fraction_right(trial.outputs);
    if (trial.fraction_right < 1) {
      trial.outcome = judge::Outcome::kWrongOutput;
      trial.explanation = judge::explain_wrong(trial);
    }
    return trial;
  }

  static void compare_output(const fs::path& folder, const std::string& file, const ModuleOutput& expected,
                             const base::Json& description, judge::Trial& trial) {
    const std::optional<tasks::Array> got = read_tensor(folder, file, description);
    if (!got || got->shape != expected.shape ||
        tasks::is_floating(got->type) != tasks::is_floating(expected.type)) {
      trial.outcome = judge::Outcome::kWrongShape;
      trial.explanation = fmt::format("{} is {} of {}, wanted {} of {}", expected.name,
                                      got ? tasks::name_of(got->type) : "nothing",
                                      got ? tasks::text_of(got->shape) : "any shape",
                                      tasks::name_of(expected.type), tasks::text_of(expected.shape));
      return;
    }
    trial.outputs.push_back(judge::compare(expected.name, *got, expected.wanted, expected.tolerance));
  }

  const ModuleJudgeSettings& settings_;
  const std::string& code_;
  const std::vector<std::string> own_;  // kernels, by name
  const std::function<const ModuleExpected&()>& make_expected_;
  const ModuleExpected* expected_ = nullptr;
  base::TemporaryFolder folder_;   // of the answer's process
  ModuleRun run_;                  // of the trials; only kernels while the process lives
  std::vector<ModuleCall> calls_;  // of the trials
  std::string tampering_;          // with the record of their kernels
  bool light_headers_ = true;
  bool met_stray_kill_ = false;
  std::unique_ptr<ModuleServer> server_;
  double load_seconds_ = 0;
  std::future<bool> loaded_;     // by the server
  std::future<void> reference_;  // measured meanwhile
};

}  // namespace

sandbox::SandboxLimits module_limits() {
  sandbox::SandboxLimits limits;
  limits.memory = 48ull << 30;
  limits.processes = 1024;
  limits.open_files = 4096;
  limits.file_size = 8ull << 30;
  limits.folder_size = 48ull << 30;
  return limits;
}

judge::Verdict judge_module(const ModuleJudgeSettings& settings, const tasks::Task& task,
                            const std::string& code, const std::function<const ModuleExpected&()>& expected) {
  if (settings.trials < 1) throw base::Error("{} trials: at least one is needed", settings.trials);
  for (int repeats = 0;; ++repeats) {
    ModuleRules rules(settings, task, code, expected);
    judge::Verdict verdict = rules.judge();
    if (!rules.met_stray_kill() || repeats == sandbox::kMostRepeats) return verdict;
  }
}

judge::Verdict judge_module(const ModuleJudgeSettings& settings, const tasks::Task& task,
                            const std::string& code) {
  std::optional<ModuleExpected> expected;
  return judge_module(settings, task, code,
                      [&]() -> const ModuleExpected& { return expected.emplace(settings, task); });
}

}  // namespace cuset::benchmarks
