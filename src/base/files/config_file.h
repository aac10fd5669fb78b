// Configuration files: YAML with one flat mapping, as LLaMA-Factory's are.
//
//   # comments and quoting as in YAML
//   learning_rate: 1.0e-4
//   lora_target: [q_proj, v_proj]
//
// Values stay text here; whoever knows a key's type converts them. Nested mappings, repeated keys, anchors
// that expand to mappings and several documents in one file are refused with file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::base {

struct ConfigEntry {
  std::string key;
  std::vector<std::string> values;  // one for a scalar, several for a list; empty for null and an empty list
  bool is_list = false;
  int line = 0;
};

// Entries in the order of the file; an empty file gives none. Throws UsageError with `name`:line for what is
// malformed.
std::vector<ConfigEntry> parse_config(std::string_view text, std::string_view name);

std::vector<ConfigEntry> read_config_file(const std::filesystem::path& path);

}  // namespace cuset::base
