#include "gym/split.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "gym/task_source.h"

namespace cuset::gym {
namespace {

TEST(Split, OneSignatureInEightIsForMeasuringAndOneForChoosing) {
  std::map<GymSplit, int> counts;
  const GymFamily& family = gym_families()[0];
  base::RandomStream stream(1, "split");
  for (int i = 0; i < 2000; ++i) {
    const uint64_t signature = signature_of(family, family.draw(stream));
    for (const GymSplit split : {GymSplit::kTrain, GymSplit::kValidation, GymSplit::kHeldOut, GymSplit::kRaw})
      if (has_signature(split, signature)) ++counts[split];
  }
  EXPECT_NEAR(counts[GymSplit::kHeldOut] / 2000.0, 1.0 / 8, 0.05);
  EXPECT_NEAR(counts[GymSplit::kValidation] / 2000.0, 1.0 / 8, 0.05);
  EXPECT_EQ(counts[GymSplit::kTrain] + counts[GymSplit::kValidation] + counts[GymSplit::kHeldOut], 2000);
  EXPECT_EQ(counts[GymSplit::kTrain], counts[GymSplit::kRaw]);
}

TEST(Split, NamesAreReadBack) {
  for (const GymSplit split : {GymSplit::kTrain, GymSplit::kValidation, GymSplit::kHeldOut, GymSplit::kRaw})
    EXPECT_EQ(split_named(name_of(split)), split);
  EXPECT_THROW(split_named("test"), base::UsageError);
}

TEST(Split, NoTaskOfOneSplitIsInAnother) {
  const TaskSource sources[] = {TaskSource({1, GymSplit::kTrain, {}}),
                                TaskSource({1, GymSplit::kValidation, {}}),
                                TaskSource({1, GymSplit::kHeldOut, {}})};
  std::map<uint64_t, size_t> source_of;
  for (size_t s = 0; s < std::size(sources); ++s)
    for (uint64_t i = 0; i < 200; ++i)
      EXPECT_EQ(source_of.emplace(sources[s].task(i).signature, s).first->second, s);
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
