// Which function and which loop a brace belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda_source/code.h"

namespace cuset::cuda_source {

class Scopes {
 public:
  explicit Scopes(const Code& code);

  // The `{` of the outermost function around token i (namespaces, classes and extern "C" blocks are not
  // functions), or Code::kNone.
  uint32_t function_around(size_t i) const;

  // The end of the outermost loop around token i within its function, as a token index; i itself without a
  // loop.
  size_t loop_end(size_t i) const;

 private:
  struct Brace {
    uint32_t function = Code::kNone;
    uint32_t loop = Code::kNone;
  };
  const Code& code_;
  std::vector<uint32_t> index_;  // token -> position in braces_, for `{`
  std::vector<Brace> braces_;
};

}  // namespace cuset::cuda_source
