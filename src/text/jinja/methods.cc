#include "text/jinja/methods.h"

#include <algorithm>

#include "text/jinja/case.h"
#include "text/jinja/expression_parser.h"
#include "text/jinja/loop.h"
#include "text/jinja/operators.h"
#include "text/jinja/strings.h"

namespace cuset::text::jinja {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Names kTextMethods = {"split",      "rsplit",       "splitlines",  "strip", "lstrip", "rstrip",
                            "startswith", "endswith",     "replace",     "upper", "lower",  "title",
                            "capitalize", "find",         "rfind",       "index", "count",  "join",
                            "format",     "removeprefix", "removesuffix"};
const Names kOtherTextMethods = {
    "casefold", "center",     "encode",   "expandtabs",   "format_map", "isalnum",   "isalpha",
    "isascii",  "isdecimal",  "isdigit",  "isidentifier", "islower",    "isnumeric", "isprintable",
    "isspace",  "istitle",    "isupper",  "ljust",        "maketrans",  "partition", "rindex",
    "rjust",    "rpartition", "swapcase", "translate",    "zfill"};
const Names kDictMethods = {"get", "items", "keys", "values", "copy"};
const Names kListMethods = {"index", "count", "copy"};
const Names kTupleMethods = {"index", "count"};
const Names kDictChanges = {"clear", "pop", "popitem", "setdefault", "update"};
const Names kListChanges = {"append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"};
const Names kLoopMethods = {"cycle", "changed"};

const Names kNumberAttributes = {"real",       "imag",       "numerator", "denominator", "conjugate",
                                 "bit_length", "hex",        "fromhex",   "is_integer",  "as_integer_ratio",
                                 "to_bytes",   "from_bytes", "bit_count"};
const Names kRangeAttributes = {"start", "stop", "step", "count", "index"};
const Names kViewAttributes = {"isdisjoint", "mapping"};

// Attributes that Python has and no chat template needs.
bool has_unsupported_attribute(const Value& value, std::string_view name) {
  if (value.is_number()) return is_one_of(name, kNumberAttributes);
  if (value.is<Range>()) return is_one_of(name, kRangeAttributes);
  if (value.is<View>()) return is_one_of(name, kViewAttributes);
  return !value.is<None>();
}

Value method(const Value& self, std::string_view name) {
  depth_of(self);
  return std::make_shared<const Method>(Method{self, std::string(name)});
}

Value changing(const Value& value, std::string_view name) {
  return undefined(fmt::format("{}.{}() changes its object, which the sandbox of chat templates forbids",
                               type_name(value), name));
}

const Text& text_argument(const Value& value) {
  if (value.text() == nullptr) fail("a string is needed, not {}", type_name(value));
  return *value.text();
}

Value call_strip(const Text& self, Side side, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"chars"});
  if (!arguments.named.empty()) fail("strip takes no keyword arguments");
  const Value* characters = bound.given(0);
  return strip(self, characters == nullptr ? nullptr : &text_argument(*characters), side, budget);
}

Value call_split(const Text& self, bool from_right, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"sep", "maxsplit"});
  SplitOptions options;
  if (const Value* separator = bound.given(0)) options.separator = &text_argument(*separator);
  options.limit = bound.integer(1, -1);
  options.from_right = from_right;
  return make_list(split(self, options, budget));
}

Value call_replace(const Text& self, const Arguments& arguments, Budget& budget) {
  if (!arguments.named.empty()) fail("replace takes no keyword arguments");
  const BoundArguments bound(arguments, {"old", "new", "count"}, 2);
  return replace(self, {text_argument(bound[0]), text_argument(bound[1]), bound.integer(2, -1)}, budget);
}

