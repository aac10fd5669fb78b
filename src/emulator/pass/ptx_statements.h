// The text of inline PTX as statements. Reads what compilers and people write inside asm(): instructions with a
// guard, declarations of registers, blocks in braces, comments. Labels and branches are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace cuset_pass {

// One operand: `r1`, `$2` (of the asm statement), `{a, b}`, `[r1+16]`, `r0|p`, `0x1f`.
struct PtxOperand {
  std::vector<std::string> names;  // one, or the elements in braces
  std::string second;              // p of `r0|p`
  bool is_vector = false;
  bool is_address = false;
  int64_t offset = 0;  // of an address
};

struct PtxStatement {
  std::string guard;  // p of `@p` and `@!p`; empty: none
  bool guard_is_negated = false;
  std::vector<std::string> words;  // ld, global, nc, u32 of `ld.global.nc.u32`
  std::vector<PtxOperand> operands;

  // Is `word` one of those behind the first?
  bool has(llvm::StringRef word) const;
};

// `assembly` is LLVM's form of the text: operands are $0, $1, and $( $| $) stand for braces and bars. Nothing where
// it holds something else than statements of the form above.
std::optional<std::vector<PtxStatement>> parse_ptx(llvm::StringRef assembly);

}  // namespace cuset_pass
