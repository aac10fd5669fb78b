#include "generate/served_model.h"

#include <torch/utils.h>

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "base/human_readable.h"
#include "base/log.h"
#include "base/machine/machine_share.h"
#include "base/seconds_since.h"
#include "generate/engine.h"
#include "generate/stop_tokens.h"
#include "model/model_folder.h"
#include "ops/device/cpu_threads.h"

namespace cuset::generate {
namespace {

// Before gigabytes are read that do not fit.
void require_memory(const ServedModelOptions& options, const model::ModelConfig& config,
                    const model::InferenceLimits& limits) {
  const model::Placement placement = options.placement.resolve();
  if (placement.is_gpu()) return;  // what is free there is found out by taking it
  const uint64_t element = placement.is_bfloat16() ? 2 : 4;
  const uint64_t weights = static_cast<uint64_t>(config.parameters()) * element;
  const uint64_t cache = model::cache_bytes(config, limits, element);
  const uint64_t available = base::usable_memory();
  if (available == 0 || weights + cache <= available) return;
  throw base::Error(
      "{}: the model needs {} for its weights and {} for {} sequences of {} tokens, but this machine has {}",
      options.folder.string(), base::human_bytes(weights), base::human_bytes(cache), limits.slots,
      limits.positions, base::human_bytes(available))
      .with_remedy("{}lower batch_size or max_new_tokens, or take a smaller model",
                   placement.is_bfloat16() ? "" : "dtype: bfloat16 halves both; ");
}

model::InferenceModel load(const ServedModelOptions& options, const model::ModelConfig& config) {
  const int64_t positions =
      config.max_positions > 0 ? std::min(options.positions, config.max_positions) : options.positions;
  const model::InferenceLimits limits{.slots = options.slots, .positions = positions};
  model::warn_of_slow_type(options.placement.resolve());
  require_memory(options, config, limits);
  const base::StatusLine status("loading the model");
  return {
      config,
      model::load_model_weights(options.folder, config, model::weight_options(options.placement.resolve())),
      limits};
}

}  // namespace

struct ServedModel::Parts {
  Parts(const ServedModelOptions& options, const text::Tokenizer& tokenizer, std::vector<int64_t> stop_tokens)
      : threads(options.placement.threads),
        model(load(options, model::read_model_config(options.folder))),
        engine(model, tokenizer, {.stop_tokens = std::move(stop_tokens)}) {}

  ops::FreeCpuThreads threads;
  model::InferenceModel model;
  Engine engine;
};

ServedModel::ServedModel(const ServedModelOptions& options, const text::Tokenizer& tokenizer,
                         std::vector<int64_t> stop_tokens)
    : folder_(options.folder) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<int64_t> named = read_stop_tokens(options.folder, tokenizer);
  stop_tokens.insert(stop_tokens.end(), named.begin(), named.end());
  parts_ = std::make_unique<Parts>(options, tokenizer, std::move(stop_tokens));
  for (const std::string& adapter : options.adapters) add_adapter(adapter);
  const model::Placement placement = options.placement.resolve();
  base::log_info("model: {} ({} weights, {} on {}), {} sequence{} of {} tokens, loaded in {}",
                 options.folder.string(),
                 base::human_count(static_cast<double>(parts_->model.config().parameters())), placement.dtype,
                 placement.device, options.slots, options.slots == 1 ? "" : "s", positions(),
                 base::human_duration(base::seconds_since(start)));
}

ServedModel::~ServedModel() = default;

int64_t ServedModel::positions() const { return parts_->model.limits().positions; }
model::InferenceModel& ServedModel::inference() { return parts_->model; }

namespace {

model::Adapter adapter_for(const model::ModelConfig& config, const std::filesystem::path& folder,
                           const std::filesystem::path& model_folder) {
  model::Adapter adapter = model::read_adapter(folder, config);
  model::warn_of_other_base(adapter, folder, model_folder);
  return adapter;
}

}  // namespace

int64_t ServedModel::add_adapter(const std::filesystem::path& folder) {
  return parts_->model.add_adapter(adapter_for(parts_->model.config(), folder, folder_));
}

void ServedModel::replace_adapter(int64_t number, const std::filesystem::path& folder) {
  parts_->model.replace_adapter(number, adapter_for(parts_->model.config(), folder, folder_));
}

void ServedModel::drop_adapter(int64_t number) { parts_->model.replace_adapter(number, model::Adapter{}); }

int64_t ServedModel::add_adapter(const model::Adapter& adapter) { return parts_->model.add_adapter(adapter); }

void ServedModel::replace_adapter(int64_t number, const model::Adapter& adapter) {
  parts_->model.replace_adapter(number, adapter);
}

bool ServedModel::run(std::span<const GenerationRequest> requests, const GenerationEvents& events) {
  return parts_->engine.run(requests, with_threads(events));
}

bool ServedModel::run(RequestSource& source, const GenerationEvents& events) {
  return parts_->engine.run(source, with_threads(events));
}

// The same events, with the number of threads adapted to the machine's load between two steps.
GenerationEvents ServedModel::with_threads(const GenerationEvents& events) {
  GenerationEvents followed = events;
  followed.on_step = [this, on_step = events.on_step] {
    parts_->threads.follow();
    if (on_step) on_step();
  };
  return followed;
}

}  // namespace cuset::generate
