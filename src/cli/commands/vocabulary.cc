// cuset vocabulary: a byte-level BPE tokenizer.json trained on texts. docs/tokenizer.md has the format.
#include "cli/commands/commands.h"

#include <iostream>
#include <utility>

#include "base/error.h"
#include "base/files/file.h"
#include "base/human_readable.h"
#include "cli/framework/setting_limits.h"
#include "data/record_reader.h"
#include "data/sample.h"
#include "text/tokenizer/bpe_trainer.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

class VocabularyCommand : public Command {
 public:
  std::string_view name() const override { return "vocabulary"; }
  std::string_view summary() const override { return "Train a byte-level BPE vocabulary on texts"; }
  std::string_view examples() const override {
    return "  cuset vocabulary --data testdata/data/kernels.jsonl --size 512 --output tokenizer.json\n"
           "  cuset vocabulary --data corpus.jsonl,kernel.cu --special-tokens '<|endoftext|>' --output "
           "t.json";
  }

  void declare(Settings& settings) override {
    settings.add("data", data_, "Texts: JSONL in any form of training data, or plain files");
    settings.require("data");
    settings.add("size", size_, "Number of tokens, including the 256 bytes and the special tokens");
    settings.add("special_tokens", special_tokens_, "Special tokens; they get the first ids");
    settings.add("output", output_, "tokenizer.json to write");
    settings.add_alias("output_file", "output");
    settings.require("output");
  }

  int run() override {
    within("size", size_, 1, 1'000'000);
    text::BpeTrainer trainer({.vocab_size = static_cast<uint32_t>(size_), .special_tokens = special_tokens_});
    for (const fs::path file : data_) add_file(file, trainer);
    const base::Json document = trainer.train();
    const text::Tokenizer trained = text::Tokenizer::from_json(document.dump(), output_.string());
    base::write_json_file(output_, document);
    const bool is_short = std::cmp_less(trained.vocab_size(), size_);
    std::cout << fmt::format("{}: {} tokens{}, from {} texts, {}\n", output_.string(), trained.vocab_size(),
                             is_short ? " (no further pair of tokens occurs twice)" : "", texts_,
                             base::human_bytes(bytes_));
    return 0;
  }

 private:
  void add_text(const std::string& text, text::BpeTrainer& trainer) {
    trainer.add(text);
    ++texts_;
    bytes_ += text.size();
  }

  void add_file(const fs::path& file, text::BpeTrainer& trainer) {
    if (!data::is_data_file(file)) return add_text(base::read_file(file), trainer);
    data::RecordReader reader(file);
    while (const std::optional<base::Json> record = reader.next()) {
      for (const base::Json& message : data::sample_from_record(*record, reader.place()).messages)
        add_text(message.at("content").get_ref<const std::string&>(), trainer);
    }
  }

  std::vector<std::string> data_;
  int64_t size_ = 2048;
  std::vector<std::string> special_tokens_ = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
  fs::path output_;
  uint64_t texts_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_vocabulary_command() { return std::make_unique<VocabularyCommand>(); }

}  // namespace cuset::cli
