#include "layers/declarations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/files/file.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

// A folder of that name (or path) in any module, and the namespace of its files; empty for any.
struct OwnProgram {
  std::string_view folder;
  std::string_view name_space;
};

constexpr std::array kOwnPrograms = {
    OwnProgram{"emulator/include", ""},                // CUDA's own API, which is global
    OwnProgram{"emulator/pass", "cuset_pass"},         // a plugin of clang
    OwnProgram{"emulator/runtime", "cuset_emulator"},  // linked into CUDA programs
    OwnProgram{"emulator/torch", ""},                  // a device of PyTorch, in PyTorch's namespaces
    OwnProgram{"injection", "cuset_injection"},        // loaded into CUDA programs
};

// Libraries some of whose types we declare instead of including their headers.
constexpr std::array<std::string_view, 2> kDeclaredLibraries = {"CLI", "gloo"};

struct Token {
  std::string text;  // a word, a character, "::", or "#if", "#else", "#endif"
  int line = 0;

  bool is_word() const { return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_'; }
};

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Source to tokens, without comments, literals and all preprocessor lines but branches.
class Tokens {
 public:
  explicit Tokens(std::string_view source) : source_(source) {
    while (at_ < source_.size()) read();
  }
  std::vector<Token> take() { return std::move(tokens_); }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void skip(size_t count) {
    const size_t end = std::min(at_ + count, source_.size());
    for (; at_ < end; ++at_) {
      if (source_[at_] != '\n') continue;
      ++line_;
      at_line_start_ = true;
    }
  }

  void skip_past(std::string_view mark) {
    const size_t found = source_.find(mark, at_);
    skip(found == std::string_view::npos ? source_.size() : found + mark.size() - at_);
  }

  void read() {
    const char c = peek();
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return skip(1);
    if (c == '#' && at_line_start_) return read_directive();
    at_line_start_ = false;
    if (c == '/' && peek(1) == '/') return skip_line();
    if (c == '/' && peek(1) == '*') return skip_past("*/");
    if (c == '"' || c == '\'') return skip_literal(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return skip_number();
    if (is_word_character(c)) return read_word();
    const size_t length = c == ':' && peek(1) == ':' ? 2 : 1;
    tokens_.push_back({std::string(source_.substr(at_, length)), line_});
    skip(length);
  }

  // To the end of the line, which a backslash continues.
  void skip_line() {
    while (at_ < source_.size() && peek() != '\n') skip(peek() == '\\' ? 2 : 1);
  }

  void read_directive() {
    skip(1);
    while (peek() == ' ' || peek() == '\t') skip(1);
    const std::string_view rest = source_.substr(at_);
    if (rest.starts_with("if")) tokens_.push_back({"#if", line_});
    if (rest.starts_with("el")) tokens_.push_back({"#else", line_});
    if (rest.starts_with("endif")) tokens_.push_back({"#endif", line_});
    skip_line();
  }

  void skip_literal(char quote) {
    skip(1);
    while (at_ < source_.size() && peek() != quote && peek() != '\n') skip(peek() == '\\' ? 2 : 1);
    if (peek() == quote) skip(1);
  }

  // 1'000'000, 0x1p-3
  void skip_number() {
    while (is_word_character(peek()) || peek() == '.' || (peek() == '\'' && is_word_character(peek(1))))
      skip(1);
  }

  void read_word() {
    size_t length = 0;
    while (is_word_character(peek(length))) ++length;
    const std::string word(source_.substr(at_, length));
    static const std::set<std::string> kRaw = {"R", "u8R", "uR", "UR", "LR"};
    static const std::set<std::string> kEncodings = {"u8", "u", "U", "L"};
    const char next = peek(length);
    const bool is_prefix = kEncodings.contains(word) && (next == '"' || next == '\'');
    if (next == '"' && kRaw.contains(word)) {
      skip(length + 1);
      const size_t open = source_.find('(', at_);
      if (open == std::string_view::npos) return skip(source_.size());
      return skip_past(")" + std::string(source_.substr(at_, open - at_)) + "\"");
    }
    if (!is_prefix) tokens_.push_back({word, line_});
    skip(length);
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool at_line_start_ = true;
  std::vector<Token> tokens_;
};

bool is_one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

// The index after the bracket that closes the one at `at`; "< <" nest as parentheses do.
size_t after_bracket(const std::vector<Token>& tokens, size_t at) {
  const std::string open = tokens[at].text;
  const std::string close = open == "<" ? ">" : open == "(" ? ")" : "]";
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].text == open) ++depth;
    if (tokens[at].text == close && --depth == 0) return at + 1;
  }
  return at;
}

