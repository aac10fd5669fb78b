#include "reinforce/reinforce_run.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "model/model_folder.h"
#include "ops/device/backend.h"
#include "ops/device/cpu_threads.h"
#include "ops/device/determinism.h"
#include "ops/device/memory.h"
#include "reinforce/critic.h"
#include "reinforce/policy_trainer.h"
#include "reinforce/task_prompts.h"
#include "train/records/tracker.h"
#include "train/run_folder.h"
#include "train/run_start.h"
#include "train/trained_model.h"

namespace cuset::reinforce {
namespace {

// The tasks of a run and their encoded prompts, which point to them.
class RunPrompts {
 public:
  RunPrompts(const ReinforceSettings& settings, const data::ExampleBuilder& builder)
      : file_(benchmarks::read_tasks(settings.tasks)) {
    if (file_.tasks.empty()) {
      throw base::Error("{}: no tasks", settings.tasks.string()).with_remedy("docs/tasks.md has their form");
    }
    std::map<std::string, const tasks::Task*> by_id;
    for (const tasks::Task& task : file_.tasks) by_id[task.id] = &task;
    set_ = generate::choose_prompts(prompts_of_tasks(file_.tasks), settings.choice, builder);
    fingerprint_ = set_.fingerprint;
    for (const generate::EncodedPrompt& prompt : set_.prompts) {
      prompts_.push_back({by_id.at(prompt.task), prompt.level, prompt.ids, &prompt});
      longest_ = std::max(longest_, std::ssize(prompt.ids));
    }
    base::log_info("tasks: {} ({}), {} prompts of level {}", settings.tasks.string(), file_.benchmark,
                   prompts_.size(), settings.choice.level);
    if (!settings.pass_rates.empty()) choose_by_rates(settings);
  }

  const std::vector<TaskPrompt>& all() const { return prompts_; }
  const std::string& fingerprint() const { return fingerprint_; }
  int64_t longest() const { return longest_; }

 private:
  void choose_by_rates(const ReinforceSettings& settings) {
    const PassRateRange range = settings.pass_rate_range;
    PromptsByPassRate chosen =
        choose_by_pass_rate(std::move(prompts_), read_pass_rates(settings.pass_rates), range);
    const std::string about = fmt::format("{} easier, {} harder, {} without a verdict left out",
                                          chosen.easier, chosen.harder, chosen.unknown);
    if (chosen.prompts.empty()) {
      throw base::Error("{}: no task has a pass rate between {} and {} ({})", settings.pass_rates.string(),
                        range.least, range.most, about)
          .with_remedy("set min_pass_rate and max_pass_rate, or judge answers to these tasks");
    }
    prompts_ = std::move(chosen.prompts);
    base::log_info("pass rates: {} prompts between {} and {}; {}", prompts_.size(), range.least, range.most,
                   about);
    std::string order = fingerprint_;
    for (const TaskPrompt& prompt : prompts_) order += "\n" + prompt.task->id + " " + prompt.level;
    fingerprint_ = base::sha256(order);
  }

