#include "gym/corpus.h"

#include <fmt/format.h>

#include "base/error.h"
#include "gym/noise.h"
#include "gym/program.h"
#include "gym/words/choice.h"
#include "gym/words/spelling.h"

namespace cuset::gym {
namespace {

GymProgram draw_program(const GymTask& task, const base::RandomStream& stream) {
  base::RandomStream draws = stream.child("solution");
  const GymSolution& solution = one_of(draws, std::span<const GymSolution>(task.draft.solutions));
  return write_program(task, solution, stream.child("program"));
}

std::string title_of(const GymTask& task, base::RandomStream& stream) {
  return task.words.apply(one_of(stream, std::span<const std::string>(task.draft.titles)));
}

// "// Computes the softmax of each row" and the like; empty for some.
std::string heading(const GymTask& task, base::RandomStream stream) {
  const std::string title = title_of(task, stream);
  const std::string formula = task.words.apply(task.draft.formula);
  switch (stream.below(10)) {
    case 0:
      return "";
    case 1:
      return fmt::format("// {}\n", title);
    case 2:
      return fmt::format("// {}.\n", with_capital(title));
    case 3:
      return fmt::format("// Computes {}.\n", title);
    case 4:
      return fmt::format("// CUDA: {}\n// {}\n", title, formula);
    case 5:
      return fmt::format("/* {} */\n", title);
    case 6:
      return fmt::format("/*\n * {}\n * {}\n */\n", with_capital(title), formula);
    case 7:
      return fmt::format("// {}\n", formula);
    case 8:
      return fmt::format("// {}.cu: {}\n\n", task.family->name, title);
    default:
      return fmt::format("// This program computes {}.\n", title);
  }
}

std::string fragment(const GymTask& task, const base::RandomStream& stream) {
  const GymProgram program = draw_program(task, stream);
  base::RandomStream draws = stream.child("description");
  const std::string title = title_of(task, draws);
  switch (draws.below(4)) {
    case 0:
      return fmt::format("// kernel for {}\n{}", title, program.kernels);
    case 1:
      return fmt::format("{}:\n\n{}", with_capital(title), program.kernels);
    case 2:
      return fmt::format("// {}\n{}", task.words.apply(task.draft.formula), program.kernels);
    default:
      return fmt::format("A kernel that computes {}.\n\n```cuda\n{}```\n", title, program.kernels);
  }
}

// An instruction and an answer, in one of the forms that are about.
std::string framed(const std::string& prompt, const std::string& answer, base::RandomStream stream) {
  switch (stream.below(5)) {
    case 0:
      return fmt::format("{}\n\n{}", prompt, answer);
    case 1:
      return fmt::format("### Instruction\n{}\n\n### Response\n{}", prompt, answer);
    case 2:
      return fmt::format("Q: {}\nA:\n{}", prompt, answer);
    case 3:
      return fmt::format("Task: {}\n\nSolution:\n{}", prompt, answer);
    default:
      return fmt::format("User: {}\n\nAssistant:\n```cuda\n{}```\n", prompt, answer);
  }
}

// The families asked for that the split has; unknown names stay, for TaskSource to refuse.
TaskSelection selection_of(const CorpusOptions& options, GymSplit split) {
  TaskSelection selection = {options.seed, split, options.families};
  std::erase_if(selection.families, [&](const std::string& name) {
    return std::any_of(gym_families().begin(), gym_families().end(), [&](const GymFamily& family) {
      return family.name == name && !has_family(split, family);
    });
  });
  if (selection.families.empty() && !options.families.empty())
    throw base::UsageError("--families: all of them are held out as a whole")
        .with_remedy("name another one, too");
  return selection;
}

}  // namespace

Corpus::Corpus(CorpusOptions options)
    : options_(std::move(options)),
      programs_(selection_of(options_, options_.exclude_held_out ? GymSplit::kTrain : GymSplit::kRaw)),
      instructions_(selection_of(options_, GymSplit::kTrain)) {}

std::string Corpus::program_text(const GymTask& task, const base::RandomStream& stream) const {
  static const NoiseMix kinds = {{{Noise::kVerbose, 1}, {Noise::kOddStyle, 1}, {Noise::kAround, 1}}};
  base::RandomStream draws = stream.child("messy");
  const Noise noise = draw_noise(options_.messy, kinds, draws);
  return with_noise(draw_program(task, stream), noise, stream.child("noise"));
}

std::string Corpus::instruction(const GymTask& task, uint64_t number,
                                const base::RandomStream& stream) const {
  base::RandomStream draws = stream.child("answer");
  const bool matches = draws.uniform() < options_.matching;
  const std::string& prompt = one_of(draws, std::span<const tasks::Prompt>(task.task.prompts)).text;
  uint64_t other = number;
  GymTask answered = task;
  // The next number of another family, so that the program is surely not what is asked.
  while (!matches && answered.family == task.family && ++other < number + 3)
    answered = instructions_.task(other);
  return framed(prompt, program_text(answered, stream), stream.child("frame"));
}

base::Json Corpus::document(uint64_t number) const {
  const base::RandomStream stream = base::RandomStream(options_.seed, "gym/corpus").child(number);
  base::RandomStream draws = stream.child("kind");
  const double drawn = draws.uniform();
  const bool is_instruction = drawn < options_.instructions;
  const bool is_fragment = !is_instruction && drawn < options_.instructions + options_.fragments;
  const GymTask task = (is_instruction ? instructions_ : programs_).task(number);
  base::Json record = {{"id", task.task.id}, {"family", task.family->name}};
  if (is_instruction) {
    record["kind"] = "instruction";
    record["text"] = instruction(task, number, stream);
  } else if (is_fragment) {
    record["kind"] = "fragment";
    record["text"] = fragment(task, stream);
  } else {
    record["kind"] = "program";
    record["text"] = heading(task, stream.child("heading")) + program_text(task, stream);
  }
  return record;
}

}  // namespace cuset::gym
