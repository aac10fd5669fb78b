#include "text/jinja/tests.h"

#include <map>

#include "text/jinja/loop.h"
#include "text/jinja/operators.h"

namespace cuset::text::jinja {
namespace {

using TestFunction = bool (*)(const Value& value, const Value& other, Budget& budget);

struct Test {
  size_t arguments;
  TestFunction function;
};

bool is_integer_value(const Value& v, const Value&, Budget&) { return v.is<int64_t>(); }

bool is_divisible(const Value& v, const Value& by, Budget& budget) {
  return equal(apply_binary("%", v, by, budget), 0, budget);
}

bool is_odd(const Value& v, const Value&, Budget& budget) {
  return equal(apply_binary("%", v, 2, budget), 1, budget);
}

bool is_even(const Value& v, const Value&, Budget& budget) { return is_divisible(v, 2, budget); }

// Python's `len(x)` and `x.__getitem__` both work.
bool is_sequence(const Value& v, const Value&, Budget&) {
  return v.is_undefined() || v.text() != nullptr || v.items() != nullptr || v.dict() != nullptr ||
         v.is<Range>();
}

bool is_callable(const Value& v, const Value&, Budget&) {
  return v.is_undefined() || v.is<Builtin>() || v.is<std::shared_ptr<const Macro>>() ||
         v.is<std::shared_ptr<const Method>>();
}

bool is_same(const Value& v, const Value& other, Budget& budget) {
  const bool is_single = other.is<None>() || other.is<bool>();
  if (!is_single) fail("the test sameas is supported with none, true and false only");
  return v.data().index() == other.data().index() && equal(v, other, budget);
}

template <const char* kOperator>
bool compares(const Value& v, const Value& other, Budget& budget) {
  return compare(kOperator, v, other, budget);
}

constexpr char kEq[] = "==", kNe[] = "!=", kLt[] = "<", kLe[] = "<=", kGt[] = ">", kGe[] = ">=", kIn[] = "in";

const std::map<std::string_view, Test>& all_tests() {
  static const std::map<std::string_view, Test> kTests = {
      {"defined", {0, [](const Value& v, const Value&, Budget&) { return !v.is_undefined(); }}},
      {"undefined", {0, [](const Value& v, const Value&, Budget&) { return v.is_undefined(); }}},
      {"none", {0, [](const Value& v, const Value&, Budget&) { return v.is<None>(); }}},
      {"string", {0, [](const Value& v, const Value&, Budget&) { return v.text() != nullptr; }}},
      {"mapping", {0, [](const Value& v, const Value&, Budget&) { return v.dict() != nullptr; }}},
      {"iterable", {0, [](const Value& v, const Value&, Budget&) { return is_iterable(v); }}},
      {"sequence", {0, is_sequence}},
      {"number", {0, [](const Value& v, const Value&, Budget&) { return v.is_number(); }}},
      {"integer", {0, is_integer_value}},
      {"float", {0, [](const Value& v, const Value&, Budget&) { return v.is<double>(); }}},
      {"boolean", {0, [](const Value& v, const Value&, Budget&) { return v.is<bool>(); }}},
      {"true", {0, [](const Value& v, const Value&, Budget&) { return v.is<bool>() && *v.as<bool>(); }}},
      {"false", {0, [](const Value& v, const Value&, Budget&) { return v.is<bool>() && !*v.as<bool>(); }}},
      {"callable", {0, is_callable}},
      {"odd", {0, is_odd}},
      {"even", {0, is_even}},
      {"divisibleby", {1, is_divisible}},
      {"sameas", {1, is_same}},
      {"in", {1, compares<kIn>}},
      {"eq", {1, compares<kEq>}},
      {"equalto", {1, compares<kEq>}},
      {"==", {1, compares<kEq>}},
      {"ne", {1, compares<kNe>}},
      {"!=", {1, compares<kNe>}},
      {"lt", {1, compares<kLt>}},
      {"lessthan", {1, compares<kLt>}},
      {"<", {1, compares<kLt>}},
      {"le", {1, compares<kLe>}},
      {"<=", {1, compares<kLe>}},
      {"gt", {1, compares<kGt>}},
      {"greaterthan", {1, compares<kGt>}},
      {">", {1, compares<kGt>}},
      {"ge", {1, compares<kGe>}},
      {">=", {1, compares<kGe>}},
  };
  return kTests;
}

}  // namespace

bool is_known_test(std::string_view name) { return all_tests().contains(name); }

bool apply_test(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
  const auto found = all_tests().find(name);
  if (found == all_tests().end()) fail("test '{}' is not supported", name);
  const Test& test = found->second;
  if (!arguments.named.empty()) fail("the test '{}' takes no keyword arguments", name);
  if (arguments.positional.size() != test.arguments) {
    fail("the test '{}' takes {} argument(s), not {}", name, test.arguments, arguments.positional.size());
  }
  return test.function(value, test.arguments == 0 ? value : arguments.positional[0], budget);
}

}  // namespace cuset::text::jinja
