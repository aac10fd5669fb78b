#include "train/trained_model.h"

#include "base/error.h"
#include "model/adapter.h"
#include "model/model_folder.h"

namespace cuset {

namespace fs = std::filesystem;

torch::ScalarType type_for(const ModelChoice& choice, torch::Device device) {
  if (choice.type == "bfloat16") return torch::kBFloat16;
  if (choice.type == "float32") return torch::kFloat32;
  CUSET_CHECK(choice.type == "auto", "type {}", choice.type);
  return device.is_cuda() ? torch::kBFloat16 : torch::kFloat32;
}

std::string_view name_of_type(torch::ScalarType type) {
  return type == torch::kBFloat16 ? "bfloat16" : "float32";
}

void check_model(const ModelChoice& choice) {
  const ModelConfig config = read_model_config(choice.folder);
  if (!choice.full) lora_targets(config, choice.lora);
}

Decoder make_decoder(const ModelChoice& choice, torch::Device device, uint64_t seed) {
  const ModelConfig config = read_model_config(choice.folder);
  const WeightOptions options{type_for(choice, device), device};
  Decoder decoder(config, choice.from_scratch
                              ? random_model_weights(config, options, RandomStream(seed, "weights"))
                              : load_model_weights(choice.folder, config, options));
  if (choice.full) {
    decoder.train_all();
  } else {
    decoder.add_adapter(choice.lora, RandomStream(seed, "adapter"));
  }
  return decoder;
}

void write_trained_model(const Decoder& decoder, const ModelChoice& choice, const fs::path& folder) {
  if (choice.full) {
    save_model_folder(folder, decoder.merged_weights(), {.source = choice.folder});
  } else {
    write_adapter(folder, decoder.adapter(choice.folder.string()));
  }
}

}  // namespace cuset
