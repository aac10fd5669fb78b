// What `cuset verify` prints at its end: rates with intervals, verdicts by outcome with an example each, speed.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "judge/results/summary.h"
#include "judge/verdict/verdict.h"

namespace cuset::cli {

// "softmax#2".
std::string answer_name(const judge::Verdict& verdict);

// "33.3 % (20.1 to 45.0)", or "-".
std::string estimate_text(const std::optional<base::Estimate>& estimate);

// Several lines. `columns` is where explanations are cut.
std::string render_verification(const judge::Summary& summary, std::span<const judge::Verdict> verdicts,
                                size_t columns);

}  // namespace cuset::cli
