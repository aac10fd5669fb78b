#include "generate/stop_tokens.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"
#include "support/tiny_tokenizer.h"

namespace cuset::generate {
namespace {

class StopTokens : public testing::Test {
 protected:
  StopTokens() {
    support::add_token(document_, "<end>", {"special"});
    support::add_token(document_, "<turn>", {"special"});
  }
  void write(const char* name, const std::string& text) const {
    base::write_file_atomic(folder_ / name, text);
  }
  std::vector<int64_t> read() const {
    return read_stop_tokens(folder_.path(), support::tokenizer_from(document_));
  }

  base::TemporaryFolder folder_;
  base::Json document_ = support::tiny_document();  // 256 bytes, then the two
};

TEST_F(StopTokens, EveryFileCounts) {
  EXPECT_EQ(read(), std::vector<int64_t>{});
  write("tokenizer_config.json", R"({"eos_token": {"content": "<turn>"}})");
  EXPECT_EQ(read(), std::vector<int64_t>{257});
  write("config.json", R"({"eos_token_id": 256})");
  write("generation_config.json", R"({"eos_token_id": [3, 257]})");
  EXPECT_EQ(read(), (std::vector<int64_t>{3, 256, 257}));
}

TEST_F(StopTokens, AbsentNullAndUnknownNamesAreNone) {
  write("tokenizer_config.json", R"({"eos_token": "<nowhere>"})");
  write("config.json", R"({"eos_token_id": null})");
  write("generation_config.json", R"({})");
  EXPECT_EQ(read(), std::vector<int64_t>{});
}

TEST_F(StopTokens, WhatIsNoIdIsRefused) {
  for (const char* value : {"\"2\"", "-1", "1.5", "[1, \"a\"]", "99999999999"}) {
    write("generation_config.json", fmt::format(R"({{"eos_token_id": {}}})", value));
    EXPECT_NE(support::error_of([&] { read(); }).find("generation_config.json: field 'eos_token_id"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace cuset::generate
