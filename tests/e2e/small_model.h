// A model with random weights and an adapter for it, small enough for a test; both made by the program
// itself.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "e2e/program.h"
#include "support/tiny_model.h"

namespace cuset::tests {

// How it differs from the configuration of other tests: it learns within a few steps.
inline base::Json small_changes() {
  return {{"intermediate_size", 64},
          {"max_position_embeddings", 512},
          {"initializer_range", 0.1},
          {"tie_word_embeddings", false}};
}

class SmallModel {
 public:
  SmallModel() {
    source_.write_config(small_changes());
    base::write_file_atomic(folder_ / "train.jsonl",
                            "{\"prompt\": \"a\", \"response\": \"__global__ void f() {}\"}\n");
    train({"--model", source_.path().string(), "--output", model(), "--from-scratch"});
    train({"--model", model(), "--output", adapter(), "--learning-rate", "0.5", "--lora-rank", "2",
           "--objective", "sft"});
  }

  std::string model() const { return (folder_ / "model").string(); }
  std::string adapter() const { return (folder_ / "adapter").string(); }

 private:
  void train(std::vector<std::string> flags) const {
    const std::vector<std::string> usual = {
        "train", "--data", (folder_ / "train.jsonl").string(), "--max-steps", "2", "--threads", "1"};
    flags.insert(flags.begin(), usual.begin(), usual.end());
    const sandbox::ProcessResult made = run_cuset(flags);
    EXPECT_EQ(made.exit_status, 0) << made.output;
  }

  support::TinyModelFolder source_;
  base::TemporaryFolder folder_;
};

}  // namespace cuset::tests
