#include "benchmarks/own_tests/host_functions.h"

#include <algorithm>

#include "cuda_source/lexer.h"

namespace cuset::benchmarks {
namespace {

class FunctionFinder {
 public:
  explicit FunctionFinder(std::string_view source) : source_(source), tokens_(cuda_source::lex(source)) {
    std::erase_if(tokens_, [](const cuda_source::Token& token) {
      return token.kind == cuda_source::TokenKind::kComment || token.has(cuda_source::kInDirective);
    });
  }

  Definitions find() {
    size_t declaration = 0;  // where the current one starts
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is_identifier()) found_.declared.insert(text(i));
      if (tokens_[i].is(';')) {
        declaration = i + 1;
      } else if (tokens_[i].is('}')) {
        if (!scopes_.empty()) scopes_.pop_back();
        declaration = i + 1;
      } else if (tokens_[i].is('{')) {
        if (opens_scope(declaration, i)) {
          scopes_.push_back(is_unnamed_namespace(declaration, i));
        } else {
          take_definition(declaration, i);
          i = past_braces(i) - 1;
        }
        declaration = i + 1;
      }
    }
    return std::move(found_);
  }

 private:
  std::string text(size_t i) const { return cuda_source::spelling(source_, tokens_[i]); }
  bool is_word(size_t i, std::string_view word) const {
    return tokens_[i].is_identifier() && text(i) == word;
  }

  bool has_word(size_t first, size_t last, std::string_view word) const {
    for (size_t i = first; i < last; ++i) {
      if (is_word(i, word)) return true;
    }
    return false;
  }

  bool opens_scope(size_t first, size_t brace) const {
    for (size_t i = first; i < brace; ++i) {
      if (tokens_[i].is('(')) return false;
      if (is_word(i, "namespace")) return true;
    }
    return brace == first + 2 && is_word(first, "extern") &&
           tokens_[first + 1].kind == cuda_source::TokenKind::kString;
  }

  bool is_unnamed_namespace(size_t first, size_t brace) const {
    return brace > first && is_word(brace - 1, "namespace");
  }

  // The token after the `}` of the braces at `i`; the end where there is none.
  size_t past_braces(size_t i) const {
    size_t depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].is('{')) ++depth;
      if (tokens_[i].is('}') && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  // The parameter list is the last bracket outside of others whose left neighbor is a name that is not an
  // attribute; what follows a constructor's colon does not count.
  void take_definition(size_t first, size_t brace) {
    size_t depth = 0, name_at = brace;
    for (size_t i = first; i < brace; ++i) {
      if (depth == 0 && tokens_[i].is('=')) return;  // a variable and its initializer
      if (depth == 0 && tokens_[i].is(':') && name_at != brace) break;
      if (tokens_[i].is(')') && depth > 0) --depth;
      if (!tokens_[i].is('(')) continue;
      if (depth++ == 0 && i > first && tokens_[i - 1].is_identifier() && !is_attribute(text(i - 1)))
        name_at = i - 1;
    }
    if (name_at != brace) add(first, name_at, brace, text(name_at));
  }

  static bool is_attribute(std::string_view name) {
    return name.starts_with("__") || name == "alignas" || name == "decltype" || name == "noexcept" ||
           name == "requires";
  }

  void add(size_t first, size_t name_at, size_t brace, const std::string& name) {
    DefinedFunction function;
    function.name = name;
    function.qualified = name_at > first && tokens_[name_at - 1].is(cuda_source::kScope);
    function.internal = std::find(scopes_.begin(), scopes_.end(), true) != scopes_.end();
    for (const std::string_view word : {"static", "inline", "constexpr", "template", "__forceinline__"})
      function.internal |= has_word(first, name_at, word);
    function.device = has_word(first, brace, "__device__") || has_word(first, brace, "__global__");
    found_.functions.push_back(std::move(function));
  }

  std::string_view source_;
  std::vector<cuda_source::Token> tokens_;
  std::vector<bool> scopes_;  // open namespaces: whether unnamed
  Definitions found_;
};

}  // namespace

Definitions find_definitions(std::string_view source) { return FunctionFinder(source).find(); }

}  // namespace cuset::benchmarks
