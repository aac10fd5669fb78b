#include "gym/solutions/formula.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/error.h"

namespace cuset::gym {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name, a number, a call or something in parentheses: what an operator or a sign may stand beside.
bool is_atom(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool inside = depth > 0 || c == ')' || c == ']';
    if (!inside && !is_word(c) && c != '.' && c != '@' && c != '$') return false;
  }
  return true;
}

std::string in_parentheses(const std::string& text) { return is_atom(text) ? text : "(" + text + ")"; }

// Rewrites a formula piece by piece; what differs between code and prose is left to the two below.
class Rewriter {
 public:
  virtual ~Rewriter() = default;

  std::string rewrite(std::string_view text) const {
    std::string result;
    for (size_t i = 0; i < text.size();) {
      const char before = i == 0 ? ' ' : text[i - 1];
      const size_t end = end_of_piece(text, i);
      const std::string_view piece = text.substr(i, end - i);
      if (text[i] == '$')
        result += element(piece.substr(1));
      else if (text[i] == '{')
        result += fmt::format("${}", piece.substr(1, piece.size() - 2));
      else if (is_digit(text[i]) && !is_word(before))
        result += number(piece);
      else if (piece.back() == ')' && piece.size() > 1)
        result += rewritten_call(piece);
      else
        result += piece;
      i = end;
    }
    return result;
  }

 protected:
  virtual std::string element(std::string_view key) const = 0;
  virtual std::string number(std::string_view decimal) const = 0;
  virtual std::string call(const std::string& function, const std::string& arguments) const = 0;

 private:
  static size_t end_of_word(std::string_view text, size_t i) {
    while (i < text.size() && (is_word(text[i]) || text[i] == '.')) ++i;
    return i;
  }

  // One character, or a whole `$x`, `{alpha}`, number or call.
  static size_t end_of_piece(std::string_view text, size_t i) {
    if (text[i] == '$') return end_of_word(text, i + 1);
    if (text[i] == '{') return text.find('}', i) + 1;
    if (!is_word(text[i])) return i + 1;
    const size_t end = end_of_word(text, i);
    if (end == text.size() || text[end] != '(') return end;
    int depth = 0;
    for (size_t k = end; k < text.size(); ++k) {
      if (text[k] == '(') ++depth;
      if (text[k] == ')' && --depth == 0) return k + 1;
    }
    CUSET_CHECK(false, "a formula with an open parenthesis: {}", text);
    return end;
  }

  std::string rewritten_call(std::string_view piece) const {
    const size_t open = piece.find('(');
    const std::string function(piece.substr(0, open));
    std::vector<std::string> arguments(1);
    int depth = 0;
    for (const char c : piece.substr(open + 1, piece.size() - open - 2)) {
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == ',' && depth == 0)
        arguments.emplace_back();
      else if (c != ' ' || !arguments.back().empty())
        arguments.back() += c;
    }
    for (std::string& argument : arguments) argument = rewrite(argument);
    if (const std::string text = with_operators(function, arguments); !text.empty()) return text;
    return call(function, fmt::format("{}", fmt::join(arguments, ", ")));
  }

  // Functions of the oracles that C++ writes with operators; empty for others.
  std::string with_operators(const std::string& function, const std::vector<std::string>& arguments) const {
    static const std::map<std::string, std::string> operators = {
        {"mod", "%"}, {"bit_and", "&"}, {"bit_or", "|"}, {"bit_xor", "^"}};
    if (function == "where") return fmt::format("({} ? {} : {})", arguments[0], arguments[1], arguments[2]);
    if (function == "sigmoid") {
      return fmt::format("({0} / ({0} + {1}))", number("1"), call("exp", "-" + in_parentheses(arguments[0])));
    }
    const auto found = operators.find(function);
    if (found == operators.end()) return "";
    return fmt::format("({} {} {})", in_parentheses(arguments[0]), found->second,
                       in_parentheses(arguments[1]));
  }
};

class CodeRewriter : public Rewriter {
 public:
  explicit CodeRewriter(const CudaNumber& number) : number_(number) {}

 private:
  std::string element(std::string_view key) const override { return fmt::format("@{}", key); }
  std::string number(std::string_view decimal) const override { return number_.literal(decimal); }
  std::string call(const std::string& function, const std::string& arguments) const override {
    static const std::map<std::string, std::string> names = {
        {"abs", "fabs"}, {"max", "fmax"}, {"min", "fmin"}, {"round", "rint"}};
    if (number_.is_whole() && function == "abs") return fmt::format("abs({})", arguments);
    const auto found = names.find(function);
    return number_.call(found == names.end() ? function : found->second, arguments);
  }

  const CudaNumber& number_;
};

class ProseRewriter : public Rewriter {
 public:
  explicit ProseRewriter(std::string_view place) : place_(place) {}

 private:
  std::string element(std::string_view key) const override { return fmt::format("${}{}", key, place_); }
  std::string number(std::string_view decimal) const override { return std::string(decimal); }
  std::string call(const std::string& function, const std::string& arguments) const override {
    return fmt::format("{}({})", function, arguments);
  }

  std::string_view place_;
};

// Without parentheses around the whole.
std::string bare(std::string text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

}  // namespace

std::string with_arrays(std::string_view formula, const std::map<std::string, std::string>& texts) {
  std::string result;
  for (size_t i = 0; i < formula.size();) {
    size_t end = i + 1;
    while (formula[i] == '$' && end < formula.size() && is_word(formula[end])) ++end;
    const std::string_view piece = formula.substr(i, end - i);
    const auto found = texts.find(std::string(piece.substr(1)));
    result += piece.size() > 1 && found != texts.end() ? std::string_view(found->second) : piece;
    i = end;
  }
  return result;
}

std::string formula_code(std::string_view formula, const CudaNumber& number) {
  return bare(CodeRewriter(number).rewrite(formula));
}

std::string formula_prose(std::string_view formula, std::string_view place) {
  return bare(ProseRewriter(place).rewrite(formula));
}

}  // namespace cuset::gym
