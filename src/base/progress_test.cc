#include "base/progress.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/console.h"

namespace cuset::base {
namespace {

// A terminal or file in memory and a clock moved by hand.
struct FakeWorld {
  explicit FakeWorld(bool terminal = true, size_t width = 100)
      : console({[this](std::string_view text) { written += text; }, [terminal] { return terminal; },
                 [width] { return width; }}) {}

  ProgressWorld world() {
    return {&console, [this] { return now; }};
  }

  // What was written since the last call.
  std::string take() { return std::exchange(written, ""); }

  std::string written;
  double now = 1000;
  Console console;
};

TEST(Progress, DrawsOneLineOnATerminal) {
  FakeWorld fake;
  Progress progress({.title = "train", .total = 1000, .unit = "samples"}, fake.world());
  progress.set_note("loss 1.23");
  EXPECT_EQ(fake.take(), "");
  fake.now += 10;
  progress.add(420);
  EXPECT_EQ(fake.take(),
            "\r\x1b[Ktrain   42% [############------------------] 420/1000  42 samples/s  10 s, 14 s "
            "left  loss 1.23");
  fake.now += 10;
  progress.add(580);
  fake.take();
  progress.finish();
  EXPECT_EQ(fake.take(), "\r\x1b[Ktrain: 1000 in 20 s, 50 samples/s, loss 1.23\n");
  progress.finish();
  EXPECT_EQ(fake.take(), "");
}

TEST(Progress, BeginsWhenTheAmountOfWorkIsKnown) {
  FakeWorld fake;
  Progress progress({.title = "verify", .unit = "answers"}, fake.world());
  fake.now += 100;  // reading what earlier runs did
  progress.begin(200, 50);
  EXPECT_EQ(fake.take(), "");
  fake.now += 10;
  progress.add(50);
  EXPECT_EQ(fake.take(),
            "\r\x1b[Kverify   50% [###############---------------] 100/200  5 answers/s  10 s, 20 s left");
  progress.finish();
  EXPECT_EQ(fake.take(), "\r\x1b[Kverify: 100/200 in 10 s, 5 answers/s\n");
}

TEST(Progress, RedrawsAtMostTenTimesASecond) {
  FakeWorld fake;
  Progress progress({.title = "a", .total = 1'000'000}, fake.world());
  int drawn = 0;
  for (int i = 0; i < 1000; ++i) {
    fake.now += 0.001;
    progress.add();
    drawn += fake.take().empty() ? 0 : 1;
  }
  EXPECT_GE(drawn, 9);
  EXPECT_LE(drawn, 10);
}

TEST(Progress, PlainLinesComeAtGrowingIntervals) {
  FakeWorld fake(false);
  Progress progress({.title = "verify", .total = 100'000, .unit = "answers"}, fake.world());
  std::vector<double> times;
  for (int i = 0; i < 1600; ++i) {
    fake.now += 0.1;
    progress.add(10);
    if (!fake.take().empty()) times.push_back(fake.now - 1000);
  }
  const std::vector<double> expected = {5, 15, 35, 65, 95, 125, 155};
  ASSERT_EQ(times.size(), expected.size());
  for (size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 0.5);
}

TEST(Progress, PlainLineAndClosingLine) {
  FakeWorld fake(false);
  {
    Progress progress({.title = "verify", .total = 400, .unit = "answers"}, fake.world());
    fake.now += 6;
    progress.add(120);
    EXPECT_EQ(fake.take(), "verify: 120/400 (30%), 20 answers/s, 6.0 s, 14 s left\n");
    fake.now += 4;
    progress.add(280);
    progress.finish();
    EXPECT_EQ(fake.take(), "verify: 400 in 10 s, 40 answers/s\n");
  }
  EXPECT_EQ(fake.take(), "");
}

TEST(Progress, WorkOfHoursIsAnnouncedOnceWithWhatWouldShortenIt) {
  FakeWorld fake(false);
  Progress progress({.title = "train", .total = 10'000, .unit = "steps", .shorter = "a smaller max_steps"},
                    fake.world());
  fake.now += 6;
  progress.add(6);
  EXPECT_EQ(fake.take(), "train: 6/10000 (0%), 1 steps/s, 6.0 s, 2h 47m left\n") << "too early to tell";
  fake.now += 14;
  progress.add(14);
  EXPECT_EQ(fake.take(),
            "warning: train: about 2h 46m left at this rate; shorter with a smaller max_steps\n"
            "train: 20/10000 (0%), 1 steps/s, 20 s, 2h 46m left\n");
  fake.now += 40;
  progress.add(40);
  EXPECT_EQ(fake.take(), "train: 60/10000 (0%), 1 steps/s, 1m 00s, 2h 46m left\n");
}

TEST(Progress, WorkOfMinutesIsNotAnnounced) {
  FakeWorld fake(false);
  Progress progress({.title = "train", .total = 100, .shorter = "a smaller max_steps"}, fake.world());
  fake.now += 20;
  progress.add(20);
  EXPECT_EQ(fake.take(), "train: 20/100 (20%), 1/s, 20 s, 1m 20s left\n");
}

TEST(Progress, UnknownTotalShowsCountAndRate) {
  FakeWorld fake;
  Progress progress({.title = "read", .unit = "tokens"}, fake.world());
  fake.now += 10;
  progress.add(123'456);
  EXPECT_EQ(fake.take(), "\r\x1b[Kread  123 k  12.3 k tokens/s  10 s");
}

TEST(Progress, WorkOfAnEarlierRunCountsForTheBarOnly) {
  FakeWorld fake(false);
  Progress progress({.title = "train", .total = 1000, .unit = "steps", .done = 900}, fake.world());
  fake.now += 10;
  progress.add(50);
  EXPECT_EQ(fake.take(), "train: 950/1000 (95%), 5 steps/s, 10 s, 10 s left\n");
  fake.now += 5;
  progress.add(50);
  progress.finish();
  EXPECT_EQ(fake.take(), "train: 1000 in 15 s, 6.67 steps/s\n");
}

TEST(Progress, RateForgetsASlowStart) {
  FakeWorld fake(false);
  Progress progress({.title = "a", .total = 100'000}, fake.world());
  fake.now += 60;
  progress.add(1);
  fake.take();
  for (int i = 0; i < 600; ++i) {
    fake.now += 0.1;
    progress.add(10);
  }
  const std::string lines = fake.take();
  const std::string last = lines.substr(lines.rfind("a: "));
  // 100 a second for a minute; the mean over both minutes would say 50.
  const size_t comma = last.find(", ");
  EXPECT_GT(std::stod(last.substr(comma + 2)), 95) << last;
}

TEST(Progress, TimeLeftOfRareItemsStaysPlausible) {
  FakeWorld fake;
  Progress progress({.title = "jobs", .total = 10}, fake.world());
  for (int i = 0; i < 2; ++i) {
    fake.now += 60;
    progress.add();
  }
  for (int i = 0; i < 10; ++i) {  // looks that find nothing new
    fake.now += 5;
    fake.take();
    progress.add(0);
  }
  EXPECT_NE(fake.take().find("8m 00s left"), std::string::npos);
  fake.now += 70;  // twice as long as usual
  progress.add(0);
  EXPECT_NE(fake.take().find("16m 00s left"), std::string::npos);
}

TEST(Progress, LogLinesGoAboveTheBar) {
  FakeWorld fake;
  Progress progress({.title = "a"}, fake.world());
  fake.now += 1;
  progress.add(5);
  EXPECT_EQ(fake.take(), "\r\x1b[Ka  5  5/s  1.0 s");
  fake.console.print_line("warning: b");
  EXPECT_EQ(fake.take(), "\r\x1b[Kwarning: b\na  5  5/s  1.0 s");
}

TEST(Progress, NarrowTerminalsLoseTheBarThenTheEnd) {
  for (const size_t width : {1, 10, 30, 45, 60}) {
    FakeWorld fake(true, width);
    Progress progress({.title = "train", .total = 1000, .unit = "samples"}, fake.world());
    fake.now += 10;
    progress.add(420);
    const std::string line = fake.take();
    EXPECT_LE(line.size(), 4 + std::max<size_t>(width, 2) - 1) << line;
    EXPECT_EQ(line.find('[', 3) != std::string::npos, width >= 60) << line;
  }
}

TEST(Progress, UnfinishedWorkSaysWhereItStopped) {
  FakeWorld fake;
  {
    Progress progress({.title = "train", .total = 1000, .unit = "steps"}, fake.world());
    fake.now += 10;
    progress.add(420);
    fake.take();
  }
  EXPECT_EQ(fake.take(), "\r\x1b[Ktrain: stopped at 420/1000 in 10 s, 42 steps/s\n");
  {
    Progress progress({.title = "reading", .unit = "rows"}, fake.world());
  }
  EXPECT_EQ(fake.take(), "") << "nothing was done";
}

TEST(Progress, QuietPrintsNothing) {
  FakeWorld fake;
  {
    Progress progress({.title = "a", .total = 10, .quiet = true}, fake.world());
    fake.now += 100;
    progress.add(5);
    progress.set_note("b");
    progress.finish();
  }
  EXPECT_EQ(fake.take(), "");
}

TEST(Progress, HostileNotesCannotMoveTheCursor) {
  FakeWorld fake(false);
  Progress progress({.title = "a\n"}, fake.world());
  progress.set_note("\x1b[2J\n");
  progress.finish();
  EXPECT_EQ(fake.take(), "a?: 0 in 0 s, ?[2J?\n");
}

TEST(Progress, ThreadsLoseNoCount) {
  FakeWorld fake(false);
  Progress progress({.title = "a"}, {&fake.console, nullptr});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) progress.add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  progress.finish();
  EXPECT_EQ(fake.take().find("a: 80000 in "), 0u);
}

}  // namespace
}  // namespace cuset::base
