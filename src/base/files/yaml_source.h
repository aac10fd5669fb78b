// YAML with places: pieces of a document, read so that every complaint names file, line and place.
#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files/config_file.h"

namespace cuset::base {

using Names = std::vector<std::string>;

inline bool has_name(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// One entry of a mapping.
struct YamlEntry {
  std::string key;
  YAML::Node value;
  int line = 0;
};

// `where` is the place in the document, "methods.cuset". Everything throws UsageError "file:line: where ...".
class YamlSource {
 public:
  // `reader` names who reads the plan, as "study": it sets the reserved keys itself.
  YamlSource(std::string file, std::string reader) : file_(std::move(file)), reader_(std::move(reader)) {}

  // To be thrown by the caller.
  template <typename... Args>
  UsageError fault(int line, fmt::format_string<Args...> format, Args&&... args) const {
    return UsageError("{}:{}: {}", file_, line, fmt::format(format, std::forward<Args>(args)...));
  }

  static int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 1 : node.Mark().line + 1; }

  // The entries of a mapping, none of null. Refuses other nodes and repeated keys.
  std::vector<YamlEntry> mapping(const YAML::Node& node, const std::string& where) const;
  std::vector<YAML::Node> items(const YAML::Node& node, const std::string& where) const;
  // The items of a list, or a scalar as the only one.
  std::vector<YAML::Node> items_or_one(const YAML::Node& node, const std::string& where) const;
  std::string text(const YAML::Node& node, const std::string& where) const;
  // From 0 on.
  int64_t whole_number(const YAML::Node& node, const std::string& where) const;

  void refuse_unknown(const YamlEntry& entry, const std::string& where, const Names& known) const;
  // Keys that the reader sets.
  void refuse_reserved(const YamlEntry& entry, const std::string& where, const Names& reserved) const;
  // Names become parts of file names and are joined by '-'.
  void check_name(const YamlEntry& entry, const std::string& where) const;
  void check_known(const std::string& name, const Names& known, const std::string& where, int line) const;

  // Settings of a command: one value or a list each.
  ConfigEntry setting(const YamlEntry& entry, const std::string& where) const;
  std::vector<ConfigEntry> settings(const YAML::Node& node, const std::string& where,
                                    const Names& reserved) const;

 private:
  std::string file_;
  std::string reader_;
};

}  // namespace cuset::base
