#include "cuda_source/code.h"

#include <algorithm>

namespace cuset::cuda_source {

Code::Code(std::string_view text, std::vector<Token> tokens, const std::vector<ConditionalEvent>& events,
           size_t end_offset)
    : text_(text), tokens_(std::move(tokens)), end_offset_(end_offset) {
  match_brackets(tokens_, events, match_, brace_);
  if (!events.empty()) record_branches(events);
}

bool Code::is_closed(size_t i) const {
  if (match_[i] >= size()) return false;
  const Token& open = tokens_[i];
  const Token& close = tokens_[match_[i]];
  return open.is('(') ? close.is(')') : open.is('[') ? close.is(']') : close.is('}');
}

size_t Code::group_end_offset(size_t i) const {
  if (match_[i] >= size()) return end_offset_;
  return is_closed(i) ? tokens_[match_[i]].end : tokens_[match_[i]].begin;
}

size_t Code::after_group(size_t i) const {
  const size_t close = match_[i];
  if (close >= size()) return size();
  return is_closed(i) ? leave_branch(i, close + 1) : close;
}

void Code::record_branches(const std::vector<ConditionalEvent>& events) {
  struct Open {
    uint32_t first;
    uint32_t branch_outside;
    std::vector<size_t> starts;
  };
  std::vector<Open> open;
  uint32_t branch = 0;
  uint32_t branches = 0;
  for (const ConditionalEvent& event : events) {
    if (event.kind == ConditionalEvent::kIf) {
      open.push_back({event.position, branch, {}});
      branch = ++branches;
    } else if (event.kind == ConditionalEvent::kBranch) {
      open.back().starts.push_back(branch_starts_.size());
      branch_starts_.push_back({event.position, open.back().first, static_cast<uint32_t>(size())});
      branch = ++branches;
    } else {
      for (const size_t start : open.back().starts) branch_starts_[start].group_end = event.position;
      branch = open.back().branch_outside;
      open.pop_back();
    }
    branch_changes_.push_back({event.position, branch});
  }
  for (const BranchStart& start : branch_starts_) {
    if (start.token < size()) tokens_[start.token].flags |= kBranchStart;
  }
}

size_t Code::leave_branch(size_t from, size_t to) const {
  while (to < size() && tokens_[to].has(kBranchStart)) {
    auto start = std::lower_bound(branch_starts_.begin(), branch_starts_.end(), to,
                                  [](const BranchStart& s, size_t token) { return s.token < token; });
    while (start != branch_starts_.end() && start->token == to &&
           (start->group_first > from || start->group_end == to)) {
      ++start;
    }
    if (start == branch_starts_.end() || start->token != to) break;
    to = start->group_end;
  }
  return to;
}

uint32_t Code::branch_at(size_t i) const {
  const auto after = std::upper_bound(branch_changes_.begin(), branch_changes_.end(), i,
                                      [](size_t token, const BranchChange& c) { return token < c.token; });
  return after == branch_changes_.begin() ? 0 : std::prev(after)->branch;
}

namespace {

class SourceReader {
 public:
  explicit SourceReader(std::string_view text) : text_(text) {}

  Source run() {
    const std::vector<Token> tokens = lex(text_);
    kept_.reserve(tokens.size());
    size_t i = 0;
    while (i < tokens.size()) {
      if (tokens[i].kind == TokenKind::kHash) {
        i = read_directive(tokens, i);
      } else {
        if (active_ && tokens[i].kind != TokenKind::kComment) kept_.push_back(tokens[i]);
        ++i;
      }
    }
    source_.code = Code(text_, std::move(kept_), events_, text_.size());
    mark_aliases();
    return std::move(source_);
  }

 private:
  struct Conditional {
    bool active_outside;
    bool decided;     // a branch with a true literal was met: the rest is inactive
    bool any_branch;  // a branch was kept
  };

