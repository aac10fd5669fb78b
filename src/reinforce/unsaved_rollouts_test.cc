#include "reinforce/unsaved_rollouts.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/temporary_folder.h"

namespace cuset::reinforce {
namespace {

class UnsavedRolloutsTest : public testing::Test {
 protected:
  UnsavedRolloutsTest() {
    task_.id = "scale";
    prompt_.task = &task_;
    prompt_.level = "1";
  }

  std::filesystem::path path() const { return folder_ / "unsaved_rollouts.jsonl"; }

  Rollout rollout(uint64_t draw, uint32_t sample) const {
    return {.draw = draw, .sample = sample, .prompt = &prompt_};
  }

  Rollout complete(uint64_t draw, uint32_t sample) const {
    Rollout made = rollout(draw, sample);
    made.answer = generate::GeneratedAnswer{.text = "code",
                                            .tokens = 2,
                                            .prompt_tokens = 9,
                                            .finish = generate::Finish::kStop,
                                            .ids = {5, 0},
                                            .log_probabilities = {-0.1F, -1e-7F}};
    made.verdict = judge::Verdict{};
    made.verdict->outcome = judge::Outcome::kCorrect;
    made.verdict->reward.fraction_right = 1;
    return made;
  }

  base::TemporaryFolder folder_;
  tasks::Task task_;
  TaskPrompt prompt_;
};

TEST_F(UnsavedRolloutsTest, AnswersAndVerdictsComeBackToTheBit) {
  {
    UnsavedRollouts file(path());
    file.append_answer(complete(3, 1));
    file.append_verdict(complete(3, 1));
    file.append_answer(complete(3, 2));
  }
  const UnsavedRollouts file(path());
  Rollout both = rollout(3, 1), answer = rollout(3, 2), none = rollout(4, 1);
  file.restore(both);
  file.restore(answer);
  file.restore(none);
  ASSERT_TRUE(both.answer && both.verdict);
  EXPECT_EQ(both.answer->text, "code");
  EXPECT_EQ(both.answer->finish, generate::Finish::kStop);
  EXPECT_EQ(both.answer->ids, (std::vector<int64_t>{5, 0}));
  EXPECT_EQ(both.answer->log_probabilities, (std::vector<float>{-0.1F, -1e-7F}));
  EXPECT_EQ(both.verdict->outcome, judge::Outcome::kCorrect);
  EXPECT_TRUE(answer.answer);
  EXPECT_FALSE(answer.verdict);
  EXPECT_FALSE(none.answer);
}

TEST_F(UnsavedRolloutsTest, TurnsAreKeptApartWithTheirPrompts) {
  {
    UnsavedRollouts file(path());
    file.append_answer(complete(3, 1));
    Rollout second = complete(3, 1);
    second.turn = 2;
    second.turn_prompt = {1, 2, 3};
    second.answer->text = "other code";
    file.append_answer(second);
  }
  const UnsavedRollouts file(path());
  Rollout first = rollout(3, 1), second = rollout(3, 1), third = rollout(3, 1);
  second.turn = 2;
  third.turn = 3;
  second.turn_prompt = {9};
  for (Rollout* one : {&first, &second, &third}) file.restore(*one);
  EXPECT_EQ(first.answer->text, "code");
  EXPECT_EQ(second.answer->text, "other code");
  EXPECT_EQ(second.turn_prompt, (std::vector<int64_t>{1, 2, 3})) << "what the answer was sampled from";
  EXPECT_FALSE(third.answer);
}

TEST_F(UnsavedRolloutsTest, WhatACheckpointHoldsIsForgotten) {
  UnsavedRollouts file(path());
  file.append_answer(complete(3, 0));
  file.append_answer(complete(4, 0));
  file.forget_below(4);
  file.append_answer(complete(5, 0));
  EXPECT_THROW(UnsavedRollouts{path()}, base::Error) << "this one still writes";
  file.forget_below(4);
  base::JsonlReader reader(path());
  EXPECT_EQ(reader.next()->at("draw"), 4);
  EXPECT_EQ(reader.next()->at("draw"), 5);
  EXPECT_FALSE(reader.next());
}

TEST_F(UnsavedRolloutsTest, OtherTasksAndOtherFilesAreRefused) {
  {
    UnsavedRollouts file(path());
    file.append_answer(complete(3, 0));
  }
  task_.id = "reduce";
  Rollout wanted = rollout(3, 0);
  {
    const UnsavedRollouts file(path());
    EXPECT_THROW(file.restore(wanted), base::Error);
  }
  base::write_file_atomic(path(), "{\"loss\": 1}\n");
  EXPECT_THROW(UnsavedRollouts{path()}, base::Error);
}

}  // namespace
}  // namespace cuset::reinforce
