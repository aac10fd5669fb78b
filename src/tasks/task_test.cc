#include "tasks/task.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/error_text.h"

namespace cuset::tasks {
namespace {

base::Json program_record() {
  return base::parse_json(R"({
    "id": "saxpy_4k", "family": "saxpy", "kind": "program",
    "prompts": [{"level": "1", "text": "Write a CUDA program that ..."}],
    "inputs": [{"name": "x", "type": "float32", "shape": [4096], "domain": "normal"},
               {"name": "y", "type": "float32", "shape": [4096],
                "domain": {"kind": "uniform", "low": -1, "high": 1}}],
    "outputs": [{"name": "out", "type": "float32", "shape": [4096], "tolerance": {"absolute": 1e-6}}],
    "oracle": {"native": "map", "parameters": {"expression": "2 * x + y"}}})",
                          "test");
}

base::Json function_record() {
  return base::parse_json(R"({
    "id": "scale", "kind": "function",
    "inputs": [{"name": "x", "type": "float16", "shape": [64, 8], "domain": "normal"}],
    "outputs": [{"name": "y", "type": "float16", "shape": [64, 8]}],
    "oracle": {"program": "int main() {}"},
    "function": {"name": "scale", "kernel": true, "grid": [2], "block": [128, 2], "shared_bytes": 512,
                 "parameters": [{"name": "x"}, {"name": "y"},
                                {"name": "n", "type": "int", "value": "512"}]}})",
                          "test");
}

base::Json tests_record() {
  return base::parse_json(R"({
    "id": "t/3", "kind": "tests", "benchmark": "compute-eval", "needs_kernel": false, "time_limit": 1.5,
    "tests": {"files": {"test/main.cu": "int main() {}", "a.h": ""}, "answer_file": "solution.cu",
              "sources": ["test/main.cu", "solution.cu"], "include_folders": ["include"], "defines": ["N=4"],
              "libraries": ["cublas"], "arguments": ["7"], "expected_output": "passed"}})",
                          "test");
}

std::string refused(const base::Json& record) {
  return support::error_of([&] { task_from_json(record, "tasks.jsonl:7"); });
}

TEST(Task, ReadsAProgramTask) {
  const Task task = task_from_json(program_record(), "tasks.jsonl:7");
  EXPECT_EQ(task.id, "saxpy_4k");
  EXPECT_EQ(task.place, "tasks.jsonl:7");
  EXPECT_EQ(task.kind, AnswerKind::kProgram);
  ASSERT_EQ(task.inputs.size(), 2U);
  EXPECT_EQ(task.inputs[1].domain.kind, Domain::Kind::kUniform);
  EXPECT_EQ(task.inputs[1].domain.low, -1);
  EXPECT_EQ(task.outputs[0].tolerance.absolute, 1e-6);
  EXPECT_EQ(task.outputs[0].tolerance.relative, 1e-5);
  EXPECT_EQ(task.oracle.parameters.at("expression"), "2 * x + y");
  EXPECT_TRUE(task.needs_kernel);
}

TEST(Task, ReadsAKernelAndGivesPointersTheirTypes) {
  const FunctionInterface function = task_from_json(function_record(), "test").function;
  EXPECT_EQ(function.parameters[0].type, "const __half*");
  EXPECT_EQ(function.parameters[1].type, "__half*");
  EXPECT_EQ(function.parameters[2].value, "512");
  EXPECT_EQ(function.grid[0], 2U);
  EXPECT_EQ(function.grid[1], 1U);
  EXPECT_EQ(function.block[1], 2U);
  EXPECT_EQ(function.shared_bytes, 512U);
}

TEST(Task, WhatIsWrittenReadsBackTheSame) {
  for (const base::Json& record : {program_record(), function_record(), tests_record()}) {
    const base::Json written = json_of(task_from_json(record, "a"));
    EXPECT_EQ(base::to_json_line(json_of(task_from_json(written, "b"))), base::to_json_line(written));
    EXPECT_EQ(written.at("id"), record.at("id"));
  }
  // Nothing is added but usual values: this record has none of them.
  EXPECT_EQ(base::to_json_line(json_of(task_from_json(tests_record(), "a")).at("tests").at("files")),
            R"({"a.h":"","test/main.cu":"int main() {}"})");
}

