#include "gym/records.h"

#include "base/error.h"
#include "gym/words/choice.h"

namespace cuset::gym {

std::vector<ReasoningLength> reasoning_lengths(std::string_view name) {
  std::vector<ReasoningLength> lengths;
  for (const ReasoningLength length :
       {ReasoningLength::kNone, ReasoningLength::kShort, ReasoningLength::kMedium, ReasoningLength::kLong})
    if (name == "mixed" || name == name_of(length)) lengths.push_back(length);
  return lengths;
}

std::vector<base::Json> reference_answers(const GymTask& task, uint64_t seed) {
  std::vector<base::Json> answers;
  for (const GymSolution& solution : task.draft.solutions) {
    const base::RandomStream stream = base::RandomStream(seed, task.task.id).child(solution.style);
    answers.push_back({{"task", task.task.id},
                       {"sample", answers.size()},
                       {"style", solution.style},
                       {"text", write_program(task, solution, stream).text}});
  }
  return answers;
}

base::Json sample_record(const TaskSource& source, uint64_t number, uint64_t seed,
                         const SampleOptions& options) {
  const GymTask task = source.task(number);
  const base::RandomStream stream = base::RandomStream(seed, "gym/sample").child(task.task.id);
  base::RandomStream draws = stream.child("choices");
  const std::string& level = one_of(std::span<const std::string>(options.levels), draws);
  // Prompts of level 1 say which solution they want.
  const size_t drawn = draws.below(task.draft.solutions.size());
  const GymSolution& solution = task.draft.solutions[level == "1" ? task.wished : drawn];
  const ReasoningLength length = one_of(std::span<const ReasoningLength>(options.reasoning), draws);
  const Noise noise = draw_noise(options.noise, draws);
  const auto prompt = std::find_if(task.task.prompts.begin(), task.task.prompts.end(),
                                   [&](const tasks::Prompt& candidate) { return candidate.level == level; });
  CUSET_CHECK(prompt != task.task.prompts.end(), "no prompt of level {}", level);
  const GymProgram program = write_program(task, solution, stream.child("program"));
  const std::string reasoning = write_reasoning(task, solution, program, length, stream.child("reasoning"));
  return {{"id", task.task.id},
          {"family", task.family->name},
          {"style", solution.style},
          {"level", level},
          {"reasoning", name_of(length)},
          {"noise", name_of(noise)},
          {"prompt", prompt->text},
          {"response", with_reasoning(reasoning, with_noise(program, noise, stream.child("noise")),
                                      stream.child("frame"))}};
}

}  // namespace cuset::gym
