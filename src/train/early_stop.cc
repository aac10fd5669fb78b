#include "train/early_stop.h"

#include <cmath>

#include "base/json/json_cursor.h"
#include "train/records/checkpoint_folder.h"

namespace cuset::train {

bool EarlyStop::observe(int64_t step, double value) {
  const bool first = !best_ && !std::isnan(value);
  const bool better = first || (best_ && is_better(value, best_->value));
  const bool enough = first || (better && std::abs(value - best_->value) > settings_.min_delta);
  disappointments_ = enough ? 0 : disappointments_ + 1;
  if (better) best_ = Best{step, value};
  return better;
}

base::Json EarlyStop::state() const {
  base::Json state = {{"disappointments", disappointments_}};
  if (best_) state["best"] = {{"step", best_->step}, {"value", best_->value}};
  return state;
}

void EarlyStop::restore(const base::Json& state, std::string_view name) {
  const base::JsonCursor saved = base::JsonCursor(state, name, "early_stop").with_remedy(kUseOtherCheckpoint);
  disappointments_ = saved.at("disappointments").integer();
  best_.reset();
  if (!state.contains("best")) return;
  const base::JsonCursor best = saved.at("best");
  best_ = Best{best.at("step").integer(), best.at("value").number()};
}

}  // namespace cuset::train
