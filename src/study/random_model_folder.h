// A model folder with random weights for tests: TinyModelFolder with a config.json and a model.safetensors
// (8 bytes: size of the header; the header as JSON; the values) of two Llama layers.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/tiny_model_folder.h"

namespace cuset {

class RandomModelFolder {
 public:
  explicit RandomModelFolder(int64_t positions) {
    const Json tokenizer = read_json_file(path() / "tokenizer.json");
    const size_t vocab = tokenizer["model"]["vocab"].size() + tokenizer["added_tokens"].size();
    write_json_file(path() / "config.json", {{"architectures", {"LlamaForCausalLM"}},
                                             {"model_type", "llama"},
                                             {"hidden_size", kWidth},
                                             {"num_hidden_layers", 2},
                                             {"num_attention_heads", 4},
                                             {"num_key_value_heads", 2},
                                             {"intermediate_size", kInner},
                                             {"vocab_size", vocab},
                                             {"max_position_embeddings", positions},
                                             {"rope_theta", 10000.0},
                                             {"rms_norm_eps", 1e-6},
                                             {"hidden_act", "silu"},
                                             {"tie_word_embeddings", true},
                                             {"torch_dtype", "float32"}});
    add("model.embed_tokens.weight", {vocab, kWidth});
    for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
      add(layer + "input_layernorm.weight", {kWidth});
      add(layer + "self_attn.q_proj.weight", {kWidth, kWidth});
      add(layer + "self_attn.k_proj.weight", {kWidth / 2, kWidth});
      add(layer + "self_attn.v_proj.weight", {kWidth / 2, kWidth});
      add(layer + "self_attn.o_proj.weight", {kWidth, kWidth});
      add(layer + "post_attention_layernorm.weight", {kWidth});
      add(layer + "mlp.gate_proj.weight", {kInner, kWidth});
      add(layer + "mlp.up_proj.weight", {kInner, kWidth});
      add(layer + "mlp.down_proj.weight", {kWidth, kInner});
    }
    add("model.norm.weight", {kWidth});
    const std::string header = to_json_line(header_);
    const uint64_t size = header.size();
    std::string file(sizeof size, '\0');
    std::memcpy(file.data(), &size, sizeof size);
    write_file_atomic(path() / "model.safetensors", file + header + values_);
  }

  std::filesystem::path path() const { return folder_.path(); }

 private:
  static constexpr size_t kWidth = 32;
  static constexpr size_t kInner = 64;

  void add(const std::string& name, const std::vector<size_t>& shape) {
    size_t count = 1;
    for (const size_t extent : shape) count *= extent;
    const size_t begin = values_.size();
    for (size_t i = 0; i < count; ++i) {
      const float value = shape.size() == 1 ? 1.0F : static_cast<float>(0.4 * stream_.normal());
      values_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, values_.size()}}};
  }

  TinyModelFolder folder_;
  RandomStream stream_{1, "weights"};
  Json header_ = Json::object();
  std::string values_;
};

}  // namespace cuset
