// Methods of strings, lists, dicts and files; and the few functions of os, sys and time that scripts call.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"
#include "verify/tasks/script/python_numbers.h"

namespace cuset::script {
namespace {

constexpr size_t kLongest = size_t{1} << 22;  // of a str

const std::string& text(const Call& call) { return string_of(call.need(0, "self")); }
Values& items(const Call& call) { return std::get<std::shared_ptr<List>>(call.positional[0].held)->items; }
Dict& dict(const Call& call) { return *std::get<std::shared_ptr<Dict>>(call.positional[0].held); }

Value lower(Call& call) {
  std::string result = text(call);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return of(std::move(result));
}
Value upper(Call& call) {
  std::string result = text(call);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return of(std::move(result));
}
Value strip(Call& call) {
  const std::string& all = text(call);
  const size_t first = all.find_first_not_of(" \t\r\n"), last = all.find_last_not_of(" \t\r\n");
  return of(first == std::string::npos ? std::string() : all.substr(first, last - first + 1));
}
Value starts_with(Call& call) {
  const std::string& prefix = string_of(call.need(1, "prefix"));
  return of(text(call).compare(0, prefix.size(), prefix) == 0);
}
Value ends_with(Call& call) {
  const std::string &all = text(call), &suffix = string_of(call.need(1, "suffix"));
  return of(all.size() >= suffix.size() &&
            all.compare(all.size() - suffix.size(), suffix.size(), suffix) == 0);
}
Value join(Call& call) {
  std::string result;
  bool first = true;
  for (const Value& part : elements_of(call.need(1, "iterable"))) {
    if (!std::exchange(first, false)) result += text(call);
    result += string_of(part);
    if (result.size() > kLongest) throw Failure("a str that is too long");
  }
  return of(std::move(result));
}
Value split(Call& call) {
  const std::string separator = call.find(1, "sep") ? string_of(*call.find(1, "sep")) : " ";
  if (separator.empty()) throw Failure("a split at nothing");
  Values parts;
  size_t begin = 0;
  for (size_t end; (end = text(call).find(separator, begin)) != std::string::npos;
       begin = end + separator.size())
    parts.push_back(of(text(call).substr(begin, end - begin)));
  parts.push_back(of(text(call).substr(begin)));
  return list_of(std::move(parts));
}
Value replace(Call& call) {
  const std::string &all = text(call), &old = string_of(call.need(1, "old")),
                    &fresh = string_of(call.need(2, "new"));
  if (old.empty()) throw Failure("a replacement of nothing");
  std::string result;
  size_t begin = 0;
  for (size_t end; (end = all.find(old, begin)) != std::string::npos; begin = end + old.size()) {
    result += all.substr(begin, end - begin) + fresh;
    if (result.size() > kLongest) throw Failure("a str that is too long");
  }
  return of(result + all.substr(begin));
}
// "{} {0} {name:.2f}"
Value format(Call& call) {
  const std::string& pattern = text(call);
  std::string result;
  size_t next = 1;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      result += pattern[i];
      continue;
    }
    const size_t end = pattern.find('}', i);
    if (end == std::string::npos) throw Failure("a format with an open bracket");
    const std::string inside = pattern.substr(i + 1, end - i - 1);
    const std::string name = inside.substr(0, inside.find(':'));
    const bool number =
        !name.empty() && name.find_first_not_of("0123456789") == std::string::npos && name.size() < 4;
    const size_t place = name.empty() ? next++ : number ? std::stoul(name) + 1 : SIZE_MAX;
    result +=
        formatted(call.need(place, name), name.size() < inside.size() ? inside.substr(name.size() + 1) : "");
    i = end;
  }
  return of(std::move(result));
}

