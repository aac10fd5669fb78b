#include "sandbox/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace cuset::sandbox {
namespace {

// A child that waits to be killed and collected.
class WaitingChild {
 public:
  WaitingChild() : process_(::fork()) {
    if (process_ != 0) return;
    while (true) ::pause();
  }
  ~WaitingChild() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_;
};

TEST(ProcessTree, HoldsChildrenOfEveryThread) {
  const WaitingChild one;
  const WaitingChild other;
  std::vector<pid_t> tree = tree_of(::getpid());
  std::sort(tree.begin(), tree.end());
  std::vector<pid_t> wanted{::getpid(), one.process(), other.process()};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(tree, wanted);
}

TEST(ProcessTree, WalkEndsAtTheLimit) {
  const WaitingChild one;
  const WaitingChild other;
  EXPECT_LE(tree_of(::getpid(), 1).size(), 3u);
  EXPECT_EQ(tree_of(::getpid(), 0).size(), 1u);
}

TEST(ProcessTree, UsageCountsThreadsAndMemory) {
  const WaitingChild child;
  const TreeUsage usage = usage_of({child.process()});
  EXPECT_EQ(usage.threads, 1u);
  EXPECT_GT(usage.memory, 0u);
  EXPECT_GT(proportional_memory({child.process()}), 0u);
  EXPECT_LE(proportional_memory({child.process()}), usage.memory);
}

TEST(ProcessTree, GoneProcessesCountNothing) {
  pid_t gone = 0;
  {
    const WaitingChild child;
    gone = child.process();
  }
  EXPECT_EQ(usage_of({gone}).memory, 0u);
  EXPECT_EQ(proportional_memory({gone}), 0u);
}

}  // namespace
}  // namespace cuset::sandbox
