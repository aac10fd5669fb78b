// What a family of kernel tasks is: a function that draws one task of it at random, with everything that is
// told about it and several right programs. The rest (file names, prompts, whole programs, reasoning, splits)
// is made of this by the gym, alike for all families.
//
// Texts hold names as `$key`: `$x` is the array declared under the key "x", `$n` a size, `$alpha` a scalar,
// `$T` the C++ type of the first input, anything else a local name for which the gym draws a spelling
// (gym/words/names.h has the pools: `$i` may become i, idx, tid ...; a key without a pool stays as it is). One key
// is spelled the same throughout a program. `{key}` is the value of a size or scalar, as a literal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "tasks/task.h"

namespace cuset::gym {

// An array of the task: a file of the program, a pointer in its kernels.
struct GymArray {
  std::string key = {};
  tasks::NumberType type = tasks::NumberType::kFloat32;
  tasks::Shape shape = {};
  std::vector<std::string> sides = {};  // the sizes that make up the shape, as keys: {"rows", "columns"}
  tasks::Domain domain = {};            // of an input
  tasks::Tolerance tolerance = {};      // of an output
};

// A whole number of the task: an argument of the kernels that use it, or a constant of the program.
struct GymSize {
  std::string key = {};
  int64_t value = 0;
};

// A number of the formula (eps, alpha): an argument, a constant, or its literal in the code.
struct GymScalar {
  std::string key = {};
  double value = 0;
};

// Device memory that only the program sees.
struct GymScratch {
  std::string key = {};
  tasks::NumberType type = tasks::NumberType::kFloat32;
  std::string count = {};  // C++ expression of sizes: "$blocks"
  bool zeroed = false;
};

// One kernel and its launch. The gym writes the signature: the arrays in order (const where they are inputs),
// then the sizes and scalars.
struct GymKernel {
  std::string key = "kernel";             // several kernels of a program have several keys
  std::vector<std::string> arrays = {};   // inputs, outputs, scratch
  std::vector<std::string> sizes = {};    // that the body uses
  std::vector<std::string> scalars = {};  // that the body uses
  std::string body = {};                  // lines between the braces, indented by two spaces a level, from 0
  std::string grid = {};                  // host expressions: "($n + $block - 1) / $block", "dim3(...)"
  std::string block = {};                 // "$block", "dim3($tile, $tile)", "256"
  std::string shared_bytes = {};          // dynamic shared memory; empty: none
};

// Why a solution is as it is, in sentences without a full stop; an empty one does not apply.
struct GymReasoning {
  std::string mapping = {};    // "one thread computes one element of $y"
  std::string reduction = {};  // "each block adds up one row, first in registers, then by warp shuffles"
  std::string memory = {};     // "neighboring threads read neighboring elements of $x"
};

// One right way to solve a task.
struct GymSolution {
  // "one_thread_each", "grid_stride", "shared_memory", "warp_shuffle", "two_pass", ...
  std::string style = {};
  // Of this solution alone, always known at compile time: {"block", 256}
  std::vector<GymSize> constants = {};
  std::string functions = {};  // device functions and templates in front of the kernels; may be empty
  std::vector<GymKernel> kernels = {};    // in the order of their launches
  std::vector<GymScratch> scratch = {};   // in the order of their allocation
  std::vector<std::string> zeroed = {};   // outputs that must be 0 before the first launch
  std::vector<std::string> headers = {};  // beyond <cuda_runtime.h>: "cuda_fp16.h", "cfloat"
  GymReasoning reasoning = {};
};

// One task, before the gym gives it names and words.
struct GymDraft {
  std::vector<std::string> titles = {};  // noun phrases, three or more: "the softmax of each row of $x"
  std::string formula = {};              // "$y[i][j] = exp($x[i][j]) / sum over k of exp($x[i][k])"
  std::vector<std::string> notes = {};   // what every prompt must say: "eps is $eps", "rows are independent"
  std::vector<GymArray> inputs = {};
  std::vector<GymArray> outputs = {};
  std::vector<GymSize> sizes = {};
  std::vector<GymScalar> scalars = {};
  tasks::Oracle oracle = {};                // `native`; its parameters may hold `$keys` in texts
  std::vector<GymSolution> solutions = {};  // three or more, truly different
};

struct GymFamily {
  std::string name = {};   // "softmax_rows"
  std::string group = {};  // "normalization"
  GymDraft (*draw)(base::RandomStream& stream) = nullptr;
  bool held_out = false;  // never in training data
};

// All families, ordered by group and name. docs/gym.md lists them.
const std::vector<GymFamily>& gym_families();

}  // namespace cuset::gym
