#include "verify/tasks/script/slice.h"

#include <algorithm>
#include <utility>

#include "verify/tasks/script/effects.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Kind = Statement::Kind;

// Each loop is looked at a few times, and so the loops in it more often.
constexpr uint64_t kMostVisits = 300'000;

// Names that may show the same numbers.
class Aliases {
 public:
  void join(Symbol a, Symbol b) { parents_[find(a)] = find(b); }
  void join_all(Symbol a, const Names& others) {
    for (const Symbol other : others) join(a, other);
  }
  Symbol find(Symbol name) {
    Symbol root = name;
    for (auto place = parents_.find(root); place != parents_.end() && place->second != root;
         place = parents_.find(root))
      root = place->second;
    while (name != root) name = std::exchange(parents_[name], root);
    return root;
  }
  bool meet(const Names& a, const Names& b) {
    Names roots;
    for (const Symbol name : a) roots.insert(find(name));
    return std::any_of(b.begin(), b.end(), [&](Symbol name) { return roots.count(find(name)) > 0; });
  }

 private:
  std::map<Symbol, Symbol> parents_;
};

void add_target_names(const Expression& target, Names& names) {
  if (target.kind == Expression::Kind::kName) names.insert(target.symbol);
  if (target.kind == Expression::Kind::kTuple || target.kind == Expression::Kind::kList ||
      target.kind == Expression::Kind::kStarred)
    for (const ExpressionPtr& child : target.children) add_target_names(*child, names);
}

// Calls visit(statement) for all statements of a block and of the blocks in it, functions' bodies excepted.
template <typename Visit>
void for_each_statement(const Block& block, const Visit& visit) {
  for (const StatementPtr& statement : block) {
    visit(*statement);
    for_each_statement(statement->body, visit);
    for_each_statement(statement->otherwise, visit);
  }
}

// One body, of the module or of a function.
class BodySlice {
 public:
  BodySlice(NameTable& table, Block& body) : table_(table), body_(body) { collect_aliases(); }

  // The names that live before the body, where `live` do after it.
  Names mark(Names live) {
    mark_block(body_, live, false);
    return live;
  }

  // Names that some statement changes in place, or that may show what is changed.
  bool is_changed(Symbol name) { return aliases_.meet({name}, changed_); }
  const Names& changed() const { return changed_; }
  const Names& assigned() const { return assigned_; }
  const Names& global() const { return global_; }
  bool may_return(Symbol name) { return aliases_.meet({name}, returned_); }

 private:
  void collect_aliases() {
    for_each_statement(body_, [&](const Statement& statement) { collect(statement); });
  }

  void collect(const Statement& statement) {
    for (const ExpressionPtr& target : statement.targets) {
      Names names;
      add_target_names(*target, names);
      assigned_.insert(names.begin(), names.end());
      if (statement.value)
        for (const Symbol name : names) aliases_.join_all(name, table_.shown_by(*statement.value));
      if (target->kind != Expression::Kind::kName && target->kind != Expression::Kind::kTuple)
        collect_store(*target, statement);
    }
    if (statement.kind == Kind::kAugmented) add_target_names(*statement.targets[0], changed_);
    if (statement.kind == Kind::kGlobal) global_.insert(statement.names.begin(), statement.names.end());
    if (statement.kind == Kind::kReturn && statement.value) {
      const Names shown = table_.shown_by(*statement.value);
      returned_.insert(shown.begin(), shown.end());
    }
    if (statement.value) {
      table_.add_changed(*statement.value, changed_);
      collect_appends(*statement.value);
    }
  }

  // x[i] = value: a list keeps the value itself, an array a copy.
  void collect_store(const Expression& target, const Statement& statement) {
    const Names stored = table_.shown_by(target);
    changed_.insert(stored.begin(), stored.end());
    for (const Symbol name : stored)
      if (statement.value && table_.containers.count(name) > 0)
        aliases_.join_all(name, table_.shown_by(*statement.value));
  }

