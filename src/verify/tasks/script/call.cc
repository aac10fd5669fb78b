#include "verify/tasks/script/call.h"

#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

FunctionTable made(std::initializer_list<void (*)(FunctionTable&)> parts) {
  FunctionTable table;
  for (const auto add : parts) add(table);
  return table;
}

const FunctionTable& library() {
  static const FunctionTable table =
      made({add_creation_functions, add_elementwise_functions, add_reduction_functions, add_shape_functions,
            add_order_functions, add_joining_functions, add_system_functions, add_random_functions});
  return table;
}

const FunctionTable& methods() {
  static const FunctionTable table = made({add_array_methods});
  return table;
}

const FunctionTable& builtins() {
  static const FunctionTable table = made({add_builtin_functions});
  return table;
}

const FunctionTable& objects() {
  static const FunctionTable table = made({add_object_methods});
  return table;
}

Function found(const FunctionTable& table, std::string_view name) {
  const auto place = table.find(name);
  return place == table.end() ? nullptr : place->second;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::optional<NumberType> type_by_name(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, NumberType>, 24> kOthers = {{
      {"float", NumberType::kFloat32},  {"double", NumberType::kFloat64}, {"half", NumberType::kFloat16},
      {"int", NumberType::kInt32},      {"long", NumberType::kInt64},     {"short", NumberType::kInt16},
      {"single", NumberType::kFloat32}, {"bool_", NumberType::kBool},     {"intc", NumberType::kInt32},
      {"float_", NumberType::kFloat64}, {"int_", NumberType::kInt64},     {"ubyte", NumberType::kUint8},
      {"f4", NumberType::kFloat32},     {"<f4", NumberType::kFloat32},    {"f8", NumberType::kFloat64},
      {"<f8", NumberType::kFloat64},    {"i4", NumberType::kInt32},       {"<i4", NumberType::kInt32},
      {"i8", NumberType::kInt64},       {"<i8", NumberType::kInt64},      {"u4", NumberType::kUint32},
      {"<u4", NumberType::kUint32},     {"u1", NumberType::kUint8},       {"byte", NumberType::kInt8},
  }};
  if (const auto type = number_type_named(name)) return type;
  for (const auto& [other, type] : kOthers)
    if (other == name) return type;
  return std::nullopt;
}

}  // namespace

std::optional<NumberType> type_named_by(const Value& value) {
  if (const std::string* text = value.string()) return type_by_name(*text);
  const auto* name = value.as<Named>();
  if (!name) return std::nullopt;
  const std::string_view path = *name->path;
  if (path == "builtins.float") return NumberType::kFloat64;
  if (path == "builtins.int") return NumberType::kInt64;
  if (path == "numpy.float" || path == "numpy.double") return NumberType::kFloat64;
  if (path == "numpy.int" || path == "numpy.uint") return NumberType::kInt64;
  if (path == "numpy.byte") return NumberType::kInt8;
  return type_by_name(last_part(path));
}

Value dtype_value(NumberType type, bool torch) {
  return named(std::string(torch ? "torch." : "numpy.") + std::string(name_of(type)));
}

Shape shape_of(const Value& value) {
  if (value.is_number() || (value.array() && value.array()->rank() == 0)) return {integer_of(value)};
  Shape shape;
  for (const Value& side : elements_of(value)) shape.push_back(integer_of(side));
  return shape;
}

void Machine::watch(const Value& container) {
  const auto* list = container.as<std::shared_ptr<List>>();
  const auto* dict = container.as<std::shared_ptr<Dict>>();
  if (list && !std::exchange((*list)->watched, true)) lists_.push_back(*list);
  if (dict && !std::exchange((*dict)->watched, true)) dicts_.push_back(*dict);
}

void Machine::take_apart() {
  for (const auto& each : lists_)
    if (const auto list = each.lock()) release(list->items);
  for (const auto& each : dicts_)
    if (const auto dict = each.lock()) {
      release(dict->keys);
      release(dict->values);
    }
}

const Value* Call::find(size_t position, std::string_view keyword, std::string_view other) const {
  const Value* value = position < positional.size() ? &positional[position] : nullptr;
  for (const auto& [given, held] : keywords)
    if (given == keyword || (!other.empty() && given == other)) value = &held;
  return value && !value->is_none() ? value : nullptr;
}

const Value& Call::need(size_t position, std::string_view keyword, std::string_view other) const {
  if (const Value* value = find(position, keyword, other)) return *value;
  throw Failure("{} without its {}", name, keyword);
}

Numbers Call::array(size_t position, std::string_view keyword, std::string_view other) const {
  return array_of(need(position, keyword, other), likeness(default_float()), std::nullopt);
}

int64_t Call::integer(size_t position, std::string_view keyword, int64_t otherwise) const {
  const Value* value = find(position, keyword);
  return value ? integer_of(*value) : otherwise;
}

double Call::number(size_t position, std::string_view keyword, double otherwise) const {
  const Value* value = find(position, keyword);
  return value ? number_of(*value) : otherwise;
}

bool Call::flag(size_t position, std::string_view keyword, bool otherwise) const {
  const Value* value = find(position, keyword);
  return value ? truth(*value) : otherwise;
}

std::optional<NumberType> Call::dtype(size_t position) const {
  const Value* value = find(position, "dtype");
  if (!value) return std::nullopt;
  if (const auto type = type_named_by(*value)) return type;
  throw Failure("{} as a type in {}", printed(*value), name);
}

Shape Call::shape(size_t first) const {
  if (const Value* value = find(SIZE_MAX, "size", "shape")) return shape_of(*value);
  if (positional.size() <= first) return {};
  if (positional.size() == first + 1) return shape_of(positional[first]);
  Shape shape;
  for (size_t i = first; i < positional.size(); ++i) shape.push_back(integer_of(positional[i]));
  return shape;
}

std::vector<int64_t> Call::axes(size_t position, int64_t rank) const {
  const Value* value = find(position, "axis", "dim");
  std::vector<int64_t> axes;
  if (!value) {
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
    return axes;
  }
  for (const int64_t axis : shape_of(*value)) axes.push_back(axis_of(axis, rank));
  return axes;
}

Function find_function(const std::string& path) {
  if (begins(path, "builtins.")) return found(builtins(), last_part(path));
  // Python's own random module and numpy's share names with functions that mean something else.
  if (begins(path, "numpy.random.") || begins(path, "random.")) return found(library(), path);
  const std::string_view name = last_part(path);
  if (const Function function = found(library(), name)) return function;
  return found(methods(), name);
}

Function find_array_method(const std::string& name) {
  if (const Function method = found(methods(), name)) return method;
  if (const Function function = found(library(), name)) return function;
  // x.exp_() is x.exp() stored in x.
  const bool in_place =
      name.size() > 1 && name.back() == '_' && found(library(), name.substr(0, name.size() - 1));
  return in_place ? found(methods(), "_") : nullptr;
}

Function find_method(const Value& value, const std::string& name) {
  std::string kind = value.string() ? "str." : value.is<std::shared_ptr<List>>() ? "list." : "";
  if (value.is<std::shared_ptr<Tuple>>()) kind = "tuple.";
  if (value.is<std::shared_ptr<Dict>>()) kind = "dict.";
  if (value.is<std::shared_ptr<File>>()) kind = "file.";
  if (value.is_number()) kind = "number.";
  return found(objects(), kind + name);
}

bool is_builtin(const std::string& name) { return builtins().count(name) > 0; }

}  // namespace cuset::script
