#include "train/records/checkpoint_folder.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <random>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files/crc32c.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/files/remove_folder.h"
#include "base/json/json_cursor.h"
#include "base/log.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = "checkpoint-";
constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr size_t kTemporaryDigits = 16;
constexpr const char* kManifest = "checkpoint.json";
constexpr int64_t kFormat = 1;

// The step of a name "checkpoint-<step><rest>".
std::optional<int64_t> step_of(std::string_view name, std::string_view& rest) {
  if (!name.starts_with(kStart)) return std::nullopt;
  name.remove_prefix(kStart.size());
  int64_t step = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), step);
  const auto digits = static_cast<size_t>(end - name.data());
  const bool plain = failed == std::errc() && name.front() != '-' && (name.front() != '0' || digits == 1);
  if (!plain) return std::nullopt;
  rest = name.substr(digits);
  return step;
}

// Exactly what temporary_beside() makes: a user's own "checkpoint-7.tmp-old" is not ours to remove.
bool is_temporary(std::string_view name) {
  std::string_view rest;
  return step_of(name, rest) && rest.starts_with(kTemporaryMark) &&
         rest.size() == kTemporaryMark.size() + kTemporaryDigits &&
         rest.find_first_not_of("0123456789abcdef", kTemporaryMark.size()) == std::string_view::npos;
}

fs::path temporary_beside(const fs::path& target) {
  std::random_device random;
  return target.string() +
         fmt::format("{}{:08x}{:08x}", kTemporaryMark, random() & 0xffffffffU, random() & 0xffffffffU);
}

void rename_folder(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw base::file_error("rename", from, errno);
}

