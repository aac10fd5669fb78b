// From the text of a formula to its steps, by recursive descent; and the functions and operators that formulas
// have, in float64.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/nearest_name.h"
#include "tasks/oracles/native_expression.h"

namespace cuset::tasks {
namespace {

constexpr size_t kMostDepth = 100;
constexpr size_t kMostSteps = 10000;

struct UnaryFunction {
  std::string_view name;
  double (*function)(double);
};

struct BinaryFunction {
  std::string_view name;
  double (*function)(double, double);
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

const std::array kUnary = {
    UnaryFunction{"abs", [](double x) { return std::abs(x); }},
    UnaryFunction{"exp", [](double x) { return std::exp(x); }},
    UnaryFunction{"expm1", [](double x) { return std::expm1(x); }},
    UnaryFunction{"log", [](double x) { return std::log(x); }},
    UnaryFunction{"log1p", [](double x) { return std::log1p(x); }},
    UnaryFunction{"sqrt", [](double x) { return std::sqrt(x); }},
    UnaryFunction{"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    UnaryFunction{"sin", [](double x) { return std::sin(x); }},
    UnaryFunction{"cos", [](double x) { return std::cos(x); }},
    UnaryFunction{"tanh", [](double x) { return std::tanh(x); }},
    UnaryFunction{"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    UnaryFunction{"erf", [](double x) { return std::erf(x); }},
    UnaryFunction{"floor", [](double x) { return std::floor(x); }},
    UnaryFunction{"ceil", [](double x) { return std::ceil(x); }},
    UnaryFunction{"round", [](double x) { return std::nearbyint(x); }},
    UnaryFunction{"trunc", [](double x) { return std::trunc(x); }},
    UnaryFunction{"sign", sign},
};

// The bits of a whole number of 32 bits; 0 for any other number.
uint32_t bits_of(double x) { return x >= 0 && x < 0x1p32 ? static_cast<uint32_t>(x) : 0; }

// Of an undefined number and another, min and max are undefined, as in numpy.
const std::array kBinary = {
    BinaryFunction{"min", [](double x, double y) { return x < y || std::isnan(x) ? x : y; }},
    BinaryFunction{"max", [](double x, double y) { return x > y || std::isnan(x) ? x : y; }},
    BinaryFunction{"pow", [](double x, double y) { return std::pow(x, y); }},
    BinaryFunction{"mod", [](double x, double y) { return x - y * std::floor(x / y); }},
    BinaryFunction{"bit_and",
                   [](double x, double y) { return static_cast<double>(bits_of(x) & bits_of(y)); }},
    BinaryFunction{"bit_or", [](double x, double y) { return static_cast<double>(bits_of(x) | bits_of(y)); }},
    BinaryFunction{"bit_xor",
                   [](double x, double y) { return static_cast<double>(bits_of(x) ^ bits_of(y)); }},
};

// The operators of one precedence; one that begins another comes after it.
const std::array kComparisons = {
    BinaryFunction{"<=", [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
    BinaryFunction{">=", [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
    BinaryFunction{"==", [](double x, double y) { return x == y ? 1.0 : 0.0; }},
    BinaryFunction{"!=", [](double x, double y) { return x != y ? 1.0 : 0.0; }},
    BinaryFunction{"<", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
    BinaryFunction{">", [](double x, double y) { return x > y ? 1.0 : 0.0; }},
};
const std::array kSums = {
    BinaryFunction{"+", [](double x, double y) { return x + y; }},
    BinaryFunction{"-", [](double x, double y) { return x - y; }},
};
const std::array kProducts = {
    BinaryFunction{"*", [](double x, double y) { return x * y; }},
    BinaryFunction{"/", [](double x, double y) { return x / y; }},
};

template <typename Table>
auto find_in(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

// Null where there is none of that name.
const UnaryFunction* unary_function(std::string_view name) { return find_in(kUnary, name); }
const BinaryFunction* binary_function(std::string_view name) { return find_in(kBinary, name); }

double negative(double x) { return -x; }

// The names that may be called.
std::vector<std::string> expression_functions() {
  std::vector<std::string> names;
  for (const UnaryFunction& one : kUnary) names.emplace_back(one.name);
  for (const BinaryFunction& one : kBinary) names.emplace_back(one.name);
  names.emplace_back("where");
  return names;
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Expression& expression) : text_(text), out_(expression) {}

  void parse() {
    comparison();
    if (next() != '\0') refuse("an operator was expected");
  }

 private:
  using Step = Expression::Step;

  void comparison() {
    const Nesting nesting(*this);
    sum();
    if (const BinaryFunction* found = take(kComparisons)) {
      sum();
      push({.kind = Step::Kind::kBinary, .binary = found->function});
    }
  }

  void sum() {
    product();
    while (const BinaryFunction* found = take(kSums)) {
      product();
      push({.kind = Step::Kind::kBinary, .binary = found->function});
    }
  }

  void product() {
    factor();
    while (const BinaryFunction* found = take(kProducts)) {
      factor();
      push({.kind = Step::Kind::kBinary, .binary = found->function});
    }
  }

  void factor() {
    const Nesting nesting(*this);
    const char c = next();
    if (c == '-') {
      ++place_;
      factor();
      push({.kind = Step::Kind::kUnary, .unary = negative});
    } else if (c == '(') {
      ++place_;
      comparison();
      expect(')');
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      number();
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      name();
    } else {
      refuse("a number, a name or '(' was expected");
    }
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + place_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse("this is not a number");
    place_ += static_cast<size_t>(end - begin);
    push({.kind = Step::Kind::kNumber, .number = value});
  }

  void name() {
    const size_t begin = place_;
    while (place_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[place_])) != 0 || text_[place_] == '_')) {
      ++place_;
    }
    const std::string word(text_.substr(begin, place_ - begin));
    if (next() == '(') return call(word, begin);
    const auto found = std::find(out_.names_.begin(), out_.names_.end(), word);
    if (found == out_.names_.end()) {
      place_ = begin;
      refuse(fmt::format("there is no input {}{}", base::in_quotes(word),
                         base::did_you_mean(word, out_.names_)));
    }
    const auto index = static_cast<size_t>(found - out_.names_.begin());
    if (next() == '[') return read(index);
    out_.used_[index] = true;
    push({.kind = Step::Kind::kVariable, .variable = index});
  }

  void read(size_t index) {
    size_t axes = 0;
    do {
      ++place_;
      comparison();
      ++axes;
    } while (next() == ',');
    expect(']');
    out_.read_[index] = true;
    push({.kind = Step::Kind::kRead, .variable = index, .axes = axes});
  }

  void call(const std::string& word, size_t begin) {
    const UnaryFunction* unary = unary_function(word);
    const BinaryFunction* binary = binary_function(word);
    if (unary == nullptr && binary == nullptr && word != "where") {
      place_ = begin;
      refuse(fmt::format("there is no function {}{}", base::in_quotes(word),
                         base::did_you_mean(word, expression_functions())));
    }
    const size_t wanted = unary != nullptr ? 1 : binary != nullptr ? 2 : 3;
    expect('(');
    for (size_t i = 0; i < wanted; ++i) {
      if (i > 0) expect(',');
      comparison();
    }
    if (next() == ',') refuse(fmt::format("{} takes {} values", word, wanted));
    expect(')');
    if (unary != nullptr) {
      push({.kind = Step::Kind::kUnary, .unary = unary->function});
    } else if (binary != nullptr) {
      push({.kind = Step::Kind::kBinary, .binary = binary->function});
    } else {
      push({.kind = Step::Kind::kWhere});
    }
  }

  // Counts the recursion, which a hostile text would drive until the stack ends.
  struct Nesting {
    explicit Nesting(ExpressionParser& parser_in) : parser(parser_in) {
      if (++parser.depth_ > kMostDepth) parser.refuse("too many levels");
    }
    ~Nesting() { --parser.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ExpressionParser& parser;
  };

  void push(const Step& step) {
    if (out_.steps_.size() == kMostSteps) refuse("the formula is too long");
    out_.steps_.push_back(step);
    switch (step.kind) {
      case Step::Kind::kNumber:
      case Step::Kind::kVariable:
        ++stacked_;
        break;
      case Step::Kind::kRead:
        stacked_ -= step.axes - 1;
        break;
      case Step::Kind::kUnary:
        break;
      case Step::Kind::kBinary:
        --stacked_;
        break;
      case Step::Kind::kWhere:
        stacked_ -= 2;
        break;
    }
    out_.depth_ = std::max(out_.depth_, stacked_);
  }

  // The next character that is not a space, without taking it; 0 at the end.
  char next() {
    while (place_ < text_.size() &&
           (text_[place_] == ' ' || text_[place_] == '\t' || text_[place_] == '\n')) {
      ++place_;
    }
    return place_ < text_.size() ? text_[place_] : '\0';
  }

  // The operator that comes next, if it is one of `wanted`.
  const BinaryFunction* take(std::span<const BinaryFunction> wanted) {
    next();
    for (const BinaryFunction& one : wanted) {
      if (text_.substr(place_).starts_with(one.name)) {
        place_ += one.name.size();
        return &one;
      }
    }
    return nullptr;
  }

  void expect(char wanted) {
    if (next() != wanted) refuse(fmt::format("'{}' was expected", wanted));
    ++place_;
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw base::Error("column {}: {}", place_ + 1, reason).with_remedy("see docs/tasks.md on formulas");
  }

  std::string_view text_;
  Expression& out_;
  size_t place_ = 0;
  size_t depth_ = 0;
  size_t stacked_ = 0;
};

Expression::Expression(std::string_view text, std::vector<std::string> names)
    : names_(std::move(names)), used_(names_.size()), read_(names_.size()) {
  ExpressionParser(text, *this).parse();
}

}  // namespace cuset::tasks
