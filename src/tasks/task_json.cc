// The JSONL form of tasks, as docs/tasks.md describes it: reading with every check that needs no data, and
// writing without what has its usual value. What is written reads back as the same task.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "tasks/domain_check.h"
#include "tasks/domain_json.h"
#include "tasks/interface_json.h"
#include "tasks/task.h"

namespace cuset::tasks {
namespace {

constexpr double kMostSeconds = 86400;

AnswerKind kind_from_json(const base::JsonCursor& field) {
  std::vector<std::string_view> names;
  for (const AnswerKind kind :
       {AnswerKind::kProgram, AnswerKind::kFunction, AnswerKind::kTests, AnswerKind::kModule}) {
    if (field.string() == name_of(kind)) return kind;
    names.push_back(name_of(kind));
  }
  field.refuse_name("a kind of answer", names);
}

NumberType type_from_json(const base::JsonCursor& field) {
  if (const auto type = number_type_named(field.string())) return *type;
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(NumberType::kBool); ++i) {
    names.push_back(name_of(static_cast<NumberType>(i)));
  }
  field.refuse_name("a number type", names);
}

// data/<name>.bin must be an ordinary file in that folder.
std::string file_name(const base::JsonCursor& field) {
  const std::string& name = field.nonempty_string();
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
  if (!plain || name[0] == '.' || name[0] == '-' || name.size() > 100) {
    field.refuse("must be of letters, digits, '_', '-' and '.', at most 100, and begin with no dot or dash");
  }
  return name;
}

TaskInput input_from_json(const base::JsonCursor& field, bool has_script) {
  field.expect_only({"name", "type", "shape", "domain"});
  TaskInput input;
  input.name = file_name(field.get("name"));
  input.type = type_from_json(field.get("type"));
  input.shape = shape_from_json(field.get("shape"));
  if (has_script && field.get("domain").is_absent()) return input;
  input.domain = domain_from_json(field.get("domain"));
  check_domain(input, std::string(field.source()));
  return input;
}

double tolerance_of(const base::JsonCursor& field, double usual) {
  const double value = field.number_or(usual);
  if (!(value >= 0)) field.refuse("must be 0 or more");
  return value;
}

TaskOutput output_from_json(const base::JsonCursor& field) {
  field.expect_only({"name", "type", "shape", "tolerance"});
  TaskOutput output;
  output.name = file_name(field.get("name"));
  output.type = type_from_json(field.get("type"));
  output.shape = shape_from_json(field.get("shape"));
  if (count_of(output.shape) > kMostArrayBytes / bytes_of(output.type))
    field.get("shape").refuse("has over 64 GiB");
  const base::JsonCursor tolerance = field.get("tolerance");
  if (tolerance.is_absent()) return output;
  tolerance.expect_only({"absolute", "relative"});
  output.tolerance.absolute = tolerance_of(tolerance.get("absolute"), output.tolerance.absolute);
  output.tolerance.relative = tolerance_of(tolerance.get("relative"), output.tolerance.relative);
  return output;
}

void read_arrays(const base::JsonCursor& record, Task& task) {
  std::set<std::string> names;
  const auto claim = [&](const base::JsonCursor& field, const std::string& name) {
    if (!names.insert(name).second) field.get("name").refuse("is the name of another input or output");
  };
  for (const base::JsonCursor& field : record.get("inputs").elements_or_none()) {
    task.inputs.push_back(input_from_json(field, !task.input_script.empty()));
    claim(field, task.inputs.back().name);
  }
  for (const base::JsonCursor& field : record.get("outputs").elements_or_none()) {
    task.outputs.push_back(output_from_json(field));
    claim(field, task.outputs.back().name);
  }
}

Oracle oracle_from_json(const base::JsonCursor& field) {
  field.expect_only({"native", "parameters", "program"});
  Oracle oracle;
  oracle.native = field.get("native").string_or("");
  oracle.program = field.get("program").string_or("");
  if (oracle.native.empty() == oracle.program.empty()) {
    field.refuse("must have one of `native` and `program`");
  }
  const base::JsonCursor parameters = field.get("parameters");
  if (parameters.is_absent()) return oracle;
  parameters.expect_object();
  if (oracle.native.empty()) parameters.refuse("belongs to a native oracle");
  oracle.parameters = parameters.value();
  return oracle;
}

std::vector<Prompt> prompts_from_json(const base::JsonCursor& list) {
  std::vector<Prompt> prompts;
  for (const base::JsonCursor& field : list.elements_or_none()) {
    field.expect_only({"level", "text"});
    prompts.push_back({field.get("level").nonempty_string(), field.get("text").nonempty_string()});
  }
  return prompts;
}

// What each kind of answer is judged by; a task with a known fault may lack it.
void read_judgement(const base::JsonCursor& record, Task& task) {
  const bool faulty = !task.fault.empty();
  const bool by_data = task.kind == AnswerKind::kProgram || task.kind == AnswerKind::kFunction;
  if (by_data && !faulty && task.outputs.empty())
    record.get("outputs").refuse("must list at least one output");
  if (!record.get("oracle").is_absent() || (by_data && !faulty))
    task.oracle = oracle_from_json(record.get("oracle"));
  task.baseline = record.get("baseline").string_or("");
  if (!task.baseline.empty() && !by_data)
    record.get("baseline").refuse("belongs to answers of the kinds program and function");
  const auto read = [&](std::string_view key, AnswerKind kind, auto reader) {
    const base::JsonCursor field = record.get(key);
    if (task.kind != kind && !field.is_absent()) {
      field.refuse(
          fmt::format("belongs to answers of the kind {}, not {}", name_of(kind), name_of(task.kind)));
    }
    if (task.kind == kind && !(faulty && field.is_absent())) reader(field);
  };
  read("function", AnswerKind::kFunction,
       [&](const base::JsonCursor& field) { task.function = function_from_json(field, task); });
  read("tests", AnswerKind::kTests,
       [&](const base::JsonCursor& field) { task.tests = tests_from_json(field); });
  read("module", AnswerKind::kModule,
       [&](const base::JsonCursor& field) { task.module = field.nonempty_string(); });
}

base::Json json_of(const TaskInput& input, bool has_script) {
  base::Json json = {{"name", input.name}, {"type", name_of(input.type)}, {"shape", input.shape}};
  if (!has_script) json["domain"] = json_of(input.domain);
  return json;
}

base::Json json_of(const TaskOutput& output) {
  return {{"name", output.name},
          {"type", name_of(output.type)},
          {"shape", output.shape},
          {"tolerance", {{"absolute", output.tolerance.absolute}, {"relative", output.tolerance.relative}}}};
}

base::Json json_of(const Oracle& oracle) {
  if (oracle.native.empty()) return {{"program", oracle.program}};
  base::Json json = {{"native", oracle.native}};
  if (!oracle.parameters.is_null()) json["parameters"] = oracle.parameters;
  return json;
}

base::Json json_of(const std::vector<Prompt>& prompts) {
  base::Json json = base::Json::array();
  for (const Prompt& prompt : prompts) json.push_back({{"level", prompt.level}, {"text", prompt.text}});
  return json;
}

void write_judgement(const Task& task, base::Json& json) {
  if (!task.oracle.native.empty() || !task.oracle.program.empty()) json["oracle"] = json_of(task.oracle);
  if (!task.baseline.empty()) json["baseline"] = task.baseline;
  if (task.kind == AnswerKind::kFunction && !task.function.name.empty())
    json["function"] = json_of(task.function);
  if (task.kind == AnswerKind::kTests && !task.tests.answer_file.empty()) json["tests"] = json_of(task.tests);
  if (task.kind == AnswerKind::kModule && !task.module.empty()) json["module"] = task.module;
}

void refuse_training_data(const base::Json& json, const std::string& place) {
  if (json.contains("prompts")) return;
  for (const char* key : {"response", "completion", "messages", "conversations", "instruction"}) {
    if (!json.contains(key)) continue;
    throw base::Error("{}: \"{}\" shows a sample of training data, not a kernel task", place, key)
        .with_remedy("samples belong to --data; `cuset gym tasks` makes tasks, docs/tasks.md describes them");
  }
}

}  // namespace

