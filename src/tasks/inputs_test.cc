#include "tasks/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/files/sha256.h"
#include "support/error_text.h"

namespace cuset::tasks {
namespace {

using Kind = Domain::Kind;

constexpr Variation kAll[] = {Variation::kPlain,       Variation::kScaled,        Variation::kShifted,
                              Variation::kHeavyTailed, Variation::kZerosAndSigns, Variation::kLowEdge,
                              Variation::kHighEdge};

Domain range(Kind kind, double low, double high) {
  Domain domain;
  domain.kind = kind;
  domain.low = low;
  domain.high = high;
  return domain;
}

Domain normal(double mean, double deviation) {
  Domain domain;
  domain.mean = mean;
  domain.deviation = deviation;
  return domain;
}

Array made(const Domain& domain, NumberType type, Shape shape, Variation variation = Variation::kPlain,
           uint64_t seed = 1) {
  Task task;
  task.place = "test:1";
  task.inputs.push_back({"x", type, std::move(shape), domain});
  return make_inputs(task, variation, base::RandomStream(seed, "inputs"))[0];
}

std::vector<double> values(const Domain& domain, NumberType type, Shape shape,
                           Variation variation = Variation::kPlain, uint64_t seed = 1) {
  return made(domain, type, std::move(shape), variation, seed).to_doubles();
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double deviation_of(const std::vector<double>& numbers) {
  const double mean = mean_of(numbers);
  double sum = 0;
  for (const double number : numbers) sum += (number - mean) * (number - mean);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

double share(const std::vector<double>& numbers, double wanted) {
  return static_cast<double>(std::count(numbers.begin(), numbers.end(), wanted)) /
         static_cast<double>(numbers.size());
}

TEST(MakeInputs, NormalHasItsMeanAndDeviation) {
  const std::vector<double> numbers = values(normal(3, 2), NumberType::kFloat32, {200, 1000});
  EXPECT_NEAR(mean_of(numbers), 3, 0.02);
  EXPECT_NEAR(deviation_of(numbers), 2, 0.02);
  const auto beyond = [&](double deviations) {
    return static_cast<double>(std::count_if(numbers.begin(), numbers.end(),
                                             [&](double x) { return std::abs(x - 3) > 2 * deviations; })) /
           static_cast<double>(numbers.size());
  };
  EXPECT_NEAR(beyond(1), 0.31731, 0.005);
  EXPECT_NEAR(beyond(2), 0.04550, 0.002);
  EXPECT_NEAR(beyond(3), 0.00270, 0.0005);
}

TEST(MakeInputs, UniformFillsItsRangeEvenly) {
  for (const NumberType type : {NumberType::kFloat64, NumberType::kFloat32, NumberType::kFloat16}) {
    const std::vector<double> numbers = values(range(Kind::kUniform, -1, 3), type, {100000});
    EXPECT_NEAR(mean_of(numbers), 1, 0.02);
    EXPECT_NEAR(deviation_of(numbers), 4 / std::sqrt(12), 0.01);
  }
}

// Ranges whose ends are between two numbers of the type, or next to each other.
TEST(MakeInputs, EveryVariationKeepsTheSupport) {
  const Domain domains[] = {range(Kind::kUniform, -1, 1),       range(Kind::kUniform, 1000, 1001),
                            range(Kind::kUniform, -0.1, -0.01), range(Kind::kPositive, 1e-3, 1e3),
                            range(Kind::kPositive, 0.1, 0.3),   range(Kind::kInteger, 0, 10),
                            range(Kind::kInteger, -5, 6),       range(Kind::kInteger, 0, 2),
                            range(Kind::kInteger, 7, 8),        range(Kind::kSorted, -1, 1)};
  for (const Domain& domain : domains) {
    for (const NumberType type :
         {NumberType::kFloat64, NumberType::kFloat32, NumberType::kFloat16, NumberType::kBfloat16}) {
      for (const Variation variation : kAll) {
        if (type == NumberType::kBfloat16 && domain.low == 1000) continue;
        for (const double x : values(domain, type, {5000}, variation)) {
          ASSERT_GE(x, domain.low) << name_of(type) << " " << name_of(variation);
          ASSERT_LT(x, domain.high) << name_of(type) << " " << name_of(variation);
          ASSERT_TRUE(domain.kind != Kind::kInteger || x == std::floor(x));
        }
      }
    }
  }
}

TEST(MakeInputs, EveryVariationKeepsTheMagnitude) {
  for (const Variation variation : kAll) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      const std::vector<double> numbers = values(normal(0, 1), NumberType::kFloat16, {4096}, variation, seed);
      EXPECT_GT(deviation_of(numbers), 0.1) << name_of(variation);
      EXPECT_LT(deviation_of(numbers), 2.2) << name_of(variation);
      for (const double x : numbers) ASSERT_LT(std::abs(x), 13);
    }
  }
}

TEST(MakeInputs, VariationsSpreadNormalValuesAsTheySay) {
  const std::vector<double> shifted =
      values(normal(0, 1), NumberType::kFloat32, {50000}, Variation::kShifted);
  EXPECT_GT(std::abs(mean_of(shifted)), 0.2);
  const std::vector<double> zeros =
      values(normal(1, 1), NumberType::kFloat32, {50000}, Variation::kZerosAndSigns);
  EXPECT_NEAR(share(zeros, 0), 0.25, 0.01);
  const auto negative = std::count_if(zeros.begin(), zeros.end(), [](double x) { return x < 0; });
  EXPECT_NEAR(static_cast<double>(negative) / 50000, 0.375, 0.01);
  std::vector<double> heavy = values(normal(0, 1), NumberType::kFloat32, {50000}, Variation::kHeavyTailed);
  for (double& x : heavy) x = std::abs(x);
  std::sort(heavy.begin(), heavy.end());
  EXPECT_LT(heavy[45000], 0.6);
  EXPECT_GT(heavy[49900], 3);
}

TEST(MakeInputs, AMeanFarFromZeroKeepsItsSign) {
  for (const Variation variation : kAll) {
    const std::vector<double> numbers = values(normal(10, 1), NumberType::kFloat32, {5000}, variation);
    EXPECT_GT(*std::min_element(numbers.begin(), numbers.end()), 0) << name_of(variation);
  }
}

TEST(MakeInputs, ZerosAreExactWhereTheDomainHasThem) {
  EXPECT_NEAR(share(values(range(Kind::kUniform, -0.3, 0.7), NumberType::kFloat32, {20000},
                           Variation::kZerosAndSigns),
                    0),
              0.25, 0.02);
  EXPECT_NEAR(
      share(values(range(Kind::kPositive, 0.1, 10), NumberType::kFloat32, {20000}, Variation::kZerosAndSigns),
            1),
      0.25, 0.02);
  const std::vector<double> probabilities =
      values(range(Kind::kProbability, 0, 1), NumberType::kFloat32, {20000}, Variation::kZerosAndSigns);
  EXPECT_NEAR(share(probabilities, 0), 0.25, 0.02);
  EXPECT_LE(*std::max_element(probabilities.begin(), probabilities.end()), 1);
}

TEST(MakeInputs, PositiveIsLogUniform) {
  const std::vector<double> numbers =
      values(range(Kind::kPositive, 1e-2, 1e2), NumberType::kFloat32, {40000});
  const auto below_one = std::count_if(numbers.begin(), numbers.end(), [](double x) { return x < 1; });
  EXPECT_NEAR(static_cast<double>(below_one) / 40000, 0.5, 0.01);
}

TEST(MakeInputs, LabelsAreEvenWhenPlainAndSkewedWhenHeavy) {
  std::map<double, int> plain;
  for (const double x : values(range(Kind::kInteger, 0, 10), NumberType::kInt64, {50000})) ++plain[x];
  ASSERT_EQ(plain.size(), 10U);
  for (const auto& [label, count] : plain) EXPECT_NEAR(count, 5000, 300);
  std::map<double, int> heavy;
  for (const double x :
       values(range(Kind::kInteger, 0, 10), NumberType::kInt32, {50000}, Variation::kHeavyTailed)) {
    ++heavy[x];
  }
  ASSERT_EQ(heavy.size(), 10U);
  EXPECT_GT(std::max_element(heavy.begin(), heavy.end(), [](auto& a, auto& b) { return a.second < b.second; })
                ->second,
            35000);
}

TEST(MakeInputs, BitsAlwaysHaveBothValues) {
  for (const Variation variation : kAll) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> bits =
          values(range(Kind::kInteger, 0, 2), NumberType::kUint8, {500}, variation, seed);
      EXPECT_EQ(std::set<double>(bits.begin(), bits.end()).size(), 2U) << name_of(variation);
    }
  }
}

