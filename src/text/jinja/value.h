// Values of the template language: Python's, as far as chat templates use them.
//
// Containers are immutable and shared. Two things can refer to themselves, namespaces and macros (through
// what they close over); the evaluator keeps a list of them and empties them when rendering ends, so nothing
// leaks. Every container knows how deeply it nests and refuses to nest deeper than kDeepestValue, so that
// recursion over a value (printing, comparing, destroying) is bounded whatever a template builds.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "text/jinja/text.h"

namespace cuset::text::jinja {

// What goes wrong while a template runs. The evaluator adds the place and turns it into an Error.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(fmt::format(format, std::forward<Args>(args)...));
}

// What rendering may cost. One unit is about a byte touched; a step of the evaluator counts kStep.
class Budget {
 public:
  static constexpr size_t kStep = 32;

  explicit Budget(size_t units) : left_(units) {}

  // Counts work; throws Failure when the limit is passed. Called before memory is taken.
  void charge(size_t units) {
    if (units > left_) fail("the template does too much work (a loop that grows without end?)");
    left_ -= units;
  }
  void step() { charge(kStep); }
  void charge_items(size_t count) { charge(count > SIZE_MAX / 64 ? SIZE_MAX : count * 64); }

 private:
  size_t left_;
};

inline constexpr int kDeepestValue = 600;

class Value;
struct Sequence;
struct Dict;
struct Namespace;
struct Loop;
struct Macro;
struct Method;
class Iterator;

// A slot of a scope that holds nothing (yet).
struct Missing {};
struct None {};
// Jinja's Undefined: falsy, prints nothing, iterates over nothing; anything else fails with `why`.
struct Undefined {
  std::shared_ptr<const std::string> why;
};
struct Range {
  int64_t start = 0, stop = 0, step = 1;
  int64_t size() const;
  int64_t operator[](int64_t index) const { return start + index * step; }
};
// dict.items(), dict.keys(), dict.values().
struct View {
  enum class What { items, keys, values } what = What::items;
  std::shared_ptr<const Dict> dict;
};
// A function that every template may call: range, dict, namespace, raise_exception, strftime_now.
struct Builtin {
  const char* name;
};

using ListPtr = std::shared_ptr<const Sequence>;
using DictPtr = std::shared_ptr<const Dict>;
using GeneratorPtr = std::shared_ptr<Iterator>;

struct List {
  ListPtr items;
};
struct Tuple {
  ListPtr items;
};

class Value {
 public:
  using Data = std::variant<Missing, Undefined, None, bool, int64_t, double, TextPtr, List, Tuple, DictPtr,
                            View, Range, GeneratorPtr, std::shared_ptr<Namespace>, std::shared_ptr<Loop>,
                            std::shared_ptr<const Macro>, Builtin, std::shared_ptr<const Method>>;

  Value() = default;
  template <typename T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Value> && std::is_constructible_v<Data, T>)
  Value(T&& data) : data_(std::forward<T>(data)) {}  // NOLINT: values convert freely
  Value(int number) : data_(int64_t{number}) {}      // NOLINT

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(data_);
  }
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data_);
  }
  const Data& data() const { return data_; }

  bool is_missing() const { return is<Missing>(); }
  bool is_undefined() const { return is<Undefined>(); }
  // The text of a string, else null.
  const Text* text() const { return is<TextPtr>() ? std::get<TextPtr>(data_).get() : nullptr; }
  // The items of a list or tuple, else null.
  const std::vector<Value>* items() const;
  const Dict* dict() const { return is<DictPtr>() ? std::get<DictPtr>(data_).get() : nullptr; }
  // An int or a bool.
  std::optional<int64_t> integer() const;
  bool is_number() const { return is<bool>() || is<int64_t>() || is<double>(); }
  double real() const;

 private:
  Data data_;
};

struct Sequence {
  std::vector<Value> items;
  int depth = 1;
};

// Insertion-ordered mapping. Keys are hashable values, nearly always strings; look-up is linear, because the
// objects of a chat are small, and is charged for.
struct Dict {
  std::vector<std::pair<Value, Value>> items;
  int depth = 1;
};

struct Namespace {
  std::vector<std::pair<std::string, Value>> attributes;

  const Value* find(std::string_view name) const;
  void set(std::string_view name, Value value);
};

// A method taken from a value: 'abc'.upper.
struct Method {
  Value self;
  std::string name;
};

// A source of values, used once.
class Iterator {
 public:
  explicit Iterator(int depth) : depth_(depth) {}
  virtual ~Iterator() = default;
  virtual bool next(Value& out) = 0;
  int depth() const { return depth_; }

 private:
  int depth_;
};

Value undefined(std::string why);
Value make_list(std::vector<Value> items);
Value make_tuple(std::vector<Value> items);
Value make_dict(std::vector<std::pair<Value, Value>> items);
// A generator that calls `next` until it returns false. `depth` is that of what it draws from.
Value make_generator(int depth, std::function<bool(Value&)> next);
Value text_value(std::string_view plain);

// How deeply the value nests; throws Failure beyond kDeepestValue.
int depth_of(const Value& value);
// Python's type name: "str", "list", "Undefined".
const char* type_name(const Value& value);

bool is_true(const Value& value);
// Python's == and <. `less` fails for types that have no order.
bool equal(const Value& a, const Value& b, Budget& budget);
bool less(const Value& a, const Value& b, Budget& budget);
// `needle in haystack`.
bool contains(const Value& haystack, const Value& needle, Budget& budget);

// len(value), or nothing for values without one.
std::optional<size_t> size_of(const Value& value);
// iter(value); fails for values that are not iterable. Who draws from it charges for the items.
std::shared_ptr<Iterator> iterate(const Value& value, Budget& budget);
bool is_iterable(const Value& value);
std::vector<Value> to_vector(const Value& value, Budget& budget);
// Whether the value can be a dictionary key.
bool is_hashable(const Value& value);
// The value under `key`, or null.
const Value* find_key(const Dict& dict, const Value& key, Budget& budget);
const Value* find_key(const Dict& dict, std::string_view key, Budget& budget);

// str(value) and repr(value), with provenance.
TextPtr to_text(const Value& value, Budget& budget);
TextPtr repr(const Value& value, Budget& budget);
// Python's repr of a float: the shortest digits that read back as the same number.
std::string float_repr(double value);

}  // namespace cuset::text::jinja
