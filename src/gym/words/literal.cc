#include "gym/words/literal.h"

#include <fmt/format.h>

#include "tasks/interface_json.h"

namespace cuset::gym {

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

std::string_view cpp_type(tasks::NumberType type) {
  return type == tasks::NumberType::kBool ? "unsigned char"
                                          : tasks::element_type(type);  // a byte in the file
}

}  // namespace cuset::gym
