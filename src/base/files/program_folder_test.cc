#include "base/files/program_folder.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace cuset::base {
namespace {

TEST(ProgramFolder, HoldsTheRunningProgram) {
  EXPECT_TRUE(program_folder().is_absolute());
  EXPECT_TRUE(std::filesystem::is_regular_file(program_folder() / program_invocation_short_name));
}

}  // namespace
}  // namespace cuset::base
