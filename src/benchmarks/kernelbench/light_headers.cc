#include "benchmarks/kernelbench/light_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "base/files/file.h"
#include "base/lines.h"
#include "benchmarks/kernelbench/kernelbench_child.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTensorBody = "ATen/core/TensorBody.h";
constexpr std::string_view kAllOperators = "#include <ATen/MethodOperators.h>";
constexpr std::string_view kMethod = "// aten::";  // opens the body of a method in TensorBody.h

// Methods that others call: operators, item(), cpu(), contiguous().
constexpr std::array<std::string_view, 21> kCalledByOthers = {
    "to",          "fill_",        "copy_", "item",       "select",     "conj_physical", "_conj",
    "neg",         "bitwise_not",  "add_",  "sub_",       "mul_",       "div_",          "bitwise_and_",
    "bitwise_or_", "bitwise_xor_", "index", "index_put_", "contiguous", "_backward",     "data"};
// What every header of a function includes and none needs; it takes longer to read than all the rest.
constexpr std::array<std::string_view, 4> kUnusedByOperations = {
    "#include <ATen/Context.h>", "#include <ATen/DeviceGuard.h>", "#include <ATen/TensorUtils.h>",
    "#include <ATen/TracerMode.h>"};
// Headers of PyTorch that call no method.
constexpr std::array<std::string_view, 13> kPlainHeaders = {
    "torch/extension.h",        "torch/types.h",
    "ATen/AccumulateType.h",    "ATen/Dispatch.h",
    "ATen/DeviceGuard.h",       "ATen/cuda/CUDAContext.h",
    "ATen/cuda/Exceptions.h",   "c10/cuda/CUDAException.h",
    "c10/cuda/CUDAFunctions.h", "c10/cuda/CUDAGuard.h",
    "c10/cuda/CUDAStream.h",    "c10/util/BFloat16.h",
    "c10/util/Half.h"};

bool is_in_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

// The name that `text` begins with; empty where there is none.
std::string_view leading_name(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_in_name);
  return text.substr(0, static_cast<size_t>(end - text.begin()));
}

std::set<std::string_view> identifiers_in(std::string_view code) {
  std::set<std::string_view> names;
  while (!code.empty()) {
    const std::string_view name = leading_name(code);
    if (!name.empty()) names.insert(name);
    code.remove_prefix(std::max<size_t>(name.size(), 1));
  }
  return names;
}

bool names_any(std::string_view code, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return code.find(word) != code.npos; });
}

// Whether it includes headers of PyTorch beside the plain ones.
bool includes_more_of_pytorch(std::string_view code) {
  for (const std::string_view folder : {"torch/", "ATen/", "c10/"}) {
    for (size_t at = code.find(folder); at != code.npos; at = code.find(folder, at + 1)) {
      const bool is_include = at > 0 && (code[at - 1] == '<' || code[at - 1] == '"');
      const std::string_view rest = code.substr(at);
      if (is_include && std::none_of(kPlainHeaders.begin(), kPlainHeaders.end(),
                                     [&](std::string_view plain) { return rest.starts_with(plain); }))
        return true;
    }
  }
  return false;
}

std::string include_if_there(std::string_view header) {
  return fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", header);
}

// Of a method and of the function that it changes its tensor in place of: both are in one header, named after either.
std::string operator_headers(std::string_view method) {
  std::string text = include_if_there(fmt::format("ATen/ops/{}_ops.h", method));
  if (method.ends_with('_')) {
    method.remove_suffix(1);
    text += include_if_there(fmt::format("ATen/ops/{}_ops.h", method));
  }
  return text;
}

// PyTorch's own header of that name; empty where there is none.
std::string header_of(const judge::Python& python, const std::string& name) {
  for (const fs::path& folder : python.readable) {
    const fs::path file = folder / "torch/include" / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return base::read_file(file);
  }
  return "";
}

void write_header(const fs::path& folder, const std::string& name, const std::string& text) {
  if (text.empty()) return;
  fs::create_directories((folder / name).parent_path());
  base::write_file_atomic(folder / name, text);
}

// X of every `torch::X` and `at::X`.
std::set<std::string_view> functions_in(std::string_view code) {
  std::set<std::string_view> names;
  for (size_t at = code.find("::"); at != code.npos; at = code.find("::", at + 2)) {
    const std::string_view before = code.substr(0, at);
    if (!before.ends_with("torch") && !before.ends_with("at")) continue;
    if (const std::string_view name = leading_name(code.substr(at + 2)); !name.empty()) names.insert(name);
  }
  return names;
}

}  // namespace

void write_light_headers(const fs::path& folder) {
  fs::create_directories(folder / "torch");
  fs::create_directories(folder / "thrust");
  base::write_file_atomic(folder / "torch/types.h", kTorchTypes);
  base::write_file_atomic(folder / "torch/extension.h", kTorchExtension);
  base::write_file_atomic(folder / "cuset_bindings.h", kTorchBindings);
  base::write_file_atomic(folder / "thrust/complex.h", kThrustComplex);
}

void write_answer_headers(const fs::path& folder, std::string_view code, const judge::Python& python) {
  write_header(folder, "cuset_names.h", name_macros(code));
  write_header(folder, "cuset_operations.h", operation_headers(code));
  write_header(folder, kTensorBody, tensor_with_methods(header_of(python, kTensorBody), code));
  for (const std::string_view name : functions_in(code)) {
    const std::string header = fmt::format("ATen/ops/{}.h", name);
    write_header(folder, header, light_operation(header_of(python, header)));
  }
}

std::string name_macros(std::string_view code) {
  std::string text = "#pragma once\n";
  // Other headers of PyTorch may include pybind11 by themselves.
  if (names_any(code, {"PYBIND11", "pybind11", "py::"}) || includes_more_of_pytorch(code))
    text += "#define CUSET_NAMES_PYBIND\n";
  if (names_any(code, {"thrust", "cub/", "cub::", "cuda/std", "cuda::std", "complex", "COMPLEX"}))
    text += "#define CUSET_NAMES_THRUST\n";
  return text;
}

std::string operation_headers(std::string_view code) {
  std::string text = "#pragma once\n";
  for (const std::string_view name : functions_in(code))
    text += include_if_there(fmt::format("ATen/ops/{}.h", name));
  if (names_any(code, {"device_of"})) text += include_if_there("ATen/DeviceGuard.h");
  return text;
}

std::string light_operation(std::string_view header) {
  std::string text;
  for (const std::string_view line : base::lines_of(header)) {
    if (std::find(kUnusedByOperations.begin(), kUnusedByOperations.end(), line) == kUnusedByOperations.end())
      text.append(line).append("\n");
  }
  return text;
}

std::string tensor_with_methods(std::string_view body, std::string_view code) {
  if (body.find(kAllOperators) == body.npos || includes_more_of_pytorch(code)) return "";
  std::set<std::string_view> wanted = identifiers_in(code), kept;
  wanted.insert(kCalledByOthers.begin(), kCalledByOthers.end());
  std::string text;
  bool skipping = false;
  for (const std::string_view line : base::lines_of(body)) {
    if (line.starts_with(kMethod)) {
      const std::string_view name = leading_name(line.substr(kMethod.size()));
      skipping = !wanted.contains(name);
      if (!skipping) kept.insert(name);
    }
    if (!skipping) text.append(line).append("\n");
    if (line == "}") skipping = false;
  }
  if (kept.empty() || skipping) return "";
  std::string operators;
  for (const std::string_view name : kept) operators += operator_headers(name);
  return text.replace(text.find(kAllOperators), kAllOperators.size(), operators);
}

}  // namespace cuset::benchmarks
