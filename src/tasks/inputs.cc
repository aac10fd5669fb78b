#include "tasks/inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/stats/repeatable_math.h"
#include "tasks/domain_check.h"
#include "tasks/peak_values.h"
#include "tasks/value_source.h"

namespace cuset::tasks {
namespace {

using Kind = Domain::Kind;

constexpr std::array<std::string_view, kVariations> kVariationNames = {
    "plain", "scaled", "shifted", "heavy_tailed", "zeros_and_signs", "low_edge", "high_edge", "peak"};
constexpr std::array<std::string_view, kPeakLevels> kLevelNames = {"zero", "middle"};
constexpr uint64_t kChunk = 1 << 16;

// Where the numbers of a domain go: `count` places of an array from `first` on, in rows.
struct Target {
  Array& array;
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t row = 1;
};

// Calls `make(row)` for one row after the other and stores what it leaves there.
template <typename Make>
void for_each_row(const Target& target, Make make) {
  if (target.row == 0) return;
  std::vector<double> row(target.row);
  for (uint64_t done = 0; done < target.count; done += target.row) {
    make(std::span<double>(row));
    target.array.write(target.first + done, row);
  }
}

void fill_values(const Domain& domain, Variation variation, const base::RandomStream& stream,
                 const Target& target) {
  ValueSource source(domain, target.array.type, variation, stream);
  std::vector<double> chunk(std::min(kChunk, target.count));
  for (uint64_t done = 0; done < target.count; done += chunk.size()) {
    const auto part = std::span(chunk).first(std::min<uint64_t>(chunk.size(), target.count - done));
    source.fill(part);
    target.array.write(target.first + done, part);
  }
}

void fill_constant(double value, const Target& target) {
  const std::vector<double> chunk(std::min(kChunk, target.count), value);
  for (uint64_t done = 0; done < target.count; done += chunk.size()) {
    const uint64_t now = std::min<uint64_t>(chunk.size(), target.count - done);
    target.array.write(target.first + done, std::span(chunk).first(now));
  }
}

void fill_sorted(const Domain& domain, Variation variation, const base::RandomStream& stream,
                 const Target& target) {
  ValueSource source(domain, target.array.type, variation, stream);
  for_each_row(target, [&](std::span<double> row) {
    source.fill(row);
    std::sort(row.begin(), row.end());
  });
}

void fill_offsets(const Domain& domain, const base::RandomStream& stream, const Target& target) {
  const Domain between{.kind = Kind::kIndex, .low = 0, .high = domain.high + 1, .parts = {}};
  ValueSource source(between, NumberType::kInt64, Variation::kPlain, stream);
  for_each_row(target, [&](std::span<double> row) {
    source.fill(row);
    std::sort(row.begin(), row.end());
    row.front() = 0;
    row.back() = domain.high;
  });
}

void fill_permutations(base::RandomStream stream, const Target& target) {
  for_each_row(target, [&](std::span<double> row) {
    std::iota(row.begin(), row.end(), 0.0);
    stream.shuffle(row);
  });
}

// Rows e^(t z) / sum with normal z: peaked for a large t, nearly even for a small one.
class ProbabilityRows {
 public:
  ProbabilityRows(Variation variation, NumberType type, const base::RandomStream& stream)
      : variation_(variation),
        least_(least_positive(type)),
        normal_(Domain{}, NumberType::kFloat64, Variation::kPlain, stream),
        chances_(stream.child("chances")) {
    base::RandomStream choice = stream.child("variation");
    if (variation == Variation::kScaled) sharpness_ = 0.125 + 1.875 * choice.uniform();
    if (variation == Variation::kHeavyTailed) sharpness_ = 3;
    if (variation == Variation::kShifted) slope_ = choice.uniform() < 0.5 ? -2 : 2;
  }

  void fill(std::span<double> row) {
    normal_.fill(row);
    double sum = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      const double place = static_cast<double>(i) / static_cast<double>(row.size());
      if (is_edge(variation_)) row[i] = std::round(row[i]);  // ties
      row[i] = base::repeatable_exp(sharpness_ * row[i] + slope_ * place);
      // Near to zero, not zero: what takes a logarithm stays finite.
      if (variation_ == Variation::kZerosAndSigns && chances_.next_u32() % 4 == 0) row[i] *= 0x1p-10;
      sum += row[i];
    }
    for (double& value : row) value = std::max(value / sum, least_);
  }

