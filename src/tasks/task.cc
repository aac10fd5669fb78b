#include "tasks/task.h"

#include <array>

namespace cuset::tasks {
namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"program", "function", "tests", "module"};

}  // namespace

uint64_t data_bytes(const Task& task) {
  uint64_t bytes = 0;
  for (const TaskInput& input : task.inputs) bytes += count_of(input.shape) * bytes_of(input.type);
  for (const TaskOutput& output : task.outputs) bytes += count_of(output.shape) * bytes_of(output.type);
  return bytes;
}

std::string_view name_of(AnswerKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

}  // namespace cuset::tasks
