#include "judge/results/shared_work.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/error.h"
#include "support/error_text.h"

namespace cuset::judge {
namespace {

// Helpers that say what the test wrote down, each after the owner said what the test waits for.
class ScriptedCrew : public Crew {
 public:
  void say(const std::string& from, const base::Json& body) { said_.push_back({from, body}); }

  std::optional<Message> receive(std::chrono::milliseconds) override {
    if (said_.empty()) throw base::Error("the script is over");
    Message message = said_.front();
    said_.pop_front();
    return message;
  }
  void send(const std::string& helper, const base::Json& body) override {
    heard_.push_back(helper + " " + base::to_json_line(body));
  }

  const std::vector<std::string>& heard() const { return heard_; }

 private:
  std::deque<Message> said_;
  std::vector<std::string> heard_;
};

class SharedWork : public testing::Test {
 protected:
  void share(size_t items) {
    WorkQueue queue(std::vector<size_t>(items, 0));
    share_work(
        crew_, queue,
        {.plan = {{"seed", 5}},
         .describe = [](size_t i) { return base::Json{{"task", fmt::format("t{}", i)}, {"text", "x"}}; },
         .keep =
             [this](size_t i, const Verdict& verdict) {
               kept_.push_back(fmt::format("{} {}", i, verdict.explanation));
             }});
  }

  void say_verdict(const std::string& from, size_t item, const std::string& explanation) {
    Verdict verdict;
    verdict.explanation = explanation;
    crew_.say(from, {{"item", item}, {"verdict", json_of(verdict)}});
  }

  void join(const std::string& name, int workers) {
    crew_.say(name, {{"hello", true}});
    crew_.say(name, {{"workers", workers}});
  }

  ScriptedCrew crew_;
  std::vector<std::string> kept_;
  using Lines = std::vector<std::string>;
};

TEST_F(SharedWork, HelpersGetThePlanThenWorkThenTheEnd) {
  join("a", 1);
  say_verdict("a", 0, "first");
  say_verdict("a", 1, "second");
  crew_.say("a", {{"gone", "its work is done"}});
  share(2);
  EXPECT_EQ(kept_, (Lines{"0 first", "1 second"}));
  EXPECT_EQ(crew_.heard(), (Lines{R"(a {"plan":{"seed":5}})", R"(a {"task":"t0","text":"x","item":0})",
                                  R"(a {"task":"t1","text":"x","item":1})", R"(a {"end":true})"}));
}

TEST_F(SharedWork, OneMoreThanItsWorkersIsHandedOutWhileThereIsPlenty) {
  join("a", 1);
  EXPECT_EQ(support::error_of([&] { share(9); }), "the script is over");
  EXPECT_EQ(crew_.heard(), (Lines{R"(a {"plan":{"seed":5}})", R"(a {"task":"t0","text":"x","item":0})",
                                  R"(a {"task":"t1","text":"x","item":1})", R"(a {"end":true})"}));
}

TEST_F(SharedWork, WhatADeadHelperHeldGoesToAnother) {
  join("a", 1);
  crew_.say("a", {{"gone", "killed"}});
  join("b", 1);
  say_verdict("b", 0, "of b");
  crew_.say("b", {{"gone", "its work is done"}});
  share(1);
  EXPECT_EQ(kept_, Lines{"0 of b"});
}

TEST_F(SharedWork, TheFirstOfTwoVerdictsCounts) {
  join("slow", 1);
  crew_.say("slow", {{"gone", "no heartbeat"}});
  join("b", 1);
  say_verdict("slow", 0, "of slow");
  say_verdict("b", 0, "of b");
  say_verdict("b", 1, "of b");
  crew_.say("slow", {{"gone", "its work is done"}});
  crew_.say("b", {{"gone", "its work is done"}});
  share(2);
  EXPECT_EQ(kept_, (Lines{"0 of slow", "1 of b"}));
}

TEST_F(SharedWork, AVerdictThatIsNoneEndsTheRunByName) {
  join("a", 1);
  crew_.say("a", {{"item", 0}, {"verdict", {{"task", 7}}}});
  crew_.say("a", {{"gone", "its work is done"}});
  EXPECT_EQ(support::error_of([&] { share(1); }).find("a message of a: field 'task' must be"), 0u);
}

TEST_F(SharedWork, AVerdictOnWhatIsNotThereEndsTheRunByName) {
  join("a", 1);
  say_verdict("a", 1, "of nothing");
  crew_.say("a", {{"gone", "its work is done"}});
  EXPECT_EQ(support::error_of([&] { share(1); }).find("a message of a: field 'item' must be"), 0u);
}

TEST_F(SharedWork, TheFirstFailureSaysWhyTheWorkEnded) {
  join("a", 1);
  crew_.say("a", {{"item", "nine"}});
  EXPECT_EQ(support::error_of([&] { share(1); }).find("a message of a: field 'item' must be"), 0u);
}

TEST(Plan, TheFirstDifferenceIsNamed) {
  const base::Json plan = {{"executor", "gpu"}, {"seed", 5}};
  require_same_plan(plan, plan, "rank 2");
  EXPECT_EQ(
      support::error_of([&] { require_same_plan(plan, {{"executor", "cpu"}, {"seed", 5}}, "rank 2"); }),
      "rank 2 has executor = '\"cpu\"', the owner of the results has '\"gpu\"' (use the same program, tasks and "
      "settings in all processes)");
}

}  // namespace
}  // namespace cuset::judge
