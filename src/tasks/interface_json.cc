#include "tasks/interface_json.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace cuset::tasks {
namespace {

constexpr int64_t kMostSharedBytes = 227 * 1024;  // a block's share on the largest devices so far
constexpr int64_t kMostThreads = 1024;

bool is_identifier(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !text.empty() && is_letter(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return is_letter(c) || std::isdigit(c); });
}

std::string identifier(const base::JsonCursor& field) {
  if (!is_identifier(field.string())) field.refuse("must be a C++ identifier");
  return field.string();
}

// A piece of a C++ declaration or call.
std::string one_line(const base::JsonCursor& field) {
  const std::string& text = field.nonempty_string();
  if (text.find_first_of("\r\n;{}") != std::string::npos) {
    field.refuse("must be a part of one line of C++, without ; { }");
  }
  return text;
}

// The pointer type of an input or output; empty where `name` is neither.
std::string pointer_type(const Task& task, const std::string& name) {
  for (const TaskInput& input : task.inputs) {
    if (input.name == name) return fmt::format("const {}*", element_type(input.type));
  }
  for (const TaskOutput& output : task.outputs) {
    if (output.name == name) return fmt::format("{}*", element_type(output.type));
  }
  return "";
}

FunctionInterface::Parameter parameter_from_json(const base::JsonCursor& field, const Task& task) {
  field.expect_only({"name", "type", "value"});
  FunctionInterface::Parameter parameter;
  parameter.name = identifier(field.get("name"));
  const std::string pointer = pointer_type(task, parameter.name);
  if (pointer.empty()) {
    parameter.type = one_line(field.get("type"));
    if (field.get("value").is_absent()) {
      field.get("name").refuse("is neither input nor output, and has no value",
                               "give its `value`, a C++ literal");
    }
    parameter.value = one_line(field.get("value"));
  } else {
    parameter.type = field.get("type").is_absent() ? pointer : one_line(field.get("type"));
    if (!field.get("value").is_absent())
      field.get("value").refuse("belongs to no input or output: it is a pointer");
  }
  return parameter;
}

void check_parameters(const base::JsonCursor& list, const FunctionInterface& function, const Task& task) {
  std::set<std::string> names;
  for (const auto& parameter : function.parameters) {
    if (!names.insert(parameter.name).second) list.refuse(fmt::format("has '{}' twice", parameter.name));
  }
  for (const TaskOutput& output : task.outputs) {
    if (!names.contains(output.name)) list.refuse(fmt::format("lacks the output '{}'", output.name));
  }
}

void read_sides(const base::JsonCursor& field, std::initializer_list<int64_t> most, uint32_t (&sides)[3]) {
  const std::vector<base::JsonCursor> elements = field.elements_or_none();
  if (elements.empty() || elements.size() > 3) field.refuse("must list one to three whole numbers");
  for (size_t i = 0; i < elements.size(); ++i) {
    sides[i] = static_cast<uint32_t>(elements[i].integer(1, most.begin()[i]));
  }
}

void read_launch(const base::JsonCursor& field, FunctionInterface& function) {
  read_sides(field.get("grid"), {(int64_t{1} << 31) - 1, 65535, 65535}, function.grid);
  read_sides(field.get("block"), {kMostThreads, kMostThreads, 64}, function.block);
  if (int64_t{function.block[0]} * function.block[1] * function.block[2] > kMostThreads) {
    field.get("block").refuse("has more than 1024 threads");
  }
  function.shared_bytes = static_cast<uint32_t>(field.get("shared_bytes").integer_or(0, 0, kMostSharedBytes));
}

std::string path_inside(const std::string& path, const base::JsonCursor& field) {
  const std::filesystem::path parts(path);
  const bool climbs = std::find(parts.begin(), parts.end(), "..") != parts.end();
  if (path.empty() || parts.is_absolute() || climbs || path.find('\0') != std::string::npos) {
    field.refuse("must hold paths inside the working folder");
  }
  return path;
}

std::vector<std::string> paths_inside(const base::JsonCursor& field) {
  std::vector<std::string> paths = field.strings_or_none();
  for (const std::string& path : paths) path_inside(path, field);
  return paths;
}

}  // namespace

