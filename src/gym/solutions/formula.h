// Formulas as a family writes them once, in the oracles' language (docs/tasks.md) with `$x` for an array's
// element and `{alpha}` for a scalar, turned into CUDA code and into prose.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

// "fmaxf(@x, $alpha)": elements stand as `@x`, for the kernel to say how it reads them.
std::string formula_code(std::string_view formula, const CudaNumber& number);

// "max($x[i], $alpha)": what a prompt shows, with `place` after every array.
std::string formula_prose(std::string_view formula, std::string_view place = "[i]");

// `formula` with `$x` replaced by what stands for "x"; other arrays stay.
std::string with_arrays(std::string_view formula, const std::map<std::string, std::string>& texts);

// `text` with every `@x` replaced by what `element` gives for "x".
template <typename Element>
std::string with_elements(std::string_view text, const Element& element) {
  std::string result;
  while (!text.empty()) {
    const size_t at = text.find('@');
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
    const size_t end =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    const std::string_view key = text.substr(0, end);
    result += element(std::string(key));
    text.remove_prefix(key.size());
  }
  return result;
}

}  // namespace cuset::gym
