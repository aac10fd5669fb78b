#include "base/files/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "base/error.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr size_t kTemporaryDigits = 16;
constexpr int kMostLinksFollowed = 40;

// Opens a file or a pipe for reading. A folder or a device (endless, as /dev/zero) is refused before it is
// read.
FileDescriptor open_readable(const fs::path& path, struct stat& info) {
  FileDescriptor file = open_file(path, O_RDONLY);
  if (::fstat(file.get(), &info) != 0) throw file_error("examine", path, errno);
  if (S_ISDIR(info.st_mode)) throw file_error("read", path, EISDIR);
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
    throw Error("cannot read {}: it is a device", path.string()).with_remedy("give the name of a file");
  }
  return file;
}

// Reads up to `size` bytes, fewer only at the end of the file.
size_t read_fully(int fd, char* data, size_t size, const fs::path& path) {
  size_t done = 0;
  while (done < size) {
    const size_t count = read_some(fd, data + done, size - done, path);
    if (count == 0) break;
    done += count;
  }
  return done;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Exactly what create_temporary() makes: a user's own "results.json.tmp-old" is not ours to remove.
bool is_temporary_of(const fs::path& candidate, const fs::path& target) {
  const std::string name = candidate.filename().string();
  const std::string start = target.filename().string() + std::string(kTemporaryMark);
  return name.size() == start.size() + kTemporaryDigits && name.starts_with(start) &&
         name.find_first_not_of("0123456789abcdef", start.size()) == std::string::npos;
}

// Removes temporaries of writers that died. A living writer holds a lock on its file.
void remove_abandoned_temporaries(const fs::path& target) {
  std::error_code failed;
  fs::directory_iterator entry(folder_of(target), failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const fs::path& path = entry->path();
    if (!is_temporary_of(path, target)) continue;
    // O_NONBLOCK, for a pipe under such a name would wait for its writer.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.is_open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  }
}

// Where a chain of symbolic links ends; the last one may point to a file that does not exist yet.
fs::path end_of_links(const fs::path& path) {
  fs::path end = path;
  std::error_code ignored;
  for (int links = 0; fs::is_symlink(end, ignored); ++links) {
    if (links == kMostLinksFollowed) throw file_error("follow the links of", path, ELOOP);
    end = folder_of(end) / fs::read_symlink(end, ignored);
  }
  return end;
}

// The state of the file about to be replaced, or nothing where there is none yet.
std::optional<struct stat> examine_target(const fs::path& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  if (S_ISREG(info.st_mode)) return info;
  throw Error("cannot write {}: it is {}", path.string(),
              S_ISDIR(info.st_mode) ? "a folder" : "not a regular file")
      .with_remedy("give the name of a file");
}

std::string random_digits() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random() & 0xffffffffU, random() & 0xffffffffU);
}

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

FileDescriptor::~FileDescriptor() { reset(); }

void FileDescriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Error file_error(std::string_view verb, const fs::path& path, int error_number) {
  Error error("cannot {} {}: {}", verb, path.string(), errno_text(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
      return std::move(error).with_remedy("check the path");
    case EISDIR:
      return std::move(error).with_remedy("give the name of a file, not of a folder");
    case EACCES:
    case EPERM:
    case EROFS:
      return std::move(error).with_remedy("check the permissions, or choose another folder");
    case ENOSPC:
    case EDQUOT:
      return std::move(error).with_remedy(
          "free some space and run again; what was there before is untouched");
    default:
      return error;
  }
}

FileDescriptor open_file(const fs::path& path, int flags, mode_t mode) {
  for (;;) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    if (fd >= 0) return FileDescriptor(fd);
    if (errno != EINTR) throw file_error("open", path, errno);
  }
}

size_t read_some(int fd, char* data, size_t size, const fs::path& path) {
  for (;;) {
    const ssize_t count = ::read(fd, data, size);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) throw file_error("read", path, errno);
  }
}

void sync_folder_of(const fs::path& path) {
  const fs::path folder = folder_of(path);
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be writable and not readable, and some file systems refuse fsync on folders with EINVAL: the
  // name is then as durable as they make it.
  if (file.is_open() && ::fsync(file.get()) != 0 && errno != EINVAL) throw file_error("flush", folder, errno);
}

std::string read_file(const fs::path& path) {
  struct stat info{};
  const FileDescriptor file = open_readable(path, info);
  std::string content(static_cast<size_t>(info.st_size), '\0');
  content.resize(read_fully(file.get(), content.data(), content.size(), path));
  // Pipes and files of /proc say size 0, and a file may have grown meanwhile.
  char more[16384];
  while (const size_t count = read_fully(file.get(), more, sizeof more, path)) content.append(more, count);
  return content;
}

MappedFile::MappedFile(const fs::path& path) {
  struct stat info{};
  const FileDescriptor file = open_readable(path, info);
  if (!S_ISREG(info.st_mode)) {
    throw Error("cannot map {}: it is not a regular file", path.string())
        .with_remedy("copy it into a file first");
  }
  size_ = static_cast<size_t>(info.st_size);
  if (size_ == 0) return;
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) throw file_error("map", path, errno);
  data_ = data;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)), destination_(end_of_links(target_)) {
  const std::optional<struct stat> replaced = examine_target(destination_);
  remove_abandoned_temporaries(destination_);
  create_temporary(replaced ? 0600 : 0666);
  if (!replaced) return;
  // Owner before mode, for chown clears mode bits. A file system without owners or modes refuses; that is no
  // loss.
  [[maybe_unused]] const int owned = ::fchown(file_.get(), replaced->st_uid, replaced->st_gid);
  ::fchmod(file_.get(), replaced->st_mode & 07777);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::create_temporary(mode_t mode) {
  for (;;) {
    temporary_ = destination_.string() + std::string(kTemporaryMark) + random_digits();
    const int fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 && (errno == EEXIST || errno == EINTR)) continue;
    if (fd < 0) throw file_error("create a file beside", target_, errno);
    file_ = FileDescriptor(fd);
    while (::flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    // Before it was locked, another writer may have taken it for abandoned and removed it.
    struct stat info{};
    if (::fstat(fd, &info) == 0 && info.st_nlink > 0) return;
  }
}

void AtomicFile::discard() {
  if (!file_.is_open()) return;
  ::unlink(temporary_.c_str());
  file_.reset();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  CUSET_CHECK(file_.is_open(), "write to {} after commit or a failed write", target_.string());
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int reason = errno;
      discard();
      throw file_error("write", target_, reason);
    }
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void AtomicFile::commit() {
  CUSET_CHECK(file_.is_open(), "commit of {} after commit or a failed write", target_.string());
  // A failed fsync is not tried again: the kernel may have dropped the pages and would call the second one a
  // success.
  if (::fsync(file_.get()) != 0) throw file_error("flush", target_, errno);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0) throw file_error("replace", target_, errno);
  file_.reset();
  sync_folder_of(destination_);
}

void write_file_atomic(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

uint64_t free_disk_bytes(const fs::path& path) {
  struct statvfs info{};
  if (::statvfs(path.c_str(), &info) != 0) throw file_error("examine the file system of", path, errno);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace cuset::base