TEST(Task, EveryDomainReadsBackTheSame) {
  const char* domains[] = {
      R"({"kind":"normal","mean":0.1,"deviation":2.5})",
      R"({"kind":"uniform","low":-0.5,"high":0.25})",
      R"({"kind":"integer","low":0.0,"high":10.0})",
      R"({"kind":"index","low":-3.0,"high":7.0})",
      R"({"kind":"positive","low":0.001,"high":1000.0})",
      R"({"kind":"probability"})",
      R"({"kind":"probabilities"})",
      R"({"kind":"sorted","low":0.0,"high":1.0})",
      R"({"kind":"offsets","high":100.0})",
      R"({"kind":"permutation"})",
      R"({"kind":"constant","value":0.5})",
      R"({"kind":"size","value":4.0})",
      R"({"kind":"packed","parts":[{"name":"a","count":4,"domain":{"kind":"constant","value":2.0}}]})"};
  for (const char* domain : domains) {
    base::Json record = program_record();
    record["inputs"][0]["shape"] = base::Json::parse("[4]");
    record["inputs"][0]["domain"] = base::parse_json(domain, "domain");
    EXPECT_EQ(base::to_json_line(json_of(task_from_json(record, "a")).at("inputs")[0].at("domain")), domain);
  }
}

TEST(Task, AScriptStandsForTheDomains) {
  base::Json record = program_record();
  record["input_script"] = "import numpy";
  record["compare_script"] = "print('T')";
  record["inputs"][0].erase("domain");
  const base::Json written = json_of(task_from_json(record, "a"));
  EXPECT_FALSE(written.at("inputs")[1].contains("domain"));
  EXPECT_EQ(task_from_json(written, "b").input_script, "import numpy");
  EXPECT_EQ(task_from_json(written, "b").compare_script, "print('T')");
}

TEST(Task, AFaultyTaskMayLackItsOutputs) {
  EXPECT_EQ(task_from_json({{"id", "82"}, {"fault", "declares no output"}}, "a").fault, "declares no output");
}

// What is wrong, made by setting one place of a good record, and what is said of it.
struct BadRecord {
  const char* pointer;
  const char* value;
  const char* message;
};

TEST(Task, SaysWhatIsWrongAndWhere) {
  const BadRecord cases[] = {
      {"/orakle", "{}", "tasks.jsonl:7: field 'orakle' is not supported; did you mean 'oracle'?"},
      {"/id", "3", "tasks.jsonl:7: field 'id' must be a string, found the number 3"},
      {"/id", "\"\"", "tasks.jsonl:7: field 'id' must not be empty"},
      {"/kind", "\"programme\"",
       "field 'kind' must be a kind of answer, found the string \"programme\"; did you mean 'program'?"},
      {"/inputs/1/type", "\"flaot32\"",
       "field 'inputs[1].type' must be a number type, found the string \"flaot32\"; did you mean 'float32'?"},
      {"/inputs/1/shape", "[4, -1]",
       "field 'inputs[1].shape[1]' must be a whole number from 0 to 281474976710656, found the number -1"},
      {"/inputs/1/shape", "[1000000000, 1000000000]", "field 'inputs[1].shape' has more than 2^48 numbers"},
      {"/inputs/1/shape", "[100000000000]", "input 'y' has over 64 GiB"},
      {"/outputs/0/shape", "[100000000000]", "field 'outputs[0].shape' has over 64 GiB"},
      {"/inputs/1/shape", "null", "field 'inputs[1].shape' must be a list of whole numbers, found null"},
      {"/inputs/1/name", "\"x\"", "field 'inputs[1].name' is the name of another input or output"},
      {"/inputs/1/name", "\"../x\"", "field 'inputs[1].name' must be of letters"},
      {"/inputs/1/domain/kind", "\"unifrom\"",
       "field 'inputs[1].domain.kind' must be a kind of domain, found the string \"unifrom\"; did you"},
      {"/inputs/1/domain/mean", "1", "field 'inputs[1].domain.mean' is not supported"},
      {"/inputs/1/domain/low", "\"0\"",
       "field 'inputs[1].domain.low' must be a number, found the string \"0\""},
      {"/inputs/1/domain/low", "1", "input 'y' needs low below high, not 1 and 1"},
      {"/inputs/1",
       R"({"name": "y", "type": "float64", "shape": [4], "domain": {"kind": "uniform", "low": -1e308, "high": 1e308}})",
       "input 'y' has a range beyond the largest number"},
      {"/inputs/1",
       R"({"name": "y", "type": "int8", "shape": [4], "domain": {"kind": "integer", "low": -129, "high": 128}})",
       "input 'y' has the number -129, which is not exact as int8"},
      {"/inputs/1/domain", "\"integer\"", "field 'inputs[1].domain' needs its numbers"},
      {"/inputs/1/domain", "{\"kind\": \"integer\"}",
       "field 'inputs[1].domain.high' is missing; it must be a number"},
      {"/inputs/1/domain", "{\"kind\": \"integer\", \"high\": 16777218}",
       "has the number 16777217, which is not"},
      {"/inputs/1/domain", "{\"kind\": \"positive\", \"low\": 0, \"high\": 1}", "needs low above 0"},
      {"/inputs/1/domain", "{\"kind\": \"packed\", \"parts\": []}",
       "field 'inputs[1].domain.parts' must list at least one part"},
      {"/inputs/1/domain",
       "{\"kind\": \"packed\", \"parts\": [{\"name\": \"a\", \"count\": 4097, \"domain\": \"normal\"}]}",
       "input 'y' has parts of more than its 4096 numbers"},
      {"/inputs/1/type", "\"int32\"", "the domain uniform needs a floating type, not int32"},
      {"/outputs", "[]", "field 'outputs' must list at least one output"},
      {"/outputs/0/tolerance/absolute", "-1", "field 'outputs[0].tolerance.absolute' must be 0 or more"},
      {"/oracle", "{}", "field 'oracle' must have one of `native` and `program`"},
      {"/oracle/parameters", "[]", "field 'oracle.parameters' must be an object, found a list"},
      {"/oracle", "null", "field 'oracle' must be an object, found null"},
      {"/function", "{}", "field 'function' belongs to answers of the kind function, not program"},
      {"/time_limit", "0", "field 'time_limit' must be above 0"},
      {"/needs_kernel", "1", "field 'needs_kernel' must be true or false, found the number 1"},
      {"/prompts/0/level", "1", "field 'prompts[0].level' must be a string, found the number 1"},
  };
  for (const BadRecord& one : cases) {
    base::Json record = program_record();
    record[base::Json::json_pointer(one.pointer)] = base::parse_json(one.value, "case");
    EXPECT_NE(refused(record).find(one.message), std::string::npos) << one.message << "\n" << refused(record);
  }
}