TEST(MakeInputs, WholeNumbersReachTheEndsOfTheirType) {
  const std::vector<double> numbers = values(range(Kind::kInteger, -128, 128), NumberType::kInt8, {20000});
  EXPECT_EQ(*std::min_element(numbers.begin(), numbers.end()), -128);
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), 127);
}

TEST(MakeInputs, LargeWholeNumbersReachOddOnes) {
  const std::vector<double> numbers = values(range(Kind::kInteger, 0, 0x1p52), NumberType::kInt64, {1000});
  EXPECT_GT(*std::max_element(numbers.begin(), numbers.end()), 0x1p51);
  EXPECT_GT(std::count_if(numbers.begin(), numbers.end(), [](double x) { return std::fmod(x, 2) != 0; }),
            300);
}

// Indices, sizes, offsets, permutations and constants: no variation touches them.
TEST(MakeInputs, WhatPointsOrCountsIsNeverVaried) {
  Domain permutation;
  permutation.kind = Kind::kPermutation;
  for (const Domain& domain : {range(Kind::kIndex, 0, 50), range(Kind::kOffsets, 0, 70), permutation,
                               range(Kind::kConstant, 5, 0), range(Kind::kSize, 100, 0)}) {
    const Array plain = made(domain, NumberType::kInt32, {100});
    for (const Variation variation : kAll) {
      EXPECT_EQ(made(domain, NumberType::kInt32, {100}, variation).bytes, plain.bytes);
    }
  }
  EXPECT_EQ(values(range(Kind::kSize, 100, 0), NumberType::kInt32, {}), std::vector<double>{100});
}

