#include "text/jinja/value.h"

#include <cmath>
#include <cstring>

#include "text/jinja/loop.h"

namespace cuset::text::jinja {
namespace {

int deeper(int depth) {
  if (depth >= kDeepestValue) fail("a value nests deeper than {} levels", kDeepestValue);
  return depth + 1;
}

int deepest_of(const std::vector<Value>& items) {
  int depth = 0;
  for (const Value& item : items) depth = std::max(depth, depth_of(item));
  return depth;
}

class CallingIterator : public Iterator {
 public:
  CallingIterator(int depth, std::function<bool(Value&)> next) : Iterator(depth), next_(std::move(next)) {}
  bool next(Value& out) override { return next_(out); }

 private:
  std::function<bool(Value&)> next_;
};

template <typename NumberPair>
bool compare_numbers(const Value& a, const Value& b, NumberPair&& compare) {
  // long double holds every int64 exactly on the platforms we build for, so mixed comparisons are exact.
  const auto wide = [](const Value& v) {
    const auto number = v.integer();
    return number ? static_cast<long double>(*number) : static_cast<long double>(v.real());
  };
  return compare(wide(a), wide(b));
}

bool equal_items(const std::vector<Value>& a, const std::vector<Value>& b, Budget& budget) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i], budget)) return false;
  }
  return true;
}

bool equal_dicts(const Dict& a, const Dict& b, Budget& budget) {
  if (a.items.size() != b.items.size()) return false;
  for (const auto& [key, value] : a.items) {
    const Value* other = find_key(b, key, budget);
    if (other == nullptr || !equal(value, *other, budget)) return false;
  }
  return true;
}

bool equal_ranges(const Range& a, const Range& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  return a.start == b.start && (a.size() == 1 || a.step == b.step);
}

bool less_items(const std::vector<Value>& a, const std::vector<Value>& b, Budget& budget) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!equal(a[i], b[i], budget)) return less(a[i], b[i], budget);
  }
  return a.size() < b.size();
}

const char* view_name(View::What what) {
  switch (what) {
    case View::What::items:
      return "dict_items";
    case View::What::keys:
      return "dict_keys";
    case View::What::values:
      return "dict_values";
  }
  return "";
}

Value view_item(const View& view, size_t index) {
  const auto& [key, value] = view.dict->items[index];
  if (view.what == View::What::keys) return key;
  if (view.what == View::What::values) return value;
  return make_tuple({key, value});
}

// An iterator over `count` things that `at` gives; `keep` keeps their container alive.
template <typename At>
std::shared_ptr<Iterator> indexed(const Value& keep, size_t count, const At& at) {
  return std::make_shared<CallingIterator>(depth_of(keep),
                                           [keep, count, at, i = size_t{0}](Value& out) mutable {
                                             if (i >= count) return false;
                                             out = at(i++);
                                             return true;
                                           });
}

std::shared_ptr<Iterator> iterate_text(const TextPtr& text) {
  return std::make_shared<CallingIterator>(1, [text, position = size_t{0}](Value& out) mutable {
    if (position >= text->bytes.size()) return false;
    const size_t end = code_point_at(text->bytes, position).end;
    out = slice_bytes(*text, position, end);
    position = end;
    return true;
  });
}

}  // namespace

int64_t Range::size() const {
  if (step > 0 ? stop <= start : stop >= start) return 0;
  const auto low = static_cast<uint64_t>(step > 0 ? start : stop);
  const auto high = static_cast<uint64_t>(step > 0 ? stop : start);
  const uint64_t width = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  const uint64_t count = (high - low - 1) / width + 1;
  return count > INT64_MAX ? INT64_MAX : static_cast<int64_t>(count);
}

const std::vector<Value>* Value::items() const {
  if (const auto* list = as<List>()) return &list->items->items;
  if (const auto* tuple = as<Tuple>()) return &tuple->items->items;
  return nullptr;
}

std::optional<int64_t> Value::integer() const {
  if (const auto* number = as<int64_t>()) return *number;
  if (const auto* flag = as<bool>()) return *flag ? 1 : 0;
  return std::nullopt;
}

double Value::real() const {
  if (const auto* number = as<double>()) return *number;
  return static_cast<double>(integer().value_or(0));
}

const Value* Namespace::find(std::string_view name) const {
  for (const auto& [key, value] : attributes) {
    if (key == name) return &value;
  }
  return nullptr;
}

void Namespace::set(std::string_view name, Value value) {
  for (auto& [key, old] : attributes) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  attributes.emplace_back(name, std::move(value));
}

