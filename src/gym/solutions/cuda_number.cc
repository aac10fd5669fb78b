#include "gym/solutions/cuda_number.h"

#include <fmt/format.h>

#include "base/error.h"

namespace cuset::gym {

std::string CudaNumber::literal(std::string_view decimal) const {
  if (is_whole()) return std::string(decimal);
  const bool has_point = decimal.find_first_of(".e") != std::string_view::npos;
  return fmt::format("{}{}{}", decimal, has_point ? "" : ".0", suffix);
}

std::string CudaNumber::call(std::string_view function, std::string_view arguments) const {
  if (is_whole() && function == "fmax") return fmt::format("max({})", arguments);
  if (is_whole() && function == "fmin") return fmt::format("min({})", arguments);
  return fmt::format("{}{}({})", function, suffix, arguments);
}

CudaNumber cuda_number(tasks::NumberType type) {
  switch (type) {
    case tasks::NumberType::kFloat16:
    case tasks::NumberType::kFloat32:
      return {"float", "f", "-FLT_MAX", "FLT_MAX", "cfloat"};
    case tasks::NumberType::kFloat64:
      return {"double", "", "-DBL_MAX", "DBL_MAX", "cfloat"};
    case tasks::NumberType::kInt32:
      return {"int", "", "INT_MIN", "INT_MAX", "climits"};
    default:
      break;
  }
  CUSET_CHECK(false, "kernels of the gym do not compute with {}", tasks::name_of(type));
  return {};
}

std::string loaded(tasks::NumberType type, const std::string& element) {
  return type == tasks::NumberType::kFloat16 ? fmt::format("__half2float({})", element) : element;
}

std::string fold_start(Fold fold, const CudaNumber& number) {
  switch (fold) {
    case Fold::kSum:
      return number.literal("0");
    case Fold::kProduct:
      return number.literal("1");
    case Fold::kMax:
      return number.lowest;
    case Fold::kMin:
      return number.highest;
  }
  return {};
}

std::string fold_line(Fold fold, const CudaNumber& number, const std::string& target,
                      const std::string& value) {
  switch (fold) {
    case Fold::kSum:
      return fmt::format("{} += {};", target, value);
    case Fold::kProduct:
      return fmt::format("{} *= {};", target, value);
    case Fold::kMax:
    case Fold::kMin:
      break;
  }
  const std::string pair = fmt::format("{}, {}", target, value);
  return fmt::format("{} = {};", target, number.call(fold == Fold::kMax ? "fmax" : "fmin", pair));
}

std::string fold_tree(Fold fold, const CudaNumber& number, std::string_view value) {
  return fmt::format(
      "$shared[$tid] = {};\n"
      "__syncthreads();\n"
      "for (int $stride = $block / 2; $stride > 0; $stride /= 2) {{\n"
      "  if ($tid < $stride) {{\n"
      "    {}\n"
      "  }}\n"
      "  __syncthreads();\n"
      "}}\n",
      value, fold_line(fold, number, "$shared[$tid]", "$shared[$tid + $stride]"));
}

std::string fold_shuffles(Fold fold, const CudaNumber& number, const std::string& variable,
                          std::string_view shuffle) {
  const std::string other = fmt::format("{}(0xffffffff, {}, $offset)", shuffle, variable);
  return fmt::format("for (int $offset = 16; $offset > 0; $offset /= 2) {{\n  {}\n}}\n",
                     fold_line(fold, number, variable, other));
}

std::string_view fold_verb(Fold fold) {
  switch (fold) {
    case Fold::kSum:
      return "adds up";
    case Fold::kProduct:
      return "multiplies";
    case Fold::kMax:
      return "takes the largest of";
    case Fold::kMin:
      return "takes the smallest of";
  }
  return {};
}

std::string indented(std::string_view lines, int levels) {
  std::string result;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (!line.empty()) result.append(2 * static_cast<size_t>(levels), ' ').append(line);
    result += '\n';
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return result;
}

}  // namespace cuset::gym