// A statement without the template parameters, attributes and specifiers before what it declares.
std::vector<Token> without_prefixes(const std::vector<Token>& statement) {
  size_t at = 0;
  while (at < statement.size()) {
    const Token& token = statement[at];
    const bool has_next = at + 1 < statement.size();
    if (token.text == "template" && has_next && statement[at + 1].text == "<") {
      at = after_bracket(statement, at + 1);
    } else if (token.text == "[") {
      at = after_bracket(statement, at);
    } else if (is_one_of(token, {"inline", "typedef", "export", "constexpr", "static", "const"})) {
      ++at;
    } else {
      break;
    }
  }
  return {statement.begin() + static_cast<std::ptrdiff_t>(at), statement.end()};
}

// The name of the type whose body begins after `statement`; nothing where that is a function, a value, an unnamed type or a
// specialization of a template.
std::optional<Token> defined_type(const std::vector<Token>& statement) {
  const std::vector<Token> head = without_prefixes(statement);
  if (head.empty() || !is_one_of(head[0], {"class", "struct", "union", "enum"})) return std::nullopt;
  std::optional<Token> name;
  for (size_t at = 1; at < head.size();) {
    const Token& token = head[at];
    const bool is_attribute = is_one_of(token, {"alignas", "__attribute__", "__align__", "__declspec"});
    if (token.text == ":") break;
    if (is_one_of(token, {"(", "=", "<", "::"})) return std::nullopt;
    if (token.text == "[") {
      at = after_bracket(head, at);
    } else if (is_attribute && at + 1 < head.size()) {
      at = after_bracket(head, at + 1);
    } else {
      if (token.is_word() && !is_one_of(token, {"class", "struct", "final"})) name = token;
      ++at;
    }
  }
  return name;
}

// `using X = ...;` and `typedef ... X;`
std::optional<Token> defined_alias(const std::vector<Token>& statement) {
  if (!statement.empty() && statement[0].text == "typedef") {
    return statement.back().is_word() ? std::optional(statement.back()) : std::nullopt;
  }
  const std::vector<Token> head = without_prefixes(statement);
  const bool is_alias =
      head.size() > 3 && head[0].text == "using" && head[1].is_word() && head[2].text == "=";
  return is_alias ? std::optional(head[1]) : std::nullopt;
}

std::string joined(const std::vector<Token>& tokens, size_t begin) {
  std::string text;
  for (size_t i = begin; i < tokens.size(); ++i) {
    if (tokens[i].text == "[") i = after_bracket(tokens, i);
    if (i < tokens.size() && tokens[i].text != "inline") text += tokens[i].text;
  }
  return text;
}

struct Scope {
  bool is_namespace = false;
  bool is_unnamed = false;  // or inside an unnamed namespace
  std::string name;
};

// Follows the braces, and looks at what stands between them.
class Scanner {
 public:
  std::vector<Declaration> scan(std::string_view source) {
    for (const Token& token : Tokens(source).take()) {
      if (token.text[0] == '#' && token.text.size() > 1) {
        follow_branch(token.text);
      } else if (token.text == "{") {
        open();
      } else if (token.text == "}") {
        if (scopes_.size() > 1) scopes_.pop_back();
        statement_.clear();
      } else if (token.text == ";") {
        end_statement();
      } else {
        statement_.push_back(token);
      }
    }
    return std::move(found_);
  }

 private:
  // Each branch begins with the braces that were open at its #if; what follows has those of the first branch's end.
  void follow_branch(const std::string& directive) {
    if (directive == "#if") branches_.push_back({scopes_, std::nullopt});
    if (branches_.empty()) return;
    Branch& branch = branches_.back();
    if (directive == "#else") {
      if (!branch.after_first) branch.after_first = scopes_;
      scopes_ = branch.before;
    }
    if (directive == "#endif") {
      if (branch.after_first) scopes_ = *branch.after_first;
      branches_.pop_back();
    }
  }

  void open() {
    const Scope& around = scopes_.back();
    Scope inner{false, around.is_unnamed, around.name};
    const size_t keyword = !statement_.empty() && statement_[0].text == "inline" ? 1 : 0;
    if (around.is_namespace && keyword < statement_.size() && statement_[keyword].text == "namespace") {
      inner = named_scope(around, keyword);
    } else if (around.is_namespace && statement_.size() == 1 && statement_[0].text == "extern") {
      inner.is_namespace = true;  // extern "C" {
    } else if (around.is_namespace) {
      if (const auto type = defined_type(statement_)) add(Declaration::Kind::kType, *type, type->text);
    }
    scopes_.push_back(std::move(inner));
    statement_.clear();
  }

