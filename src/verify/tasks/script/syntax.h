// The syntax tree of a script. Names are numbers given by the parser, so that scopes are plain vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cuset::script {

using Symbol = int32_t;

enum class Operator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kMatrixMultiply,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kIn,
  kNotIn,
  kIs,
  kIsNot,
  kNegate,
  kPlus,
  kInvert,
  kNot,
};

struct Expression;
struct FunctionDefinition;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : uint8_t {
    kInteger,
    kFloat,
    kImaginary,  // never understood
    kString,
    kFormatted,  // children: strings and expressions in turn; `formats` beside them
    kName,
    kNone,
    kTrue,
    kFalse,
    kEllipsis,
    kTuple,
    kList,
    kSet,
    kDict,       // children: key, value, key, value ...
    kAttribute,  // children[0] . text
    kSubscript,  // children[0] [children[1]]
    kSlice,      // children: start, stop, step; null where left out
    kCall,       // children[0] (children[1...], keywords)
    kStarred,    // *children[0]
    kUnary,      // operators[0] children[0]
    kBinary,     // children[0] operators[0] children[1]
    kCompare,    // children[0] operators[0] children[1] operators[1] children[2] ...
    kAnd,        // children[0] and children[1] and ...
    kOr,
    kConditional,    // children[1] if children[0] else children[2]
    kLambda,         // function
    kComprehension,  // children: element (or key, value), then per clause: target, iterable, conditions
  };
  struct Clause {  // of a comprehension
    ExpressionPtr target;
    ExpressionPtr iterable;
    std::vector<ExpressionPtr> conditions;
  };

  Kind kind = Kind::kNone;
  int line = 0;
  int depth = 1;
  Symbol symbol = -1;  // kName, kAttribute
  int64_t integer = 0;
  double number = 0;
  std::string text;  // kString, kName, kAttribute
  std::vector<ExpressionPtr> children;
  std::vector<std::string> formats;
  std::vector<Operator> operators;
  std::vector<std::pair<std::string, ExpressionPtr>> keywords;  // of a call; an empty name: **value
  std::vector<Clause> clauses;
  std::shared_ptr<FunctionDefinition> function;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
using Block = std::vector<StatementPtr>;

struct Statement {
  enum class Kind : uint8_t {
    kExpression,  // value
    kAssign,      // targets = value
    kAugmented,   // targets[0] operation= value
    kIf,          // value, body, otherwise
    kWhile,       // value, body, otherwise
    kFor,         // targets[0], value, body, otherwise
    kWith,        // value as targets[0] (or none), body
    kTry,         // body; handlers are left out; otherwise: else and finally
    kFunction,    // function
    kClass,       // never understood; body is only parsed
    kReturn,      // value or null
    kBreak,
    kContinue,
    kPass,
    kRaise,   // value or null
    kGlobal,  // names
    kDelete,  // names
    kImport,  // names and modules
    kAssert,  // never carried out
  };
  Kind kind = Kind::kPass;
  int line = 0;
  bool needed = false;  // set by the slice: is to be carried out
  Operator operation = Operator::kAdd;
  std::vector<ExpressionPtr> targets;
  ExpressionPtr value;
  Block body;
  Block otherwise;
  std::vector<Symbol> names;
  std::vector<std::string> modules;  // kImport: the dotted name that names[i] stands for
  std::shared_ptr<FunctionDefinition> function;
};

struct FunctionDefinition {
  Symbol name = -1;
  std::string text;
  int line = 0;
  std::vector<Symbol> parameters;
  std::vector<std::string> parameter_names;
  std::vector<ExpressionPtr> defaults;  // beside `parameters`; null where there is none
  Symbol rest = -1;                     // *args
  Symbol keywords = -1;                 // **kwargs
  Block body;
};

// A parsed script, and the names it uses.
struct Program {
  Block body;
  std::vector<std::string> symbols;
};

}  // namespace cuset::script
