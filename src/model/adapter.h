// LoRA adapters in PEFT's format: adapter_config.json and adapter_model.safetensors in one folder, as PEFT,
// vLLM, llama.cpp's converter and Hugging Face transformers read them. docs/model-folders.md has the fields.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/files/safetensors.h"
#include "model/lora.h"

namespace cuset::model {

struct Adapter {
  LoraSettings settings;             // targets are the short names found
  std::string base_model;            // base_model_name_or_path
  std::vector<NamedTensor> tensors;  // under PEFT's names, float32 or as stored, on the CPU
};

// Writes both files into `folder`, which is made if needed; each is replaced in one step. The targets must be
// named.
void write_adapter(const std::filesystem::path& folder, const Adapter& adapter);

// Reads an adapter made here or by PEFT and checks it against the model: every tensor belongs to a layer of
// it, both halves are there, shapes agree. Refuses by name what changes the computation and is not supported
// (DoRA, bias, modules_to_save, rank_pattern, alpha_pattern, fan_in_fan_out, layers_to_transform, another
// peft_type, and every key that we do not know and whose value is not empty).
Adapter read_adapter(const std::filesystem::path& folder, const ModelConfig& config);

// A warning to the log where the adapter in `folder` says that it was trained on another model than `model`.
// Shapes may agree all the same. Only the last parts of the two names count, for folders move.
void warn_of_other_base(const Adapter& adapter, const std::filesystem::path& folder,
                        const std::filesystem::path& model);

// The part of it that adapter_config.json says: settings, without the targets, and base_model. `name` (the
// file) opens messages.
Adapter adapter_from_config(const base::Json& config, std::string_view name);

}  // namespace cuset::model
