#include "cli/generation_settings.h"

#include "base/error.h"
#include "cli/model_path.h"
#include "cli/setting_limits.h"

namespace cuset {
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

}  // namespace

void declare_model(Settings& settings, ServedModelOptions& model) {
  settings.add("model", model.folder, "Model folder: Qwen2, Qwen3 or Llama");
  settings.require("model");
  settings.add_words("adapter", model.adapters, "Folder of an adapter; may be given several times");
  settings.add_choice("device", model.device, {"auto", "cpu", "cuda"}, "Where the model runs");
  settings.add_choice("dtype", model.dtype, {"auto", "float32", "bfloat16"},
                      "Type of the weights; auto: bfloat16 on a GPU, else float32");
  settings.add("threads", model.threads, "Processor threads; 0: all cores that other processes leave free");
}

void check_model_options(const ServedModelOptions& model) {
  require_model_folder(model.folder);
  for (const std::string& adapter : model.adapters) require_adapter_folder(adapter);
  within("threads", model.threads, 0, 4096);
  within("batch_size", model.slots, 1, 65536);
}

void declare_sampling(Settings& settings, GenerationSettings& generation) {
  SamplingSettings& sampling = generation.sampling;
  settings.add("temperature", sampling.temperature, "Randomness; 0: always the most probable token");
  settings.add("top_k", sampling.top_k, "Only so many of the most probable tokens; 0: all");
  settings.add("top_p", sampling.top_p, "Only the most probable tokens that have this share together");
  settings.add("min_p", sampling.min_p, "Only tokens at least this much as probable as the best");
  settings.add("repetition_penalty", sampling.repetition_penalty,
               "Above 1: tokens of prompt and answer become less probable");
  settings.add("max_new_tokens", generation.max_new_tokens, "Most tokens of an answer");
  settings.add_words("stop", generation.stop_strings,
                     "A text that ends the answer before it; may be given several times; \\n is a newline");
}

void check_sampling(GenerationSettings& generation) {
  generation.sampling.check();
  within("max_new_tokens", generation.max_new_tokens, 1, 1 << 20);
  for (std::string& stop : generation.stop_strings) {
    stop = unescaped(stop);
    if (stop.empty()) throw UsageError("stop: an empty text would end every answer at once");
  }
}

void PromptChoice::declare(Settings& settings, bool with_prompt_files) {
  settings.add("tasks", tasks, "Tasks: ours, CUDABench's, KernelBench's, ParEval's or compute-eval's");
  if (with_prompt_files) {
    settings.add("prompts", prompts, "Instead of tasks: JSONL of prompts, in the forms of training data");
  }
  settings.add("level", level, "Level of the tasks' prompts: 1 has most detail; all: each of them");
  settings.add("system", system, "System message before every prompt");
  settings.add("only", only, "Ids of the tasks to take");
  settings.add("limit", limit, "Take so many tasks, the first ones; 0: all");
  settings.add("samples", samples, "Answers to each prompt");
}

void PromptChoice::check() const {
  if (tasks.empty() && prompts.empty()) {
    throw UsageError("nothing to answer: --tasks or --prompts is missing");
  }
  if (!tasks.empty() && !prompts.empty()) throw UsageError("--tasks and --prompts exclude each other");
  within("limit", limit, 0, INT64_MAX);
  within("samples", samples, 1, 1'000'000);
}

}  // namespace cuset
