// The headers that answers are compiled with in place of PyTorch's own, which take most of a build's time. Some are the same
// for all answers (torch_types.h.in, torch_extension.h.in, torch_bindings.h.in, emulator/torch/include/thrust/complex.h). Others hold what one
// answer names:
//
//   cuset_names.h           whether it names pybind11 or Thrust, whose own headers are then used
//   cuset_operations.h      the functions of PyTorch that it names
//   ATen/ops/*.h            PyTorch's own of these functions, without what they include and do not need
//   ATen/core/TensorBody.h  PyTorch's own, without the bodies of methods that it does not name
//
// What compiles with them compiles to the same. An answer that needs more does not compile or cannot be loaded, and is compiled
// again with PyTorch's own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "judge/scripts/python.h"

namespace cuset::benchmarks {

// Those for all answers. Throws Error where they cannot be written.
void write_light_headers(const std::filesystem::path& folder);

// Those for the answer `code`, which is compiled with the PyTorch of `python`. Throws Error where they cannot be written.
void write_answer_headers(const std::filesystem::path& folder, std::string_view code,
                          const judge::Python& python);

// The text of cuset_names.h.
std::string name_macros(std::string_view code);

// The text of cuset_operations.h: what PyTorch declares of each function `torch::name` or `at::name` in the text. Names of
// other things are passed over when it is compiled.
std::string operation_headers(std::string_view code);

// `header`, the text of a file in PyTorch's ATen/ops, without what it includes and does not need.
std::string light_operation(std::string_view header);

// `body`, the text of PyTorch's TensorBody.h, without the bodies of methods that neither `code` nor other methods name. Empty
// where `body` is written otherwise than expected, or where `code` includes headers of PyTorch that may call any method.
std::string tensor_with_methods(std::string_view body, std::string_view code);

}  // namespace cuset::benchmarks
