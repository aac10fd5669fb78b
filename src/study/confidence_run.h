// Confidence of a model on examples, in packs and without full logits: the fused head gives log p of the
// targets, chunk by chunk (ops/head.h). What is known is kept in a file, so that an interrupted run goes on
// and another window or label costs no pass through the model.
//
// confidences.jsonl: {"sample": place, "p": [of every supervised token]} per line, in the order of work.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/example.h"
#include "generate/served_model.h"

namespace cuset {

struct StudiedModel {
  std::filesystem::path folder;
  std::filesystem::path adapter;  // empty: none
  std::string device = "auto";    // "cpu", "cuda", or "auto": a GPU where there is one
  std::string dtype = "auto";     // "float32", "bfloat16", or "auto": bfloat16 on a GPU
  int64_t threads = 0;            // of the processor; 0: all cores
  int64_t batch_tokens = 4096;    // of a pack; a longer example is a pack of its own
};

// What "auto" stands for on this machine. Throws Error where it shall be a GPU and there is none.
ModelPlacement placement_of(const StudiedModel& model);

// p of the supervised tokens of every example, in their order, or nothing where an interrupt came. The model
// is loaded only where something is missing from `file`. Shows progress. Throws Error for what cannot be
// loaded, and naming the sample where a p is not a number.
std::optional<std::vector<std::vector<float>>> measure_confidence(const StudiedModel& model,
                                                                  const std::vector<Example>& examples,
                                                                  const std::filesystem::path& file);

}  // namespace cuset
