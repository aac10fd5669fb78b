#include "base/nearest_name.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"

namespace cuset::base {
namespace {

// Costs in tenths of a letter.
constexpr int kLetter = 10;
constexpr int kSeparator = 2;
constexpr int kVariant = 1;
constexpr size_t kLongestName = 128;

bool is_separator(char c) { return c == '-' || c == '_'; }

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

int cost_of_presence(char c) { return is_separator(c) ? kSeparator : kLetter; }

int cost_of_replacing(char a, char b) {
  if (a == b) return 0;
  return folded(a) == folded(b) ? kVariant : kLetter;
}

// Rows of the usual table: `before` belongs to i - 2, `above` to i - 1, `row` to i letters of `a`.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 1; j <= b.size(); ++j) row[j] = row[j - 1] + cost_of_presence(b[j - 1]);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = above[0] + cost_of_presence(a[i - 1]);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + cost_of_presence(a[i - 1]), row[j - 1] + cost_of_presence(b[j - 1]),
                         above[j - 1] + cost_of_replacing(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + kLetter);
      }
    }
  }
  return row[b.size()];
}

// Who mistypes seldom mistypes the first letter: of "serve", "merge" is another word.
int farthest_allowed(std::string_view wrong, std::string_view name) {
  const int length = static_cast<int>(std::min(wrong.size(), name.size()));
  const bool same_start = length > 0 && folded(wrong[0]) == folded(name[0]);
  const int letters = std::max(1, (length + 2) / 3 - (same_start ? 0 : 1));
  return std::min(kLetter * letters, kLetter * length - 1);
}

std::vector<std::string_view> views_of(std::span<const std::string> names) {
  return {names.begin(), names.end()};
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string_view> known) {
  std::optional<std::string> nearest;
  int least = 0;
  if (wrong.size() > kLongestName) return nearest;
  for (const std::string_view name : known) {
    if (name.size() > kLongestName) continue;
    const int away = distance(wrong, name);
    if (away > farthest_allowed(wrong, name) || (nearest && away >= least)) continue;
    nearest = std::string(name);
    least = away;
  }
  return nearest;
}

std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known) {
  return nearest_name(wrong, views_of(known));
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> known) {
  const std::optional<std::string> name = nearest_name(wrong, known);
  return name ? "; did you mean '" + *name + "'?" : "";
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> known) {
  return did_you_mean(wrong, views_of(known));
}

std::set<std::string> chosen_names(const std::vector<std::string>& only,
                                   const std::vector<std::string>& known) {
  if (only.empty()) return {known.begin(), known.end()};
  for (const std::string& id : only) {
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw UsageError("--only: unknown task {}{}", in_quotes(id), did_you_mean(id, known));
  }
  return {only.begin(), only.end()};
}

}  // namespace cuset::base
