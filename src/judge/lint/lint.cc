#include "judge/lint/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "cuda_source/code.h"
#include "judge/lint/lint_directives.h"
#include "judge/lint/lint_names.h"

namespace cuset::judge {
namespace {

using Weight = LintFinding::Weight;

std::vector<cuda_source::Token> tokens_without_comments(std::string_view text) {
  std::vector<cuda_source::Token> tokens = cuda_source::lex(text);
  std::erase_if(
      tokens, [](const cuda_source::Token& token) { return token.kind == cuda_source::TokenKind::kComment; });
  return tokens;
}

bool is_string(const cuda_source::Token& token) {
  return token.kind == cuda_source::TokenKind::kString || token.kind == cuda_source::TokenKind::kRawString;
}

// The characters of an escape with digits, `\x2e` or `\056`, at `at` (after the backslash); moves past it.
char escaped_number(std::string_view text, size_t& at) {
  const bool hex = text[at] == 'x';
  const std::string_view digits = hex ? "0123456789abcdef" : "01234567";
  unsigned value = 0;
  for (size_t end = hex ? text.size() : at + 3, i = at + (hex ? 1 : 0); i < std::min(end, text.size()); ++i) {
    const size_t digit = digits.find(static_cast<char>(text[i] | (hex && text[i] >= 'A' ? 0x20 : 0)));
    if (digit == std::string_view::npos) break;
    value = value * static_cast<unsigned>(digits.size()) + static_cast<unsigned>(digit);
    at = i;
  }
  return static_cast<char>(value);
}

// What a string literal says, numbers in escapes decoded; prefix and quotes left out.
std::string content_of(const std::string& literal, bool raw) {
  const size_t open = literal.find('"');
  if (open == std::string::npos) return "";
  const std::string_view inside = std::string_view(literal).substr(open + 1);
  if (raw) return std::string(inside);
  std::string content;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      if (inside[i] != '"') content += inside[i];
      continue;
    }
    ++i;
    const bool number = inside[i] == 'x' || (inside[i] >= '0' && inside[i] <= '7');
    content += number ? escaped_number(inside, i) : inside[i] == 'n' || inside[i] == 't' ? ' ' : inside[i];
  }
  return content;
}

bool contains_word(std::string_view text, std::string_view word) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

// Rules about names, strings, assembly and attributes; needs no structure beyond neighboring tokens, so it
// sees the replacement lists of macros and inactive code as well.
class NameLint {
 public:
  NameLint(std::string_view text, const std::vector<cuda_source::Token>& tokens,
           const std::set<std::string>& own)
      : text_(text), tokens_(tokens), own_(own) {}

  std::optional<LintFault> run() {
    for (size_t i = 0; i < tokens_.size() && !fault_; ++i) {
      if (tokens_[i].is_identifier()) read_name(i);
      if (is_string(tokens_[i])) read_string(i);
    }
    return std::move(fault_);
  }

 private:
  std::string spelled(size_t i) const { return cuda_source::spelling(text_, tokens_[i]); }

  void add(Weight weight, size_t i, std::string message) {
    if (!fault_) fault_ = LintFault{weight, tokens_[i].begin, std::move(message)};
  }

  // Whether token i is a member or belongs to a namespace other than std and the global one.
  bool belongs_to_another(size_t i) const {
    if (i == 0) return false;
    if (tokens_[i - 1].is('.') || tokens_[i - 1].is(cuda_source::kArrow)) return true;
    return tokens_[i - 1].is(cuda_source::kScope) && i > 1 && tokens_[i - 2].is_identifier() &&
           !tokens_[i - 2].is(cuda_source::Keyword::kStatement) && spelled(i - 2) != "std";
  }

