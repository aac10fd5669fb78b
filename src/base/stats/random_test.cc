#include "base/stats/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "base/json/json.h"
#include "base/stats/kolmogorov_smirnov.h"
#include "base/stats/statistics.h"

namespace cuset::base {
namespace {

// Streams made by testdata/statistics/make_reference.py.
const Json& reference_streams() {
  static const Json value = read_json_file("testdata/statistics/random.json");
  return value["streams"];
}

RandomStream stream_of(const Json& row) {
  RandomStream stream(RandomStream::State{.key = row["seed"]});
  for (const auto& name : row["path"]) {
    stream = name.is_string() ? stream.child(name.get<std::string>()) : stream.child(name.get<uint64_t>());
  }
  return stream;
}

// Sum of (observed - expected)^2 / expected over equally likely cells.
double chi_square(const std::vector<size_t>& observed) {
  size_t total = 0;
  for (const size_t count : observed) total += count;
  const double expected = static_cast<double>(total) / static_cast<double>(observed.size());
  double sum = 0;
  for (const size_t count : observed) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

// Chi-square with `cells` - 1 degrees of freedom lies below this but once in a million times
// (Wilson-Hilferty).
double chi_square_limit(size_t cells) {
  const double freedom = static_cast<double>(cells - 1);
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + 4.7534 * std::sqrt(spread), 3);
}

// The three lines "philox4x32 10" of Random123's tests/kat_vectors.
TEST(Philox, KnownAnswersOfRandom123) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IdentityAndIntegersMatchTheReference) {
  for (const auto& row : reference_streams()) {
    const RandomStream start = stream_of(row);
    EXPECT_EQ(start.state(), (RandomStream::State{row["key"], row["line"], 0}));
    RandomStream words = start;
    for (const auto& want : row["u32"]) EXPECT_EQ(words.next_u32(), want.get<uint32_t>());
    RandomStream pairs = start;
    for (const auto& want : row["u64"]) EXPECT_EQ(pairs.next_u64(), want.get<uint64_t>());
    RandomStream bounded = start;
    for (const auto& want : row["below"]) EXPECT_EQ(bounded.below(want[0]), want[1].get<uint64_t>()) << want;
    EXPECT_EQ(RandomStream(start).permutation(12), row["permutation_12"].get<std::vector<size_t>>());
    EXPECT_EQ(RandomStream(start).sample_without_replacement(6, 10),
              row["sample_6_of_10"].get<std::vector<size_t>>());
    EXPECT_EQ(RandomStream(start).sample_without_replacement(4, 1'000'000'000'000'000),
              row["sample_4_of_1e15"].get<std::vector<size_t>>());
  }
}

TEST(RandomStream, RealNumbersMatchTheReference) {
  for (const auto& row : reference_streams()) {
    RandomStream uniform = stream_of(row);
    for (const auto& want : row["uniform"]) EXPECT_EQ(uniform.uniform(), want.get<double>());
    RandomStream normal = stream_of(row);
    for (const double want : row["normal"]) EXPECT_NEAR(normal.normal(), want, 1e-15 * std::abs(want));
  }
}

TEST(RandomStream, EveryBitOfTheNormalsIsFixed) {
  RandomStream stream(3, "normal");
  uint64_t digest = 0xCBF29CE484222325;
  for (int i = 0; i < 100'000; ++i) {
    digest = (digest ^ std::bit_cast<uint64_t>(stream.normal())) * 0x100000001B3;
  }
  EXPECT_EQ(digest, 12179312526483729641u);
}

TEST(RandomStream, ConstructorsAreChildrenOfTheSeed) {
  const RandomStream root(RandomStream::State{.key = 9});
  EXPECT_EQ(RandomStream(9, "data").state(), root.child("data").state());
  EXPECT_EQ(RandomStream(9, 5).state(), root.child(5).state());
}

TEST(RandomStream, ChildrenDoNotDependOnDrawsOfTheParent) {
  RandomStream parent(1, "parent");
  const RandomStream::State before = parent.child("dropout").state();
  for (int i = 0; i < 7; ++i) parent.next_u32();
  EXPECT_EQ(parent.child("dropout").state(), before);
  EXPECT_EQ(parent.position(), 7u);
}

TEST(RandomStream, DifferentNamesSeedsAndIndicesDiffer) {
  std::set<std::pair<uint64_t, uint64_t>> seen;
  size_t made = 0;
  const auto note = [&](const RandomStream& stream) {
    seen.insert({stream.state().key, stream.state().line});
    ++made;
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const RandomStream parent(seed, "p");
    for (uint64_t i = 0; i < 200; ++i) {
      note(parent.child(i));
      note(parent.child(std::to_string(i)));
      note(parent.child(i).child(i));
    }
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(RandomStream, ChildrenAreNotDrawsOfTheParent) {
  RandomStream parent(4, "parent");
  const uint64_t first = parent.next_u64();
  EXPECT_NE(parent.child(uint64_t{0}).state().key, first);
}

TEST(RandomStream, RestoredStateContinuesTheSequence) {
  RandomStream stream(5, "saved");
  for (int i = 0; i < 13; ++i) stream.next_u32();
  const RandomStream::State saved = stream.state();
  const std::vector<double> want = {stream.uniform(), stream.normal(),
                                    static_cast<double>(stream.below(100))};
  RandomStream restored(saved);
  EXPECT_EQ(
      (std::vector<double>{restored.uniform(), restored.normal(), static_cast<double>(restored.below(100))}),
      want);
  EXPECT_EQ(restored.state(), stream.state());
}

TEST(RandomStream, SeekReachesAnyPlace) {
  RandomStream stream(6, "seek");
  std::vector<uint32_t> words(50);
  for (uint32_t& word : words) word = stream.next_u32();
  for (const size_t place : {49, 0, 3, 4, 17, 16}) {
    stream.seek(place);
    EXPECT_EQ(stream.next_u32(), words[place]) << place;
  }
  stream.seek(uint64_t{5} << 40);
  RandomStream direct(RandomStream::State{stream.state().key, stream.state().line, uint64_t{5} << 40});
  EXPECT_EQ(stream.next_u64(), direct.next_u64());
}

TEST(RandomStream, FillEqualsSingleWords) {
  for (const size_t start : {0, 1, 3, 4, 30}) {
    for (const size_t count : {0, 1, 2, 5, 31, 32, 33, 100, 257}) {
      RandomStream one(7, "fill");
      one.seek(start);
      RandomStream other = one;
      std::vector<uint32_t> words(count);
      one.fill(words);
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(words[i], other.next_u32()) << start << " " << count << " " << i;
      EXPECT_EQ(one.next_u32(), other.next_u32());
    }
  }
}

TEST(RandomStream, FillCarriesIntoTheHighCounterWord) {
  RandomStream one(7, "fill");
  one.seek((uint64_t{4} << 32) - 16);
  RandomStream other = one;
  std::vector<uint32_t> words(64);
  one.fill(words);
  for (const uint32_t word : words) ASSERT_EQ(word, other.next_u32());
}

TEST(RandomStream, UniformHasTheMomentsOfUniform) {
  RandomStream stream(8, "uniform");
  std::vector<double> draws(200'000);
  for (double& x : draws) x = stream.uniform();
  EXPECT_NEAR(mean(draws), 0.5, 5 * std::sqrt(1.0 / 12 / 200'000));
  EXPECT_NEAR(standard_deviation(draws), std::sqrt(1.0 / 12), 0.001);
  EXPECT_GE(*std::min_element(draws.begin(), draws.end()), 0);
  EXPECT_LT(*std::max_element(draws.begin(), draws.end()), 1);
}

TEST(RandomStream, BelowFillsItsCellsEvenly) {
  RandomStream stream(9, "below");
  for (const size_t cells : {2, 3, 10, 100, 1000}) {
    std::vector<size_t> counts(cells);
    for (int i = 0; i < 200'000; ++i) ++counts[stream.below(cells)];
    EXPECT_LT(chi_square(counts), chi_square_limit(cells)) << cells;
  }
}

// With n = 3 * 2^30 a plain word % n would hit the lowest third twice as often as the others.
TEST(RandomStream, BelowIsNotBiasedForLargeBounds) {
  RandomStream stream(10, "below");
  for (const uint64_t n : {uint64_t{3} << 30, uint64_t{3} << 62}) {
    std::vector<size_t> thirds(3);
    for (int i = 0; i < 60'000; ++i) ++thirds[stream.below(n) / (n / 3)];
    EXPECT_LT(chi_square(thirds), chi_square_limit(3)) << n;
  }
}

TEST(RandomStream, NormalHasTheMomentsOfNormal) {
  RandomStream stream(11, "normal");
  constexpr int kDraws = 200'000;
  double sums[5] = {};
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    for (int power = 1; power <= 4; ++power) sums[power] += std::pow(x, power) / kDraws;
  }
  // The variances of x, x^2, x^3 and x^4 are 1, 2, 15 and 96.
  EXPECT_NEAR(sums[1], 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(sums[2], 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(sums[3], 0, 5 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(sums[4], 3, 5 * std::sqrt(96.0 / kDraws));
}

// The normal distribution itself stands for the second sample: its quantiles at the middles of 10,000 equal
// shares.
TEST(RandomStream, NormalPassesKolmogorovSmirnov) {
  RandomStream stream(12, "normal");
  std::vector<double> shares(2000);
  for (double& x : shares) x = 0.5 * std::erfc(-stream.normal() / std::sqrt(2.0));
  std::vector<double> even(10'000);
  for (size_t i = 0; i < even.size(); ++i) even[i] = (static_cast<double>(i) + 0.5) / 10'000;
  EXPECT_GT(smirnov_test(shares, even).p_value, 1e-3);
  for (double& x : shares) x = std::min(1.0, x + 0.06);
  EXPECT_LT(smirnov_test(shares, even).p_value, 1e-3) << "the test has no power";
}

TEST(RandomStream, NormalAgreesWithTheStandardLibrarysNormal) {
  RandomStream stream(13, "normal");
  std::mt19937_64 engine(13);
  std::normal_distribution<double> distribution;
  std::vector<double> ours(3000);
  std::vector<double> theirs(2000);
  for (double& x : ours) x = stream.normal();
  for (double& x : theirs) x = distribution(engine);
  EXPECT_GT(smirnov_test(ours, theirs).p_value, 1e-4);
}

TEST(RandomStream, ShuffleReachesEveryOrderEquallyOften) {
  RandomStream stream(14, "shuffle");
  std::map<std::vector<size_t>, size_t> seen;
  for (int i = 0; i < 24'000; ++i) ++seen[stream.permutation(4)];
  ASSERT_EQ(seen.size(), 24u);
  std::vector<size_t> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  EXPECT_LT(chi_square(counts), chi_square_limit(24));
}

TEST(RandomStream, SampleTakesEveryPairEquallyOften) {
  RandomStream stream(15, "sample");
  std::map<std::vector<size_t>, size_t> seen;
  for (int i = 0; i < 20'000; ++i) ++seen[stream.sample_without_replacement(2, 5)];
  ASSERT_EQ(seen.size(), 20u);
  std::vector<size_t> counts;
  for (const auto& [pair, count] : seen) counts.push_back(count);
  EXPECT_LT(chi_square(counts), chi_square_limit(20));
}

TEST(RandomStream, SampleOfAllIsAPermutation) {
  RandomStream stream(16, "sample");
  std::vector<size_t> all = stream.sample_without_replacement(100, 100);
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
  EXPECT_TRUE(stream.sample_without_replacement(0, 0).empty());
  EXPECT_TRUE(stream.permutation(0).empty());
}

TEST(RandomStream, ImpossibleDrawsAreErrors) {
  RandomStream stream(17, "errors");
  EXPECT_THROW(stream.below(0), Error);
  EXPECT_THROW(stream.sample_without_replacement(3, 2), Error);
}

}  // namespace
}  // namespace cuset::base
