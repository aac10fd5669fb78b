// Cases whose right answer is known by construction: regions of low confidence are planted, and exactly the
// windows that they pull below the threshold must be found.
#include "study/low_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/stats/random.h"

namespace cuset::study {
namespace {

constexpr double kThreshold = 0.5;
constexpr float kHigh = 0.75F;

AnalyzedSample sample_of(std::vector<float> confidences) {
  AnalyzedSample sample;
  sample.id = "sample";
  for (size_t i = 0; i < confidences.size(); ++i) {
    AnalyzedToken token;
    token.confidence = confidences[i];
    token.index = static_cast<uint32_t>(i);
    sample.tokens.push_back(token);
  }
  return sample;
}

void plant(AnalyzedSample& sample, size_t begin, size_t end, float confidence, cuda_source::RegionKind kind) {
  for (size_t i = begin; i < end; ++i) {
    sample.tokens[i].confidence = confidence;
    sample.tokens[i].kinds |= only(kind);
    sample.tokens[i].is_sensitive = true;
  }
}

std::vector<size_t> low_begins(const AnalyzedSample& sample, const WindowOptions& options) {
  std::vector<size_t> begins;
  for (const ConfidenceWindow& window : windows_of(sample, kThreshold, options)) {
    if (window.is_low) begins.push_back(window.begin);
  }
  return begins;
}

std::vector<size_t> from_to(size_t first, size_t last) {
  std::vector<size_t> numbers(last - first + 1);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

TEST(LowWindows, PlantedRegionIsFoundToTheToken) {
  // With k planted tokens of 0.25 among 0.75, a window of 64 has the mean 0.75 - k/128: below 0.5 from
  // k = 33 on.
  AnalyzedSample sample = sample_of(std::vector<float>(400, kHigh));
  plant(sample, 200, 240, 0.25F, cuda_source::RegionKind::kSharedMemory);
  // 33 of the tokens 200..239 lie in b..b+63 for b + 63 >= 232 and b <= 207.
  EXPECT_EQ(low_begins(sample, {}), from_to(169, 207));
}

TEST(LowWindows, MeanAtTheThresholdIsNotLow) {
  AnalyzedSample sample = sample_of(std::vector<float>(128, kHigh));
  plant(sample, 32, 64, 0.25F, cuda_source::RegionKind::kSharedMemory);
  for (const ConfidenceWindow& window : windows_of(sample, kThreshold, {})) {
    EXPECT_GE(window.confidence, kThreshold);
    EXPECT_FALSE(window.is_low);
  }
  EXPECT_EQ(windows_of(sample, kThreshold, {})[0].confidence, kThreshold);
  sample.tokens[10].confidence = 0.75F - 0x1p-20F;
  EXPECT_EQ(low_begins(sample, {}), from_to(0, 10)) << "those that hold token 10 and all planted ones";
}

TEST(LowWindows, StrideSizeAndShortSamples) {
  const AnalyzedSample sample = sample_of(std::vector<float>(10, kHigh));
  const auto begins_and_ends = [&](const WindowOptions& options) {
    std::vector<std::pair<size_t, size_t>> found;
    for (const ConfidenceWindow& window : windows_of(sample, kThreshold, options)) {
      found.emplace_back(window.begin, window.end);
    }
    return found;
  };
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(begins_and_ends({.size = 8, .stride = 1}), (Pairs{{0, 8}, {1, 9}, {2, 10}}));
  EXPECT_EQ(begins_and_ends({.size = 4, .stride = 3}), (Pairs{{0, 4}, {3, 7}, {6, 10}}));
  EXPECT_EQ(begins_and_ends({.size = 4, .stride = 100}), (Pairs{{0, 4}}));
  EXPECT_EQ(begins_and_ends({.size = 64, .stride = 1}), (Pairs{{0, 10}})) << "clipped to the sample";
  EXPECT_TRUE(windows_of(sample_of({}), kThreshold, {}).empty());
}

TEST(LowWindows, KindsAreThoseOfTokensBelowTheThreshold) {
  AnalyzedSample sample = sample_of(std::vector<float>(40, 0.75F));
  plant(sample, 5, 8, 0.1F, cuda_source::RegionKind::kSynchronization);
  plant(sample, 20, 30, 0.9F, cuda_source::RegionKind::kGlobalMemory);  // certain: counts for no window
  sample.tokens[33].confidence = 0.2F;                                  // neutral
  const WindowOptions options{.size = 4, .stride = 1};
  for (const ConfidenceWindow& window : windows_of(sample, kThreshold, options)) {
    const bool meets = window.begin < 8 && window.end > 5;
    EXPECT_EQ(window.is_in_sensitive, meets) << window.begin;
    EXPECT_EQ(window.is_touching_sensitive, meets || (window.begin < 30 && window.end > 20)) << window.begin;
    EXPECT_EQ(window.kinds, meets ? only(cuda_source::RegionKind::kSynchronization) : kNoKinds)
        << window.begin;
  }
}

TEST(LowWindows, EqualsTheSumDoneAnewForEveryWindow) {
  base::RandomStream stream(1, "windows");
  for (int round = 0; round < 30; ++round) {
    AnalyzedSample sample = sample_of(std::vector<float>(1 + stream.below(300), 0));
    for (AnalyzedToken& token : sample.tokens) {
      token.confidence = static_cast<float>(stream.uniform());
      token.kinds = static_cast<KindSet>(stream.below(1 << kRegionKinds));
      token.is_sensitive = stream.below(2) == 0;
    }
    const WindowOptions options{.size = 1 + stream.below(80), .stride = 1 + stream.below(5)};
    for (const ConfidenceWindow& window : windows_of(sample, kThreshold, options)) {
      double sum = 0;
      KindSet kinds = kNoKinds;
      bool sensitive = false;
      bool touching = false;
      for (size_t i = window.begin; i < window.end; ++i) {
        const AnalyzedToken& token = sample.tokens[i];
        sum += token.confidence;
        touching = touching || token.is_sensitive;
        if (token.confidence >= kThreshold) continue;
        kinds |= token.kinds;
        sensitive = sensitive || token.is_sensitive;
      }
      EXPECT_NEAR(window.confidence, sum / static_cast<double>(window.end - window.begin), 1e-12);
      EXPECT_EQ(window.kinds, kinds);
      EXPECT_EQ(window.is_in_sensitive, sensitive);
      EXPECT_EQ(window.is_touching_sensitive, touching);
    }
  }
}

TEST(WindowMetrics, CountSamplesRegionsAndKinds) {
  std::vector<AnalyzedSample> samples;
  for (int i = 0; i < 4; ++i) samples.push_back(sample_of(std::vector<float>(30, kHigh)));
  plant(samples[0], 2, 6, 0.0F, cuda_source::RegionKind::kSharedMemory);
  plant(samples[0], 20, 24, 0.0F, cuda_source::RegionKind::kSharedMemory);
  plant(samples[2], 10, 14, 0.0F, cuda_source::RegionKind::kLaunchConfiguration);
  for (size_t i = 10; i < 14; ++i) samples[3].tokens[i].confidence = 0;  // neutral
  const WindowMetrics metrics = window_metrics(samples, kThreshold, {.size = 4, .stride = 1});
  EXPECT_EQ(metrics.count, 4 * 27u);
  // k zeros among 4 give 0.75 (4 - k) / 4: below 0.5 from k = 2 on, so 5 windows for each planted region.
  EXPECT_EQ(metrics.low, 20u);
  EXPECT_EQ(metrics.low_regions, 4u);
  EXPECT_EQ(metrics.samples_with_low, 3u);
  EXPECT_EQ(metrics.low_in_sensitive, 15u);
  EXPECT_EQ(metrics.low_touching, 15u);
  EXPECT_EQ(metrics.all_in_sensitive, 20u) << "6 that hold a token of 2..5, 7 of each of the others";
  ASSERT_EQ(metrics.kinds.size(), 2u);
  EXPECT_EQ(metrics.kinds[0].kind, cuda_source::RegionKind::kLaunchConfiguration);
  EXPECT_EQ(metrics.kinds[0].low, 5u);
  EXPECT_EQ(metrics.kinds[0].all, 7u);
  EXPECT_EQ(metrics.kinds[1].low, 10u);
  EXPECT_EQ(metrics.kinds[1].all, 13u);
}

TEST(FindLowest, PlantedRegionsLowestFirstWithoutOverlap) {
  std::vector<AnalyzedSample> samples;
  for (int i = 0; i < 3; ++i) samples.push_back(sample_of(std::vector<float>(500, kHigh)));
  plant(samples[1], 100, 164, 0.125F, cuda_source::RegionKind::kSharedMemory);
  plant(samples[2], 300, 364, 0.0625F, cuda_source::RegionKind::kSynchronization);
  plant(samples[1], 400, 464, 0.25F, cuda_source::RegionKind::kGlobalMemory);
  const std::vector<LowWindow> lowest = find_lowest(samples, kThreshold, {}, 3);
  ASSERT_EQ(lowest.size(), 3u);
  const std::vector<std::pair<size_t, size_t>> wanted = {{2, 300}, {1, 100}, {1, 400}};
  const std::vector<double> confidences = {0.0625, 0.125, 0.25};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lowest[i].sample, wanted[i].first);
    EXPECT_EQ(lowest[i].window.begin, wanted[i].second);
    EXPECT_EQ(lowest[i].window.end, wanted[i].second + 64);
    EXPECT_EQ(lowest[i].window.confidence, confidences[i]);
  }
}

TEST(FindLowest, EqualsTheGreedyChoiceAmongAllWindows) {
  base::RandomStream stream(2, "lowest");
  std::vector<AnalyzedSample> samples;
  for (int i = 0; i < 6; ++i) {
    std::vector<float> values(20 + stream.below(100));
    for (float& p : values) p = static_cast<float>(stream.below(8)) / 8;
    samples.push_back(sample_of(std::move(values)));
  }
  const WindowOptions options{.size = 7, .stride = 2};
  std::vector<LowWindow> all;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const ConfidenceWindow& window : windows_of(samples[i], kThreshold, options))
      all.push_back({i, window});
  }
  std::stable_sort(all.begin(), all.end(), [](const LowWindow& a, const LowWindow& b) {
    return a.window.confidence < b.window.confidence;
  });
  std::vector<LowWindow> wanted;
  for (const LowWindow& candidate : all) {
    const bool is_free = std::none_of(wanted.begin(), wanted.end(), [&](const LowWindow& chosen) {
      return chosen.sample == candidate.sample && chosen.window.begin < candidate.window.end &&
             candidate.window.begin < chosen.window.end;
    });
    if (is_free && wanted.size() < 12) wanted.push_back(candidate);
  }
  const std::vector<LowWindow> lowest = find_lowest(samples, kThreshold, options, 12);
  ASSERT_EQ(lowest.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(lowest[i].sample, wanted[i].sample) << i;
    EXPECT_EQ(lowest[i].window.begin, wanted[i].window.begin) << i;
  }
}

}  // namespace
}  // namespace cuset::study
