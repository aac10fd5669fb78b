// How this cuset came to the machine, by what lies beside the program. setup/package.py leaves
// share/cuset/installation.json, {"kind": "wheel"}, in all that it makes:
//   wheel    site-packages/cuset, from `make wheel`
//   prefix   PREFIX/lib/cuset, from `make install`
//   archive  lib/cuset of the unpacked folder, from `make dist`
#pragma once

#include <filesystem>
#include <string>

namespace cuset::cli {

struct Installation {
  std::string kind;  // as above, or "build tree", or "unknown"
  std::filesystem::path folder;

  std::string text() const;  // "Python wheel in /home/me/venv/lib/python3.12/site-packages/cuset"
};

// `program_folder` holds the program: base::program_folder().
Installation find_installation(const std::filesystem::path& program_folder);

// The folder of the LibTorch that is loaded, without its lib/; empty where none is.
std::filesystem::path loaded_libtorch();

}  // namespace cuset::cli
