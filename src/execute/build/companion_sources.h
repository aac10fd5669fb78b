// The files that are compiled with a source (executor.h, CompanionSources), in the folder of a build.
#pragma once

#include <filesystem>
#include <string_view>

#include "execute/build/build_cache.h"
#include "execute/executor.h"

namespace cuset::execute {

// Whether `path` names something below a folder, by plain names alone: relative, no "..", "." or empty part,
// no control character, at most 200 bytes, no part that a compiler would take for an option.
bool is_path_below(std::string_view path);

// Writes the files below `folder`. Throws Error naming a path that is_path_below refuses or that is a file
// and a folder at once, and where the disk fails.
void lay_companions(const CompanionSources& companions, const std::filesystem::path& folder);

// Whether the answer's is source number `index`: 0 is the source itself, then its companions.
bool is_answer(const CompanionSources& companions, size_t index);

// Whether the kernels are an answer's that have to be proven (docs/proof-of-work.md).
bool has_proven_kernels(const CompanionSources& companions);

// The number of the first source that is compiled.
size_t first_source(const CompanionSources& companions);

// Whether the source of this name is plain C++ of the host.
bool is_host_source(const CompanionSources& companions, const std::string& name);

// Where source number `index` looks for files of the companions.
std::vector<std::string> include_folders_of(const CompanionSources& companions, size_t index);

// The command that redirects the calls in an object.
std::vector<std::string> redirection(const CompanionSources& companions, const std::string& object);

// A command that succeeds where an object holds an instruction that calls the system.
std::vector<std::string> search_for_system_calls(const std::string& object);

void add_to_key(CacheKey& key, const CompanionSources& companions);

// Removes all that lies in `folder` but these files of it.
void keep_only(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files);

}  // namespace cuset::execute
