// Landlock: rules a process sets on itself without privileges. Where namespaces are not available they still
// keep a program from changing files outside its folder, from signals to processes outside its own tree, from
// their memory, and from TCP; each as far as the kernel's version of Landlock goes.
#pragma once

#include <filesystem>

#include "base/files/file.h"

namespace cuset::sandbox {

// The version of the kernel's interface; 0 without Landlock.
int landlock_version();

// Rules for landlock_restrict_self(2) under which files can be changed below `folder` only. Closed where the
// kernel has no Landlock.
base::FileDescriptor make_landlock_rules(const std::filesystem::path& folder);

}  // namespace cuset::sandbox
