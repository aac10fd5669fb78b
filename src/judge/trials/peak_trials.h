// Trials that show what single numbers of the inputs weigh.
//
// In a mean over thousands of numbers, a term that is left out, and terms of half precision, stay within what
// float32 sums in another order differ by. Where an output is a sum with a term for each place of the inputs, inputs
// that are level but for one peak leave one term that counts. Which level makes the other terms vanish, if any, and
// whether the output is such a sum at all, is found by trying: on each level the oracle is asked for the outputs
// without a peak, with each of three, and with all of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tasks/array.h"
#include "tasks/inputs.h"
#include "tasks/task.h"

namespace cuset::judge {

inline constexpr size_t kPeakTrials = 3;  // of an answer: the first, the last and an inner place

// Whether all outputs are few real numbers, made of little data, with a fraction on one of the trials (`outputs`): what
// is always whole is an index or a count, and ties decide it.
bool may_be_sums(const tasks::Task& task, std::span<const std::vector<tasks::Array>* const> outputs);

// What to ask the oracle for.
std::vector<tasks::Peaks> peaks_to_try();

struct PeakLevel {
  size_t first = 0;  // the peaks one by one are kPeakTrials from here on, of peaks_to_try()
  double rest = 0;   // the outputs without a peak, of those with one
};

// `outputs` are those of peaks_to_try(). Nothing where on no level they are sums in which only a peak counts.
std::optional<PeakLevel> choose_level(std::span<const std::vector<tasks::Array>> outputs);

// What a sum that is `rest` without its peak may be off, of its value.
double share_of_peak(double rest);

}  // namespace cuset::judge
