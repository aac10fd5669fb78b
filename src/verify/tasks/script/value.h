// Values of the interpreter. Lists, arrays and the like are shared by those who hold them, as in Python.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verify/tasks/script/numbers.h"
#include "verify/tasks/script/syntax.h"

namespace cuset::script {

struct Value;
struct Frame;
using Values = std::vector<Value>;

struct None {};
struct EllipsisMark {};
// One number with a type: what a full index into an array gives.
struct Scalar {
  double value = 0;
  NumberType type = NumberType::kFloat64;
  bool torch = false;
};
struct List;
struct Tuple;
struct Dict;
struct Slice;
struct Range {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  int64_t count() const;
};
// A module, or what stands in one: "numpy.random.rand". Built-in names begin with "builtins.".
struct Named {
  std::shared_ptr<const std::string> path;
};
struct Closure;
struct File {
  std::string path;
  bool begun = false;  // something has been written: the next write goes behind it
};
// What a statement should have given that failed. Using it fails in the same words.
struct Poison {
  int line = 0;
  std::string message;
};
struct Unset {};

using ArrayPtr = std::shared_ptr<Numbers>;

struct Value {
  std::variant<Unset, None, bool, int64_t, double, Scalar, std::shared_ptr<const std::string>, ArrayPtr,
               std::shared_ptr<List>, std::shared_ptr<Tuple>, std::shared_ptr<Dict>, std::shared_ptr<Slice>,
               EllipsisMark, Range, Named, std::shared_ptr<Closure>, std::shared_ptr<File>,
               std::shared_ptr<Poison>>
      held;

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(held);
  }
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&held);
  }
  const Numbers* array() const { return is<ArrayPtr>() ? std::get<ArrayPtr>(held).get() : nullptr; }
  const std::string* string() const;
  // Items of a list or tuple; null otherwise.
  const Values* items() const;
  bool is_none() const { return is<None>() || is<Unset>(); }
  bool is_number() const { return is<bool>() || is<int64_t>() || is<double>() || is<Scalar>(); }
};

// Lets go of `items` one after the other, so that lists in lists in lists need no stack.
void release(Values& items);

struct List {
  Values items;
  bool watched = false;  // may hold itself: taken apart at the end of the script
  ~List() { release(items); }
};
struct Tuple {
  Values items;
  ~Tuple() { release(items); }
};
struct Dict {
  Values keys;
  Values values;  // beside the keys
  bool watched = false;
  ~Dict() {
    release(keys);
    release(values);
  }
};
struct Slice {
  Value start, stop, step;
};

struct Closure {
  std::shared_ptr<const FunctionDefinition> definition;
  std::shared_ptr<Frame> outer;
  Values defaults;  // beside the parameters; Unset where there is none
  ~Closure() { release(defaults); }
};

// The value of `key`, or null.
Value* find_key(Dict& dict, const Value& key);

// Variables of a function call or of the module, by symbol.
struct Frame {
  std::vector<Value> variables;
  std::shared_ptr<Frame> outer;  // null for the module
  std::vector<Symbol> globals;   // names that mean the module's variables
  ~Frame() { release(variables); }
};

Value none();
Value of(bool value);
Value of(int64_t value);
Value of(double value);
Value of(std::string text);
Value of(Numbers numbers);
Value list_of(Values items);
Value tuple_of(Values items);
Value named(std::string path);

// "int", "str", "an array": for messages.
std::string kind_of(const Value& value);

// Python's notion of truth. Throws Failure for arrays of several numbers.
bool truth(const Value& value);
bool equal(const Value& a, const Value& b);

// Conversions; each throws Failure naming what it was given.
int64_t integer_of(const Value& value);  // whole numbers; arrays of one
double number_of(const Value& value);    // any number; arrays of one
const std::string& string_of(const Value& value);
// Elements in order: lists, tuples, ranges, strings, dict keys, rows of an array.
Values elements_of(const Value& value);
std::string printed(const Value& value);

}  // namespace cuset::script
