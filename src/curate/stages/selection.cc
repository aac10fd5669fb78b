#include "curate/stages/selection.h"

#include <fnmatch.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/stats/random.h"

namespace cuset::curate {
namespace {

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

class Selector {
 public:
  Selector(const std::vector<Candidate>& candidates, const SelectOptions& options, uint64_t seed)
      : candidates_(candidates), options_(options), seed_(seed) {
    in_tokens_ = !candidates.empty();
    for (const Candidate& candidate : candidates_) {
      if (candidate.task.empty()) continue;
      in_tokens_ = in_tokens_ && candidate.reasoning_tokens >= 0;
      by_task_[candidate.task].push_back(&candidate);
      has_speedup_ = has_speedup_ || candidate.speedup.has_value();
    }
  }

  Selection run() {
    check();
    measure_difficulty();
    if (options_.rule == SelectRule::kConcur) {
      choose_concur();
    } else {
      for (const auto& [task, members] : by_task_) choose(task, left_of(members));
    }
    limit_families();
    limit_count();
    finish_summary();
    return std::move(result_);
  }

 private:
  using Members = std::vector<const Candidate*>;

  int64_t length(const Candidate& candidate) const {
    return in_tokens_ ? candidate.reasoning_tokens : candidate.reasoning_words;
  }
  static Members left_of(const Members& members) {
    Members left;
    std::copy_if(members.begin(), members.end(), std::back_inserter(left),
                 [](const Candidate* c) { return c->is_left; });
    return left;
  }
  bool is_left(const Candidate& candidate) const {
    return candidate.is_left && !result_.rejected.contains(candidate.row);
  }

  void check() const {
    const bool needs = options_.rule == SelectRule::kConcur || options_.rule == SelectRule::kFastest;
    if (!needs || has_speedup_ || by_task_.empty()) return;
    throw base::Error("select.rule {} needs speedups, and no answer was timed", name_of(options_.rule))
        .with_remedy("set verify: {{timing: true}} on a machine with a GPU, or choose shortest or random");
  }

  void refuse(const Candidate& candidate, const std::string& detail,
              const std::string& reason = "not_selected") {
    result_.rejected.emplace(candidate.row, Rejection{"select", reason, detail});
  }

  void measure_difficulty() {
    std::map<std::string, size_t> tasks;
    std::map<std::string, std::pair<size_t, size_t>> passed;  // by difficulty: correct, all
    std::vector<double> lengths, rates;
    for (const auto& [task, members] : by_task_) {
      double sum = 0, correct = 0;
      for (const Candidate* member : members) {
        sum += static_cast<double>(length(*member));
        correct += member->is_correct ? 1 : 0;
      }
      const double mean = sum / static_cast<double>(members.size());
      const char* difficulty = mean < static_cast<double>(options_.easy)   ? "easy"
                               : mean > static_cast<double>(options_.hard) ? "hard"
                                                                           : "medium";
      ++tasks[difficulty];
      passed[difficulty].first += static_cast<size_t>(correct);
      passed[difficulty].second += members.size();
      for (const Candidate* member : members) result_.difficulty[member->row] = difficulty;
      lengths.push_back(mean);
      rates.push_back(correct / static_cast<double>(members.size()));
    }
    base::Json& summary = result_.summary;
    summary = {{"rule", name_of(options_.rule)}, {"unit", in_tokens_ ? "tokens" : "words"}, {"tasks", tasks}};
    for (const auto& [difficulty, counts] : passed)
      summary["pass_rate"][difficulty] =
          static_cast<double>(counts.first) / static_cast<double>(counts.second);
    if (const auto correlation = rank_correlation(lengths, rates)) summary["correlation"] = *correlation;
  }

  // Keeps the first `per_task` in the order of the rule.
  void choose(const std::string& task, Members members) {
    if (options_.rule == SelectRule::kAll) return;
    if (options_.rule == SelectRule::kRandom) {
      base::RandomStream stream =
          base::RandomStream(static_cast<uint64_t>(seed_), "curate/select").child(task);
      stream.shuffle(std::span(members));
    } else {
      const auto is_before = [&](const Candidate* a, const Candidate* b) {
        if (options_.rule == SelectRule::kShortest) return length(*a) < length(*b);
        if (options_.rule == SelectRule::kLongest) return length(*a) > length(*b);
        return a->speedup.value_or(0) > b->speedup.value_or(0);
      };
      std::stable_sort(members.begin(), members.end(), is_before);
    }
    for (size_t i = static_cast<size_t>(options_.per_task); i < members.size(); ++i)
      refuse(*members[i],
             fmt::format("{} of {} candidates, {} kept", i + 1, members.size(), options_.per_task));
  }

