#include "base/files/yaml_source.h"

#include <charconv>
#include <set>

#include "base/nearest_name.h"

namespace cuset::base {
namespace {

constexpr size_t kLongestName = 60;
constexpr size_t kMostEntries = 1000;  // of a mapping or list; a plan with more is a mistake

}  // namespace

std::vector<YamlEntry> YamlSource::mapping(const YAML::Node& node, const std::string& where) const {
  if (node.IsNull()) return {};
  if (!node.IsMap()) {
    throw fault(line_of(node), "{} is not a mapping", where).with_remedy("write {{key: value, ...}}");
  }
  if (node.size() > kMostEntries) {
    throw fault(line_of(node), "{} has {} entries, more than {}", where, node.size(), kMostEntries);
  }
  std::vector<YamlEntry> entries;
  std::set<std::string> seen;
  for (const auto& pair : node) {
    const int line = line_of(pair.first);
    if (!pair.first.IsScalar()) throw fault(line, "{}: a key is not plain text", where);
    entries.push_back({pair.first.Scalar(), pair.second, line});
    if (!seen.insert(entries.back().key).second)
      throw fault(line, "{}: key {} appears twice", where, in_quotes(entries.back().key));
  }
  return entries;
}

std::vector<YAML::Node> YamlSource::items(const YAML::Node& node, const std::string& where) const {
  if (!node.IsSequence()) throw fault(line_of(node), "{} is not a list", where).with_remedy("write [a, b]");
  if (node.size() > kMostEntries)
    throw fault(line_of(node), "{} has {} items, more than {}", where, node.size(), kMostEntries);
  return {node.begin(), node.end()};
}

std::string YamlSource::text(const YAML::Node& node, const std::string& where) const {
  if (!node.IsScalar()) throw fault(line_of(node), "{} is not plain text", where);
  return node.Scalar();
}

int64_t YamlSource::whole_number(const YAML::Node& node, const std::string& where) const {
  const std::string digits = text(node, where);
  int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size() || value < 0) {
    throw fault(line_of(node), "{}: {} is not a whole number from 0 on", where, in_quotes(digits));
  }
  return value;
}

void YamlSource::refuse_unknown(const YamlEntry& entry, const std::string& where, const Names& known) const {
  if (has_name(known, entry.key)) return;
  throw fault(entry.line, "{}unknown key {}{}", where.empty() ? "" : where + ": ", in_quotes(entry.key),
              did_you_mean(entry.key, known))
      .with_remedy("it takes {}", fmt::join(known, ", "));
}

void YamlSource::check_name(const YamlEntry& entry, const std::string& where) const {
  const std::string& name = entry.key;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool is_good =
      !name.empty() && name.size() <= kLongestName && is_plain(name[0]) &&
      std::all_of(name.begin(), name.end(), [&](char c) { return is_plain(c) || c == '_' || c == '.'; });
  if (!is_good) {
    throw fault(entry.line, "{}: {} cannot be a name", where, in_quotes(name))
        .with_remedy("use up to {} letters, digits, '_' and '.', a letter or digit first", kLongestName);
  }
}

void YamlSource::check_known(const std::string& name, const Names& known, const std::string& where,
                             int line) const {
  if (has_name(known, name)) return;
  throw fault(line, "{}: the plan has no {}{}", where, in_quotes(name), did_you_mean(name, known))
      .with_remedy("it has {}", fmt::join(known, ", "));
}

ConfigEntry YamlSource::setting(const YamlEntry& entry, const std::string& where) const {
  ConfigEntry made{.key = entry.key, .values = {}, .is_list = entry.value.IsSequence(), .line = entry.line};
  if (entry.value.IsNull()) return made;
  if (!made.is_list) {
    made.values.push_back(text(entry.value, where + "." + entry.key));
    return made;
  }
  for (const YAML::Node& item : items(entry.value, where + "." + entry.key))
    made.values.push_back(text(item, where + "." + entry.key));
  return made;
}

std::vector<ConfigEntry> YamlSource::settings(const YAML::Node& node, const std::string& where,
                                              const Names& reserved) const {
  std::vector<ConfigEntry> made;
  for (const YamlEntry& entry : mapping(node, where)) {
    refuse_reserved(entry, where, reserved);
    made.push_back(setting(entry, where));
  }
  return made;
}

std::vector<YAML::Node> YamlSource::items_or_one(const YAML::Node& node, const std::string& where) const {
  return node.IsScalar() ? std::vector<YAML::Node>{node} : items(node, where);
}

void YamlSource::refuse_reserved(const YamlEntry& entry, const std::string& where,
                                 const Names& reserved) const {
  if (!has_name(reserved, entry.key)) return;
  throw fault(entry.line, "{}: the {} itself sets '{}'", where, reader_, entry.key)
      .with_remedy("remove this key");
}

}  // namespace cuset::base