  void read_name(size_t i) {
    const std::string name = spelled(i);
    if (names_machinery(name)) add(Weight::kHack, i, fmt::format("`{:.60}` belongs to the judgement", name));
    if (name == "asm" || name == "__asm__" || name == "__asm") read_assembly(i);
    if (name == "__attribute__" || name == "__attribute") read_attribute(i + 1);
    if (name == "gnu" && i + 2 < tokens_.size() && tokens_[i + 1].is(cuda_source::kScope))
      read_attribute_word(i + 2);
    const ForbiddenName forbidden = find_forbidden(name);
    if (forbidden.reason.empty() || belongs_to_another(i) || own_.contains(name)) return;
    const bool called = i + 1 < tokens_.size() && tokens_[i + 1].is('(');
    if (called || !forbidden.only_called)
      add(Weight::kRejected, i, fmt::format("`{}` {}", name, forbidden.reason));
  }

  // Neighboring strings are one.
  void read_string(size_t i) {
    if (i > 0 && is_string(tokens_[i - 1])) return;
    std::string content;
    for (size_t j = i; j < tokens_.size() && is_string(tokens_[j]); ++j)
      content += content_of(spelled(j), tokens_[j].kind == cuda_source::TokenKind::kRawString);
    const std::string_view text = machinery_in_text(content);
    if (!text.empty()) add(Weight::kHack, i, fmt::format("{} names what belongs to the judgement", text));
  }

  // The index after the group opened at `open`, or the end.
  size_t group_end(size_t open) const {
    size_t depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].is('(')) ++depth;
      if (tokens_[i].is(')') && --depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  void read_assembly(size_t i) {
    size_t open = i + 1;
    while (open < std::min(tokens_.size(), i + 4) && tokens_[open].is_identifier()) ++open;
    if (i < group_end_ || open >= tokens_.size() || !tokens_[open].is('(')) return;
    group_end_ = group_end(open);
    std::string assembly;
    for (size_t j = open; j < group_end_; ++j)
      if (is_string(tokens_[j])) {
        if (!is_string(tokens_[j - 1]) && !assembly.empty()) assembly += ' ';
        assembly += content_of(spelled(j), tokens_[j].kind == cuda_source::TokenKind::kRawString);
      }
    for (const std::string_view word : {".incbin", ".include"})
      if (contains_word(assembly, word))
        add(Weight::kRejected, i, fmt::format("`{}` reads a file of the host while compiling", word));
    for (const std::string_view word : {"syscall", "sysenter"})
      if (contains_word(assembly, word))
        add(Weight::kRejected, i, fmt::format("`{}` asks the operating system past its library", word));
    if (assembly.find("$0x80") != std::string::npos)
      add(Weight::kRejected, i, "`int $0x80` asks the operating system past its library");
    for (const std::string_view word : {".init_array", ".preinit_array", ".ctors", ".fini_array"})
      if (assembly.find(word) != std::string::npos)
        add(Weight::kHack, i, fmt::format("`{}` runs code before or after `main`", word));
    if (is_runtime_function(assembly) || is_library_word(assembly))
      add(Weight::kHack, i, fmt::format("a function takes the place of `{}`", assembly));
  }

  void read_attribute(size_t open) {
    if (open < group_end_ || open >= tokens_.size() || !tokens_[open].is('(')) return;
    group_end_ = group_end(open);
    for (size_t i = open; i < group_end_; ++i)
      if (tokens_[i].is_identifier()) read_attribute_word(i);
  }

  void read_attribute_word(size_t i) {
    std::string name = spelled(i);
    if (name.starts_with("__") && name.ends_with("__") && name.size() > 4)
      name = name.substr(2, name.size() - 4);
    if (name == "constructor" || name == "destructor")
      add(Weight::kHack, i, fmt::format("`{}` runs code before or after `main`", name));
    if (name == "ifunc" || name == "alias" || name == "weakref")
      add(Weight::kHack, i, fmt::format("`{}` puts one function in another's place", name));
    if (name != "section" || i + 2 >= tokens_.size()) return;
    const std::string section = content_of(spelled(i + 2), false);
    for (const std::string_view prefix : {".init", ".fini", ".preinit", ".ctors", ".dtors"})
      if (section.starts_with(prefix)) add(Weight::kHack, i, "a section runs code before or after `main`");
  }

  std::string_view text_;
  const std::vector<cuda_source::Token>& tokens_;
  const std::set<std::string>& own_;
  size_t group_end_ = 0;  // of the last assembly or attribute: what stands inside was read with it
  std::optional<LintFault> fault_;
};

