// Source text as the compiler's parser would see it, without running the preprocessor.
//
// A Source holds the tokens of the program (comments, directives and inactive code left out) and, as separate
// small pieces, the replacement lists of the macros that contain kernels or launches.
//
// Conditional code. `#if 0` and `#if false` (alone, in parentheses or before `&&`) make their branch
// inactive; a true literal makes the branches after it inactive. All other branches are kept, one after the
// other. Brackets are matched as if each branch started with the nesting found at its `#if`; after `#endif`
// the nesting of the first branch continues, and brackets left open by the other branches at the same depth are
// closed together with it. So `#if A / void f() { / #else / void g() { / #endif / }` gives two functions with
// one end.
//
// Wrong code. A closing bracket without an opening one is ignored; one that skips over open brackets closes
// them too. Brackets never closed reach to the end of the tokens.
//
// Macros. A macro whose replacement holds `__global__` or `__device__` but no brace is an alias: its name
// counts as that qualifier wherever it is used (#define HD __host__ __device__).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cuda_source/lexer.h"

namespace cuset::cuda_source {

// Where a conditional group stands among the tokens.
struct ConditionalEvent {
  enum Kind : uint8_t { kIf, kBranch, kEnd };
  Kind kind;
  uint32_t position;  // index of the first token after the directive
};

class Code {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  Code() = default;
  // `text` must outlive the object. `end_offset`: where an unclosed construct ends in the text.
  Code(std::string_view text, std::vector<Token> tokens, const std::vector<ConditionalEvent>& events,
       size_t end_offset);

  size_t size() const { return tokens_.size(); }
  const Token& operator[](size_t i) const { return tokens_[i]; }
  std::string_view text() const { return text_; }
  size_t end_offset() const { return end_offset_; }

  // The bytes of token i; line splices inside are left in.
  std::string_view raw(size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  std::string spelled(size_t i) const { return spelling(text_, tokens_[i]); }

  // For an opening bracket the index of its closing one, or size(); for a closing bracket its opening one, or
  // kNone.
  uint32_t match(size_t i) const { return match_[i]; }
  // Whether the opening bracket i is closed by a bracket of its kind (and not by an outer one or the end).
  bool is_closed(size_t i) const;
  // The index of the innermost `{` around token i, or kNone.
  uint32_t brace_around(size_t i) const { return brace_[i]; }

  // The offset after the bracket group opened at i; the end of the text if it is never closed.
  size_t group_end_offset(size_t i) const;

  // The token after i on the path that ends a conditional group where the branch of i ends.
  size_t next(size_t i) const { return leave_branch(i, i + 1); }
  // The token after the bracket group opened at i, on the same path.
  size_t after_group(size_t i) const;

  // Whether tokens i and j stand in the same branch of the same conditional groups.
  bool same_branch(size_t i, size_t j) const { return branch_at(i) == branch_at(j); }

  // Gives `word` to the identifier at i.
  void set_word(size_t i, Keyword word) { tokens_[i].word = word; }

 private:
  struct BranchStart {
    uint32_t token;        // first token of a branch that is not the first of its group
    uint32_t group_first;  // first token of the group
    uint32_t group_end;    // first token after the group
  };
  struct BranchChange {
    uint32_t token;
    uint32_t branch;
  };

  void record_branches(const std::vector<ConditionalEvent>& events);
  size_t leave_branch(size_t from, size_t to) const;
  uint32_t branch_at(size_t i) const;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<uint32_t> match_;
  std::vector<uint32_t> brace_;
  std::vector<BranchStart> branch_starts_;    // sorted by token, outer groups first
  std::vector<BranchChange> branch_changes_;  // sorted by token
  size_t end_offset_ = 0;
};

struct Alias {
  bool global = false;
  bool device = false;
  bool function_like = false;
};

struct Source {
  Code code;
  std::vector<Code> macros;  // replacement lists with a kernel, a device function or a launch in them
  std::unordered_map<std::string, Alias> aliases;
};

// Lexes and arranges `text`, which must outlive the result. Never fails (but see lex()).
Source read_source(std::string_view text);

// Fills in the brackets of a Code; see the opening comment.
void match_brackets(const std::vector<Token>& tokens, const std::vector<ConditionalEvent>& events,
                    std::vector<uint32_t>& match, std::vector<uint32_t>& brace);

}  // namespace cuset::cuda_source
