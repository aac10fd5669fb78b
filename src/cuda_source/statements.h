// Declarations and assignments of a stretch of code, with their variables resolved by block.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cuda_source/code.h"

namespace cuset::cuda_source {

// A statement, or a clause of a control header, that defines variables.
struct Statement {
  uint32_t first = 0;  // tokens [first, last); `last` is its `;` or what else ends it
  uint32_t last = 0;
  uint32_t name = 0;              // token of the first name it defines
  std::vector<uint32_t> defines;  // variables
  std::vector<uint32_t> needs;    // variables that it mentions
};

// Walks over code token by token, keeping track of blocks and statements.
class StatementWalk {
 public:
  StatementWalk(const Code& code, size_t first, size_t last) : code_(code), at_(first), last_(last) {
    statement_ = first;
  }

  // Goes on until token `to` has been passed.
  void advance(size_t to);
  // The variables mentioned by the tokens [first, last), as seen from the present block.
  std::vector<uint32_t> mentioned(size_t first, size_t last);

  const std::vector<Statement>& statements() const { return statements_; }
  size_t variables() const { return variables_; }

 private:
  struct Hidden {  // what a declaration in a block hid
    std::string_view name;
    uint32_t variable;
  };

  void step();
  void end_statement(size_t last);
  bool is_initializer(size_t brace) const;
  void collect_declared(size_t first, size_t last, std::vector<uint32_t>& names) const;
  void collect_assigned(size_t first, size_t last, std::vector<uint32_t>& names) const;
  bool is_declarator(size_t first, size_t i, size_t last) const;
  bool is_mention(size_t i) const;
  void add_mentioned(size_t first, size_t last, std::vector<uint32_t>& variables);
  uint32_t resolve(std::string_view name);
  uint32_t declare(std::string_view name);

  const Code& code_;
  size_t at_;
  size_t last_;
  size_t statement_ = 0;   // first token of the statement being read
  size_t header_end_ = 0;  // `)` of the control header being read
  bool launches_ = false;  // the statement holds a launch
  std::vector<Statement> statements_;
  std::unordered_map<std::string_view, uint32_t> visible_;
  std::vector<Hidden> hidden_;
  std::vector<size_t> blocks_;  // size of hidden_ at the start of each open block
  uint32_t variables_ = 0;
};

}  // namespace cuset::cuda_source
