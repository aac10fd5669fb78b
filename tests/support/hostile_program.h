// For tests: the program of testdata/sandbox/hostile.c, compiled once, and commands that run it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "sandbox/process.h"
#include "sandbox/process_tree.h"
#include "sandbox/sandbox.h"

namespace cuset::support {

// The environment names it where somebody compiled it before us.
inline std::filesystem::path hostile_program() {
  static const base::TemporaryFolder folder;
  static const std::filesystem::path program = [] {
    if (const char* ready = std::getenv("CUSET_HOSTILE_PROGRAM")) return std::filesystem::path(ready);
    const std::filesystem::path made = folder / "hostile";
    const sandbox::ProcessResult compiled =
        sandbox::run_process({"cc", "-O1", "-o", made.string(), "testdata/sandbox/hostile.c", "-pthread"},
                             {.time_limit = std::chrono::seconds(60)});
    EXPECT_TRUE(compiled.succeeded()) << compiled.output;
    return made;
  }();
  return program;
}

// A working folder, and a command that runs in it under small limits.
struct HostileTrial {
  explicit HostileTrial(sandbox::Confinement confinement) {
    command.folder = folder.path();
    command.confinement = confinement;
    command.readable = {hostile_program()};
    command.limits.wall_time = std::chrono::seconds(20);
    command.limits.memory = 128 << 20;
    command.limits.processes = 16;
    command.limits.open_files = 32;
  }

  sandbox::SandboxResult run_hostile(const std::vector<std::string>& words) {
    command.arguments = {hostile_program().string()};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    return sandbox::run_sandboxed(command);
  }

  sandbox::SandboxResult run_shell(const std::string& script) {
    command.arguments = {"/bin/sh", "-c", script};
    return sandbox::run_sandboxed(command);
  }

  base::TemporaryFolder folder;
  sandbox::SandboxedCommand command;
};

// A process of this machine has `word` on its command line.
inline bool lives(const std::string& word) {
  for (const pid_t process : sandbox::all_processes()) {
    try {
      if (base::read_file("/proc/" + std::to_string(process) + "/cmdline").find(word) != std::string::npos)
        return true;
    } catch (const base::Error&) {  // gone meanwhile
    }
  }
  return false;
}

// No child of ours is left, not even a dead one.
inline bool has_no_children() { return sandbox::tree_of(::getpid()).size() == 1; }

}  // namespace cuset::support
