// What `cuset run` shows of a program: compiler messages, kernels, findings with their source lines, how it
// ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "execute/executor.h"

namespace cuset::execute {

struct RunReport {
  std::filesystem::path source;  // as the user named it
  std::string source_text;
  std::string executor;     // "cpu"
  std::string description;  // "clang 19.1.7, 2 threads"
  BuildOptions options;
  Build build;
  std::optional<Run> run;  // none if it was not built
  base::GpuInfo gpu;       // that it ran on; of a CPU nothing is known

  // It was built, ended by itself with status 0, and nothing was found.
  bool is_clean() const;
};

// The compiler's messages with error, warning, note and the carets colored; control characters cannot pass.
std::string render_messages(std::string_view messages, bool color);

// A table of kernels with grid, block, shared memory, launches and times; empty if none ran. Where a GPU's kernels are
// known to the register, a second one says what each takes of the device.
std::string render_kernels(const Run& run, const base::GpuInfo& gpu = {});

// Every finding as a compiler would say it, with its source line and a caret.
std::string render_findings(const RunReport& report, bool color);

// One line: how it ended, how long it took, who compiled it.
std::string render_ending(const RunReport& report, bool color);

base::Json to_json(const RunReport& report);

}  // namespace cuset::execute
