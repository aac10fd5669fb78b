#include "verify/judge/trial_report.h"

#include <fmt/format.h>

#include <cmath>

namespace cuset {
namespace {

// NaN has a sign that nobody asks for.
std::string shown(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.9g}", value); }

}  // namespace

double fraction_right(const std::vector<OutputComparison>& outputs) {
  uint64_t elements = 0, wrong = 0;
  for (const OutputComparison& output : outputs) {
    elements += output.elements;
    wrong += output.wrong;
  }
  return elements == 0 ? 0 : 1 - static_cast<double>(wrong) / static_cast<double>(elements);
}

std::string explain_wrong(const Trial& trial) {
  for (const OutputComparison& output : trial.outputs) {
    if (output.wrong == 0) continue;
    const Difference& first = output.first[0];
    return fmt::format("{}[{}] is {}, wanted {}; {} of {} wrong on {} inputs", output.output, first.index,
                       shown(first.got), shown(first.wanted), output.wrong, output.elements,
                       name_of(trial.variation));
  }
  return "";
}

}  // namespace cuset
