#include "judge/lint/lint_directives.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "judge/lint/lint_names.h"

namespace cuset::judge {
namespace {

using Weight = LintFinding::Weight;

constexpr size_t kMostGuards = 64;  // around one line

// `#ifdef NAME` and `#ifndef NAME`, in any spelling; other conditions have no name.
struct Guard {
  std::string name;
  bool defined = true;
};

bool leaves_the_folder(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('~')) return true;
  for (size_t at = 0; at < path.size();) {
    const size_t slash = std::min(path.find('/', at), path.size());
    if (path.substr(at, slash - at) == "..") return true;
    at = slash + 1;
  }
  return false;
}

class DirectiveLint {
 public:
  DirectiveLint(std::string_view text, const std::vector<cuda_source::Token>& tokens)
      : text_(text), tokens_(tokens) {}

  std::optional<LintFault> run() {
    for (size_t i = 0; i < tokens_.size() && !fault_; ++i) {
      if (tokens_[i].kind == cuda_source::TokenKind::kHash) read(i);
      if (tokens_[i].is_identifier()) read_query(i);
    }
    return std::move(fault_);
  }

 private:
  std::string spelled(size_t i) const { return cuda_source::spelling(text_, tokens_[i]); }

  size_t end_of_line(size_t hash) const {
    size_t last = hash + 1;
    while (last < tokens_.size() && tokens_[last].has(cuda_source::kInDirective) &&
           tokens_[last].kind != cuda_source::TokenKind::kHash)
      ++last;
    return last;
  }

  void add(Weight weight, size_t i, std::string message) {
    if (!fault_) fault_ = LintFault{weight, tokens_[i].begin, std::move(message)};
  }

  void read(size_t hash) {
    const size_t last = end_of_line(hash);
    if (hash + 1 >= last) return;
    const std::string name = spelled(hash + 1);
    if (name == "include" || name == "include_next" || name == "import") read_include(hash + 2, last);
    if (name == "embed")
      add(Weight::kRejected, hash + 1, "`#embed` reads a file of the host while compiling");
    if (name == "define" || name == "undef") read_definition(hash + 2, last, name);
    read_condition(name, hash + 2, last);
  }

  void read_include(size_t first, size_t last) {
    std::string path;
    for (size_t i = first; i < last; ++i) path += spelled(i);
    if (path.empty()) return;
    const bool literal = path.front() == '<' || path.front() == '"';
    if (!literal) {
      add(Weight::kRejected, first,
          fmt::format("`#include` of the macro {} hides what it reads", base::in_quotes(path)));
    } else if (leaves_the_folder(std::string_view(path).substr(1))) {
      path.erase(0, 1);
      if (!path.empty()) path.pop_back();
      add(Weight::kRejected, first,
          fmt::format("`#include` of {} reads a file of the host", base::in_quotes(path)));
    }
  }

  // `__has_include("/x")`, in whatever directive or expression it stands.
  void read_query(size_t i) {
    const std::string name = spelled(i);
    if (name == "__has_embed") add(Weight::kRejected, i, "`__has_embed` asks about files of the host");
    if (name != "__has_include" && name != "__has_include_next") return;
    std::string path;
    for (size_t j = i + 1; j < tokens_.size() && !tokens_[j].is(')') && path.size() < 256; ++j)
      if (!tokens_[j].is('(')) path += spelled(j);
    if (!path.empty() && leaves_the_folder(std::string_view(path).substr(1)))
      add(Weight::kRejected, i, fmt::format("`{}` asks about files of the host", name));
  }

  void read_definition(size_t first, size_t last, const std::string& directive) {
    if (first >= last || !tokens_[first].is_identifier()) return;
    const std::string name = spelled(first);
    if (is_poison(name) && !is_for_other_tools(name))
      add(Weight::kHack, first, fmt::format("`#{} {}` changes the meaning of other code", directive, name));
  }

  // Whether the line is only read by tools that are not compilers of CUDA.
  bool is_for_other_tools(std::string_view name) const {
    const size_t first = guards_.size() - std::min(guards_.size(), kMostGuards);  // the time stays linear
    return std::any_of(guards_.begin() + static_cast<ptrdiff_t>(first), guards_.end(),
                       [&](const Guard& guard) {
                         if (guard.defined) return guard.name != name && is_absent_macro(guard.name);
                         const bool qualifier = name.starts_with("__") && guard.name == name;
                         return guard.name == "__CUDACC__" || qualifier;
                       });
  }

  void read_condition(const std::string& directive, size_t first, size_t last) {
    if (directive == "ifdef" || directive == "ifndef") {
      guards_.push_back({first < last ? spelled(first) : "", directive == "ifdef"});
    } else if (directive == "if") {
      guards_.push_back(condition(first, last));
    } else if (guards_.empty()) {
      return;
    } else if (directive == "else") {
      guards_.back().defined = !guards_.back().defined;
    } else if (directive.starts_with("elif")) {
      guards_.back() = Guard();
    } else if (directive == "endif") {
      guards_.pop_back();
    }
  }

  // `defined(NAME)`, `!defined NAME`; anything longer has no name.
  Guard condition(size_t first, size_t last) const {
    Guard guard;
    if (first < last && tokens_[first].is('!')) {
      guard.defined = false;
      ++first;
    }
    std::vector<std::string> words;
    for (size_t i = first; i < last; ++i)
      if (!tokens_[i].is('(') && !tokens_[i].is(')')) words.push_back(spelled(i));
    if (words.size() == 2 && words[0] == "defined") guard.name = words[1];
    return guard;
  }

  std::string_view text_;
  const std::vector<cuda_source::Token>& tokens_;
  std::vector<Guard> guards_;
  std::optional<LintFault> fault_;
};

}  // namespace

std::optional<LintFault> lint_directives(std::string_view text,
                                         const std::vector<cuda_source::Token>& tokens) {
  return DirectiveLint(text, tokens).run();
}

}  // namespace cuset::judge
