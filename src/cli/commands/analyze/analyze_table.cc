#include "cli/commands/analyze/analyze_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/console.h"
#include "base/error.h"
#include "base/table_text.h"

namespace cuset::cli {
namespace {

constexpr size_t kWindowsWithCode = 3;  // of the lowest
constexpr size_t kLinesOfWindow = 8;
constexpr double kSignificant = 0.01;

// A density as blocks. Heights are square roots, so that the few uncertain tokens can be seen beside the
// many certain ones.
std::string bars_of(const std::vector<double>& density) {
  static constexpr std::array kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> heights;
  for (size_t i = 0; i + 1 < density.size(); i += 2) {
    heights.push_back(std::sqrt((density[i] + density[i + 1]) / 2));
  }
  const double highest = *std::max_element(heights.begin(), heights.end());
  std::string bars;
  for (const double height : heights) {
    // What is there at all shows at least the lowest block.
    bars += kBlocks[static_cast<size_t>(std::ceil(height / highest * (kBlocks.size() - 1)))];
  }
  return bars;
}

std::string row_of(std::string_view name, const study::ConfidenceSpread& spread, size_t all) {
  return fmt::format("{:<15} {:>9} {:>8}  {:>6.3f}  {:>6.3f}  {:>6.3f} - {:<6.3f}  |{}|\n", name,
                     spread.tokens, base::percent(spread.tokens, all), spread.mean, spread.median,
                     spread.lower_quartile, spread.upper_quartile, bars_of(spread.density));
}

std::string render_tokens(const study::TokenMetrics& tokens) {
  const size_t all = tokens.sensitive.tokens + tokens.neutral.tokens;
  const std::string header = fmt::format("{:<15} {:>9} {:>8}  {:>6}  {:>6}  {:<15}   {}\n", "", "tokens", "",
                                         "mean", "median", "quartiles", "confidence 0 to 1");
  return header + row_of("CUDA-sensitive", tokens.sensitive, all) + row_of("neutral", tokens.neutral, all);
}

std::string render_windows(const study::Analysis& analysis) {
  const study::WindowMetrics& windows = analysis.windows;
  std::string out = fmt::format(
      "Windows of {}, stride {}: {} of {} ({}) are low, with a mean below {:.3f}, that of neutral tokens.\n",
      base::counted(analysis.options.windows.size, "token"), analysis.options.windows.stride, windows.low,
      windows.count, base::percent(windows.low, windows.count), windows.threshold);
  if (windows.low == 0) return out;
  return out +
         fmt::format(
             "{} of the samples have one. {} of the low windows hold CUDA-sensitive tokens below {:.3f} "
             "(of all windows {}),\n{} hold any CUDA-sensitive token (of all windows {}).\n",
             base::percent(windows.samples_with_low, analysis.samples),
             base::percent(windows.low_in_sensitive, windows.low), windows.threshold,
             base::percent(windows.all_in_sensitive, windows.count),
             base::percent(windows.low_touching, windows.low),
             base::percent(windows.all_touching, windows.count));
}

// Structures, those of most low windows first.
std::string render_kinds(const study::Analysis& analysis) {
  const study::WindowMetrics& windows = analysis.windows;
  const study::KindSet sensitive = study::sensitive_kinds(analysis.options.sensitivity);
  std::vector<study::KindWindows> order = windows.kinds;
  std::stable_sort(order.begin(), order.end(),
                   [](const study::KindWindows& a, const study::KindWindows& b) { return a.low > b.low; });
  std::string out = fmt::format("{:<22} {:>9}  {:>6}  {:>14}  {:>14}\n", "structure", "tokens", "mean",
                                "in low windows", "in all windows");
  for (const study::KindWindows& kind : order) {
    const auto kind_metrics =
        std::find_if(analysis.tokens.kinds.begin(), analysis.tokens.kinds.end(),
                     [&](const study::KindConfidence& other) { return other.kind == kind.kind; });
    CUSET_CHECK(kind_metrics != analysis.tokens.kinds.end(), "{} has windows but no token",
                cuda_source::name_of(kind.kind));
    out += fmt::format(
        "{:<22} {:>9}  {:>6.3f}  {:>14}  {:>14}\n",
        fmt::format("{}{}", cuda_source::name_of(kind.kind), study::holds(sensitive, kind.kind) ? " *" : ""),
        kind_metrics->tokens, kind_metrics->mean, base::percent(kind.low, windows.low),
        base::percent(kind.all, windows.count));
  }
  return out + "* CUDA-sensitive\n";
}

std::string_view color_of(float confidence) {
  if (confidence < 0.1F) return "\033[1;38;5;167m";
  return confidence < 0.5F ? "\033[38;5;172m" : "";
}

// The window's code, a line each with its number; tokens below 0.1 and 0.5 in color.
std::string render_code(const study::ShownWindow& window, const AnalysisLook& look) {
  std::vector<std::string> lines = {window.begins_line ? "" : "…"};
  std::vector<size_t> widths = {base::columns_of(lines[0])};
  const size_t most = look.columns > 20 ? look.columns - 12 : 8;
  for (const auto& [text, confidence] : window.tokens) {
    const std::string_view color = look.color ? color_of(confidence) : "";
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string part = base::printable(std::string_view(text).substr(begin, end - begin));
      const std::string_view cut = base::first_columns(part, most - std::min(most, widths.back()));
      widths.back() += base::columns_of(cut);
      lines.back() +=
          color.empty() || cut.empty() ? std::string(cut) : fmt::format("{}{}\033[0m", color, cut);
      if (end == text.size()) break;
      lines.emplace_back();
      widths.push_back(0);
      begin = end + 1;
    }
  }
  std::string out;
  for (size_t i = 0; i < std::min(kLinesOfWindow, lines.size()); ++i) {
    out += fmt::format("    {:>4} | {}\n", window.line + i, lines[i]);
  }
  if (lines.size() > kLinesOfWindow)
    out += fmt::format("         | ... {}\n", base::counted(lines.size() - kLinesOfWindow, "more line"));
  return out;
}

std::string render_lowest(const study::Analysis& analysis, const AnalysisLook& look) {
  if (analysis.lowest.empty()) return "";
  std::string out = "\nlowest windows, mean confidence first:\n";
  for (size_t i = 0; i < analysis.lowest.size(); ++i) {
    const study::ShownWindow& window = analysis.lowest[i];
    const std::string line = fmt::format(
        "{:>2}  {:.3f}  {} line {}  {}", i + 1, window.confidence, base::printable(window.sample),
        window.line, window.kinds == study::kNoKinds ? "neutral code" : study::names_of(window.kinds, ", "));
    out += fmt::format("{}\n", base::first_columns(line, look.columns));
    if (i < kWindowsWithCode) out += render_code(window, look);
  }
  return out;
}

}  // namespace

