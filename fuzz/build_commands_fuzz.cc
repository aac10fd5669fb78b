// What `make -n` printed of somebody's Makefile: commands, and the programs that they would link. Whatever it holds is read; nothing
// of it is run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "execute/project/build_commands.h"
#include "execute/project/build_programs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view output(reinterpret_cast<const char*>(data), size);
  const auto commands = cuset::execute::read_build_output(output, "/project");
  for (const cuset::execute::BuildCommand& command : commands)
    CUSET_CHECK(!command.words.empty(), "a command without words in {}", command.folder.string());
  for (const cuset::execute::ProjectProgram& program : cuset::execute::programs_of(commands, "/project"))
    CUSET_CHECK(!program.name.empty() && !program.sources.empty(), "program '{}'", program.name);
  cuset::execute::split_words(output);
  return 0;
}
