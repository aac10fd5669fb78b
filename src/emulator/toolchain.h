// How a CUDA program is built for the CPU: clang compiles the device side and the host side, each with our
// headers and our pass, and both are linked with our runtime into one program. This file finds the tools and
// gives the command lines; the caller runs them where untrusted source belongs, in the sandbox.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuset::emulator {

struct EmulatorToolchain {
  std::filesystem::path clang;
  std::string version;                   // "19.1.7"
  std::filesystem::path pass;            // the plugin
  std::filesystem::path include;         // our CUDA headers
  std::filesystem::path runtime_folder;  // holds libcuset_emulator.so
  std::filesystem::path libraries = {};  // headers of libraries beside ours: CCCL's; empty: none
  // The linker's own command, with kLinkedObjects and kLinkedProgram in it; empty: only clang can link.
  std::vector<std::string> linker = {};
};

struct ToolchainSearch {
  std::optional<EmulatorToolchain> toolchain;
  std::string missing;  // what was not found, if there is no toolchain
  std::string remedy;
};

// Looks in $CUSET_EMULATOR, beside the running program (../lib/cuset/emulator) and where this program was
// built; clang of the version the pass was made for on PATH or in $CUSET_CLANG.
ToolchainSearch find_emulator_toolchain();

// The folder of libcuset_emulator.so; empty where it is not found.
std::filesystem::path find_runtime_folder();

struct EmulatorBuild {
  std::filesystem::path source;
  std::filesystem::path folder;  // for objects and the program; exists
  std::string standard = "c++17";
  int optimization = 3;
  int host_optimization = 2;  // at most, of host code
  bool check = false;
  bool uses_clusters = false;             // for compute capability 9.0 instead of 8.0
  std::vector<std::string> defines = {};  // NAME or NAME=VALUE
  std::vector<std::filesystem::path> include_folders = {};
  std::vector<std::filesystem::path> system_folders = {};  // of headers that come before CUDA's
  std::vector<std::filesystem::path> quote_folders = {};   // of the source's own headers: #include "x.h"
  bool position_independent = false;                       // for a shared library
  bool plain =
      false;  // C++ (or C) of the host alone, as nvcc takes a .cpp (.c) file: no kernels, no device side
  bool contract = true;  // multiplications and additions of device code fuse
  // Device code of several sources that is one (nvcc's -rdc=true): all but one are compiled to bitcode, and that one is
  // compiled with it.
  bool device_bitcode = false;
  std::vector<std::filesystem::path> linked_bitcode = {};
  std::string objects = {};  // opens the names of the objects, where several sources share the folder
  std::filesystem::path precompiled = {};  // folder of what precompile_commands() made; empty: none
};

// The stand-in for the device binary that the host side embeds; the commands' makers write it.
inline constexpr const char* kStandIn = "device.stub";

// The program of device code alone, beside the whole one.
inline constexpr const char* kDeviceProgram = "device";

struct EmulatorCommands {
  // They are independent of each other: run them side by side, then link what they made.
  std::vector<std::string> device;  // empty: a plain source
  std::vector<std::string> host;
  std::vector<std::string> objects;         // that they make
  std::vector<std::string> device_objects;  // of a program of device code alone (runtime/device_process)
  std::filesystem::path program;
  std::filesystem::path device_program;
  // What `device` writes where its environment names it (kernel_files.h).
  std::filesystem::path kernel_files;
};

// Writes kStandIn into build.folder.
EmulatorCommands emulator_commands(const EmulatorToolchain& toolchain, const EmulatorBuild& build);

// What is linked with our runtime into a program.
struct EmulatorLink {
  std::vector<std::string> objects;  // of a function that several define as a weak one, the first counts
  std::string program;
  std::vector<std::string> options = {};  // the linker's: "--wrap=main"
};

inline constexpr const char* kLinkedObjects = "cuset-objects";
inline constexpr const char* kLinkedProgram = "cuset-program";

// By clang, with the linker that it chooses.
std::vector<std::string> link_command(const EmulatorToolchain& toolchain, const EmulatorLink& link);
// By toolchain.linker, which is not empty.
std::vector<std::string> quick_link_command(const EmulatorToolchain& toolchain, const EmulatorLink& link);
// Names kLinkedObjects and kLinkedProgram: of its command clang can make one for toolchain.linker.
EmulatorLink marked_link();

// Commands that compile cuda_runtime.h and then `headers` ("vector") into device.pch and
// host.pch of build.folder. They stand in for these headers in front of any source that is built with the
// same standard, optimization, check and defines. Where a header has changed since, clang refuses them and
// names the file.
EmulatorCommands precompile_commands(const EmulatorToolchain& toolchain, const EmulatorBuild& build,
                                     const std::vector<std::string>& headers);

// What makes PyTorch's device "cuda" of the emulator: sources, headers, scripts.
std::filesystem::path torch_folder(const EmulatorToolchain& toolchain);

// The file that programs are linked with.
std::filesystem::path runtime_library(const EmulatorToolchain& toolchain);

// What the sandbox must show to these commands, beside the system's own folders, the source and the build
// folder.
std::vector<std::filesystem::path> readable_folders(const EmulatorToolchain& toolchain);

}  // namespace cuset::emulator
