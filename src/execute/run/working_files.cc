#include "execute/run/working_files.h"

#include <sys/stat.h>

#include "base/error.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// When the file's content or mode last changed: nobody but root can set that time.
int64_t change_time(const fs::path& file) {
  struct stat info{};
  if (::lstat(file.c_str(), &info) != 0) return 0;
  return int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec;
}

}  // namespace

WorkingFiles::WorkingFiles(const std::vector<std::string>& inputs, fs::path folder)
    : folder_(std::move(folder)) {
  for (const std::string& input : inputs) {
    std::error_code missing;
    const fs::path source = fs::canonical(input, missing);
    if (missing)
      throw base::Error("cannot read {}: {}", input, missing.message()).with_remedy("check --input");
    const fs::path copy = folder_ / source.filename();
    if (fs::exists(copy))
      throw base::Error("two inputs are called {}", base::in_quotes(source.filename().string()));
    if (fs::is_directory(source)) {
      base::copy_folder(source, copy);
    } else {
      base::copy_regular_file(source, copy);
    }
  }
  for (const std::string& file : base::regular_files_below(folder_))
    changed_at_[file] = change_time(folder_ / file);
}

base::CopiedFiles WorkingFiles::copy_written(const fs::path& target) const {
  base::CopiedFiles copied;
  fs::create_directories(target);
  for (const std::string& file : base::regular_files_below(folder_)) {
    const auto input = changed_at_.find(file);
    if (input != changed_at_.end() && input->second == change_time(folder_ / file)) continue;
    fs::create_directories((target / file).parent_path());
    copied.bytes += base::copy_regular_file(folder_ / file, target / file);
    ++copied.files;
  }
  return copied;
}

}  // namespace cuset::execute
