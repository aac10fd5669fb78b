#include "execute/build/unused_libraries.h"

#include <algorithm>

#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "execute/build/emulator_messages.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr int kMostMissingHeaders = 8;
constexpr uint64_t kLargestStandIn = 512;

// Programs name these in `using namespace` without using anything in them.
constexpr const char* kEmpty =
    "#pragma once\n"
    "namespace thrust { namespace placeholders {} namespace cuda {} }\n"
    "namespace cub {}\n"
    "namespace cutlass {}\n"
    "namespace cute {}\n"
    "namespace nvcuda { namespace wmma {} }\n"
    "namespace torch {}\n"
    "namespace at {}\n"
    "namespace c10 {}\n"
    "namespace cuda { namespace ptx {} }\n";

bool is_stand_in(const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_regular_file(error) || entry.file_size(error) > kLargestStandIn) return false;
  return base::read_file(entry.path()).find("#error \"unsupported: ") != std::string::npos;
}

bool stays_below(const fs::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  return std::find(name.begin(), name.end(), fs::path("..")) == name.end();
}

}  // namespace

EmptyHeaders::EmptyHeaders(const fs::path& include) {
  const fs::path real = fs::canonical(include);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real))
    if (is_stand_in(entry)) add(fs::relative(entry.path(), real).string());
}

bool EmptyHeaders::add(const std::string& name) {
  if (!stays_below(name)) return false;
  fs::create_directories((folder() / name).parent_path());
  base::write_scratch_file(folder() / name, std::string_view(kEmpty));
  return true;
}

Build without_unused_libraries(Build unsupported, const fs::path& include,
                               const std::function<Build(const fs::path&)>& build_with) {
  EmptyHeaders headers(include);
  std::string missing = missing_cuda_header(unsupported.messages);
  for (int i = 0; i < kMostMissingHeaders; ++i) {
    if (!missing.empty() && !headers.add(missing)) break;
    Build build = build_with(headers.folder());
    if (build.done() || build.outcome == Build::Outcome::kInterrupted) return build;
    const std::string next = missing_cuda_header(build.messages);
    if (next.empty() || next == missing) break;
    missing = next;
  }
  return unsupported;
}

}  // namespace cuset::execute
