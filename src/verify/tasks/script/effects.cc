#include "verify/tasks/script/effects.h"

#include <algorithm>
#include <string_view>

namespace cuset::script {
namespace {

using Kind = Expression::Kind;

constexpr int kDeepest = 16;

// Attributes that are no view of the numbers.
const std::set<std::string_view> kPlainAttributes = {"shape",  "size",     "ndim",  "dtype",
                                                     "device", "itemsize", "nbytes"};

// Methods whose result shares nothing with the array.
const std::set<std::string_view> kFreshMethods = {"copy",
                                                  "clone",
                                                  "astype",
                                                  "sum",
                                                  "mean",
                                                  "std",
                                                  "var",
                                                  "min",
                                                  "max",
                                                  "argmax",
                                                  "argmin",
                                                  "exp",
                                                  "log",
                                                  "sqrt",
                                                  "abs",
                                                  "pow",
                                                  "matmul",
                                                  "mm",
                                                  "dot",
                                                  "item",
                                                  "tolist",
                                                  "any",
                                                  "all",
                                                  "norm",
                                                  "cumsum",
                                                  "cumprod",
                                                  "sigmoid",
                                                  "tanh",
                                                  "relu",
                                                  "clip",
                                                  "clamp",
                                                  "round",
                                                  "floor",
                                                  "ceil",
                                                  "numel",
                                                  "size",
                                                  "dim",
                                                  "softmax",
                                                  "topk",
                                                  "argsort",
                                                  "nonzero",
                                                  "unique",
                                                  "repeat",
                                                  "rand",
                                                  "randn",
                                                  "random",
                                                  "normal",
                                                  "uniform",
                                                  "integers",
                                                  "choice",
                                                  "randint",
                                                  "permutation",
                                                  "standard_normal",
                                                  "lower",
                                                  "upper",
                                                  "format",
                                                  "join",
                                                  "tofile",
                                                  "square",
                                                  "prod",
                                                  "log_softmax"};

// Library functions whose result may share with their arguments.
const std::set<std::string_view> kViewFunctions = {"asarray",      "ascontiguousarray",
                                                   "as_tensor",    "from_numpy",
                                                   "reshape",      "ravel",
                                                   "transpose",    "squeeze",
                                                   "unsqueeze",    "expand_dims",
                                                   "broadcast_to", "swapaxes",
                                                   "moveaxis",     "flip",
                                                   "fliplr",       "flipud",
                                                   "rot90",        "split",
                                                   "array_split",  "chunk",
                                                   "permute",      "flatten",
                                                   "meshgrid",     "narrow",
                                                   "asfarray",     "atleast_1d",
                                                   "atleast_2d",   "movedim",
                                                   "view_as_real", "frombuffer",
                                                   "require",      "t"};

const std::set<std::string_view> kFreshBuiltins = {"int", "float", "len",        "range", "open",  "str",
                                                   "abs", "sum",   "bool",       "print", "round", "pow",
                                                   "all", "any",   "isinstance", "type"};

const std::set<std::string_view> kChangingMethods = {"fill",      "sort",   "append", "extend", "insert",
                                                     "pop",       "remove", "clear",  "update", "reverse",
                                                     "partition", "put",    "resize", "add"};

// Functions that change their first argument.
const std::set<std::string_view> kChangingFunctions = {"shuffle", "copyto", "fill_diagonal", "place",
                                                       "putmask", "at",     "heappush",      "heapify"};

bool ends_in_underscore(const std::string& name) {
  return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

void merge(Names& into, const Names& from) { into.insert(from.begin(), from.end()); }

void remove_targets(const Expression& target, Names& names) {
  if (target.kind == Kind::kName) names.erase(target.symbol);
  for (const ExpressionPtr& child : target.children)
    if (child && target.kind != Kind::kSubscript && target.kind != Kind::kAttribute)
      remove_targets(*child, names);
}

}  // namespace

bool NameTable::is_module(const Expression& expression) const {
  const Expression* root = &expression;
  while (root->kind == Kind::kAttribute) root = root->children[0].get();
  return root->kind == Kind::kName && modules.count(root->symbol) > 0;
}

const FunctionEffects* NameTable::function_called(const Expression& call) const {
  if (call.children[0]->kind != Kind::kName) return nullptr;
  const auto found = functions.find(call.children[0]->symbol);
  return found == functions.end() ? nullptr : &found->second;
}

const Expression* NameTable::argument(const Expression& call, const FunctionDefinition& definition,
                                      size_t parameter) const {
  for (const auto& [name, value] : call.keywords)
    if (name == definition.parameter_names[parameter]) return value.get();
  return parameter + 1 < call.children.size() ? call.children[parameter + 1].get() : nullptr;
}

bool NameTable::is_wanted(const std::string& path) const {
  const size_t slash = path.rfind('/');
  const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
  return wanted.count(file) > 0 || wanted.count(file.substr(0, file.rfind('.'))) > 0;
}

std::optional<std::string> NameTable::path_of(const Expression& expression, int depth) const {
  if (depth > kDeepest) return std::nullopt;
  const auto joined = [&](size_t first, std::string_view between) -> std::optional<std::string> {
    std::string text;
    for (size_t i = first; i < expression.children.size(); ++i) {
      const auto part = path_of(*expression.children[i], depth + 1);
      if (!part) return std::nullopt;
      text += (i > first ? between : "");
      text += *part;
    }
    return text;
  };
  switch (expression.kind) {
    case Kind::kString:
      return expression.text;
    case Kind::kFormatted:
      return joined(0, "");
    case Kind::kName: {
      const auto found = constants.find(expression.symbol);
      return found == constants.end() || !found->second ? std::nullopt : path_of(*found->second, depth + 1);
    }
    case Kind::kBinary:
      if (expression.operators[0] == Operator::kAdd) return joined(0, "");
      if (expression.operators[0] == Operator::kDivide) return joined(0, "/");
      return std::nullopt;
    case Kind::kCall: {
      const std::string& name = expression.children[0]->text;
      if (name == "join" || name == "Path" || name == "str") return joined(1, "/");
      if (name == "open" && expression.children.size() > 1)
        return path_of(*expression.children[1], depth + 1);
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

Names NameTable::shown_by(const Expression& expression) const {
  Names shown;
  switch (expression.kind) {
    case Kind::kName:
      if (modules.count(expression.symbol) == 0) shown.insert(expression.symbol);
      break;
    case Kind::kAttribute:
      if (kPlainAttributes.count(expression.text) == 0) return shown_by(*expression.children[0]);
      break;
    case Kind::kSubscript:
      return shown_by(*expression.children[0]);
    case Kind::kCall:
      add_shown_by_call(expression, shown);
      break;
    case Kind::kComprehension:
      for (const Expression::Clause& clause : expression.clauses) merge(shown, shown_by(*clause.iterable));
      [[fallthrough]];
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
    case Kind::kStarred:
    case Kind::kConditional:
    case Kind::kAnd:
    case Kind::kOr:
      for (const ExpressionPtr& child : expression.children) merge(shown, shown_by(*child));
      break;
    default:
      break;
  }
  return shown;
}

void NameTable::add_shown_by_call(const Expression& call, Names& shown) const {
  const Expression& callee = *call.children[0];
  const auto add_arguments = [&] {
    for (size_t i = 1; i < call.children.size(); ++i) merge(shown, shown_by(*call.children[i]));
    for (const auto& [name, value] : call.keywords) merge(shown, shown_by(*value));
  };
  for (const auto& [name, value] : call.keywords)
    if (name == "out") merge(shown, shown_by(*value));
  if (is_module(callee)) {
    const bool changes = ends_in_underscore(callee.text) || kViewFunctions.count(callee.text) > 0;
    if (changes) add_arguments();
  } else if (callee.kind == Kind::kAttribute) {
    if (kFreshMethods.count(callee.text) == 0) merge(shown, shown_by(*callee.children[0]));
  } else if (const FunctionEffects* effects = function_called(call); effects && effects->known) {
    for (const size_t parameter : effects->returned)
      if (const Expression* given = argument(call, *effects->definition, parameter))
        merge(shown, shown_by(*given));
  } else if (kFreshBuiltins.count(callee.text) == 0) {
    add_arguments();
  }
}

void NameTable::add_uses(const Expression& expression, Names& uses) const {
  if (expression.kind == Kind::kName) {
    uses.insert(expression.symbol);
    const auto function = functions.find(expression.symbol);
    if (function != functions.end()) merge(uses, function->second.uses);
    return;
  }
  Names inside;
  for (const ExpressionPtr& child : expression.children)
    if (child) add_uses(*child, inside);
  for (const auto& [name, value] : expression.keywords) add_uses(*value, inside);
  for (const Expression::Clause& clause : expression.clauses)
    for (const ExpressionPtr& condition : clause.conditions) add_uses(*condition, inside);
  for (const Expression::Clause& clause : expression.clauses) remove_targets(*clause.target, inside);
  for (const Expression::Clause& clause : expression.clauses) add_uses(*clause.iterable, inside);
  if (expression.function) {
    for (const StatementPtr& statement : expression.function->body)
      if (statement->value) add_uses(*statement->value, inside);
    for (const Symbol parameter : expression.function->parameters) inside.erase(parameter);
    for (const ExpressionPtr& value : expression.function->defaults)
      if (value) add_uses(*value, inside);
  }
  merge(uses, inside);
}

void NameTable::add_changed(const Expression& expression, Names& changed) const {
  if (expression.kind == Kind::kCall) add_changed_by_call(expression, changed);
  for (const ExpressionPtr& child : expression.children)
    if (child) add_changed(*child, changed);
  for (const auto& [name, value] : expression.keywords) add_changed(*value, changed);
  for (const Expression::Clause& clause : expression.clauses) add_changed(*clause.iterable, changed);
}

void NameTable::add_changed_by_call(const Expression& call, Names& changed) const {
  const Expression& callee = *call.children[0];
  for (const auto& [name, value] : call.keywords)
    if (name == "out") merge(changed, shown_by(*value));
  const bool method = callee.kind == Kind::kAttribute && !is_module(callee);
  if (method && (ends_in_underscore(callee.text) || kChangingMethods.count(callee.text) > 0))
    merge(changed, shown_by(*callee.children[0]));
  const bool function =
      kChangingFunctions.count(callee.text) > 0 || (!method && ends_in_underscore(callee.text));
  if (function && call.children.size() > 1) merge(changed, shown_by(*call.children[1]));
  if (const FunctionEffects* effects = function_called(call)) {
    merge(changed, effects->outer_changed);
    for (size_t i = 0; i < effects->definition->parameters.size(); ++i)
      if (!effects->known || effects->changed.count(i) > 0)
        if (const Expression* given = argument(call, *effects->definition, i))
          merge(changed, shown_by(*given));
  }
}

NameTable::Write NameTable::write_of(const Expression& expression) const {
  Write write = expression.kind == Kind::kCall ? write_of_call(expression) : Write::kNo;
  for (const ExpressionPtr& child : expression.children)
    if (child) write = std::max(write, write_of(*child));
  for (const auto& [name, value] : expression.keywords) write = std::max(write, write_of(*value));
  return write;
}

NameTable::Write NameTable::write_of_call(const Expression& call) const {
  const Expression& callee = *call.children[0];
  const auto by_path = [&](const Expression& path) {
    const auto text = path_of(path);
    return !text ? Write::kUnseen : is_wanted(*text) ? Write::kWanted : Write::kNo;
  };
  if (callee.kind == Kind::kAttribute && callee.text == "tofile" && call.children.size() > 1)
    return by_path(*call.children[1]);
  if (callee.kind == Kind::kAttribute && callee.text == "write") return by_path(*callee.children[0]);
  const FunctionEffects* effects = function_called(call);
  if (!effects) return Write::kNo;
  if (effects->writes_wanted) return Write::kWanted;
  if (!effects->writes_unseen && effects->known) return Write::kNo;
  // The file's name is among the arguments, most likely.
  bool named = false, wants = false;
  for (size_t i = 1; i < call.children.size(); ++i)
    if (const auto text = path_of(*call.children[i])) {
      named = true;
      wants = wants || is_wanted(*text);
    }
  for (const auto& [name, value] : call.keywords)
    if (const auto text = path_of(*value)) {
      named = true;
      wants = wants || is_wanted(*text);
    }
  return wants ? Write::kWanted : named ? Write::kNo : Write::kUnseen;
}

}  // namespace cuset::script
