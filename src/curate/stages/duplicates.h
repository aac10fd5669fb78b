// Exact duplicates and near-duplicates among programs, by their fingerprints.
//
// Programs are exact duplicates where nothing but comments, white space and the names of their own things differs, and
// near-duplicates where the runs of tokens in their kernels have a Jaccard similarity of at least a threshold. The
// first of several stays. Rows with a task are compared with the other rows of their task: the same program in answer
// to another question is another sample. A row without a task is compared with all others, and those with a task stay.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "curate/text/normalized_code.h"
#include "curate/text/signature.h"

namespace cuset::curate {

// What is known of a row's program.
struct ProgramKey {
  CodeHash code;
  uint64_t scope = 0;  // the row's task; 0: none
};

struct DuplicateOf {
  uint32_t row = 0;  // that stays
  double similarity = 1;
};

// The duplicates among `rows` (numbers, ascending) and what each repeats.
std::map<uint32_t, DuplicateOf> find_exact_duplicates(std::span<const uint32_t> rows,
                                                      const std::function<ProgramKey(uint32_t)>& key_of);

struct NearDuplicateSearch {
  double threshold = 0.8;
  bool across_tasks = false;
  std::function<const Signature&(uint32_t)> signature_of;
  std::function<uint64_t(uint32_t)> scope_of;
  // The exact similarity of two rows, asked for where that of their signatures is too near to the threshold to decide.
  std::function<double(uint32_t, uint32_t)> similarity_of;
  // Called once for each row; what it throws ends the search. May be empty.
  std::function<void()> on_row = {};
};

std::map<uint32_t, DuplicateOf> find_near_duplicates(std::span<const uint32_t> rows,
                                                     const NearDuplicateSearch& search);

// Members in common over members in all, of two sorted lists without repetitions.
double jaccard(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace cuset::curate
