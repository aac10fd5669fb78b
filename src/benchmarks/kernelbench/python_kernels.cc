#include "benchmarks/kernelbench/python_kernels.h"

#include <algorithm>

#include "base/lines.h"
#include "cuda_source/answer.h"

namespace cuset::benchmarks {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const size_t start = text.find_first_not_of(kBlanks);
  return start == text.npos ? std::string_view()
                            : text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

bool is_identifier(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

// "relu" of "def relu(x, y):"; empty where the line defines no function.
std::string_view defined_in(std::string_view line) {
  constexpr std::string_view kDef = "def ";
  if (!line.starts_with(kDef)) return {};
  line = without_blanks(line.substr(kDef.size()));
  size_t end = 0;
  while (end < line.size() && is_identifier(line[end])) ++end;
  return line.substr(0, end);
}

// "@triton.jit", "@jit", "@triton.jit(debug=True)".
bool is_triton_decorator(std::string_view line) {
  for (const std::string_view name : {"@triton.jit", "@jit"}) {
    if (line.starts_with(name) && (line.size() == name.size() || !is_identifier(line[name.size()])))
      return true;
  }
  return false;
}

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

// Functions that Triton compiles. Those that are only called by others are never launched, and do no harm here.
void add_triton_kernels(std::string_view source, std::vector<std::string>& names) {
  bool decorated = false;
  for (const std::string_view whole : base::lines_of(source)) {
    const std::string_view line = without_blanks(whole);
    if (is_triton_decorator(line)) decorated = true;
    if (const std::string_view name = defined_in(line); !name.empty()) {
      if (decorated) add_once(names, name);
      decorated = false;
    }
  }
}

}  // namespace

std::vector<std::string> kernels_in_python(const std::string& source) {
  std::vector<std::string> names;
  for (const cuda_source::Region& region : cuda_source::find_regions_in_python(source)) {
    if (region.kind == cuda_source::RegionKind::kKernelBody) add_once(names, region.name);
  }
  if (source.find("triton") != source.npos) add_triton_kernels(source, names);
  return names;
}

std::optional<std::string> without_kernels_in_python(const std::string& source) {
  std::string noop = source;
  for (const cuda_source::Region& region : cuda_source::find_regions_in_python(source)) {
    if (region.kind != cuda_source::RegionKind::kKernelBody || region.end - region.begin < 2) continue;
    for (size_t i = region.begin + 1; i + 1 < region.end; ++i) {
      if (noop[i] != '\n' && noop[i] != '"' && noop[i] != '\'') noop[i] = ' ';
    }
  }
  return noop == source ? std::nullopt : std::optional(std::move(noop));
}

std::string find_gpu_only_construct(const std::string& source) {
  for (const std::string_view whole : base::lines_of(source)) {
    std::string_view line = without_blanks(whole);
    const std::string_view word = line.substr(0, line.find(' '));
    if (word != "import" && word != "from") continue;
    line = without_blanks(line.substr(word.size()));
    for (const std::string_view package :
         {"triton", "cupy", "numba", "pycuda", "cuda", "cutlass", "tilelang"}) {
      const bool named = line.starts_with(package) &&
                         (line.size() == package.size() || !is_identifier(line[package.size()]));
      if (named) return std::string(package);
    }
  }
  return "";
}

}  // namespace cuset::benchmarks
