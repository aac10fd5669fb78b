#include "text/jinja/scope.h"

#include <map>
#include <set>

#include "base/error.h"

namespace cuset::text::jinja {
namespace {

enum class Origin { context, outer, nothing, parameter };

// The slots of one function, by level and name: sibling scopes of a level share them, as in Jinja2's
// generated code.
struct FunctionSlots {
  int depth = 0;
  std::map<std::pair<int, std::string>, uint32_t> indices;

  uint32_t index_of(int level, const std::string& name) {
    return indices.try_emplace({level, name}, static_cast<uint32_t>(indices.size())).first->second;
  }
};

// What a scope knows about its names.
struct Symbols {
  const Symbols* parent = nullptr;
  int level = 0;
  FunctionSlots* function = nullptr;
  std::map<std::string, Origin> names;
  std::set<std::string> stores;

  // The scope that `name` belongs to, or null.
  const Symbols* owner(const std::string& name) const {
    for (const Symbols* scope = this; scope != nullptr; scope = scope->parent) {
      if (scope->names.contains(name)) return scope;
    }
    return nullptr;
  }
  bool outer_knows(const std::string& name) const {
    return parent != nullptr && parent->owner(name) != nullptr;
  }

  void load(const std::string& name) {
    if (owner(name) == nullptr) names[name] = Origin::context;
  }
  void store(const std::string& name) {
    stores.insert(name);
    if (!names.contains(name)) names[name] = outer_knows(name) ? Origin::outer : Origin::nothing;
  }
  void declare(const std::string& name) {
    stores.insert(name);
    names[name] = Origin::parameter;
  }

  Slot slot_of(const std::string& name) const {
    const Symbols* scope = owner(name);
    CUSET_CHECK(scope != nullptr, "name {} was not analyzed", name);
    const auto hops = static_cast<uint32_t>(function->depth - scope->function->depth);
    return {hops, scope->function->index_of(scope->level, name)};
  }
};

// Joins what the branches of an `if` did.
void merge_branches(Symbols& into, const std::vector<Symbols>& branches) {
  std::set<std::string> stored;
  for (const Symbols& branch : branches) {
    for (const std::string& name : branch.stores) {
      if (!into.stores.contains(name)) stored.insert(name);
    }
  }
  for (const Symbols& branch : branches) {
    for (const auto& [name, origin] : branch.names) into.names[name] = origin;
    into.stores.insert(branch.stores.begin(), branch.stores.end());
  }
  // A branch may not run: the name then keeps what it was outside.
  for (const std::string& name : stored)
    into.names[name] = into.outer_knows(name) ? Origin::outer : Origin::context;
}

// First pass over a scope: which names it loads and stores. Does not enter inner scopes.
class Analysis {
 public:
  explicit Analysis(Symbols& symbols) : symbols_(&symbols) {}

  void loads(const Expr* expr) {
    if (expr == nullptr) return;
    if (expr->kind == ExprKind::name || expr->kind == ExprKind::namespace_ref) symbols_->load(expr->name);
    for (const ExprPtr& child : expr->children) loads(child.get());
    for (const auto& [name, value] : expr->keywords) loads(value.get());
  }

  void target(const Expr& expr, bool as_parameter) {
    if (expr.kind == ExprKind::namespace_ref) symbols_->load(expr.name);
    if (expr.kind == ExprKind::name) as_parameter ? symbols_->declare(expr.name) : symbols_->store(expr.name);
    for (const ExprPtr& child : expr.children) target(*child, as_parameter);
  }

  void body(const Body& statements) {
    for (const auto& statement : statements) visit(*statement);
  }

 private:
  void visit(const Stmt& statement) {
    switch (statement.kind) {
      case StmtKind::output:
      case StmtKind::for_:
      case StmtKind::call_block:
        loads(statement.expr.get());
        break;
      case StmtKind::set:
        loads(statement.expr.get());
        target(*statement.target, false);
        break;
      case StmtKind::set_block:
        target(*statement.target, false);
        break;
      case StmtKind::macro:
        symbols_->store(statement.target->name);
        break;
      case StmtKind::if_:
        visit_if(statement);
        break;
      default:
        break;
    }
  }

