// A kernel task: what is asked, what data an answer is tried on, and how it is judged. docs/tasks.md is its
// JSONL form; readers/ turns the files of other benchmarks into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "tasks/array.h"

namespace cuset::tasks {

// What the values of an input mean; which of the numbers apply is the kind's affair.
struct Domain {
  enum class Kind : uint8_t {
    kNormal,         // mean, deviation
    kUniform,        // low <= x < high
    kInteger,        // low <= x < high, whole numbers: labels, tokens, bits
    kIndex,          // the same, but says that it points into something: never varied in distribution
    kPositive,       // low <= x < high with low > 0, spread over orders of magnitude (log-uniform)
    kProbability,    // 0 <= x <= 1
    kProbabilities,  // rows of the last axis sum to 1
    kSorted,         // ascending along the last axis, values low <= x < high
    kOffsets,        // ascending whole numbers from 0 to `high`: row offsets of a sparse matrix
    kPermutation,    // of 0 .. n-1
    kConstant,       // `low` everywhere
    kSize,           // one whole number of a list of sizes or a fixed one: `low`; never varied
    kPacked,         // parts one after the other, each with its own count and domain
  };
  struct Part;

  Kind kind = Kind::kNormal;
  double mean = 0;
  double deviation = 1;
  double low = 0;
  double high = 1;
  std::vector<Part> parts;  // kPacked
};

struct Domain::Part {
  std::string name;
  uint64_t count = 0;
  Domain domain;
};

struct TaskInput {
  std::string name;  // its file is data/<name>.bin
  NumberType type = NumberType::kFloat32;
  Shape shape;
  Domain domain;
};

// Right is |got - wanted| <= absolute + relative * |wanted|; whole numbers are compared exactly.
struct Tolerance {
  double absolute = 1e-5;
  double relative = 1e-5;
};

struct TaskOutput {
  std::string name;  // its file is data/<name>.bin
  NumberType type = NumberType::kFloat32;
  Shape shape;
  Tolerance tolerance;
};

// Where the expected outputs come from. One of the two is set.
struct Oracle {
  std::string native;     // a name in the registry of float64 functions (tasks/oracles/oracles.h)
  base::Json parameters;  // of the native one: an object, or null
  std::string program;    // a CUDA program in the protocol of AnswerKind::kProgram, run apart
};

enum class AnswerKind : uint8_t {
  kProgram,   // a whole program: reads data/<input>.bin, writes data/<output>.bin
  kFunction,  // a host function or a kernel that our harness calls
  kTests,     // code that is built with the benchmark's own tests; their outcome decides
  kModule,    // Python with a class ModelNew, in KernelBench's form
};

// kFunction: what is declared to the answer's author and called by the harness.
struct FunctionInterface {
  std::string name;
  bool kernel = false;  // __global__, launched with grid, block and shared_bytes; else a host function
  // The parameters in order: the name of an input or output (a device pointer to its first number), or a
  // value given as `type name` below.
  struct Parameter {
    std::string name;
    std::string type;   // C++: "const float*", "int"; what the declaration shows
    std::string value;  // of a parameter that is neither input nor output: its C++ literal
  };
  std::vector<Parameter> parameters;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;
};

// kTests: files laid out in the working folder, and the commands of the benchmark.
struct TestBuild {
  std::map<std::string, std::string> files;  // path in the folder -> text; tests, headers, context
  std::string answer_file;                   // where the answer's code goes: "solution.cu"
  std::vector<std::string> sources;          // to compile and link; the answer's file among them
  std::vector<std::string> include_folders;  // in the folder
  std::vector<std::string> defines;
  std::vector<std::string> libraries;  // "cublas"
  std::string standard = "c++17";
  std::vector<std::string> nvcc_flags;  // "--extended-lambda": what changes the language, nothing else
  std::vector<std::string> arguments;   // of the built program; "{seed}" is another number in every trial
  std::vector<std::string> needs_all;   // identifiers that must all stand in the answer's code
  std::vector<std::string> needs_any;   // of these, one
  std::string expected_output;          // a text that must stand in its standard output; may be empty
};

struct Prompt {
  std::string level;  // "1" has most detail
  std::string text;
};

struct Task {
  std::string id;
  std::string family;     // tasks of one family differ in sizes only
  std::string benchmark;  // "cudabench", "kernelbench", ...; empty: our own
  std::vector<Prompt> prompts;
  AnswerKind kind = AnswerKind::kProgram;
  std::vector<TaskInput> inputs;
  std::vector<TaskOutput> outputs;
  // CUDABench: its gen.py, which makes the inputs with random numbers of our own (judge/scripts/task_scripts.h);
  // `domain` of the inputs is not used then. With it may come a compare.py: the tolerances that are found in
  // it replace those of the outputs.
  std::string input_script;
  std::string compare_script;
  Oracle oracle;
  std::string
      baseline;  // a program that answers are timed against, where the oracle's is not; it decides no verdict
  FunctionInterface function;
  TestBuild tests;
  std::string module;        // kModule: the Python file with Model, get_inputs, get_init_inputs
  bool needs_kernel = true;  // an answer that launches no kernel of its own is `no_kernel`
  double time_limit = 60;    // seconds of one run
  std::string fault;         // why no verdict on this task means anything; empty: none known
  std::string place;         // "file:line", for messages
};

// "program", "function", "tests", "module".
std::string_view name_of(AnswerKind kind);

// Bytes of all declared inputs and outputs.
uint64_t data_bytes(const Task& task);

// The JSONL form. Throws Error naming place, key and remedy (unknown keys with the nearest known one).
Task task_from_json(const base::Json& record, const std::string& place);
base::Json json_of(const Task& task);

}  // namespace cuset::tasks
