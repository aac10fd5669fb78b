// Makes a program of a CUDA source through the emulator's tool chain, each step in the sandbox.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "emulator/toolchain.h"
#include "execute/build/nvcc_compiler.h"
#include "execute/executor.h"

namespace cuset::execute {

struct CpuBuildRequest {
  CudaSource source;
  BuildOptions options;
  std::filesystem::path folder;  // where it is made; afterwards it holds the program and nothing else
  std::filesystem::path precompiled = {};  // what precompile_for_cpu() made of leading headers; empty: none
  // What compile_plain_for_cpu() made of the companions' plain sources: name -> object. Others are compiled.
  std::map<std::string, std::filesystem::path> plain_objects = {};
  sandbox::SandboxLimits limits;
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
};

struct CpuBuildTimes {
  double device = 0;  // seconds; device and host code are compiled side by side
  double host = 0;
  double link = 0;
};

// Messages name the source as name_in_sandbox() does. `times`, where given, takes the seconds of each step
// that ran.
Build build_for_cpu(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                    CpuBuildTimes* times = nullptr);

// Compiles `headers` (emulator/toolchain.h, precompile_commands) with the request's options into its folder,
// which then holds the results and nothing else. False where the compiler fails; the request's source plays
// no part.
bool precompile_for_cpu(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                        const std::vector<std::string>& headers);

// Compiles one of the companions' plain sources into the request's folder, which then holds the object that is
// returned and nothing else; nothing where the compiler fails.
std::optional<std::filesystem::path> compile_plain_for_cpu(const emulator::EmulatorToolchain& toolchain,
                                                           const CpuBuildRequest& request,
                                                           const std::string& name);

}  // namespace cuset::execute