  benchmarks::TaskFile file_;
  generate::PromptSet set_;
  std::vector<TaskPrompt> prompts_;
  std::string fingerprint_;
  int64_t longest_ = 0;
};

void refuse_ranks() {
  if (train::read_rank_environment(train::process_environment()).size > 1) {
    throw base::UsageError("stage: grpo runs as one process, but this is one rank of several")
        .with_remedy("start it without torchrun, mpirun or srun");
  }
}

// An adapter to begin with brings its own shape.
void take_shape_of_adapter(train::ModelChoice& choice) {
  if (choice.adapter.empty()) return;
  const model::Adapter adapter = model::read_adapter(choice.adapter, model::read_model_config(choice.folder));
  model::warn_of_other_base(adapter, choice.adapter, choice.folder);
  const double dropout = choice.lora.dropout;
  choice.lora = adapter.settings;
  choice.lora.dropout = dropout;
}

// Room for the feedback of a turn; what is longer drives out the oldest turns.
constexpr int64_t kFeedbackTokens = 1024;

generate::ServedModelOptions sampler_options(const ReinforceSettings& settings, const RunPrompts& prompts) {
  generate::ServedModelOptions options;
  options.folder = settings.training.model.folder;
  options.placement = settings.training.model.placement;
  options.slots = std::min(settings.slots, settings.prompts_per_step * settings.num_generations);
  options.positions = prompts.longest() + settings.num_turns * settings.generation.max_new_tokens +
                      (settings.num_turns - 1) * kFeedbackTokens;
  return options;
}

void say_plan(const ReinforceSettings& settings, const PolicyTrainer& trainer) {
  base::log_info("policy: {}, rewards scaled by {}, {} iteration{}, divergence weight {}",
                 objective::name_of(settings.policy.loss_type),
                 objective::name_of(settings.policy.scale_rewards), settings.num_iterations,
                 settings.num_iterations == 1 ? "" : "s", settings.policy.beta);
  base::log_info("steps: {}, each {} prompts with {} answers of at most {} tokens; run folder {}",
                 trainer.steps(), settings.prompts_per_step, settings.num_generations,
                 settings.generation.max_new_tokens, settings.training.run.path.string());
  if (settings.num_turns > 1) {
    base::log_info("turns: up to {}, with feedback on answers that are not correct; discount {}",
                   settings.num_turns, settings.turn_discount);
  }
}

void say_critic(const CriticSettings& critic) {
  if (critic.kind == CriticKind::kNone) return;
  std::string who;
  if (critic.kind == CriticKind::kEndpoint) who = fmt::format(" ({} at {})", critic.model, critic.url);
  if (critic.kind == CriticKind::kCommand) who = fmt::format(" ({})", critic.command);
  base::log_info("critic: {}{}, weight {}", name_of(critic.kind), who, critic.weight);
}

void write_run_file(const ReinforceSettings& settings, const base::Json& about, const RunPrompts& prompts,
                    const PolicyTrainer& trainer) {
  base::Json run = about;
  run["stage"] = "grpo";
  run["seed"] = settings.training.seed;
  run["threads"] = at::get_num_threads();
  run["steps"] = trainer.steps();
  run["begun_after_step"] = trainer.steps_done();
  run["libtorch"] = ops::describe_tensor_backend().libtorch_version;
  run["data"] = {{"tasks", settings.tasks.string()},
                 {"prompts", prompts.all().size()},
                 {"prompts_hash", prompts.fingerprint()}};
  base::write_json_file(settings.training.run.path / "run.json", run);
}

int end_of_run(const ReinforceSettings& settings, train::TrainingEnd end, const base::InterruptGuard& guard,
               const PolicyTrainer& trainer) {
  if (end == train::TrainingEnd::kInterrupted) {
    base::log_info(
        "stopped after step {} of {}; what is sampled and judged of the next is kept; the same command with "
        "--resume continues the run",
        trainer.steps_done(), trainer.steps());
    const int signal = guard.signal_number();
    return 128 + (signal == 0 ? SIGTERM : signal);
  }
  base::log_info("done: the adapter is in {}", settings.training.run.path.string());
  return 0;
}

int train_policy(ReinforceSettings settings, execute::Executor& executor, const base::Json& about) {
  train::ModelChoice& choice = settings.training.model;
  take_shape_of_adapter(choice);
  train::check_model(choice);
  train::check_trackers(settings.training.run.trackers);
  train::prepare_run_folder(settings.training.run);
  const std::optional<train::SavedTraining> saved = train::open_saved(settings.training.run);
  const train::Ranks alone;
  if (saved) train::take_threads_of_run(*saved, choice.placement, alone);
  const int threads = at::get_num_threads();

  const data::ExampleBuilder builder = data::ExampleBuilder::from_model_folder(choice.folder);
  const RunPrompts prompts(settings, builder);
  const int gpu = choice.placement.resolve().is_gpu() ? 0 : -1;
  model::Decoder decoder = train::make_decoder(choice, gpu, settings.training.seed);
  train::say_model(choice, decoder);
  generate::ServedModel sampler(sampler_options(settings, prompts), builder.tokenizer(),
                                {builder.closing_token()});
  at::set_num_threads(threads);
  const std::unique_ptr<judge::Judge> judge = benchmarks::make_benchmark_judge(executor, settings.judge);
  PolicyTrainer trainer(
      {.decoder = decoder,
       .sampler = sampler,
       .judge = *judge,
       .builder = builder,
       .prompts = prompts.all(),
       .prompts_fingerprint = prompts.fingerprint(),
       .vocabulary = builder.tokenizer().vocab_size(),
       .write_model =
           [&](const std::filesystem::path& folder) { train::write_trained_model(decoder, choice, folder); }},
      settings);
  if (saved) {
    trainer.resume(*saved);
    base::log_info("resuming from {}, after step {}", saved->path.string(), trainer.steps_done());
  }
  say_plan(settings, trainer);
  say_critic(settings.critic);
  const base::InterruptGuard guard("stopping; interrupt again to stop immediately");
  write_run_file(settings, about, prompts, trainer);
  return end_of_run(settings, trainer.run(), guard, trainer);
}

}  // namespace

int run_reinforcement(ReinforceSettings settings, execute::Executor& executor, const base::Json& about) {
  settings.check();
  refuse_ranks();
  if (settings.critic.is_asked()) make_critic_channel(settings.critic);  // a missing key: nothing is begun
  ops::use_cpu_threads(settings.training.model.placement.threads);
  if (settings.training.model.deterministic) ops::set_deterministic_operations(true);
  try {
    return train_policy(std::move(settings), executor, about);
  } catch (const std::exception& error) {
    if (!ops::is_lack_of_memory(error)) throw;
    throw ops::lack_of_memory(
        "lower rollout_batch_size, max_completion_length or cutoff_len, or set gradient_checkpointing: true");
  }
}

}  // namespace cuset::reinforce
