#include "reinforce/policy_trainer.h"

#include <ATen/Parallel.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/seconds_since.h"
#include "model/model_folder.h"
#include "reinforce/sampler_pass.h"
#include "reinforce/step_report.h"
#include "reinforce/turn_credit.h"
#include "train/run_folder.h"

namespace cuset::reinforce {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kPromptStream = "prompts";  // in RunState: how many were drawn

int64_t steps_of(const ReinforceSettings& settings, size_t prompts) {
  const auto& order = settings.training.order;
  if (order.max_steps > 0) return static_cast<int64_t>(order.max_steps);
  const double draws = order.epochs * static_cast<double>(prompts);
  return std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(draws / static_cast<double>(settings.prompts_per_step))));
}

objective::PolicySettings complete(const ReinforceSettings& settings) {
  objective::PolicySettings policy = settings.policy;
  policy.max_completion_length = settings.generation.max_new_tokens;
  return policy;
}

train::PolicyUpdateSettings update_settings(const PolicyTrainerParts& parts,
                                            const ReinforceSettings& settings) {
  const train::TrainingSettings& training = settings.training;
  return {.policy = complete(settings),
          .temperature = settings.generation.sampling.temperature,
          .vocabulary = parts.vocabulary,
          .pack_tokens = training.data.max_tokens,
          .pack_examples = training.order.batch,
          .max_gradient_norm = training.step.max_gradient_norm,
          .recompute = training.step.recompute};
}

// On the CPU in float32 the sampler's loops compute the forward pass of the updates, too.
bool shares_loops(const PolicyTrainerParts& parts) {
  return parts.decoder.device().is_cpu() && parts.decoder.type() == torch::kFloat32;
}

base::Json json_of_update(const train::PolicyMetrics& metrics, bool has_reference) {
  base::Json json = {{"loss", metrics.loss},
                     {"grad_norm", metrics.gradient_norm},
                     {"entropy", metrics.entropy},
                     {"clip_ratio/low_mean", metrics.clipped_low},
                     {"clip_ratio/high_mean", metrics.clipped_high},
                     {"clip_ratio/region_mean", metrics.clipped_low + metrics.clipped_high},
                     {"sampling/sampling_logp_difference/mean", metrics.mismatch_mean},
                     {"sampling/sampling_logp_difference/max", metrics.mismatch_max},
                     {"sampling/importance_sampling_ratio/mean", metrics.correction}};
  if (has_reference) json["kl"] = metrics.divergence;
  return json;
}

}  // namespace

// A step while it is made.
struct PolicyTrainer::Step {
  int64_t number = 0;             // from 1
  std::vector<Rollout> rollouts;  // all of them, conversation after conversation
  int64_t draws = 0;
  int64_t kept_draws = 0;  // those with a group that has spread
  int64_t resampled = 0;   // draws beyond the first round
  std::vector<train::PolicyMetrics> updates;
  double gradient_agreement = 0;  // of the first update with those of earlier steps
  double updating_seconds = 0;
};

PolicyTrainer::PolicyTrainer(const PolicyTrainerParts& parts, const ReinforceSettings& settings)
    : parts_(parts),
      settings_(settings),
      steps_(steps_of(settings, parts.prompts.size())),
      schedule_(settings.training.schedule, steps_),
      optimizer_(parts.decoder.trained(), settings.training.optimizer),
      order_(parts.prompts.size(), settings.training.seed, settings.first_pass),
      lasting_(lasting_settings(settings)),
      adapter_(parts.sampler.add_adapter(parts.decoder.adapter(""))),
      threads_(at::get_num_threads()) {
  lasting_["dtype"] = model::name_of_type(parts.decoder.type());
  train::PolicyUpdateSettings update = update_settings(parts, settings);
  if (shares_loops(parts)) {
    update.sampler_pass = [this, options = SamplerPassOptions{.adapter = adapter_,
                                                              .vocabulary = update.vocabulary,
                                                              .temperature = update.temperature}](
                              std::span<const train::PolicyExample> pack) {
      return run_sampler_pass(parts_.sampler.inference(), options, pack);
    };
  }
  update_.emplace(parts.decoder, std::move(update));
}

void PolicyTrainer::resume(const train::SavedTraining& saved) {
  train::check_same_settings(saved, lasting_);
  if (saved.run.data_fingerprint != parts_.prompts_fingerprint) {
    throw base::UsageError("the prompts are not those of the run in {}", saved.path.string())
        .with_remedy("resume with the same tasks, level and limit");
  }
  const auto drawn = saved.run.random_streams.find(kPromptStream);
  if (drawn == saved.run.random_streams.end()) {
    throw base::Error("{}: not a checkpoint of stage: grpo", (saved.path / "state.json").string())
        .with_remedy("resume with the stage of that run");
  }
  optimizer_.load_state(model::SafetensorsFile(saved.optimizer_file()));
  order_.seek(drawn->second.position);
  done_ = saved_ = saved.run.step;
  tokens_seen_ = saved.run.tokens_seen;
  metrics_resume_ = train::MetricsResume{done_, saved.log_history};
}

