// A listening socket that is a file: programs on this machine that may open the file reach it, and nobody else. Only its owner may.
//
// A file that a killed server has left is replaced; one that a server listens on is not.
#pragma once

#include <filesystem>

#include "base/files/file.h"

namespace cuset::serve {

class UnixSocket {
 public:
  // Listens at once. Throws Error where the path is too long or taken, or cannot be made.
  explicit UnixSocket(const std::filesystem::path& path);
  // Removes the file, and listens no more.
  ~UnixSocket();
  UnixSocket(const UnixSocket&) = delete;
  UnixSocket& operator=(const UnixSocket&) = delete;

  // Another descriptor of it, which the caller closes.
  int duplicate() const;

 private:
  std::filesystem::path path_;
  base::FileDescriptor descriptor_;
};

}  // namespace cuset::serve
