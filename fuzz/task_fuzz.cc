// Any bytes as a task give one that keeps its promises or an Error that opens with the place and has a
// remedy. What is read is written and read again; small tasks get their inputs made and their native oracle
// run.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "tasks/inputs.h"
#include "tasks/oracles/oracles.h"
#include "tasks/task.h"

namespace {

using cuset::tasks::Array;
using cuset::tasks::Task;

constexpr uint64_t kSmall = 4096;  // numbers

void check_error(const cuset::base::Error& error) {
  if (!std::string_view(error.what()).starts_with("fuzz:1: ") || error.remedy().empty()) std::abort();
  if (error.one_line().find('\n') != std::string::npos) std::abort();
}

bool is_small(const cuset::tasks::Task& task) {
  uint64_t numbers = 0;
  for (const auto& input : task.inputs) numbers += std::min(kSmall, cuset::tasks::count_of(input.shape));
  for (const auto& output : task.outputs) numbers += std::min(kSmall, cuset::tasks::count_of(output.shape));
  return numbers < kSmall;
}

void try_data(const cuset::tasks::Task& task) {
  const cuset::base::RandomStream stream(1, "fuzz");
  std::vector<cuset::tasks::Array> inputs;
  for (int i = 0; i < cuset::tasks::kVariations; ++i) {
    inputs = cuset::tasks::make_inputs(task, static_cast<cuset::tasks::Variation>(i), stream);
    if (inputs.size() != task.inputs.size()) std::abort();
  }
  if (task.oracle.native.empty()) return;
  const std::vector<cuset::tasks::Array> outputs =
      cuset::tasks::oracle_named(task.oracle.native, task)(task, inputs);
  if (outputs.size() != task.outputs.size()) std::abort();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].shape != task.outputs[i].shape) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto parsed = cuset::base::try_parse_json({reinterpret_cast<const char*>(data), size});
  const auto* record = std::get_if<cuset::base::Json>(&parsed);
  if (record == nullptr) return 0;
  try {
    const cuset::tasks::Task task = cuset::tasks::task_from_json(*record, "fuzz:1");
    const cuset::base::Json written = cuset::tasks::json_of(task);
    if (cuset::tasks::json_of(cuset::tasks::task_from_json(written, "fuzz:2")) != written) std::abort();
    if (is_small(task) && task.input_script.empty()) try_data(task);
  } catch (const cuset::base::Error& error) {
    check_error(error);
  }
  return 0;
}