Task task_from_json(const base::Json& json, const std::string& place) {
  const base::JsonCursor record = base::JsonCursor(json, place).with_remedy(kTasksPage);
  record.expect_object();
  refuse_training_data(json, place);
  record.expect_only({"id", "family", "benchmark", "prompts", "kind", "inputs", "outputs", "input_script",
                      "compare_script", "oracle", "baseline", "function", "tests", "module", "needs_kernel",
                      "time_limit", "fault"});
  Task task;
  task.place = place;
  task.id = record.get("id").nonempty_string();
  task.family = record.get("family").string_or("");
  task.benchmark = record.get("benchmark").string_or("");
  task.fault = record.get("fault").string_or("");
  task.prompts = prompts_from_json(record.get("prompts"));
  if (!record.get("kind").is_absent()) task.kind = kind_from_json(record.get("kind"));
  task.input_script = record.get("input_script").string_or("");
  task.compare_script = record.get("compare_script").string_or("");
  read_arrays(record, task);
  read_judgement(record, task);
  task.needs_kernel = record.get("needs_kernel").boolean_or(true);
  task.time_limit = record.get("time_limit").number_or(task.time_limit);
  if (!(task.time_limit > 0 && task.time_limit <= kMostSeconds)) {
    record.get("time_limit").refuse(fmt::format("must be above 0 and at most {} seconds", kMostSeconds));
  }
  return task;
}

base::Json json_of(const Task& task) {
  base::Json json = {{"id", task.id}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  add("family", task.family);
  add("benchmark", task.benchmark);
  if (!task.prompts.empty()) json["prompts"] = json_of(task.prompts);
  json["kind"] = name_of(task.kind);
  for (const TaskInput& input : task.inputs) {
    json["inputs"].push_back(json_of(input, !task.input_script.empty()));
  }
  for (const TaskOutput& output : task.outputs) json["outputs"].push_back(json_of(output));
  add("input_script", task.input_script);
  add("compare_script", task.compare_script);
  write_judgement(task, json);
  if (!task.needs_kernel) json["needs_kernel"] = false;
  if (task.time_limit != Task{}.time_limit) json["time_limit"] = task.time_limit;
  add("fault", task.fault);
  return json;
}

}  // namespace cuset::tasks
