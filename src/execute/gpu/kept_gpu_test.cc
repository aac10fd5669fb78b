#include "execute/gpu/kept_gpu.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

namespace cuset::execute {
namespace {

// With or without a driver: whoever keeps it can let it go at any time.
TEST(KeptGpu, LeavesNoProcessBehind) {
  {
    const KeptGpu none(999), first(0), second(0);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace cuset::execute
