#include "curate/stages/duplicates.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace cuset::curate {
namespace {

// By how much an estimate may differ from the similarity: two standard errors. Nearer to the threshold it is computed.
constexpr double kEstimateMargin = 0.09;
constexpr double kAlmostTheSame = 0.95;

class NearDuplicates {
 public:
  NearDuplicates(std::span<const uint32_t> rows, const NearDuplicateSearch& search)
      : rows_(rows), search_(search), index_(2 * rows.size()) {
    for (const uint32_t row : rows)
      has_rows_without_task_ = has_rows_without_task_ || search.scope_of(row) == 0;
  }

  std::map<uint32_t, DuplicateOf> find() {
    // Those with a task first, for they can be verified.
    for (const bool with_task : {true, false})
      for (const uint32_t row : rows_)
        if ((search_.scope_of(row) != 0) == with_task) look_at(row);
    return std::move(found_);
  }

 private:
  void look_at(uint32_t row) {
    if (search_.on_row) search_.on_row();
    const uint64_t own = search_.across_tasks ? 0 : search_.scope_of(row);
    if (const std::optional<DuplicateOf> first = find_in(own, row)) {
      found_.emplace(row, *first);
      return;
    }
    index_.add(search_.signature_of(row), own, row);
    if (own != 0 && has_rows_without_task_ && !is_covered(row)) index_.add(search_.signature_of(row), 0, row);
  }

  // Rows without a task are compared with rows of all tasks. Of many that are almost the same one is enough.
  bool is_covered(uint32_t row) const {
    bool is_found = false;
    index_.find(search_.signature_of(row), 0, [&](uint32_t other) {
      is_found = similarity(search_.signature_of(row), search_.signature_of(other)) >= kAlmostTheSame;
      return is_found;
    });
    return is_found;
  }

  std::optional<DuplicateOf> find_in(uint64_t scope, uint32_t row) const {
    const Signature& signature = search_.signature_of(row);
    std::optional<DuplicateOf> found;
    std::vector<uint32_t> compared;
    index_.find(signature, scope, [&](uint32_t other) {
      if (std::find(compared.begin(), compared.end(), other) != compared.end()) return false;
      compared.push_back(other);
      double shared = similarity(signature, search_.signature_of(other));
      if (shared < search_.threshold - kEstimateMargin) return false;
      if (shared < search_.threshold + kEstimateMargin) shared = search_.similarity_of(row, other);
      if (shared < search_.threshold) return false;
      found = DuplicateOf{other, shared};
      return true;
    });
    return found;
  }

  std::span<const uint32_t> rows_;
  const NearDuplicateSearch& search_;
  SignatureIndex index_;
  bool has_rows_without_task_ = false;
  std::map<uint32_t, DuplicateOf> found_;
};

}  // namespace

std::map<uint32_t, DuplicateOf> find_exact_duplicates(std::span<const uint32_t> rows,
                                                      const std::function<ProgramKey(uint32_t)>& key_of) {
  std::map<uint32_t, DuplicateOf> found;
  std::unordered_map<CodeHash, uint32_t> any;  // of all rows that stay, the first
  std::unordered_map<CodeHash, std::vector<std::pair<uint64_t, uint32_t>>> of_task;  // scope and row
  for (const bool with_task : {true, false}) {
    for (const uint32_t row : rows) {
      const ProgramKey key = key_of(row);
      if ((key.scope != 0) != with_task) continue;
      if (with_task) {
        auto& known = of_task[key.code];
        const auto same =
            std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == key.scope; });
        if (same != known.end()) {
          found.emplace(row, DuplicateOf{same->second, 1});
          continue;
        }
        known.emplace_back(key.scope, row);
        any.emplace(key.code, row);
      } else if (const auto [first, is_new] = any.emplace(key.code, row); !is_new) {
        found.emplace(row, DuplicateOf{first->second, 1});
      }
    }
  }
  return found;
}

std::map<uint32_t, DuplicateOf> find_near_duplicates(std::span<const uint32_t> rows,
                                                     const NearDuplicateSearch& search) {
  return NearDuplicates(rows, search).find();
}

double jaccard(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  size_t shared = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    shared += a[i] == b[k] ? 1 : 0;
    const bool both = a[i] == b[k];
    if (both || a[i] < b[k])
      ++i, k += both ? 1 : 0;
    else
      ++k;
  }
  const size_t all = a.size() + b.size() - shared;
  return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace cuset::curate
