#include "train/trainer.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "base/console.h"
#include "base/error.h"
#include "base/files/crc32c.h"
#include "base/log.h"
#include "model/model_folder.h"
#include "ops/device/memory.h"
#include "train/run_folder.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kWindowTokens = 24;  // shown of the lowest window
constexpr size_t kMostRows = 5;       // named in a message

std::vector<size_t> lengths_of(const std::vector<data::Example>& examples) {
  std::vector<size_t> lengths;
  for (const data::Example& example : examples) lengths.push_back(example.ids.size());
  return lengths;
}

// The tokens around supervised token number `row` of an example.
std::span<const uint32_t> tokens_around(const data::Example& example, int64_t row) {
  size_t center = 1;
  for (size_t i = 1; i < example.ids.size(); ++i) {
    if (example.is_label[i] == 0) continue;
    center = i;
    if (row-- == 0) break;
  }
  const size_t begin = center - std::min(center, kWindowTokens / 2);
  const size_t end = std::min(example.ids.size(), begin + kWindowTokens);
  return std::span(example.ids).subspan(begin, end - begin);
}

std::vector<int64_t> threads_of(const Ranks& ranks) {
  std::vector<int64_t> threads;
  for (const std::string& count : ranks.all_gather(std::to_string(at::get_num_threads()), "the threads"))
    threads.push_back(std::stoll(count));
  return threads;
}

double metric_of(const EvaluationMetrics& metrics, const std::string& name) {
  const base::Json values = metrics.to_json();
  CUSET_CHECK(values.contains(name), "metric {}", name);
  return values.at(name).get<double>();
}

std::string rows_text(const std::vector<OffendingRow>& rows) {
  std::string text;
  for (size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    text += fmt::format("{}{} (loss {})", i == 0 ? "" : ", ", rows[i].place, loss_text(rows[i].loss));
  }
  return rows.size() > kMostRows ? fmt::format("{} and {} more", text, rows.size() - kMostRows) : text;
}

}  // namespace

std::string checksum_of(const std::vector<data::Example>& examples) {
  uint32_t sum = 0;
  for (const data::Example& example : examples) {
    sum = base::crc32c(std::as_bytes(std::span(example.ids)), sum);
    sum = base::crc32c(std::as_bytes(std::span(example.is_label)), sum);
    sum = base::crc32c(std::as_bytes(std::span(example.is_cuda)), sum);
    sum = base::crc32c(std::as_bytes(std::span(&example.weight, 1)), sum);
    // Sums of data without this key stay what they were.
    if (!example.vouched) sum = base::crc32c(std::as_bytes(std::span(&example.vouched, 1)), sum);
  }
  return fmt::format("{:08x}", sum);
}

Trainer::Trainer(const TrainerParts& parts, const TrainingSettings& settings)
    : parts_(parts),
      settings_(settings),
      order_(lengths_of(parts.examples), settings.order),
      schedule_(settings.schedule, static_cast<int64_t>(order_.steps())),
      optimizer_(parts.decoder.trained(), settings.optimizer),
      step_(parts.decoder, parts.examples, parts.ranks, settings.step, settings.seed),
      evaluation_(parts.evaluation, parts.ranks, settings.order.capacity),
      early_stop_(settings.early_stop),
      guard_(settings.max_loss_jump),
      untrained_(settings.step.objective),
      lasting_(lasting_settings(settings)),
      threads_(threads_of(parts.ranks)),
      recorded_at_(Clock::now()) {
  lasting_["dtype"] = model::name_of_type(parts.decoder.type());
  lasting_[kDataChecksum] = checksum_of(parts.examples);
  parts.ranks.require_same(lasting_, "settings");
}

void Trainer::resume(const SavedTraining& saved) {
  check_same_settings(saved, lasting_);
  if (saved.run.data_fingerprint != order_.fingerprint()) {
    throw base::UsageError("the batches are not those of the run in {}", saved.path.string())
        .with_remedy("resume with the same packing, cutoff_len and total batch size");
  }
  const std::string name = (saved.path / "state.json").string();
  optimizer_.load_state(model::SafetensorsFile(saved.optimizer_file()));
  done_ = saved_ = saved.run.step;
  tokens_seen_ = tokens_recorded_ = saved.run.tokens_seen;
  early_stop_.restore(saved.run.early_stop, name);
  guard_.restore(saved.run.loss_guard, name);
  metrics_resume_ = MetricsResume{done_, saved.log_history};
}

