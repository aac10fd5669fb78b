#include "study/low_windows.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "base/stats/window_mean.h"

namespace cuset::study {
namespace {

// Where tokens below the threshold were last seen, while a window's end moves on.
class LowTokens {
 public:
  explicit LowTokens(double threshold) : threshold_(threshold) {}

  void pass(const AnalyzedToken& token, size_t place) {
    if (token.is_sensitive) any_sensitive_ = place;
    if (!(token.confidence < threshold_)) return;
    if (token.is_sensitive) sensitive_ = place;
    for (const cuda_source::RegionKind kind : kinds_in(token.kinds))
      of_kind_[static_cast<size_t>(kind)] = place;
  }

  bool has_sensitive_from(size_t begin) const { return sensitive_ && *sensitive_ >= begin; }

  bool has_any_sensitive_from(size_t begin) const { return any_sensitive_ && *any_sensitive_ >= begin; }

  KindSet kinds_from(size_t begin) const {
    KindSet kinds = kNoKinds;
    for (size_t i = 0; i < kRegionKinds; ++i) {
      if (of_kind_[i] && *of_kind_[i] >= begin) kinds |= only(static_cast<cuda_source::RegionKind>(i));
    }
    return kinds;
  }

 private:
  double threshold_;
  std::optional<size_t> sensitive_;
  std::optional<size_t> any_sensitive_;  // whatever its confidence
  std::array<std::optional<size_t>, kRegionKinds> of_kind_;
};

// Counts of kinds over windows.
struct KindCounts {
  std::array<size_t, kRegionKinds> low{};
  std::array<size_t, kRegionKinds> all{};

  void add(const ConfidenceWindow& window) {
    for (const cuda_source::RegionKind kind : kinds_in(window.kinds)) {
      ++all[static_cast<size_t>(kind)];
      if (window.is_low) ++low[static_cast<size_t>(kind)];
    }
  }

  std::vector<KindWindows> list() const {
    std::vector<KindWindows> kinds;
    for (size_t i = 0; i < kRegionKinds; ++i) {
      if (all[i] > 0) kinds.push_back({static_cast<cuda_source::RegionKind>(i), low[i], all[i]});
    }
    return kinds;
  }
};

bool less_certain(const ConfidenceWindow& a, const ConfidenceWindow& b) {
  return a.confidence < b.confidence;
}

// The lowest windows of one sample, no two of which share a token.
std::vector<ConfidenceWindow> lowest_of_sample(std::vector<ConfidenceWindow> windows, size_t most) {
  std::stable_sort(windows.begin(), windows.end(), less_certain);
  std::vector<ConfidenceWindow> chosen;
  for (const ConfidenceWindow& window : windows) {
    if (chosen.size() == most) break;
    const bool is_free = std::none_of(chosen.begin(), chosen.end(), [&](const ConfidenceWindow& other) {
      return window.begin < other.end && other.begin < window.end;
    });
    if (is_free) chosen.push_back(window);
  }
  return chosen;
}

}  // namespace

std::vector<ConfidenceWindow> windows_of(const AnalyzedSample& sample, double threshold,
                                         const WindowOptions& options) {
  CUSET_CHECK(options.size > 0 && options.stride > 0, "windows of {}, stride {}", options.size,
              options.stride);
  const std::vector<AnalyzedToken>& tokens = sample.tokens;
  const size_t size = std::min(options.size, tokens.size());
  if (size == 0) return {};
  base::WindowMeans means;
  for (const AnalyzedToken& token : tokens) means.add(token.confidence);
  LowTokens seen(threshold);
  std::vector<ConfidenceWindow> windows;
  size_t passed = 0;
  for (size_t begin = 0; begin + size <= tokens.size(); begin += options.stride) {
    ConfidenceWindow window;
    window.begin = begin;
    window.end = begin + size;
    for (; passed < window.end; ++passed) seen.pass(tokens[passed], passed);
    window.confidence = means.mean({begin, window.end});
    window.is_low = window.confidence < threshold;
    window.is_in_sensitive = seen.has_sensitive_from(begin);
    window.is_touching_sensitive = seen.has_any_sensitive_from(begin);
    window.kinds = seen.kinds_from(begin);
    windows.push_back(window);
  }
  return windows;
}

WindowMetrics window_metrics(std::span<const AnalyzedSample> samples, double threshold,
                             const WindowOptions& options) {
  WindowMetrics metrics;
  metrics.threshold = threshold;
  KindCounts kinds;
  for (const AnalyzedSample& sample : samples) {
    bool was_low = false;
    bool has_low = false;
    for (const ConfidenceWindow& window : windows_of(sample, threshold, options)) {
      ++metrics.count;
      metrics.low += window.is_low;
      metrics.low_regions += window.is_low && !was_low;
      metrics.all_in_sensitive += window.is_in_sensitive;
      metrics.all_touching += window.is_touching_sensitive;
      metrics.low_touching += window.is_low && window.is_touching_sensitive;
      metrics.low_in_sensitive += window.is_low && window.is_in_sensitive;
      kinds.add(window);
      was_low = window.is_low;
      has_low = has_low || window.is_low;
    }
    metrics.samples_with_low += has_low;
  }
  metrics.kinds = kinds.list();
  return metrics;
}

std::vector<LowWindow> find_lowest(std::span<const AnalyzedSample> samples, double threshold,
                                   const WindowOptions& options, size_t most) {
  std::vector<LowWindow> lowest;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const ConfidenceWindow& window :
         lowest_of_sample(windows_of(samples[i], threshold, options), most)) {
      lowest.push_back({i, window});
    }
    std::stable_sort(lowest.begin(), lowest.end(),
                     [](const LowWindow& a, const LowWindow& b) { return less_certain(a.window, b.window); });
    if (lowest.size() > most) lowest.resize(most);
  }
  return lowest;
}

}  // namespace cuset::study
