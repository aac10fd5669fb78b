// CUDABench rows as tasks. See cudabench_program.h for what is read out of its programs.
#include "benchmarks/cudabench/cudabench.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "benchmarks/cudabench/cudabench_program.h"

namespace cuset::benchmarks {
namespace {

// Where compare.py is not understood.
constexpr tasks::Tolerance kUsualTolerance{.absolute = 1e-5, .relative = 1e-3};

// "(2, 3)", "(2,)", "()", "7" or [2, 3].
tasks::Shape shape_of(const base::JsonCursor& field) {
  const std::string text = field.value().is_string() ? field.string() : field.value().dump();
  tasks::Shape shape;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    int64_t side = 0;
    const auto [stop, error] = std::from_chars(at, text.data() + text.size(), side);
    if (error == std::errc()) {
      if (side < 0) field.refuse(fmt::format("is {}, a shape with a negative side", base::in_quotes(text)));
      shape.push_back(side);
      at = stop;
    } else if (std::string_view("()[], ").find(*at) != std::string_view::npos) {
      ++at;
    } else {
      field.refuse_type("a shape such as \"(2, 3)\"");
    }
  }
  tasks::count_of(shape);
  return shape;
}

tasks::NumberType type_of(const base::JsonCursor& field) {
  if (const auto type = tasks::number_type_named(field.string())) return *type;
  field.refuse_type("a number type");
}

void add_inputs(const base::JsonCursor& row, tasks::Task& task) {
  for (const base::JsonCursor& each : row.at("inputs").elements()) {
    tasks::TaskInput input;
    input.name = each.at("name").string();
    input.type = type_of(each.at("dtype"));
    input.shape = shape_of(each.at("shape"));
    task.inputs.push_back(std::move(input));
  }
}

bool is_input(const tasks::Task& task, const std::string& name) {
  return std::any_of(task.inputs.begin(), task.inputs.end(),
                     [&](const tasks::TaskInput& input) { return input.name == name; });
}

void add_outputs(const base::JsonCursor& row, tasks::Task& task) {
  for (const base::JsonCursor& each : row.at("outputs").elements()) {
    tasks::TaskOutput output;
    output.name = each.at("name").string();
    output.type = type_of(each.at("dtype"));
    output.shape = shape_of(each.at("shape"));
    task.outputs.push_back(std::move(output));
  }
}

// What the reference program writes decides over what the row declares.
void follow_program(tasks::Task& task) {
  for (const WrittenFile& file : files_written_by(task.oracle.program)) {
    if (is_input(task, file.name)) continue;
    auto output = std::find_if(task.outputs.begin(), task.outputs.end(),
                               [&](const tasks::TaskOutput& each) { return each.name == file.name; });
    if (output == task.outputs.end()) {
      if (!file.type || !file.count || *file.count < 0) continue;
      task.outputs.push_back(
          {.name = file.name, .type = *file.type, .shape = {*file.count}, .tolerance = {}});
      continue;
    }
    const bool same_width = file.type && tasks::bytes_of(*file.type) == tasks::bytes_of(output->type);
    if (file.type && (tasks::is_floating(*file.type) != tasks::is_floating(output->type) || !same_width))
      output->type = *file.type;
    if (file.count && *file.count > 0 && static_cast<uint64_t>(*file.count) != tasks::count_of(output->shape))
      output->shape = {*file.count};
  }
}

// Until compare.py has been tried.
void set_usual_tolerances(tasks::Task& task) {
  for (tasks::TaskOutput& output : task.outputs)
    output.tolerance =
        tasks::is_floating(output.type) ? kUsualTolerance : tasks::Tolerance{.absolute = 0, .relative = 0};
}

std::string fault_of(const tasks::Task& task) {
  if (task.outputs.empty()) return "declares no output, and none is found in bench.cu";
  for (const tasks::TaskOutput& output : task.outputs)
    if (task.oracle.program.find(output.name) == std::string::npos)
      return fmt::format("bench.cu does not write data/{}.bin", output.name);
  return "";
}

}  // namespace

tasks::Task task_of_cudabench_row(const base::Json& record, const std::string& place) {
  const base::JsonCursor row = base::JsonCursor(record, place).with_remedy("is this a row of CUDABench?");
  tasks::Task task;
  task.place = place;
  task.benchmark = "cudabench";
  const base::Json& id = row.at("id").value();
  task.id = id.is_string() ? id.get<std::string>() : id.dump();
  task.family = row.at("task_name").string();
  for (const char* const level : {"1", "2", "3"}) {
    const base::Json& prompt = base::json_member(record, fmt::format("level{}_prompt", level));
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

}  // namespace cuset::benchmarks
