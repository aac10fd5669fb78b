// Headers of libraries that the emulator does not serve, left out of a build to see whether the program uses them.
//
// The emulator's own stand-ins (thrust/sort.h) stop the compiler as unsupported. A program that only includes one needs
// nothing from it: with an empty header in its place it compiles. One that does need it fails then, and stays unsupported.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/files/temporary_folder.h"
#include "execute/executor.h"

namespace cuset::execute {

class EmptyHeaders {
 public:
  // One for each header below `include` that only says that its library is unsupported.
  explicit EmptyHeaders(const std::filesystem::path& include);

  // Adds one by the name in an #include; false where that is not a plain path below a folder.
  bool add(const std::string& name);

  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  base::TemporaryFolder folder_;
};

// Builds again with `build_with`, which puts the folder it is given before all other headers. Nothing but a build that is
// done takes the place of `unsupported`.
Build without_unused_libraries(Build unsupported, const std::filesystem::path& include,
                               const std::function<Build(const std::filesystem::path&)>& build_with);

}  // namespace cuset::execute
