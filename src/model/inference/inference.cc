#include "model/inference/inference.h"

#include <c10/util/Exception.h>

#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/human_readable.h"
#include "model/inference/inference_backend.h"
#include "ops/device/memory.h"

namespace cuset::model {
namespace {

struct Slot {
  int64_t length = 0;
  int64_t adapter = -1;
};

void check_limits(const InferenceLimits& limits) {
  constexpr int64_t kMost = 1 << 24;
  if (limits.slots < 1 || limits.slots > kMost || limits.positions < 1 || limits.positions > kMost) {
    throw base::Error("a cache of {} sequences of {} tokens cannot be made", limits.slots, limits.positions)
        .with_remedy("both are 1 to {}", kMost);
  }
}

[[noreturn]] void refuse_cache(const InferenceLimits& limits, uint64_t bytes) {
  throw base::Error("keys and values of {} sequences of {} tokens need {}, which memory does not hold",
                    limits.slots, limits.positions, base::human_bytes(bytes))
      .with_remedy("ask for fewer sequences at a time, or shorter ones");
}

}  // namespace

uint64_t cache_bytes(const ModelConfig& config, const InferenceLimits& limits, uint64_t element) {
  const auto tokens = static_cast<uint64_t>(limits.slots) * static_cast<uint64_t>(limits.positions);
  const auto values = 2 * static_cast<uint64_t>(config.layers * config.kv_heads * config.head_dim);
  return tokens * values * element;
}

struct InferenceModel::Parts {
  ModelConfig config;
  InferenceLimits limits;
  torch::Device device = torch::kCPU;
  std::vector<Slot> slots;
  int64_t adapters = 0;
  std::unique_ptr<InferenceBackend> backend;

  Slot& slot(int64_t number) {
    CUSET_CHECK(number >= 0 && number < limits.slots, "slot {} of {}", number, limits.slots);
    return slots[static_cast<size_t>(number)];
  }
  SequenceStep step_of(const SequenceExtension& row);
};

SequenceStep InferenceModel::Parts::step_of(const SequenceExtension& row) {
  const Slot& its = slot(row.slot);
  CUSET_CHECK(!row.tokens.empty(), "slot {} is extended by no token", row.slot);
  const auto length = its.length + static_cast<int64_t>(row.tokens.size());
  CUSET_CHECK(length <= limits.positions, "slot {} would hold {} tokens of at most {}", row.slot, length,
              limits.positions);
  for (const int64_t token : row.tokens) {
    CUSET_CHECK(token >= 0 && token < config.vocab, "token {} of {}", token, config.vocab);
  }
  const bool is_wanted = row.on_logits && row.tokens.size() > 1;
  CUSET_CHECK(!row.on_states || device.is_cpu(), "states are given on the CPU only");
  return {row.slot,
          its.length,
          its.adapter,
          row.tokens,
          is_wanted ? &row.on_logits : nullptr,
          row.on_states ? &row.on_states : nullptr};
}

InferenceModel::InferenceModel(const ModelConfig& config, std::vector<NamedTensor> weights,
                               const InferenceLimits& limits)
    : parts_(std::make_unique<Parts>()) {
  CUSET_CHECK(!weights.empty(), "a decoder without weights");
  check_limits(limits);
  parts_->config = config;
  parts_->limits = limits;
  parts_->device = weights[0].tensor.device();
  parts_->slots.resize(static_cast<size_t>(limits.slots));
  const uint64_t bytes = cache_bytes(config, limits, weights[0].tensor.element_size());
  if (parts_->device.is_cpu() && bytes > ops::main_memory()) refuse_cache(limits, bytes);
  const torch::NoGradGuard no_gradient;
  InferenceWeights joined = join_weights(config, std::move(weights));
  try {
    const auto make = parts_->device.is_cpu() ? make_loop_inference : make_tensor_inference;
    parts_->backend = make(config, std::move(joined), limits);
  } catch (const c10::OutOfMemoryError&) {
    refuse_cache(limits, bytes);
  }
}

InferenceModel::InferenceModel(InferenceModel&&) noexcept = default;
InferenceModel::~InferenceModel() = default;

const ModelConfig& InferenceModel::config() const { return parts_->config; }
const InferenceLimits& InferenceModel::limits() const { return parts_->limits; }
torch::Device InferenceModel::device() const { return parts_->device; }
int64_t InferenceModel::length(int64_t slot) const { return parts_->slot(slot).length; }

int64_t InferenceModel::add_adapter(const Adapter& adapter) {
  const torch::NoGradGuard no_gradient;
  parts_->backend->set_adapter(static_cast<size_t>(parts_->adapters), adapter);
  return parts_->adapters++;
}

void InferenceModel::replace_adapter(int64_t number, const Adapter& adapter) {
  CUSET_CHECK(number >= 0 && number < parts_->adapters, "adapter {} of {}", number, parts_->adapters);
  const torch::NoGradGuard no_gradient;
  parts_->backend->set_adapter(static_cast<size_t>(number), adapter);
}

void InferenceModel::begin(int64_t slot, int64_t adapter) {
  CUSET_CHECK(adapter >= -1 && adapter < parts_->adapters, "adapter {} of {}", adapter, parts_->adapters);
  parts_->slot(slot) = {.length = 0, .adapter = adapter};
}

torch::Tensor InferenceModel::extend(std::span<const SequenceExtension> rows) {
  const torch::NoGradGuard no_gradient;
  std::vector<SequenceStep> steps;
  std::unordered_set<int64_t> slots;
  for (const SequenceExtension& row : rows) {
    CUSET_CHECK(slots.insert(row.slot).second, "slot {} is extended twice in one call", row.slot);
    steps.push_back(parts_->step_of(row));
  }
  if (rows.empty()) {
    return torch::empty({0, parts_->config.vocab}, torch::TensorOptions(torch::kFloat32).device(device()));
  }
  auto logits = parts_->backend->extend(steps);
  for (const SequenceStep& step : steps) {
    parts_->slot(step.slot).length += static_cast<int64_t>(step.tokens.size());
  }
  return logits;
}

}  // namespace cuset::model
