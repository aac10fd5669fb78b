// What no honest answer needs, seen in the source before anything is compiled: reading host files at compile
// time, talking to the judging processes, switching the harness off. docs/verdicts.md lists the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cuset::judge {

struct LintFinding {
  enum class Weight : uint8_t { kRejected, kHack };
  Weight weight = Weight::kRejected;
  uint32_t line = 0;
  std::string text;  // one line: "`.incbin` reads a file of the host while compiling"
};

// The first finding, if any. Comments and strings do not count unless the rule is about them.
std::optional<LintFinding> lint(const std::string& source);

}  // namespace cuset::judge
