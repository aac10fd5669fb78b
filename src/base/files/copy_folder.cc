#include "base/files/copy_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/files/file.h"
#include "base/files/make_folder.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 1 << 16;

bool is_zero(const char* data, size_t size) {
  return std::all_of(data, data + size, [](char byte) { return byte == 0; });
}

void write_all(int fd, const char* data, size_t size, const fs::path& path) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw file_error("write", path, errno);
    data += written;
    size -= static_cast<size_t>(written);
  }
}

// Never blocks on a pipe, never follows a link.
FileDescriptor open_untrusted(const fs::path& path) {
  FileDescriptor file = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) throw file_error("read", path, errno);
  if (!S_ISREG(status.st_mode)) throw Error("{} is not a regular file", path.string());
  return file;
}

uint64_t copy_content(const FileDescriptor& in, const fs::path& from, const FileDescriptor& out,
                      const fs::path& to) {
  std::vector<char> block(kBlock);
  uint64_t bytes = 0;
  while (const size_t count = read_some(in.get(), block.data(), block.size(), from)) {
    if (!is_zero(block.data(), count)) {
      write_all(out.get(), block.data(), count, to);
    } else if (::lseek(out.get(), static_cast<off_t>(count), SEEK_CUR) < 0) {
      throw file_error("write", to, errno);
    }
    bytes += count;
  }
  if (::ftruncate(out.get(), static_cast<off_t>(bytes)) != 0) throw file_error("write", to, errno);
  return bytes;
}

// Visits everything below `folder` by its path below it; what cannot be opened is passed over. Deep chains of
// folders hold no descriptors: each one is read to its end before the next is opened.
template <typename Visit>
void walk(const fs::path& folder, const fs::path& below, const Visit& visit) {
  std::vector<fs::path> folders;
  std::error_code unreadable;
  for (fs::directory_iterator entry(folder / below, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    const fs::path path = below / entry->path().filename();
    std::error_code gone;
    const fs::file_type type = entry->symlink_status(gone).type();
    visit(path, type);
    if (type == fs::file_type::directory) folders.push_back(path);
  }
  for (const fs::path& path : folders) walk(folder, path, visit);
}

}  // namespace

uint64_t copy_regular_file(const fs::path& from, const fs::path& to) {
  const FileDescriptor in = open_untrusted(from);
  struct stat status{};
  ::fstat(in.get(), &status);
  const FileDescriptor out =
      open_file(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, (status.st_mode & 0777) | 0600);
  return copy_content(in, from, out, to);
}

std::vector<std::string> regular_files_below(const fs::path& folder) {
  std::vector<std::string> files;
  walk(folder, "", [&](const fs::path& path, fs::file_type type) {
    if (type == fs::file_type::regular) files.push_back(path.string());
  });
  std::sort(files.begin(), files.end());
  return files;
}

CopiedFiles copy_folder(const fs::path& from, const fs::path& to) {
  CopiedFiles copied;
  make_folder(to);
  walk(from, "", [&](const fs::path& path, fs::file_type type) {
    if (type == fs::file_type::directory) {
      make_folder(to / path);
    } else if (type == fs::file_type::regular && ::access((from / path).c_str(), R_OK) == 0) {
      copied.bytes += copy_regular_file(from / path, to / path);
      ++copied.files;
    } else {
      copied.left_out.push_back(path.string());
    }
  });
  return copied;
}

}  // namespace cuset::base
