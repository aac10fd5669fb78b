#include "train/run_start.h"

#include <ATen/Parallel.h>

#include <cstdlib>

#include "base/human_readable.h"
#include "base/log.h"
#include "model/model_folder.h"
#include "ops/device/cpu_threads.h"
#include "train/run_folder.h"

namespace cuset::train {
namespace {

// Whether the user named a number of threads.
bool names_threads(const model::Placement& placement) {
  return placement.threads > 0 || std::getenv("OMP_NUM_THREADS") != nullptr;
}

}  // namespace

std::optional<SavedTraining> open_saved(const RunFolderChoice& choice) {
  const auto checkpoint = checkpoint_to_resume(choice);
  if (!checkpoint) return std::nullopt;
  return open_training_checkpoint(*checkpoint);
}

void take_threads_of_run(const SavedTraining& saved, const model::Placement& placement, const Ranks& ranks) {
  const std::vector<int64_t>& recorded = saved.run.threads;
  if (ranks.gpu() >= 0 || recorded.size() != static_cast<size_t>(ranks.size())) return;
  const int64_t before = recorded.at(static_cast<size_t>(ranks.rank()));
  constexpr int64_t kMost = 4096;  // more is a damaged file
  if (before < 1 || before > kMost || before == at::get_num_threads()) return;
  if (!names_threads(placement)) {
    ops::use_cpu_threads(before);
  } else {
    base::log_warning("{} threads, but the run in {} has {}: the result will differ in its last bits",
                      at::get_num_threads(), saved.path.string(), before);
  }
}

void say_model(const ModelChoice& choice, model::Decoder& decoder) {
  const auto trained = static_cast<double>(decoder.trained().size());
  const auto all = static_cast<double>(decoder.config().parameters());
  base::log_info(
      "model: {}, {} with {} parameters in {}{}; trained: {} ({:.2f} %), {}", choice.folder.string(),
      model::name_of(decoder.config().model_class), base::human_count(all),
      model::name_of_type(decoder.type()), choice.from_scratch ? ", random weights" : "",
      base::human_count(trained), 100 * trained / all,
      choice.full ? std::string("every weight") : fmt::format("LoRA of rank {}", choice.lora.rank));
}

}  // namespace cuset::train
