#include "train/early_stop.h"

#include <cmath>

#include "train/records/state_field.h"

namespace cuset {

bool EarlyStop::observe(int64_t step, double value) {
  const bool first = !best_ && !std::isnan(value);
  const bool better = first || (best_ && is_better(value, best_->value));
  const bool enough = first || (better && std::abs(value - best_->value) > settings_.min_delta);
  disappointments_ = enough ? 0 : disappointments_ + 1;
  if (better) best_ = Best{step, value};
  return better;
}

Json EarlyStop::state() const {
  Json state = {{"disappointments", disappointments_}};
  if (best_) state["best"] = {{"step", best_->step}, {"value", best_->value}};
  return state;
}

void EarlyStop::restore(const Json& state, std::string_view name) {
  disappointments_ = integer_field(state, "disappointments", name);
  best_.reset();
  if (!state.contains("best")) return;
  const Json& best = object_field(state, "best", name);
  best_ = Best{integer_field(best, "step", name), number_field(best, "value", name)};
}

}  // namespace cuset
