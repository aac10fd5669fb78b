#include "judge/trials/word_set.h"

#include <gtest/gtest.h>

#include <set>

#include "base/stats/random.h"

namespace cuset::judge {
namespace {

TEST(WordSet, FindsWhatAPlainSetFinds) {
  base::RandomStream random(7, "words");
  for (const uint32_t first : {0u, 4096u - 70, (1u << 24) - 5000, 0xffffffffu - 9000}) {
    WordSet words;
    std::set<uint64_t> plain;
    for (int i = 0; i < 20000; ++i) {
      const auto word = static_cast<uint32_t>(first + random.next_u64() % 9000);
      uint64_t wanted = word;
      while (plain.contains(wanted)) ++wanted;
      EXPECT_EQ(words.contains(word), plain.contains(word));
      ASSERT_EQ(words.next_absent(word), wanted);
      words.insert(word);
      plain.insert(word);
    }
  }
}

TEST(WordSet, SkipsALongRunAndSaysWhereNothingIsLeft) {
  WordSet words;
  for (uint32_t word = 100; word < 5'000'000; ++word) words.insert(word);
  EXPECT_EQ(words.next_absent(99), 99u);
  EXPECT_EQ(words.next_absent(100), 5'000'000u);
  words.insert(0xffffffff);
  EXPECT_EQ(words.next_absent(0xffffffff), uint64_t{1} << 32);
}

}  // namespace
}  // namespace cuset::judge
