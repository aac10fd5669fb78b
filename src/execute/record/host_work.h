// What the host code of an answer did beside the tests that call it, as the compiler pass counted it while the program ran
// (emulator/host_work.h). The file of the counters lies in the program's working folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace cuset::execute {

struct HostWork {
  uint64_t answer_sources = 0;  // sources of the answer whose counting has begun
  uint64_t data_bytes = 0;      // that its host code read and wrote
  uint64_t operations = 0;
  uint64_t test_bytes = 0;  // of memory that the tests asked for
  uint64_t test_calls = 0;  // of the tests to the answer
};

// Makes the file, for a build with CompanionSources::counts_host_work.
void lay_host_work(const std::filesystem::path& folder);

// Reads it after the run; nothing where it is not what was made.
std::optional<HostWork> read_host_work(const std::filesystem::path& folder);

}  // namespace cuset::execute
