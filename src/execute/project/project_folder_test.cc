#include "execute/project/project_folder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/search_path.h"
#include "base/files/temporary_folder.h"
#include "execute/project/build_tools.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

bool is_installed(const char* name) {
  for (const fs::path& folder : base::search_path_folders())
    if (fs::exists(folder / name)) return true;
  return false;
}

class ProjectFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    base::write_file_atomic(root_ / name, text);
  }

  std::string found(const std::string& target = "") {
    const FoundProgram program = find_program(root_ / "app", target, sandbox::Confinement::kFull);
    return program.origin + ": " + describe(program.program, root_ / "app");
  }

  std::string error(const std::string& target = "") {
    try {
      return found(target);
    } catch (const base::Error& error) {
      return error.one_line();
    }
  }

  base::TemporaryFolder root_;
};

TEST_F(ProjectFolder, SourcesWithoutABuildFile) {
  write("app/main.cu", "#include \"part.cu\"\nint main() { return 0; }\n");
  write("app/part.cu", "__global__ void k() {}\n");
  write("app/more.cpp", "int main_loop(int) { return 1; }\n");
  EXPECT_EQ(found(), "sources: main.cu (main.cu, more.cpp)");
  write("app/other.cu", "int main(int, char**) {}\n");
  EXPECT_NE(error().find("builds 2 programs: main.cu, other.cu (choose one: --target main.cu)"),
            std::string::npos)
      << error();
  EXPECT_EQ(found("other.cu"), "sources: other.cu (other.cu, more.cpp)");
}

TEST_F(ProjectFolder, EmptyFolderSaysWhatIsMissing) {
  fs::create_directories(root_ / "app");
  EXPECT_NE(error().find("no source with a main function"), std::string::npos) << error();
}

TEST_F(ProjectFolder, MakefileIsReadWithWhatItIncludes) {
  if (!is_installed("make")) GTEST_SKIP() << "make is not installed";
  write("common/make.config", "NVCC = /opt/cuda/bin/nvcc\nFLAGS = -DSIZE=$(SIZE) -I../include\n");
  write("include/grid.h", "");
  write("app/Makefile",
        "include ../common/make.config\nSIZE ?= 8\nall: solver\nsolver: a.o b.o\n\t$(NVCC) $^ -lcufft -o $@\n"
        "%.o: %.cu\n\t$(NVCC) -std=c++14 $(FLAGS) -c $< -o $@\ntest: test.cu\n\t$(NVCC) $< -o $@\n");
  for (const char* name : {"a.cu", "b.cu", "test.cu"}) write(std::string("app/") + name, "//");
  write("app/a.o", "made before");
  EXPECT_EQ(found(), "Makefile: solver (a.cu, b.cu; -std=c++14 -DSIZE=8 -I../include -lcufft)");
  EXPECT_EQ(found("test"), "Makefile: test (test.cu)");
  EXPECT_NE(error("absent").find("No rule to make target 'absent'"), std::string::npos) << error("absent");
}

TEST_F(ProjectFolder, CommandsOfOtherCompilersAreNamed) {
  if (!is_installed("make")) GTEST_SKIP() << "make is not installed";
  write("app/Makefile", "all:\n\tnvc++ -stdpar main.cu -o main\n");
  EXPECT_NE(error().find("builds no program: its commands are nvc++ ("), std::string::npos) << error();
}

TEST_F(ProjectFolder, MakefileMayStartAnotherAndCannotWrite) {
  if (!is_installed("make")) GTEST_SKIP() << "make is not installed";
  write("app/Makefile", "X := $(shell touch $(CURDIR)/written)\nall:\n\tcd sub; make\n");
  write("app/sub/Makefile", "all: a.cu\n\tnvcc a.cu -o tool\n");
  write("app/sub/a.cu", "//");
  EXPECT_EQ(found(), "Makefile: tool (sub/a.cu)");
  EXPECT_FALSE(fs::exists(root_ / "app/written"));
}

TEST_F(ProjectFolder, CMakeListsIsConfiguredWithoutAToolkit) {
  if (!is_installed("cmake")) GTEST_SKIP() << "cmake is not installed";
  write("include/grid.h", "");
  write(
      "app/CMakeLists.txt",
      "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\n"
      "add_library(part STATIC part.cpp)\nadd_executable(solver main.cu)\n"
      "target_include_directories(solver PRIVATE ../include)\ntarget_compile_definitions(solver PRIVATE N=4)\n"
      "set_target_properties(solver PROPERTIES CUDA_STANDARD 14 CUDA_SEPARABLE_COMPILATION ON)\n"
      "target_link_libraries(solver PRIVATE part CUDA::cublas)\nadd_executable(tool tool.cpp)\n");
  for (const char* name : {"main.cu", "part.cpp", "tool.cpp"}) write(std::string("app/") + name, "//");
  EXPECT_EQ(found(),
            "CMakeLists.txt: solver (main.cu, part.cpp; -std=c++14 -rdc=true -DN=4 -I../include -lcublas)");
  write("app/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CUDA)\nadd_executable(alone main.cu)\n");
  EXPECT_EQ(found(), "CMakeLists.txt: alone (main.cu)");
  write("app/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES NONE)\nfind_package(Absent REQUIRED)\n");
  EXPECT_NE(error().find("CMake Error at CMakeLists.txt:3"), std::string::npos) << error();
}

TEST_F(ProjectFolder, PlacesAroundAreThoseThatBuildFilesName) {
  write("common/make.config", "X = ../deeper/place\n");
  write("secret/key", "");
  write("deeper/place/x.h", "");
  write("app/Makefile", "include ../common/make.config\nY = ../none\n");
  const fs::path root = fs::canonical(root_.path());
  EXPECT_EQ(places_around(root_ / "app"),
            (std::vector<fs::path>{root / "common/make.config", root / "deeper/place"}));
  fs::create_directories(root_ / ".git");
  EXPECT_EQ(places_around(root_ / "app").front(), root);
}

}  // namespace
}  // namespace cuset::execute
