// The model of a run: made from a folder or from nothing, with an adapter or trained whole, and written where
// others load it.
#pragma once

#include <filesystem>

#include "model/decoder.h"
#include "train/training_settings.h"

namespace cuset::train {

// Throws what make_decoder would throw for a configuration or adapter that cannot be, in no time.
void check_model(const ModelChoice& choice);

// Loads or draws the weights and chooses what is trained. `gpu` numbers the GPU, where the model is on one.
// The seed decides random weights. Throws what reading the folder throws.
model::Decoder make_decoder(const ModelChoice& choice, int gpu, uint64_t seed);

// Writes the adapter (PEFT's two files) or, for full training, a model folder with the tokenizer's files into
// `folder`, which is empty.
void write_trained_model(const model::Decoder& decoder, const ModelChoice& choice,
                         const std::filesystem::path& folder);

}  // namespace cuset::train
