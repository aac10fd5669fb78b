// The program around an answer of AnswerKind::kFunction: it owns the buffers, calls the answer once and
// writes down what is in memory afterwards. It judges nothing.
//
// The text of the harness stands before the answer's, so no macro of the answer reaches it; the answer's own
// `main`, if it has one, gets another name. Every device buffer lies between two guard bands. Outputs and
// guards are filled with the same eight bytes, other ones for every run, and are saved with the inputs:
//
//   check/poison           the eight bytes, written by us
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

// The whole program.
std::string in_harness(const tasks::Task& task, const std::string& answer);

// The harness's side of one run's folder.
class HarnessFiles {
 public:
  // Lays down check/ with the poison. A program with the emulator's checks has no guards.
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
