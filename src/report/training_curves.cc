#include "report/training_curves.h"

#include <map>

#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/stats/rounding.h"

namespace cuset::report {
namespace {

struct Curve {
  std::vector<double> x;
  std::vector<double> y;
};

double mean_of(const std::vector<double>& values, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; ++i) sum += values[i];
  return sum / static_cast<double>(end - begin);
}

base::Json json_of(const Curve& curve) {
  const size_t count = curve.x.size();
  const size_t points = std::min(count, kMostPoints);
  base::Json x = base::Json::array();
  base::Json y = base::Json::array();
  for (size_t i = 0; i < points; ++i) {
    const size_t begin = i * count / points;
    const size_t end = (i + 1) * count / points;
    x.push_back(base::five_digits(mean_of(curve.x, begin, end)));
    y.push_back(base::five_digits(mean_of(curve.y, begin, end)));
  }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

// The last of each of kMostWindows equal stretches of the run.
base::Json chosen_windows(const std::vector<base::Json>& windows) {
  base::Json chosen = base::Json::array();
  const size_t count = std::min(windows.size(), kMostWindows);
  for (size_t i = 0; i < count; ++i) chosen.push_back(windows[(i + 1) * windows.size() / count - 1]);
  return chosen;
}

}  // namespace

base::Json read_training_curves(const std::filesystem::path& metrics) {
  base::JsonlReader reader(metrics, {.torn_line = base::TornLine::kIgnore});
  std::map<std::string, Curve> curves;
  std::vector<base::Json> windows;
  while (std::optional<base::Json> record = reader.next()) {
    const std::string place = reader.place();
    const double step = base::JsonCursor(*record, place).at("step").number();
    for (const auto& [name, value] : record->items()) {
      if (name == "step" || name == "epoch") continue;
      if (value.is_number()) {
        curves[name].x.push_back(step);
        curves[name].y.push_back(value.get<double>());
      } else if (name == "lowest_window" && value.is_object()) {
        windows.push_back(value);
        windows.back()["step"] = (*record)["step"];
      }
    }
  }
  base::Json all = base::Json::object();
  for (const auto& [name, curve] : curves) all[name] = json_of(curve);
  return {{"curves", std::move(all)}, {"windows", chosen_windows(windows)}};
}

}  // namespace cuset::report