Value undefined(std::string why) { return Undefined{std::make_shared<const std::string>(std::move(why))}; }

Value make_list(std::vector<Value> items) {
  const int depth = deeper(deepest_of(items));
  return List{std::make_shared<const Sequence>(Sequence{std::move(items), depth})};
}

Value make_tuple(std::vector<Value> items) {
  const int depth = deeper(deepest_of(items));
  return Tuple{std::make_shared<const Sequence>(Sequence{std::move(items), depth})};
}

Value make_dict(std::vector<std::pair<Value, Value>> items) {
  int depth = 0;
  for (const auto& [key, value] : items) depth = std::max({depth, depth_of(key), depth_of(value)});
  return std::make_shared<const Dict>(Dict{std::move(items), deeper(depth)});
}

Value make_generator(int depth, std::function<bool(Value&)> next) {
  return GeneratorPtr(std::make_shared<CallingIterator>(deeper(depth), std::move(next)));
}

Value text_value(std::string_view plain) { return make_text(plain); }

int depth_of(const Value& value) {
  if (const auto* list = value.as<List>()) return list->items->depth;
  if (const auto* tuple = value.as<Tuple>()) return tuple->items->depth;
  if (const auto* dict = value.as<DictPtr>()) return (*dict)->depth;
  if (const auto* view = value.as<View>()) return deeper(view->dict->depth);
  if (const auto* generator = value.as<GeneratorPtr>()) return (*generator)->depth();
  if (const auto* loop = value.as<std::shared_ptr<Loop>>()) return (*loop)->depth;
  if (const auto* method = value.as<std::shared_ptr<const Method>>())
    return deeper(depth_of((*method)->self));
  return 0;
}

const char* type_name(const Value& value) {
  static constexpr const char* kNames[] = {"missing", "Undefined", "NoneType",  "bool",      "int",
                                           "float",   "str",       "list",      "tuple",     "dict",
                                           "",        "range",     "generator", "Namespace", "LoopContext",
                                           "Macro",   "function",  "method"};
  if (const auto* view = value.as<View>()) return view_name(view->what);
  return kNames[value.data().index()];
}

bool is_true(const Value& value) {
  if (value.is_undefined() || value.is<None>() || value.is_missing()) return false;
  if (value.is_number()) return value.is<double>() ? *value.as<double>() != 0.0 : *value.integer() != 0;
  if (value.is<std::shared_ptr<Loop>>()) return size_of(value) != 0;
  if (const Text* text = value.text()) return !text->bytes.empty();
  const auto size = size_of(value);
  return !size || *size != 0;
}

bool equal(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (a.is_number() && b.is_number()) {
    return compare_numbers(a, b, [](long double x, long double y) { return x == y; });
  }
  if (a.data().index() != b.data().index()) return false;
  if (const Text* x = a.text()) {
    const Text* y = b.text();
    if (x->bytes.size() != y->bytes.size()) return false;
    budget.charge(x->bytes.size());
    return x->bytes == y->bytes;
  }
  if (const auto* items = a.items()) return items == b.items() || equal_items(*items, *b.items(), budget);
  if (const Dict* dict = a.dict()) return dict == b.dict() || equal_dicts(*dict, *b.dict(), budget);
  if (const auto* range = a.as<Range>()) return equal_ranges(*range, *b.as<Range>());
  if (a.is<View>()) fail("comparing {} is not supported; make lists of them first", type_name(a));
  if (const auto* x = a.as<GeneratorPtr>()) return *x == *b.as<GeneratorPtr>();
  if (const auto* x = a.as<std::shared_ptr<Namespace>>()) return *x == *b.as<std::shared_ptr<Namespace>>();
  if (const auto* x = a.as<std::shared_ptr<Loop>>()) return *x == *b.as<std::shared_ptr<Loop>>();
  if (const auto* x = a.as<std::shared_ptr<const Macro>>())
    return *x == *b.as<std::shared_ptr<const Macro>>();
  if (const auto* x = a.as<Builtin>()) return std::strcmp(x->name, b.as<Builtin>()->name) == 0;
  if (a.is<std::shared_ptr<const Method>>()) return false;
  return true;  // both undefined or both none
}

