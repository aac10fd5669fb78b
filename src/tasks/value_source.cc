#include "tasks/value_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/stats/repeatable_math.h"

namespace cuset::tasks {
namespace {

using Kind = Domain::Kind;

constexpr size_t kChunk = 4096;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr uint32_t kQuarter = 64;     // of 256
constexpr uint32_t kFew = 8;          // of 256
constexpr double kWholeMean = 4;      // a mean so many deviations from 0 says that all values have its sign
constexpr double kLargestNormal = 6;  // deviations; what a plain sample of millions reaches anyway

// Log-uniform between 1/8 and 2^top.
double random_factor(base::RandomStream& choice, double top) {
  return base::repeatable_exp(kLn2 * (choice.uniform() * (3 + top) - 3));
}

}  // namespace

ValueSource::ValueSource(const Domain& domain, NumberType type, Variation variation,
                         const base::RandomStream& stream)
    : draws_(stream.child("values")), chances_(stream.child("chances")) {
  plan_shape(domain, type);
  if (domain.kind == Kind::kIndex) return;
  if (is_edge(variation)) {
    plan_edge(variation == Variation::kHighEdge);
    return;
  }
  base::RandomStream choice = stream.child("variation");
  if (shape_ == Shape::kNormal) {
    vary_normal(variation, choice);
  } else if (shape_ == Shape::kSteps) {
    vary_steps(variation, choice);
  } else {
    vary_within(variation, choice);
  }
}

void ValueSource::plan_shape(const Domain& domain, NumberType type) {
  if (type == NumberType::kFloat64) width_ = Width::kTwoWords;
  if (domain.kind == Kind::kNormal) {
    shape_ = Shape::kNormal;
    start_ = domain.mean;
    range_ = domain.deviation;
    support_ = finite_numbers(type);
    return;
  }
  const bool whole = domain.kind == Kind::kInteger || domain.kind == Kind::kIndex || !is_floating(type);
  const bool unit = domain.kind == Kind::kProbability;
  const double low = unit ? 0 : domain.low;
  const double high = unit ? 1 : domain.high;
  support_ = whole ? NumberRange{std::ceil(low), std::ceil(high) - 1} : numbers_within(type, low, high);
  if (unit) support_.most = 1;
  start_ = whole ? support_.least : low;
  range_ = whole ? support_.most - support_.least + 1 : high - low;
  zero_ = std::clamp(-start_ / range_, 0.0, 1.0);
  if (whole) {
    shape_ = Shape::kSteps;
    if (range_ > 65536) width_ = Width::kTwoWords;
  } else if (domain.kind == Kind::kPositive) {
    shape_ = Shape::kExponential;
    start_ = base::repeatable_log(low);
    range_ = base::repeatable_log(high) - start_;
    zero_ = 0.5;
  }
}

// Half of the domain; an eighth of many whole numbers, where only large ones are left. Of normal numbers four
// deviations.
void ValueSource::plan_edge(bool high) {
  Edge edge;
  if (shape_ == Shape::kNormal) {
    edge = {start_, start_ + (high ? kWholeMean : -kWholeMean) * range_};
    shape_ = Shape::kLine;
  } else {
    const double share = shape_ == Shape::kSteps && range_ >= 16 ? 0.125 : 0.5;
    const double middle = shape_ == Shape::kExponential ? base::repeatable_exp(start_ + range_ / 2)
                                                        : support_.least + (support_.most - support_.least) *
                                                                               (high ? 1 - share : share);
    edge = {middle, high ? support_.most : support_.least};
  }
  if (shape_ == Shape::kSteps) {
    edge.inner = std::round(edge.inner);
    if (edge.inner == edge.end && range_ > 1) edge.inner += high ? -1 : 1;
    edge.near_end = edge.end + (edge.inner < edge.end ? -1 : 1) * (edge.inner == edge.end ? 0 : 1);
  } else {
    // Just short of the place where half precision rounds up, all bits behind it set.
    const double power = std::exp2(std::floor(std::log2(std::max(std::abs(edge.end), 0x1p-60)) - 0.01));
    edge.near_end = std::copysign(power * (1 + 0x1p-11 - 0x1p-23), edge.end);
    if (edge.end == 0) edge.near_end = 0;
  }
  edge_ = edge;
}

void ValueSource::vary_normal(Variation variation, base::RandomStream& choice) {
  const bool both_signs = std::abs(start_) <= kWholeMean * range_;
  common_ = rare_ = {start_, range_};
  switch (variation) {
    case Variation::kPlain:
      break;
    case Variation::kScaled: {
      const double factor = random_factor(choice, 1);
      common_ = {start_ * factor, range_ * factor};
      break;
    }
    case Variation::kShifted: {
      const double shift = 0.25 + 0.25 * choice.uniform();
      common_.start += (choice.uniform() < 0.5 ? -shift : shift) * range_;
      break;
    }
    case Variation::kHeavyTailed:
      common_.slope = range_ / 4;
      rare_.slope = range_ * 4;
      rare_of_256_ = kFew;
      support_.least = std::max(support_.least, start_ - kLargestNormal * range_);
      support_.most = std::min(support_.most, start_ + kLargestNormal * range_);
      break;
    case Variation::kZerosAndSigns:
      rare_value_ = both_signs ? 0 : start_;
      rare_of_256_ = kQuarter;
      random_signs_ = both_signs;
      break;
    case Variation::kLowEdge:
    case Variation::kHighEdge:
    case Variation::kPeak:
      break;
  }
}

void ValueSource::vary_within(Variation variation, base::RandomStream& choice) {
  switch (variation) {
    case Variation::kPlain:
      break;
    case Variation::kScaled: {
      const double factor = random_factor(choice, 0);
      common_ = {zero_ * (1 - factor), factor};
      break;
    }
    case Variation::kShifted:
      common_ = {choice.uniform() / 2, 0.5};
      break;
    case Variation::kHeavyTailed:
      common_ = {zero_ * 0.875, 0.125};
      rare_of_256_ = kFew;
      break;
    case Variation::kZerosAndSigns: {
      // What has no zero gets ties elsewhere: at 1 or at the end that is nearest to 0.
      const double wanted = shape_ == Shape::kExponential ? 1 : 0;
      rare_value_ = std::clamp(wanted, support_.least, support_.most);
      rare_of_256_ = kQuarter;
      random_signs_ = support_.least < 0 && support_.most > 0;
      break;
    }
    case Variation::kLowEdge:
    case Variation::kHighEdge:
    case Variation::kPeak:
      break;
  }
}

// Fewer than two different values would make many tasks trivial.
void ValueSource::vary_steps(Variation variation, base::RandomStream& choice) {
  const double least_width = std::min(1.0, 2 / range_);
  switch (variation) {
    case Variation::kPlain:
      break;
    case Variation::kScaled:
      common_.slope = std::max(least_width, random_factor(choice, 0));
      break;
    case Variation::kShifted: {
      const double width = std::max(least_width, 0.5);
      common_ = {choice.uniform() * (1 - width), width};
      break;
    }
    case Variation::kHeavyTailed:
      common_ = {choice.uniform(), 0};
      rare_of_256_ = kQuarter;
      break;
    case Variation::kZerosAndSigns:
      rare_value_ = std::clamp(0.0, support_.least, support_.most);
      rare_of_256_ = kQuarter;
      random_signs_ = support_.least < 0 && support_.most > 0;
      break;
    case Variation::kLowEdge:
    case Variation::kHighEdge:
    case Variation::kPeak:
      break;
  }
}

void ValueSource::fill(std::span<double> values) {
  std::array<uint8_t, kChunk> chances;
  for (size_t done = 0; done < values.size(); done += kChunk) {
    const std::span<double> part = values.subspan(done, std::min(kChunk, values.size() - done));
    if (edge_) {
      fill_uniform(draws_, width_, part);
      fill_bytes(chances_, std::span(chances).first(part.size()));
      fill_edge(part, std::span(chances).first(part.size()));
      continue;
    }
    if (shape_ == Shape::kNormal) {
      fill_normal(draws_, width_, part);
    } else {
      fill_uniform(draws_, width_, part);
    }
    const auto part_chances = std::span(chances).first(part.size());
    if (rare_of_256_ > 0) fill_bytes(chances_, part_chances);
    if (rare_of_256_ > 0 && !rare_value_) {
      move_by_chance(part, part_chances);
    } else {
      for (double& value : part) value = common_.start + common_.slope * value;
    }
    bend(part);
    for (double& value : part) value = std::clamp(value, support_.least, support_.most);
    if (rare_value_) replace_by_chance(part, part_chances);
  }
}

void ValueSource::fill_edge(std::span<double> values, std::span<const uint8_t> chances) const {
  const double low = std::min(edge_->inner, edge_->end);
  const double high = std::max(edge_->inner, edge_->end);
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = std::clamp(edge_value(values[i], chances[i]), low, high);
    values[i] = std::clamp(value, support_.least, support_.most);
  }
}

