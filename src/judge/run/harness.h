// The program around an answer of AnswerKind::kFunction: it owns the buffers, calls the answer once and
// writes down what is in memory afterwards. It judges nothing.
//
// The harness is a source of its own in plain C++, compiled by itself, that works by system calls of its own
// (raw_calls.h). In the answer's source stand, before the answer, the declaration it has to define and a
// constant with that function's address: all that the harness takes from it. What else the answer defines is
// held to the rules of execute/objects/object_rules.h; where the task asks for a kernel, no host code of the
// answer runs at all. Every device buffer lies between two guard bands. Outputs and
// guards are filled with the same eight bytes, other ones for every run, and are saved with the inputs:
//
//   check/poison           the eight bytes, written by us
//   check/inputs           written by us where inputs are to be saved, too
//   check/<name>.guards    both guard bands of a buffer after the call
//   check/<input>.after    an input's buffer after the call
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tasks/array.h"
#include "tasks/task.h"

namespace cuset::judge {

// The declaration that the answer has to define, as its author is told: "void scale(const float* x, float* y,
// int n);"
std::string declaration_of(const tasks::FunctionInterface& function);

inline constexpr uint64_t kGuardBytes = 4096;  // of one guard band

// The answer's source.
std::string in_harness(const tasks::Task& task, const std::string& answer);

// <iostream> without the object that runs code before main, as a text in front of kernels: where only kernels are
// asked for, no host code may run.
extern const char* const kStreams;

// The harness's, to be put behind kRawCalls: it defines `cuset_run`, which works in the current folder.
std::string harness_source(const tasks::Task& task);

// The harness's side of one run's folder.
class HarnessFiles {
 public:
  // Lays down check/ with the poison alone: inputs are not saved, and damage() cannot be told.
  static void lay_poison(const std::filesystem::path& folder, uint64_t poison);

  // Lays down check/. A program with the emulator's checks has no guards.
  HarnessFiles(std::filesystem::path folder, const tasks::Task& task, uint64_t poison, bool has_guards);

  // What the answer changed that it must not, in one line; empty where it changed nothing.
  std::string damage(const std::vector<tasks::Array>& inputs) const;

 private:
  std::string guard_damage(const std::string& name) const;

  std::filesystem::path folder_;
  const tasks::Task& task_;
  uint64_t poison_;
  bool has_guards_;
};

}  // namespace cuset::judge
