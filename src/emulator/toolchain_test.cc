#include "emulator/toolchain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::emulator {
namespace {

EmulatorToolchain some_toolchain() {
  return {.clang = "/usr/bin/clang++",
          .version = "19",
          .pass = "/e/pass.so",
          .include = "/e/include",
          .runtime_folder = "/e"};
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(EmulatorToolchain, DeviceSideIsMarkedAndHostSideIsNot) {
  const base::TemporaryFolder folder;
  const EmulatorCommands commands =
      emulator_commands(some_toolchain(), {.source = "a.cu", .folder = folder.path()});
  EXPECT_TRUE(contains(commands.device, "-fcuda-is-device"));
  EXPECT_FALSE(contains(commands.host, "-fcuda-is-device"));
}

TEST(EmulatorToolchain, NeverLooksForAnInstalledToolkit) {
  const base::TemporaryFolder folder;
  const EmulatorCommands commands =
      emulator_commands(some_toolchain(), {.source = "a.cu", .folder = folder.path()});
  for (const auto& command : {commands.device, commands.host}) {
    EXPECT_TRUE(contains(command, "-nocudainc"));
    EXPECT_TRUE(contains(command, "--cuda-path=/nonexistent"));
  }
}

TEST(EmulatorToolchain, ChecksAreCompiledInOnlyOnRequest) {
  const base::TemporaryFolder folder;
  EmulatorBuild build{.source = "a.cu", .folder = folder.path()};
  EXPECT_FALSE(contains(emulator_commands(some_toolchain(), build).device, "-DCUSET_CHECKED"));
  build.check = true;
  EXPECT_TRUE(contains(emulator_commands(some_toolchain(), build).device, "-DCUSET_CHECKED"));
}

TEST(EmulatorToolchain, PrecompiledHeadersReplaceTheRuntimeHeader) {
  const base::TemporaryFolder folder;
  EmulatorBuild build{.source = "a.cu", .folder = folder.path()};
  EXPECT_TRUE(contains(emulator_commands(some_toolchain(), build).host, "cuda_runtime.h"));
  build.precompiled = "/p";
  const EmulatorCommands commands = emulator_commands(some_toolchain(), build);
  EXPECT_FALSE(contains(commands.host, "cuda_runtime.h"));
  EXPECT_TRUE(contains(commands.host, "/p/host.pch"));
  EXPECT_TRUE(contains(commands.device, "/p/device.pch"));
}

TEST(EmulatorToolchain, CudaIsAtLeastCpp14) {
  const base::TemporaryFolder folder;
  EmulatorBuild build{.source = "a.cu", .folder = folder.path()};
  for (const auto& [wanted, given] : {std::pair("c++11", "c++14"), {"c++14", "c++14"}, {"c++20", "c++20"}}) {
    build.standard = wanted;
    const EmulatorCommands commands = emulator_commands(some_toolchain(), build);
    EXPECT_TRUE(contains(commands.host, std::string("-std=") + given));
    EXPECT_TRUE(contains(commands.device, std::string("-std=") + given));
  }
  build.plain = true;
  build.standard = "c++11";
  EXPECT_TRUE(contains(emulator_commands(some_toolchain(), build).host, "-std=c++11"));
}

TEST(EmulatorToolchain, PassesDefinesAndIncludeFolders) {
  const base::TemporaryFolder folder;
  const EmulatorCommands commands = emulator_commands(
      some_toolchain(),
      {.source = "a.cu", .folder = folder.path(), .defines = {"N=4"}, .include_folders = {"/inc"}});
  EXPECT_TRUE(contains(commands.host, "-DN=4"));
  EXPECT_TRUE(contains(commands.device, "-I/inc"));
}

TEST(EmulatorToolchain, HeadersOfASharedLibrarysSystemComeBeforeCudas) {
  const base::TemporaryFolder folder;
  const EmulatorCommands commands = emulator_commands(some_toolchain(), {.source = "a.cu",
                                                                         .folder = folder.path(),
                                                                         .host_optimization = 0,
                                                                         .system_folders = {"/torch"},
                                                                         .position_independent = true});
  for (const auto& command : {commands.device, commands.host}) {
    EXPECT_TRUE(contains(command, "-fPIC"));
    EXPECT_LT(std::find(command.begin(), command.end(), "/torch"),
              std::find(command.begin(), command.end(), "/e/include"));
  }
  EXPECT_TRUE(contains(commands.host, "-O0"));
  EXPECT_TRUE(contains(commands.device, "-O3"));
}

}  // namespace
}  // namespace cuset::emulator
