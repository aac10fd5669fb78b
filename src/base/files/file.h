// Files: reading whole, mapping, and replacing so that a crash, a full disk or a kill loses nothing.
//
// AtomicFile writes "<name>.tmp-<16 hex digits>" beside the target and holds a flock on it. commit() does
// fsync, rename and fsync of the folder; until then the target is untouched. A temporary whose writer died
// carries no lock any more and is removed by the next AtomicFile for the same target, which reads the
// folder's names for it: many small results belong into one JSONL file, not into many files of one folder. A
// target that is a symbolic link stays one: the file at its end is replaced.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace cuset::base {

// Owns a file descriptor. Movable; -1 means none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

// "cannot <verb> <path>: <reason>", with the remedy that fits the errno value.
Error file_error(std::string_view verb, const std::filesystem::path& path, int error_number);

// open(2) with O_CLOEXEC, repeated where a signal interrupts it. Throws Error.
FileDescriptor open_file(const std::filesystem::path& path, int flags, mode_t mode = 0666);

// read(2), repeated where a signal interrupts it: the count, 0 at the end. Throws Error naming `path`.
size_t read_some(int fd, char* data, size_t size, const std::filesystem::path& path);

// Makes the name of a new or renamed file durable. Throws Error where the disk fails.
void sync_folder_of(const std::filesystem::path& path);

// The whole content of a file or a pipe. Throws Error naming the path and the reason; folders and devices are
// refused.
std::string read_file(const std::filesystem::path& path);

// A read-only view of a file's bytes, valid while the object lives. An empty file gives an empty span; what
// is not a regular file is refused. Nobody may shorten the file meanwhile: touching a page that is gone raises
// SIGBUS. Replacing it through AtomicFile is safe, for the view keeps the old content. Where neither is
// certain, read_file().
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }
  std::string_view text() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

// Replaces a file in one step and keeps its mode, and its owner where allowed. Destroyed without commit(), it
// removes its temporary. A target that cannot be replaced (a folder, a device) is refused at once, not after
// the work.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends to the temporary. On failure (full disk) removes it and throws Error; the target stays as it was.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  // Makes the new content durable and visible under the target's name.
  void commit();

 private:
  void create_temporary(mode_t mode);
  void discard();

  std::filesystem::path target_;       // as given, for messages
  std::filesystem::path destination_;  // where its links end
  std::filesystem::path temporary_;
  FileDescriptor file_;
};

// Replaces `path` by `content` through AtomicFile.
void write_file_atomic(const std::filesystem::path& path, std::string_view content);

// Bytes that an ordinary user can still write at `path`'s file system.
uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace cuset::base
