#include "execute/record/injection/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <string_view>

namespace cuset_injection {
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

std::string kernel_name(const char* mangled) {
  if (mangled == nullptr) return "?";
  // The demangler takes short plain names for types: "a" is a signed char to it.
  if (std::string_view(mangled).substr(0, 2) != "_Z") return mangled;
  int failed = 0;
  char* plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &failed);
  if (failed != 0 || plain == nullptr) return mangled;
  std::string_view name = plain;
  // A clone's mark follows the parameters: "f(int) [clone .x]".
  if (const size_t clone = name.find(" [clone"); clone != name.npos) name = name.substr(0, clone);
  if (!name.empty() && name.back() == ')') name = name.substr(0, opening_bracket(name, name.size()));
  std::string result(name.substr(after_return_type(name)));
  std::free(plain);
  return result.empty() ? mangled : result;
}

}  // namespace cuset_injection