Value append(Call& call) {
  call.machine.budget->count_items(1);
  call.machine.watch(call.positional[0]);
  items(call).push_back(call.need(1, "object"));
  return none();
}
Value extend(Call& call) {
  const Values added = elements_of(call.need(1, "iterable"));
  call.machine.budget->count_items(added.size());
  call.machine.watch(call.positional[0]);
  items(call).insert(items(call).end(), added.begin(), added.end());
  return none();
}
Value insert(Call& call) {
  const auto length = static_cast<int64_t>(items(call).size());
  const int64_t place = integer_of(call.need(1, "index"));
  call.machine.budget->count_items(1);
  call.machine.watch(call.positional[0]);
  items(call).insert(items(call).begin() + std::clamp<int64_t>(place < 0 ? place + length : place, 0, length),
                     call.need(2, "object"));
  return none();
}
Value pop(Call& call) {
  Values& all = items(call);
  const int64_t place = place_of(call.integer(1, "index", -1), static_cast<int64_t>(all.size()));
  Value taken = all[static_cast<size_t>(place)];
  all.erase(all.begin() + place);
  return taken;
}
Value reverse(Call& call) {
  std::reverse(items(call).begin(), items(call).end());
  return none();
}
Value sort(Call& call) {
  const Value sorted = find_function("builtins.sorted")(call);
  items(call) = *sorted.items();
  return none();
}
Value index(Call& call) {
  const Values all = elements_of(call.positional[0]);
  for (size_t i = 0; i < all.size(); ++i)
    if (equal(all[i], call.need(1, "value"))) return of(static_cast<int64_t>(i));
  throw Failure("a value that is not in the list");
}
Value count(Call& call) {
  const Values all = elements_of(call.positional[0]);
  return of(static_cast<int64_t>(std::count_if(
      all.begin(), all.end(), [&](const Value& each) { return equal(each, call.need(1, "value")); })));
}

// Sets are lists here.
Value add_once(Call& call) {
  const Values& all = items(call);
  const Value& added = call.need(1, "elem");
  for (const Value& each : all)
    if (equal(each, added)) return none();
  return append(call);
}
Value remove(Call& call) {
  Values& all = items(call);
  const auto place = std::find_if(all.begin(), all.end(),
                                  [&](const Value& each) { return equal(each, call.need(1, "value")); });
  if (place == all.end()) throw Failure("a value that is not in the list");
  all.erase(place);
  return none();
}

Value get(Call& call) {
  if (const Value* held = find_key(dict(call), call.need(1, "key"))) return *held;
  return call.find(2, "default") ? *call.find(2, "default") : none();
}
Value pairs(Call& call) {
  Values result;
  for (size_t i = 0; i < dict(call).keys.size(); ++i)
    result.push_back(tuple_of({dict(call).keys[i], dict(call).values[i]}));
  return list_of(std::move(result));
}
Value keys(Call& call) { return list_of(elements_of(call.positional[0])); }
Value values(Call& call) { return list_of(dict(call).values); }

Value write(Call& call) {
  File& file = *std::get<std::shared_ptr<File>>(call.positional[0].held);
  const Numbers* numbers = call.need(1, "data").array();
  if (!numbers) throw Failure("{} is written to a file", kind_of(call.need(1, "data")));
  call.machine.surroundings.write(file.path, *numbers, std::exchange(file.begun, true));
  return none();
}

Value nothing(Call&) { return none(); }
Value yes(Call&) { return of(true); }
Value no(Call&) { return of(false); }
Value zero(Call&) { return of(0.0); }
Value first_argument(Call& call) { return call.positional.empty() ? none() : call.positional[0]; }
Value end(Call&) { throw ScriptExit{}; }
Value cpu(Call&) { return of(std::string("cpu")); }
Value whole(Call& call) {
  return of(number_of(call.need(0, "self")) == std::floor(number_of(call.need(0, "self"))));
}

Value join_path(Call& call) {
  std::string path;
  for (const Value& part : call.positional)
    path += (path.empty() || path.back() == '/' ? "" : "/") + string_of(part);
  return of(std::move(path));
}

