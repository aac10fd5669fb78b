#include "text/chat/chat_variables.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace cuset::text {
namespace {

using jinja::Value;

// Roles that templates may build special tokens around.
constexpr std::string_view kRoles[] = {"system", "developer", "user",    "assistant",
                                       "tool",   "function",  "ipython", "model"};

bool is_usual_role(const std::string& role) {
  return std::find(std::begin(kRoles), std::end(kRoles), role) != std::end(kRoles);
}

void check_utf8(const std::string& bytes, const std::string& where) {
  const size_t position = jinja::find_invalid_utf8(bytes);
  if (position != std::string::npos) {
    throw base::Error("{}: not valid UTF-8 at byte {}", where, position)
        .with_remedy("convert the data to UTF-8");
  }
  if (bytes.size() > std::numeric_limits<int32_t>::max()) throw base::Error("{}: longer than 2 GiB", where);
}

std::string place_of(int message, const std::string& pointer) {
  return message < 0 ? "template variable " + pointer : fmt::format("message {}, {}", message, pointer);
}

std::string escaped_key(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

Value number_of(const base::Json& value, const std::string& where) {
  if (value.is_number_float()) return value.get<double>();
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    throw base::Error("{}: the number {} does not fit 64 bits", where, value.get<uint64_t>());
  }
  return value.get<int64_t>();
}

}  // namespace

Value ChatVariables::marked_text(const std::string& bytes, int message, const std::string& pointer) {
  check_utf8(bytes, place_of(message, pointer));
  auto text = std::make_shared<jinja::Text>();
  text->bytes = bytes;
  if (!bytes.empty()) {
    const auto size = static_cast<uint32_t>(bytes.size());
    text->marks.push_back({0, size, static_cast<int32_t>(origins_.size()), 0, size, true});
  }
  origins_.push_back({message, pointer});
  return jinja::TextPtr(std::move(text));
}

Value ChatVariables::convert(const base::Json& value, int message, const std::string& pointer) {
  if (value.is_string()) {
    const auto& bytes = value.get_ref<const std::string&>();
    if (message >= 0 && pointer == "/role" && is_usual_role(bytes)) return jinja::text_value(bytes);
    return marked_text(bytes, message, pointer);
  }
  if (value.is_array()) {
    std::vector<Value> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i)
      items.push_back(convert(value[i], message, fmt::format("{}/{}", pointer, i)));
    return jinja::make_list(std::move(items));
  }
  if (value.is_object()) {
    std::vector<std::pair<Value, Value>> items;
    for (const auto& [key, item] : value.items()) {
      items.emplace_back(marked_text(key, message, pointer),
                         convert(item, message, pointer + "/" + escaped_key(key)));
    }
    return jinja::make_dict(std::move(items));
  }
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return number_of(value, place_of(message, pointer));
  return jinja::None{};
}

Value ChatVariables::messages(const base::Json& messages) {
  if (!messages.is_array())
    throw base::Error("the messages of a chat are a list, not {}", messages.type_name());
  std::vector<Value> items;
  for (size_t i = 0; i < messages.size(); ++i) items.push_back(convert(messages[i], static_cast<int>(i), ""));
  return jinja::make_list(std::move(items));
}

Value ChatVariables::variable(const std::string& name, const base::Json& value) {
  return convert(value, -1, "/" + name);
}

Value ChatVariables::trusted(const base::Json& value) {
  if (value.is_string()) {
    check_utf8(value.get_ref<const std::string&>(), "special token");
    return jinja::text_value(value.get_ref<const std::string&>());
  }
  std::vector<Value> items;
  for (const base::Json& item : value) items.push_back(trusted(item));
  return jinja::make_list(std::move(items));
}

}  // namespace cuset::text