TEST(MakeInputs, RowsAreWhatTheirDomainSays) {
  Domain rows;
  for (const Variation variation : kAll) {
    rows.kind = Kind::kProbabilities;
    const std::vector<double> probabilities = values(rows, NumberType::kFloat32, {20, 50}, variation);
    const std::vector<double> sorted =
        values(range(Kind::kSorted, -2, 2), NumberType::kFloat32, {20, 50}, variation);
    const std::vector<double> offsets =
        values(range(Kind::kOffsets, 0, 400), NumberType::kInt32, {20, 50}, variation);
    rows.kind = Kind::kPermutation;
    std::vector<double> permutations = values(rows, NumberType::kFloat16, {20, 50}, variation);
    for (auto at = 0; at < 1000; at += 50) {
      const auto sum = std::accumulate(probabilities.begin() + at, probabilities.begin() + at + 50, 0.0);
      EXPECT_NEAR(sum, 1, 1e-6);
      EXPECT_GT(*std::min_element(probabilities.begin() + at, probabilities.begin() + at + 50), 0);
      EXPECT_TRUE(std::is_sorted(sorted.begin() + at, sorted.begin() + at + 50));
      EXPECT_TRUE(std::is_sorted(offsets.begin() + at, offsets.begin() + at + 50));
      EXPECT_EQ(offsets[static_cast<size_t>(at)], 0);
      EXPECT_EQ(offsets[static_cast<size_t>(at) + 49], 400);
      std::sort(permutations.begin() + at, permutations.begin() + at + 50);
      for (auto i = 0; i < 50; ++i) EXPECT_EQ(permutations[static_cast<size_t>(at + i)], i);
    }
  }
}

TEST(MakeInputs, SortedWholeNumbersAreWhole) {
  for (const double x :
       values(range(Kind::kSorted, 0, 1000), NumberType::kInt32, {500}, Variation::kHeavyTailed)) {
    EXPECT_EQ(x, std::floor(x));
    EXPECT_LT(x, 1000);
  }
}

