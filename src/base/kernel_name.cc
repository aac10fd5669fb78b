#include "base/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <string_view>

namespace cuset::base {
namespace {

// A closing bracket at `end - 1` and everything back to its opening one; the whole text where it has none.
size_t opening_bracket(std::string_view text, size_t end) {
  int depth = 0;
  for (size_t at = end; at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return end;
}

// The last space outside brackets: what stands before it is the return type that templates carry.
size_t after_return_type(std::string_view text) {
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    const char c = text[at];
    if (c == '>' || c == ')' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '{') --depth;
    if (c == ' ' && depth == 0) return at + 1;
  }
  return 0;
}

}  // namespace

std::string kernel_signature(const char* mangled) {
  if (mangled == nullptr) return "?";
  // The demangler takes short plain names for types: "a" is a signed char to it.
  if (std::string_view(mangled).substr(0, 2) != "_Z") return mangled;
  int failed = 0;
  char* plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &failed);
  if (failed != 0 || plain == nullptr) return mangled;
  std::string_view text = plain;
  // A clone's mark follows the parameters: "f(int) [clone .x]".
  text = text.substr(0, text.find(" [clone"));
  const size_t end = text.empty() || text.back() != ')' ? text.size() : opening_bracket(text, text.size());
  std::string result(text.substr(after_return_type(text.substr(0, end))));
  std::free(plain);
  return result.empty() ? mangled : result;
}

std::string kernel_name(const char* mangled) {
  std::string name = kernel_signature(mangled);
  if (!name.empty() && name.back() == ')') name.resize(opening_bracket(name, name.size()));
  return name.empty() && mangled != nullptr ? mangled : name;
}

}  // namespace cuset::base
