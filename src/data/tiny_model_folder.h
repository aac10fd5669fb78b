// A model folder for tests: a small byte-level vocabulary, the usual control tokens and a chat template.
#pragma once

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "text/bpe_trainer.h"

namespace cuset {

inline constexpr const char* kChatMlTemplate =
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% "
    "endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

class TinyModelFolder {
 public:
  // An empty template makes a folder without one.
  explicit TinyModelFolder(const std::string& chat_template = kChatMlTemplate) {
    BpeTrainer trainer(
        {.vocab_size = 600, .special_tokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}});
    for (int i = 0; i < 3; ++i) {
      trainer.add(
          "__global__ void add(float* a, const float* b, int n) {\n  int i = blockIdx.x * blockDim.x + "
          "threadIdx.x;\n"
          "  if (i < n) a[i] += b[i];\n}\nint main() { add<<<(n + 255) / 256, 256>>>(a, b, n); }\n");
    }
    Json tokenizer = trainer.train();
    for (const char* tag : {"<think>", "</think>"}) {
      const size_t id = tokenizer["model"]["vocab"].size() + extra_tokens_++;
      tokenizer["added_tokens"].push_back({{"id", id},
                                           {"content", tag},
                                           {"single_word", false},
                                           {"lstrip", false},
                                           {"rstrip", false},
                                           {"normalized", false},
                                           {"special", false}});
    }
    write_json_file(path() / "tokenizer.json", tokenizer);
    Json config = {{"eos_token", "<|endoftext|>"}};
    if (!chat_template.empty()) config["chat_template"] = chat_template;
    write_json_file(path() / "tokenizer_config.json", config);
  }

  std::filesystem::path path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  size_t extra_tokens_ = 0;
};

}  // namespace cuset