TEST(MakeInputs, PartsLieOneAfterTheOther) {
  Domain packed;
  packed.kind = Kind::kPacked;
  packed.parts = {{"n", 1, range(Kind::kSize, 64, 0)},
                  {"labels", 30, range(Kind::kInteger, 100, 110)},
                  {"none", 0, Domain{}},
                  {"rest", 9, range(Kind::kSorted, 0, 1)}};
  const std::vector<double> numbers = values(packed, NumberType::kFloat32, {40}, Variation::kScaled);
  EXPECT_EQ(numbers[0], 64);
  for (size_t i = 1; i < 31; ++i) EXPECT_TRUE(numbers[i] >= 100 && numbers[i] < 110);
  EXPECT_TRUE(std::is_sorted(numbers.begin() + 31, numbers.end()));
}

TEST(MakeInputs, SeedsAndNamesGiveOtherValuesAndTheSameOnesAgain) {
  const Domain domain = normal(0, 1);
  EXPECT_EQ(made(domain, NumberType::kFloat32, {1000}, Variation::kScaled, 3).bytes,
            made(domain, NumberType::kFloat32, {1000}, Variation::kScaled, 3).bytes);
  EXPECT_NE(made(domain, NumberType::kFloat32, {1000}, Variation::kScaled, 3).bytes,
            made(domain, NumberType::kFloat32, {1000}, Variation::kScaled, 4).bytes);
  Task task;
  task.inputs = {{"a", NumberType::kFloat32, {10}, domain}, {"b", NumberType::kFloat32, {10}, domain}};
  const std::vector<Array> both = make_inputs(task, Variation::kPlain, base::RandomStream(1, "x"));
  EXPECT_NE(both[0].bytes, both[1].bytes);
  task.inputs.erase(task.inputs.begin());
  EXPECT_EQ(make_inputs(task, Variation::kPlain, base::RandomStream(1, "x"))[0].bytes, both[1].bytes);
}

TEST(MakeInputs, EdgesHaveTiesNeighborsHalvesAndZerosOfBothSigns) {
  const std::vector<double> low = values(normal(0, 1), NumberType::kFloat32, {20000}, Variation::kLowEdge);
  const std::vector<double> high = values(normal(0, 1), NumberType::kFloat32, {20000}, Variation::kHighEdge);
  const auto part = [](const std::vector<double>& all, auto meets) {
    return static_cast<double>(std::count_if(all.begin(), all.end(), meets)) /
           static_cast<double>(all.size());
  };
  EXPECT_NEAR(share(low, -4), 0.125, 0.02);
  EXPECT_NEAR(share(high, 4), 0.125, 0.02);
  EXPECT_EQ(part(low, [](double value) { return value <= 0 && value >= -4; }), 1);
  EXPECT_EQ(part(high, [](double value) { return value >= 0 && value <= 4; }), 1);
  EXPECT_GT(part(low, [](double value) { return value != -4 && value < -3.999; }), 0.1);
  EXPECT_GT(part(high, [](double value) { return value == std::floor(value) + 0.5; }), 0.005);
  EXPECT_GT(part(high, [](double value) { return value == 0 && std::signbit(value); }), 0.01);
  EXPECT_GT(part(high, [](double value) { return value == 0 && !std::signbit(value); }), 0.01);
  for (const double value :
       values(range(Kind::kInteger, -1000, 1000), NumberType::kInt32, {5000}, Variation::kHighEdge))
    EXPECT_TRUE(value >= 749 && value <= 999 && value == std::floor(value)) << value;
  for (const double value :
       values(range(Kind::kProbability, 0, 1), NumberType::kFloat32, {5000}, Variation::kLowEdge))
    EXPECT_TRUE(value >= 0 && value <= 0.5) << value;
}