// `draw` is in [0, 1).
double ValueSource::edge_value(double draw, uint8_t chance) const {
  const double plain = edge_->inner + (edge_->end - edge_->inner) * draw;
  if (chance < 32) return edge_->end;
  if (chance < 80) return edge_->near_end;
  if (shape_ == Shape::kSteps) return std::round(plain);
  if (chance < 112) return edge_->end + (edge_->inner - edge_->end) * 0x1p-14;  // the same in half precision
  if (chance < 160) {  // an odd multiple of 2^-1 to 2^-12
    const double step = std::exp2(-1 - chance % 12);
    return (2 * std::floor(plain / (2 * step)) + 1) * step;
  }
  const double side = edge_->end < edge_->inner ? -1 : 1;
  if (chance < 176) return (chance & 1) != 0 ? 0.0 : -0.0;
  if (chance < 208) return side * 0x1p-11;
  return plain;
}

void ValueSource::bend(std::span<double> values) const {
  switch (shape_) {
    case Shape::kNormal:
      break;
    case Shape::kLine:
      for (double& value : values) value = start_ + range_ * value;
      break;
    case Shape::kExponential:
      for (double& value : values) value = base::repeatable_exp(start_ + range_ * value);
      break;
    case Shape::kSteps:
      for (double& value : values) value = start_ + std::floor(range_ * value);
      break;
  }
}

void ValueSource::move_by_chance(std::span<double> values, std::span<const uint8_t> chances) const {
  for (size_t i = 0; i < values.size(); ++i) {
    const Line& line = chances[i] < rare_of_256_ ? rare_ : common_;
    values[i] = line.start + line.slope * values[i];
  }
}

void ValueSource::replace_by_chance(std::span<double> values, std::span<const uint8_t> chances) const {
  for (size_t i = 0; i < values.size(); ++i) {
    if (chances[i] < rare_of_256_) {
      values[i] = *rare_value_;
    } else if (random_signs_ && (chances[i] & 1) != 0 && -values[i] >= support_.least &&
               -values[i] <= support_.most) {
      values[i] = -values[i];
    }
  }
}

}  // namespace cuset::tasks
