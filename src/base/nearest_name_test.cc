#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace cuset::base {
namespace {

constexpr std::array<std::string_view, 12> kKnown = {
    "learning_rate", "num_train_epochs", "output_dir", "lr",     "seed", "batch_size", "bf16",
    "fp16",          "lora_rank",        "lora_alpha", "method", "x"};

TEST(NearestName, Table) {
  const std::pair<std::string, std::string> cases[] = {
      {"learning_rat", "learning_rate"},        // a letter missing
      {"leraning_rate", "learning_rate"},       // two swapped
      {"learning-rate", "learning_rate"},       // another separator
      {"LearningRate", "learning_rate"},        // another convention
      {"learningrate", "learning_rate"},        //
      {"LEARNING_RATE", "learning_rate"},       //
      {"num_epochs", "none"},                   // half the name
      {"num_train_epoch", "num_train_epochs"},  //
      {"output_directory", "none"},             //
      {"output_dri", "output_dir"},             //
      {"sede", "seed"},                         //
      {"bf61", "bf16"},                         //
      {"fb16", "bf16"},                         // one swap beats one replacement and one more
      {"lora_rnak", "lora_rank"},               //
      {"rl", "lr"},                             //
      {"l", "none"},                            // nothing of "x" is right in "l"; "lr" is twice as long
      {"y", "none"},                            //
      {"X", "x"},                               //
      {"", "none"},
      {"temperature", "none"},
      {"nethud", "none"},    // two letters, the first among them
      {"mathod", "method"},  //
      {"method", "method"},
  };
  for (const auto& [wrong, name] : cases) {
    EXPECT_EQ(nearest_name(wrong, kKnown).value_or("none"), name) << wrong;
  }
}

TEST(NearestName, FirstOfEquallyNearNamesWins) {
  EXPECT_EQ(nearest_name("af16", kKnown), "bf16");
  const std::vector<std::string> reversed = {"fp16", "bf16"};
  EXPECT_EQ(nearest_name("af16", reversed), "bf16");
  const std::vector<std::string> equal = {"train_b", "train_a"};
  EXPECT_EQ(nearest_name("train_c", equal), "train_b");
}

TEST(NearestName, VeryLongNamesAreNotMeasured) {
  const std::vector<std::string> known = {std::string(1'000'000, 'a'), "seed"};
  EXPECT_EQ(nearest_name(std::string(1'000'001, 'a'), known), std::nullopt);
  EXPECT_EQ(nearest_name("sed", known), "seed");
}

TEST(DidYouMean, GivesTheEndOfASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("learning_rat", kKnown), "; did you mean 'learning_rate'?");
  EXPECT_EQ(did_you_mean("temperature", kKnown), "");
  EXPECT_EQ(did_you_mean("a", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace cuset::base
