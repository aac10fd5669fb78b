// A pipe whose ends close with the object and on exec.
#pragma once

#include "base/files/file.h"

namespace cuset {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

// Throws Error where no descriptors are left.
Pipe make_pipe();

}  // namespace cuset
