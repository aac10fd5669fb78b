#include "train/trained_model.h"

#include "model/adapter.h"
#include "model/model_folder.h"

namespace cuset {

namespace fs = std::filesystem;

void check_model(const ModelChoice& choice) {
  const ModelConfig config = read_model_config(choice.folder);
  if (!choice.full) lora_targets(config, choice.lora);
}

Decoder make_decoder(const ModelChoice& choice, int gpu, uint64_t seed) {
  const ModelConfig config = read_model_config(choice.folder);
  const WeightOptions options = weight_options(choice.placement.resolve(), gpu);
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
