// How numbers and folds over them are written in kernels: types, bounds, functions, and the lines of a sum or
// a maximum.
#pragma once

#include <string>
#include <string_view>

#include "tasks/array.h"

namespace cuset::gym {

// The type that a kernel computes with. Half precision is read into float.
struct CudaNumber {
  std::string name = {};     // "float"
  std::string suffix = {};   // of literals and functions: "f"
  std::string lowest = {};   // "-FLT_MAX"
  std::string highest = {};  // "FLT_MAX"
  std::string header = {};   // of the bounds: "cfloat"

  // "0.5f", "1.0", "3"
  std::string literal(std::string_view decimal) const;
  // "expf(x)": call("exp", "x")
  std::string call(std::string_view function, std::string_view arguments) const;
  bool is_whole() const { return name == "int"; }
};

CudaNumber cuda_number(tasks::NumberType type);

// An element as the number that is computed with: "__half2float($x[i])" for half precision, else as it is.
std::string loaded(tasks::NumberType type, const std::string& element);

enum class Fold { kSum, kProduct, kMax, kMin };

// What a fold begins with: "0.0f", "-FLT_MAX".
std::string fold_start(Fold fold, const CudaNumber& number);
// "target += value;", "target = fmaxf(target, value);"
std::string fold_line(Fold fold, const CudaNumber& number, const std::string& target,
                      const std::string& value);
// The lines by which `$shared[0]` becomes the fold of `value` over the threads $tid of a block.
std::string fold_tree(Fold fold, const CudaNumber& number, std::string_view value);
// The lines by which `variable` becomes its fold over a warp; `shuffle` is "__shfl_down_sync" (in the first lane)
// or "__shfl_xor_sync" (in all).
std::string fold_shuffles(Fold fold, const CudaNumber& number, const std::string& variable,
                          std::string_view shuffle);
// "adds up", "multiplies", "takes the largest of", "takes the smallest of"
std::string_view fold_verb(Fold fold);

// Every line with two more spaces a level.
std::string indented(std::string_view lines, int levels = 1);

}  // namespace cuset::gym
