#include "judge/results/work_list.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "base/error.h"
#include "base/files/sha256.h"
#include "cuda_source/answer.h"

namespace cuset::judge {
namespace {

// The items of one task, by program.
struct TaskWork {
  const tasks::Task* task = nullptr;
  std::vector<WorkItem> items;
  std::map<std::string, size_t> by_program;
};

}  // namespace

// What is built with a benchmark's own files may depend on more of the answer than the program that we find in it.
std::string program_key(const tasks::Task& task, const std::string& text) {
  const bool is_program =
      task.kind == tasks::AnswerKind::kProgram || task.kind == tasks::AnswerKind::kFunction;
  if (is_program) {
    const cuda_source::Extraction extraction = cuda_source::extract_code(text);
    if (extraction.program) return "code " + base::sha256(extraction.program->code);
  }
  return "text " + base::sha256(text);
}

std::vector<WorkItem> work_items_of(std::span<const tasks::Answer> answers,
                                    std::span<const tasks::Task> tasks) {
  std::unordered_map<std::string, const tasks::Task*> task_by_id;
  for (const tasks::Task& task : tasks) task_by_id.emplace(task.id, &task);
  std::vector<TaskWork> work;
  std::unordered_map<const tasks::Task*, size_t> work_of_task;
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto task = task_by_id.find(answers[i].task);
    if (task == task_by_id.end())
      throw base::Error("{}: an answer to the unknown task {}", answers[i].place,
                        base::in_quotes(answers[i].task));
    const auto [place, is_new_task] = work_of_task.emplace(task->second, work.size());
    if (is_new_task) work.push_back({task->second, {}, {}});
    TaskWork& of_task = work[place->second];
    const std::string key = program_key(*of_task.task, answers[i].text);
    const auto [item, is_new] = of_task.by_program.emplace(key, of_task.items.size());
    if (is_new) of_task.items.push_back({of_task.task, {}});
    of_task.items[item->second].answers.push_back(i);
  }
  std::ranges::stable_sort(work, std::ranges::greater(),
                           [](const TaskWork& of) { return tasks::data_bytes(*of.task); });
  std::vector<WorkItem> all;
  for (TaskWork& of_task : work) {
    all.insert(all.end(), std::make_move_iterator(of_task.items.begin()),
               std::make_move_iterator(of_task.items.end()));
  }
  return all;
}

}  // namespace cuset::judge
