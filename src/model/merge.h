// Merging: base model + adapter -> a model folder of its own, W + scale B A in float32 and rounded once.
//
// What was written is read back and must answer as base and adapter together do: the logits of a few fixed
// token sequences are compared. docs/model-folders.md has the limits and where they come from.
#pragma once

#include <filesystem>
#include <string>

namespace cuset::model {

struct MergeRequest {
  std::filesystem::path model;    // folder of the base model
  std::filesystem::path adapter;  // folder of the adapter
  std::filesystem::path output;   // must not exist, or be empty
  std::string type;  // "float32", "bfloat16"; empty: float32 where config.json says so, else bfloat16
};

// Differences are the largest over all tokens and sequences (with experts, of the median token), as shares of the
// range of the logits.
struct MergeCheck {
  double merged_difference = 0;   // merged folder against base and adapter
  double adapter_difference = 0;  // base and adapter against base alone: what the adapter does
  double limit = 0;               // of merged_difference
};

// Writes request.output only if the check passes, and moves it there in one step. Throws Error naming the
// differences where it does not, and for everything that cannot be read or written; then nothing is left
// behind.
MergeCheck merge_adapter(const MergeRequest& request);

}  // namespace cuset::model
