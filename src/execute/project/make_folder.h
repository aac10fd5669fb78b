// What a Makefile would run, asked from `make -n`.
#pragma once

#include <string>
#include <vector>

#include "execute/project/build_commands.h"
#include "execute/project/build_tools.h"

namespace cuset::execute {

struct BuildAnswer {
  std::vector<BuildCommand> commands;
  std::string complaint;  // the tool's own, one line, where it did not succeed
};

// The Makefile in `folder`, which make would take first; empty: none.
std::filesystem::path makefile_in(const std::filesystem::path& folder);

// The commands that make `target` anew ("": the Makefile's first). Recipes that start another make by its plain name are followed.
BuildAnswer ask_make(const BuildTools& tools, const std::string& target);

}  // namespace cuset::execute
