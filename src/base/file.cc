#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

Error file_error(std::string_view verb, const fs::path& path, int error_number) {
  Error error("cannot {} {}: {}", verb, path.string(), errno_text(error_number));
  if (error_number == ENOENT) return std::move(error).with_remedy("check the path");
  if (error_number == EACCES || error_number == EROFS) {
    return std::move(error).with_remedy("check the permissions, or choose another folder");
  }
  if (error_number == ENOSPC || error_number == EDQUOT) {
    return std::move(error).with_remedy("free some space and run again; what was there before is untouched");
  }
  return error;
}

// Opens a regular file for reading: a folder or a device is refused before anything is read from it.
FileDescriptor open_regular_file(const fs::path& path, struct stat& info) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || ::fstat(file.get(), &info) != 0) throw file_error("open", path, errno);
  if (S_ISDIR(info.st_mode)) throw file_error("read", path, EISDIR);
  return file;
}

// Reads up to `size` bytes, fewer only at the end of the file.
size_t read_fully(int fd, char* data, size_t size, const fs::path& path) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(fd, data + done, size - done);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_error("read", path, errno);
    done += static_cast<size_t>(count);
  }
  return done;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool is_temporary_of(const fs::path& candidate, const fs::path& target) {
  return candidate.filename().string().starts_with(target.filename().string() + ".tmp-");
}

// Removes temporaries of writers that died. A living writer holds a lock on its file.
void remove_abandoned_temporaries(const fs::path& target) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of(target), ignored)) {
    if (!is_temporary_of(entry.path(), target)) continue;
    FileDescriptor file(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.is_open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(entry.path().c_str());
  }
}

void sync_folder(const fs::path& folder) {
  FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems refuse fsync on folders with EINVAL; the rename is then as durable as they make it.
  if (file.is_open() && ::fsync(file.get()) != 0 && errno != EINVAL) throw file_error("flush", folder, errno);
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

std::string read_file(const fs::path& path) {
  struct stat info {};
  const FileDescriptor file = open_regular_file(path, info);
  std::string content(static_cast<size_t>(info.st_size), '\0');
  content.resize(read_fully(file.get(), content.data(), content.size(), path));
  // Files of /proc say size 0, and a file may have grown meanwhile.
  char more[4096];
  while (const size_t count = read_fully(file.get(), more, sizeof more, path)) content.append(more, count);
  return content;
}

MappedFile::MappedFile(const fs::path& path) {
  struct stat info {};
  const FileDescriptor file = open_regular_file(path, info);
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

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  remove_abandoned_temporaries(target_);
  std::string name = target_.string() + ".tmp-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) throw file_error("create a file beside", target_, errno);
  file_ = FileDescriptor(fd);
  temporary_ = name;
  ::flock(fd, LOCK_EX | LOCK_NB);
  // mkostemp makes files private; a result keeps the mode of what it replaces, or what the umask gives.
  struct stat info {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(target_.c_str(), &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask;
  ::fchmod(fd, mode);
}

AtomicFile::~AtomicFile() {
  if (file_.is_open()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  CUSET_CHECK(file_.is_open(), "write after commit of {}", target_.string());
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_error("write", target_, errno);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void AtomicFile::commit() {
  CUSET_CHECK(file_.is_open(), "second commit of {}", target_.string());
  if (::fsync(file_.get()) != 0) throw file_error("flush", target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw file_error("replace", target_, errno);
  file_.reset();
  sync_folder(folder_of(target_));
}

void write_file_atomic(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

uint64_t free_disk_bytes(const fs::path& path) {
  struct statvfs info {};
  if (::statvfs(path.c_str(), &info) != 0) throw file_error("examine the file system of", path, errno);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace cuset