  void collect_appends(const Expression& expression) {
    if (expression.kind != Expression::Kind::kCall) return;
    const Expression& callee = *expression.children[0];
    if (callee.kind != Expression::Kind::kAttribute) return;
    if (callee.text != "append" && callee.text != "extend" && callee.text != "insert") return;
    for (const Symbol name : table_.shown_by(*callee.children[0]))
      for (size_t i = 1; i < expression.children.size(); ++i)
        aliases_.join_all(name, table_.shown_by(*expression.children[i]));
  }

  // True where a statement of the block is needed. `jumps`: break and continue are.
  bool mark_block(Block& block, Names& live, bool jumps) {
    bool any = false;
    for (size_t i = block.size(); i-- > 0;) any = mark_statement(*block[i], live, jumps) || any;
    return any;
  }

  bool mark_statement(Statement& statement, Names& live, bool jumps) {
    if (++visits_ > kMostVisits) throw Failure::at_line(statement.line, "loops nested too deeply");
    bool needed = false;
    switch (statement.kind) {
      case Kind::kExpression:
      case Kind::kAssign:
      case Kind::kAugmented:
        needed = mark_simple(statement, live);
        break;
      case Kind::kIf:
        needed = mark_if(statement, live, jumps);
        break;
      case Kind::kWhile:
      case Kind::kFor:
        needed = mark_loop(statement, live);
        break;
      case Kind::kWith:
        needed = mark_with(statement, live, jumps);
        break;
      case Kind::kTry:
        needed = mark_block(statement.otherwise, live, jumps);
        needed = mark_block(statement.body, live, jumps) || needed;
        break;
      case Kind::kFunction:
        needed = mark_function(statement, live);
        break;
      case Kind::kClass:
        needed = live.count(statement.names[0]) > 0;
        break;
      case Kind::kReturn:
        needed = true;
        if (statement.value) table_.add_uses(*statement.value, live);
        break;
      case Kind::kRaise:
      case Kind::kBreak:
      case Kind::kContinue:
        needed = jumps;
        break;
      case Kind::kGlobal:
      case Kind::kImport:
        statement.needed = true;
        return false;
      default:
        break;
    }
    statement.needed = statement.needed || needed;
    return needed;
  }

  bool mark_simple(Statement& statement, Names& live) {
    Names assigned, changed;
    for (const ExpressionPtr& target : statement.targets) {
      add_target_names(*target, assigned);
      const bool stores =
          target->kind == Expression::Kind::kSubscript || target->kind == Expression::Kind::kAttribute;
      if (stores) {
        const Names stored = table_.shown_by(*target);
        changed.insert(stored.begin(), stored.end());
      }
    }
    if (statement.kind == Kind::kAugmented) changed.insert(assigned.begin(), assigned.end());
    table_.add_changed(*statement.value, changed);
    const bool assigns =
        std::any_of(assigned.begin(), assigned.end(), [&](Symbol name) { return live.count(name) > 0; });
    if (!assigns && !aliases_.meet(changed, live) &&
        table_.write_of(*statement.value) == NameTable::Write::kNo)
      return false;
    if (statement.kind == Kind::kAssign)
      for (const Symbol name : assigned) live.erase(name);
    table_.add_uses(*statement.value, live);
    for (const ExpressionPtr& target : statement.targets) add_target_uses(*target, statement, live);
    return true;
  }

  void add_target_uses(const Expression& target, const Statement& statement, Names& live) {
    if (target.kind == Expression::Kind::kTuple || target.kind == Expression::Kind::kList) {
      for (const ExpressionPtr& child : target.children) add_target_uses(*child, statement, live);
    } else if (target.kind != Expression::Kind::kName || statement.kind == Kind::kAugmented) {
      table_.add_uses(target, live);
    }
  }

  bool mark_if(Statement& statement, Names& live, bool jumps) {
    Names other = live;
    const bool in_other = mark_block(statement.otherwise, other, jumps);
    const bool needed = mark_block(statement.body, live, jumps) || in_other;
    live.insert(other.begin(), other.end());
    if (needed) table_.add_uses(*statement.value, live);
    return needed;
  }

