// Element types and whole-number constants of C++ text, as far as CUDABench's programs need them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "tasks/array.h"

namespace cuset::benchmarks {

// float3 is three numbers of float32. No numbers: not known.
struct Element {
  tasks::NumberType type = tasks::NumberType::kFloat32;
  int64_t numbers = 0;
};

// The type that `texts` (tokens) begin with, and how many tokens name it; 0 where it is none.
std::pair<Element, size_t> element_at(std::span<const std::string> texts);

// The value of a constant expression of + - * / % << >>, brackets, casts to whole types, sizeof and known
// names.
std::optional<int64_t> whole_value(std::span<const std::string> texts,
                                   const std::map<std::string, int64_t>& constants);

}  // namespace cuset::benchmarks
