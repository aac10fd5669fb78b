// CUDABench rows as tasks. See cudabench_compare.h and cudabench_program.h for what is read out of its
// scripts.
#include "verify/benchmarks/cudabench/cudabench.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "verify/benchmarks/cudabench/cudabench_compare.h"
#include "verify/benchmarks/cudabench/cudabench_program.h"

namespace cuset {
namespace {

// Where compare.py is not understood.
constexpr Tolerance kUsualTolerance{.absolute = 1e-5, .relative = 1e-3};
// Of large results float32 itself keeps no more, whatever compare.py says.
constexpr double kLeastRelative = 1e-6;

const Json& field(const Json& record, const char* key, const std::string& place) {
  const auto found = record.find(key);
  if (found == record.end())
    throw Error("{}: no \"{}\"", place, key).with_remedy("is this a row of CUDABench?");
  return *found;
}

std::string text_field(const Json& record, const char* key, const std::string& place) {
  const Json& value = field(record, key, place);
  if (!value.is_string()) throw Error("{}: \"{}\" is no text", place, key);
  return value.get<std::string>();
}

// "(2, 3)", "(2,)", "()", "7" or [2, 3].
Shape shape_of(const Json& value, const std::string& place) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  Shape shape;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    int64_t side = 0;
    const auto [stop, error] = std::from_chars(at, text.data() + text.size(), side);
    if (error == std::errc()) {
      if (side < 0) throw Error("{}: the shape {} has a negative side", place, in_quotes(text));
      shape.push_back(side);
      at = stop;
    } else if (std::string_view("()[], ").find(*at) != std::string_view::npos) {
      ++at;
    } else {
      throw Error("{}: {} is no shape", place, in_quotes(text));
    }
  }
  count_of(shape);
  return shape;
}

NumberType type_of(const Json& record, const std::string& place) {
  const std::string name = text_field(record, "dtype", place);
  if (const auto type = number_type_named(name)) return *type;
  throw Error("{}: {} is no type of numbers", place, in_quotes(name));
}

const Json& list_field(const Json& row, const char* key, const std::string& place) {
  const Json& value = field(row, key, place);
  if (!value.is_array()) throw Error("{}: \"{}\" is no list", place, key);
  return value;
}

void add_inputs(const Json& row, Task& task) {
  for (const Json& each : list_field(row, "inputs", task.place)) {
    TaskInput input;
    input.name = text_field(each, "name", task.place);
    input.type = type_of(each, task.place);
    input.shape = shape_of(field(each, "shape", task.place), task.place);
    task.inputs.push_back(std::move(input));
  }
}

bool is_input(const Task& task, const std::string& name) {
  return std::any_of(task.inputs.begin(), task.inputs.end(),
                     [&](const TaskInput& input) { return input.name == name; });
}

void add_outputs(const Json& row, Task& task) {
  for (const Json& each : list_field(row, "outputs", task.place)) {
    TaskOutput output;
    output.name = text_field(each, "name", task.place);
    output.type = type_of(each, task.place);
    output.shape = shape_of(field(each, "shape", task.place), task.place);
    task.outputs.push_back(std::move(output));
  }
}

// What the reference program writes decides over what the row declares.
void follow_program(Task& task) {
  for (const WrittenFile& file : files_written_by(task.oracle.program)) {
    if (is_input(task, file.name)) continue;
    auto output = std::find_if(task.outputs.begin(), task.outputs.end(),
                               [&](const TaskOutput& each) { return each.name == file.name; });
    if (output == task.outputs.end()) {
      if (!file.type || !file.count || *file.count < 0) continue;
      task.outputs.push_back(
          {.name = file.name, .type = *file.type, .shape = {*file.count}, .tolerance = {}});
      continue;
    }
    const bool same_width = file.type && bytes_of(*file.type) == bytes_of(output->type);
    if (file.type && (is_floating(*file.type) != is_floating(output->type) || !same_width))
      output->type = *file.type;
    if (file.count && *file.count > 0 && static_cast<uint64_t>(*file.count) != count_of(output->shape))
      output->shape = {*file.count};
  }
}

void set_tolerances(const std::string& script, Task& task) {
  std::map<std::string, int64_t> counts;
  for (const TaskOutput& output : task.outputs)
    counts[output.name] = static_cast<int64_t>(count_of(output.shape));
  const std::vector<ComparedFile> files = files_compared(script, counts);
  for (TaskOutput& output : task.outputs) {
    output.tolerance = kUsualTolerance;
    for (const ComparedFile& file : files)
      if (file.name == output.name && file.tolerance) output.tolerance = *file.tolerance;
    output.tolerance.relative = std::max(output.tolerance.relative, kLeastRelative);
    if (!is_floating(output.type)) output.tolerance = {.absolute = 0, .relative = 0};
  }
}

std::string fault_of(const Task& task) {
  if (task.outputs.empty()) return "declares no output, and none is found in bench.cu";
  for (const TaskOutput& output : task.outputs)
    if (task.oracle.program.find(output.name) == std::string::npos)
      return fmt::format("bench.cu does not write data/{}.bin", output.name);
  return "";
}

}  // namespace

Task task_of_cudabench_row(const Json& row, const std::string& place) {
  if (!row.is_object()) throw Error("{}: a row is no object", place);
  Task task;
  task.place = place;
  task.benchmark = "cudabench";
  const Json& id = field(row, "id", place);
  task.id = id.is_string() ? id.get<std::string>() : id.dump();
  task.family = text_field(row, "task_name", place);
  for (const char* const level : {"1", "2", "3"}) {
    const auto prompt = row.find(fmt::format("level{}_prompt", level));
    if (prompt != row.end() && prompt->is_string())
      task.prompts.push_back({level, prompt->get<std::string>()});
  }
  task.input_script = text_field(row, "gen.py", place);
  task.oracle.program = text_field(row, "bench.cu", place);
  add_inputs(row, task);
  add_outputs(row, task);
  follow_program(task);
  set_tolerances(text_field(row, "compare.py", place), task);
  task.fault = fault_of(task);
  return task;
}

}  // namespace cuset
