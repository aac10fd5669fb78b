// The keys that `cuset generate` and `cuset evaluate` share: which model, which prompts, how to sample.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/settings.h"
#include "generate/engine.h"

namespace cuset {

// Which model, where and how it runs.
struct ServedModel {
  std::filesystem::path folder;
  std::vector<std::string> adapters;
  bool base = false;  // the model without an adapter too; without adapters always
  std::string device = "auto";
  std::string dtype = "auto";
  int64_t threads = 0;  // 0: all cores
  int64_t slots = 32;

  void declare(Settings& settings);
  // Throws UsageError.
  void check() const;
};

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
