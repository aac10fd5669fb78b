// Configuration files: YAML with one flat mapping, as LLaMA-Factory's are.
//
//   # comments and quoting as in YAML
//   learning_rate: 1.0e-4
//   lora_target: [q_proj, v_proj]
//
// Values stay text here; whoever knows a key's type converts them. Repeated keys, several documents in one file
// and, unless the caller asks for them, nested mappings are refused with file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace cuset::base {

struct ConfigEntry {
  std::string key;
  std::vector<std::string> values;  // one for a scalar, several for a list; empty for null and an empty list
  bool is_list = false;
  int line = 0;
};

// kFlatten: `peft_config: {name: lora}` becomes the key peft_config.name.
enum class NestedKeys { kRefuse, kFlatten };

// Entries in the order of the file; an empty file gives none. Throws UsageError with `name`:line for what is
// malformed.
std::vector<ConfigEntry> parse_config(std::string_view text, std::string_view name,
                                      NestedKeys nested = NestedKeys::kRefuse);

std::vector<ConfigEntry> read_config_file(const std::filesystem::path& path,
                                          NestedKeys nested = NestedKeys::kRefuse);

// The error for a nested mapping where there is none: "train.yaml:3: key 'b' holds a nested structure".
UsageError nested_key_error(std::string_view place, std::string_view key);

}  // namespace cuset::base
