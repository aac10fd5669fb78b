#include "execute/run/device_folder.h"

#include <fmt/ranges.h>

#include <cstring>

#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "emulator/device_account.h"
#include "execute/record/kernel_footprints.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Kernels are untrusted too, but have no way to make a link; a file that is not one counts as empty.
std::string bytes_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) return {};
  return base::read_file(path);
}

// False where the last download is cut off.
bool split_downloads(const std::string& bytes, std::vector<std::vector<std::byte>>& downloads) {
  size_t at = 0;
  while (bytes.size() - at >= sizeof(uint64_t)) {
    uint64_t size = 0;
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    if (size > bytes.size() - at) return false;
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data() + at);
    downloads.emplace_back(begin, begin + size);
    at += size;
  }
  return at == bytes.size();
}

}  // namespace

DeviceFolder::DeviceFolder(const SplitOptions& options) { lay_device_files(options, folder_.path()); }

void lay_device_files(const SplitOptions& options, const fs::path& path) {
  const std::vector<InputMask>& masks = options.masks;
  const fs::path folder = path / CUSET_MASKS_FOLDER;
  fs::create_directories(folder);
  for (size_t i = 0; i < masks.size(); ++i) {
    base::write_scratch_file(folder / fmt::format("{}.shown", i), masks[i].shown);
    base::write_scratch_file(folder / fmt::format("{}.real", i), masks[i].real);
    base::write_scratch_file(folder / fmt::format("{}.type", i), masks[i].type);
  }
  if (!options.idle_kernels.empty())
    base::write_scratch_file(path / CUSET_IDLE_FILE,
                             fmt::format("{}\n", fmt::join(options.idle_kernels, "\n")));
  if (options.unbroken) base::write_scratch_file(folder / CUSET_UNBROKEN_FILE, std::string_view());
  if (options.zeroed) base::write_scratch_file(path / CUSET_ZEROED_FILE, std::string_view());
  if (options.timed) base::write_scratch_file(path / CUSET_GATE_FILE, std::string_view());
  if (options.record) base::write_scratch_file(path / CUSET_RECORD_FILE, std::string_view());
  if (!options.replayed_requests.empty())
    base::write_scratch_file(path / CUSET_REQUESTS_FILE, options.replayed_requests);
}

void take_downloads(const fs::path& path, SplitRun& run) {
  run.requests = bytes_of(path / CUSET_REQUESTS_FILE);
  CusetDeviceAccount account{};
  const std::string told = bytes_of(path / CUSET_ACCOUNT_FILE);
  if (told.size() == sizeof account) std::memcpy(&account, told.data(), sizeof account);
  const bool is_whole = split_downloads(bytes_of(path / CUSET_DOWNLOADS_FILE), run.downloads);
  run.kernel_ms = static_cast<double>(account.kernel_nanoseconds) / 1e6;
  add_footprints(bytes_of(path / CUSET_FOOTPRINTS_FILE), run.device.kernels);
  const bool ended_well = account.magic == CUSET_ACCOUNT_MAGIC && account.finished == 1;
  if (run.device.outcome != Run::Outcome::kDone) return;
  if (is_whole && ended_well && account.downloads == run.downloads.size()) return;
  run.device.outcome = Run::Outcome::kFailed;
  run.device.explanation =
      "the process of the kernels did not end well: " + run.device.process.errors.substr(0, 200);
}

}  // namespace cuset::execute
