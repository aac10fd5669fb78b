// Published test vectors of real vocabularies. Skipped where the fixtures are not there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/json/json.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::text {
namespace {

std::filesystem::path fixtures() {
  const char* folder = std::getenv("CUSET_FIXTURES");
  return folder != nullptr ? folder : "../shared/fixtures";
}

class TokenizerVectors : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = fixtures() / "tokenizers" / GetParam();
    if (!std::filesystem::exists(folder_))
      GTEST_SKIP() << "no fixtures in " << folder_ << "; set CUSET_FIXTURES";
  }
  std::filesystem::path folder_;
};

TEST_P(TokenizerVectors, IdsSpansAndTextAreRight) {
  const Tokenizer tokenizer = Tokenizer::from_file(folder_ / "tokenizer.json");
  std::ifstream lines(folder_ / "vectors.jsonl");
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const base::Json vector = base::parse_json(line, "vectors.jsonl");
    const auto text = vector.at("text").get<std::string>();
    const Encoding encoding = tokenizer.encode(text, {.add_special_tokens = false});
    EXPECT_EQ(encoding.ids, vector.at("ids").get<std::vector<uint32_t>>()) << text;
    EXPECT_EQ(tokenizer.decode(encoding.ids), text);
    uint32_t covered = 0;
    for (const auto& [begin, end] : encoding.spans) {
      EXPECT_LE(begin, covered) << text;
      covered = end;
    }
    EXPECT_EQ(covered, text.size());
  }
  EXPECT_EQ(count, 46u);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TokenizerVectors, testing::Values("qwen2", "deepseek-coder"));

}  // namespace
}  // namespace cuset::text
