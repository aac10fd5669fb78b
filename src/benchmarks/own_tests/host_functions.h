// The functions that a source defines outside of any class, host and device ones, found by their shape: a
// name, a parameter list and a body, in no braces but those of namespaces and `extern "C"`. Macros are not
// expanded.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::benchmarks {

struct DefinedFunction {
  std::string name;        // unqualified
  bool internal = false;   // static, inline, constexpr, a template or in an unnamed namespace: other sources
                           // cannot call it
  bool device = false;     // __device__ or __global__
  bool qualified = false;  // `Type::name`: a member of a class
};

struct Definitions {
  std::vector<DefinedFunction> functions;  // in order of the text
  // All identifiers outside of bodies: functions that are only declared, types, ...
  std::set<std::string> declared;
};

// Any bytes are accepted; time is linear.
Definitions find_definitions(std::string_view source);

}  // namespace cuset::benchmarks
