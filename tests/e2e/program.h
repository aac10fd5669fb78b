// Runs the cuset program as a user does. CUSET_PROGRAM names the executable.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "sandbox/process.h"

namespace cuset::tests {

// Only against a program that hangs: a busy machine is slow.
constexpr std::chrono::minutes kTooLong{10};

// Standard output and error together.
inline sandbox::ProcessResult run_cuset(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), CUSET_PROGRAM);
  sandbox::ProcessResult result = sandbox::run_process(arguments, {.time_limit = kTooLong});
  EXPECT_TRUE(result.started) << CUSET_PROGRAM;
  return result;
}

// Why CUDA programs cannot run on the CPU here, as a reason to skip; empty where they can.
inline std::string lack_of_cpu_executor() {
  const base::Json report = base::parse_json(run_cuset({"doctor", "--json"}).output, "doctor");
  for (const base::Json& finding : report["findings"]) {
    const bool needed = finding["name"] == "CPU executor" || finding["name"] == "full confinement";
    if (needed && finding["state"] != "good")
      return "skipped: no " + finding["name"].get<std::string>() + ": " +
             finding["detail"].get<std::string>();
  }
  return "";
}

// run_cuset with a file as standard input.
inline sandbox::ProcessResult run_cuset_reading(const std::filesystem::path& input,
                                                const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sh", "-c",           "input=$1; shift; exec \"$@\" < \"$input\"",
                                      "sh", input.string(), CUSET_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return sandbox::run_process(command, {.time_limit = kTooLong});
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cuset::tests
