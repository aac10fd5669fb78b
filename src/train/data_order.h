// The order in which a run sees its data: for every optimizer step the micro-batches, for every micro-batch
// the examples. A function of the lengths, the settings and the step alone, so that a run resumed at any step
// continues as if it had never stopped: epoch e draws from child e of one stream, nothing is replayed.
//
// What a step holds, with total = accumulation * world:
//   samples         batch * total examples, in micro-batches of `batch`
//   packed samples  the same examples, joined into as few micro-batches of at most `capacity` tokens as
//                   packing finds
//   packs           `total` packs of at most `capacity` tokens, each a micro-batch (data/packing.h)
// The last step of an epoch takes what is left, as Hugging Face's trainer does. The examples of a step
// depend neither on how batch * accumulation * world is split nor, for the first two, on packing.
//
// Micro-batch j of a step belongs to rank j % world. All ranks take the same number of steps; in one with
// few micro-batches a rank may have none.
//
// The first micro-batch of the run is the largest of the first epoch (for samples: it holds the longest
// example, and the first step's examples come longest first), so that a lack of memory shows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats/random.h"

namespace cuset::train {

enum class Batching { kSamples, kPackedSamples, kPacks };

struct DataOrderSettings {
  Batching batching = Batching::kPacks;
  size_t capacity = 4096;   // tokens of a pack; unused for kSamples
  size_t batch = 1;         // examples per micro-batch and rank; unused for kPacks
  size_t accumulation = 1;  // micro-batches per step and rank
  size_t world = 1;         // ranks
  double epochs = 3;
  uint64_t max_steps = 0;  // where above 0, it counts instead of the epochs
  uint64_t seed = 0;
};

// Examples that go through the model together.
struct MicroBatch {
  std::vector<size_t> examples;  // indices of the lengths given
  std::vector<uint64_t> turns;   // of each example: its number among all turns of the run, epoch * examples +
                                 // index; tells dropout masks of different epochs apart
  size_t tokens = 0;
};

struct StepData {
  uint64_t epoch = 0;
  std::vector<MicroBatch> micro_batches;  // of all ranks

  size_t tokens() const;
  size_t samples() const;
};

class DataOrder {
 public:
  // Throws UsageError for settings of 0, Error where there are no examples or one is over the capacity.
  DataOrder(std::vector<size_t> lengths, const DataOrderSettings& settings);

  uint64_t steps() const { return steps_; }  // of the run
  uint64_t steps_per_epoch() const { return steps_per_epoch_; }
  // Epochs done after so many steps, as 1.25.
  double epoch_after(uint64_t steps_done) const;

  // The data of the step that follows `steps_done` steps. Fast while steps of one epoch are asked for; the
  // first of another epoch orders that epoch's data. Thread-safe.
  StepData step(uint64_t steps_done) const;

  // The most tokens that a micro-batch of the run can hold: exact for packs, the sum of the `batch` longest
  // examples for samples.
  size_t most_tokens() const;

  // Eight hexadecimal digits that change with the lengths and with every setting that decides which examples
  // meet in a step; not with how a total is split, nor with the number of epochs.
  std::string fingerprint() const;

 private:
  using Group = std::vector<size_t>;  // examples of a micro-batch, or one example for the kinds of samples

  std::vector<Group> order_epoch(uint64_t epoch) const;
  std::vector<Group> shuffled_samples(base::RandomStream stream) const;
  std::vector<Group> shuffled_packs(const base::RandomStream& stream) const;
  std::vector<Group> micro_batches(std::vector<Group> groups, uint64_t steps_done) const;
  std::vector<Group> packed(const std::vector<Group>& samples, uint64_t steps_done) const;
  MicroBatch micro_batch(Group group, uint64_t epoch) const;
  size_t groups_per_step() const;
  size_t tokens_of(const Group& group) const;
  base::RandomStream stream_of(std::string_view purpose) const;

  std::vector<size_t> lengths_;
  DataOrderSettings settings_;
  uint64_t steps_per_epoch_ = 0;
  uint64_t steps_ = 0;

  mutable std::mutex mutex_;  // guards what follows: the epoch ordered last
  mutable uint64_t epoch_ = UINT64_MAX;
  mutable std::vector<Group> groups_;
};

// The micro-batches of `step` that belong to `rank`.
std::vector<MicroBatch> micro_batches_of_rank(const StepData& step, size_t rank, size_t world);

}  // namespace cuset::train
