// Random shapes, sizes and constants of tasks.
#pragma once

#include <vector>

#include "base/stats/random.h"
#include "gym/family.h"
#include "gym/words/choice.h"

namespace cuset::gym {

// low <= n <= high, each equally likely.
inline int64_t whole_between(base::RandomStream& stream, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(stream.below(static_cast<uint64_t>(high - low + 1)));
}

inline bool one_in(base::RandomStream& stream, uint64_t n) { return stream.below(n) == 0; }

// A matrix with rows of different lengths in which `least` .. `most` elements lie.
struct MatrixSize {
  int64_t rows = 0;
  int64_t columns = 0;
};

inline MatrixSize draw_matrix(base::RandomStream& stream, int64_t least_columns = 24,
                              int64_t most_columns = 512) {
  const int64_t columns = whole_between(stream, least_columns, most_columns);
  const int64_t rows = whole_between(stream, 24, 16384 / columns > 128 ? 128 : 24 + 16384 / columns);
  return {rows, columns};
}

// A power of two between the two, which are powers of two.
inline int64_t power_between(base::RandomStream& stream, int64_t low, int64_t high) {
  int64_t count = 1;
  while ((low << count) <= high) ++count;
  return low << stream.below(static_cast<uint64_t>(count));
}

inline tasks::Domain normal(double mean = 0, double deviation = 1) {
  tasks::Domain domain;
  domain.mean = mean;
  domain.deviation = deviation;
  return domain;
}

// Scores whose exponentials overflow unless the largest score is subtracted first.
inline tasks::Domain large_scores(double deviation) { return normal(90, deviation); }

inline tasks::Domain uniform(double low, double high) {
  tasks::Domain domain;
  domain.kind = tasks::Domain::Kind::kUniform;
  domain.low = low;
  domain.high = high;
  return domain;
}

inline tasks::Domain whole_numbers(double low, double high) {
  tasks::Domain domain = uniform(low, high);
  domain.kind = tasks::Domain::Kind::kInteger;
  return domain;
}

// Places in something of `count` elements: 0 to `count` - 1, evenly spread in every trial.
inline tasks::Domain indices_below(int64_t count) {
  tasks::Domain domain;
  domain.kind = tasks::Domain::Kind::kIndex;
  domain.high = static_cast<double>(count);
  return domain;
}

// A draft whose one input is the matrix $x of $rows x $columns.
inline GymDraft draft_on_matrix(const MatrixSize& size, tasks::NumberType type, const tasks::Domain& domain) {
  GymDraft draft;
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs = {{"x", type, {size.rows, size.columns}, {"rows", "columns"}, domain, {}}};
  return draft;
}

}  // namespace cuset::gym
