// Statistics of a study: rates over tasks and seeds, their intervals, and tests of differences.
// docs/study.md states what each number means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stats/intervals.h"
#include "base/stats/random.h"

namespace cuset::study {

// [seed][task]: the share of a task's answers that are correct, say. All seeds have the same tasks.
using RatesBySeed = std::vector<std::vector<double>>;

// The mean over tasks, averaged over seeds. At least one seed and one task.
double mean_rate(const RatesBySeed& rates);

// The mean over seeds for each task.
std::vector<double> task_means(const RatesBySeed& rates);

// A bootstrap that draws tasks and seeds anew, with the same draws for everything that is compared: the
// difference of two means of one draw is a draw of their paired difference. A draw holds as many tasks as there
// are, and for every place of a seed a number in [0, 1), which chooses among the seeds of whoever is asked.
class TaskSeedBootstrap {
 public:
  struct Size {
    size_t tasks = 0;
    size_t most_seeds = 1;
    size_t draws = 10'000;
  };

  TaskSeedBootstrap(const Size& size, const base::RandomStream& stream);

  // The mean of `rates` in every draw. Throws Error unless there are as many tasks as the draws have, and at
  // least one and at most `most_seeds` seeds.
  std::vector<double> means(const RatesBySeed& rates) const;

 private:
  Size size_;
  std::vector<uint16_t> task_counts_;  // [draw, task]
  std::vector<double> seed_numbers_;   // [draw, seed]
};

// 95 % of the draws, cut equally at both ends.
base::Interval interval_of_draws(std::span<const double> draws);

// `left` less `right`, draw by draw.
std::vector<double> differences_of_draws(std::span<const double> left, std::span<const double> right);

// Sign-flip permutation test (Fisher 1935) of paired differences, two-sided: if the two sides were
// exchangeable, every difference could as well have the other sign. p is the share of sign patterns whose sum
// is at least as far from zero as the observed one: exact up to 2^16 patterns, else (1 + hits) / (1 + 100,000)
// over random ones. Differences of zero change nothing; without any other p is 1.
double sign_flip_p_value(std::span<const double> differences, const base::RandomStream& stream);

// Holm (1979): p-values that may be compared with one level for all tests together, in the order given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace cuset::study
