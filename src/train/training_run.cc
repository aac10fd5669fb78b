#include "train/training_run.h"

#include <ATen/Parallel.h>
#include <torch/utils.h>

#include <csignal>
#include <cstdlib>

#include "base/error.h"
#include "base/files/file.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/machine/machine_share.h"
#include "data/tokenized_folder.h"
#include "model/model_folder.h"
#include "ops/device/backend.h"
#include "ops/device/cpu_threads.h"
#include "ops/device/determinism.h"
#include "ops/device/memory.h"
#include "train/before_loading.h"
#include "train/records/tracker.h"
#include "train/run_folder.h"
#include "train/run_start.h"
#include "train/trained_model.h"
#include "train/trainer.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

// The run's examples.
struct RunData {
  data::Dataset training;
  std::vector<data::Example> evaluation;
};

void refuse_empty(const data::Dataset& training, const DataChoice& choice) {
  if (choice.files.empty()) return;  // tokenized before: then there were examples
  if (training.rows == 0) {
    throw base::Error("{}: no rows", choice.files.front().file.string())
        .with_remedy("training data has one JSON object per line: docs/data.md");
  }
  if (training.examples.empty()) {
    throw base::Error("{}: none of the {} rows can be used for training", choice.files.front().file.string(),
                      training.rows)
        .with_remedy("`cuset inspect --data FILE --model M` says why rows were left out");
  }
}

// From tokenized_path where it is there, else from the files; then it is written there, by the first rank.
data::Dataset load_training_data(const TrainingSettings& settings, const data::ExampleBuilder& builder,
                                 const data::DatasetOptions& options, bool is_first) {
  const DataChoice& choice = settings.data;
  if (choice.tokenized.empty()) return data::load_dataset(choice.files, builder, options);
  if (data::has_tokenized_data(choice.tokenized)) {
    base::log_info("data: tokenized before, in {}; keys about the data have no effect",
                   choice.tokenized.string());
    return data::read_tokenized(choice.tokenized, settings.model.folder, choice.max_tokens);
  }
  data::Dataset dataset = data::load_dataset(choice.files, builder, options);
  if (is_first) {
    data::write_tokenized(choice.tokenized, dataset, settings.model.folder);
    base::log_info("data: tokenized, written to {}", choice.tokenized.string());
  }
  return dataset;
}

RunData load_data(const TrainingSettings& settings, const data::ExampleBuilder& builder, bool is_first) {
  const DataChoice& choice = settings.data;
  data::DatasetOptions options;
  options.max_rows = choice.max_rows;
  options.max_tokens = choice.max_tokens;
  options.over_length = choice.over_length;
  options.keep_text = false;
  options.skip_bad_rows = choice.skip_bad_rows;
  RunData data{load_training_data(settings, builder, options, is_first), {}};
  refuse_empty(data.training, choice);
  if (!choice.evaluation_files.empty()) {
    data.evaluation = data::load_dataset(choice.evaluation_files, builder, options).examples;
  } else {
    data.evaluation = split_off_validation(data.training.examples, choice.validation_size, settings.seed);
  }
  return data;
}

void refuse_ids_outside(const std::vector<data::Example>& examples, int64_t vocab) {
  for (const data::Example& example : examples) {
    for (const uint32_t id : example.ids) {
      if (id < vocab) continue;
      throw base::Error("{}: token {} is outside the model's vocabulary of {}", example.place, id, vocab)
          .with_remedy("tokenizer.json and config.json of the model folder do not belong together");
    }
  }
}

base::Json data_metrics(const RunData& data) {
  return {{"rows", data.training.rows},
          {"samples", data.training.examples.size()},
          {"tokens", data.training.tokens()},
          {"supervised_tokens", data.training.labels()},
          {"cuda_tokens", data.training.cuda_labels()},
          {"dropped", data.training.dropped.size()},
          {"truncated", data.training.truncated},
          {"repeated", data.training.duplicates.size()},
          {"evaluation_samples", data.evaluation.size()}};
}

void say_data(const RunData& data) {
  const data::Dataset& training = data.training;
  const size_t samples = training.examples.size();
  base::log_info(
      "data: {} sample{}, {} tokens, {} supervised, {} of them CUDA; {} of {} rows dropped; {} to evaluate "
      "on",
      samples, samples == 1 ? "" : "s", base::human_count(static_cast<double>(training.tokens())),
      base::human_count(static_cast<double>(training.labels())),
      base::human_count(static_cast<double>(training.cuda_labels())), training.dropped.size(), training.rows,
      data.evaluation.size());
  if (!training.dropped.empty()) {
    const data::DroppedRow& row = training.dropped.front();
    base::log_warning("{}: {} ({}){}", row.place, data::name_of(row.reason), row.detail,
                      training.dropped.size() > 1 ? "; cuset inspect lists the others" : "");
  }
}

