// Filters over sequences and mappings.
#include <algorithm>
#include <map>

#include "text/jinja/case.h"
#include "text/jinja/filters.h"
#include "text/jinja/literal.h"
#include "text/jinja/operators.h"
#include "text/jinja/strings.h"
#include "text/jinja/tests.h"

namespace cuset::text::jinja {
namespace {

void refuse_undefined(const Value& value) {
  if (const auto* missing = value.as<Undefined>()) fail("{}", *missing->why);
}

Value without_case(const Value& value, bool case_sensitive, Budget& budget) {
  if (case_sensitive || value.text() == nullptr) return value;
  return lower_case(*value.text(), budget);
}

// Sorts by keys that are made once for each item; stable, also when reversed.
std::vector<Value> sorted_by(std::vector<Value> items, std::vector<Value> keys, bool reversed,
                             Budget& budget) {
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = reversed ? order.size() - 1 - i : i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return less(keys[a], keys[b], budget); });
  if (reversed) std::reverse(order.begin(), order.end());
  std::vector<Value> out;
  out.reserve(items.size());
  for (const size_t index : order) out.push_back(std::move(items[index]));
  return out;
}

Value filter_list(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return make_list(to_vector(v, budget));
}

Value filter_first(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  Value item;
  return iterate(v, budget)->next(item) ? item : undefined("No first item, sequence was empty.");
}

Value filter_last(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  if (v.is<GeneratorPtr>() || !is_iterable(v)) fail("'{}' object is not reversible", type_name(v));
  const std::vector<Value> items = to_vector(v, budget);
  return items.empty() ? undefined("No last item, sequence was empty.") : items.back();
}

Value filter_reverse(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  if (const Text* text = v.text()) return slice_text(*text, {std::nullopt, std::nullopt, -1}, budget);
  std::vector<Value> items = to_vector(v, budget);
  std::reverse(items.begin(), items.end());
  if (v.is<GeneratorPtr>()) return make_list(std::move(items));
  const Value reversed = make_list(std::move(items));
  return make_generator(depth_of(reversed), [reversed, i = size_t{0}](Value& out) mutable {
    if (i >= reversed.items()->size()) return false;
    out = (*reversed.items())[i++];
    return true;
  });
}

Value filter_join(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"d", "attribute"});
  const TextPtr separator = bound.at(0) == nullptr ? make_text("") : to_text(bound[0], budget);
  const Value* attribute = bound.given(1);
  std::vector<Value> items = to_vector(v, budget);
  for (Value& item : items)
    item = to_text(attribute == nullptr ? item : get_path(item, *attribute, budget), budget);
  return join(*separator, items, budget);
}

Value filter_items(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  if (!v.is_undefined() && v.dict() == nullptr) {
    // Jinja2 fails when the pairs are drawn.
    return make_generator(0, [](Value&) -> bool { fail("Can only get item pairs from a mapping."); });
  }
  const Value view = v.is_undefined() ? v : Value(View{View::What::items, *v.as<DictPtr>()});
  auto source = iterate(view, budget);
  return make_generator(source->depth(), [source](Value& out) { return source->next(out); });
}

Value filter_dictsort(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"case_sensitive", "by", "reverse"});
  const std::string by = bound.at(1) == nullptr ? "key" : to_text(bound[1], budget)->bytes;
  if (by != "key" && by != "value") fail("You can only sort by either \"key\" or \"value\"");
  refuse_undefined(v);
  if (v.dict() == nullptr) fail("dictsort needs a mapping, not {}", type_name(v));
  std::vector<Value> items, keys;
  for (const auto& [key, value] : v.dict()->items) {
    budget.charge_items(2);
    items.push_back(make_tuple({key, value}));
    keys.push_back(without_case(by == "key" ? key : value, bound.flag(0), budget));
  }
  return make_list(sorted_by(std::move(items), std::move(keys), bound.flag(2), budget));
}

// The paths of a "sort" attribute, which may name several with commas between.
std::vector<Value> sort_paths(const Value* attribute, Budget& budget) {
  if (attribute == nullptr) return {None{}};
  if (attribute->text() == nullptr) return {*attribute};
  const Text comma{",", {}, false};
  SplitOptions options;
  options.separator = &comma;
  return split(*attribute->text(), options, budget);
}

Value filter_sort(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"reverse", "case_sensitive", "attribute"});
  const std::vector<Value> paths = sort_paths(bound.given(2), budget);
  std::vector<Value> items = to_vector(v, budget);
  std::vector<Value> keys;
  for (const Value& item : items) {
    std::vector<Value> key;
    for (const Value& path : paths)
      key.push_back(without_case(get_path(item, path, budget), bound.flag(1), budget));
    keys.push_back(make_list(std::move(key)));
  }
  return make_list(sorted_by(std::move(items), std::move(keys), bound.flag(0), budget));
}

Value filter_unique(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"case_sensitive", "attribute"});
  const bool case_sensitive = bound.flag(0);
  const Value path = bound.given(1) == nullptr ? Value(None{}) : bound[1];
  // A generator fails for what it cannot iterate only when it is drawn from.
  auto seen = std::make_shared<std::vector<Value>>();
  std::shared_ptr<Iterator> source;
  return make_generator(depth_of(v), [=, &budget](Value& out) mutable {
    if (source == nullptr) source = iterate(v, budget);
    while (source->next(out)) {
      const Value key = without_case(get_path(out, path, budget), case_sensitive, budget);
      if (!is_hashable(key)) fail("unhashable type: '{}'", type_name(key));
      const auto same = [&](const Value& other) { return equal(other, key, budget); };
      if (std::any_of(seen->begin(), seen->end(), same)) continue;
      seen->push_back(key);
      return true;
    }
    return false;
  });
}

