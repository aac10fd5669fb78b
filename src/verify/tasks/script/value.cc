#include "verify/tasks/script/value.h"

#include <cmath>

#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {
namespace {

constexpr int64_t kMostElements = 1 << 24;

int64_t whole(double number) {
  if (number != std::floor(number) || std::abs(number) > 0x1p53)
    throw Failure("{} is no whole number", number);
  return static_cast<int64_t>(number);
}

double only_number(const Numbers& numbers) {
  if (numbers.count() != 1)
    throw Failure("an array of shape {} where one number is wanted", text_of(numbers.shape));
  return *numbers.data();
}

constexpr int kDeepest = 20;  // of lists in lists that are compared or printed

bool equal_to(const Value& a, const Value& b, int depth) {
  if (depth > kDeepest) throw Failure("lists nested too deeply");
  if (a.is_number() && b.is_number()) return number_of(a) == number_of(b);
  if (a.string() && b.string()) return *a.string() == *b.string();
  if (a.items() && b.items()) {
    if (a.held.index() != b.held.index() || a.items()->size() != b.items()->size()) return false;
    for (size_t i = 0; i < a.items()->size(); ++i)
      if (!equal_to((*a.items())[i], (*b.items())[i], depth + 1)) return false;
    return true;
  }
  if (const auto *left = a.as<Named>(), *right = b.as<Named>(); left && right) {
    const auto last = [](const std::string& path) { return path.substr(path.rfind('.') + 1); };
    return last(*left->path) == last(*right->path);
  }
  return a.is_none() && b.is_none();
}

Values elements_of_range(const Range& range) {
  if (range.count() > kMostElements) throw Failure("a range of {} numbers as a list", range.count());
  Values items;
  items.reserve(static_cast<size_t>(range.count()));
  for (int64_t i = 0; i < range.count(); ++i) items.push_back(of(range.start + i * range.step));
  return items;
}

std::string printed_to(const Value& value, int depth);

std::string joined(const Values& items, int depth) {
  if (depth > kDeepest || items.size() > 1000) return "...";
  std::string text;
  for (const Value& item : items) {
    text += (text.empty() ? "" : ", ") + printed_to(item, depth + 1);
    if (text.size() > 10000) return "...";
  }
  return text;
}

std::string printed_to(const Value& value, int depth) {
  if (const std::string* text = value.string()) return *text;
  if (const auto* boolean = value.as<bool>()) return *boolean ? "True" : "False";
  if (const auto* integer = value.as<int64_t>()) return std::to_string(*integer);
  if (value.is_none()) return "None";
  if (value.is_number()) {
    const std::string text = fmt::format("{}", number_of(value));
    return value.is<double>() && text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  if (const auto* list = value.as<std::shared_ptr<List>>()) return "[" + joined((*list)->items, depth) + "]";
  if (const auto* tuple = value.as<std::shared_ptr<Tuple>>())
    return "(" + joined((*tuple)->items, depth) + ")";
  if (const auto* name = value.as<Named>()) return *name->path;
  return kind_of(value);
}

}  // namespace

int64_t Range::count() const {
  if (step > 0) return start >= stop ? 0 : (stop - start - 1) / step + 1;  // both within 2^53
  return start <= stop ? 0 : (start - stop - 1) / -step + 1;
}

const std::string* Value::string() const {
  const auto* text = as<std::shared_ptr<const std::string>>();
  return text ? text->get() : nullptr;
}

const Values* Value::items() const {
  if (const auto* list = as<std::shared_ptr<List>>()) return &(*list)->items;
  if (const auto* tuple = as<std::shared_ptr<Tuple>>()) return &(*tuple)->items;
  return nullptr;
}

Value none() { return {None{}}; }
Value of(bool value) { return {value}; }
Value of(int64_t value) { return {value}; }
Value of(double value) { return {value}; }
Value of(std::string text) { return {std::make_shared<const std::string>(std::move(text))}; }
Value of(Numbers numbers) { return {std::make_shared<Numbers>(std::move(numbers))}; }
Value list_of(Values items) {
  auto list = std::make_shared<List>();
  list->items = std::move(items);
  return {std::move(list)};
}
Value tuple_of(Values items) {
  auto tuple = std::make_shared<Tuple>();
  tuple->items = std::move(items);
  return {std::move(tuple)};
}
Value named(std::string path) { return {Named{std::make_shared<const std::string>(std::move(path))}}; }

std::string kind_of(const Value& value) {
  constexpr const char* kKinds[] = {"nothing",    "None",    "a bool",        "an int",  "a float",
                                    "a number",   "a str",   "an array",      "a list",  "a tuple",
                                    "a dict",     "a slice", "...",           "a range", "a name",
                                    "a function", "a file",  "a failed value"};
  return kKinds[value.held.index()];
}

bool truth(const Value& value) {
  if (value.is_none()) return false;
  if (value.is_number()) return number_of(value) != 0;
  if (const Numbers* numbers = value.array()) return only_number(*numbers) != 0;
  if (const std::string* text = value.string()) return !text->empty();
  if (const Values* items = value.items()) return !items->empty();
  if (const auto* dict = value.as<std::shared_ptr<Dict>>()) return !(*dict)->keys.empty();
  if (const auto* range = value.as<Range>()) return range->count() > 0;
  return true;
}

bool equal(const Value& a, const Value& b) { return equal_to(a, b, 0); }

Value* find_key(Dict& dict, const Value& key) {
  for (size_t i = 0; i < dict.keys.size(); ++i)
    if (equal(dict.keys[i], key)) return &dict.values[i];
  return nullptr;
}

int64_t integer_of(const Value& value) {
  if (const auto* integer = value.as<int64_t>()) return *integer;
  if (const auto* boolean = value.as<bool>()) return *boolean;
  if (const auto* scalar = value.as<Scalar>()) return whole(scalar->value);
  if (const Numbers* numbers = value.array()) return whole(only_number(*numbers));
  if (const auto* number = value.as<double>()) return whole(*number);
  throw Failure("{} where a whole number is wanted", kind_of(value));
}

double number_of(const Value& value) {
  if (const auto* number = value.as<double>()) return *number;
  if (const auto* integer = value.as<int64_t>()) return static_cast<double>(*integer);
  if (const auto* boolean = value.as<bool>()) return *boolean;
  if (const auto* scalar = value.as<Scalar>()) return scalar->value;
  if (const Numbers* numbers = value.array()) return only_number(*numbers);
  throw Failure("{} where a number is wanted", kind_of(value));
}

const std::string& string_of(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  throw Failure("{} where a str is wanted", kind_of(value));
}

Values elements_of(const Value& value) {
  if (const Values* items = value.items()) return *items;
  if (const auto* range = value.as<Range>()) return elements_of_range(*range);
  Values items;
  if (const auto* dict = value.as<std::shared_ptr<Dict>>()) {
    items = (*dict)->keys;
  } else if (const std::string* text = value.string()) {
    for (const char c : *text) items.push_back(of(std::string(1, c)));
  } else if (const Numbers* numbers = value.array()) {
    if (numbers->rank() == 0) throw Failure("a single number where several are wanted");
    if (numbers->shape[0] > kMostElements)
      throw Failure("a walk over {} rows of an array", numbers->shape[0]);
    for (int64_t i = 0; i < numbers->shape[0]; ++i) items.push_back(item_of(*numbers, i));
  } else {
    throw Failure("{} where several values are wanted", kind_of(value));
  }
  return items;
}

std::string printed(const Value& value) { return printed_to(value, 0); }

void release(Values& items) {
  thread_local std::vector<Values> waiting;
  thread_local bool busy = false;
  if (items.empty()) return;
  waiting.push_back(std::move(items));
  items.clear();
  if (std::exchange(busy, true)) return;
  while (!waiting.empty()) {
    Values next = std::move(waiting.back());
    waiting.pop_back();
    next.clear();
  }
  busy = false;
}

}  // namespace cuset::script
