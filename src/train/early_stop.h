// Watches the evaluation metric: which step was best, and whether improvement has ended.
//
// As Hugging Face's trainer and its EarlyStoppingCallback: any better value is the new best; the count of
// disappointing evaluations goes back to 0 only where the value beats the best before it by more than
// min_delta, and the run stops when the count reaches the patience. A value that is not a number is a
// disappointment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json/json.h"

namespace cuset::train {

struct EarlyStopSettings {
  int64_t patience = 0;  // evaluations; 0: never stop
  double min_delta = 0;
  bool greater_is_better = false;
};

class EarlyStop {
 public:
  struct Best {
    int64_t step = 0;
    double value = 0;
    friend bool operator==(const Best&, const Best&) = default;
  };

  explicit EarlyStop(const EarlyStopSettings& settings) : settings_(settings) {}

  // Takes the metric evaluated after `step`; true where it is the best so far.
  bool observe(int64_t step, double value);

  bool should_stop() const { return settings_.patience > 0 && disappointments_ >= settings_.patience; }
  const std::optional<Best>& best() const { return best_; }
  int64_t disappointments() const { return disappointments_; }

  // For state.json, and back. `name` (a file) opens the message of the Error thrown for malformed input.
  base::Json state() const;
  void restore(const base::Json& state, std::string_view name);

 private:
  bool is_better(double value, double than) const {
    return settings_.greater_is_better ? value > than : value < than;
  }

  EarlyStopSettings settings_;
  std::optional<Best> best_;
  int64_t disappointments_ = 0;
};

}  // namespace cuset::train
