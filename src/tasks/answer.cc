#include "tasks/answer.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::tasks {
namespace {

// An id as it can stand in a file's name.
std::string as_file_name(std::string id) {
  std::replace_if(id.begin(), id.end(), [](char c) { return c == '/' || c == '-' || c == ' '; }, '_');
  return id;
}

class TaskNames {
 public:
  explicit TaskNames(std::span<const Task> tasks) {
    for (const Task& task : tasks) {
      ids_.emplace(task.id, task.id);
      add_other_name(as_file_name(task.id), task.id);
      add_kernelbench_names(task);
      if (!task.family.empty()) add_other_name(task.family, task.id);
      for (size_t slash = task.id.find('/'); slash != std::string::npos;
           slash = task.id.find('/', slash + 1)) {
        add_other_name(task.id.substr(slash + 1), task.id);
        add_other_name(as_file_name(task.id.substr(slash + 1)), task.id);
      }
    }
  }

  // The id that `name` means; nullptr where none or several could be meant.
  const std::string* find(const std::string& name) const {
    if (const auto id = ids_.find(name); id != ids_.end()) return &id->second;
    const auto other = other_names_.find(name);
    return other == other_names_.end() || other->second.empty() ? nullptr : &other->second;
  }

  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const auto& [id, same] : ids_) names.push_back(id);
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  // "level1_23_Softmax" is problem 23 of level 1 in KernelBench's own files, or "23_Softmax".
  void add_kernelbench_names(const Task& task) {
    int level = 0;
    int number = 0;
    int name = 0;
    if (task.benchmark != "kernelbench") return;
    if (std::sscanf(task.id.c_str(), "level%5d_%n%6d_", &level, &name, &number) != 2) return;
    add_other_name(fmt::format("{}/{}", level, number), task.id);
    add_other_name(task.id.substr(static_cast<size_t>(name)), task.id);
  }

  void add_other_name(const std::string& name, const std::string& id) {
    const auto [known, is_new] = other_names_.emplace(name, id);
    if (!is_new && known->second != id) known->second.clear();  // could mean either
  }

  std::unordered_map<std::string, std::string> ids_;
  std::unordered_map<std::string, std::string> other_names_;
};

void match(Answer& answer, const TaskNames& names) {
  const std::string whole_name = fmt::format("{}_{}", answer.task, answer.sample);
  if (std::filesystem::path(answer.place).stem() == whole_name) {
    if (const std::string* id = names.find(whole_name)) {
      answer.task = *id;
      answer.sample = 0;
      return;
    }
  }
  const std::string* id = names.find(answer.task);
  if (id == nullptr) {
    throw base::Error("{}: an answer to the unknown task {}{}", answer.place, base::in_quotes(answer.task),
                      base::did_you_mean(answer.task, names.all()))
        .with_remedy("check that --tasks and --answers belong together");
  }
  answer.task = *id;
}

}  // namespace

void match_answers(std::vector<Answer>& answers, std::span<const Task> tasks) {
  const TaskNames names(tasks);
  std::map<std::pair<std::string, uint32_t>, const Answer*> seen;
  for (Answer& answer : answers) {
    match(answer, names);
    const auto [earlier, is_new] = seen.emplace(std::pair(answer.task, answer.sample), &answer);
    if (!is_new) {
      throw base::Error("{}: a second answer for sample {} of task {}; the first is at {}", answer.place,
                        answer.sample, base::in_quotes(answer.task), earlier->second->place);
    }
  }
}

}  // namespace cuset::tasks
