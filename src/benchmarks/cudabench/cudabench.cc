// CUDABench rows as tasks. See cudabench_program.h for what is read out of its programs.
#include "benchmarks/cudabench/cudabench.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "benchmarks/cudabench/cudabench_program.h"

namespace cuset {
namespace {

// Where compare.py is not understood.
constexpr Tolerance kUsualTolerance{.absolute = 1e-5, .relative = 1e-3};

// "(2, 3)", "(2,)", "()", "7" or [2, 3].
Shape shape_of(const JsonCursor& field) {
  const std::string text = field.value().is_string() ? field.string() : field.value().dump();
  Shape shape;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    int64_t side = 0;
    const auto [stop, error] = std::from_chars(at, text.data() + text.size(), side);
    if (error == std::errc()) {
      if (side < 0) field.refuse(fmt::format("is {}, a shape with a negative side", in_quotes(text)));
      shape.push_back(side);
      at = stop;
    } else if (std::string_view("()[], ").find(*at) != std::string_view::npos) {
      ++at;
    } else {
      field.refuse_type("a shape such as \"(2, 3)\"");
    }
  }
  count_of(shape);
  return shape;
}

NumberType type_of(const JsonCursor& field) {
  if (const auto type = number_type_named(field.string())) return *type;
  field.refuse_type("a number type");
}

void add_inputs(const JsonCursor& row, Task& task) {
  for (const JsonCursor& each : row.at("inputs").elements()) {
    TaskInput input;
    input.name = each.at("name").string();
    input.type = type_of(each.at("dtype"));
    input.shape = shape_of(each.at("shape"));
    task.inputs.push_back(std::move(input));
  }
}

bool is_input(const Task& task, const std::string& name) {
  return std::any_of(task.inputs.begin(), task.inputs.end(),
                     [&](const TaskInput& input) { return input.name == name; });
}

void add_outputs(const JsonCursor& row, Task& task) {
  for (const JsonCursor& each : row.at("outputs").elements()) {
    TaskOutput output;
    output.name = each.at("name").string();
    output.type = type_of(each.at("dtype"));
    output.shape = shape_of(each.at("shape"));
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

// Until compare.py has been tried.
void set_usual_tolerances(Task& task) {
  for (TaskOutput& output : task.outputs)
    output.tolerance = is_floating(output.type) ? kUsualTolerance : Tolerance{.absolute = 0, .relative = 0};
}

std::string fault_of(const Task& task) {
  if (task.outputs.empty()) return "declares no output, and none is found in bench.cu";
  for (const TaskOutput& output : task.outputs)
    if (task.oracle.program.find(output.name) == std::string::npos)
      return fmt::format("bench.cu does not write data/{}.bin", output.name);
  return "";
}

}  // namespace

Task task_of_cudabench_row(const Json& record, const std::string& place) {
  const JsonCursor row = JsonCursor(record, place).with_remedy("is this a row of CUDABench?");
  Task task;
  task.place = place;
  task.benchmark = "cudabench";
  const Json& id = row.at("id").value();
  task.id = id.is_string() ? id.get<std::string>() : id.dump();
  task.family = row.at("task_name").string();
  for (const char* const level : {"1", "2", "3"}) {
    const Json& prompt = json_member(record, fmt::format("level{}_prompt", level));
    if (prompt.is_string()) task.prompts.push_back({level, prompt.get<std::string>()});
  }
  task.input_script = row.at("gen.py").string();
  task.compare_script = row.at("compare.py").string();
  task.oracle.program = row.at("bench.cu").string();
  add_inputs(row, task);
  add_outputs(row, task);
  follow_program(task);
  set_usual_tolerances(task);
  task.fault = fault_of(task);
  return task;
}

}  // namespace cuset