base::FileDescriptor locked_folder(const fs::path& folder) {
  base::FileDescriptor file = base::open_file(folder, O_RDONLY | O_DIRECTORY);
  while (::flock(file.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return file;
}

void flush(const fs::path& path, int flags) {
  const base::FileDescriptor file = base::open_file(path, O_RDONLY | flags);
  if (::fsync(file.get()) != 0 && errno != EINVAL) throw base::file_error("flush", path, errno);
}

struct FileFacts {
  uint64_t bytes = 0;
  uint32_t checksum = 0;
};

FileFacts facts_of(const fs::path& path) {
  const base::FileDescriptor file = base::open_file(path, O_RDONLY);
  std::vector<char> block(size_t{1} << 20);
  FileFacts facts;
  while (const size_t count = base::read_some(file.get(), block.data(), block.size(), path)) {
    facts.checksum = base::crc32c(std::string_view(block.data(), count), facts.checksum);
    facts.bytes += count;
  }
  return facts;
}

// Every regular file below `folder`, by name; flushed to the disk, and the folders too.
base::Json flush_and_list(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) flush(entry.path(), O_DIRECTORY);
    if (!entry.is_regular_file()) continue;
    flush(entry.path(), 0);
    names.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  base::Json files = base::Json::array();
  for (const std::string& name : names) {
    const FileFacts facts = facts_of(folder / name);
    files.push_back(
        {{"name", name}, {"bytes", facts.bytes}, {"crc32c", fmt::format("{:08x}", facts.checksum)}});
  }
  return files;
}

// Removes what has the temporary's name in the end: the unfinished checkpoint, the one it replaced, or
// nothing.
class TemporaryRemoval {
 public:
  explicit TemporaryRemoval(fs::path folder) : folder_(std::move(folder)) {}
  TemporaryRemoval(const TemporaryRemoval&) = delete;
  TemporaryRemoval& operator=(const TemporaryRemoval&) = delete;
  ~TemporaryRemoval() { base::remove_folder(folder_); }

 private:
  fs::path folder_;
};

// Swaps the two names in one step. False where the file system cannot.
bool exchange(const fs::path& a, const fs::path& b) {
  return ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

std::string advice_against(const fs::path& checkpoint) {
  const fs::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : fs::path(".");
  std::string_view rest;
  const std::string name = checkpoint.filename().string();
  const auto step = step_of(name, rest);
  std::optional<FoundCheckpoint> before;
  for (const FoundCheckpoint& found : checkpoints_of(folder)) {
    if (step && found.step < *step) before = found;
  }
  if (!before) return "there is no checkpoint before it: start the run again";
  return fmt::format("resume from the one before it, {}", before->path.string());
}

[[noreturn]] void damaged(const fs::path& checkpoint, const std::string& file, const std::string& what) {
  throw base::Error("{} is damaged: {}", (checkpoint / file).string(), what)
      .with_remedy("{}", advice_against(checkpoint));
}

// What the manifest says must be the file's name, not a way out of the folder.
bool stays_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

void verify_file(const fs::path& checkpoint, const base::JsonCursor& entry) {
  const std::string& name = entry.at("name").string();
  const uint64_t bytes = entry.at("bytes").unsigned_integer();
  const std::string& checksum = entry.at("crc32c").string();
  if (!stays_inside(name))
    damaged(checkpoint, kManifest, fmt::format("it names the file {}", base::in_quotes(name)));
  std::error_code failed;
  if (!fs::is_regular_file(checkpoint / name, failed)) damaged(checkpoint, name, "it is missing");
  const uint64_t size = fs::file_size(checkpoint / name, failed);
  if (failed || size != bytes) {
    damaged(checkpoint, name, fmt::format("it has {} bytes, but {} were written", size, bytes));
  }
  const std::string found = fmt::format("{:08x}", facts_of(checkpoint / name).checksum);
  if (found != checksum) {
    damaged(checkpoint, name,
            fmt::format("its checksum is {}, but {} was written", found, base::in_quotes(checksum)));
  }
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path run_folder) : run_folder_(std::move(run_folder)) {
  base::make_folder(run_folder_);
  remove_abandoned();
}

fs::path CheckpointFolder::path_of(int64_t step) const {
  return run_folder_ / fmt::format("{}{}", kStart, step);
}

void CheckpointFolder::remove_abandoned() {
  std::vector<fs::path> abandoned;
  std::error_code failed;
  fs::directory_iterator entries(run_folder_, failed);
  if (failed) throw base::file_error("read", run_folder_, failed.value());
  for (const auto& entry : entries) {
    if (entry.is_directory() && is_temporary(entry.path().filename().string()))
      abandoned.push_back(entry.path());
  }
  for (const fs::path& path : abandoned) {
    const base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (file.is_open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) base::remove_folder(path);
  }
}

fs::path CheckpointFolder::save(int64_t step, const std::function<void(const fs::path&)>& write) {
  CUSET_CHECK(step >= 0, "a checkpoint of step {}", step);
  const fs::path target = path_of(step);
  const fs::path temporary = temporary_beside(target);
  if (::mkdir(temporary.c_str(), 0777) != 0) throw base::file_error("make", temporary, errno);
  const base::FileDescriptor lock = locked_folder(temporary);
  const TemporaryRemoval removal(temporary);
  write(temporary);
  const base::Json files = flush_and_list(temporary);
  base::write_json_file(temporary / kManifest, {{"format", kFormat}, {"step", step}, {"files", files}});
  put_in_place(temporary, target);
  return target;
}

void CheckpointFolder::put_in_place(const fs::path& temporary, const fs::path& target) {
  if (!fs::exists(fs::symlink_status(target))) {
    rename_folder(temporary, target);
  } else if (!exchange(temporary, target)) {
    // A kill between these two costs this checkpoint alone: those before it stay.
    remove(target);
    rename_folder(temporary, target);
  }
  base::sync_folder_of(target);
}

void CheckpointFolder::remove(const fs::path& folder) {
  std::string_view rest;
  const std::string name = folder.filename().string();
  CUSET_CHECK(step_of(name, rest), "{} is not a checkpoint", name);
  const fs::path temporary = temporary_beside(folder);
  rename_folder(folder, temporary);
  base::sync_folder_of(folder);
  if (!base::remove_folder(temporary)) {
    base::log_warning("cannot remove all of {}, an old checkpoint", temporary.string());
  }
}

void CheckpointFolder::remove_old(size_t keep, std::optional<int64_t> best) {
  if (keep == 0) return;
  std::vector<FoundCheckpoint> found = checkpoints_of(run_folder_);
  found.resize(found.size() - std::min(keep, found.size()));
  for (const FoundCheckpoint& checkpoint : found) {
    if (checkpoint.step != best) remove(checkpoint.path);
  }
}

void CheckpointFolder::set_aside_behind(int64_t step) {
  for (const FoundCheckpoint& checkpoint : checkpoints_of(run_folder_)) {
    if (checkpoint.step <= step) continue;
    fs::path aside = checkpoint.path.string() + ".replaced";
    for (int i = 2; fs::exists(fs::symlink_status(aside)); ++i) {
      aside = fmt::format("{}.replaced-{}", checkpoint.path.string(), i);
    }
    rename_folder(checkpoint.path, aside);
    base::log_info("{} is later than step {}, where the run resumes: renamed to {}", checkpoint.path.string(),
                   step, aside.filename().string());
  }
}

std::vector<FoundCheckpoint> checkpoints_of(const fs::path& run_folder) {
  std::vector<FoundCheckpoint> found;
  std::error_code failed;
  fs::directory_iterator entry(run_folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::string_view rest;
    const std::string name = entry->path().filename().string();
    const auto step = step_of(name, rest);
    std::error_code ignored;
    if (step && rest.empty() && fs::exists(entry->path() / kManifest, ignored)) {
      found.push_back({*step, entry->path()});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return found;
}

std::optional<FoundCheckpoint> latest_checkpoint(const fs::path& run_folder) {
  std::vector<FoundCheckpoint> found = checkpoints_of(run_folder);
  if (found.empty()) return std::nullopt;
  return std::move(found.back());
}

int64_t verify_checkpoint(const fs::path& checkpoint) {
  const fs::path path = checkpoint / kManifest;
  if (!fs::exists(path)) {
    throw base::Error("{} is not a checkpoint: it has no {}", checkpoint.string(), kManifest)
        .with_remedy("name a folder checkpoint-<step> that cuset train wrote");
  }
  const auto parsed = base::try_parse_json(base::read_file(path));
  if (const auto* fault = std::get_if<base::JsonFault>(&parsed))
    damaged(checkpoint, kManifest, fault->reason);
  const std::string name = path.string();
  const base::JsonCursor manifest =
      base::JsonCursor(std::get<base::Json>(parsed), name).with_remedy(kUseOtherCheckpoint);
  const int64_t format = manifest.at("format").integer();
  if (format != kFormat) {
    throw base::Error("{} has the format {}, but this program reads {}", name, format, kFormat)
        .with_remedy("resume with the version of cuset that wrote it");
  }
  for (const base::JsonCursor& entry : manifest.at("files").elements()) verify_file(checkpoint, entry);
  return manifest.at("step").integer();
}

}  // namespace cuset::train