std::string probability_text(double log_p) {
  const double log10_p = log_p / std::log(10.0);
  if (log10_p > -3) return fmt::format("{:.2g}", std::exp(log_p));
  const double exponent = std::floor(log10_p);
  return fmt::format("{:.1f}e{:.0f}", std::pow(10.0, log10_p - exponent), exponent);
}

std::string test_in_words(const study::TokenMetrics& tokens) {
  const std::string numbers = fmt::format("Kolmogorov-Smirnov: D = {:.3f}, p = {}.\n", tokens.test.statistic,
                                          probability_text(tokens.test.log_p_value));
  if (tokens.test.log_p_value > std::log(kSignificant)) {
    return numbers + "Sensitive and neutral tokens cannot be told apart by confidence.";
  }
  const bool sensitive_higher = tokens.sensitive.mean > tokens.neutral.mean;
  return numbers + fmt::format("The two distributions differ; on average {} tokens are the more confident.",
                               sensitive_higher ? "CUDA-sensitive" : "neutral");
}

std::string render_analysis(const study::Analysis& analysis, const AnalysisLook& look) {
  const size_t tokens = analysis.tokens.sensitive.tokens + analysis.tokens.neutral.tokens;
  std::string out = fmt::format("{}, {} of code\n\n", base::counted(analysis.samples, "sample"),
                                base::counted(tokens, "token"));
  out += render_tokens(analysis.tokens) + "\n" + test_in_words(analysis.tokens) + "\n\n";
  out += render_windows(analysis);
  if (!analysis.windows.kinds.empty()) out += "\n" + render_kinds(analysis);
  return out + render_lowest(analysis, look);
}

}  // namespace cuset::cli
