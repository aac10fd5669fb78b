#include "base/files/config_file.h"

#include <yaml-cpp/yaml.h>

#include <set>
#include <string>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::base {
namespace {

std::string place(std::string_view name, const YAML::Mark& mark) {
  return mark.is_null() ? std::string(name) : fmt::format("{}:{}", name, mark.line + 1);
}

void require_scalar(const YAML::Node& node, const std::string& key, std::string_view name) {
  if (!node.IsScalar()) throw nested_key_error(place(name, node.Mark()), key);
}

ConfigEntry to_entry(const std::string& key, const YAML::Node& key_node, const YAML::Node& value,
                     std::string_view name) {
  ConfigEntry entry{
      .key = key, .values = {}, .is_list = value.IsSequence(), .line = key_node.Mark().line + 1};
  if (value.IsNull()) return entry;
  if (!value.IsSequence()) {
    require_scalar(value, key, name);
    entry.values.push_back(value.Scalar());
    return entry;
  }
  for (const YAML::Node& item : value) {
    require_scalar(item, key, name);
    entry.values.push_back(item.Scalar());
  }
  return entry;
}

// The entries of a mapping; those of mappings in it carry the outer key before a dot.
class Entries {
 public:
  Entries(std::string_view name, NestedKeys nested) : name_(name), nested_(nested) {}

  void append(const YAML::Node& mapping, const std::string& before) {
    for (const auto& pair : mapping) {
      if (!pair.first.IsScalar())
        throw UsageError("{}: a key is not plain text", place(name_, pair.first.Mark()));
      const std::string key = before + pair.first.Scalar();
      if (!seen_.insert(key).second)
        throw UsageError("{}: key '{}' appears twice", place(name_, pair.first.Mark()), key);
      if (pair.second.IsMap() && nested_ == NestedKeys::kFlatten) {
        append(pair.second, key + ".");
      } else {
        entries_.push_back(to_entry(key, pair.first, pair.second, name_));
      }
    }
  }

  std::vector<ConfigEntry> take() { return std::move(entries_); }

 private:
  std::string_view name_;
  NestedKeys nested_;
  std::set<std::string> seen_;
  std::vector<ConfigEntry> entries_;
};

YAML::Node load_single_document(std::string_view text, std::string_view name) {
  const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
  if (documents.size() > 1) {
    UsageError error("{}: {} YAML documents", name, documents.size());
    if (text.starts_with("{")) throw std::move(error).with_remedy("it looks like JSONL: --data takes data");
    throw std::move(error).with_remedy("keep one per file");
  }
  return documents.empty() ? YAML::Node() : documents[0];
}

}  // namespace

UsageError nested_key_error(std::string_view place, std::string_view key) {
  return UsageError("{}: key '{}' holds a nested structure", place, key)
      .with_remedy("keys are flat: one value or one list of values each");
}

std::vector<ConfigEntry> parse_config(std::string_view text, std::string_view name, NestedKeys nested) {
  try {
    const YAML::Node root = load_single_document(text, name);
    if (root.IsNull() || !root.IsDefined()) return {};
    if (!root.IsMap()) {
      throw UsageError("{}: not a mapping", place(name, root.Mark()))
          .with_remedy("write lines of the form key: value");
    }
    Entries entries(name, nested);
    entries.append(root, "");
    return entries.take();
  } catch (const YAML::Exception& error) {
    throw UsageError("{}: not valid YAML: {}", place(name, error.mark), error.msg)
        .with_remedy("lines are of the form key: value and begin in the first column");
  }
}

std::vector<ConfigEntry> read_config_file(const std::filesystem::path& path, NestedKeys nested) {
  return parse_config(read_file(path), path.string(), nested);
}

}  // namespace cuset::base