TEST(Task, TrainingDataIsNamed) {
  const base::Json sample = {{"prompt", "a"}, {"response", "b"}, {"id", "c"}, {"style", "plain"}};
  EXPECT_EQ(
      refused(sample),
      "tasks.jsonl:7: \"response\" shows a sample of training data, not a kernel task (samples belong to "
      "--data; `cuset gym tasks` makes tasks, docs/tasks.md describes them)");
  EXPECT_NE(refused({{"messages", base::Json::array()}}).find("training data"), std::string::npos);
}

TEST(Task, SaysWhatIsWrongWithAFunction) {
  const BadRecord cases[] = {
      {"/function/name", "\"a b\"", "field 'function.name' must be a C++ identifier"},
      {"/function/parameters/2/value", "null",
       "field 'function.parameters[2].name' is neither input nor output"},
      {"/function/parameters/0/value", "\"1\"",
       "field 'function.parameters[0].value' belongs to no input or output"},
      {"/function/parameters/1/name", "\"x\"", "field 'function.parameters' has 'x' twice"},
      {"/function/parameters/2/value", "\"1; exit(0)\"", "must be a part of one line of C++"},
      {"/function/block", "[1024, 2]", "field 'function.block' has more than 1024 threads"},
      {"/function/block", "[0]",
       "field 'function.block[0]' must be a whole number from 1 to 1024, found the number 0"},
      {"/function/grid", "[]", "field 'function.grid' must list one to three whole numbers"},
      {"/function/kernel", "false", "field 'function.grid' is for kernels"},
      {"/function", "null", "field 'function' must be an object, found null"},
      {"/tests", "{}", "field 'tests' belongs to answers of the kind tests, not function"},
  };
  for (const BadRecord& one : cases) {
    base::Json record = function_record();
    record[base::Json::json_pointer(one.pointer)] = base::parse_json(one.value, "case");
    EXPECT_NE(refused(record).find(one.message), std::string::npos) << one.message << "\n" << refused(record);
  }
  base::Json record = function_record();
  record["function"]["parameters"].erase(1);
  EXPECT_NE(refused(record).find("field 'function.parameters' lacks the output 'y'"), std::string::npos);
}

TEST(Task, FilesOfTestsStayInTheirFolder) {
  for (const char* path : {"/etc/passwd", "a/../../b", ""}) {
    base::Json record = tests_record();
    record["tests"]["answer_file"] = path;
    EXPECT_NE(refused(record).find("must hold paths inside the working folder"), std::string::npos) << path;
  }
  base::Json record = tests_record();
  record["tests"]["files"]["../x"] = "";
  EXPECT_NE(refused(record).find("field 'tests.files' must hold paths inside"), std::string::npos);
}

TEST(Task, WhatIsNoObjectIsRefused) {
  EXPECT_NE(refused(base::Json::array()).find("tasks.jsonl:7: the top level must be an object, found a list"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::tasks