Value smallest(const Value& v, const Arguments& arguments, bool largest, Budget& budget) {
  const BoundArguments bound(arguments, {"case_sensitive", "attribute"});
  const Value path = bound.given(1) == nullptr ? Value(None{}) : bound[1];
  Value best, best_key;
  for (const Value& item : to_vector(v, budget)) {
    const Value key = without_case(get_path(item, path, budget), bound.flag(0), budget);
    const bool better =
        best.is_missing() || (largest ? less(best_key, key, budget) : less(key, best_key, budget));
    if (!better) continue;
    best = item;
    best_key = key;
  }
  return best.is_missing() ? undefined("No aggregated item, sequence was empty.") : best;
}

Value filter_min(const Value& v, const Arguments& arguments, Budget& budget) {
  return smallest(v, arguments, false, budget);
}

Value filter_max(const Value& v, const Arguments& arguments, Budget& budget) {
  return smallest(v, arguments, true, budget);
}

Value filter_sum(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"attribute", "start"});
  Value total = bound.at(1) == nullptr ? Value(0) : bound[1];
  if (total.text() != nullptr) fail("sum() can't sum strings");
  for (const Value& item : to_vector(v, budget)) {
    const Value* path = bound.given(0);
    total = apply_binary("+", total, path == nullptr ? item : get_path(item, *path, budget), budget);
  }
  return total;
}

Value filter_map(const Value& v, const Arguments& arguments, Budget& budget) {
  std::shared_ptr<Iterator> source;
  return make_generator(depth_of(v), [=, &budget](Value& out) mutable {
    if (!is_true(v)) return false;
    if (source == nullptr) source = iterate(v, budget);
    if (arguments.positional.empty()) {
      const BoundArguments bound(arguments, {"attribute", "default"});
      if (bound.at(0) == nullptr) fail("map requires a filter argument");
      if (!source->next(out)) return false;
      out = get_path(out, bound[0], budget, bound.given(1));
      return true;
    }
    if (!source->next(out)) return false;
    if (arguments.positional[0].text() == nullptr) fail("map needs the name of a filter");
    const Arguments rest{{arguments.positional.begin() + 1, arguments.positional.end()}, arguments.named};
    out = apply_filter(arguments.positional[0].text()->bytes, out, rest, budget);
    return true;
  });
}

// select, reject, selectattr and rejectattr: keeps the items whose test gives `wanted`.
struct Selection {
  bool wanted = true;
  bool by_attribute = false;
};

bool is_selected(const Value& item, const Arguments& arguments, const Selection& selection, Budget& budget) {
  size_t used = 0;
  Value tested = item;
  if (selection.by_attribute) {
    if (arguments.positional.empty()) fail("Missing parameter for attribute name");
    tested = get_path(item, arguments.positional[used++], budget);
  }
  if (arguments.positional.size() <= used) return is_true(tested) == selection.wanted;
  const Value& name = arguments.positional[used];
  if (name.text() == nullptr) fail("select needs the name of a test");
  const auto rest = arguments.positional.begin() + static_cast<std::ptrdiff_t>(used) + 1;
  const Arguments others{{rest, arguments.positional.end()}, arguments.named};
  return apply_test(name.text()->bytes, tested, others, budget) == selection.wanted;
}

template <bool kWanted, bool kByAttribute>
Value filter_select(const Value& v, const Arguments& arguments, Budget& budget) {
  std::shared_ptr<Iterator> source;
  return make_generator(depth_of(v), [=, &budget](Value& out) mutable {
    if (!is_true(v)) return false;
    if (source == nullptr) source = iterate(v, budget);
    while (source->next(out)) {
      if (is_selected(out, arguments, {kWanted, kByAttribute}, budget)) return true;
    }
    return false;
  });
}

}  // namespace

Value get_path(const Value& value, const Value& path, Budget& budget, const Value* otherwise) {
  const auto step = [&](const Value& object, const Value& part) {
    Value item = get_item(object, part, budget);
    return item.is_undefined() && otherwise != nullptr ? *otherwise : item;
  };
  if (path.is<None>()) return value;
  const Text* text = path.text();
  if (text == nullptr) return step(value, path);
  const Text dot{".", {}, false};
  SplitOptions options;
  options.separator = &dot;
  Value found = value;
  for (const Value& part : split(*text, options, budget)) {
    const std::string& name = part.text()->bytes;
    const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    const auto number = is_number ? parse_python_int(name, 10) : std::nullopt;
    found = step(found, number ? Value(number->value) : part);
  }
  return found;
}

FilterFunction find_sequence_filter(std::string_view name) {
  static const std::map<std::string_view, FilterFunction> kFilters = {
      {"dictsort", filter_dictsort},
      {"first", filter_first},
      {"items", filter_items},
      {"join", filter_join},
      {"last", filter_last},
      {"list", filter_list},
      {"map", filter_map},
      {"max", filter_max},
      {"min", filter_min},
      {"reject", filter_select<false, false>},
      {"rejectattr", filter_select<false, true>},
      {"reverse", filter_reverse},
      {"select", filter_select<true, false>},
      {"selectattr", filter_select<true, true>},
      {"sort", filter_sort},
      {"sum", filter_sum},
      {"unique", filter_unique},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

}  // namespace cuset::text::jinja
