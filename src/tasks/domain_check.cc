#include "tasks/domain_check.h"

#include <cmath>

#include "base/error.h"
#include "tasks/domain_json.h"

namespace cuset::tasks {
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
        return check_normal(domain);
      case Kind::kPositive:
      case Kind::kUniform:
      case Kind::kSorted:
        return check_range(domain);
      case Kind::kProbability:
      case Kind::kProbabilities:
        return needs_floating(domain);
      case Kind::kInteger:
      case Kind::kIndex:
        return check_whole_range(domain);
      case Kind::kOffsets:
        return check_offsets(domain, row);
      case Kind::kPermutation:
        return fits_whole(row > 0 ? static_cast<double>(row - 1) : 0);
      case Kind::kConstant:
        return fits(domain.low);
      case Kind::kSize:
        return fits_whole(domain.low);
      case Kind::kPacked:
        return check_parts(domain, count);
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

  void check_normal(const Domain& domain) const {
    needs_floating(domain);
    if (!(std::isfinite(domain.mean) && std::isfinite(domain.deviation) && domain.deviation >= 0)) {
      refuse("needs a finite mean and a deviation from 0 on");
    }
    fits(std::abs(domain.mean) + 8 * domain.deviation);
  }

  void check_range(const Domain& domain) const {
    if (domain.kind == Kind::kSorted && !is_floating(input_.type)) return check_whole_range(domain);
    needs_floating(domain);
    if (domain.kind == Kind::kPositive && !(domain.low > 0)) {
      refuse(fmt::format("needs low above 0, not {}", domain.low));
    }
    check_order(domain);
    fits(domain.low);
    fits(domain.high);
    if (!std::isfinite(domain.high - domain.low)) refuse("has a range beyond the largest number");
  }

  void check_order(const Domain& domain) const {
    if (!(domain.low < domain.high)) {
      refuse(fmt::format("needs low below high, not {} and {}", domain.low, domain.high));
    }
  }

  void check_whole_range(const Domain& domain) const {
    check_order(domain);
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
    throw base::Error("{}: input '{}': the domain {} needs a floating type, not {}", place_, input_.name,
                      name_of(domain.kind), name_of(input_.type))
        .with_remedy("take the domain integer, or another type");
  }

  // Every whole number up to `value` must be exact, negative ones too.
  void fits_whole(double value) const {
    if (value != std::floor(value)) refuse(fmt::format("needs whole numbers, not {}", value));
    const double most = largest_exact_whole(input_.type);
    const double least = is_floating(input_.type)                  ? -most
                         : name_of(input_.type).starts_with("int") ? -most - 1
                                                                   : 0;
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
    throw base::Error("{}: input '{}' {}", place_, input_.name, reason)
        .with_remedy("see docs/tasks.md on domains");
  }

  const TaskInput& input_;
  const std::string& place_;
};

}  // namespace

void check_domain(const TaskInput& input, const std::string& place) { DomainCheck(input, place).check(); }

}  // namespace cuset::tasks
