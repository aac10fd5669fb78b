#include "curate/text/normalized_code.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "cuda_source/lexer.h"

namespace cuset::curate {
namespace {

using cuda_source::Keyword;
using cuda_source::Token;
using cuda_source::TokenKind;

constexpr size_t kLongestTemplateArguments = 40;  // tokens between < and >
constexpr size_t kLongestDeclaration = 400;       // tokens that further declarators are looked for in

// Names of the language and its libraries that can stand where a declared name stands.
bool is_known_name(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = {
      "main",     "std",          "NULL",       "nullptr",        "true",     "false", "this",
      "argc",     "argv",         "stdin",      "stdout",         "stderr",   "M_PI",  "FLT_MAX",
      "FLT_MIN",  "INT_MAX",      "INT_MIN",    "DBL_MAX",        "INFINITY", "NAN",   "DBL_MIN",
      "restrict", "__restrict__", "__restrict", "__forceinline__"};
  return kNames.contains(name);
}

// threadIdx.x, and the members of float4.
bool is_vector_member(std::string_view name) {
  return name == "x" || name == "y" || name == "z" || name == "w";
}

// Marks the names that a program declares.
class Declarations {
 public:
  Declarations(std::string_view source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_declared_at(i)) continue;
      names_.insert(text(i));
      add_further_declarators(i);
    }
  }

  bool has(std::string_view name) const { return names_.contains(name); }

 private:
  std::string_view text(size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_plain_name(size_t i) const {
    return i < tokens_.size() && tokens_[i].is_identifier() && tokens_[i].word == Keyword::kNone &&
           !is_known_name(text(i));
  }
  bool is_any(size_t i, std::string_view characters) const {
    return i < tokens_.size() &&
           std::any_of(characters.begin(), characters.end(), [&](char c) { return tokens_[i].is(c); });
  }
  bool ends_declarator(size_t i) const { return i >= tokens_.size() || is_any(i, ";,=)[({:>"); }

  // Whether token i can be the last of a type's name.
  bool ends_type(size_t i) const {
    const Token& token = tokens_[i];
    if (token.is('>')) return closes_template(i);
    if (!token.is_identifier()) return false;
    return token.word == Keyword::kNone || token.is(Keyword::kType) || token.is(Keyword::kAuto) ||
           token.is(Keyword::kClass) || token.is(Keyword::kSpecifier) || token.is(Keyword::kTemplate);
  }

  // `name<a, b>`: only what names a type stands between the brackets.
  bool closes_template(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0 && close - i < kLongestTemplateArguments;) {
      if (tokens_[i].is('>')) ++depth;
      if (tokens_[i].is('<') && --depth == 0) return i > 0 && tokens_[i - 1].is_identifier();
      const bool is_argument = tokens_[i].is_identifier() || tokens_[i].kind == TokenKind::kNumber ||
                               is_any(i, "<>,*&") || tokens_[i].is(cuda_source::kScope);
      if (!is_argument) return false;
    }
    return false;
  }

  bool is_declared_at(size_t i) const {
    if (i == 0 || !is_plain_name(i)) return false;
    if (tokens_[i].has(cuda_source::kInDirective) && i >= 2 && tokens_[i - 2].kind == TokenKind::kHash)
      return text(i - 1) == "define";
    size_t before = i - 1;
    // After * and & an expression looks alike; but its right side is then a variable, or a call.
    if (is_any(before, "*&")) return is_declared_pointer(i, before);
    return ends_type(before) && ends_declarator(i + 1) && !is_member(before);
  }

  bool is_declared_pointer(size_t i, size_t before) const {
    while (before > 0 && is_any(before, "*&")) --before;
    return ends_type(before) && is_any(i + 1, ";,=)[");
  }

  // The token after a point or an arrow declares nothing.
  bool is_member(size_t i) const {
    return i > 0 && (tokens_[i - 1].is('.') || tokens_[i - 1].is(cuda_source::kArrow));
  }