// ---- definitions of functions ----

constexpr int kDeepest = 64;  // braces around a definition that are looked at: the time stays linear

struct Definition {
  size_t token = 0;  // its name
  bool global = false;
  bool c_linkage = false;
};

// `extern "C"` before the brace or the declaration that begins at token i.
bool after_c_linkage(const cuda_source::Code& code, size_t i) {
  return i >= 2 && code[i - 1].kind == cuda_source::TokenKind::kString &&
         code[i - 2].is(cuda_source::Keyword::kExtern) && code.raw(i - 1) == "\"C\"";
}

// Whether name, parameters and body stand at token i, with something like a type before.
bool is_definition(const cuda_source::Code& code, size_t i) {
  if (i == 0 || i + 1 >= code.size() || !code[i].is_identifier() || !code[i + 1].is('(')) return false;
  const cuda_source::Token& before = code[i - 1];
  const bool type =
      before.is_identifier()
          ? !before.is(cuda_source::Keyword::kStatement) && !before.is(cuda_source::Keyword::kElse) &&
                !before.is(cuda_source::Keyword::kDo)
          : before.is('*') || before.is('&') || before.is('>') || before.is(cuda_source::kScope);
  if (!type || !code.is_closed(i + 1)) return false;
  size_t after = code.match(i + 1) + 1;
  while (after < code.size() && (code[after].is(cuda_source::Keyword::kSpecifier) ||
                                 code[after].is(cuda_source::Keyword::kNoexcept)))
    ++after;
  return after < code.size() && code[after].is('{');
}

Definition describe_definition(const cuda_source::Code& code, size_t i) {
  Definition definition{i, true, false};
  int depth = 0;
  for (uint32_t brace = code.brace_around(i);
       brace != cuda_source::Code::kNone && definition.global && depth < kDeepest;
       brace = code.brace_around(brace), ++depth) {
    const bool linkage = after_c_linkage(code, brace);
    definition.c_linkage |= linkage;
    definition.global &= linkage;
  }
  for (size_t first = i; first > 0 && i - first < 16; --first) {
    const cuda_source::Token& before = code[first - 1];
    if (before.is(';') || before.is('{') || before.is('}')) break;
    definition.c_linkage |= after_c_linkage(code, first);
  }
  return definition;
}

// Names of functions that the source defines in C++: calls of them are not calls of the library.
// `fault`: the first definition that takes the place of one of the library's.
std::set<std::string> read_definitions(const cuda_source::Code& code, std::optional<LintFault>& fault) {
  std::set<std::string> own;
  for (size_t i = 0; i < code.size(); ++i) {
    if (!is_definition(code, i)) continue;
    const std::string name = code.spelled(i);
    const bool forbidden = !find_forbidden(name).reason.empty();
    if (!forbidden && !is_runtime_function(name) && !is_library_word(name)) continue;
    const Definition definition = describe_definition(code, i);
    if (!definition.global || !(definition.c_linkage || is_runtime_function(name))) {
      own.insert(name);
    } else if (!fault) {
      fault = LintFault{Weight::kHack, code[i].begin,
                        fmt::format("it defines `{}` in the library's place", name)};
    }
  }
  return own;
}

}  // namespace

std::optional<LintFinding> lint(const std::string& source) {
  const std::vector<cuda_source::Token> tokens = tokens_without_comments(source);
  const cuda_source::Source read = cuda_source::read_source(source);
  std::optional<LintFault> first;
  const std::set<std::string> own = read_definitions(read.code, first);
  for (const auto& fault : {lint_directives(source, tokens), NameLint(source, tokens, own).run()})
    if (fault && (!first || fault->offset < first->offset)) first = fault;
  if (!first) return std::nullopt;
  const auto lines = std::count(source.begin(), source.begin() + static_cast<ptrdiff_t>(first->offset), '\n');
  return LintFinding{first->weight, static_cast<uint32_t>(lines + 1), std::move(first->text)};
}

}  // namespace cuset::judge
