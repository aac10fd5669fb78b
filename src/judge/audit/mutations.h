// The kinds of mutations, each a function that looks for places of one sort and says what to change there,
// best places first. A mutation is a plausible slip of a programmer's hand, small enough to compile.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "judge/audit/mutation_subject.h"

namespace cuset::judge {

struct Edit {  // bytes of the source
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};

struct Mutation {
  std::vector<Edit> edits;  // do not overlap
  std::string description;
  std::string opening;  // a line to put before everything; may be empty
  bool certain = true;  // see Mutant
};

using Mutations = std::vector<Mutation>;

// The edit that puts `text` in the place of the tokens [first, last), which are not empty.
Edit replacement(const MutationSubject& subject, size_t first, size_t last, std::string text);
// A mutation of one edit that says "`before` became `after`", or "`before` was left out".
Mutation replaced(const MutationSubject& subject, size_t first, size_t last, const std::string& text);
// The same mutation where outputs may stay right.
Mutation doubtful(Mutation mutation);
// Whether one of `words` is among the tokens [first, last).
bool holds(const MutationSubject& subject, size_t first, size_t last,
           std::initializer_list<std::string_view> words);
// Whether only the maximum is concerned that is taken off before exponentials: unless they overflow, any
// other number in its place gives the same softmax.
bool concerns_shift(const MutationSubject& subject, const Mutation& mutation);
// `text` on one line, cut where it is long, in backticks.
std::string shown(const std::string& text);

// mutations_of_places.cc: where something is read, written or counted.
Mutations off_by_one_bound(const MutationSubject& subject);
Mutations wrong_loop_start(const MutationSubject& subject);
Mutations wrong_stride(const MutationSubject& subject);
Mutations swapped_index(const MutationSubject& subject);
Mutations missing_guard(const MutationSubject& subject);
Mutations wrong_reduction_scope(const MutationSubject& subject);

// mutations_of_values.cc: what is computed.
Mutations swapped_operator(const MutationSubject& subject);
Mutations wrong_constant(const MutationSubject& subject);
Mutations wrong_comparison(const MutationSubject& subject);
Mutations wrong_function(const MutationSubject& subject);
Mutations dropped_sign(const MutationSubject& subject);

// mutations_of_sums.cc: accumulators and their precision.
Mutations half_precision(const MutationSubject& subject);
Mutations uninitialised_accumulator(const MutationSubject& subject);
Mutations dropped_accumulation(const MutationSubject& subject);

// mutations_of_launches.cc: threads, barriers, and copies between host and device.
Mutations dropped_barrier(const MutationSubject& subject);
Mutations wrong_launch_size(const MutationSubject& subject);
Mutations early_return(const MutationSubject& subject);
Mutations missing_copy_back(const MutationSubject& subject);
Mutations missing_copy_in(const MutationSubject& subject);
Mutations partial_copy_back(const MutationSubject& subject);

}  // namespace cuset::judge
