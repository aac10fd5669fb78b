// Function definitions of device code: kernels (`__global__`) and device functions (`__device__`).
//
// A definition is found from its qualifier onwards: the declared name is the last identifier with a
// parenthesised group before the body's brace, attributes and what follows `->`, `requires` or a
// constructor's `:` left aside. So qualifiers, attributes, macros and the return type may stand in any order.
// A declaration that ends in `;` (prototypes, explicit instantiations, variables, `= delete`) is not a
// definition.
//
// Names are unqualified and without template arguments. A name made by a macro stays as spelled: `NAME(add)`,
// `op##_kernel`; a macro that is an alias for a whole head (#define KERNEL(name) __global__ void name) gives
// its first argument. Operators are `operator+`, `operator()`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda_source/code.h"

namespace cuset::cuda_source {

struct Function {
  std::string name;
  bool kernel = false;
  // Token indices.
  uint32_t qualifier = 0;   // where the search started: the first __global__ or __device__
  uint32_t name_first = 0;  // first token of the name
  uint32_t parameters = 0;  // `(` of the parameter list, or of the macro's arguments
  uint32_t body = 0;        // `{`; Code::kNone if the text ends before it
  uint32_t end = 0;         // index after the last token of the body
  // Bytes.
  base::ByteSpan signature;   // from the name through the parameters
  base::ByteSpan body_bytes;  // with its braces; empty if the text ends before it
};

// All kernels and device functions of one piece of code, in order of their qualifier.
//
// A definition whose parameters or body are cut off by the end of the text reaches to that end. A kernel's
// body in which another kernel starts (in the same conditional branch) is missing a brace; it ends where that
// one starts.
std::vector<Function> find_functions(const Code& code, const std::unordered_map<std::string, Alias>& aliases);

// The template argument lists `name<...>` outside of brackets among the tokens [first, last): the indices of
// `<` and its `>`, in order of the `<`.
std::vector<std::pair<uint32_t, uint32_t>> match_angles(const Code& code, size_t first, size_t last);

}  // namespace cuset::cuda_source
