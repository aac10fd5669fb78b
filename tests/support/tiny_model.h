// The tiny model of the tests: its configuration, its tokenizer and its random weights, as a model folder.
//
// Two Llama layers of width 32 in float32. A test that needs another shape gives the keys of config.json that differ.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/stats/random.h"
#include "text/tokenizer/bpe_trainer.h"

namespace cuset::support {

// What config.json holds; `changes` replaces keys and adds others.
inline base::Json tiny_model_config(size_t vocab, const base::Json& changes = base::Json::object()) {
  base::Json config = {{"architectures", {"LlamaForCausalLM"}},
                       {"model_type", "llama"},
                       {"hidden_size", 32},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 4},
                       {"num_key_value_heads", 2},
                       {"intermediate_size", 48},
                       {"vocab_size", vocab},
                       {"max_position_embeddings", 256},
                       {"rope_theta", 10000.0},
                       {"rms_norm_eps", 1e-6},
                       {"hidden_act", "silu"},
                       {"tie_word_embeddings", true},
                       {"torch_dtype", "float32"}};
  config.update(changes);
  return config;
}

struct FloatTensor {
  std::string name;
  std::vector<size_t> shape;
  std::vector<float> values;
};

// A safetensors file written byte by byte: 8 bytes with the size of the header; the header as JSON; the values.
inline void write_float_tensors(const std::filesystem::path& path, const std::vector<FloatTensor>& tensors) {
  base::Json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string values;
  for (const FloatTensor& tensor : tensors) {
    const size_t begin = values.size();
    values.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, values.size()}}};
  }
  const std::string text = base::to_json_line(header);
  const uint64_t length = text.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  base::write_file_atomic(path, file + text + values);
}

// Random weights of the layers that `config` describes, with norms of one.
inline std::vector<FloatTensor> random_tensors(const base::Json& config) {
  base::RandomStream stream(1, "weights");
  std::vector<FloatTensor> tensors;
  const auto add = [&](const std::string& name, std::vector<size_t> shape) {
    size_t count = 1;
    for (const size_t extent : shape) count *= extent;
    const bool is_norm = shape.size() == 1;
    FloatTensor tensor{name, std::move(shape), {}};
    while (tensor.values.size() < count) {
      tensor.values.push_back(is_norm ? 1.0F : static_cast<float>(0.4 * stream.normal()));
    }
    tensors.push_back(std::move(tensor));
  };
  const size_t width = config.at("hidden_size");
  const size_t inner = config.at("intermediate_size");
  const size_t kv_width =
      width / config.at("num_attention_heads").get<size_t>() * config.at("num_key_value_heads").get<size_t>();
  add("model.embed_tokens.weight", {config.at("vocab_size"), width});
  for (int i = 0; i < config.at("num_hidden_layers"); ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    add(layer + "input_layernorm.weight", {width});
    add(layer + "self_attn.q_proj.weight", {width, width});
    add(layer + "self_attn.k_proj.weight", {kv_width, width});
    add(layer + "self_attn.v_proj.weight", {kv_width, width});
    add(layer + "self_attn.o_proj.weight", {width, width});
    add(layer + "post_attention_layernorm.weight", {width});
    add(layer + "mlp.gate_proj.weight", {inner, width});
    add(layer + "mlp.up_proj.weight", {inner, width});
    add(layer + "mlp.down_proj.weight", {width, inner});
  }
  add("model.norm.weight", {width});
  return tensors;
}

inline constexpr const char* kChatMlTemplate =
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

// A model folder with a small byte-level vocabulary, the usual control tokens and a chat template.
class TinyModelFolder {
 public:
  // An empty template makes a folder without one.
  explicit TinyModelFolder(const std::string& chat_template = kChatMlTemplate) {
    write_tokenizer();
    base::Json config = {{"eos_token", "<|endoftext|>"}};
    if (!chat_template.empty()) config["chat_template"] = chat_template;
    base::write_json_file(path() / "tokenizer_config.json", config);
  }

  std::filesystem::path path() const { return folder_.path(); }

  // Adds tiny_model_config for the folder's vocabulary.
  void write_config(const base::Json& changes = base::Json::object()) const {
    base::write_json_file(path() / "config.json", tiny_model_config(vocab_, changes));
  }

  // Adds random weights for the config.json that is there.
  void write_weights() const {
    write_float_tensors(path() / "model.safetensors",
                        random_tensors(base::read_json_file(path() / "config.json")));
  }

 private:
  void write_tokenizer() {
    text::BpeTrainer trainer(
        {.vocab_size = 600, .special_tokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}});
    for (int i = 0; i < 3; ++i) {
      trainer.add(
          "__global__ void add(float* a, const float* b, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n) a[i] += b[i];\n}\n"
          "int main() { add<<<(n + 255) / 256, 256>>>(a, b, n); }\n");
    }
    base::Json tokenizer = trainer.train();
    size_t id = tokenizer["model"]["vocab"].size();
    for (const char* tag : {"<think>", "</think>"}) {
      tokenizer["added_tokens"].push_back({{"id", id++},
                                           {"content", tag},
                                           {"single_word", false},
                                           {"lstrip", false},
                                           {"rstrip", false},
                                           {"normalized", false},
                                           {"special", false}});
    }
    vocab_ = tokenizer["model"]["vocab"].size() + tokenizer["added_tokens"].size();
    base::write_json_file(path() / "tokenizer.json", tokenizer);
  }

  base::TemporaryFolder folder_;
  size_t vocab_ = 0;
};

}  // namespace cuset::support