  // The body's live names flow back into it until nothing is added.
  bool mark_loop(Statement& statement, Names& live) {
    Names targets;
    if (!statement.targets.empty()) add_target_names(*statement.targets[0], targets);
    bool needed =
        mark_block(statement.otherwise, live, false) ||
        std::any_of(targets.begin(), targets.end(), [&](Symbol name) { return live.count(name) > 0; });
    Names around = live;
    for (bool grows = true; grows;) {
      const size_t size = around.size();
      const bool was_needed = needed;
      Names inside = around;
      needed = mark_block(statement.body, inside, needed) || needed;
      if (needed) table_.add_uses(*statement.value, inside);
      for (const Symbol name : targets) inside.erase(name);
      around.insert(inside.begin(), inside.end());
      grows = around.size() != size || needed != was_needed;
    }
    if (needed) live = std::move(around);
    if (needed)
      for (const Symbol name : targets) live.erase(name);
    return needed;
  }

  bool mark_with(Statement& statement, Names& live, bool jumps) {
    Names targets;
    if (!statement.targets.empty()) add_target_names(*statement.targets[0], targets);
    const bool needed = mark_block(statement.body, live, jumps);
    if (!needed) return false;
    for (const Symbol name : targets) live.erase(name);
    table_.add_uses(*statement.value, live);
    return true;
  }

  bool mark_function(Statement& statement, Names& live) {
    if (live.erase(statement.function->name) == 0) return false;
    for (const ExpressionPtr& value : statement.function->defaults)
      if (value) table_.add_uses(*value, live);
    return true;
  }

  NameTable& table_;
  Block& body_;
  Aliases aliases_;
  uint64_t visits_ = 0;
  Names changed_, assigned_, global_, returned_;
};

class Slicer {
 public:
  Slicer(Program& program, const std::vector<std::string>& wanted) : program_(program) {
    table_.texts = &program.symbols;
    table_.wanted.insert(wanted.begin(), wanted.end());
    collect_names(program.body);
  }

  void run() {
    for (FunctionDefinition* function : functions_) analyse(*function);
    BodySlice(table_, program_.body).mark({});
  }

 private:
  void collect_names(const Block& block) {
    for_each_statement(block, [&](const Statement& statement) {
      if (statement.kind == Kind::kImport)
        table_.modules.insert(statement.names.begin(), statement.names.end());
      if (statement.function) add_function(statement.function);
      Names names;
      for (const ExpressionPtr& target : statement.targets) add_target_names(*target, names);
      for (const Symbol name : names) note_assignment(name, statement);
    });
  }

  void add_function(const std::shared_ptr<FunctionDefinition>& function) {
    FunctionEffects effects;
    effects.definition = function.get();
    // Of two functions of one name the later is called; taking both for unknown is safe.
    if (!table_.functions.emplace(function->name, effects).second) ambiguous_.insert(function->name);
    for (const Symbol parameter : function->parameters) table_.constants[parameter] = nullptr;
    collect_names(function->body);
    functions_.push_back(function.get());
    by_name_.emplace(function->name, function.get());
  }

  Names names_in(const Block& block) const {
    Names names;
    for_each_statement(block, [&](const Statement& statement) {
      if (statement.value) table_.add_uses(*statement.value, names);
      for (const ExpressionPtr& target : statement.targets) table_.add_uses(*target, names);
    });
    return names;
  }

  void note_assignment(Symbol name, const Statement& statement) {
    const bool single =
        (statement.kind == Kind::kAssign && statement.targets[0]->kind == Expression::Kind::kName) ||
        statement.kind == Kind::kWith;
    const auto [place, is_new] = table_.constants.try_emplace(name, single ? statement.value.get() : nullptr);
    if (!is_new) place->second = nullptr;
    if (!statement.value) return;
    const Expression& value = *statement.value;
    const bool call = value.kind == Expression::Kind::kCall;
    const bool made = call && (value.children[0]->text == "list" || value.children[0]->text == "dict");
    if (value.kind == Expression::Kind::kList || value.kind == Expression::Kind::kDict || made ||
        value.kind == Expression::Kind::kComprehension || value.kind == Expression::Kind::kBinary)
      table_.containers.insert(name);
  }