  // `b` and `c` of `int a = f(1), *b, c[4];`
  void add_further_declarators(size_t first) {
    int depth = 0;
    const size_t end = std::min(tokens_.size(), first + kLongestDeclaration);
    for (size_t i = first + 1; i < end; ++i) {
      if (is_any(i, "([{")) ++depth;
      if (is_any(i, ")]}") && --depth < 0) return;
      if (depth > 0) continue;
      if (tokens_[i].is(';')) return;
      if (!tokens_[i].is(',')) continue;
      size_t name = i + 1;
      while (is_any(name, "*&")) ++name;
      if (is_plain_name(name) && is_any(name + 1, ";,=[({")) names_.insert(text(name));
    }
  }

  std::string_view source_;
  const std::vector<Token>& tokens_;
  std::unordered_set<std::string_view> names_;
};

std::vector<Token> tokens_without_comments(std::string_view source) {
  std::vector<Token> tokens = cuda_source::lex(source);
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::kComment; });
  return tokens;
}

uint64_t hash_of_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

uint64_t hash_of_spelling(std::string_view source, const Token& token) {
  if (token.has(cuda_source::kSpliced)) return hash_of_text(cuda_source::spelling(source, token));
  return hash_of_text(source.substr(token.begin, token.end - token.begin));
}

// What a declared name stands for: never the hash of a spelling, but for chance.
uint64_t hash_of_name(uint64_t number) { return XXH3_64bits_withSeed(&number, sizeof number, 1); }

// One run with its names by their order within it.
class Run {
 public:
  explicit Run(size_t length) : words_(length), names_(length) {}

  uint64_t hash(const CodeToken* tokens, size_t length) {
    size_t seen = 0;
    for (size_t i = 0; i < length; ++i) {
      words_[i] = tokens[i].hash;
      if (tokens[i].name == 0) continue;
      const auto end = names_.begin() + static_cast<std::ptrdiff_t>(seen);
      const auto found = std::find(names_.begin(), end, tokens[i].name);
      if (found == end) names_[seen++] = tokens[i].name;
      words_[i] = static_cast<uint64_t>(found - names_.begin()) + 1;
    }
    return XXH3_64bits(words_.data(), length * sizeof(uint64_t));
  }

 private:
  std::vector<uint64_t> words_;
  std::vector<uint32_t> names_;
};

}  // namespace

std::vector<CodeToken> normalized_tokens(std::string_view source) {
  const std::vector<Token> tokens = tokens_without_comments(source);
  const Declarations declarations(source, tokens);
  std::unordered_map<std::string_view, uint32_t> numbers;
  std::vector<CodeToken> result;
  result.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_member = i > 0 && (tokens[i - 1].is('.') || tokens[i - 1].is(cuda_source::kArrow));
    const std::string_view text = source.substr(token.begin, token.end - token.begin);
    CodeToken made{0, 0, token.begin, token.end};
    if (token.is_identifier() && declarations.has(text) && !(is_member && is_vector_member(text)))
      made.name = numbers.emplace(text, static_cast<uint32_t>(numbers.size() + 1)).first->second;
    else
      made.hash = hash_of_spelling(source, token);
    result.push_back(made);
  }
  return result;
}

CodeHash hash_of(const std::vector<CodeToken>& tokens) {
  std::vector<uint64_t> words;
  words.reserve(tokens.size());
  for (const CodeToken& token : tokens)
    words.push_back(token.name == 0 ? token.hash : hash_of_name(token.name));
  const XXH128_hash_t hash = XXH3_128bits(words.data(), words.size() * sizeof(uint64_t));
  return {hash.low64, hash.high64};
}

std::vector<uint64_t> runs_of_code(const std::vector<CodeToken>& tokens, size_t length) {
  std::vector<uint64_t> runs;
  if (tokens.empty()) return runs;
  length = std::min(length, tokens.size());
  Run run(length);
  runs.reserve(tokens.size() - length + 1);
  for (size_t i = 0; i + length <= tokens.size(); ++i) runs.push_back(run.hash(&tokens[i], length));
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

std::string normalized_text(std::string_view source) {
  std::string text;
  for (const CodeToken& token : normalized_tokens(source)) {
    if (!text.empty()) text += ' ';
    text += token.name == 0 ? std::string(source.substr(token.begin, token.end - token.begin))
                            : fmt::format("${}", token.name);
  }
  return text;
}

}  // namespace cuset::curate