  void choose_concur() {
    std::set<uint32_t> chosen;
    std::set<std::string> chosen_tasks;
    size_t by_a = 0, by_b = 0, single = 0;
    Members singles;
    for (const auto& [task, all] : by_task_) {
      Members members = left_of(all);
      std::erase_if(members, [](const Candidate* c) { return !c->is_correct; });
      if (members.empty()) continue;
      const auto shorter = [&](const Candidate* a, const Candidate* b) { return length(*a) < length(*b); };
      const auto slower = [](const Candidate* a, const Candidate* b) {
        return a->speedup.value_or(0) < b->speedup.value_or(0);
      };
      const Candidate* shortest = *std::min_element(members.begin(), members.end(), shorter);
      const Candidate* fastest = *std::max_element(members.begin(), members.end(), slower);
      if (shortest->speedup && *shortest->speedup == fastest->speedup.value_or(0))
        by_a += chosen.insert(shortest->row).second ? 1 : 0;
      for (const Candidate* member : members)
        if (member->speedup.value_or(0) > options_.speedup) by_b += chosen.insert(member->row).second ? 1 : 0;
      const bool is_chosen = std::any_of(members.begin(), members.end(),
                                         [&](const Candidate* c) { return chosen.contains(c->row); });
      if (is_single(*shortest)) {
        if (!is_chosen) singles.push_back(shortest);
        for (const Candidate* member : members) single += chosen.contains(member->row) ? 1 : 0;
      }
    }
    const size_t by_c = add_singles(singles, single, chosen);
    for (const auto& [task, all] : by_task_)
      for (const Candidate* member : left_of(all))
        if (!chosen.contains(member->row))
          refuse(*member, "neither shortest and fastest, nor above the speedup");
    result_.summary["of_rule"] = {
        {"shortest_and_fastest", by_a}, {"speedup", by_b}, {"single_operator", by_c}};
  }

  bool is_single(const Candidate& candidate) const {
    return std::none_of(options_.fused.begin(), options_.fused.end(), [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), candidate.task.c_str(), 0) == 0 ||
             fnmatch(pattern.c_str(), candidate.family.c_str(), 0) == 0;
    });
  }

  // Adds single-operator rows until they are the wanted share: the fewest s with (single + s) / (all + s) >= share.
  size_t add_singles(const Members& singles, size_t single, std::set<uint32_t>& chosen) const {
    size_t added = 0;
    for (const Candidate* candidate : singles) {
      const double share =
          chosen.empty() ? 0 : static_cast<double>(single) / static_cast<double>(chosen.size());
      if (share >= options_.single_share) break;
      chosen.insert(candidate->row);
      ++single;
      ++added;
    }
    return added;
  }

  // A random order that depends on seed and row alone, so that more rows change no other's place.
  std::vector<const Candidate*> drawn_order() const {
    std::vector<std::pair<uint64_t, const Candidate*>> keyed;
    for (const Candidate& candidate : candidates_)
      if (is_left(candidate))
        keyed.emplace_back(base::RandomStream(seed_, "curate/limit").child(candidate.row).next_u64(),
                           &candidate);
    std::sort(keyed.begin(), keyed.end());
    std::vector<const Candidate*> order;
    for (const auto& [key, candidate] : keyed) order.push_back(candidate);
    return order;
  }

  void limit_families() {
    if (options_.per_family == 0) return;
    std::map<std::string, int64_t> kept;
    for (const Candidate* candidate : drawn_order())
      if (!candidate->family.empty() && ++kept[candidate->family] > options_.per_family)
        refuse(*candidate,
               fmt::format("the family {} has {} rows already", candidate->family, options_.per_family),
               "balance");
  }

  void limit_count() {
    if (options_.count == 0) return;
    int64_t kept = 0;
    for (const Candidate* candidate : drawn_order())
      if (++kept > options_.count)
        refuse(*candidate, fmt::format("{} rows are enough", options_.count), "balance");
  }

  void finish_summary() {
    size_t kept = 0;
    for (const Candidate& candidate : candidates_) kept += is_left(candidate) ? 1 : 0;
    result_.summary["kept"] = kept;
  }

  const std::vector<Candidate>& candidates_;
  const SelectOptions& options_;
  uint64_t seed_;
  bool in_tokens_ = false;
  bool has_speedup_ = false;
  std::map<std::string, Members> by_task_;
  Selection result_;
};

}  // namespace

std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  CUSET_CHECK(a.size() == b.size(), "{} and {} values", a.size(), b.size());
  if (a.size() < 3) return std::nullopt;
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double middle = static_cast<double>(a.size() - 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
    xy += (x[i] - middle) * (y[i] - middle);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

Selection select_rows(const std::vector<Candidate>& candidates, const SelectOptions& options, uint64_t seed) {
  return Selector(candidates, options, seed).run();
}

}  // namespace cuset::curate
