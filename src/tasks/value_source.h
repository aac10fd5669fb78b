// Values of a domain whose numbers do not depend on each other, spread as a variation says.
//
// A draw is a normal number or one in [0, 1), moved by a line a + b * draw, then bent to the domain (a line,
// an exponential or whole steps) and kept within its support. A variation is another line, or two: with a
// given chance the rare one, or a fixed value, stands in for the common one. On an edge, chance chooses among
// kinds of values instead.
#pragma once

#include <optional>
#include <span>

#include "base/stats/random.h"
#include "tasks/bulk_draws.h"
#include "tasks/inputs.h"

namespace cuset::tasks {

class ValueSource {
 public:
  // `domain` is one of kNormal, kUniform, kInteger, kIndex, kPositive, kProbability, kSorted (not yet
  // sorted), and suits the type. Throws Error where the type has no number in the domain.
  ValueSource(const Domain& domain, NumberType type, Variation variation, const base::RandomStream& stream);

  // The next values, exact in the type for whole numbers, else to be rounded to it.
  void fill(std::span<double> values);

 private:
  struct Line {
    double start = 0;
    double slope = 1;
  };
  enum class Shape : uint8_t { kNormal, kLine, kExponential, kSteps };

  void plan_shape(const Domain& domain, NumberType type);
  void vary_normal(Variation variation, base::RandomStream& choice);
  void vary_within(Variation variation, base::RandomStream& choice);
  void vary_steps(Variation variation, base::RandomStream& choice);
  void plan_edge(bool high);

  void fill_edge(std::span<double> values, std::span<const uint8_t> chances) const;
  double edge_value(double draw, uint8_t chance) const;
  void bend(std::span<double> values) const;
  void move_by_chance(std::span<double> values, std::span<const uint8_t> chances) const;
  void replace_by_chance(std::span<double> values, std::span<const uint8_t> chances) const;

  base::RandomStream draws_;
  base::RandomStream chances_;
  Width width_ = Width::kOneWord;
  Shape shape_ = Shape::kLine;
  double start_ = 0;  // low or its logarithm; the mean
  double range_ = 1;  // high - low or of the logarithms, or the number of steps; the deviation
  double zero_ = 0;   // the place of 0 in the range, or the one next to it
  NumberRange support_;
  Line common_;
  Line rare_;
  std::optional<double> rare_value_;  // stands in for `rare_`
  uint32_t rare_of_256_ = 0;
  bool random_signs_ = false;

  // kLowEdge, kHighEdge: between these, `end` being the domain's.
  struct Edge {
    double inner = 0;
    double end = 0;
    double near_end = 0;  // what half precision or float32 does not tell from its neighbors
  };
  std::optional<Edge> edge_;
};

}  // namespace cuset::tasks