void PolicyTrainer::open_run_folder() {
  const fs::path& path = settings_.training.run.path;
  // A run that was killed before its first checkpoint has left rows, too.
  if (!metrics_resume_) metrics_resume_ = train::MetricsResume{0, base::Json::array()};
  metrics_.emplace(path, train::MetricsOptions{.steps = steps_,
                                               .tensorboard = settings_.training.run.tensorboard,
                                               .trackers = settings_.training.run.trackers,
                                               .shown = shown_metrics(),
                                               .resume = metrics_resume_});
  folder_.emplace(path);
  folder_->set_aside_behind(done_);
  train::remove_rows_behind(path / "rollouts.jsonl", done_);
  rollouts_.emplace(path / "rollouts.jsonl");
  unsaved_.emplace(path / "unsaved_rollouts.jsonl");
  unsaved_->forget_below(order_.drawn());
  collector_.emplace(parts_.sampler, parts_.judge, *unsaved_,
                     CollectorOptions{.generation = settings_.generation,
                                      .adapter = adapter_,
                                      .seed = settings_.training.seed,
                                      .workers = settings_.workers,
                                      .turns = settings_.num_turns,
                                      .builder = &parts_.builder,
                                      .room = {.positions = parts_.sampler.positions(),
                                               .max_new_tokens = settings_.generation.max_new_tokens}});
  if (settings_.critic.kind != CriticKind::kNone) critic_.emplace(settings_.critic, path);
}

train::TrainingEnd PolicyTrainer::run() {
  open_run_folder();
  base::Progress progress({.title = "grpo",
                           .total = static_cast<uint64_t>(steps_),
                           .unit = "steps",
                           .done = static_cast<uint64_t>(done_)});
  while (done_ < steps_) {
    const uint64_t drawn = order_.drawn();
    Step step;
    step.number = done_ + 1;
    refresh_sampler();
    if (base::is_interrupt_requested() || !collect(step, progress)) {
      order_.seek(drawn);  // the step begins again, with what it has in the file
      if (done_ > 0) save();
      return train::TrainingEnd::kInterrupted;
    }
    give_advantages(settings_.policy, step.rollouts);
    progress.set_note("updating");
    update(step);
    ++done_;
    record(step);
    progress.add();
    if (settings_.training.saving.is_due(done_, steps_)) save();
  }
  progress.finish();
  save();
  train::publish_model(settings_.training.run.path, parts_.write_model);
  return train::TrainingEnd::kDone;
}

// The adapter's values go from the trainer to the sampler in memory.
void PolicyTrainer::refresh_sampler() {
  parts_.sampler.replace_adapter(adapter_, parts_.decoder.adapter(""));
}

bool PolicyTrainer::collect(Step& step, base::Progress& progress) {
  const auto group = static_cast<uint32_t>(settings_.num_generations);
  for (int64_t round = 0; round <= settings_.resample_rounds; ++round) {
    const int64_t missing = settings_.prompts_per_step - step.kept_draws;
    if (missing == 0) break;
    if (round > 0) step.resampled += missing;
    step.draws += missing;
    std::vector<Rollout> rollouts;
    for (int64_t i = 0; i < missing; ++i) {
      const uint64_t draw = order_.drawn();
      const TaskPrompt& prompt = parts_.prompts[order_.take()];
      for (uint32_t sample = 0; sample < group; ++sample)
        rollouts.push_back({.draw = draw, .sample = sample, .prompt = &prompt});
    }
    const auto note = [&](const std::string& text) { progress.set_note(text); };
    const bool is_complete = collector_->collect(rollouts, note);
    at::set_num_threads(threads_);  // the sampler takes as many as are free
    if (!is_complete || !give_rewards(rollouts)) return false;
    take_groups(step, std::move(rollouts));
  }
  return true;
}

// False where an interrupt came before the critic had answered.
bool PolicyTrainer::give_rewards(std::span<Rollout> rollouts) {
  std::optional<std::vector<double>> critic = std::vector<double>(rollouts.size(), 0);
  if (critic_) critic = critic_->parts(rollouts);
  if (!critic) return false;
  for (size_t i = 0; i < rollouts.size(); ++i) {
    Rollout& rollout = rollouts[i];
    rollout.reward = reward_of(
        settings_.reward, *rollout.verdict,
        {rollout.answer->tokens, settings_.generation.max_new_tokens, rollout.is_truncated()}, (*critic)[i]);
  }
  return true;
}

