#include "gym/split.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "gym/task_source.h"

namespace cuset::gym {
namespace {

TEST(Split, OneSignatureInEightIsReserved) {
  size_t reserved = 0;
  const GymFamily& family = gym_families()[0];
  base::RandomStream stream(1, "split");
  for (int i = 0; i < 2000; ++i)
    if (is_reserved(signature_of(family, family.draw(stream)))) ++reserved;
  EXPECT_NEAR(static_cast<double>(reserved) / 2000, 1.0 / 8, 0.05);
}

TEST(Split, NoTaskOfOneSplitIsInAnother) {
  std::set<uint64_t> training, measured;
  const TaskSource train({1, GymSplit::kTrain, {}}), held_out({1, GymSplit::kHeldOut, {}});
  for (uint64_t i = 0; i < 200; ++i) {
    training.insert(train.task(i).signature);
    measured.insert(held_out.task(i).signature);
  }
  for (const uint64_t signature : measured) EXPECT_FALSE(training.contains(signature));
}

TEST(Split, SignatureKnowsSizesAndScalarsButNoNames) {
  const GymFamily& family = gym_families()[0];
  base::RandomStream stream(2, "split");
  GymDraft draft = family.draw(stream);
  const uint64_t signature = signature_of(family, draft);
  draft.titles[0] = "another title";
  EXPECT_EQ(signature_of(family, draft), signature);
  draft.sizes[0].value += 1;
  EXPECT_NE(signature_of(family, draft), signature);
}

TEST(TaskSource, FamiliesTakeTurns) {
  const TaskSource source({3, GymSplit::kHeldOut, {}});
  std::set<std::string> names;
  for (uint64_t i = 0; i < source.families().size(); ++i) names.insert(source.task(i).task.family);
  EXPECT_EQ(names.size(), source.families().size());
}

TEST(TaskSource, FamiliesThatAreHeldOutHaveNoTrainingTasks) {
  const TaskSource source({3, GymSplit::kTrain, {}});
  for (const GymFamily* family : source.families()) EXPECT_FALSE(family->held_out) << family->name;
}

TEST(TaskSource, AnUnknownFamilyIsNamedWithTheNearest) {
  try {
    TaskSource({1, GymSplit::kTrain, {"saxpi"}});
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_NE(error.one_line().find("did you mean 'saxpy'"), std::string::npos) << error.one_line();
  }
}

TEST(TaskSource, IdNamesFamilySplitAndNumber) {
  const GymTask task = TaskSource({1, GymSplit::kTrain, {"saxpy"}}).task(123);
  EXPECT_TRUE(task.task.id.starts_with("gym/saxpy/train/000123-")) << task.task.id;
}

}  // namespace
}  // namespace cuset::gym
