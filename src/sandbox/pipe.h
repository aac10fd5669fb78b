// A pipe whose ends close with the object and on exec.
#pragma once

#include "base/files/file.h"

namespace cuset::sandbox {

struct Pipe {
  base::FileDescriptor read_end;
  base::FileDescriptor write_end;
};

// Throws Error where no descriptors are left.
Pipe make_pipe();

}  // namespace cuset::sandbox
