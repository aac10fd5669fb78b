#include "execute/record/host_work.h"

#include <cstring>
#include <string>

#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "emulator/host_work.h"

namespace cuset::execute {

void lay_host_work(const std::filesystem::path& folder) {
  base::write_scratch_file(folder / CUSET_HOST_WORK_FILE, std::string(CUSET_HOST_WORK_BYTES, '\0'));
}

std::optional<HostWork> read_host_work(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / CUSET_HOST_WORK_FILE;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, failed))) return std::nullopt;
  if (std::filesystem::file_size(file, failed) != CUSET_HOST_WORK_BYTES) return std::nullopt;
  const std::string bytes = base::read_file(file);
  if (bytes.size() != CUSET_HOST_WORK_BYTES) return std::nullopt;
  CusetHostWork counted;
  std::memcpy(&counted, bytes.data(), sizeof counted);
  return HostWork{.answer_sources = counted.answer_sources,
                  .data_bytes = counted.data_bytes,
                  .operations = counted.operations,
                  .test_bytes = counted.test_bytes,
                  .test_calls = counted.test_calls};
}

}  // namespace cuset::execute
