#include "cuda_source/launch_definitions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "cuda_source/statements.h"

namespace cuset::cuda_source {
namespace {

// Whether `{` at `brace` opens a namespace, a class or an extern "C" block, judged by the declaration before
// it.
bool opens_named_scope(const Code& code, size_t brace) {
  constexpr size_t kLongestScopeHead = 256;
  bool parameters = false;
  for (size_t i = brace; i-- > 0 && brace - i < kLongestScopeHead;) {
    const Token& token = code[i];
    if (token.is(';') || token.is('{') || token.is('}')) return false;
    if (token.is(')') || token.is(']')) {
      // `struct alignas(16) Name {` has a group too, but never as its last token.
      parameters |= token.is(')') && i + 1 == brace;
      if (code.match(i) == Code::kNone) return false;
      i = code.match(i);
    } else if (token.is(Keyword::kNamespace)) {
      return true;
    } else if (token.is(Keyword::kClass) && !parameters) {
      // `template <class T> void f() {` names a class inside its angles.
      const bool template_parameter = i > 0 && (code[i - 1].is('<') || code[i - 1].is(','));
      if (!template_parameter) return true;
    } else if (token.kind == TokenKind::kString && i > 0 && code[i - 1].is(Keyword::kExtern)) {
      return !parameters;
    }
  }
  return false;
}

bool opens_loop(const Code& code, size_t brace) {
  if (brace == 0) return false;
  const Token& before = code[brace - 1];
  if (before.is(Keyword::kDo)) return true;
  if (!before.is(')') || code.match(brace - 1) == Code::kNone) return false;
  const uint32_t header = code.match(brace - 1);
  return header > 0 && code[header - 1].is(Keyword::kControl) &&
         (code.raw(header - 1) == "for" || code.raw(header - 1) == "while");
}

// Which function and which loop a brace belongs to.
class Scopes {
 public:
  explicit Scopes(const Code& code);

  // The `{` of the outermost function around token i (namespaces, classes and extern "C" blocks are not
  // functions), or Code::kNone.
  uint32_t function_around(size_t i) const;

  // The end of the outermost loop around token i within its function, as a token index; i itself without a
  // loop.
  size_t loop_end(size_t i) const;

 private:
  struct Brace {
    uint32_t function = Code::kNone;
    uint32_t loop = Code::kNone;
  };
  const Code& code_;
  std::vector<uint32_t> index_;  // token -> position in braces_, for `{`
  std::vector<Brace> braces_;
};

Scopes::Scopes(const Code& code) : code_(code), index_(code.size(), Code::kNone) {
  for (size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is('{')) continue;
    Brace brace;
    if (const uint32_t around = code.brace_around(i); around != Code::kNone) brace = braces_[index_[around]];
    if (brace.function == Code::kNone && !opens_named_scope(code, i))
      brace.function = static_cast<uint32_t>(i);
    if (brace.loop == Code::kNone && opens_loop(code, i)) brace.loop = static_cast<uint32_t>(i);
    index_[i] = static_cast<uint32_t>(braces_.size());
    braces_.push_back(brace);
  }
}

uint32_t Scopes::function_around(size_t i) const {
  const uint32_t brace = code_.brace_around(i);
  return brace == Code::kNone ? Code::kNone : braces_[index_[brace]].function;
}

size_t Scopes::loop_end(size_t i) const {
  const uint32_t brace = code_.brace_around(i);
  if (brace == Code::kNone || braces_[index_[brace]].loop == Code::kNone) return i;
  return code_.match(braces_[index_[brace]].loop);
}

// The launches of one function, and the search backwards from them.
class Feeds {
 public:
  Feeds(const Code& code, const Scopes& scopes, bool transitive)
      : code_(code), scopes_(scopes), transitive_(transitive) {}

