#include "gym/records.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/error.h"
#include "base/files/file.h"
#include "gym/words/choice.h"

namespace cuset::gym {
namespace {

constexpr uint64_t kAttempts = 32;  // at a task that did not occur before

}  // namespace

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

const GymSolution& plainest_solution(const GymDraft& draft) {
  const auto cost = [](const GymSolution& solution) {
    size_t text = solution.functions.size();
    for (const GymKernel& kernel : solution.kernels) text += kernel.body.size();
    return std::pair(solution.kernels.size(), text);
  };
  return *std::min_element(draft.solutions.begin(), draft.solutions.end(),
                           [&](const GymSolution& a, const GymSolution& b) { return cost(a) < cost(b); });
}

void add_baseline(GymTask& task) {
  const base::RandomStream stream = base::RandomStream(0, "gym/baseline").child(task.task.id);
  task.task.baseline = write_program(task, plainest_solution(task.draft), stream).text;
}

base::Json sample_record(const TaskSource& source, uint64_t number, uint64_t seed,
                         const SampleOptions& options) {
  const GymTask task = source.task(number);
  const base::RandomStream stream = base::RandomStream(seed, "gym/sample").child(task.task.id);
  base::RandomStream draws = stream.child("choices");
  const std::string& level = one_of(draws, std::span<const std::string>(options.levels));
  // Prompts of level 1 say which solution they want.
  const size_t drawn = draws.below(task.draft.solutions.size());
  const GymSolution& solution = task.draft.solutions[level == "1" ? task.wished : drawn];
  const ReasoningLength length = one_of(draws, std::span<const ReasoningLength>(options.reasoning));
  const Noise noise = draw_noise(options.noise, options.noise_mix, draws);
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

TaskWriteResult write_task_files(const TaskSource& source, const base::OrderedWork& work,
                                 const TaskFiles& files) {
  base::AtomicFile tasks(files.tasks);
  std::optional<base::AtomicFile> answers;
  if (!files.answers.empty()) answers.emplace(files.answers);
  std::unordered_set<uint64_t> seen;
  TaskWriteResult result;
  const auto write = [&](uint64_t number, GymTask& task) {
    for (uint64_t attempt = 1; seen.contains(task.signature) && attempt < kAttempts; ++attempt)
      task = source.task(number, attempt);
    if (!seen.insert(task.signature).second) ++result.repeated;
    if (files.baselines) add_baseline(task);
    tasks.write(base::to_json_line(tasks::json_of(task.task)) + "\n");
    if (!answers) return;
    for (const base::Json& answer : reference_answers(task, number))
      answers->write(base::to_json_line(answer) + "\n");
  };
  result.done =
      base::make_in_order<GymTask>(work, [&](uint64_t number) { return source.task(number); }, write);
  if (!result.done) return result;
  tasks.commit();
  if (answers) answers->commit();
  return result;
}

}  // namespace cuset::gym