// startswith and endswith take a string or a tuple of strings.
Value call_affix(const Text& self, bool at_start, const Arguments& arguments, Budget& budget) {
  if (!arguments.named.empty()) fail("startswith and endswith take no keyword arguments");
  const BoundArguments bound(arguments, {"prefix"}, 1);
  const auto matches = [&](const Value& affix) {
    const std::string& part = text_argument(affix).bytes;
    budget.charge(part.size());
    return at_start ? self.bytes.starts_with(part) : self.bytes.ends_with(part);
  };
  if (!bound[0].is<Tuple>()) return matches(bound[0]);
  const auto& options = *bound[0].items();
  return std::any_of(options.begin(), options.end(), matches);
}

Value call_find(const Text& self, std::string_view name, const Arguments& arguments, Budget& budget) {
  if (!arguments.named.empty() || arguments.positional.size() > 1) {
    fail("{} is supported with one argument only", name);
  }
  const BoundArguments bound(arguments, {"sub"}, 1);
  const Text& part = text_argument(bound[0]);
  if (name == "count") return count_of(self, part, budget);
  const size_t found = name == "rfind" ? find_bytes_from_right(self.bytes, part.bytes, budget)
                                       : find_bytes(self.bytes, part.bytes, 0, budget);
  if (found == std::string::npos) {
    if (name == "index") fail("substring not found");
    return -1;
  }
  budget.charge(found);
  const Text before{self.bytes.substr(0, found), {}, false};
  return static_cast<int64_t>(before.length());
}

Value call_remove_affix(const Text& self, bool at_start, const Arguments& arguments) {
  const BoundArguments bound(arguments, {"prefix"}, 1);
  const std::string& part = text_argument(bound[0]).bytes;
  const size_t size = self.bytes.size();
  if (at_start && self.bytes.starts_with(part)) return slice_bytes(self, part.size(), size);
  if (!at_start && self.bytes.ends_with(part)) return slice_bytes(self, 0, size - part.size());
  return slice_bytes(self, 0, size);
}

// Methods that only change case, and those that take one list.
Value call_simple_text_method(const Text& self, std::string_view name, const Arguments& arguments,
                              Budget& budget) {
  if (name == "join") {
    const BoundArguments bound(arguments, {"iterable"}, 1);
    return join(self, to_vector(bound[0], budget), budget);
  }
  if (name == "splitlines") {
    const BoundArguments bound(arguments, {"keepends"});
    return make_list(split_lines(self, bound.flag(0), budget));
  }
  const BoundArguments none(arguments, {});
  if (name == "upper") return upper_case(self, budget);
  if (name == "lower") return lower_case(self, budget);
  if (name == "title") return title_case(self, budget);
  return capitalized(self, budget);
}

Value call_text_method(const Text& self, std::string_view name, const Arguments& arguments, Budget& budget) {
  if (self.is_safe) fail("str.{} on text marked safe is not supported", name);
  budget.charge(self.bytes.size());
  if (name == "strip") return call_strip(self, Side::both, arguments, budget);
  if (name == "lstrip") return call_strip(self, Side::left, arguments, budget);
  if (name == "rstrip") return call_strip(self, Side::right, arguments, budget);
  if (name == "split" || name == "rsplit") return call_split(self, name == "rsplit", arguments, budget);
  if (name == "startswith" || name == "endswith")
    return call_affix(self, name == "startswith", arguments, budget);
  if (name == "replace") return call_replace(self, arguments, budget);
  if (name == "removeprefix" || name == "removesuffix") {
    return call_remove_affix(self, name == "removeprefix", arguments);
  }
  if (is_one_of(name, {"find", "rfind", "index", "count"})) return call_find(self, name, arguments, budget);
  if (name == "format") return format_braces(self, {arguments.positional, arguments.named}, budget);
  return call_simple_text_method(self, name, arguments, budget);
}

