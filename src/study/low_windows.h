// Sliding windows over the tokens of a sample, and those of low confidence (the paper's Fig. 2).
//
//   window            tokens b .. b + size - 1 for b = 0, stride, 2 stride, ...; only whole windows, but a
//                     sample with fewer tokens than `size` has one window that holds them all
//   confidence        mean p of its tokens
//   low               confidence < threshold; the threshold is the mean p of all neutral tokens
//   of a kind         it holds a token of that kind whose own p < threshold
//   in a sensitive structure        it holds a CUDA-sensitive token whose own p < threshold
//   touching a sensitive structure  it holds any CUDA-sensitive token
//
// O(tokens) for any size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "study/analyzed_sample.h"

namespace cuset::study {

struct WindowOptions {
  size_t size = 64;  // tokens
  size_t stride = 1;
};

struct ConfidenceWindow {
  size_t begin = 0;  // of AnalyzedSample::tokens
  size_t end = 0;
  double confidence = 0;
  bool is_low = false;
  bool is_in_sensitive = false;
  bool is_touching_sensitive = false;
  KindSet kinds = kNoKinds;  // of the tokens below the threshold
};

// In order. `threshold` as above.
std::vector<ConfidenceWindow> windows_of(const AnalyzedSample& sample, double threshold,
                                         const WindowOptions& options);

struct KindWindows {
  cuda_source::RegionKind kind;
  size_t low = 0;  // low windows of the kind
  size_t all = 0;  // windows of the kind
};

struct WindowMetrics {
  double threshold = 0;
  size_t count = 0;
  size_t low = 0;
  size_t low_regions = 0;       // runs of low windows without a window between them that is not low
  size_t samples_with_low = 0;  // samples that have a low window
  size_t low_in_sensitive = 0;  // low windows in sensitive structures
  size_t low_touching = 0;      // low windows that touch one
  size_t all_touching = 0;
  size_t all_in_sensitive = 0;     // windows in sensitive structures, for comparison
  std::vector<KindWindows> kinds;  // those that occur in a window
};

WindowMetrics window_metrics(std::span<const AnalyzedSample> samples, double threshold,
                             const WindowOptions& options);

struct LowWindow {
  size_t sample = 0;  // of the samples given
  ConfidenceWindow window;
};

// The `most` windows of least confidence, lowest first, no two of which share a token. Of equal ones the
// first in the order of the samples.
std::vector<LowWindow> find_lowest(std::span<const AnalyzedSample> samples, double threshold,
                                   const WindowOptions& options, size_t most);

}  // namespace cuset::study
