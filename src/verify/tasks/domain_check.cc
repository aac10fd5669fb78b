#include "verify/tasks/domain_check.h"

#include <cmath>

#include "base/error.h"
#include "verify/tasks/domain_json.h"

namespace cuset {
namespace {

using Kind = Domain::Kind;

class DomainCheck {
 public:
  DomainCheck(const TaskInput& input, const std::string& place) : input_(input), place_(place) {}

  void check() const {
    const uint64_t count = count_of(input_.shape);
    if (count > kMostArrayBytes / bytes_of(input_.type)) refuse("has over 64 GiB");
    check(input_.domain, count, input_.shape.empty() ? 1 : static_cast<uint64_t>(input_.shape.back()));
  }

 private:
  void check(const Domain& domain, uint64_t count, uint64_t row) const {
    switch (domain.kind) {
      case Kind::kNormal:
        needs_floating(domain);
        if (!(std::isfinite(domain.mean) && std::isfinite(domain.deviation) && domain.deviation >= 0)) {
          refuse("needs a finite mean and a deviation from 0 on");
        }
        fits(std::abs(domain.mean) + 8 * domain.deviation);
        break;
      case Kind::kPositive:
        if (!(domain.low > 0)) refuse(fmt::format("needs low above 0, not {}", domain.low));
        [[fallthrough]];
      case Kind::kUniform:
        needs_floating(domain);
        check_range(domain);
        break;
      case Kind::kProbability:
      case Kind::kProbabilities:
        needs_floating(domain);
        break;
      case Kind::kSorted:
        check_range(domain);
        if (!is_floating(input_.type)) check_whole_range(domain);
        break;
      case Kind::kInteger:
      case Kind::kIndex:
        check_whole_range(domain);
        break;
      case Kind::kOffsets:
        check_offsets(domain, row);
        break;
      case Kind::kPermutation:
        if (row > 0) fits_whole(static_cast<double>(row - 1));
        break;
      case Kind::kConstant:
        fits(domain.low);
        break;
      case Kind::kSize:
        fits_whole(domain.low);
        break;
      case Kind::kPacked:
        check_parts(domain, count);
        break;
    }
  }

  void check_parts(const Domain& domain, uint64_t count) const {
    uint64_t sum = 0;
    for (const Domain::Part& part : domain.parts) {
      if (part.count > count - sum) {
        refuse(fmt::format("has parts of more than its {} numbers", count));
      }
      sum += part.count;
      check(part.domain, part.count, part.count);
    }
    if (sum != count) refuse(fmt::format("has parts of {} numbers in all, but {} numbers", sum, count));
  }

  void check_range(const Domain& domain) const {
    if (!(domain.low < domain.high)) {
      refuse(fmt::format("needs low below high, not {} and {}", domain.low, domain.high));
    }
    fits(domain.low);
    fits(domain.high);
  }

  void check_whole_range(const Domain& domain) const {
    if (!(domain.low < domain.high)) {
      refuse(fmt::format("needs low below high, not {} and {}", domain.low, domain.high));
    }
    fits_whole(domain.low);
    fits_whole(domain.high - 1);
  }

  void check_offsets(const Domain& domain, uint64_t row) const {
    if (domain.high < 0) refuse(fmt::format("needs high from 0 on, not {}", domain.high));
    fits_whole(domain.high);
    if (row < 2 && domain.high != 0) refuse("needs at least two offsets: the first is 0, the last is high");
  }

  void needs_floating(const Domain& domain) const {
    if (is_floating(input_.type)) return;
    throw Error("{}: input '{}': the domain {} needs a floating type, not {}", place_, input_.name,
                name_of(domain.kind), name_of(input_.type))
        .with_remedy("take the domain integer, or another type");
  }

  // Every whole number up to `value` must be exact, negative ones too.
  void fits_whole(double value) const {
    if (value != std::floor(value)) refuse(fmt::format("needs whole numbers, not {}", value));
    const bool is_signed = is_floating(input_.type) || name_of(input_.type).starts_with("int");
    const double most = largest_exact_whole(input_.type);
    const double least = is_signed ? -most : 0;
    if (!(value >= least && value <= most)) {
      refuse(fmt::format("has the number {}, which is not exact as {}", value, name_of(input_.type)));
    }
  }

  void fits(double value) const {
    const double kept = Array::from_doubles(input_.type, {}, {value}).at(0);
    const bool near = std::isfinite(kept) && (is_floating(input_.type) || kept == value);
    if (!near) refuse(fmt::format("has the number {}, which {} does not hold", value, name_of(input_.type)));
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error("{}: input '{}' {}", place_, input_.name, reason).with_remedy("see docs/tasks.md on domains");
  }

  const TaskInput& input_;
  const std::string& place_;
};

}  // namespace

void check_domain(const TaskInput& input, const std::string& place) { DomainCheck(input, place).check(); }

}  // namespace cuset
