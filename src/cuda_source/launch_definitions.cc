#include "cuda_source/launch_definitions.h"

#include <algorithm>
#include <map>

#include "cuda_source/scopes.h"
#include "cuda_source/statements.h"

namespace cuset::cuda_source {
namespace {

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
