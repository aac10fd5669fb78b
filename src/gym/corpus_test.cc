#include "gym/corpus.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"

namespace cuset::gym {
namespace {

TEST(Corpus, SharesOfKindsAreAsAsked) {
  const Corpus corpus({.seed = 1, .instructions = 0.2, .fragments = 0.3});
  std::map<std::string, int> kinds;
  for (uint64_t i = 0; i < 1000; ++i) ++kinds[corpus.document(i)["kind"]];
  EXPECT_NEAR(kinds["instruction"], 200, 50);
  EXPECT_NEAR(kinds["fragment"], 300, 60);
}

TEST(Corpus, SameNumberGivesTheSameDocument) {
  const CorpusOptions options = {.seed = 2};
  EXPECT_EQ(Corpus(options).document(17), Corpus(options).document(17));
}

TEST(Corpus, InstructionsAreNeverThoseOfFamiliesHeldOut) {
  std::set<std::string> held_out;
  for (const GymFamily& family : gym_families())
    if (family.held_out) held_out.insert(family.name);
  const Corpus corpus({.seed = 3, .instructions = 1});
  for (uint64_t i = 0; i < 2 * gym_families().size(); ++i)
    EXPECT_FALSE(held_out.contains(corpus.document(i)["family"]));
}

TEST(Corpus, ExcludedFamiliesHaveNoProgramsEither) {
  const Corpus corpus({.seed = 4, .exclude_held_out = true});
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 2 * gym_families().size(); ++i) seen.insert(corpus.document(i)["family"]);
  for (const GymFamily& family : gym_families()) EXPECT_EQ(seen.contains(family.name), !family.held_out);
}

TEST(Corpus, UnknownFamiliesAreRefused) {
  EXPECT_THROW(Corpus({.seed = 1, .families = {"nothing_like_it"}}), base::UsageError);
}

}  // namespace
}  // namespace cuset::gym