std::string_view element_type(NumberType type) {
  switch (type) {
    case NumberType::kFloat64:
      return "double";
    case NumberType::kFloat32:
      return "float";
    case NumberType::kFloat16:
      return "__half";
    case NumberType::kBfloat16:
      return "__nv_bfloat16";
    case NumberType::kInt64:
      return "long long";
    case NumberType::kInt32:
      return "int";
    case NumberType::kInt16:
      return "short";
    case NumberType::kInt8:
      return "signed char";
    case NumberType::kUint64:
      return "unsigned long long";
    case NumberType::kUint32:
      return "unsigned int";
    case NumberType::kUint16:
      return "unsigned short";
    case NumberType::kUint8:
      return "unsigned char";
    case NumberType::kBool:
      return "bool";
  }
  return "";
}

FunctionInterface function_from_json(const base::JsonCursor& field, const Task& task) {
  field.expect_only({"name", "kernel", "parameters", "grid", "block", "shared_bytes"});
  FunctionInterface function;
  function.name = identifier(field.get("name"));
  function.kernel = field.get("kernel").boolean_or(false);
  for (const base::JsonCursor& parameter : field.get("parameters").elements_or_none()) {
    function.parameters.push_back(parameter_from_json(parameter, task));
  }
  check_parameters(field.get("parameters"), function, task);
  if (function.kernel) {
    read_launch(field, function);
  } else {
    for (const std::string_view key : {"grid", "block", "shared_bytes"}) {
      if (!field.get(key).is_absent())
        field.get(key).refuse("is for kernels", "set \"kernel\": true, or leave it out");
    }
  }
  return function;
}

base::Json json_of(const FunctionInterface& function) {
  base::Json parameters = base::Json::array();
  for (const auto& parameter : function.parameters) {
    base::Json one = {{"name", parameter.name}, {"type", parameter.type}};
    if (!parameter.value.empty()) one["value"] = parameter.value;
    parameters.push_back(std::move(one));
  }
  base::Json json = {
      {"name", function.name}, {"kernel", function.kernel}, {"parameters", std::move(parameters)}};
  if (function.kernel) {
    json["grid"] = function.grid;
    json["block"] = function.block;
    json["shared_bytes"] = function.shared_bytes;
  }
  return json;
}

TestBuild tests_from_json(const base::JsonCursor& field) {
  field.expect_only({"files", "answer_file", "sources", "include_folders", "defines", "libraries", "standard",
                     "nvcc_flags", "arguments", "expected_output", "needs_all", "needs_any"});
  TestBuild tests;
  const base::JsonCursor files = field.get("files");
  if (!files.is_absent()) {
    for (const auto& [path, text] : files.members()) {
      tests.files[path_inside(std::string(path), files)] = text.string();
    }
  }
  tests.answer_file = path_inside(field.get("answer_file").string(), field.get("answer_file"));
  tests.sources = paths_inside(field.get("sources"));
  tests.include_folders = paths_inside(field.get("include_folders"));
  tests.defines = field.get("defines").strings_or_none();
  tests.libraries = field.get("libraries").strings_or_none();
  tests.standard = field.get("standard").string_or(tests.standard);
  tests.nvcc_flags = field.get("nvcc_flags").strings_or_none();
  tests.arguments = field.get("arguments").strings_or_none();
  tests.needs_all = field.get("needs_all").strings_or_none();
  tests.needs_any = field.get("needs_any").strings_or_none();
  tests.expected_output = field.get("expected_output").string_or("");
  return tests;
}

base::Json json_of(const TestBuild& tests) {
  base::Json json = {
      {"files", base::Json::object()}, {"answer_file", tests.answer_file}, {"sources", tests.sources}};
  for (const auto& [path, text] : tests.files) json["files"][path] = text;
  const auto add = [&](const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) json[key] = texts;
  };
  add("include_folders", tests.include_folders);
  add("defines", tests.defines);
  add("libraries", tests.libraries);
  if (tests.standard != TestBuild().standard) json["standard"] = tests.standard;
  add("nvcc_flags", tests.nvcc_flags);
  add("arguments", tests.arguments);
  add("needs_all", tests.needs_all);
  add("needs_any", tests.needs_any);
  if (!tests.expected_output.empty()) json["expected_output"] = tests.expected_output;
  return json;
}

}  // namespace cuset::tasks
