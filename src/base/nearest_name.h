// Finds the name somebody meant: "unknown key 'learning_rat'; did you mean 'learning_rate'?"
//
// The measure is the Damerau-Levenshtein distance in its restricted form (insert, delete, replace a letter,
// swap two neighbors; no piece is edited twice). Differences of case and between '-' and '_' cost a tenth of
// a letter, a missing or spare '-' or '_' a fifth, so "BatchSize" is close to "batch_size". A name is near
// enough if at most one letter in three is wrong and at least one is right.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::base {

// The nearest of `known`, the first of equally near ones; nothing where none is near enough.
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string_view> known);
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> known);

// "; did you mean 'learning_rate'?" to close a message, or an empty string.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> known);
std::string did_you_mean(std::string_view wrong, std::span<const std::string> known);

// The names that a list like --only names, or all that are known. Throws UsageError where one is unknown,
// with the nearest.
std::set<std::string> chosen_names(const std::vector<std::string>& only,
                                   const std::vector<std::string>& known);

}  // namespace cuset::base
