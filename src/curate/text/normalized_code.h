// CUDA code without what does not matter when two programs are compared: comments, white space, and the names that
// the program gives its own things.
//
// Names. Every name that the program declares (variables, parameters, functions, types, macros) stands for its number
// in the order of first appearance; names that it only uses (cudaMalloc, expf, float, threadIdx) stay, because they
// are what the program does. A name counts as declared where it follows a type as a declaration has it: `int n`,
// `const float* x`, `std::vector<float> v(n)`, `a, b` of `float a, b;`, `#define N`. This is judged from tokens alone;
// a name that is missed stays as it is spelled, so that a renamed copy may be missed with it. Literals stay too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::curate {

// One token of normalized code.
struct CodeToken {
  uint64_t hash = 0;   // of its spelling
  uint32_t name = 0;   // of a declared name its number from 1 on; 0: anything else
  uint32_t begin = 0;  // byte of the source
  uint32_t end = 0;
};

// The tokens of `source` without comments. Any bytes are accepted.
std::vector<CodeToken> normalized_tokens(std::string_view source);

// 128 bits that are equal for programs that differ in comments, white space and declared names only.
struct CodeHash {
  uint64_t low = 0;
  uint64_t high = 0;

  friend bool operator==(const CodeHash&, const CodeHash&) = default;
};
CodeHash hash_of(const std::vector<CodeToken>& tokens);

// The hashes of all runs of `length` tokens, each once and sorted. Declared names count by their order within the
// run, so that a declaration added at the top changes no run below it. A shorter text is one run.
std::vector<uint64_t> runs_of_code(const std::vector<CodeToken>& tokens, size_t length);

// The normalized tokens as text, for tests and for looking: names are $1, $2, ...
std::string normalized_text(std::string_view source);

}  // namespace cuset::curate

template <>
struct std::hash<cuset::curate::CodeHash> {
  size_t operator()(const cuset::curate::CodeHash& code) const { return code.low; }
};
