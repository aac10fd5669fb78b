#include "base/files/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/files/file.h"

namespace cuset::base {

void write_scratch_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const FileDescriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_error("write", path, errno);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void write_scratch_file(const std::filesystem::path& path, std::string_view text) {
  write_scratch_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace cuset::base
