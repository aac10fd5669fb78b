#include "cli/framework/installation.h"

#include <gtest/gtest.h>

#include "support/test_folder.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

std::string text_with_record(const support::TestFolder& folder, std::string_view record) {
  folder.write("lib/cuset/share/cuset/installation.json", record);
  return find_installation(folder.path() / "lib/cuset/bin").text();
}

TEST(Installation, RecordBesideTheProgramNamesTheKind) {
  const support::TestFolder folder;
  const std::string top = folder.path().string();
  EXPECT_EQ(text_with_record(folder, R"({"kind": "wheel"})"), "Python wheel in " + top + "/lib/cuset");
  EXPECT_EQ(text_with_record(folder, R"({"kind": "prefix"})"), "installed under " + top);
  EXPECT_EQ(text_with_record(folder, R"({"kind": "archive"})"), "unpacked archive in " + top);
  EXPECT_EQ(text_with_record(folder, "{"), "by hand in " + top + "/lib/cuset");
}

TEST(Installation, BuildTreeIsKnownByCMakesFile) {
  const support::TestFolder folder;
  EXPECT_EQ(find_installation(folder.path() / "bin").kind, "unknown");
  folder.write("CMakeCache.txt", "");
  EXPECT_EQ(find_installation(folder.path() / "bin").text(), "build tree " + folder.path().string());
}

TEST(Installation, LoadedLibTorchHoldsItsLibrary) {
  EXPECT_TRUE(fs::exists(loaded_libtorch() / "lib/libtorch_cpu.so")) << loaded_libtorch();
}

}  // namespace
}  // namespace cuset::cli
