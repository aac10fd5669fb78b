#include "study/plan/comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/machine/worker_pool.h"
#include "base/stats/statistics.h"

namespace cuset::study {
namespace {

constexpr size_t kMostExactSigns = 16;
constexpr size_t kRandomPatterns = 100'000;

// Sums of the same differences in another order differ by rounding; such are equally far from zero.
constexpr double kTie = 1e-9;

// The share of all 2^n sign patterns whose sum is as far from zero as the observed one.
double exact_p_value(const std::vector<double>& values, double observed) {
  const uint32_t patterns = uint32_t{1} << values.size();
  uint32_t hits = 0;
  for (uint32_t pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += (pattern >> i & 1) != 0 ? values[i] : -values[i];
    if (std::abs(sum) >= observed) ++hits;
  }
  return static_cast<double>(hits) / patterns;
}

double random_p_value(const std::vector<double>& values, double observed, base::RandomStream stream) {
  std::vector<uint32_t> words((values.size() + 31) / 32);
  size_t hits = 0;
  for (size_t pattern = 0; pattern < kRandomPatterns; ++pattern) {
    stream.fill(words);
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i)
      sum += (words[i / 32] >> (i % 32) & 1) != 0 ? values[i] : -values[i];
    if (std::abs(sum) >= observed) ++hits;
  }
  return static_cast<double>(1 + hits) / static_cast<double>(1 + kRandomPatterns);
}

}  // namespace

double mean_rate(const RatesBySeed& rates) {
  std::vector<double> means;
  for (const std::vector<double>& seed : rates) means.push_back(base::mean(seed));
  return base::mean(means);
}

std::vector<double> task_means(const RatesBySeed& rates) {
  std::vector<double> means(rates.at(0).size(), 0);
  for (const std::vector<double>& seed : rates)
    for (size_t task = 0; task < means.size(); ++task) means[task] += seed[task];
  for (double& mean : means) mean /= static_cast<double>(rates.size());
  return means;
}

TaskSeedBootstrap::TaskSeedBootstrap(const Size& size, const base::RandomStream& stream)
    : size_(size), task_counts_(size.draws * size.tasks), seed_numbers_(size.draws * size.most_seeds) {
  CUSET_CHECK(size.tasks > 0 && size.most_seeds > 0 && size.draws > 0, "tasks = {}, seeds = {}, draws = {}",
              size.tasks, size.most_seeds, size.draws);
  CUSET_CHECK(size.tasks < 65'536, "tasks = {}", size.tasks);
  base::WorkerPool().run(size.draws, [&](size_t draw) {
    base::RandomStream numbers = stream.child(draw);
    uint16_t* counts = &task_counts_[draw * size_.tasks];
    for (size_t i = 0; i < size_.tasks; ++i) ++counts[numbers.below(size_.tasks)];
    for (size_t i = 0; i < size_.most_seeds; ++i)
      seed_numbers_[draw * size_.most_seeds + i] = numbers.uniform();
  });
}

std::vector<double> TaskSeedBootstrap::means(const RatesBySeed& rates) const {
  CUSET_CHECK(!rates.empty() && rates.size() <= size_.most_seeds, "{} seeds, draws for {}", rates.size(),
              size_.most_seeds);
  for (const std::vector<double>& seed : rates)
    CUSET_CHECK(seed.size() == size_.tasks, "{} tasks, draws for {}", seed.size(), size_.tasks);
  std::vector<double> means(size_.draws);
  std::vector<double> of_seed(rates.size());
  for (size_t draw = 0; draw < size_.draws; ++draw) {
    const uint16_t* counts = &task_counts_[draw * size_.tasks];
    for (size_t seed = 0; seed < rates.size(); ++seed)
      of_seed[seed] = std::inner_product(counts, counts + size_.tasks, rates[seed].begin(), 0.0);
    double sum = 0;
    for (size_t i = 0; i < rates.size(); ++i) {
      const double number = seed_numbers_[draw * size_.most_seeds + i];
      sum += of_seed[static_cast<size_t>(number * static_cast<double>(rates.size()))];
    }
    means[draw] = sum / static_cast<double>(rates.size() * size_.tasks);
  }
  return means;
}

base::Interval interval_of_draws(std::span<const double> draws) {
  const std::vector<double> ends = base::quantiles(draws, std::vector<double>{0.025, 0.975});
  return {ends[0], ends[1]};
}

std::vector<double> differences_of_draws(std::span<const double> left, std::span<const double> right) {
  CUSET_CHECK(left.size() == right.size(), "{} draws beside {}", left.size(), right.size());
  std::vector<double> differences(left.size());
  for (size_t i = 0; i < left.size(); ++i) differences[i] = left[i] - right[i];
  return differences;
}

double sign_flip_p_value(std::span<const double> differences, const base::RandomStream& stream) {
  std::vector<double> values;
  for (const double difference : differences)
    if (std::abs(difference) > kTie) values.push_back(difference);
  if (values.empty()) return 1;
  const double observed = std::abs(std::accumulate(values.begin(), values.end(), 0.0)) - kTie;
  return values.size() <= kMostExactSigns ? exact_p_value(values, observed)
                                          : random_p_value(values, observed, stream.child("signs"));
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace cuset::study
