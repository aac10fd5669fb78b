#include "gym/prompt.h"

#include <fmt/format.h>

#include "gym/gym_task.h"

namespace cuset {
namespace {

std::string files_sentence(const GymTask& task) {
  std::string text;
  for (const TaskInput& input : task.task.inputs)
    text += fmt::format(" Input data/{}.bin: {} of shape {}.", input.name, name_of(input.type),
                        text_of(input.shape));
  for (const TaskOutput& output : task.task.outputs)
    text += fmt::format(" Output data/{}.bin: {} of shape {}.", output.name, name_of(output.type),
                        text_of(output.shape));
  return text;
}

}  // namespace

std::vector<Prompt> write_prompts(const GymTask& task, const RandomStream& stream) {
  RandomStream draws = stream;
  const GymDraft& draft = task.draft;
  std::string text = fmt::format("Write a CUDA program that computes {}.",
                                 task.words.apply(draft.titles[draws.below(draft.titles.size())]));
  text += files_sentence(task);
  for (const std::string& note : draft.notes) text += " " + task.words.apply(note) + ".";
  const std::string formula = text + " " + task.words.apply(draft.formula) + ".";
  const GymSolution& wished = draft.solutions[draws.below(draft.solutions.size())];
  Spelling words = task.words;
  for (const GymSize& constant : wished.constants)
    words.set_name(constant.key, std::to_string(constant.value));
  for (const GymScratch& scratch : wished.scratch) words.set_name(scratch.key, scratch.key);
  return {{"1", formula + " " + words.apply(wished.reasoning.mapping) + "."}, {"2", formula}, {"3", text}};
}

}  // namespace cuset
