// Writes down which file defines each kernel (kernel_files.h), by the debug information of its definition: neither a macro
// around a name nor another declaration of the kernel changes that.
#include "kernel_files.h"

#include <cstdlib>

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Sources choose names of kernels (asm labels) and of files (#line): none of them makes a line of its own.
std::string on_one_line(StringRef text) {
  std::string line = text.str();
  for (char& letter : line)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7f) letter = '?';
  return line;
}

// clang names files from any folder that they share with the one it runs in.
std::string file_of(const Function& kernel) {
  const DISubprogram* definition = kernel.getSubprogram();
  if (definition == nullptr) return "";
  SmallString<256> path(definition->getFilename());
  sys::fs::make_absolute(definition->getDirectory(), path);
  return path.str().str();
}

}  // namespace

void write_kernel_files(Module& module, const std::vector<Kernel>& kernels) {
  const char* path = std::getenv(CUSET_KERNEL_FILES_VARIABLE);
  if (path != nullptr) {
    std::error_code failed;
    raw_fd_ostream file(path, failed);
    for (const Kernel& kernel : kernels)
      if (!failed) file << on_one_line(kernel.name) << '\t' << on_one_line(file_of(*kernel.function)) << '\n';
    file.close();
    if (failed || file.has_error()) module.getContext().emitError(Twine("cannot write ") + path);
    file.clear_error();
  }
  // Checked programs name places in their findings; others have no more use for them.
  if (!is_checked(module)) StripDebugInfo(module);
}

}  // namespace cuset_pass
