#include "execute/run/gpu_gate.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;
using Want = GpuQueue::Want;

constexpr GatedTurn::Wants kTimed{Want::kShared, Want::kExclusive};

void make_file(const fs::path& path) { base::open_file(path, O_WRONLY | O_CREAT); }

void wait_for(const fs::path& path) {
  while (!fs::exists(fs::symlink_status(path))) std::this_thread::yield();
}

class GpuGate : public testing::Test {
 protected:
  void TearDown() override { ::unlink(("/tmp/cuset-" + name_ + ".lock").c_str()); }

  std::string name_ = "test-gate-" + std::to_string(::getpid());
  GpuQueue queue_{name_, 3};
  base::TemporaryFolder folder_;
};

TEST_F(GpuGate, ProgramsBeginTogetherAndWorkOneByOne) {
  std::atomic<int> beginning{0}, working{0}, beside_another{0};
  std::vector<std::thread> programs;
  for (int i = 0; i < 3; ++i) {
    programs.emplace_back([&] {
      const base::TemporaryFolder folder;
      GatedTurn turn(queue_, folder.path(), kTimed);
      ++beginning;
      while (beginning < 3) std::this_thread::yield();  // all have a place at once
      make_file(folder / kReadyFile);
      wait_for(folder / kGoFile);
      if (++working != 1) ++beside_another;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --working;
    });
  }
  for (std::thread& program : programs) program.join();
  EXPECT_EQ(beside_another.load(), 0);
}

TEST_F(GpuGate, CompilingNeedsNoPlace) {
  const GpuQueue::Turn exclusive(queue_, Want::kExclusive);
  const GatedTurn turn(queue_, folder_.path(), {std::nullopt, Want::kShared});
  EXPECT_FALSE(fs::exists(folder_ / kGoFile));
}

TEST_F(GpuGate, WaitingForOthersIsCounted) {
  std::optional<GpuQueue::Turn> other(std::in_place, queue_, Want::kShared);
  GatedTurn turn(queue_, folder_.path(), kTimed);
  EXPECT_EQ(turn.waited().count(), 0);
  make_file(folder_ / kReadyFile);
  while (turn.waited().count() < 3) std::this_thread::yield();
  EXPECT_FALSE(fs::exists(folder_ / kGoFile));
  other.reset();
  wait_for(folder_ / kGoFile);
  const auto waited = turn.waited();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(turn.waited(), waited);
  EXPECT_TRUE(turn.was_shared());
}

TEST_F(GpuGate, OneByItselfHasNoCompany) {
  GatedTurn turn(queue_, folder_.path(), kTimed);
  make_file(folder_ / kReadyFile);
  wait_for(folder_ / kGoFile);
  EXPECT_FALSE(turn.was_shared());
}

TEST_F(GpuGate, ProgramMayEndBeforeItIsReady) {
  {
    const GatedTurn turn(queue_, folder_.path(), kTimed);
  }
  EXPECT_FALSE(fs::exists(folder_ / kGoFile));
  const GpuQueue::Turn next(queue_, Want::kExclusive);  // nothing is held any more
}

// The program owns the folder and may leave a link where we are about to write.
TEST_F(GpuGate, LinkAtTheGateIsNotFollowed) {
  const base::TemporaryFolder elsewhere;
  fs::create_symlink(elsewhere / "made", folder_ / kGoFile);
  {
    GatedTurn turn(queue_, folder_.path(), kTimed);
    make_file(folder_ / kReadyFile);
  }
  EXPECT_FALSE(fs::exists(elsewhere / "made"));
  open_gate(folder_.path());
  EXPECT_FALSE(fs::exists(elsewhere / "made"));
}

}  // namespace
}  // namespace cuset::execute
