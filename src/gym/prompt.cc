#include "gym/prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/gym_task.h"
#include "gym/words/choice.h"
#include "gym/words/literal.h"
#include "gym/words/spelling.h"

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
    "Parallelize it so that {}.",
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

// One way of writing types and shapes, kept throughout a prompt.
class FileWords {
 public:
  explicit FileWords(base::RandomStream& stream) : form_(stream.below(5)) {}

  std::string describe(tasks::NumberType type, const tasks::Shape& shape) const {
    const std::string_view name = tasks::name_of(type);
    if (shape.empty() || tasks::count_of(shape) == 1) return fmt::format("one {}", name);
    if (shape.size() == 1 && form_ % 2 == 0) return fmt::format("{} {} values", shape[0], name);
    switch (form_) {
      case 0:
        return fmt::format("{}, {}", name, sides(shape, " x "));
      case 1:
        return fmt::format("{}[{}]", name, sides(shape, "]["));
      case 2:
        return fmt::format("{} of shape ({})", name, sides(shape, ", "));
      case 3:
        return fmt::format("{}, shape [{}]", name, sides(shape, ", "));
      default:
        return fmt::format("{} x {}", sides(shape, " x "), name);
    }
  }

 private:
  static std::string sides(const tasks::Shape& shape, std::string_view between) {
    return fmt::format("{}", fmt::join(shape, between));
  }

  uint64_t form_;
};

struct NamedFile {
  std::string name;
  std::string description;
};

// "data/x.bin (100 float32 values)" for each; with `at_once`, files of one description in a row share it:
// "data/x.bin, data/y.bin (100 float32 values each)".
std::vector<std::string> with_descriptions(const std::vector<NamedFile>& files, bool at_once) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& description = files[i].description;
    const bool goes_on = at_once && i + 1 < files.size() && files[i + 1].description == description;
    const bool went_on = at_once && i > 0 && files[i - 1].description == description;
    texts.push_back(
        goes_on ? fmt::format("data/{}.bin", files[i].name)
                : fmt::format("data/{}.bin ({}{})", files[i].name, description, went_on ? " each" : ""));
  }
  return texts;
}

struct FileList {
  std::vector<std::string> inputs;  // "data/x.bin (1000 float32 values)"
  std::vector<std::string> outputs;
};

std::string as_clauses(const FileList& files, base::RandomStream& stream) {
  const std::string inputs = joined(files.inputs), outputs = joined(files.outputs);
  if (files.inputs.empty()) return fmt::format("Write the result to {}.", outputs);
  switch (stream.below(8)) {
    case 0:
      return fmt::format("Read {} and write {}.", inputs, outputs);
    case 1:
      return fmt::format("It reads {} and writes {}.", inputs, outputs);
    case 2:
      return fmt::format("The program reads {}. The result goes to {}.", inputs, outputs);
    case 3:
      return fmt::format("Input: {}. Output: {}.", inputs, outputs);
    case 4:
      return fmt::format("Inputs are in {}; write the result to {}.", inputs, outputs);
    case 5:
      return fmt::format("Load {}, store {}.", inputs, outputs);
    case 6:
      return fmt::format("Data: {}. Result: {}.", inputs, outputs);
    default:
      return fmt::format("From {} it makes {}.", inputs, outputs);
  }
}

std::string as_list(const FileList& files, base::RandomStream& stream) {
  const std::string_view mark = one_of<std::string_view>(stream, {"- ", "* ", ""});
  const bool is_short = stream.below(2) == 0;
  std::string text;
  for (const std::string& input : files.inputs)
    text += fmt::format("{}{}: {}\n", mark, is_short ? "in" : "Input", input);
  for (const std::string& output : files.outputs)
    text += fmt::format("{}{}: {}\n", mark, is_short ? "out" : "Output", output);
  text.pop_back();
  return text;
}

// The part of a prompt that names files, types and shapes: sentences on one line, or a list with a line for
// each file.
std::string write_files(const tasks::Task& task, base::RandomStream& stream) {
  const FileWords words(stream);
  std::vector<NamedFile> inputs, outputs;
  for (const tasks::TaskInput& input : task.inputs)
    inputs.push_back({input.name, words.describe(input.type, input.shape)});
  for (const tasks::TaskOutput& output : task.outputs)
    outputs.push_back({output.name, words.describe(output.type, output.shape)});
  if (stream.below(4) == 0)
    return as_list({with_descriptions(inputs, false), with_descriptions(outputs, false)}, stream);
  const bool at_once = stream.below(2) == 0;
  return as_clauses({with_descriptions(inputs, at_once), with_descriptions(outputs, at_once)}, stream);
}

std::string fill(std::span<const std::string_view> templates, const std::string& text,
                 base::RandomStream& stream) {
  const std::string_view chosen = one_of(stream, templates);
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
    const std::string& title = one_of(stream_, std::span<const std::string>(draft.titles));
    const std::string opening = fill(kOpenings, task_.words.apply(title), stream_);
    const std::vector<std::string> what = describe(title);
    const std::string files = write_files(task_.task, stream_);
    std::vector<std::string> parts = {opening};
    parts.insert(parts.end(), what.begin(), what.end());
    parts.insert(stream_.below(2) == 0 ? parts.end() : parts.begin() + 1, files);
    if (level_ == 1) parts.push_back(wish());
    if (stream_.below(5) == 0)
      parts.emplace_back(one_of(stream_, std::span<const std::string_view>(kClosings)));
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
          fmt::format("{} {}.", one_of<std::string_view>(stream_, {"Here", "Take", "Use"}), joined(values)));
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
