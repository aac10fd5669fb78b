#include "cli/bench.h"

#include <filesystem>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "cli/bench_tokenizer.h"
#include "cli/tokenize.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

std::vector<unsigned> thread_counts(const std::vector<std::string>& words) {
  std::vector<unsigned> counts;
  for (const std::string& word : words) {
    const bool is_count =
        !word.empty() && word.size() <= 4 && word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_count || std::stoul(word) == 0)
      throw UsageError("--threads: {} is no number of threads", in_quotes(word));
    counts.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  return counts;
}

class BenchCommand : public Command {
 public:
  std::string_view name() const override { return "bench"; }
  std::string_view summary() const override {
    return "Measure the tokenizer beside Hugging Face's on the same text";
  }
  std::string_view examples() const override {
    return "  cuset bench tokenizer --model Qwen2.5-Coder-7B --data kernels.jsonl --threads 1,2\n"
           "  cuset bench tokenizer --model tokenizer.json --data kernel.cu --json";
  }

  void declare(Settings& settings) override {
    settings.add_positional("subject", subjects_, "What to measure: tokenizer");
    settings.add("model", model_, "Model folder, or its tokenizer.json");
    settings.require("model");
    settings.add("data", data_, "Texts: JSONL with \"text\", or plain files");
    settings.require("data");
    settings.add("threads", threads_, "Numbers of threads to try");
    settings.add("python", python_, "Python whose tokenizers library is measured too");
    settings.add("json", json_, "Print JSON instead of a table");
  }

  int run() override {
    if (subjects_ != std::vector<std::string>{"tokenizer"}) {
      const std::string given = subjects_.empty() ? "nothing" : subjects_[0];
      throw UsageError("cuset bench: {} cannot be measured", given)
          .with_remedy("write: cuset bench tokenizer ...");
    }
    TokenizerBenchOptions options;
    options.tokenizer = tokenizer_file_of(model_);
    options.texts = read_texts(data_);
    options.threads = thread_counts(threads_);
    options.python = python_;
    const auto rows = compare_tokenizers(options);
    const uint64_t bytes =
        std::accumulate(options.texts.begin(), options.texts.end(), uint64_t{0},
                        [](uint64_t sum, const std::string& text) { return sum + text.size(); });
    if (json_) {
      std::cout << to_json(rows, bytes).dump(2) << "\n";
    } else {
      std::cout << render_comparison(rows, bytes);
    }
    if (!rows[0].reference) {
      log_warning("{} has no tokenizers library to compare with; `{} -m pip install tokenizers` adds it",
                  python_, python_);
    }
    return 0;
  }

 private:
  std::vector<std::string> subjects_;
  fs::path model_;
  std::vector<std::string> data_;
  std::vector<std::string> threads_ = {"1"};
  std::string python_ = "python3";
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace cuset
