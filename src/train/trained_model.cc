#include "train/trained_model.h"

#include "model/adapter.h"
#include "model/model_folder.h"

namespace cuset::train {

namespace fs = std::filesystem;

void check_model(const ModelChoice& choice) {
  const model::ModelConfig config = model::read_model_config(choice.folder);
  if (!choice.full) model::lora_targets(config, choice.lora);
}

model::Decoder make_decoder(const ModelChoice& choice, int gpu, uint64_t seed) {
  const model::ModelConfig config = model::read_model_config(choice.folder);
  const model::WeightOptions options = model::weight_options(choice.placement.resolve(), gpu);
  model::Decoder decoder(
      config, choice.from_scratch
                  ? model::random_model_weights(config, options, base::RandomStream(seed, "weights"))
                  : model::load_model_weights(choice.folder, config, options));
  if (choice.full) {
    decoder.train_all();
  } else {
    decoder.add_adapter(choice.lora, base::RandomStream(seed, "adapter"));
    if (!choice.adapter.empty()) decoder.load_adapter(model::read_adapter(choice.adapter, config));
  }
  return decoder;
}

void write_trained_model(const model::Decoder& decoder, const ModelChoice& choice, const fs::path& folder) {
  if (choice.full) {
    model::save_model_folder(folder, decoder.merged_weights(), {.source = choice.folder});
  } else {
    model::write_adapter(folder, decoder.adapter(choice.folder.string()));
  }
}

}  // namespace cuset::train