  std::string_view raw(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // Handles the directive whose `#` is tokens[hash]; returns the index after it.
  size_t read_directive(const std::vector<Token>& tokens, size_t hash) {
    line_.clear();
    size_t i = hash + 1;
    for (; i < tokens.size() && tokens[i].has(kInDirective) && tokens[i].kind != TokenKind::kHash; ++i) {
      if (tokens[i].kind != TokenKind::kComment) line_.push_back(tokens[i]);
    }
    if (line_.empty()) return i;
    const std::string name = spelling(text_, line_.front());
    if (name.starts_with("if")) {
      open_group(name == "if");
    } else if (name.starts_with("elif") || name == "else") {
      next_branch(name == "elif");
    } else if (name == "endif") {
      close_group();
    } else if (name == "define" && active_) {
      read_define();
    }
    return i;
  }

  enum class Truth { kFalse, kTrue, kUnknown };

  // The value of the condition after `#if`, where a literal alone decides it.
  Truth condition() const {
    size_t first = 1;
    size_t last = line_.size();
    while (last - first >= 3 && line_[first].is('(') && line_[last - 1].is(')')) ++first, --last;
    if (first >= last) return Truth::kUnknown;
    const std::string_view value = raw(line_[first]);
    const bool zero = value == "0" || value == "false";
    if (zero && (last - first == 1 || line_[first + 1].is(kLogical))) {
      const bool alone_or_and = last - first == 1 || raw(line_[first + 1]) == "&&";
      return alone_or_and ? Truth::kFalse : Truth::kUnknown;
    }
    const bool literal = last - first == 1 && (line_[first].kind == TokenKind::kNumber || value == "true");
    return literal && !zero ? Truth::kTrue : Truth::kUnknown;
  }

  void open_group(bool has_value) {
    conditionals_.push_back({active_, false, false});
    enter_branch(has_value ? condition() : Truth::kUnknown);
  }

  void next_branch(bool has_value) {
    if (conditionals_.empty()) return;
    enter_branch(has_value ? condition() : Truth::kUnknown);
  }

  void enter_branch(Truth truth) {
    Conditional& group = conditionals_.back();
    active_ = group.active_outside && !group.decided && truth != Truth::kFalse;
    if (truth == Truth::kTrue) group.decided = true;
    if (!active_) return;
    add_event(group.any_branch ? ConditionalEvent::kBranch : ConditionalEvent::kIf);
    group.any_branch = true;
  }

  void close_group() {
    if (conditionals_.empty()) return;
    const Conditional group = conditionals_.back();
    conditionals_.pop_back();
    active_ = group.active_outside;
    if (group.any_branch) add_event(ConditionalEvent::kEnd);
  }

  void add_event(ConditionalEvent::Kind kind) {
    events_.push_back({kind, static_cast<uint32_t>(kept_.size())});
  }

  // #define NAME replacement, or #define NAME(parameters) replacement.
  void read_define() {
    if (line_.size() < 3) return;
    const Token& name = line_[1];
    Alias alias;
    alias.function_like = line_[2].is('(') && line_[2].begin == name.end;
    size_t first = 2;
    if (alias.function_like) {
      while (first < line_.size() && !line_[first].is(')')) ++first;
      ++first;
    }
    bool launch = false;
    bool brace = false;
    for (size_t i = first; i < line_.size(); ++i) {
      const Token& token = line_[i];
      const Alias used = token.is_identifier() && token.is(Keyword::kNone) ? find_alias(token) : Alias{};
      if (used.global) line_[i].word = Keyword::kGlobal;
      if (used.device && !used.global) line_[i].word = Keyword::kDevice;
      alias.global |= token.is(Keyword::kGlobal);
      alias.device |= token.is(Keyword::kDevice);
      brace |= token.is('{');
      launch |= token.kind == TokenKind::kLaunchOpen || token.is(Keyword::kLaunchRuntime) ||
                token.is(Keyword::kLaunchDriver) || token.is(Keyword::kLaunchConfig);
    }
    if ((alias.global || alias.device) && !brace) source_.aliases[spelling(text_, name)] = alias;
    if (launch || ((alias.global || alias.device) && brace)) {
      std::vector<Token> replacement(line_.begin() + static_cast<std::ptrdiff_t>(first), line_.end());
      const size_t end = replacement.back().end;
      source_.macros.emplace_back(text_, std::move(replacement), std::vector<ConditionalEvent>{}, end);
    }
  }

  Alias find_alias(const Token& token) const {
    if (source_.aliases.empty()) return {};
    const auto found = source_.aliases.find(spelling(text_, token));
    return found == source_.aliases.end() ? Alias{} : found->second;
  }

  void mark_aliases() {
    if (source_.aliases.empty()) return;
    for (size_t i = 0; i < source_.code.size(); ++i) {
      const Token& token = source_.code[i];
      if (!token.is_identifier() || !token.is(Keyword::kNone)) continue;
      const Alias alias = find_alias(token);
      if (alias.global) source_.code.set_word(i, Keyword::kGlobal);
      if (alias.device && !alias.global) source_.code.set_word(i, Keyword::kDevice);
    }
  }

  std::string_view text_;
  Source source_;
  std::vector<Token> kept_;
  std::vector<Token> line_;  // the directive being read, without `#` and comments
  std::vector<ConditionalEvent> events_;
  std::vector<Conditional> conditionals_;
  bool active_ = true;
};

}  // namespace

Source read_source(std::string_view text) { return SourceReader(text).run(); }

}  // namespace cuset::cuda_source