void say_plan(const TrainingSettings& settings, const Trainer& trainer) {
  const objective::ObjectiveSettings& objective = settings.step.objective;
  base::log_info("objective: {}, normalized by {}", objective::name_of(objective.method),
                 name_of(settings.step.loss_denominator));
  base::log_info("steps: {} ({} per epoch), {} rank{}, run folder {}", trainer.steps(),
                 trainer.order().steps_per_epoch(), settings.order.world, settings.order.world > 1 ? "s" : "",
                 settings.run.path.string());
  const EveryNSteps& evaluating = settings.evaluating;
  if (evaluating.kind == EveryNSteps::Kind::kSteps && evaluating.steps > trainer.steps()) {
    base::log_warning("eval_steps is {}, more than the run has steps: nothing will be evaluated",
                      evaluating.steps);
  }
}

std::string reason_for_threads(const TrainingSettings& settings, const Ranks& ranks, bool resumes) {
  if (settings.model.placement.threads > 0) return " (threads)";
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return " (OMP_NUM_THREADS)";
  if (resumes) return " (as before)";
  return ranks.size() > 1 ? " (the ranks share them)" : "";
}

// Before anything is loaded, and called when it is: then it has seen the load for long enough.
class ThreadsReport {
 public:
  void say(const TrainingSettings& settings, const Ranks& ranks, bool resumes) const {
    if (ranks.gpu() >= 0) return;
    const int threads = at::get_num_threads();
    const auto usable = static_cast<int>(base::usable_processors());
    const auto free =
        static_cast<int>(base::free_processors(base::usable_processors(), start_, base::processor_times()));
    // Other ranks of this run do not count.
    const bool others = ranks.size() == 1 && free < std::min(threads, usable);
    base::log_info(
        "threads: {} on {} usable core{}{}{}", threads, usable, usable == 1 ? "" : "s",
        threads == usable ? "" : reason_for_threads(settings, ranks, resumes),
        others ? fmt::format("; other processes keep {} busy: threads: {} may be faster", usable - free, free)
               : "");
  }

 private:
  std::optional<base::ProcessorTimes> start_ = base::processor_times();
};

void write_run_file(const TrainingSettings& settings, const base::Json& about, const base::Json& data,
                    const Trainer& trainer) {
  base::Json run = about;
  run["seed"] = settings.seed;
  run["ranks"] = settings.order.world;
  run["threads"] = trainer.threads();
  run["steps"] = trainer.steps();
  run["begun_after_step"] = trainer.steps_done();
  run["libtorch"] = ops::describe_tensor_backend().libtorch_version;
  run["data"] = data;
  run["data"]["files"] = describe_files(settings.data.files);
  run["data"]["evaluation_files"] = describe_files(settings.data.evaluation_files);
  base::write_json_file(settings.run.path / "run.json", run);
}

std::string how_to_need_less_memory(const TrainingSettings& settings) {
  return fmt::format("{}lower cutoff_len or per_device_train_batch_size, or train with a smaller lora_rank",
                     settings.step.recompute ? "" : "set gradient_checkpointing: true, ");
}

int end_of_run(const TrainingSettings& settings, TrainingEnd end, const base::InterruptGuard& guard,
               const Trainer& trainer) {
  if (end == TrainingEnd::kInterrupted) {
    base::log_info(
        "stopped after step {} of {}, which is saved; the same command with --resume continues the run",
        trainer.steps_done(), trainer.steps());
    const int signal = guard.signal_number();
    return 128 + (signal == 0 ? SIGTERM : signal);
  }
  if (end == TrainingEnd::kStoppedEarly) {
    base::log_info("stopped after step {} of {}: {} has not improved for {} evaluations",
                   trainer.steps_done(), trainer.steps(), settings.best.name, settings.early_stop.patience);
  }
  base::log_info("done: {} in {}", settings.model.full ? "the model is" : "the adapter is",
                 settings.run.path.string());
  return 0;
}

// What a run works on. The trainer borrows from it.
struct LoadedRun {
  data::ExampleBuilder builder;
  RunData data;
  model::Decoder decoder;
};

