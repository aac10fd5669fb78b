#include "gym/task_writer.h"

#include <optional>
#include <unordered_set>

#include "base/files/file.h"
#include "gym/records.h"

namespace cuset::gym {
namespace {

constexpr uint64_t kAttempts = 32;  // at a task that did not occur before

}  // namespace

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