  // After the functions that it calls; one that leads back to itself is taken for unknown on the way.
  void analyse(FunctionDefinition& function) {
    if (!begun_.insert(&function).second) return;
    for (const Symbol name : names_in(function.body))
      for (auto [each, end] = by_name_.equal_range(name); each != end; ++each) analyse(*each->second);
    BodySlice body(table_, function.body);
    FunctionEffects effects;
    effects.definition = &function;
    Names live = body.global();
    Names own(function.parameters.begin(), function.parameters.end());
    if (function.rest >= 0) own.insert(function.rest);
    if (function.keywords >= 0) own.insert(function.keywords);
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      if (body.is_changed(function.parameters[i])) {
        effects.changed.insert(i);
        live.insert(function.parameters[i]);
      }
      if (body.may_return(function.parameters[i])) effects.returned.insert(i);
    }
    effects.outer_changed = body.global();
    for (const Symbol name : body.changed())
      if (own.count(name) == 0 && (body.assigned().count(name) == 0 || body.global().count(name) > 0)) {
        effects.outer_changed.insert(name);
        live.insert(name);
      }
    for_each_statement(function.body, [&](const Statement& statement) { note_write(statement, effects); });
    effects.uses = body.mark(std::move(live));
    for (const Symbol name : own) effects.uses.erase(name);
    for (const Symbol name : body.assigned())
      if (body.global().count(name) == 0) effects.uses.erase(name);
    effects.known = ambiguous_.count(function.name) == 0;
    FunctionEffects& entry = table_.functions[function.name];
    if (!effects.known) effects.uses.insert(entry.uses.begin(), entry.uses.end());
    entry = std::move(effects);
  }

  void note_write(const Statement& statement, FunctionEffects& effects) const {
    if (!statement.value) return;
    const NameTable::Write write = table_.write_of(*statement.value);
    effects.writes_wanted = effects.writes_wanted || write == NameTable::Write::kWanted;
    effects.writes_unseen = effects.writes_unseen || write == NameTable::Write::kUnseen;
  }

  Program& program_;
  NameTable table_;
  std::vector<FunctionDefinition*> functions_;
  std::multimap<Symbol, FunctionDefinition*> by_name_;
  std::set<const FunctionDefinition*> begun_;
  Names ambiguous_;
};

void mark_every(Block& block) {
  for (const StatementPtr& statement : block) {
    statement->needed = true;
    mark_every(statement->body);
    mark_every(statement->otherwise);
    if (statement->function) mark_every(statement->function->body);
  }
}

void mark_lambdas(const Expression& expression) {
  if (expression.function) mark_every(expression.function->body);
  for (const ExpressionPtr& child : expression.children)
    if (child) mark_lambdas(*child);
  for (const auto& [name, value] : expression.keywords) mark_lambdas(*value);
  for (const Expression::Clause& clause : expression.clauses) {
    mark_lambdas(*clause.iterable);
    for (const ExpressionPtr& condition : clause.conditions) mark_lambdas(*condition);
  }
}

void mark_all_lambdas(const Block& block) {
  for_each_statement(block, [](const Statement& statement) {
    for (const ExpressionPtr& target : statement.targets) mark_lambdas(*target);
    if (statement.value) mark_lambdas(*statement.value);
    if (statement.function) mark_all_lambdas(statement.function->body);
  });
}

}  // namespace

void mark_needed(Program& program, const std::vector<std::string>& wanted) {
  mark_all_lambdas(program.body);
  Slicer(program, wanted).run();
}

void mark_all(Program& program) {
  mark_all_lambdas(program.body);
  mark_every(program.body);
}

}  // namespace cuset::script
