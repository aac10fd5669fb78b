// A folder as a program: which sources `cuset run FOLDER` compiles, and how. What its Makefile, else its CMakeLists.txt would build;
// without either, the sources that lie in it.
#pragma once

#include <filesystem>
#include <string>

#include "execute/project/build_programs.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

struct FoundProgram {
  ProjectProgram program;
  std::string origin;  // "Makefile", "CMakeLists.txt", "sources"
};

// `target` chooses among several programs by name, or is a target of the Makefile; empty: the only program, or the only one
// with CUDA code. Throws Error where the folder's build cannot be read, builds no program or several to choose from.
FoundProgram find_program(const std::filesystem::path& folder, const std::string& target,
                          sandbox::Confinement confinement);

// "solver (main.cu, src/util.cpp; c++14 -DN=4 -lcublas)": for the user, with sources as seen from `folder`.
std::string describe(const ProjectProgram& program, const std::filesystem::path& folder);

}  // namespace cuset::execute
