// A program as the mutations see it: its tokens, functions, loops and launches, and what tells an index from
// a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cuda_source/code.h"
#include "cuda_source/functions.h"
#include "cuda_source/launches.h"

namespace cuset::judge {

// A `for` loop of device code; all are token indices, ranges are [first, last).
struct Loop {
  uint32_t keyword = 0;
  uint32_t first = 0;      // of the initialization
  uint32_t condition = 0;  // first token of the condition; its `;` is before it
  uint32_t step = 0;       // first token of the step
  uint32_t close = 0;      // `)`
  uint32_t end = 0;        // index after the body
  uint32_t depth = 0;      // loops around it
};

class MutationSubject {
 public:
  // `text` must outlive the object.
  explicit MutationSubject(const std::string& text);

  const cuda_source::Code& code() const { return read_.code; }
  const std::vector<cuda_source::Function>& functions() const { return functions_; }  // those with a body
  const std::vector<cuda_source::Launch>& launches() const { return launches_; }
  const std::vector<Loop>& loops() const { return loops_; }  // deepest first, else in order

  std::string_view raw(size_t i) const { return read_.code.raw(i); }
  // The bytes from token `first` through the token before `last`.
  std::string between(size_t first, size_t last) const;
  bool is_device_code(size_t i) const { return in_device_[i]; }
  bool is_in_loop(size_t i) const { return in_loop_[i]; }

  // The first token of the statement that holds token i: the one after the last `;`, `{` or `}`.
  size_t statement_first(size_t i) const { return statement_[i]; }
  // The token that ends the expression that continues at token i: a `;`, a `,` or a closing bracket.
  size_t expression_end(size_t i) const;
  // The innermost `(`, `[` or `{` around token i, or Code::kNone.
  uint32_t bracket_around(size_t i) const { return bracket_[i]; }

  // Whether token i is part of the header of `if`, `while`, `for`, ....
  bool is_in_header(size_t i) const;
  // Whether token i computes where something is, rather than what: in a subscript, a loop's header, or a
  // declaration of a whole number or a pointer.
  bool is_index(size_t i) const;
  // Whether the operator at i stands between two operands.
  bool is_binary(size_t i) const;
  // Whether token i compares; the brackets of templates and the two halves of `>>` do not.
  bool is_comparison(size_t i) const;
  // Whether device code declares `name` as a whole number, or as a float (or array of, or pointer to).
  bool is_whole_number(std::string_view name) const { return whole_numbers_.contains(name); }
  bool is_float(std::string_view name) const { return floats_.contains(name); }

 private:
  void read_structure();
  void read_loops();
  void read_declarations();
  Loop read_loop(uint32_t keyword) const;
  uint32_t body_end(uint32_t close) const;
  bool declares_index(size_t first) const;

  cuda_source::Source read_;
  std::vector<cuda_source::Function> functions_;
  std::vector<cuda_source::Launch> launches_;
  std::vector<Loop> loops_;
  std::vector<bool> in_device_;
  std::vector<bool> in_loop_;
  std::vector<uint32_t> statement_;
  std::vector<uint32_t> bracket_;
  std::unordered_set<size_t> angles_;  // `<` and `>` that do not compare
  std::unordered_set<std::string_view> whole_numbers_;
  std::unordered_set<std::string_view> floats_;
};

// Whether `type` is a name of a type of whole numbers: int, size_t, uint32_t, ....
bool is_whole_number_type(std::string_view type);

}  // namespace cuset::judge
