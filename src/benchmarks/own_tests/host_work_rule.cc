#include "benchmarks/own_tests/host_work_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/human_readable.h"

namespace cuset::benchmarks {

// A host that computes from n numbers reads them all; tests of n numbers ask for memory of 2 n or more. An eighth of that,
// up to 4 KiB, is for tables and padding; a 32nd for what is left to add up of partial results.
uint64_t allowed_data_bytes(const execute::HostWork& work, uint64_t launches) {
  const uint64_t of_launches = std::min(32 * launches, std::max<uint64_t>(2048, work.test_bytes / 32));
  return std::clamp<uint64_t>(work.test_bytes / 8, 768, 4096) + work.test_bytes / 32 +
         1024 * work.test_calls + of_launches;
}

uint64_t allowed_operations(const execute::HostWork& work, uint64_t launches) {
  return 20000 + work.test_bytes / 4 + 2000 * work.test_calls + 400 * std::min<uint64_t>(launches, 4096);
}

std::string too_much_host_work(const std::optional<execute::HostWork>& work, uint64_t launches,
                               size_t sources) {
  if (!work || work->answer_sources != sources) return "what its host code did could not be counted";
  const uint64_t bytes = allowed_data_bytes(*work, launches),
                 operations = allowed_operations(*work, launches);
  if (work->data_bytes > bytes)
    return fmt::format(
        "its host code read and wrote {} of data, where {} would be little beside the tests' {}",
        base::human_bytes(work->data_bytes), base::human_bytes(bytes), base::human_bytes(work->test_bytes));
  if (work->operations > operations)
    return fmt::format("its host code did {} operations, where {} would be little", work->operations,
                       operations);
  return "";
}

}  // namespace cuset::benchmarks
