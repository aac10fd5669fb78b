// The gradient of one optimizer step, the same however its examples are split into micro-batches, packs and
// ranks:
//
//   1. the micro-batches of this rank, each with the gradient scale 1 / N     (train/forward_backward.h)
//   2. sums of gradients and metrics over all ranks
//   3. for the loss denominator `weights`: times N / sum of W, which is known only now
//   4. clipping
//   5. metrics read back, in one copy
//
// N, tokens or samples of all micro-batches of all ranks, follows from the examples: nobody has to be asked.
#pragma once

#include <vector>

#include "data/example.h"
#include "model/decoder.h"
#include "train/data_order.h"
#include "train/forward_backward.h"
#include "train/ranks/ranks.h"
#include "train/step_metrics.h"
#include "train/training_settings.h"

namespace cuset::train {

// A row of the data and how its loss stands out.
struct OffendingRow {
  std::string place;  // "data.jsonl:7"
  double loss = 0;    // mean of its tokens; not a number or infinite where one token's is
};

class TrainingStep {
 public:
  // Borrows all but the settings.
  TrainingStep(model::Decoder& decoder, const std::vector<data::Example>& examples, const Ranks& ranks,
               const StepSettings& settings, uint64_t seed);

  // Leaves the clipped gradient in decoder.trained(). `progress` of the run is in [0, 1]; `signalled` tells
  // the other ranks that this one was asked to stop.
  StepMetrics run(const StepData& data, double progress, bool signalled = false);

  // The rows of `data` with the worst losses, worst first: those that are not finite, else the `most`
  // largest. All ranks call it; each gets the same list.
  std::vector<OffendingRow> offending_rows(const StepData& data, double progress, size_t most = 3);

 private:
  ForwardBackwardOptions options(double progress) const;
  TrainingBatch batch_of(const MicroBatch& micro_batch) const;
  int64_t supervised(const StepData& data) const;
  StepSums run_micro_batches(const StepData& data, const ForwardBackwardOptions& options);
  void divide_by_weights(const StepSums& sums, double count);

  model::Decoder* decoder_;
  const std::vector<data::Example>* examples_;
  const Ranks* ranks_;
  StepSettings settings_;
  uint64_t dropout_seed_;
};

}  // namespace cuset::train
