// Python's own functions, and the methods of its strings, lists and dicts.
#include <algorithm>
#include <cmath>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"
#include "verify/tasks/script/python_numbers.h"

namespace cuset::script {
namespace {

Value range(Call& call) {
  constexpr int64_t kFarthest = int64_t{1} << 53;
  const bool one = call.positional.size() < 2;
  const Range result{one ? 0 : integer_of(call.need(0, "start")), integer_of(call.need(one ? 0 : 1, "stop")),
                     call.integer(2, "step", 1)};
  if (result.step == 0) throw Failure("a range with step 0");
  for (const int64_t each : {result.start, result.stop, result.step})
    if (std::abs(each) > kFarthest) throw Failure("a range beyond 2^53");
  return {result};
}

Value len(Call& call) {
  const Value& value = call.need(0, "obj");
  if (const std::string* text = value.string()) return of(static_cast<int64_t>(text->size()));
  if (const Values* items = value.items()) return of(static_cast<int64_t>(items->size()));
  if (const auto* span = value.as<Range>()) return of(span->count());
  if (const auto* dict = value.as<std::shared_ptr<Dict>>())
    return of(static_cast<int64_t>((*dict)->keys.size()));
  if (const Numbers* numbers = value.array(); numbers && numbers->rank() > 0) return of(numbers->shape[0]);
  throw Failure("len of {}", kind_of(value));
}

Value to_int(Call& call) {
  if (call.positional.empty()) return of(int64_t{0});
  const Value& value = call.need(0, "x");
  if (const std::string* text = value.string()) {
    try {
      return of(static_cast<int64_t>(std::stoll(*text)));
    } catch (const std::exception&) {
      throw Failure("int of a str that is no number");
    }
  }
  if (value.is<int64_t>()) return value;
  const double number = number_of(value);
  if (!(std::abs(number) < 0x1p62)) throw Failure("int of {}", number);
  return of(static_cast<int64_t>(number));
}

Value to_float(Call& call) {
  if (call.positional.empty()) return of(0.0);
  const Value& value = call.need(0, "x");
  if (!value.string()) return of(number_of(value));
  const std::string& text = *value.string();
  if (text == "inf" || text == "-inf") return of(text[0] == '-' ? -INFINITY : INFINITY);
  if (text == "nan") return of(static_cast<double>(NAN));
  try {
    return of(std::stod(text));
  } catch (const std::exception&) {
    throw Failure("float of a str that is no number");
  }
}

Value to_bool(Call& call) { return of(!call.positional.empty() && truth(call.positional[0])); }
Value to_str(Call& call) { return of(call.positional.empty() ? std::string() : printed(call.positional[0])); }

// The elements of an argument, counted in the budget.
Values counted(const Call& call, size_t position) {
  if (position >= call.positional.size()) return {};
  Values items = elements_of(call.positional[position]);
  call.machine.budget->count_items(items.size());
  return items;
}

Value to_list(Call& call) { return list_of(counted(call, 0)); }
Value to_tuple(Call& call) { return tuple_of(counted(call, 0)); }

Value to_dict(Call& call) {
  auto dict = std::make_shared<Dict>();
  for (const auto& [name, value] : call.keywords) {
    dict->keys.push_back(of(name));
    dict->values.push_back(value);
  }
  if (!call.positional.empty())
    for (const Value& pair : elements_of(call.positional[0])) {
      const Values both = elements_of(pair);
      if (both.size() != 2) throw Failure("a dict of what are no pairs");
      if (find_key(*dict, both[0]) || dict->keys.size() > 4096)
        throw Failure("a dict of too many or equal keys");
      dict->keys.push_back(both[0]);
      dict->values.push_back(both[1]);
    }
  return {dict};
}

Value absolute(Call& call) {
  const Value& value = call.need(0, "x");
  if (value.array() || value.is<double>() || value.is<Scalar>()) return find_function("numpy.abs")(call);
  return integer_of(value) < 0 ? python_unary(Operator::kNegate, value) : of(integer_of(value));
}

// The first of all that no other comes before.
Value extreme(const Call& call, Operator before) {
  const Values items = call.positional.size() == 1 ? elements_of(call.positional[0]) : call.positional;
  const Value* key = call.find(SIZE_MAX, "key");
  const auto key_of = [&](const Value& item) { return key ? call.machine.invoke(*key, {item}) : item; };
  if (items.empty()) throw Failure("an extreme of no values");
  const Value* best = &items[0];
  Value best_key = key_of(items[0]);
  for (const Value& item : items) {
    Value own = key_of(item);
    if (!truth(compare(before, own, best_key, call.machine.budget))) continue;
    best = &item;
    best_key = std::move(own);
  }
  return *best;
}

Value minimum(Call& call) { return extreme(call, Operator::kLess); }
Value maximum(Call& call) { return extreme(call, Operator::kGreater); }

Value sum(Call& call) {
  Value total = call.positional.size() > 1 ? call.positional[1] : of(int64_t{0});
  for (const Value& item : elements_of(call.need(0, "iterable")))
    total = binary(Operator::kAdd, total, item, call.machine.budget);
  return total;
}

Value round_number(Call& call) {
  const Value& value = call.need(0, "number");
  if (!call.find(1, "ndigits"))
    return of(static_cast<int64_t>(std::clamp(std::nearbyint(number_of(value)), -0x1p62, 0x1p62)));
  const double unit = std::pow(10.0, static_cast<double>(integer_of(call.positional[1])));
  return of(std::nearbyint(number_of(value) * unit) / unit);
}

Value enumerate(Call& call) {
  Values pairs;
  int64_t number = call.integer(1, "start", 0);
  for (const Value& item : counted(call, 0)) pairs.push_back(tuple_of({of(number++), item}));
  return list_of(std::move(pairs));
}

Value zip(Call& call) {
  std::vector<Values> columns;
  size_t length = SIZE_MAX;
  for (size_t i = 0; i < call.positional.size(); ++i) {
    columns.push_back(counted(call, i));
    length = std::min(length, columns.back().size());
  }
  Values rows;
  for (size_t i = 0; i < length && !columns.empty(); ++i) {
    Values row;
    for (const Values& column : columns) row.push_back(column[i]);
    rows.push_back(tuple_of(std::move(row)));
  }
  return list_of(std::move(rows));
}

Value map(Call& call) {
  Values results;
  for (const Value& item : counted(call, 1))
    results.push_back(call.machine.invoke(call.positional[0], {item}));
  return list_of(std::move(results));
}

Value reversed(Call& call) {
  Values items = counted(call, 0);
  std::reverse(items.begin(), items.end());
  return list_of(std::move(items));
}

// By insertion into a merge, so that a comparison that throws leaves everything whole.
Value sorted(Call& call) {
  const Values items = counted(call, 0);
  const Value* key = call.find(SIZE_MAX, "key");
  const bool reverse = call.flag(SIZE_MAX, "reverse", false);
  std::vector<std::pair<Value, size_t>> keyed;
  for (size_t i = 0; i < items.size(); ++i)
    keyed.emplace_back(key ? call.machine.invoke(*key, {items[i]}) : items[i], i);
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return truth(
        compare(reverse ? Operator::kGreater : Operator::kLess, a.first, b.first, call.machine.budget));
  });
  Values result;
  for (const auto& [own, place] : keyed) result.push_back(items[place]);
  return list_of(std::move(result));
}

