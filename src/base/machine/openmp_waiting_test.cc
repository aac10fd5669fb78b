#include "base/machine/openmp_waiting.h"

#include <gtest/gtest.h>

#include "support/scoped_variable.h"

namespace cuset::base {
namespace {

bool chooses(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return chooses_waiting(environment.data());
}

TEST(OpenmpWaiting, EveryVariableOfARuntimeIsAChoice) {
  for (const char* entry :
       {"OMP_WAIT_POLICY=active", "GOMP_SPINCOUNT=infinite", "KMP_BLOCKTIME=200", "GOMP_SPINCOUNT="})
    EXPECT_TRUE(chooses({"HOME=/root", entry, "LANG=C"})) << entry;
}

TEST(OpenmpWaiting, OtherVariablesAreNoChoice) {
  EXPECT_FALSE(chooses({}));
  EXPECT_FALSE(chooses({"OMP_NUM_THREADS=2", "OMP_WAIT_POLICY2=active", "XGOMP_SPINCOUNT=1", "OMP_WAIT"}));
}

// Every test program is restarted before its main.
TEST(OpenmpWaiting, ThisProgramHasAPolicyForItsChildren) {
  EXPECT_FALSE(waiting_policy().empty());
  const support::ScopedVariable chosen("OMP_WAIT_POLICY", "active");
  EXPECT_EQ(waiting_policy().at("OMP_WAIT_POLICY"), "active");
}

// It returns instead of starting the tests again.
TEST(OpenmpWaiting, AChoiceIsKept) {
  std::vector<char*> environment;
  std::string choice = "OMP_WAIT_POLICY=active";
  environment = {choice.data(), nullptr};
  char* no_arguments = nullptr;
  restart_to_wait_briefly(0, &no_arguments, environment.data());
  EXPECT_STREQ(environment[0], "OMP_WAIT_POLICY=active");
  EXPECT_EQ(environment[1], nullptr);
}

}  // namespace
}  // namespace cuset::base
