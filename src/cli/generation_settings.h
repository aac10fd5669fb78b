// The keys that `cuset generate` and `cuset evaluate` share: which model, which prompts, how to sample.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/settings.h"
#include "generate/generation.h"
#include "generate/served_model.h"

namespace cuset {

// Flags of which model answers and where it runs; not those of slots and positions.
void declare_model(Settings& settings, ServedModelOptions& model);
// Throws UsageError.
void check_model_options(const ServedModelOptions& model);

// Flags of how tokens are chosen and when answers end.
void declare_sampling(Settings& settings, GenerationSettings& generation);
// Throws UsageError. Stop strings may be written with \n, \t and \\.
void check_sampling(GenerationSettings& generation);

// What is to be answered.
struct PromptChoice {
  std::filesystem::path tasks;
  std::filesystem::path prompts;
  std::string level = "1";
  std::string system;
  std::vector<std::string> only;
  int64_t limit = 0;
  int64_t samples = 1;

  void declare(Settings& settings, bool with_prompt_files);
  void check() const;
};

}  // namespace cuset
