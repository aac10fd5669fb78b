// A build that goes through the cache of objects: compiled once, found again by every later run.
//
// An entry holds the program (where there is one) and build.json: outcome, messages, compiler, command and
// seconds. What does not compile is kept too; what ran out of time or was killed from outside is not, for a quieter
// machine may have enough of it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "execute/build/build_cache.h"
#include "execute/executor.h"

namespace cuset::execute {

// Compiles into the folder it is given, leaves there what the program needs to run and nothing else, and
// returns the build with `program` inside that folder.
using Compile = std::function<Build(const std::filesystem::path& folder)>;

// The entry `digest`, or what `compile` makes. `cached` is set accordingly; messages and command are as
// `compile` gave them, so a caller who names sources in them does that afterwards.
Build build_through_cache(BuildCache& cache, const std::string& digest, const Compile& compile);

}  // namespace cuset::execute
