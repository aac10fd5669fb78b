#include "reinforce/task_prompts.h"

#include "data/messages.h"

namespace cuset::reinforce {

std::vector<generate::PlainPrompt> prompts_of_tasks(const std::vector<tasks::Task>& tasks) {
  std::vector<generate::PlainPrompt> prompts;
  for (const tasks::Task& task : tasks) {
    for (const tasks::Prompt& prompt : task.prompts) {
      prompts.push_back(
          {task.id, prompt.level, base::Json::array({data::make_message("user", prompt.text)})});
    }
  }
  return prompts;
}

}  // namespace cuset::reinforce
