#include "train/before_loading.h"

#include "base/error.h"
#include "base/human_readable.h"
#include "base/log.h"
#include "base/machine/machine_share.h"
#include "model/lora.h"
#include "ops/device/backend.h"
#include "ops/device/matrix_speed.h"
#include "train/memory_estimate.h"

namespace cuset::train {
namespace {

constexpr double kLongRun = 3600;    // seconds
constexpr double kUsualShare = 0.5;  // of the speed of large matrix products that training reaches

uint64_t trained_parameters(const PlannedRun& run) {
  const ModelChoice& choice = run.settings.model;
  if (choice.full) return static_cast<uint64_t>(run.config.parameters());
  uint64_t trained = 0;
  for (const model::LoraTarget& target : model::lora_targets(run.config, choice.lora))
    trained += static_cast<uint64_t>(choice.lora.rank * (target.in + target.out));
  return trained;
}

struct Memory {
  std::string device;
  uint64_t bytes = 0;  // 0: nothing tells
};

Memory memory_of(int gpu) {
  if (gpu < 0) return {"this machine", base::usable_memory()};
  const base::GpuInfo card = ops::describe_tensor_backend().gpus.at(static_cast<size_t>(gpu));
  return {card.name, card.memory_bytes};
}

void say_memory(const PlannedRun& run, bool is_bfloat16) {
  const TrainingSettings& settings = run.settings;
  const uint64_t tokens = run.order.most_tokens();
  const MemoryEstimate estimate = estimate_memory({.config = run.config,
                                                   .type_bytes = is_bfloat16 ? 2u : 4u,
                                                   .trained = trained_parameters(run),
                                                   .full = settings.model.full,
                                                   .recompute = settings.step.recompute,
                                                   .gpu = run.gpu >= 0,
                                                   .tokens = tokens});
  const Memory memory = memory_of(run.gpu);
  base::log_info("memory: about {}; {} has {}", estimate.text(tokens), memory.device,
                 memory.bytes == 0 ? "an unknown amount" : base::human_bytes(memory.bytes));
  if (memory.bytes == 0 || estimate.total() <= memory.bytes) return;
  if (const uint64_t least = estimate.weights + estimate.trained; least > memory.bytes) {
    throw base::Error("weights and optimizer alone need {}, but {} has {}", base::human_bytes(least),
                      memory.device, base::human_bytes(memory.bytes))
        .with_remedy("{}a smaller model, or a machine with more memory", settings.model.full
                                                                             ? "finetuning_type: lora, "
                                                                         : is_bfloat16 ? ""
                                                                                       : "dtype: bfloat16, ");
  }
  base::log_warning("that is more than is available: lower cutoff_len{}",
                    settings.step.recompute ? "" : ", or set gradient_checkpointing: true");
}

void say_duration(const PlannedRun& run, bool is_bfloat16) {
  const auto ranks = static_cast<double>(run.settings.order.world);
  const double speed = ops::matrix_operations_per_second(run.gpu >= 0, is_bfloat16) * ranks * kUsualShare;
  const double seconds = operations_of(run) / speed;
  if (seconds < kLongRun) return;
  base::log_warning(
      "this run takes about {} here, by the speed of matrix products; shorter with a smaller max_steps, "
      "num_train_epochs or limit, a smaller model{}",
      base::human_duration(seconds), run.gpu >= 0 ? ", or more GPUs" : ", or a GPU");
}

}  // namespace

double operations_of(const PlannedRun& run) {
  const auto steps = static_cast<double>(run.order.steps());
  const double epochs =
      (steps - static_cast<double>(run.steps_done)) / static_cast<double>(run.order.steps_per_epoch());
  const double passes = 2 + (run.settings.model.full ? 1 : 0) + (run.settings.step.recompute ? 1 : 0);
  return 2 * passes * static_cast<double>(run.config.active_parameters()) * static_cast<double>(run.tokens) *
         epochs;
}

void say_before_loading(const PlannedRun& run) {
  if (run.config.experts > 0 && !run.settings.model.full) {
    base::log_info("adapter: on {} attention layers; experts and routers stay frozen",
                   model::lora_targets(run.config, run.settings.model.lora).size());
  }
  const model::Placement placement = run.settings.model.placement.resolve();
  model::warn_of_slow_type(placement);
  say_memory(run, placement.is_bfloat16());
  say_duration(run, placement.is_bfloat16());
}

}  // namespace cuset::train
