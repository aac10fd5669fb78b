// The syntax tree of a template. Expressions and statements are each one plain struct with a kind; which
// members a kind uses is said beside it. Names are bound to slots by scope.h before anything runs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/lexer.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {

// Where a variable lives: `hops` functions up, in slot `index`.
struct Slot {
  uint32_t hops = 0;
  uint32_t index = 0;
};

enum class ExprKind {
  constant,       // constant
  name,           // name, slot
  namespace_ref,  // name, slot, attribute; only as the target of set
  tuple,          // children
  list,           // children
  dict,           // children: key, value, key, value ...
  conditional,    // children: test, then, else (may be null)
  logical_or,     // children: left, right
  logical_and,    // children: left, right
  logical_not,    // children: operand
  compare,        // children: operands; operators between them
  binary,         // children: left, right; operators[0]
  negate,         // children: operand
  plus,           // children: operand
  concat,         // children
  attribute,      // children: object; attribute
  subscript,      // children: object, index
  slice,          // children: object, start, stop, step (the last three may be null)
  call,           // children: callee, arguments; keywords
  filter,         // name; children: input (null in a set block), arguments; keywords
  test,           // name; children: input, arguments; keywords
};

struct Expr {
  ExprKind kind = ExprKind::constant;
  Place place;
  int depth = 1;
  std::vector<std::unique_ptr<Expr>> children;
  std::string name;
  std::string attribute;
  std::vector<std::string> operators;
  std::vector<std::pair<std::string, std::unique_ptr<Expr>>> keywords;
  Value constant;
  Slot slot;
};

using ExprPtr = std::unique_ptr<Expr>;

// What happens to a variable when its scope is entered.
struct Load {
  enum class From { context, outer, nothing } from = From::nothing;
  Slot target;
  Slot outer;
  std::string name;
};

// A scope: its variables, and the number of slots of its function if it is one.
struct Scope {
  std::vector<Load> loads;
  uint32_t slots = 0;
};

struct Stmt;
using Body = std::vector<std::unique_ptr<Stmt>>;

enum class StmtKind {
  text,        // constant
  output,      // expr
  if_,         // branches
  for_,        // target, expr (what is iterated), test (may be null), body, else_body, loop_slot
  set,         // target, expr
  set_block,   // target, expr (a filter, may be null), body
  macro,       // target (its name), function
  call_block,  // expr (the call), function
  generation,  // function
  break_,
  continue_,
};

struct Branch {
  ExprPtr test;  // null: else
  Body body;
};

// The body of a macro or of a call block.
struct Function {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<Slot> parameter_slots;
  // Defaults of the last parameters.
  std::vector<ExprPtr> defaults;
  Body body;
  Scope scope;
  // Special variables that the body mentions.
  bool uses_caller = false, uses_kwargs = false, uses_varargs = false;
  Slot caller_slot, kwargs_slot, varargs_slot;
};

struct Stmt {
  StmtKind kind = StmtKind::text;
  Place place;
  Value constant;
  ExprPtr expr;
  ExprPtr target;
  ExprPtr test;
  // The target once more, bound for the scope of the test.
  ExprPtr test_target;
  std::vector<Branch> branches;
  Body body;
  Body else_body;
  std::unique_ptr<Function> function;
  Scope scope;
  Scope test_scope;
  Scope else_scope;
  Slot loop_slot;
};

struct Program {
  Body body;
  Scope scope;
};

}  // namespace cuset::text::jinja
