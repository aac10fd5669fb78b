#include "execute/build/program_sources.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

class ProgramSourcesTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    base::write_file_atomic(path, text);
    return path.string();
  }
  base::TemporaryFolder folder_;
  BuildOptions options_;
};

TEST_F(ProgramSourcesTest, TheFirstCudaSourceIsTheMainOne) {
  const std::string host = write("main.cpp", "int main() {}");
  const std::string device = write("kernel.cu", "__global__ void k() {}");
  const ProgramSources sources = read_program_sources({host, device}, false, options_);
  EXPECT_EQ(sources.main, device);
  EXPECT_EQ(options_.companions.sources, std::vector<std::string>{"main.cpp"});
  EXPECT_EQ(options_.companions.host_sources, std::vector<std::string>{"main.cpp"});
}

TEST_F(ProgramSourcesTest, AllAreCudaWhereTheUserSaysSo) {
  const std::string host = write("main.cpp", "int main() {}");
  EXPECT_EQ(read_program_sources({host}, true, options_).main, host);
  EXPECT_TRUE(options_.companions.host_sources.empty());
}

TEST_F(ProgramSourcesTest, OnlyAFolderWithAHeaderOfTheSourceIsSeen) {
  write("a/own.h", "int f();");
  const std::string with = write("a/with.cu", "#include \"own.h\"\n#include <vector>\n");
  const std::string without = write("b/without.cu", "#include \"missing.h\"\n");
  read_program_sources({without, with}, false, options_);
  EXPECT_EQ(options_.source_folders,
            (std::vector<std::filesystem::path>{{}, std::filesystem::path(with).parent_path()}));
  BuildOptions alone;
  read_program_sources({without}, false, alone);
  EXPECT_TRUE(alone.source_folders.empty());
}

TEST_F(ProgramSourcesTest, TwoFilesOfOneNameStayApart) {
  const std::string first = write("a/same.cu", "// a");
  const std::string second = write("b/same.cu", "// b");
  read_program_sources({first, second}, false, options_);
  EXPECT_EQ(options_.companions.files, (std::map<std::string, std::string>{{"source1/same.cu", "// b"}}));
}

TEST_F(ProgramSourcesTest, OtherFilesAreRefused) {
  EXPECT_THROW(read_program_sources({write("notes.txt", "text")}, false, options_), base::Error);
  EXPECT_THROW(read_program_sources({folder_.path().string()}, false, options_), base::Error);
  EXPECT_THROW(read_program_sources({write("empty.cu", " \n")}, false, options_), base::Error);
}

}  // namespace
}  // namespace cuset::execute