void PolicyTrainer::take_groups(Step& step, std::vector<Rollout> rollouts) const {
  give_returns(rollouts, settings_.turn_discount);
  step.kept_draws += keep_groups_with_spread(rollouts, settings_.mask_truncated_completions);
  std::move(rollouts.begin(), rollouts.end(), std::back_inserter(step.rollouts));
}

std::vector<train::PolicyExample> PolicyTrainer::examples_of(const Step& step) const {
  std::vector<train::PolicyExample> examples;
  for (const Rollout& rollout : step.rollouts) {
    if (!rollout.is_kept || rollout.answer->ids.empty()) continue;  // empty: the prompt filled the context
    examples.push_back(train::make_policy_example(rollout.prompt_ids(), rollout.answer->ids));
    train::PolicyExample& example = examples.back();
    example.sampler_log_probability = rollout.answer->log_probabilities;
    example.advantage = rollout.advantage;
    example.is_masked =
        (settings_.mask_truncated_completions && rollout.is_truncated()) || std::isnan(rollout.reward.value);
  }
  return examples;
}

void PolicyTrainer::update(Step& step) {
  const auto start = Clock::now();
  std::vector<train::PolicyExample> examples = examples_of(step);
  const double rate = schedule_.learning_rate(done_);
  for (int64_t i = 0; i < settings_.num_iterations && !examples.empty(); ++i) {
    if (i > 0 && shares_loops(parts_)) refresh_sampler();
    step.updates.push_back(update_->run(examples));
    const train::PolicyMetrics& metrics = step.updates.back();
    tokens_seen_ += metrics.tokens;
    if (!metrics.is_finite()) {
      throw base::Error("step {}: the loss is {}, the gradient's norm {}; the update was not made",
                        step.number, metrics.loss, metrics.gradient_norm)
          .with_remedy("lower learning_rate, and resume from the last checkpoint");
    }
    if (i == 0) step.gradient_agreement = optimizer_.gradient_agreement();
    optimizer_.step(rate);
  }
  step.updating_seconds = base::seconds_since(start);
}

void PolicyTrainer::record(const Step& step) {
  for (const Rollout& rollout : step.rollouts) rollouts_->append(json_of(rollout, step.number));
  base::Json values = describe_rollouts(step.rollouts);
  if (settings_.num_turns > 1) values.update(describe_turns(step.rollouts, settings_.num_turns));
  values["groups_kept"] = step.kept_draws;
  values["groups_dropped"] = step.draws - step.kept_draws;
  values["groups_resampled"] = step.resampled;
  if (!step.updates.empty()) {
    values.update(json_of_update(step.updates.back(), settings_.policy.needs_reference()));
    values["grad_agreement"] = step.gradient_agreement;
    values["policy_ratio/first_update"] = step.updates.front().ratio;
    values["policy_ratio/mean"] = step.updates.back().ratio;
  } else {
    base::log_warning("step {}: no group of answers has different rewards, so nothing is learned from it",
                      step.number);
  }
  if (critic_) {
    const CriticReport report = critic_->take_report();
    report.write_metrics(values);
    if (report.failures > 0) base::log_warning("step {}: {}", step.number, report.text());
  }
  const CollectorTimes times = collector_->take_times();
  values["learning_rate"] = schedule_.learning_rate(step.number - 1);
  values["num_tokens"] = tokens_seen_;
  values["sampling_seconds"] = times.sampling;
  values["judging_wait_seconds"] = times.waiting;
  values["judging_seconds"] = times.judging;
  values["updating_seconds"] = step.updating_seconds;
  metrics_->record(done_, order_.epoch(), values);
}

void PolicyTrainer::save() {
  if (saved_ == done_) return;
  saved_ = done_;
  metrics_->flush();
  rollouts_->flush();
  base::RandomStream::State prompts;
  prompts.position = order_.drawn();
  train::TrainerState state{.global_step = done_,
                            .max_steps = steps_,
                            .epoch = order_.epoch(),
                            .logging_steps = 1,
                            .save_steps = settings_.training.saving.steps,
                            .train_batch_size = settings_.prompts_per_step * settings_.num_generations,
                            .num_input_tokens_seen = tokens_seen_,
                            .log_history = metrics_->history(),
                            .should_training_stop = done_ == steps_};
  const fs::path path =
      train::save_training_checkpoint(*folder_, {.write_model = parts_.write_model,
                                                 .optimizer = optimizer_.state(),
                                                 .trainer = state,
                                                 .run = {.step = done_,
                                                         .data_fingerprint = parts_.prompts_fingerprint,
                                                         .random_streams = {{kPromptStream, prompts}},
                                                         .settings = lasting_,
                                                         .tokens_seen = tokens_seen_,
                                                         .threads = {threads_}}});
  base::log_debug("{} saved", path.string());
  folder_->remove_old(static_cast<size_t>(settings_.training.run.keep_checkpoints));
  unsaved_->forget_below(order_.drawn());
}

}  // namespace cuset::reinforce