Value call_dict_method(const DictPtr& self, std::string_view name, const Arguments& arguments,
                       Budget& budget) {
  if (!arguments.named.empty()) fail("dict.{} takes no keyword arguments", name);
  if (name == "get") {
    const BoundArguments bound(arguments, {"key", "default"}, 1);
    if (!is_hashable(bound[0])) fail("unhashable type: '{}'", type_name(bound[0]));
    const Value* found = find_key(*self, bound[0], budget);
    if (found != nullptr) return *found;
    return bound.at(1) != nullptr ? bound[1] : Value(None{});
  }
  const BoundArguments none(arguments, {});
  if (name == "copy") return self;
  const auto what = name == "items"  ? View::What::items
                    : name == "keys" ? View::What::keys
                                     : View::What::values;
  return View{what, self};
}

Value call_sequence_method(const Value& self, std::string_view name, const Arguments& arguments,
                           Budget& budget) {
  if (!arguments.named.empty()) fail("{}.{} takes no keyword arguments", type_name(self), name);
  if (name == "copy") {
    const BoundArguments none(arguments, {});
    return self;
  }
  if (arguments.positional.size() > 1)
    fail("{}.{} is supported with one argument only", type_name(self), name);
  const BoundArguments bound(arguments, {"value"}, 1);
  const auto& items = *self.items();
  const auto matches = [&](const Value& item) { return equal(item, bound[0], budget); };
  if (name == "count") return static_cast<int64_t>(std::count_if(items.begin(), items.end(), matches));
  const auto found = std::find_if(items.begin(), items.end(), matches);
  if (found == items.end()) fail("the value is not in the {}", type_name(self));
  return static_cast<int64_t>(found - items.begin());
}

Value call_loop_method(Loop& self, std::string_view name, const Arguments& arguments, Budget& budget) {
  if (!arguments.named.empty()) fail("loop.{} takes no keyword arguments", name);
  if (name == "cycle") {
    if (arguments.positional.empty()) fail("no items for cycling given");
    return arguments.positional[static_cast<size_t>(self.index0) % arguments.positional.size()];
  }
  const Value now = make_tuple(arguments.positional);
  const bool changed = self.last_changed.is_missing() || !equal(self.last_changed, now, budget);
  if (changed) self.last_changed = now;
  return changed;
}

}  // namespace

bool is_unsupported_method(std::string_view name) { return is_one_of(name, kOtherTextMethods); }

Value own_attribute(const Value& value, std::string_view name) {
  if (value.text() != nullptr) {
    if (is_one_of(name, kTextMethods)) return method(value, name);
    if (is_one_of(name, kOtherTextMethods)) fail("str.{} is not supported", name);
  } else if (value.dict() != nullptr) {
    if (is_one_of(name, kDictMethods)) return method(value, name);
    if (is_one_of(name, kDictChanges)) return changing(value, name);
    if (name == "fromkeys") fail("dict.fromkeys is not supported");
  } else if (value.items() != nullptr) {
    if (is_one_of(name, value.is<List>() ? kListMethods : kTupleMethods)) return method(value, name);
    if (value.is<List>() && is_one_of(name, kListChanges)) return changing(value, name);
  } else if (const auto* space = value.as<std::shared_ptr<Namespace>>()) {
    if (const Value* found = (*space)->find(name)) return *found;
  } else if (const auto* loop = value.as<std::shared_ptr<Loop>>()) {
    if (is_one_of(name, kLoopMethods)) return method(value, name);
    return (*loop)->attribute(name);
  } else if (has_unsupported_attribute(value, name)) {
    fail("attribute '{}' of '{}' is not supported", name, type_name(value));
  }
  return {};
}

Value call_method(const Method& method, const Arguments& arguments, Budget& budget) {
  budget.step();
  if (const Text* text = method.self.text()) return call_text_method(*text, method.name, arguments, budget);
  if (const auto* dict = method.self.as<DictPtr>())
    return call_dict_method(*dict, method.name, arguments, budget);
  if (const auto* loop = method.self.as<std::shared_ptr<Loop>>()) {
    return call_loop_method(**loop, method.name, arguments, budget);
  }
  return call_sequence_method(method.self, method.name, arguments, budget);
}

}  // namespace cuset::text::jinja
