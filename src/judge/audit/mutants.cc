#include "judge/audit/mutants.h"

#include <algorithm>
#include <set>

#include "judge/audit/mutations.h"

namespace cuset::judge {
namespace {

constexpr struct {
  std::string_view name;
  Mutations (*find)(const MutationSubject& subject);
} kKinds[] = {
    {"dropped_barrier", dropped_barrier},
    {"off_by_one_bound", off_by_one_bound},
    {"wrong_stride", wrong_stride},
    {"swapped_index", swapped_index},
    {"missing_guard", missing_guard},
    {"wrong_reduction_scope", wrong_reduction_scope},
    {"half_precision", half_precision},
    {"uninitialised_accumulator", uninitialised_accumulator},
    {"wrong_launch_size", wrong_launch_size},
    {"missing_copy_back", missing_copy_back},
    {"wrong_loop_start", wrong_loop_start},
    {"swapped_operator", swapped_operator},
    {"wrong_constant", wrong_constant},
    {"wrong_comparison", wrong_comparison},
    {"wrong_function", wrong_function},
    {"dropped_sign", dropped_sign},
    {"dropped_accumulation", dropped_accumulation},
    {"early_return", early_return},
    {"missing_copy_in", missing_copy_in},
    {"partial_copy_back", partial_copy_back},
};

std::string apply(const std::string& source, Mutation& mutation) {
  std::sort(mutation.edits.begin(), mutation.edits.end(),
            [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result = mutation.opening;
  size_t copied = 0;
  for (const Edit& edit : mutation.edits) {
    result.append(source, copied, edit.begin - copied).append(edit.text);
    copied = edit.end;
  }
  return result.append(source, copied);
}

uint32_t line_of(const std::string& source, size_t offset) {
  return static_cast<uint32_t>(
      1 + std::count(source.begin(), source.begin() + static_cast<ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::vector<std::string_view> mutation_kinds() {
  std::vector<std::string_view> names;
  for (const auto& kind : kKinds) names.push_back(kind.name);
  return names;
}

std::vector<Mutant> mutants_of(const std::string& source, size_t most_per_kind) {
  const MutationSubject subject(source);
  std::set<std::string> seen = {source};
  std::vector<Mutant> mutants;
  for (const auto& kind : kKinds) {
    size_t made = 0;
    for (Mutation& mutation : kind.find(subject)) {
      if (made == most_per_kind) break;
      std::string text = apply(source, mutation);
      if (!seen.insert(text).second) continue;
      const bool certain = mutation.certain && !concerns_shift(subject, mutation);
      mutants.push_back({kind.name, line_of(source, mutation.edits.front().begin),
                         std::move(mutation.description), std::move(text), certain});
      ++made;
    }
  }
  return mutants;
}

}  // namespace cuset::judge
