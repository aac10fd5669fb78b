#include "sandbox/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace cuset::sandbox {

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw base::Error("cannot make a pipe: {}", base::errno_text(errno));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

}  // namespace cuset::sandbox
