// A call of a library function, and what such functions may use.
//
// Functions are found by the last part of their name: numpy.exp, torch.exp and x.exp() are one function.
// Where numpy and PyTorch differ, `torch` says which is meant. Options that say where a tensor lives (device,
// layout, requires_grad, out of a generator) are ignored.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/tasks/script/budget.h"
#include "verify/tasks/script/draws.h"
#include "verify/tasks/script/value.h"

namespace cuset::script {

// What the script sees outside itself.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // `behind`: after what the file holds already, else in its place.
  virtual void write(const std::string& path, const Numbers& numbers, bool behind) = 0;
  // Whole where `count` is negative.
  virtual Numbers read(const std::string& path, NumberType type, int64_t count) = 0;
  virtual void print(const std::string& text) = 0;
};

struct Machine {
  Machine(const Budget::Limits& limits, const Draws& from, Surroundings& around)
      : budget(std::make_shared<Budget>(limits)), draws(from), surroundings(around) {}

  std::shared_ptr<Budget> budget;
  Draws draws;
  Surroundings& surroundings;
  // Calls a value of the script: a function, a lambda, or a library function.
  std::function<Value(const Value& callee, Values arguments)> invoke;

  // Remembers a list or dict into which a value is put: it may come to hold itself, and nobody frees it then.
  void watch(const Value& container);
  // Empties all of them.
  void take_apart();

 private:
  std::vector<std::weak_ptr<List>> lists_;
  std::vector<std::weak_ptr<Dict>> dicts_;
};

struct Call {
  Machine& machine;
  std::string_view name;
  bool torch = false;
  Values positional;
  std::vector<std::pair<std::string, Value>> keywords;

  // Null where it is not given, or None.
  const Value* find(size_t position, std::string_view keyword, std::string_view other = "") const;
  // Throws Failure where it is missing.
  const Value& need(size_t position, std::string_view keyword, std::string_view other = "") const;
  Numbers array(size_t position, std::string_view keyword, std::string_view other = "") const;
  int64_t integer(size_t position, std::string_view keyword, int64_t otherwise) const;
  double number(size_t position, std::string_view keyword, double otherwise) const;
  bool flag(size_t position, std::string_view keyword, bool otherwise) const;
  // Nothing where there is none; `position` beyond the arguments: by keyword only.
  std::optional<NumberType> dtype(size_t position = SIZE_MAX) const;
  // The positional arguments from `first` on as a shape: f(2, 3) or f((2, 3)); or one of the keywords.
  Shape shape(size_t first) const;
  // axis= or dim=, several of them or none (all axes), counted from 0.
  std::vector<int64_t> axes(size_t position, int64_t rank) const;
  Likeness likeness(NumberType type) const { return {machine.budget, type, torch}; }
  NumberType default_float() const { return torch ? NumberType::kFloat32 : NumberType::kFloat64; }
};

// The type that np.float32, torch.float, "float32", float or x.dtype means; nothing for other values.
std::optional<NumberType> type_named_by(const Value& value);
Shape shape_of(const Value& value);
Value array_transposed(const Numbers& a);
Value dtype_value(NumberType type, bool torch);

using Function = Value (*)(Call& call);
using FunctionTable = std::unordered_map<std::string_view, Function>;

// By the path of a name: "numpy.random.rand", "torch.zeros", "builtins.len". Null where it is not known.
Function find_function(const std::string& path);
// x.name(...) of an array; x is the first argument.
Function find_array_method(const std::string& name);
// Of a str, list, tuple, dict or file.
Function find_method(const Value& value, const std::string& name);
bool is_builtin(const std::string& name);

void add_creation_functions(FunctionTable& table);
void add_elementwise_functions(FunctionTable& table);
void add_reduction_functions(FunctionTable& table);
void add_shape_functions(FunctionTable& table);
void add_order_functions(FunctionTable& table);
void add_joining_functions(FunctionTable& table);
void add_random_functions(FunctionTable& table);
void add_array_methods(FunctionTable& table);
void add_builtin_functions(FunctionTable& table);
void add_object_methods(FunctionTable& table);
void add_system_functions(FunctionTable& table);

}  // namespace cuset::script