void say_plan_before_loading(const TrainingSettings& settings, const data::Dataset& training,
                             const Ranks& ranks, const std::optional<SavedTraining>& saved) {
  if (!ranks.is_first()) return;
  std::vector<size_t> lengths;
  for (const data::Example& example : training.examples) lengths.push_back(example.ids.size());
  say_before_loading({.settings = settings,
                      .config = model::read_model_config(settings.model.folder),
                      .order = DataOrder(std::move(lengths), settings.order),
                      .tokens = training.tokens(),
                      .steps_done = saved ? static_cast<uint64_t>(saved->run.step) : 0,
                      .gpu = ranks.gpu()});
}

LoadedRun load_run(const TrainingSettings& settings, const Ranks& ranks,
                   const std::optional<SavedTraining>& saved) {
  data::ExampleBuilder builder = data::ExampleBuilder::from_model_folder(
      settings.model.folder,
      {.answer = {}, .signature_in_mask = settings.data.signature_in_mask, .learn = settings.data.learn});
  RunData data = load_data(settings, builder, ranks.is_first());
  say_data(data);
  say_plan_before_loading(settings, data.training, ranks, saved);
  model::Decoder decoder = make_decoder(settings.model, ranks.gpu(), settings.seed);
  say_model(settings.model, decoder);
  refuse_ids_outside(data.training.examples, decoder.config().vocab);
  refuse_ids_outside(data.evaluation, decoder.config().vocab);
  return {std::move(builder), std::move(data), std::move(decoder)};
}

Trainer make_trainer(const TrainingSettings& settings, LoadedRun& loaded, const Ranks& ranks) {
  const TrainerParts parts{
      .decoder = loaded.decoder,
      .examples = loaded.data.training.examples,
      .evaluation = loaded.data.evaluation,
      .ranks = ranks,
      .write_model =
          [&](const fs::path& folder) { write_trained_model(loaded.decoder, settings.model, folder); },
      .decode = [&](std::span<const uint32_t> ids) { return loaded.builder.tokenizer().decode(ids); }};
  return Trainer(parts, settings);
}

int train_on(Ranks& ranks, TrainingSettings settings, const base::Json& about) {
  check_model(settings.model);
  if (ranks.is_first()) check_trackers(settings.run.trackers);
  if (ranks.is_first()) prepare_run_folder(settings.run);
  ranks.barrier("the start");
  const std::optional<SavedTraining> saved = open_saved(settings.run);
  if (saved) take_threads_of_run(*saved, settings.model.placement, ranks);
  const ThreadsReport threads_report;
  settings.order.capacity = settings.data.max_tokens;
  settings.order.world = static_cast<size_t>(ranks.size());
  settings.order.seed = settings.seed;

  LoadedRun loaded = load_run(settings, ranks, saved);
  Trainer trainer = make_trainer(settings, loaded, ranks);
  if (saved) {
    trainer.resume(*saved);
    base::log_info("resuming from {}, after step {}", saved->path.string(), trainer.steps_done());
  }
  say_plan(settings, trainer);
  threads_report.say(settings, ranks, saved.has_value());
  // Before the run shows in its folder: from then on a signal is answered.
  const base::InterruptGuard guard(
      ranks.is_first() ? "stopping after this step; interrupt again to stop immediately" : "");
  if (ranks.is_first()) write_run_file(settings, about, data_metrics(loaded.data), trainer);
  const TrainingEnd end = trainer.run([&] { return guard.is_requested(); });
  ranks.finish();
  return end_of_run(settings, end, guard, trainer);
}

}  // namespace

int run_training(const TrainingSettings& settings, const base::Json& about) {
  settings.step.objective.check();
  ops::use_cpu_threads(settings.model.placement.threads);
  if (settings.model.deterministic) ops::set_deterministic_operations(true);
  const RankEnvironment environment = read_rank_environment(process_environment());
  if (environment.rank > 0) base::set_log_level(base::LogLevel::kWarning);
  Ranks ranks(environment, {.gpu = settings.model.placement.resolve().is_gpu()});
  try {
    return train_on(ranks, settings, about);
  } catch (const std::exception& error) {
    const bool lacks_memory = ops::is_lack_of_memory(error);
    ranks.announce_failure(lacks_memory ? "out of memory" : error.what());
    if (lacks_memory) throw ops::lack_of_memory(how_to_need_less_memory(settings));
    throw;
  }
}

}  // namespace cuset::train
