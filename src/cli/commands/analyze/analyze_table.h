// What `cuset analyze` prints: the two kinds of tokens side by side, the test in words, low windows by
// structure, and the code of the lowest windows with uncertain tokens in color.
#pragma once

#include <cstddef>
#include <string>

#include "study/analysis.h"

namespace cuset::cli {

struct AnalysisLook {
  size_t columns = 100;
  bool color = false;
};

std::string render_analysis(const study::Analysis& analysis, const AnalysisLook& look);

// "4.6e-39"; "1e-412" where p is below the range of double.
std::string probability_text(double log_p);

// "Kolmogorov-Smirnov: D = 0.213, p = 4.6e-39.", and a line that says what follows.
std::string test_in_words(const study::TokenMetrics& tokens);

}  // namespace cuset::cli
