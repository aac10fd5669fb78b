// Every key of LLaMA-Factory's training files, and what becomes of it here: it works as there, has no effect and why,
// or is refused and why. docs/llama-factory.md prints this table; a test compares the two.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuset::cli {

enum class KeyStatus { kWorks, kIgnored, kRefused };

// "works", "ignored", "refused".
std::string_view name_of(KeyStatus status);

struct LlamaFactoryKey {
  std::string key;
  KeyStatus status = KeyStatus::kWorks;
  std::string note;     // what is different, or why it is ignored or refused
  std::string neutral;  // a value that a refused key may have, besides false, 0, none and null
};

// In the order of their names.
const std::vector<LlamaFactoryKey>& llama_factory_keys();

// Null for a key that LLaMA-Factory does not have. "kt_config.kt_backend" is found as "kt_config".
const LlamaFactoryKey* find_llama_factory_key(std::string_view key);

// The key, where LLaMA-Factory has it and cuset can do without it; null where it must be a setting. Throws UsageError
// "not supported by cuset: ..." for a value that asks for something that is not there.
const LlamaFactoryKey* take_llama_factory_key(std::string_view key, const std::vector<std::string>& values);

}  // namespace cuset::cli
