// The keys that `cuset generate`, `cuset evaluate` and `cuset chat` share: which model, which prompts, how to
// sample.
#pragma once

#include <filesystem>

#include "cli/framework/settings.h"
#include "generate/generation_run.h"

namespace cuset::cli {

// Flags of which model answers and where it runs; not those of slots and positions.
void declare_model(Settings& settings, generate::ServedModelOptions& model);
// Throws UsageError.
void check_model_options(const generate::ServedModelOptions& model);

// Flags of how tokens are chosen and when answers end.
void declare_sampling(Settings& settings, generate::GenerationSettings& generation);
// Throws UsageError. Stop strings may be written with \n, \t and \\.
void check_sampling(generate::GenerationSettings& generation);

// A generation run as the command line describes it.
struct GenerationOptions {
  std::filesystem::path tasks;
  std::filesystem::path prompts;
  generate::GenerationPlan plan;

  // The keys of everything but the plan's output and `about`.
  void declare(Settings& settings, bool with_prompt_files);
  // Throws UsageError for what is out of range or makes no sense together.
  void check();
  // Reads the prompts of --tasks or --prompts into the plan.
  void read_prompts();
};

}  // namespace cuset::cli
