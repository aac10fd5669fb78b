#include "train/evaluation.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "support/tiny_training.h"
#include "train/forward_backward.h"

namespace cuset::train {
namespace {

class EvaluationTest : public support::TinyTraining {};

std::vector<std::string> places_of(const std::vector<data::Example>& examples) {
  std::vector<std::string> places;
  for (const data::Example& example : examples) places.push_back(example.place);
  return places;
}

TEST(Validation, PartsAreDisjointAndChosenBySeed) {
  std::vector<data::Example> kept = support::tiny_examples(40);
  const std::vector<data::Example> chosen = split_off_validation(kept, 0.25, 3);
  EXPECT_EQ(chosen.size(), 10u);
  EXPECT_EQ(kept.size(), 30u);
  std::set<std::string> all;
  for (const std::vector<data::Example>* part :
       std::initializer_list<const std::vector<data::Example>*>{&kept, &chosen}) {
    for (const std::string& place : places_of(*part)) EXPECT_TRUE(all.insert(place).second) << place;
  }
  std::vector<data::Example> again = support::tiny_examples(40);
  EXPECT_EQ(places_of(split_off_validation(again, 10, 3)), places_of(chosen)) << "10 is a quarter of 40";
  std::vector<data::Example> other = support::tiny_examples(40);
  EXPECT_NE(places_of(split_off_validation(other, 10, 4)), places_of(chosen));
}

TEST(Validation, SomethingIsLeftToTrainOn) {
  std::vector<data::Example> examples = support::tiny_examples(5);
  EXPECT_TRUE(split_off_validation(examples, 0, 1).empty());
  EXPECT_THROW(split_off_validation(examples, 5, 1), base::UsageError);
  EXPECT_EQ(split_off_validation(examples, 0.01, 1).size(), 1u);
  EXPECT_EQ(examples.size(), 4u);
}

TEST_F(EvaluationTest, PackingDoesNotChangeTheMetrics) {
  model::Decoder decoder = support::tiny_decoder();
  const std::vector<data::Example> examples = support::tiny_examples(9);
  const Ranks alone;
  const EvaluationMetrics packed = Evaluation(examples, alone, 100).run(decoder);
  const EvaluationMetrics single = Evaluation(examples, alone, 1).run(decoder);
  EXPECT_NEAR(packed.loss, single.loss, 1e-6 * single.loss);
  EXPECT_EQ(packed.accuracy, single.accuracy);
  EXPECT_EQ(packed.tokens, single.tokens);
  int64_t tokens = 0;
  for (const data::Example& example : examples) tokens += static_cast<int64_t>(example.supervised_tokens());
  EXPECT_EQ(packed.tokens, tokens);
  EXPECT_GT(packed.confidence, 0);
}

TEST_F(EvaluationTest, WithoutExamplesThereIsNothingToDo) {
  const std::vector<data::Example> none;
  const Ranks alone;
  EXPECT_TRUE(Evaluation(none, alone, 10).is_empty());
}

}  // namespace
}  // namespace cuset::train
