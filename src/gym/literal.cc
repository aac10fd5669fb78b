#include "gym/literal.h"

#include <fmt/format.h>

namespace cuset {

std::string decimal(double value) {
  std::string text = fmt::format("{}", value);
  // fmt writes at least two digits of an exponent, people do not.
  for (const std::string_view padded : {"e-0", "e+0"})
    if (const size_t at = text.find(padded); at != std::string::npos) text.erase(at + 2, 1);
  return text;
}

std::string literal(double value, std::string_view type, bool in_expression) {
  std::string text = decimal(value);
  if (type != "int" && text.find_first_of(".en") == std::string::npos) text += ".0";
  if (type == "float") text += "f";
  return in_expression && value < 0 ? "(" + text + ")" : text;
}

std::string_view cpp_type(NumberType type) {
  switch (type) {
    case NumberType::kFloat64:
      return "double";
    case NumberType::kFloat32:
      return "float";
    case NumberType::kFloat16:
      return "__half";
    case NumberType::kBfloat16:
      return "__nv_bfloat16";
    case NumberType::kInt64:
      return "long long";
    case NumberType::kInt32:
      return "int";
    case NumberType::kInt16:
      return "short";
    case NumberType::kInt8:
      return "signed char";
    case NumberType::kUint64:
      return "unsigned long long";
    case NumberType::kUint32:
      return "unsigned int";
    case NumberType::kUint16:
      return "unsigned short";
    case NumberType::kUint8:
      return "unsigned char";
    case NumberType::kBool:
      return "unsigned char";
  }
  return "float";
}

}  // namespace cuset
