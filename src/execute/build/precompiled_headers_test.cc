#include "execute/build/precompiled_headers.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

class PrecompiledHeadersTest : public testing::Test {
 protected:
  PrecompiledHeaders headers(const std::string& kind = "some") {
    return {cache_, kind, [this](const HeaderSet& headers, const fs::path& folder) {
              ++made_;
              if (fails_) return false;
              std::string names;
              for (const std::string& header : headers) names += header + " ";
              base::write_file_atomic(folder / "names", names);
              return true;
            }};
  }

  static std::string names_in(const fs::path& folder) {
    return folder.empty() ? "none" : base::read_file(folder / "names");
  }

  base::TemporaryFolder folder_;
  BuildCache cache_{{.folder = folder_ / "cache"}};
  int made_ = 0;
  bool fails_ = false;
};

TEST_F(PrecompiledHeadersTest, AreMadeWhenWantedForTheSecondTime) {
  PrecompiledHeaders one = headers();
  EXPECT_EQ(names_in(one.folder_for({"string", "vector"})), "none");
  EXPECT_EQ(names_in(one.folder_for({"string", "vector"})), "string vector ");
  EXPECT_EQ(names_in(one.folder_for({"string", "vector"})), "string vector ");
  EXPECT_EQ(made_, 1);
}

TEST_F(PrecompiledHeadersTest, ServeAllWhoWantMore) {
  PrecompiledHeaders one = headers();
  for (int i = 0; i < 2; ++i) one.folder_for({});
  for (int i = 0; i < 2; ++i) one.folder_for({"vector"});
  EXPECT_EQ(names_in(one.folder_for({"fstream", "vector"})), "vector ");
  EXPECT_EQ(names_in(one.folder_for({"fstream"})), "");
  EXPECT_EQ(made_, 2);
}

TEST_F(PrecompiledHeadersTest, OfAnEarlierProcessAreTakenAtOnce) {
  PrecompiledHeaders first = headers();
  for (int i = 0; i < 2; ++i) first.folder_for({"vector"});
  PrecompiledHeaders second = headers();
  EXPECT_EQ(names_in(second.folder_for({"vector"})), "vector ");
  PrecompiledHeaders other = headers("other");
  EXPECT_EQ(names_in(other.folder_for({"vector"})), "none");
}

TEST_F(PrecompiledHeadersTest, ThatCannotBeMadeAreTriedOnce) {
  fails_ = true;
  PrecompiledHeaders one = headers();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(names_in(one.folder_for({"vector"})), "none");
  EXPECT_EQ(made_, 1);
}

TEST_F(PrecompiledHeadersTest, DiscardedOrRemovedOnesAreMadeAnew) {
  PrecompiledHeaders one = headers();
  for (int i = 0; i < 2; ++i) one.folder_for({"vector"});
  const fs::path folder = one.folder_for({"vector"});
  one.discard(folder);
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(names_in(one.folder_for({"vector"})), "vector ");
  EXPECT_EQ(made_, 2);
  fs::remove_all(folder);
  EXPECT_EQ(names_in(one.folder_for({"vector"})), "none");
  EXPECT_EQ(names_in(one.folder_for({"vector"})), "vector ");
  EXPECT_EQ(made_, 3);
}

}  // namespace
}  // namespace cuset::execute