 private:
  Variation variation_;
  double least_;
  ValueSource normal_;
  base::RandomStream chances_;
  double sharpness_ = 1;
  double slope_ = 0;
};

// `inner` is how far into an input the inner peak is.
void fill_peaks(const Domain& domain, const Peaks& peaks, double inner, base::RandomStream stream,
                const Target& target) {
  const PeakValues values(domain, target.array.type, peaks.level);
  fill_constant(values.level(), target);
  const uint64_t last = target.count - 1;
  // Drawn whether they are wanted or not, so that a peak is the same in whatever company.
  const std::pair<Peaks::Place, uint64_t> places[] = {
      {Peaks::kFirst, 0},
      {Peaks::kLast, last},
      {Peaks::kInner, 1 + static_cast<uint64_t>(inner * static_cast<double>(last - 1))}};
  for (const auto& [place, index] : places) {
    const double value = values.peak(stream);
    if ((peaks.places & place) != 0) target.array.write(target.first + index, std::span(&value, 1));
  }
}

void fill_domain(const Domain& domain, Variation variation, const base::RandomStream& stream,
                 const Target& target) {
  switch (domain.kind) {
    case Kind::kNormal:
    case Kind::kUniform:
    case Kind::kInteger:
    case Kind::kIndex:
    case Kind::kPositive:
    case Kind::kProbability:
      return fill_values(domain, variation, stream, target);
    case Kind::kProbabilities: {
      ProbabilityRows rows(variation, target.array.type, stream);
      return for_each_row(target, [&](std::span<double> row) { rows.fill(row); });
    }
    case Kind::kSorted:
      return fill_sorted(domain, variation, stream, target);
    case Kind::kOffsets:
      return fill_offsets(domain, stream, target);
    case Kind::kPermutation:
      return fill_permutations(stream, target);
    case Kind::kConstant:
    case Kind::kSize:
      return fill_constant(domain.low, target);
    case Kind::kPacked: {
      uint64_t first = target.first;
      for (size_t i = 0; i < domain.parts.size(); ++i) {
        const Domain::Part& part = domain.parts[i];
        fill_domain(part.domain, variation, stream.child(i), {target.array, first, part.count, part.count});
        first += part.count;
      }
      return;
    }
  }
}

Array make_input(const TaskInput& input, Variation variation, const base::RandomStream& stream,
                 const Task& task, const Peaks& peaks) {
  check_domain(input, task.place);
  Array array = Array::zeros(input.type, input.shape);
  const uint64_t row = input.shape.empty() ? 1 : static_cast<uint64_t>(input.shape.back());
  const Target whole{array, 0, array.count(), row};
  try {
    if (variation == Variation::kPeak && has_peaks(input)) {
      fill_peaks(input.domain, peaks, stream.child("inner peak").uniform(), stream.child(input.name), whole);
    } else {
      const Variation spread = variation == Variation::kPeak ? Variation::kPlain : variation;
      fill_domain(input.domain, spread, stream.child(input.name), whole);
    }
  } catch (const base::Error& error) {
    throw base::Error("{}: input '{}': {}", task.place, input.name, error.what())
        .with_remedy("{}", error.remedy());
  }
  return array;
}

}  // namespace

std::string_view name_of(Peaks::Level level) { return kLevelNames[static_cast<size_t>(level)]; }

std::string_view name_of(Variation variation) { return kVariationNames[static_cast<size_t>(variation)]; }

std::optional<Variation> variation_named(std::string_view name) {
  for (int i = 0; i < kVariations; ++i) {
    if (kVariationNames[static_cast<size_t>(i)] == name) return static_cast<Variation>(i);
  }
  return std::nullopt;
}

std::vector<Array> make_inputs(const Task& task, Variation variation, const base::RandomStream& stream,
                               const Peaks& peaks) {
  CUSET_CHECK(task.input_script.empty(), "{}: its script makes the inputs", task.place);
  std::vector<Array> inputs;
  for (const TaskInput& input : task.inputs)
    inputs.push_back(make_input(input, variation, stream, task, peaks));
  return inputs;
}

}  // namespace cuset::tasks
