#include "gym/reasoning.h"

#include <fmt/format.h>

#include "gym/words/choice.h"
#include "gym/words/spelling.h"

namespace cuset::gym {
namespace {

// The sentences of the parts that a solution fills in.
void add_plan(const GymReasoning& plan, const Spelling& words, bool with_details,
              std::vector<std::string>& sentences, base::RandomStream& stream) {
  if (!plan.mapping.empty())
    sentences.push_back(sentence(one_of<std::string_view>(stream, {"", "Mapping: ", "Plan: ", "Threads: "}),
                                 plan.mapping, words));
  if (!with_details) return;
  if (!plan.reduction.empty())
    sentences.push_back(
        sentence(one_of<std::string_view>(stream, {"", "Reduction: ", "Then "}), plan.reduction, words));
  if (!plan.memory.empty())
    sentences.push_back(
        sentence(one_of<std::string_view>(stream, {"", "Memory: ", "Access: "}), plan.memory, words));
}

std::string what_is_asked(const GymTask& task, base::RandomStream& stream) {
  std::vector<std::string> inputs, outputs;
  for (const tasks::TaskInput& input : task.task.inputs)
    inputs.push_back(fmt::format("{} {}", input.name, tasks::text_of(input.shape)));
  for (const tasks::TaskOutput& output : task.task.outputs)
    outputs.push_back(fmt::format("{} {}", output.name, tasks::text_of(output.shape)));
  const std::string formula = task.words.apply(task.draft.formula);
  if (inputs.empty()) return fmt::format("The result is {}: {}.", joined(outputs), formula);
  switch (stream.below(3)) {
    case 0:
      return fmt::format("Given {}, compute {}: {}.", joined(inputs), joined(outputs), formula);
    case 1:
      return fmt::format("The program reads {} and writes {}, where {}.", joined(inputs), joined(outputs),
                         formula);
    default:
      return fmt::format("{}. Inputs are {}, the result is {}.", formula, joined(inputs), joined(outputs));
  }
}

std::string launch_sentence(const GymSolution& solution, const GymProgram& program,
                            base::RandomStream& stream) {
  const GymKernel& kernel = solution.kernels.back();
  const std::string grid = program.names.apply(kernel.grid);
  const std::string block = program.names.apply(kernel.block);
  const std::string_view how = one_of<std::string_view>(stream, {"Launch", "The launch has", "Use"});
  std::string text = grid.starts_with("dim3") || block.starts_with("dim3")
                         ? fmt::format("{} a grid of {} and blocks of {}.", how, grid, block)
                         : fmt::format("{} {} blocks of {} threads.", how, grid, block);
  if (solution.kernels.size() > 1)
    text += fmt::format(" There are {} launches, one after the other.", solution.kernels.size());
  if (!kernel.shared_bytes.empty())
    text +=
        fmt::format(" Each block takes {} bytes of shared memory.", program.names.apply(kernel.shared_bytes));
  return text;
}

}  // namespace

std::string_view name_of(ReasoningLength length) {
  switch (length) {
    case ReasoningLength::kNone:
      return "none";
    case ReasoningLength::kShort:
      return "short";
    case ReasoningLength::kMedium:
      return "medium";
    case ReasoningLength::kLong:
      return "long";
  }
  return "none";
}

std::string write_reasoning(const GymTask& task, const GymSolution& solution, const GymProgram& program,
                            ReasoningLength length, base::RandomStream stream) {
  if (length == ReasoningLength::kNone) return "";
  std::vector<std::string> sentences;
  if (length == ReasoningLength::kLong) sentences.push_back(what_is_asked(task, stream));
  add_plan(solution.reasoning, program.names, length != ReasoningLength::kShort, sentences, stream);
  if (length == ReasoningLength::kLong) sentences.push_back(launch_sentence(solution, program, stream));
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string with_reasoning(const std::string& reasoning, const std::string& program,
                           base::RandomStream stream) {
  if (reasoning.empty()) return program;
  if (stream.below(4) != 0) return fmt::format("<think>\n{}\n</think>\n{}", reasoning, program);
  return fmt::format("{}\n\n```cuda\n{}```\n", reasoning, program);
}

}  // namespace cuset::gym
