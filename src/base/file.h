// Files: reading whole, mapping, and replacing so that a crash, a full disk or a kill loses nothing.
//
// AtomicFile writes "<name>.tmp-<random>" beside the target and holds a lock on it. commit() does fsync, rename and
// fsync of the folder; until then the target is untouched. A temporary whose writer died carries no lock any more
// and is removed by the next AtomicFile for the same target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace cuset {

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

// The whole content. Throws Error naming the path and the reason.
std::string read_file(const std::filesystem::path& path);

// A read-only view of a file's bytes, valid while the object lives. An empty file gives an empty span.
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

// Replaces a file in one step. Destroyed without commit(), it removes its temporary.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends to the temporary. On failure (full disk) throws Error; the target stays as it was.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  // Makes the new content durable and visible under the target's name.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  FileDescriptor file_;
};

// Replaces `path` by `content` through AtomicFile.
void write_file_atomic(const std::filesystem::path& path, std::string_view content);

// Bytes that an ordinary user can still write at `path`'s file system.
uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace cuset
