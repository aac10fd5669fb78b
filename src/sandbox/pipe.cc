#include "sandbox/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace cuset {

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot make a pipe: {}", errno_text(errno));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace cuset