  // Jinja2 looks at the first branch, at all elif branches one inside the other's test, and at else.
  void visit_if(const Stmt& statement) {
    loads(statement.branches[0].test.get());
    Symbols* const outer = symbols_;
    std::vector<Symbols> parts(3, *outer);
    symbols_ = &parts[0];
    body(statement.branches[0].body);
    symbols_ = &parts[1];
    for (size_t i = 1; i < statement.branches.size() && statement.branches[i].test != nullptr; ++i) {
      visit_elif(statement.branches[i]);
    }
    symbols_ = &parts[2];
    if (statement.branches.back().test == nullptr) body(statement.branches.back().body);
    symbols_ = outer;
    merge_branches(*outer, parts);
  }

  void visit_elif(const Branch& branch) {
    loads(branch.test.get());
    Symbols* const outer = symbols_;
    std::vector<Symbols> parts(1, *outer);
    symbols_ = &parts[0];
    body(branch.body);
    symbols_ = outer;
    merge_branches(*outer, parts);
  }

  Symbols* symbols_;
};

bool mentions(const Expr* expr, std::string_view name) {
  if (expr == nullptr) return false;
  if (expr->kind == ExprKind::name && expr->name == name) return true;
  const auto found = [&](const ExprPtr& child) { return mentions(child.get(), name); };
  return std::any_of(expr->children.begin(), expr->children.end(), found) ||
         std::any_of(expr->keywords.begin(), expr->keywords.end(),
                     [&](const auto& keyword) { return found(keyword.second); });
}

bool mentions(const Body& body, std::string_view name);

bool mentions(const Stmt& statement, std::string_view name) {
  const auto in_branch = [&](const Branch& branch) {
    return mentions(branch.test.get(), name) || mentions(branch.body, name);
  };
  if (mentions(statement.expr.get(), name) || mentions(statement.test.get(), name)) return true;
  if (mentions(statement.body, name) || mentions(statement.else_body, name)) return true;
  if (statement.function != nullptr && mentions(statement.function->body, name)) return true;
  return std::any_of(statement.branches.begin(), statement.branches.end(), in_branch);
}

bool mentions(const Body& body, std::string_view name) {
  return std::any_of(body.begin(), body.end(),
                     [&](const auto& statement) { return mentions(*statement, name); });
}

ExprPtr copy_target(const Expr& target) {
  auto copy = std::make_unique<Expr>();
  copy->kind = target.kind;
  copy->place = target.place;
  copy->name = target.name;
  for (const ExprPtr& child : target.children) copy->children.push_back(copy_target(*child));
  return copy;
}

// Second pass: walks all scopes from the outside in and writes slots into the tree.
class Binder {
 public:
  void bind_program(Program& program) {
    FunctionSlots function;
    Symbols symbols;
    symbols.function = &function;
    Analysis(symbols).body(program.body);
    bind_body(program.body, symbols);
    finish(program.scope, symbols);
    program.scope.slots = static_cast<uint32_t>(function.indices.size());
  }

 private:
  static Symbols inner(const Symbols& outer, FunctionSlots* function = nullptr) {
    Symbols symbols;
    symbols.parent = &outer;
    symbols.level = outer.level + 1;
    symbols.function = function != nullptr ? function : outer.function;
    return symbols;
  }

  static void finish(Scope& scope, const Symbols& symbols) {
    for (const auto& [name, origin] : symbols.names) {
      if (origin == Origin::parameter) continue;
      Load load;
      load.target = symbols.slot_of(name);
      load.name = name;
      if (origin == Origin::context) load.from = Load::From::context;
      if (origin == Origin::outer) {
        load.from = Load::From::outer;
        load.outer = symbols.parent->slot_of(name);
        load.outer.hops += static_cast<uint32_t>(symbols.function->depth - symbols.parent->function->depth);
      }
      scope.loads.push_back(std::move(load));
    }
  }

  void bind(Expr* expr, const Symbols& symbols) {
    if (expr == nullptr) return;
    if (expr->kind == ExprKind::name || expr->kind == ExprKind::namespace_ref) {
      expr->slot = symbols.slot_of(expr->name);
      if (expr->kind == ExprKind::name && in_target_ && loops_ > 0 && expr->name == "loop") {
        throw SyntaxFailure(expr->place, "the special variable 'loop' cannot be assigned to inside a loop");
      }
    }
    for (const ExprPtr& child : expr->children) bind(child.get(), symbols);
    for (const auto& [name, value] : expr->keywords) bind(value.get(), symbols);
  }