  // Appends the statements of [first, last) that feed `launches`.
  void run(size_t first, size_t last, const std::vector<const Launch*>& launches,
           std::vector<LaunchDefinition>& definitions) {
    StatementWalk walk(code_, first, last);
    struct Use {
      std::vector<uint32_t> variables;
      size_t limit;
    };
    std::vector<Use> uses;
    for (size_t i = 0; i < launches.size(); ++i) {
      const Launch& launch = *launches[i];
      walk.advance(launch.token);
      // A configuration that was never closed may hold the launches after it; it is read up to the next.
      const size_t next = i + 1 < launches.size() ? launches[i + 1]->token : code_.size();
      for (const auto& [from, to] : launch.arguments) {
        uses.push_back({walk.mentioned(from, std::min<size_t>(to, next)), scopes_.loop_end(launch.token)});
      }
    }
    walk.advance(last);
    index(walk);
    for (const Use& use : uses) {
      for (const uint32_t variable : use.variables) follow(variable, use.limit);
    }
    for (size_t i = 0; i < statements_->size(); ++i) {
      if (taken_[i]) definitions.push_back(definition((*statements_)[i]));
    }
  }

 private:
  void index(const StatementWalk& walk) {
    statements_ = &walk.statements();
    taken_.assign(statements_->size(), false);
    defined_by_.assign(walk.variables(), {});
    next_.assign(walk.variables(), 0);
    for (size_t i = 0; i < statements_->size(); ++i) {
      for (const uint32_t variable : (*statements_)[i].defines) defined_by_[variable].push_back(i);
    }
  }

  // Takes the statements before token `limit` that define `variable`, and what feeds them.
  void follow(uint32_t variable, size_t limit) {
    std::vector<std::pair<uint32_t, size_t>> todo = {{variable, limit}};
    while (!todo.empty()) {
      const auto [wanted, before] = todo.back();
      todo.pop_back();
      const std::vector<size_t>& statements = defined_by_[wanted];
      for (size_t& i = next_[wanted]; i < statements.size(); ++i) {
        const Statement& statement = (*statements_)[statements[i]];
        if (statement.first >= before) break;
        if (taken_[statements[i]]) continue;
        taken_[statements[i]] = true;
        if (!transitive_) continue;
        const size_t reach = scopes_.loop_end(statement.first);
        for (const uint32_t need : statement.needs)
          todo.emplace_back(need, std::max<size_t>(reach, statement.first));
      }
    }
  }

  LaunchDefinition definition(const Statement& statement) const {
    const bool semicolon = statement.last < code_.size() && code_[statement.last].is(';');
    const size_t end = semicolon ? code_[statement.last].end : code_[statement.last - 1].end;
    return {std::string(code_.raw(statement.name)), {code_[statement.first].begin, end}};
  }

  const Code& code_;
  const Scopes& scopes_;
  bool transitive_;
  const std::vector<Statement>* statements_ = nullptr;
  std::vector<bool> taken_;
  std::vector<std::vector<size_t>> defined_by_;  // variable -> statements, in order
  std::vector<size_t> next_;                     // variable -> first statement not looked at yet
};

}  // namespace

std::vector<LaunchDefinition> find_launch_definitions(const Code& code, const std::vector<Launch>& launches,
                                                      bool transitive) {
  std::vector<LaunchDefinition> definitions;
  if (launches.empty()) return definitions;
  const Scopes scopes(code);
  std::map<uint32_t, std::vector<const Launch*>> by_function;
  for (const Launch& launch : launches) by_function[scopes.function_around(launch.token)].push_back(&launch);
  for (const auto& [function, list] : by_function) {
    const bool outside = function == Code::kNone;
    const size_t first = outside ? 0 : function + 1;
    const size_t last = outside ? code.size() : std::min<size_t>(code.match(function), code.size());
    Feeds(code, scopes, transitive).run(first, last, list, definitions);
  }
  std::sort(definitions.begin(), definitions.end(),
            [](const LaunchDefinition& a, const LaunchDefinition& b) { return a.bytes < b.bytes; });
  const auto same = [](const LaunchDefinition& a, const LaunchDefinition& b) { return a.bytes == b.bytes; };
  definitions.erase(std::unique(definitions.begin(), definitions.end(), same), definitions.end());
  return definitions;
}

}  // namespace cuset::cuda_source
