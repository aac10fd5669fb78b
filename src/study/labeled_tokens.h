// From an example and the confidences of its supervised tokens to what the analysis takes: which tokens are
// code, which structures they belong to, which are CUDA-sensitive.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "data/example.h"
#include "study/analyzed_sample.h"

namespace cuset::study {

enum class CodeScope : uint8_t {
  kCode,      // tokens of the program that the response gives
  kResponse,  // every supervised token of it
};

struct LabelOptions {
  Sensitivity sensitivity = Sensitivity::kStructures;
  CodeScope scope = CodeScope::kCode;
};

// The first token of the example that belongs to its response.
size_t first_response_token(const data::Example& example);

// The kinds of regions that each token overlaps, [tokens of the example].
std::vector<KindSet> kinds_of_tokens(const data::Example& example);

// `confidences` are those of the supervised tokens (confidence_run.h), in order. Nothing where no
// token is in scope. The example has its text, spans and regions.
std::optional<AnalyzedSample> label_tokens(const data::Example& example, std::span<const float> confidences,
                                           const LabelOptions& options);

}  // namespace cuset::study
