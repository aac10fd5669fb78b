// What --model and --adapter name: folders in Hugging Face's and PEFT's formats. Newcomers give a name on the
// Hub, a GGUF file, a folder whose tokenizer is missing, or a run that was not finished; each error has its
// own remedy.
#pragma once

#include <filesystem>
#include <initializer_list>

namespace cuset::cli {

// Throws UsageError with a remedy unless `model` is a folder that holds `files`.
void require_model_folder(const std::filesystem::path& model,
                          std::initializer_list<const char*> files = {"config.json", "tokenizer.json"});

// `model` itself, or the tokenizer.json inside if it is a folder.
std::filesystem::path tokenizer_file_of(const std::filesystem::path& model);

// Throws UsageError with a remedy unless `adapter` holds adapter_config.json.
void require_adapter_folder(const std::filesystem::path& adapter);

}  // namespace cuset::cli