bool less(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  for (const Value* value : {&a, &b}) {
    if (value->is_undefined()) fail("{}", *value->as<Undefined>()->why);
  }
  if (a.is_number() && b.is_number()) {
    return compare_numbers(a, b, [](long double x, long double y) { return x < y; });
  }
  if (a.text() != nullptr && b.text() != nullptr) {
    // Byte order of UTF-8 is code-point order.
    budget.charge(std::min(a.text()->bytes.size(), b.text()->bytes.size()));
    return a.text()->bytes < b.text()->bytes;
  }
  const bool same_kind = a.data().index() == b.data().index();
  if (same_kind && a.items() != nullptr) return less_items(*a.items(), *b.items(), budget);
  fail("'{}' and '{}' have no order", type_name(a), type_name(b));
}

bool contains(const Value& haystack, const Value& needle, Budget& budget) {
  if (const Text* text = haystack.text()) {
    const Text* part = needle.text();
    if (part == nullptr) fail("'in <string>' needs a string on its left, not {}", type_name(needle));
    budget.charge(text->bytes.size() + part->bytes.size());
    // memmem is linear in the GNU library, unlike std::string_view::find.
    return ::memmem(text->bytes.data(), text->bytes.size(), part->bytes.data(), part->bytes.size()) !=
           nullptr;
  }
  if (const Dict* dict = haystack.dict()) {
    if (!is_hashable(needle)) fail("unhashable type: '{}'", type_name(needle));
    return find_key(*dict, needle, budget) != nullptr;
  }
  const auto source = iterate(haystack, budget);
  for (Value item; source->next(item);) {
    if (equal(item, needle, budget)) return true;
  }
  return false;
}

std::optional<size_t> size_of(const Value& value) {
  if (value.is_undefined()) return 0;
  if (const Text* text = value.text()) return text->length();
  if (const auto* items = value.items()) return items->size();
  if (const Dict* dict = value.dict()) return dict->items.size();
  if (const auto* view = value.as<View>()) return view->dict->items.size();
  if (const auto* range = value.as<Range>()) return static_cast<size_t>(range->size());
  if (const auto* loop = value.as<std::shared_ptr<Loop>>()) return (*loop)->total_length();
  return std::nullopt;
}

bool is_iterable(const Value& value) {
  return value.is_undefined() || value.text() != nullptr || value.items() != nullptr ||
         value.dict() != nullptr || value.is<View>() || value.is<Range>() || value.is<GeneratorPtr>() ||
         value.is<std::shared_ptr<Loop>>();
}

std::shared_ptr<Iterator> iterate(const Value& value, Budget& budget) {
  budget.step();
  if (const auto* generator = value.as<GeneratorPtr>()) return *generator;
  if (const auto* text = value.as<TextPtr>()) return iterate_text(*text);
  const auto count = size_of(value);
  if (!count || value.is<std::shared_ptr<Loop>>()) fail("'{}' object is not iterable", type_name(value));
  if (const auto* items = value.items())
    return indexed(value, *count, [items](size_t i) { return (*items)[i]; });
  if (const auto* dict = value.dict()) {
    return indexed(value, *count, [dict](size_t i) { return dict->items[i].first; });
  }
  if (const auto* view = value.as<View>()) {
    return indexed(value, *count, [view = *view](size_t i) { return view_item(view, i); });
  }
  if (const auto* range = value.as<Range>()) {
    return indexed(value, *count,
                   [range = *range](size_t i) -> Value { return range[static_cast<int64_t>(i)]; });
  }
  return indexed(value, 0, [](size_t) { return Value(); });
}

std::vector<Value> to_vector(const Value& value, Budget& budget) {
  if (const auto* items = value.items()) {
    budget.charge_items(items->size());
    return *items;
  }
  std::vector<Value> items;
  const auto source = iterate(value, budget);
  for (Value item; source->next(item);) {
    budget.charge_items(1);
    items.push_back(std::move(item));
  }
  return items;
}

bool is_hashable(const Value& value) {
  if (value.is<List>() || value.is<DictPtr>() || value.is<View>()) return false;
  if (const auto* tuple = value.as<Tuple>()) {
    for (const Value& item : tuple->items->items) {
      if (!is_hashable(item)) return false;
    }
  }
  return true;
}

const Value* find_key(const Dict& dict, const Value& key, Budget& budget) {
  if (const Text* text = key.text()) return find_key(dict, text->bytes, budget);
  for (const auto& [name, value] : dict.items) {
    if (equal(name, key, budget)) return &value;
  }
  return nullptr;
}

const Value* find_key(const Dict& dict, std::string_view key, Budget& budget) {
  budget.charge(dict.items.size() + key.size());
  for (const auto& [name, value] : dict.items) {
    const Text* text = name.text();
    if (text != nullptr && text->bytes == key) return &value;
  }
  return nullptr;
}

}  // namespace cuset::text::jinja