// One number where no peak is asked for; a peak is the same alone and beside others.
TEST(MakeInputs, PeaksStandOnALevel) {
  using Level = Peaks::Level;
  Task task;
  task.inputs = {{"x", NumberType::kFloat32, {10, 100}, normal(1, 2)},
                 {"u", NumberType::kFloat32, {1000}, range(Kind::kUniform, -2, 6)},
                 {"few", NumberType::kFloat32, {3}, normal(0, 1)},
                 {"labels", NumberType::kInt32, {1000}, range(Kind::kInteger, 0, 10)}};
  const auto inputs = [&](Level level, int places) {
    return make_inputs(task, Variation::kPeak, base::RandomStream(1, "peaks"),
                       {level, static_cast<uint8_t>(places)});
  };
  const double levels[][2] = {{0, 0}, {1, 2}};
  for (int level = 0; level < kPeakLevels; ++level) {
    const auto with = [&](int places) { return inputs(static_cast<Level>(level), places); };
    const std::vector<Array> none = with(0), first = with(Peaks::kFirst), all = with(7);
    for (size_t i = 0; i < 2; ++i) {
      const double wanted = levels[level][i];
      EXPECT_GT(share(none[i].to_doubles(), none[i].at(0)), 0.9999);
      EXPECT_NEAR(none[i].at(0), wanted, 1e-6);
      EXPECT_NEAR(share(first[i].to_doubles(), none[i].at(0)), 0.999, 1e-9);
      EXPECT_NEAR(share(all[i].to_doubles(), none[i].at(0)), 0.997, 1e-9);
      EXPECT_EQ(first[i].at(0), all[i].at(0));
      EXPECT_GE(std::abs(all[i].at(0) - wanted), 2);
      EXPECT_GE(std::abs(all[i].at(999) - wanted), 2);
      for (const double value : all[i].to_doubles()) EXPECT_TRUE(value >= -7 && value <= 9) << value;
    }
    EXPECT_EQ(none[2].bytes, all[2].bytes);
    EXPECT_GT(deviation_of(none[3].to_doubles()), 1);
  }
}

// Stored once: a verdict is repeated on another machine only if these bytes stay the same there.
TEST(MakeInputs, TheSameBytesOnEveryMachine) {
  Domain probabilities;
  probabilities.kind = Kind::kProbabilities;
  Domain permutation;
  permutation.kind = Kind::kPermutation;
  std::string all;
  for (const Domain& domain :
       {normal(0.5, 2), range(Kind::kUniform, -1, 1), range(Kind::kPositive, 0.01, 100),
        range(Kind::kInteger, 0, 1000), probabilities, permutation, range(Kind::kSorted, 0, 1),
        range(Kind::kOffsets, 0, 99)}) {
    for (const Variation variation : kAll) {
      const Array array = made(domain, NumberType::kFloat32, {10, 1000}, variation);
      all.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    }
  }
  EXPECT_EQ(base::sha256(all), "6a3b4eea2413b473faa988b1329df983239495004213a984d36ce374eabfb6ef");
}

TEST(MakeInputs, SaysWhatCannotBeMade) {
  EXPECT_EQ(
      support::error_of([] { made(range(Kind::kUniform, 0, 1), NumberType::kInt32, {4}); }),
      "test:1: input 'x': the domain uniform needs a floating type, not int32 (take the domain integer, or "
      "another type)");
  EXPECT_NE(support::error_of([] {
              made(range(Kind::kUniform, 0.1, 0.10001), NumberType::kBfloat16, {4});
            }).find("test:1: input 'x': no bfloat16 lies in 0.1 <= x < 0.10001"),
            std::string::npos);
  EXPECT_NE(support::error_of([] {
              made(normal(0, 1), NumberType::kFloat32, {1 << 20, 1 << 20});
            }).find("over 64 GiB"),
            std::string::npos);
  EXPECT_NE(support::error_of([] {
              made(normal(0, 1e4), NumberType::kFloat16, {4});
            }).find("float16 does not hold"),
            std::string::npos);
}

TEST(MakeInputs, EmptyArraysAreFine) {
  Domain domain;
  for (const Kind kind : {Kind::kNormal, Kind::kProbabilities, Kind::kPermutation, Kind::kSorted}) {
    domain.kind = kind;
    EXPECT_EQ(made(domain, NumberType::kFloat32, {0}).count(), 0U);
    EXPECT_EQ(made(domain, NumberType::kFloat32, {3, 0}).count(), 0U);
  }
}

}  // namespace
}  // namespace cuset::tasks
