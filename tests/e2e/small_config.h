// The config.json of a model small enough to be trained and asked in a test.
#pragma once

#include "base/json.h"

namespace cuset {

inline Json small_config(size_t vocab) {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"hidden_size", 32},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"intermediate_size", 64},
          {"vocab_size", vocab},
          {"max_position_embeddings", 512},
          {"rope_theta", 10000.0},
          {"rms_norm_eps", 1e-6},
          {"hidden_act", "silu"},
          {"initializer_range", 0.1},
          {"tie_word_embeddings", false},
          {"torch_dtype", "float32"}};
}

}  // namespace cuset