Value base_name(Call& call) {
  const std::string& path = string_of(call.need(0, "p"));
  return of(path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1));
}
Value folder_name(Call& call) {
  const std::string& path = string_of(call.need(0, "p"));
  return of(path.rfind('/') == std::string::npos ? std::string() : path.substr(0, path.rfind('/')));
}

Value from_file(Call& call) {
  const Value& source = call.need(0, "file");
  const auto* file = source.as<std::shared_ptr<File>>();
  return of(call.machine.surroundings.read(file ? (*file)->path : string_of(source),
                                           call.dtype(1).value_or(NumberType::kFloat64),
                                           call.integer(2, "count", -1)));
}

// Values of one type only: struct.pack("<4i", ...).
Value pack(Call& call) {
  const std::string& format = string_of(call.need(0, "format"));
  constexpr std::string_view kCodes = "ifdqQIBbhH";
  constexpr NumberType kTypes[] = {NumberType::kInt32, NumberType::kFloat32, NumberType::kFloat64,
                                   NumberType::kInt64, NumberType::kUint64,  NumberType::kUint32,
                                   NumberType::kUint8, NumberType::kInt8,    NumberType::kInt16,
                                   NumberType::kUint16};
  const char code = format.empty() ? ' ' : format.back();
  const size_t known = kCodes.find(code);
  std::string others = format;
  others.erase(std::remove(others.begin(), others.end(), code), others.end());
  if (known == std::string_view::npos || others.find_first_not_of("<=0123456789") != std::string::npos)
    throw Failure("struct.pack with {}", format);
  const Value values = list_of({call.positional.begin() + 1, call.positional.end()});
  return of(array_of(values, call.likeness(NumberType::kFloat64), kTypes[known]));
}

Value greatest_divisor(Call& call) {
  int64_t a = std::abs(integer_of(call.need(0, "a"))), b = std::abs(integer_of(call.need(1, "b")));
  while (b != 0) a = std::exchange(b, a % b);
  return of(a);
}

}  // namespace

void add_object_methods(FunctionTable& table) {
  table.insert({{"str.lower", lower},        {"str.upper", upper},
                {"str.strip", strip},        {"str.startswith", starts_with},
                {"str.endswith", ends_with}, {"str.join", join},
                {"str.split", split},        {"str.replace", replace},
                {"str.format", format},      {"str.mkdir", nothing},
                {"str.exists", yes},         {"list.append", append},
                {"list.add", add_once},      {"list.remove", remove},
                {"list.extend", extend},     {"list.insert", insert},
                {"list.pop", pop},           {"list.reverse", reverse},
                {"list.sort", sort},         {"list.index", index},
                {"list.count", count},       {"list.copy", keys},
                {"tuple.index", index},      {"tuple.count", count},
                {"dict.get", get},           {"dict.items", pairs},
                {"dict.keys", keys},         {"dict.values", values},
                {"file.write", write},       {"file.close", nothing},
                {"file.flush", nothing},     {"number.item", first_argument},
                {"number.is_integer", whole}});
}

void add_system_functions(FunctionTable& table) {
  table.insert({{"makedirs", nothing},
                {"mkdir", nothing},
                {"join", join_path},
                {"basename", base_name},
                {"dirname", folder_name},
                {"abspath", first_argument},
                {"exists", yes},
                {"isfile", yes},
                {"Path", first_argument},
                {"exit", end},
                {"_exit", end},
                {"is_available", no},
                {"device", cpu},
                {"no_grad", nothing},
                {"inference_mode", nothing},
                {"synchronize", nothing},
                {"time", zero},
                {"perf_counter", zero},
                {"set_printoptions", nothing},
                {"set_num_threads", nothing},
                {"use_deterministic_algorithms", nothing},
                {"collect", nothing},
                {"filterwarnings", nothing},
                {"fromfile", from_file},
                {"gcd", greatest_divisor},
                {"pack", pack}});
}

}  // namespace cuset::script
