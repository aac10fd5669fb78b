// Configuration files of LLaMA-Factory, which `cuset train` reads as they are.
//
// A file is LLaMA-Factory's if it has one of the keys that mean something only there: `template`, `do_train`,
// `dataset_dir`, or `stage` with one of that program's stages (pt, sft, rm, ppo, dpo, kto). Files of its v1 have
// `train_dataset` or `model_class`. What such a file leaves out has LLaMA-Factory's default, not cuset's.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/files/config_file.h"
#include "cli/commands/train/llama_factory_keys.h"

namespace cuset::cli {

enum class FileOrigin { kCuset, kLlamaFactory, kLlamaFactoryV1 };

FileOrigin origin_of(const std::vector<base::ConfigEntry>& entries);

// Throws UsageError "FILE:LINE: stage: dpo is not supported by cuset: ..." for values of keys that otherwise work.
void refuse_unsupported_values(const std::vector<base::ConfigEntry>& entries,
                               const std::filesystem::path& file);

// The entries of a v1 file under the names of the others; keys without effect stay. Throws UsageError for what is not supported.
std::vector<base::ConfigEntry> translate_v1(const std::vector<base::ConfigEntry>& entries,
                                            const std::filesystem::path& file);

// Keys that only v1 has, for docs/llama-factory.md.
const std::vector<LlamaFactoryKey>& v1_keys();
// Null for others. "dist_config.name" is found as "dist_config".
const LlamaFactoryKey* find_v1_key(std::string_view key);

}  // namespace cuset::cli