  Scope named_scope(const Scope& around, size_t keyword) {
    const std::string name = joined(statement_, keyword + 1);
    if (name.empty()) return {true, true, around.name};
    const std::string full = around.name.empty() ? name : around.name + "::" + name;
    add(Declaration::Kind::kNamespace, statement_[keyword], full);
    return {true, around.is_unnamed, full};
  }

  void end_statement() {
    const bool is_directive =
        statement_.size() > 2 && statement_[0].text == "using" && statement_[1].text == "namespace";
    if (is_directive) {
      found_.push_back({Declaration::Kind::kUsingNamespace, statement_[0].line, joined(statement_, 2),
                        scopes_.back().name});
    } else if (scopes_.back().is_namespace) {
      if (const auto alias = defined_alias(statement_)) add(Declaration::Kind::kType, *alias, alias->text);
    }
    statement_.clear();
  }

  void add(Declaration::Kind kind, const Token& token, const std::string& name) {
    const Scope& around = scopes_.back();
    if (!around.is_unnamed) found_.push_back({kind, token.line, name, around.name});
  }

  struct Branch {
    std::vector<Scope> before;
    std::optional<std::vector<Scope>> after_first;
  };

  std::vector<Scope> scopes_ = {{true, false, ""}};
  std::vector<Token> statement_;
  std::vector<Branch> branches_;
  std::vector<Declaration> found_;
};

const OwnProgram* own_program(const fs::path& file) {
  const std::string folder = "/" + file.parent_path().string() + "/";
  for (const OwnProgram& program : kOwnPrograms) {
    if (folder.find(fmt::format("/{}/", program.folder)) != std::string::npos) return &program;
  }
  return nullptr;
}

bool is_inside(std::string_view name, std::string_view outer) {
  return name == outer || name.starts_with(fmt::format("{}::", outer));
}

bool is_of_library(std::string_view name) {
  return std::any_of(kDeclaredLibraries.begin(), kDeclaredLibraries.end(),
                     [&](std::string_view library) { return is_inside(name, library); });
}

bool is_header(const fs::path& file) { return file.extension() == ".h" || file.extension() == ".cuh"; }

bool may_open(const fs::path& file, std::string_view name) {
  if (is_of_library(name) || is_inside(name, "cuset::" + file.begin()->string())) return true;
  const OwnProgram* program = own_program(file);
  return program != nullptr && (program->name_space.empty() || is_inside(name, program->name_space));
}

}  // namespace

std::vector<Declaration> scan_declarations(std::string_view source) { return Scanner().scan(source); }

std::vector<Violation> find_doubled_types(const fs::path& source_folder) {
  struct Place {
    fs::path file;
    int line = 0;
  };
  std::map<std::string, Place> first;
  std::vector<Violation> found;
  for (const fs::path& file : sources_below(source_folder)) {
    if (own_program(file) != nullptr) continue;
    for (const Declaration& type : scan_declarations(base::read_file(source_folder / file))) {
      if (type.kind != Declaration::Kind::kType || is_of_library(type.scope)) continue;
      if (type.scope.starts_with(fmt::format("cuset::{}::", file.begin()->string()))) continue;
      const Place& other = first.try_emplace(type.name, Place{file, type.line}).first->second;
      if (*other.file.begin() == *file.begin()) continue;
      found.push_back({file, type.line,
                       fmt::format("defines the type {}, and so does {}:{}", type.name, other.file.string(),
                                   other.line)});
    }
  }
  return found;
}

std::vector<Violation> find_foreign_namespaces(const fs::path& source_folder) {
  std::vector<Violation> found;
  for (const fs::path& file : sources_below(source_folder)) {
    for (const Declaration& one : scan_declarations(base::read_file(source_folder / file))) {
      if (one.kind == Declaration::Kind::kNamespace && !may_open(file, one.name)) {
        found.push_back(
            {file, one.line,
             fmt::format("opens namespace {}; its module is cuset::{}", one.name, file.begin()->string())});
      }
      if (one.kind == Declaration::Kind::kUsingNamespace && is_header(file) && own_program(file) == nullptr) {
        found.push_back({file, one.line, fmt::format("says `using namespace {}` in a header", one.name)});
      }
    }
  }
  return found;
}

}  // namespace cuset::tests
