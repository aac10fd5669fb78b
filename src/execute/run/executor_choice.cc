#include "execute/run/executor_choice.h"

#include "base/error.h"

namespace cuset::execute {

ChosenExecutor choose_executor(const std::string& wanted, const ExecutorSettings& settings) {
  if (wanted == "cpu") return {make_cpu_executor(settings), ""};
  if (wanted == "gpu") return {make_gpu_executor(settings), ""};
  try {
    return {make_gpu_executor(settings), "a GPU is here"};
  } catch (const base::Error& error) {
    return {make_cpu_executor(settings), error.what()};
  }
}

}  // namespace cuset::execute
