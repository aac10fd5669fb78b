#include "gym/prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/gym_task.h"
#include "gym/prompt_files.h"
#include "gym/words/choice.h"
#include "gym/words/literal.h"
#include "gym/words/sentence.h"

namespace cuset::gym {
namespace {

constexpr std::string_view kOpenings[] = {
    "Write a CUDA program that computes {}.",
    "Write a CUDA program that computes {}.",
    "Write a complete CUDA C++ program that computes {}.",
    "Write a CUDA program for {}.",
    "Write a CUDA kernel, and the program around it, that computes {}.",
    "Implement {} in CUDA.",
    "Implement {} on the GPU with CUDA.",
    "Implement a CUDA program that computes {}.",
    "Compute {} with CUDA.",
    "Use CUDA to compute {}.",
    "Create a CUDA program that computes {}.",
    "Please write a CUDA program that computes {}.",
    "Please implement {} as a CUDA program.",
    "I need a CUDA program that computes {}.",
    "I want to compute {} on the GPU; write the CUDA program.",
    "Can you write a CUDA program that computes {}?",
    "Could you implement {} in CUDA?",
    "Help me write a CUDA program for {}.",
    "Task: {}, as a CUDA program.",
    "CUDA task: {}.",
    "Operation: {}, in CUDA.",
    "Goal: a CUDA program that computes {}.",
    "Provide a CUDA program that computes {}.",
    "Develop a CUDA program that computes {}.",
    "Your job is to compute {} on the GPU in CUDA C++.",
};

constexpr std::string_view kFormulas[] = {
    "Formula: {}.",      "Formula: {}.",    "The formula is {}.",  "That is, {}.",
    "In formulas: {}.",  "Definition: {}.", "Precisely, {}.",      "The result is defined by {}.",
    "It holds that {}.", "Namely {}.",      "Mathematically: {}.", "As an equation: {}.",
};

constexpr std::string_view kWishes[] = {
    "Thread mapping: {}.",
    "Mapping: {}.",
    "Threads: {}.",
    "Parallelise it so that {}.",
    "Write the kernel so that {}.",
    "In the kernel, {}.",
    "Work is shared as follows: {}.",
    "Use this plan: {}.",
};

constexpr std::string_view kClosings[] = {
    "Give the full program.",           "Answer with one complete .cu file.",
    "Only the code, please.",           "The program takes no arguments.",
    "Return the complete source code.", "It must compile with nvcc as it stands.",
};

std::string fill(std::span<const std::string_view> templates, const std::string& text,
                 base::RandomStream& stream) {
  const std::string_view chosen = one_of(templates, stream);
  const size_t gap = chosen.find("{}");
  const std::string_view after = chosen.substr(gap + 2);
  return with_capital(fmt::format("{}{}{}", chosen.substr(0, gap), text, after));
}

// Groups whose titles leave open what exactly is computed: a formula, weights, a variant of an update.
bool needs_formula(const GymFamily& family) {
  constexpr std::string_view kGroups[] = {"distances", "images", "losses", "maps", "optimizers", "stencils"};
  return std::find(std::begin(kGroups), std::end(kGroups), family.group) != std::end(kGroups);
}

bool mentions(const std::vector<std::string>& texts, const std::string& needle) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(needle) != std::string::npos; });
}

// "n = 1000 and eps = 1e-5": scalars whose value no text gives, and sizes that a text calls by name.
std::vector<std::string> open_values(const GymTask& task, const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  for (const GymSize& size : task.draft.sizes) {
    const bool is_named = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      const std::vector<std::string> keys = keys_in(text);
      return std::find(keys.begin(), keys.end(), size.key) != keys.end();
    });
    if (is_named && !mentions(texts, "{" + size.key + "}"))
      values.push_back(fmt::format("{} = {}", task.words.name_of(size.key), size.value));
  }
  for (const GymScalar& scalar : task.draft.scalars)
    if (!mentions(texts, "{" + scalar.key + "}"))
      values.push_back(fmt::format("{} = {}", task.words.name_of(scalar.key), decimal(scalar.value)));
  return values;
}

class PromptWriter {
 public:
  PromptWriter(const GymTask& task, int level, const base::RandomStream& stream)
      : task_(task), level_(level), stream_(stream) {}

  std::string write() {
    const GymDraft& draft = task_.draft;
    const std::string& title = one_of(std::span<const std::string>(draft.titles), stream_);
    const std::string opening = fill(kOpenings, task_.words.apply(title), stream_);
    const std::vector<std::string> what = describe(title);
    const std::string files = write_files(task_.task, stream_);
    std::vector<std::string> parts = {opening};
    parts.insert(parts.end(), what.begin(), what.end());
    parts.insert(stream_.below(2) == 0 ? parts.end() : parts.begin() + 1, files);
    if (level_ == 1) parts.push_back(wish());
    if (stream_.below(5) == 0)
      parts.emplace_back(one_of(std::span<const std::string_view>(kClosings), stream_));
    const bool in_lines = stream_.below(4) == 0 || files.find('\n') != std::string::npos;
    return fmt::format("{}", fmt::join(parts, in_lines ? "\n" : " "));
  }

 private:
  // Formula, notes and values.
  std::vector<std::string> describe(const std::string& title) {
    std::vector<std::string> texts = task_.draft.notes;
    texts.push_back(title);
    std::vector<std::string> parts;
    if ((level_ <= 2 || needs_formula(*task_.family)) && !task_.draft.formula.empty()) {
      texts.push_back(task_.draft.formula);
      parts.push_back(fill(kFormulas, task_.words.apply(task_.draft.formula), stream_));
    }
    for (const std::string& note : task_.draft.notes) parts.push_back(sentence("", note, task_.words));
    const std::vector<std::string> values = open_values(task_, texts);
    if (!values.empty())
      parts.push_back(
          fmt::format("{} {}.", one_of<std::string_view>({"Here", "Take", "Use"}, stream_), joined(values)));
    return parts;
  }

  std::string wish() {
    const GymSolution& solution = task_.draft.solutions[task_.wished];
    Spelling words = task_.words;
    for (const GymSize& constant : solution.constants)
      words.set_name(constant.key, std::to_string(constant.value));
    for (const GymScratch& scratch : solution.scratch) words.set_name(scratch.key, scratch.key);
    return fill(kWishes, words.apply(solution.reasoning.mapping), stream_);
  }

  const GymTask& task_;
  const int level_;
  base::RandomStream stream_;
};

}  // namespace

std::vector<tasks::Prompt> write_prompts(const GymTask& task, const base::RandomStream& stream) {
  std::vector<tasks::Prompt> prompts;
  for (const int level : {1, 2, 3}) {
    base::RandomStream draws = stream.child(static_cast<uint64_t>(level));
    prompts.push_back({std::to_string(level), PromptWriter(task, level, draws).write()});
  }
  return prompts;
}

}  // namespace cuset::gym