  void bind_target(Expr& target, const Symbols& symbols) {
    in_target_ = true;
    bind(&target, symbols);
    in_target_ = false;
  }

  void bind_body(Body& body, const Symbols& symbols) {
    for (auto& statement : body) bind_statement(*statement, symbols);
  }

  void bind_statement(Stmt& statement, const Symbols& symbols) {
    for (Branch& branch : statement.branches) {
      bind(branch.test.get(), symbols);
      bind_body(branch.body, symbols);
    }
    switch (statement.kind) {
      case StmtKind::for_:
        bind_for(statement, symbols);
        break;
      case StmtKind::set_block:
        bind_set_block(statement, symbols);
        break;
      case StmtKind::macro:
      case StmtKind::call_block:
      case StmtKind::generation:
        bind(statement.expr.get(), symbols);
        if (statement.target != nullptr) bind_target(*statement.target, symbols);
        bind_function(*statement.function, symbols);
        break;
      default:
        bind(statement.expr.get(), symbols);
        if (statement.target != nullptr) bind_target(*statement.target, symbols);
    }
  }

  void bind_for(Stmt& statement, const Symbols& outer) {
    bind(statement.expr.get(), outer);
    if (statement.test != nullptr) bind_test(statement, outer);
    ++loops_;
    Symbols symbols = inner(outer);
    symbols.declare("loop");
    Analysis analysis(symbols);
    analysis.target(*statement.target, true);
    analysis.body(statement.body);
    statement.loop_slot = symbols.slot_of("loop");
    bind_target(*statement.target, symbols);
    bind_body(statement.body, symbols);
    finish(statement.scope, symbols);
    Symbols else_symbols = inner(outer);
    Analysis(else_symbols).body(statement.else_body);
    bind_body(statement.else_body, else_symbols);
    finish(statement.else_scope, else_symbols);
    --loops_;
  }

  // The condition of a loop sees the item before the body does, so it has variables of its own.
  void bind_test(Stmt& statement, const Symbols& outer) {
    FunctionSlots function;
    function.depth = outer.function->depth + 1;
    Symbols symbols = inner(outer, &function);
    Analysis analysis(symbols);
    analysis.target(*statement.target, true);
    analysis.loads(statement.test.get());
    statement.test_target = copy_target(*statement.target);
    bind_target(*statement.test_target, symbols);
    bind(statement.test.get(), symbols);
    finish(statement.test_scope, symbols);
    statement.test_scope.slots = static_cast<uint32_t>(function.indices.size());
  }

  void bind_set_block(Stmt& statement, const Symbols& outer) {
    bind_target(*statement.target, outer);
    Symbols symbols = inner(outer);
    Analysis analysis(symbols);
    analysis.body(statement.body);
    analysis.loads(statement.expr.get());
    bind_body(statement.body, symbols);
    bind(statement.expr.get(), symbols);
    finish(statement.scope, symbols);
  }

  void bind_function(Function& function, const Symbols& outer) {
    FunctionSlots slots;
    slots.depth = outer.function->depth + 1;
    Symbols symbols = inner(outer, &slots);
    for (const std::string& name : function.parameters) symbols.declare(name);
    Analysis analysis(symbols);
    for (const ExprPtr& expr : function.defaults) analysis.loads(expr.get());
    analysis.body(function.body);
    const auto special = [&](const std::string& name, bool& used, Slot& slot) {
      used = mentions(function.body, name);
      if (!used) return;
      symbols.declare(name);
      slot = symbols.slot_of(name);
    };
    special("caller", function.uses_caller, function.caller_slot);
    special("kwargs", function.uses_kwargs, function.kwargs_slot);
    special("varargs", function.uses_varargs, function.varargs_slot);
    for (const std::string& name : function.parameters)
      function.parameter_slots.push_back(symbols.slot_of(name));
    for (const ExprPtr& expr : function.defaults) bind(expr.get(), symbols);
    bind_body(function.body, symbols);
    finish(function.scope, symbols);
    function.scope.slots = static_cast<uint32_t>(slots.indices.size());
  }

  int loops_ = 0;
  bool in_target_ = false;
};

}  // namespace

void bind_names(Program& program) { Binder().bind_program(program); }

}  // namespace cuset::text::jinja
