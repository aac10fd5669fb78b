// What a build makes: from its commands, the programs that it links and the sources that each is made of.
//
//   nvcc -std=c++14 -c a.cu -o a.o        an object knows its source and its options
//   ar rcs libb.a b.o                     an archive those of its objects
//   nvcc a.o -L. -lb -lcublas -o solver   a program all of them: a.cu, b.cpp; -std=c++14 -lcublas
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "execute/project/build_commands.h"

namespace cuset::execute {

struct ProjectProgram {
  std::string name;                            // "solver"; "v2/solver" where others have that name
  std::vector<std::filesystem::path> sources;  // absolute
  std::vector<std::string> defines;
  std::vector<std::filesystem::path> include_folders;  // absolute; some may not exist
  std::vector<std::string> libraries;
  std::string standard;  // "c++17"; empty: none was given
  bool relocatable = false;
  bool all_cuda = false;
  std::vector<std::string> nvcc_flags;
};

// In the order in which they are linked, named by their files, by paths seen from `folder` where these are the same; those without a CUDA or C++ source are left out. What two commands give the same
// file name counts as made by the last.
std::vector<ProjectProgram> programs_of(const std::vector<BuildCommand>& commands,
                                        const std::filesystem::path& folder);

// Whether nvcc or a compiler of the host would take it for a source: .cu, .cpp, .cc, .cxx, .c.
bool is_program_source(const std::filesystem::path& path);

}  // namespace cuset::execute
