// The files beside a program's sources that it reads when it runs: "data/image.pgm" in a source means the folder `data`
// beside it. A program that runs in a folder of its own has to be given them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cuset::execute {

// The files and folders in `folder` that the sources name in a string: by their own name, or by that of a file in them;
// so do `words`, the program's arguments. Sorted; source files are left out. Nothing where the folder has
// more than 10,000 files: then it is not the program's own.
std::vector<std::filesystem::path> files_named_in(const std::vector<std::string>& sources,
                                                  const std::vector<std::string>& words,
                                                  const std::filesystem::path& folder);

}  // namespace cuset::execute