Value all(Call& call) {
  for (const Value& item : elements_of(call.need(0, "iterable")))
    if (!truth(item)) return of(false);
  return of(true);
}
Value any(Call& call) {
  for (const Value& item : elements_of(call.need(0, "iterable")))
    if (truth(item)) return of(true);
  return of(false);
}

Value power(Call& call) {
  return binary(Operator::kPower, call.need(0, "base"), call.need(1, "exp"), call.machine.budget);
}

Value print(Call& call) {
  std::string text;
  for (const Value& value : call.positional) text += (text.empty() ? "" : " ") + printed(value);
  call.machine.surroundings.print(text);
  return none();
}

Value end(Call&) { throw ScriptExit{}; }

Value is_instance(Call& call) {
  const auto* name = call.need(1, "class").as<Named>();
  const Value& value = call.need(0, "obj");
  if (!name) throw Failure("isinstance of several types");
  const std::string& path = *name->path;
  if (path == "builtins.int") return of(value.is<int64_t>() || value.is<bool>());
  if (path == "builtins.float") return of(value.is<double>());
  if (path == "builtins.str") return of(value.string() != nullptr);
  if (path == "numpy.ndarray") return of(value.array() && !value.array()->torch);
  if (path == "torch.Tensor") return of(value.array() && value.array()->torch);
  throw Failure("isinstance of {}", path);
}

Value open(Call& call) { return {std::make_shared<File>(File{string_of(call.need(0, "file"))})}; }

}  // namespace

void add_builtin_functions(FunctionTable& table) {
  table.insert({{"range", range},
                {"len", len},
                {"int", to_int},
                {"float", to_float},
                {"bool", to_bool},
                {"str", to_str},
                {"list", to_list},
                {"tuple", to_tuple},
                {"set", to_list},
                {"dict", to_dict},
                {"abs", absolute},
                {"min", minimum},
                {"max", maximum},
                {"sum", sum},
                {"round", round_number},
                {"enumerate", enumerate},
                {"zip", zip},
                {"map", map},
                {"reversed", reversed},
                {"sorted", sorted},
                {"all", all},
                {"any", any},
                {"pow", power},
                {"print", print},
                {"exit", end},
                {"quit", end},
                {"isinstance", is_instance},
                {"open", open}});
}

}  // namespace cuset::script
