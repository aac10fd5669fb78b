#include "cli/framework/generation_options.h"

#include "base/error.h"
#include "base/log.h"
#include "benchmarks/task_reader.h"
#include "cli/framework/model_path.h"
#include "cli/framework/placement_settings.h"
#include "cli/framework/setting_limits.h"
#include "reinforce/task_prompts.h"

namespace cuset::cli {
namespace {

// A shell makes it hard to write a newline: \n, \t and \\ stand for what they stand for in C.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    const bool is_escape = next == 'n' || next == 't' || next == '\\';
    plain += !is_escape ? text[i] : next == 'n' ? '\n' : next == 't' ? '\t' : '\\';
    if (is_escape) ++i;
  }
  return plain;
}

std::vector<generate::PlainPrompt> prompts_of_task_file(const std::filesystem::path& path) {
  const benchmarks::TaskFile file = benchmarks::read_tasks(path);
  std::vector<generate::PlainPrompt> prompts = reinforce::prompts_of_tasks(file.tasks);
  if (prompts.empty())
    throw base::Error("{}: no tasks", path.string()).with_remedy("docs/tasks.md has their form");
  base::log_info("{}: {} tasks ({})", path.string(), file.tasks.size(), file.benchmark);
  return prompts;
}

}  // namespace

void declare_model(Settings& settings, generate::ServedModelOptions& model) {
  settings.add("model", model.folder, "Model folder: Qwen2, Qwen3, Qwen3-MoE, Llama or Mistral");
  settings.require("model");
  settings.add_words("adapter", model.adapters,
                     "Adapter folder, written by cuset train or PEFT; may be given several times");
  declare_placement(settings, model.placement);
  settings.add("threads", model.placement.threads,
               "Number of CPU threads (0: all cores that other processes leave free)");
}

void check_model_options(const generate::ServedModelOptions& model) {
  require_model_folder(model.folder);
  for (const std::string& adapter : model.adapters) require_adapter_folder(adapter);
  within("threads", model.placement.threads, 0, 4096);
  within("batch_size", model.slots, 1, 65536);
}

void declare_sampling(Settings& settings, generate::GenerationSettings& generation) {
  generate::SamplingSettings& sampling = generation.sampling;
  settings.add("temperature", sampling.temperature,
               "Sampling temperature (0: always the most probable token)");
  settings.add("top_k", sampling.top_k, "Sample from the k most probable tokens (0: all)");
  settings.add("top_p", sampling.top_p,
               "Sample from the most probable tokens whose probabilities add up to this");
  settings.add("min_p", sampling.min_p,
               "Sample from tokens at least this many times as probable as the best one");
  settings.add("repetition_penalty", sampling.repetition_penalty,
               "Penalty for tokens that the prompt or the answer has already (1: none)");
  settings.add("presence_penalty", sampling.presence_penalty,
               "Deduction from the scores of tokens that the answer has already (0: none)");
  settings.add("frequency_penalty", sampling.frequency_penalty,
               "Deduction from the score of a token for each time that the answer has it (0: none)");
  settings.add("max_new_tokens", generation.max_new_tokens, "Maximum number of tokens of an answer");
  settings.add_words("stop", generation.stop_strings,
                     "Text at which the answer ends; may be given several times; \\n is a newline");
}

void check_sampling(generate::GenerationSettings& generation) {
  generation.sampling.check();
  within("max_new_tokens", generation.max_new_tokens, 1, 1 << 20);
  for (std::string& stop : generation.stop_strings) {
    stop = unescaped(stop);
    if (stop.empty()) throw base::UsageError("stop: an empty text would end every answer at once");
  }
}

void GenerationOptions::declare(Settings& settings, bool with_prompt_files) {
  declare_model(settings, plan.model);
  settings.add("base", plan.base, "With adapters: also let the model without an adapter answer");
  settings.add("tasks", tasks, "Tasks: a file of cuset gym, CUDABench, KernelBench, ParEval or compute-eval");
  if (with_prompt_files) {
    settings.add("prompts", prompts, "Prompts instead of tasks: JSONL in any form of training data");
  }
  settings.add("level", plan.choice.level,
               "Level of the tasks' prompts, 1 has most detail; all: every level");
  settings.add("system", plan.choice.system, "System message before every prompt");
  settings.add("only", plan.choice.only, "Use only the tasks with these ids");
  settings.add("limit", plan.choice.limit, "Use only the first N tasks (0: all)");
  settings.add("samples", plan.choice.samples, "Number of answers to each prompt");
  declare_sampling(settings, plan.generation);
  settings.add("seed", plan.seed, "Sampling seed; answers do not depend on the batch size");
  settings.add("batch_size", plan.model.slots, "Number of answers generated at the same time");
}

void GenerationOptions::check() {
  check_model_options(plan.model);
  if (tasks.empty() && prompts.empty()) {
    throw base::UsageError("nothing to answer: --tasks or --prompts is missing");
  }
  if (!tasks.empty() && !prompts.empty()) throw base::UsageError("--tasks and --prompts exclude each other");
  within("limit", plan.choice.limit, 0, INT64_MAX);
  within("samples", plan.choice.samples, 1, 1'000'000);
  check_sampling(plan.generation);
  if (plan.seed < 0) throw base::UsageError("--seed: {} is negative", plan.seed);
  if (plan.choice.samples > 1 && plan.generation.sampling.temperature == 0) {
    throw base::UsageError("samples is {}, but at temperature 0 all answers would be the same",
                           plan.choice.samples)
        .with_remedy("give --temperature 0.8");
  }
}

void GenerationOptions::read_prompts() {
  plan.prompts = tasks.empty() ? generate::read_prompt_file(prompts) : prompts_of_task_file(tasks);
}

}  // namespace cuset::cli
