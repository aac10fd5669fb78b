#include "execute/project/build_programs.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cuset::execute {
namespace {

// "solver: /p/a.cu /p/b.cpp | c++14 | N=1 | /p/include | cublas"
std::string dump(std::string_view output) {
  std::string text;
  for (const ProjectProgram& program : programs_of(read_build_output(output, "/p"), "/p")) {
    std::vector<std::string> sources, folders;
    for (const auto& source : program.sources) sources.push_back(source.string());
    for (const auto& folder : program.include_folders) folders.push_back(folder.string());
    text += fmt::format("{}: {} | {} | {} | {} | {}{}\n", program.name, fmt::join(sources, " "),
                        program.standard, fmt::join(program.defines, " "), fmt::join(folders, " "),
                        fmt::join(program.libraries, " "), program.relocatable ? " | rdc" : "");
  }
  return text;
}

TEST(BuildPrograms, SourcesOfAProgramAreThoseOfItsObjects) {
  EXPECT_EQ(dump("nvcc -std=c++14 -DN=1 -Iinclude -c src/a.cu -o obj/a.o\n"
                 "g++-12 -O2 -c b.cpp\n"
                 "/usr/local/cuda/bin/nvcc obj/a.o b.o -lcublas -o bin/solver\n"),
            "solver: /p/src/a.cu /p/b.cpp | c++14 | N=1 | /p/include | cublas\n");
  EXPECT_EQ(dump("nvcc a.cu\n"), "a.out: /p/a.cu |  |  |  | \n");
}

TEST(BuildPrograms, LibrariesOfTheBuildGiveTheirSources) {
  EXPECT_EQ(dump("nvcc -dc k.cu -o k.o\nar rcs lib/libk.a k.o\nnvcc main.cu -Llib -lk -lm -o app\n"),
            "app: /p/main.cu /p/k.cu |  |  |  | m | rdc\n");
  EXPECT_EQ(dump("nvcc -shared k.cu -o libk.so\nnvcc main.cu libk.so -o app\n"),
            "app: /p/main.cu /p/k.cu |  |  |  | \n");
}

TEST(BuildPrograms, WhatMakesNoProgramIsPassedOver) {
  EXPECT_EQ(dump("nvcc -ptx k.cu -o k.ptx\nnvcc -dlink a.o -o d.o\ngcc -E x.c\nrm -f app\n"), "");
  EXPECT_EQ(dump("nvcc missing.o -o app\n"), "");
}

TEST(BuildPrograms, AFolderIsNoProgram) { EXPECT_EQ(dump("nvcc a.cu -o bin/\nnvcc a.cu -o.\n"), ""); }

TEST(BuildPrograms, ObjectsMayMove) {
  EXPECT_EQ(dump("nvcc -c a.cu\nmv a.o obj/\nnvcc obj/a.o -o app\n"), "app: /p/a.cu |  |  |  | \n");
}

TEST(BuildPrograms, SeveralProgramsKeepTheirOrder) {
  EXPECT_EQ(dump("nvcc b.cu -o b\nnvcc a.cu -o a\nnvcc b.cu -o b\n"),
            "b: /p/b.cu |  |  |  | \na: /p/a.cu |  |  |  | \n");
}

TEST(BuildPrograms, ProgramsOfOneNameAreToldApartByTheirFolders) {
  EXPECT_EQ(dump("nvcc v1/a.cu -o v1/run\nnvcc v2/a.cu -o v2/run\n"),
            "v1/run: /p/v1/a.cu |  |  |  | \nv2/run: /p/v2/a.cu |  |  |  | \n");
}

}  // namespace
}  // namespace cuset::execute
