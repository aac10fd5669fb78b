#include "judge/results/verdict_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::judge {
namespace {

Verdict verdict_on(const tasks::Answer& answer, Outcome outcome) {
  Verdict verdict;
  verdict.task = answer.task;
  verdict.sample = answer.sample;
  verdict.outcome = outcome;
  return verdict;
}

class VerdictFileTest : public testing::Test {
 protected:
  base::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "verdicts.jsonl";
  const tasks::Answer first_{"add", 0, "a", -1, "answers.jsonl:1"};
  const tasks::Answer second_{"add", 1, "b", -1, "answers.jsonl:2"};
};

TEST_F(VerdictFileTest, WhatWasAppendedIsFoundByTheNext) {
  {
    VerdictFile file(path_);
    EXPECT_EQ(file.find(first_), nullptr);
    file.append(verdict_on(first_, Outcome::kTimeout), first_);
  }
  const VerdictFile file(path_);
  ASSERT_NE(file.find(first_), nullptr);
  EXPECT_EQ(file.find(first_)->outcome, Outcome::kTimeout);
  EXPECT_EQ(file.find(second_), nullptr);
}

TEST_F(VerdictFileTest, AnUnfinishedLineIsCut) {
  {
    VerdictFile file(path_);
    file.append(verdict_on(first_, Outcome::kCorrect), first_);
    file.append(verdict_on(second_, Outcome::kCorrect), second_);
  }
  const std::string whole = base::read_file(path_);
  base::write_file_atomic(path_, whole.substr(0, whole.size() - 9));
  {
    VerdictFile file(path_);
    EXPECT_NE(file.find(first_), nullptr);
    EXPECT_EQ(file.find(second_), nullptr);
    file.append(verdict_on(second_, Outcome::kCorrect), second_);
  }
  EXPECT_EQ(base::read_file(path_), whole);
}

TEST_F(VerdictFileTest, AnotherTextUnderTheSameNameIsRefused) {
  {
    VerdictFile file(path_);
    file.append(verdict_on(first_, Outcome::kCorrect), first_);
  }
  tasks::Answer other = first_;
  other.text = "something else";
  const VerdictFile file(path_);
  try {
    file.find(other);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.one_line(),
              path_.string() +
                  ": sample 0 of task \"add\" was another answer there than answers.jsonl:1 "
                  "(choose another --output for other answers)");
  }
}

TEST_F(VerdictFileTest, OnlyOneRunWrites) {
  const VerdictFile file(path_);
  EXPECT_THROW(VerdictFile{path_}, base::Error);
}

TEST_F(VerdictFileTest, OtherFilesAreRefused) {
  base::write_file_atomic(path_, "{\"task\": \"add\"}\n");
  EXPECT_THROW(VerdictFile{path_}, base::Error);
}

}  // namespace
}  // namespace cuset::judge
