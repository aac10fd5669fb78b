#include "runtime/launch/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace cuset_emulator {

std::string readable_name(std::string_view mangled) {
  int status = 0;
  char* text = mangled.starts_with("_Z")
                   ? abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status)
                   : nullptr;
  if (!text) return std::string(mangled);
  std::string_view name = text;
  // Only templates carry a return type, and that of a kernel is void.
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string result(name);
  std::free(text);
  return result;
}

std::string short_name(std::string_view mangled) {
  std::string name = readable_name(mangled);
  if (!name.ends_with(')')) return name;
  size_t depth = 0;
  for (size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(0, at);
  }
  return name;
}

}  // namespace cuset_emulator
