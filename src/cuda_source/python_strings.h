// String literals of Python source, decoded, with a map back to the source: KernelBench answers carry their
// CUDA in strings that are handed to load_inline.
//
// Literals that stand side by side, or with only `+` between, are one string. Prefixes r, b, u, f, t (any
// case and order) are known. In f-strings `{{` is `{`, and a replacement field gives the text of its
// expression, without conversion and format, so that braces stay balanced. Escapes are decoded unless the
// string is raw; unknown ones stay. A literal that is not closed ends at its line (triple-quoted: at the end
// of the text).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"

namespace cuset::cuda_source {

class PythonString {
 public:
  const std::string& decoded() const { return decoded_; }
  // Where it stands in the source, with quotes and prefixes.
  base::ByteSpan source() const { return source_; }
  // Whether it is a statement of its own: a docstring or a comment in string form.
  bool is_docstring() const { return docstring_; }

  // The bytes of the source that decoded bytes [span.begin, span.end) come from. An empty span maps to an
  // empty one.
  base::ByteSpan to_source(base::ByteSpan span) const;

 private:
  friend class PythonReader;
  // Decoded bytes from `decoded` on come one to one from `source` on, or all from the `escape` bytes at
  // `source`.
  struct Piece {
    size_t decoded;
    size_t source;
    size_t escape;  // 0: one to one
  };

  std::string decoded_;
  std::vector<Piece> pieces_;
  base::ByteSpan source_;
  bool docstring_ = false;
};

// All strings of `text` in order. Any bytes are accepted; time is linear.
std::vector<PythonString> find_python_strings(std::string_view text);

// Whether `text` is Python rather than C++, judged by the first line that is decisive; false if none is.
bool looks_like_python(std::string_view text);

}  // namespace cuset::cuda_source
