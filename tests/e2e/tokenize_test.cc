// cuset tokenize as a user runs it, on a small model folder made for the test.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/json/json.h"
#include "e2e/program.h"
#include "support/tiny_model.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::tests {
namespace {

class Tokenize : public testing::Test {
 protected:
  sandbox::ProcessResult run(const std::string& input, std::vector<std::string> flags = {}) {
    base::write_file_atomic(input_, input);
    flags.insert(flags.begin(), {"tokenize", "--model", model_.path().string()});
    return run_cuset_reading(input_, flags);
  }

  support::TinyModelFolder model_;
  base::TemporaryFolder folder_;
  std::filesystem::path input_ = folder_ / "input";
};

TEST_F(Tokenize, LinesGoToIdsAndBack) {
  const sandbox::ProcessResult ids = run("__global__ void add(\n\né 🙂 <|im_end|>\n");
  ASSERT_EQ(ids.exit_status, 0) << ids.output;
  const sandbox::ProcessResult texts = run(ids.output, {"--decode"});
  EXPECT_EQ(texts.output,
            "{\"text\":\"__global__ void add(\"}\n{\"text\":\"\"}\n{\"text\":\"é 🙂 <|im_end|>\"}\n");
}

TEST_F(Tokenize, JsonlAndWholeInputKeepNewlines) {
  const sandbox::ProcessResult from_jsonl = run("{\"text\": \"int i;\\nint j;\\n\"}\n", {"--jsonl"});
  ASSERT_EQ(from_jsonl.exit_status, 0) << from_jsonl.output;
  EXPECT_EQ(run("int i;\nint j;\n", {"--whole"}).output, from_jsonl.output);
  const base::Json line = base::parse_json(from_jsonl.output, "output");
  EXPECT_EQ(line["offsets"].back()[1], 14);
}

TEST_F(Tokenize, SpecialTokensFollowThePolicy) {
  EXPECT_EQ(run("<|im_end|>\n").output, "{\"ids\":[2],\"offsets\":[[0,10]]}\n");
  const base::Json plain =
      base::parse_json(run("<|im_end|>\n", {"--special-tokens", "plain"}).output, "output");
  EXPECT_GT(plain["ids"].size(), 1u);
  const sandbox::ProcessResult refused = run("a\n<|im_end|>\n", {"--special-tokens", "refuse"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_NE(refused.output.find("cuset: stdin:2: "), std::string::npos) << refused.output;
}

TEST_F(Tokenize, BadLinesAreNamed) {
  const sandbox::ProcessResult text = run("{\"text\": \"a\"}\n\n{\"txt\": 1}\n", {"--jsonl"});
  EXPECT_EQ(text.exit_status, 1);
  EXPECT_NE(text.output.find("cuset: stdin:3: not an object with a string \"text\""), std::string::npos)
      << text.output;
  const sandbox::ProcessResult ids = run("[1]\n[99999999]\n", {"--decode"});
  EXPECT_EQ(ids.exit_status, 1);
  EXPECT_NE(ids.output.find("cuset: stdin:2: "), std::string::npos) << ids.output;
}

TEST(TokenizeUsage, ModelIsRequired) {
  const sandbox::ProcessResult result = run_cuset({"tokenize"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.output, "cuset: --model is missing: Model folder, or its tokenizer.json\n");
}

TEST(Vocabulary, IsLearnedAndUsed) {
  const base::TemporaryFolder folder;
  const std::string file = (folder / "tokenizer.json").string();
  const sandbox::ProcessResult learned =
      run_cuset({"vocabulary", "--data", "testdata/data/kernels.jsonl,examples/saxpy.cu", "--size", "500",
                 "--output", file});
  ASSERT_EQ(learned.exit_status, 0) << learned.output;
  EXPECT_NE(learned.output.find(": 500 tokens, from "), std::string::npos) << learned.output;
  const text::Tokenizer tokenizer = text::Tokenizer::from_file(file);
  EXPECT_EQ(tokenizer.token_to_id("<|im_start|>"), 1u);
  const std::string program = base::read_file("examples/saxpy.cu");
  const text::Encoding encoding = tokenizer.encode(program);
  EXPECT_EQ(tokenizer.decode(encoding.ids), program);
  EXPECT_LT(encoding.ids.size(), program.size() / 2);
  const sandbox::ProcessResult refused = run_cuset({"vocabulary", "--data", "examples/saxpy.cu", "--size",
                                                    "10", "--output-file", (folder / "other.json").string()});
  EXPECT_EQ(refused.exit_status, 1) << refused.output;
  EXPECT_FALSE(std::filesystem::exists(folder / "other.json"));
}

}  // namespace
}  // namespace cuset::tests
