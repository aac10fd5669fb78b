#include "gym/prompt_files.h"

#include <fmt/format.h>

#include "gym/words/choice.h"
#include "gym/words/sentence.h"

namespace cuset::gym {
namespace {

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
  const std::string_view mark = one_of<std::string_view>({"- ", "* ", ""}, stream);
  const bool is_short = stream.below(2) == 0;
  std::string text;
  for (const std::string& input : files.inputs)
    text += fmt::format("{}{}: {}\n", mark, is_short ? "in" : "Input", input);
  for (const std::string& output : files.outputs)
    text += fmt::format("{}{}: {}\n", mark, is_short ? "out" : "Output", output);
  text.pop_back();
  return text;
}

}  // namespace

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

}  // namespace cuset::gym
