#include "execute/build/nvcc_search.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"

namespace cuset::execute {
namespace {

TEST(Nvcc, VersionIsReadFromItsOwnWords) {
  EXPECT_EQ(parse_nvcc_version(
                "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.88\n"),
            "13.0");
  EXPECT_EQ(parse_nvcc_version("clang version 14"), "");
  EXPECT_EQ(parse_nvcc_version("release "), "");
}

TEST(Nvcc, FirstThatAnswersIsTaken) {
  const std::filesystem::path folder = testing::TempDir() + "/nvcc_test";
  std::filesystem::create_directories(folder);
  const auto script = [&](const char* name, const char* body) {
    base::write_file_atomic(folder / name, body);
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
    return folder / name;
  };
  const auto broken = script("broken", "#!/bin/sh\nexit 1\n");
  const auto working = script("working", "#!/bin/sh\necho 'release 12.8, V12.8.1'\n");
  const auto found = find_nvcc({folder / "absent", folder, broken, working});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->path, working);
  EXPECT_EQ(found->version, "12.8");
  EXPECT_FALSE(find_nvcc({broken}).has_value());
}

}  // namespace
}  // namespace cuset::execute
