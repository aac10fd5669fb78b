#include "execute/build/unused_libraries.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

class UnusedLibraries : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(include_ / "thrust");
    base::write_file_atomic(include_ / "thrust/sort.h", "#error \"unsupported: Thrust\"\n");
    base::write_file_atomic(include_ / "real.h", "int real();\n");
  }
  static Build build_of(Build::Outcome outcome, const std::string& messages) {
    Build build;
    build.outcome = outcome;
    build.messages = messages;
    return build;
  }

  base::TemporaryFolder folder_;
  const fs::path include_ = folder_ / "include";
  const Build unsupported_ =
      build_of(Build::Outcome::kUnsupported, "sort.h:1:2: error: \"unsupported: Thrust\"\n");
};

TEST_F(UnusedLibraries, EmptyHeadersStandForThoseThatOnlyRefuse) {
  const EmptyHeaders headers(include_);
  EXPECT_TRUE(fs::exists(headers.folder() / "thrust/sort.h"));
  EXPECT_FALSE(fs::exists(headers.folder() / "real.h"));
}

TEST_F(UnusedLibraries, AddedNamesStayBelowTheFolder) {
  EmptyHeaders headers(include_);
  EXPECT_TRUE(headers.add("crt/mma.h"));
  EXPECT_TRUE(fs::exists(headers.folder() / "crt/mma.h"));
  for (const char* name : {"", "/etc/x.h", "../x.h", "cub/../../x.h"})
    EXPECT_FALSE(headers.add(name)) << name;
}

TEST_F(UnusedLibraries, ABuildThatIsDoneWithoutThemTakesThePlace) {
  const Build build = without_unused_libraries(unsupported_, include_, [&](const fs::path& headers) {
    EXPECT_TRUE(fs::exists(headers / "thrust/sort.h"));
    return build_of(Build::Outcome::kDone, "");
  });
  EXPECT_TRUE(build.done());
}

TEST_F(UnusedLibraries, AUsedLibraryStaysUnsupportedByItsName) {
  const Build build = without_unused_libraries(unsupported_, include_, [&](const fs::path&) {
    return build_of(Build::Outcome::kCompileError,
                    "a.cu:3: error: no member named 'sort' in namespace 'thrust'\n");
  });
  EXPECT_EQ(build.outcome, Build::Outcome::kUnsupported);
  EXPECT_EQ(build.messages, unsupported_.messages);
}

TEST_F(UnusedLibraries, HeadersThatTheEmulatorLacksAreTriedOneByOne) {
  std::vector<std::string> lacking = {"cufftXt.h", "nvjpeg.h"};
  const auto fatal = [](const std::string& header) {
    return build_of(Build::Outcome::kUnsupported,
                    "a.cu:1:10: fatal error: '" + header + "' file not found\n");
  };
  int builds = 0;
  const Build build = without_unused_libraries(fatal(lacking[0]), include_, [&](const fs::path& headers) {
    ++builds;
    for (const std::string& header : lacking)
      if (!fs::exists(headers / header)) return fatal(header);
    return build_of(Build::Outcome::kDone, "");
  });
  EXPECT_TRUE(build.done());
  EXPECT_EQ(builds, 2);
}

}  // namespace
}  // namespace cuset::execute