void Trainer::open_run_folder() {
  if (!parts_.ranks.is_first()) return;
  // A run that was killed before its first checkpoint has left rows, too.
  if (!metrics_resume_) metrics_resume_ = MetricsResume{0, base::Json::array()};
  metrics_.emplace(settings_.run.path, MetricsOptions{.steps = steps(),
                                                      .tensorboard = settings_.run.tensorboard,
                                                      .trackers = settings_.run.trackers,
                                                      .resume = metrics_resume_});
  folder_.emplace(settings_.run.path);
  folder_->set_aside_behind(done_);
}

TrainingEnd Trainer::run(const std::function<bool()>& stop_asked) {
  open_run_folder();
  base::Progress progress({.title = "train",
                           .total = static_cast<uint64_t>(steps()),
                           .unit = "steps",
                           .done = static_cast<uint64_t>(done_),
                           .shorter = "a smaller max_steps, num_train_epochs or cutoff_len, or a GPU"});
  const auto per_epoch = static_cast<int64_t>(order_.steps_per_epoch());
  recorded_at_ = Clock::now();
  while (done_ < steps() && !early_stop_.should_stop()) {
    const StepMetrics metrics = take_step(stop_asked());
    progress.set_note(fmt::format("loss {:.4g}", metrics.loss));
    progress.add();
    if (settings_.logging.is_due(done_, per_epoch) || done_ == steps()) record(metrics);
    const bool is_best = settings_.evaluating.is_due(done_, per_epoch) && evaluate();
    if (is_best || settings_.saving.is_due(done_, per_epoch)) save();
    if (metrics.signals > 0 && done_ < steps()) {
      save();
      return TrainingEnd::kInterrupted;
    }
  }
  progress.finish();
  finish();
  return done_ < steps() ? TrainingEnd::kStoppedEarly : TrainingEnd::kDone;
}

StepMetrics Trainer::take_step(bool stop_asked) {
  data_ = order_.step(static_cast<uint64_t>(done_));
  const StepMetrics metrics = step_.run(data_, progress_of_run(), stop_asked);
  if (const auto reason = guard_.observe(metrics)) stop_at_bad_step(data_, *reason);
  const auto warning = untrained_.observe(metrics, done_ + 1);
  if (warning && parts_.ranks.is_first()) base::log_warning("{}", *warning);
  optimizer_.step(schedule_.learning_rate(done_));
  ++done_;
  tokens_seen_ += metrics.tokens;
  return metrics;
}

double Trainer::progress_of_run() const { return static_cast<double>(done_) / static_cast<double>(steps()); }

std::string Trainer::last_checkpoint_text() const {
  if (saved_ < 0) return "there is no checkpoint yet";
  return fmt::format("the last good checkpoint is {}",
                     (settings_.run.path / fmt::format("checkpoint-{}", saved_)).string());
}

void Trainer::stop_at_bad_step(const StepData& data, const std::string& reason) {
  const std::string rows = rows_text(step_.offending_rows(data, progress_of_run()));
  throw base::Error("step {}: {}; worst rows: {}; the update was not made, and {}", done_ + 1, reason, rows,
                    last_checkpoint_text())
      .with_remedy("look at the rows with cuset inspect; then lower learning_rate, or set max_loss_jump");
}

base::Json Trainer::lowest_window(const StepMetrics& metrics) const {
  size_t number = metrics.lowest.sample;
  for (const MicroBatch& micro_batch : data_.micro_batches) {
    if (number >= micro_batch.examples.size()) {
      number -= micro_batch.examples.size();
      continue;
    }
    const data::Example& example = parts_.examples.at(micro_batch.examples[number]);
    return {{"place", example.place},
            {"confidence", metrics.lowest.confidence},
            {"text", base::printable(parts_.decode(tokens_around(example, metrics.lowest.row)),
                                     /*keep_lines=*/true)}};
  }
  return nullptr;
}

