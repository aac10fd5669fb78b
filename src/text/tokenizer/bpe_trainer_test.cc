#include "text/tokenizer/bpe_trainer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/tiny_tokenizer.h"

namespace cuset::text {
namespace {

std::vector<std::string> merges_of(const base::Json& document) {
  std::vector<std::string> out;
  for (const base::Json& merge : document.at("model").at("merges")) {
    out.push_back(merge[0].get<std::string>() + "+" + merge[1].get<std::string>());
  }
  return out;
}

TEST(BpeTrainer, MergesTheMostFrequentPairFirst) {
  BpeTrainer trainer({.vocab_size = 260, .min_frequency = 1});
  for (int i = 0; i < 3; ++i) trainer.add("low lower lowest");
  EXPECT_EQ(merges_of(trainer.train()), (std::vector<std::string>{"l+o", "lo+w", "Ġ+low", "Ġlow+e"}));
}

TEST(BpeTrainer, RepeatedLettersAreCountedAsTheyAreMerged) {
  BpeTrainer trainer({.vocab_size = 1000, .min_frequency = 1});
  trainer.add("aaaaaaa");
  EXPECT_EQ(merges_of(trainer.train()), (std::vector<std::string>{"a+a", "aa+aa", "aa+a", "aaaa+aaa"}));
}

TEST(BpeTrainer, StopsWhereNothingIsFrequentEnough) {
  BpeTrainer trainer({.vocab_size = 1000, .min_frequency = 3});
  trainer.add("ab ab cd ab");
  EXPECT_EQ(merges_of(trainer.train()), (std::vector<std::string>{"a+b"}));
}

TEST(BpeTrainer, OrderOfTextsDoesNotMatter) {
  BpeTrainer one({.vocab_size = 300}), other({.vocab_size = 300});
  const std::string_view texts[] = {"__global__ void f(int* x)", "x[i] = 2 * x[i];", "__shared__ int s[32];"};
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 3; ++i) one.add(texts[i]);
    for (int i = 2; i >= 0; --i) other.add(texts[i]);
  }
  EXPECT_EQ(one.train(), other.train());
}

TEST(BpeTrainer, TheFileIsATokenizer) {
  BpeTrainer trainer({.vocab_size = 400, .special_tokens = {"<|end|>", "<pad>"}});
  std::string source;
  for (int i = 0; i < 50; ++i)
    source += fmt::format("__global__ void kernel_{}(float* x) {{ x[{}] *= 2; }}\n", i, i);
  trainer.add(source);
  const Tokenizer tokenizer = support::tokenizer_from(trainer.train());
  EXPECT_LE(tokenizer.vocab_size(), 400u);
  EXPECT_EQ(tokenizer.token_to_id("<|end|>"), 0u);
  const std::string text = "__global__ void other(float* x) {} // €\n<|end|>";
  const Encoding encoding = tokenizer.encode(text);
  EXPECT_EQ(encoding.ids.back(), 0u);
  EXPECT_EQ(tokenizer.decode(encoding.ids), text);
  EXPECT_LT(encoding.ids.size(), text.size() * 2 / 3);
}

TEST(BpeTrainer, RefusesImpossibleOptions) {
  EXPECT_THROW(BpeTrainer({.vocab_size = 255}), base::Error);
  EXPECT_THROW(BpeTrainer({.vocab_size = 256, .special_tokens = {"<s>"}}), base::Error);
  EXPECT_THROW(BpeTrainer({.special_tokens = {"<s>", "<s>"}}), base::Error);
  EXPECT_THROW(BpeTrainer({.special_tokens = {""}}), base::Error);
  EXPECT_THROW(BpeTrainer({.split_pattern = "[[a]]"}), base::Error);
  BpeTrainer trainer({});
  EXPECT_THROW(trainer.add("\xFF"), base::Error);
}

}  // namespace
}  // namespace cuset::text
