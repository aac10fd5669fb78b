// Confidence of a model on examples, in packs (generate/scoring_model.h). What is known is kept in a file, so
// that an interrupted run resumes and another window or label costs no pass through the model.
//
// confidences.jsonl: {"sample": place, "p": [of every supervised token]} per line, in the order of work.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/example.h"
#include "generate/scoring_model.h"

namespace cuset::study {

struct ConfidenceOptions {
  generate::ScoringModelOptions model;
  size_t batch_tokens = 4096;  // of a pack; a longer example is a pack of its own
  std::filesystem::path file;  // confidences.jsonl
};

// p of the supervised tokens of every example, in their order, or nothing where an interrupt came. The model
// is loaded only where something is missing from the file. Shows progress. Throws Error for what cannot be
// loaded, and naming the sample where a p is not a number.
std::optional<std::vector<std::vector<float>>> measure_confidence(const ConfidenceOptions& options,
                                                                  const std::vector<data::Example>& examples);

}  // namespace cuset::study