void Trainer::record(const StepMetrics& metrics) {
  if (!metrics_) return;
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - recorded_at_).count();
  base::Json values = metrics.to_json();
  values["learning_rate"] = schedule_.learning_rate(done_ - 1);
  values["tokens_per_second"] =
      static_cast<double>(tokens_seen_ - tokens_recorded_) / std::max(seconds, 1e-9);
  const torch::Device device = parts_.decoder.device();
  if (device.is_cuda()) {
    values["gpu_memory_gib"] = static_cast<double>(ops::peak_gpu_memory(device.index())) / (1 << 30);
  }
  if (parts_.decode && settings_.step.objective.has_sample_weight()) {
    const base::Json window = lowest_window(metrics);
    values["lowest_window"] = window;
    base::log_debug("lowest window {:.3g} at {}: {}", window["confidence"].get<double>(),
                    window["place"].get<std::string>(),
                    base::in_quotes(window["text"].get<std::string>(), 120));
  }
  metrics_->record(done_, order_.epoch_after(static_cast<uint64_t>(done_)), values);
  tokens_recorded_ = tokens_seen_;
  recorded_at_ = now;
}

bool Trainer::evaluate() {
  if (evaluation_.is_empty()) return false;
  const auto begin = Clock::now();
  const EvaluationMetrics metrics = evaluation_.run(parts_.decoder);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (metrics_) {
    base::Json values = metrics.to_json();
    values["eval_runtime"] = seconds;
    metrics_->record(done_, order_.epoch_after(static_cast<uint64_t>(done_)), values);
  }
  recorded_at_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  return early_stop_.observe(done_, metric_of(metrics, settings_.best.name));
}

TrainerState Trainer::trainer_state() const {
  TrainerState state{.global_step = done_,
                     .max_steps = steps(),
                     .epoch = order_.epoch_after(static_cast<uint64_t>(done_)),
                     .num_train_epochs = static_cast<int64_t>(std::ceil(settings_.order.epochs)),
                     .logging_steps = settings_.logging.steps,
                     .eval_steps = settings_.evaluating.steps,
                     .save_steps = settings_.saving.steps,
                     .train_batch_size = static_cast<int64_t>(settings_.order.batch),
                     .num_input_tokens_seen = tokens_seen_,
                     .log_history = metrics_->history(),
                     .should_training_stop = done_ == steps() || early_stop_.should_stop()};
  if (const auto& best = early_stop_.best()) {
    state.best_metric = best->value;
    state.best_global_step = best->step;
    state.best_model_checkpoint = folder_->path_of(best->step).string();
  }
  if (settings_.early_stop.patience > 0) {
    state.early_stopping = EarlyStoppingReport{settings_.early_stop.patience, settings_.early_stop.min_delta,
                                               early_stop_.disappointments()};
  }
  return state;
}

TrainingCheckpoint Trainer::checkpoint() const {
  return {.write_model = parts_.write_model,
          .optimizer = optimizer_.state(),
          .trainer = trainer_state(),
          .run = {.step = done_,
                  .data_fingerprint = order_.fingerprint(),
                  .early_stop = early_stop_.state(),
                  .settings = lasting_,
                  .loss_guard = guard_.state(),
                  .tokens_seen = tokens_seen_,
                  .threads = threads_}};
}

void Trainer::save() {
  if (saved_ == done_) return;
  saved_ = done_;
  if (!folder_) return;
  metrics_->flush();
  const fs::path path = save_training_checkpoint(*folder_, checkpoint());
  base::log_debug("{} saved", path.string());
  std::optional<int64_t> best;
  if (early_stop_.best()) best = early_stop_.best()->step;
  folder_->remove_old(static_cast<size_t>(settings_.run.keep_checkpoints), best);
}

void Trainer::finish() {
  save();
  if (!folder_) return;
  if (const auto warning = untrained_.at_end()) base::log_warning("{}", *warning);
  const auto& best = early_stop_.best();
  if (settings_.best.load_at_end && best && best->step != done_) {
    base::log_info("the result is the checkpoint of step {}, {} {:.4g}", best->step, settings_.best.name,
                   best->value);
    const SavedTraining saved = open_training_checkpoint(folder_->path_of(best->step));
    optimizer_.load_state(model::SafetensorsFile(saved.optimizer_file()));
  }
  publish_model(settings_.run.path, parts_.write_model);
}

}  // namespace cuset::train
