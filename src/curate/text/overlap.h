// How far the records of two files are alike: exact repetitions, and shared runs of 13 tokens.
//
// Prompts are compared as words and numbers, in small letters. Programs are compared without comments and
// white space for repetitions. For runs only the part counts that belongs to the task: kernels with their
// signatures, launch configurations and the declarations of constants; the host code that reads, copies and
// writes is alike by nature. The overlap of a held-out text is the share of its runs that one single training
// text has, the largest such share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "curate/text/compared_text.h"

namespace cuset::curate {

struct OverlapOfTexts {
  size_t training = 0;  // different texts
  size_t held_out = 0;
  size_t repeated = 0;          // held-out texts that occur in training
  std::vector<double> overlap;  // of each held-out text that has a run, ascending
  std::string example;          // the repeated text that came first, or empty
};

struct Overlap {
  OverlapOfTexts prompts;
  OverlapOfTexts programs;
};

// Reads tasks, samples, answers and documents by their keys: "prompts", "prompt", "response", "text". Throws
// Error.
Overlap measure_overlap(const std::filesystem::path& training, const std::filesystem::path& held_out);

// {"prompts": {"training", "held_out", "repeated", "median", "p90", "p99", "largest", "above"}, "programs":
// ...}; "above" counts the texts whose overlap is at least `threshold`.
base::Json json_of(const Overlap& overlap, double threshold);

}  // namespace cuset::curate
