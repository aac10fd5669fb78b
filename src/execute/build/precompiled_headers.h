// Headers that many sources open with (leading_headers.h), compiled once and kept in the cache of objects.
//
// Reading the headers takes most of the time of a build: 0.2 s for cuda_runtime.h and 0.3 s more for
// <fstream>, on either side, against 0.05 s for a usual answer. What was compiled of some headers serves
// every source that opens with these or more. A set of headers is compiled when it is wanted for the second
// time, so that a single build is no slower; what an earlier process made is taken at once.
//
// The files are made in the sandbox from our headers and the system's alone, and are shown to later builds
// read-only.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "execute/build/build_cache.h"

namespace cuset::execute {

using HeaderSet = std::vector<std::string>;  // sorted, each once

// Safe to use from many threads and processes at once.
class PrecompiledHeaders {
 public:
  // Makes the files of a set in a folder; false where that fails.
  using Make = std::function<bool(const HeaderSet& headers, const std::filesystem::path& folder)>;

  // `cache` outlives the object. `kind` is all that decides what `make` makes, beside the headers.
  PrecompiledHeaders(BuildCache& cache, std::string kind, Make make);

  // A folder in the cache with the largest set there is within `wanted`; empty where there is none. Makes
  // `wanted` itself where that is due, and whoever else wants it meanwhile gets a smaller one.
  std::filesystem::path folder_for(const HeaderSet& wanted);

  // Gives up the set in `folder`, which the compiler refuses: it is made anew when it is due again.
  void discard(const std::filesystem::path& folder);

 private:
  struct Entry {
    int wanted = 0;
    bool being_made = false;
    std::filesystem::path folder;  // empty: not there
  };

  std::string digest_of(const HeaderSet& headers) const;
  bool is_due(const HeaderSet& wanted);
  std::filesystem::path make(const HeaderSet& headers);
  std::filesystem::path largest_within(const HeaderSet& wanted);

  BuildCache& cache_;
  std::string kind_;
  Make make_;
  std::mutex mutex_;
  std::map<HeaderSet, Entry> entries_;
};

}  // namespace cuset::execute
