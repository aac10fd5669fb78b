#include "cuda_source/statements.h"

#include <algorithm>

namespace cuset::cuda_source {
namespace {

constexpr uint32_t kNoVariable = Code::kNone;

bool opens(const Token& token) { return token.is('(') || token.is('[') || token.is('{'); }

bool is_launch(const Token& token) {
  return token.kind == TokenKind::kLaunchOpen || token.is(Keyword::kLaunchRuntime) ||
         token.is(Keyword::kLaunchDriver) || token.is(Keyword::kLaunchConfig);
}

bool is_assignment(const Token& token) { return token.is('=') || token.is(kCompoundAssign); }

bool may_end_type(const Token& token) {
  return token.is(Keyword::kNone)
             ? token.is_identifier()
             : token.is(Keyword::kType) || token.is(Keyword::kSpecifier) || token.is(Keyword::kAuto);
}

}  // namespace

void StatementWalk::advance(size_t to) {
  while (at_ < last_ && at_ <= to) step();
}

void StatementWalk::step() {
  const size_t i = at_++;
  const Token& token = code_[i];
  launches_ |= is_launch(token);
  if (token.is(';')) {
    end_statement(i);
  } else if (token.is('{')) {
    if (is_initializer(i)) {
      // Goes on behind the initializer, unless it holds a lambda's statements or is never closed.
      if (code_.is_closed(i) && code_.match(i) - i < 64) at_ = code_.match(i) + 1;
      return;
    }
    end_statement(i);
    blocks_.push_back(hidden_.size());
  } else if (token.is('}')) {
    end_statement(i);
    while (!blocks_.empty() && hidden_.size() > blocks_.back()) {
      visible_[hidden_.back().name] = hidden_.back().variable;
      hidden_.pop_back();
    }
    if (!blocks_.empty()) blocks_.pop_back();
  } else if (token.is('(') && i > statement_ && code_[i - 1].is(Keyword::kControl)) {
    statement_ = i + 1;
    header_end_ = code_.match(i);
  } else if (token.is(')') && i == header_end_) {
    end_statement(i);
  } else if (token.is(Keyword::kElse) || token.is(Keyword::kDo) || token.is(Keyword::kTry)) {
    statement_ = at_;
  } else if (token.is(':') && statement_ < i && code_[statement_].is(Keyword::kCase)) {
    statement_ = at_;
  }
}

// `dim3{1, 2}`, `= {0}` and `f({1})`, not the body of something.
bool StatementWalk::is_initializer(size_t brace) const {
  if (brace == 0) return false;
  const Token& before = code_[brace - 1];
  if (before.is('=') || before.is('(') || before.is(',') || before.is(Keyword::kStatement)) return true;
  if (before.is(']')) {
    // `int a[2] {1, 2}`, not the lambda `[&] {`.
    const uint32_t open = code_.match(brace - 1);
    return open != Code::kNone && open > 0 && (code_[open - 1].is_identifier() || code_[open - 1].is(']'));
  }
  if (statement_ < brace &&
      (code_[statement_].is(Keyword::kClass) || code_[statement_].is(Keyword::kNamespace))) {
    return false;
  }
  return before.is_identifier() && (before.is(Keyword::kNone) || before.is(Keyword::kType)) &&
         brace > statement_;
}

void StatementWalk::end_statement(size_t last) {
  const size_t first = statement_;
  const bool launches = launches_;
  statement_ = last + 1;
  launches_ = false;
  if (first >= last || code_[first].is(Keyword::kStatement)) return;
  std::vector<uint32_t> names;
  collect_declared(first, last, names);
  const bool declaration = !names.empty();
  if (!declaration && !launches) collect_assigned(first, last, names);
  if (names.empty()) return;

  Statement statement;
  statement.first = static_cast<uint32_t>(first);
  statement.last = static_cast<uint32_t>(last);
  statement.name = names.front();
  // A declared name is not what the block around calls by that name.
  size_t from = first;
  for (size_t i = 0; declaration && i < names.size(); from = names[i++] + 1)
    add_mentioned(from, names[i], statement.needs);
  add_mentioned(from, last, statement.needs);
  for (const uint32_t name : names) {
    statement.defines.push_back(declaration ? declare(code_.raw(name)) : resolve(code_.raw(name)));
  }
  statements_.push_back(std::move(statement));
}

// Whether token i is a name being declared: something like a type before it, and an initializer or an end
// after it.
bool StatementWalk::is_declarator(size_t first, size_t i, size_t last) const {
  if (i == first || !code_[i].is_identifier() || !code_[i].is(Keyword::kNone)) return false;
  if (i + 1 < last) {
    const Token& next = code_[i + 1];
    if (!is_assignment(next) && !opens(next) && !next.is(',') && !next.is(':')) return false;
  }
  size_t type = i - 1;
  while (type > first && (code_[type].is('*') || code_[type].is('&') || code_[type].is(kLogical) ||
                          code_[type].is(Keyword::kSpecifier))) {
    --type;
  }
  return may_end_type(code_[type]) || (code_[type].is('>') && type > first);
}

void StatementWalk::collect_declared(size_t first, size_t last, std::vector<uint32_t>& names) const {
  bool after_comma = false;
  for (size_t i = first; i < last; ++i) {
    const Token& token = code_[i];
    if (names.empty() && is_assignment(token)) return;
    if (token.is('[') && i > first && code_[first].is_identifier() && names.empty() &&
        (code_[i - 1].is(Keyword::kAuto) || (i > first + 1 && code_[i - 2].is(Keyword::kAuto)))) {
      for (size_t j = i + 1; j < std::min<size_t>(code_.match(i), last); ++j) {
        if (code_[j].is_identifier()) names.push_back(static_cast<uint32_t>(j));
      }
      return;
    }
    if (names.empty() ? is_declarator(first, i, last) : after_comma && token.is_identifier()) {
      names.push_back(static_cast<uint32_t>(i));
    }
    if (!token.is('*') && !token.is('&')) after_comma = token.is(',');
    if (opens(token)) {
      if (names.empty() && token.is('(')) return;  // a call
      i = std::min<size_t>(code_.match(i), last);
    }
  }
}

void StatementWalk::collect_assigned(size_t first, size_t last, std::vector<uint32_t>& names) const {
  const auto add = [&](size_t i) {
    if (i < last && code_[i].is_identifier() && code_[i].is(Keyword::kNone))
      names.push_back(static_cast<uint32_t>(i));
  };
  size_t target = first;
  while (target < last && (code_[target].is('*') || code_[target].is('('))) ++target;
  for (size_t i = first; i < last; ++i) {
    const Token& token = code_[i];
    if (is_assignment(token) && names.empty()) {
      add(target);
      continue;
    }
    if (token.is(kIncrement)) {
      add(i + 1);
      if (i > first) add(i - 1);
    }
    if (token.is('&') && i > first && (code_[i - 1].is('(') || code_[i - 1].is(','))) add(i + 1);
  }
}

bool StatementWalk::is_mention(size_t i) const {
  if (!code_[i].is_identifier() || !code_[i].is(Keyword::kNone)) return false;
  const bool member = i > 0 && (code_[i - 1].is('.') || code_[i - 1].is(kArrow) || code_[i - 1].is(kScope));
  return !member && !(i + 1 < code_.size() && code_[i + 1].is(kScope));
}

std::vector<uint32_t> StatementWalk::mentioned(size_t first, size_t last) {
  std::vector<uint32_t> variables;
  add_mentioned(first, last, variables);
  return variables;
}

void StatementWalk::add_mentioned(size_t first, size_t last, std::vector<uint32_t>& variables) {
  for (size_t i = first; i < last; ++i) {
    if (is_mention(i)) variables.push_back(resolve(code_.raw(i)));
  }
}

uint32_t StatementWalk::resolve(std::string_view name) {
  const auto [found, added] = visible_.try_emplace(name, kNoVariable);
  if (found->second == kNoVariable) found->second = variables_++;
  return found->second;
}

uint32_t StatementWalk::declare(std::string_view name) {
  uint32_t& visible = visible_.try_emplace(name, kNoVariable).first->second;
  if (!blocks_.empty()) hidden_.push_back({name, visible});
  visible = variables_++;
  return visible;
}

}  // namespace cuset::cuda_source
