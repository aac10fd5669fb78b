#include "base/machine/home_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "support/scoped_variable.h"

namespace cuset::base {
namespace {

TEST(HomeFolder, IsTheVariablesElseTheAccounts) {
  {
    const support::ScopedVariable home("HOME", "/somewhere/else");
    EXPECT_EQ(home_folder(), "/somewhere/else");
  }
  const support::ScopedVariable none("HOME", "");
  const passwd* account = ::getpwuid(::geteuid());
  EXPECT_EQ(home_folder(), account == nullptr ? "" : account->pw_dir);
}

TEST(HomeFolder, APathThatIsNotAbsoluteIsNone) {
  const support::ScopedVariable home("HOME", "somewhere");
  EXPECT_EQ(home_folder(), "");
}

}  // namespace
}  // namespace cuset::base
