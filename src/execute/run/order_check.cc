#include "execute/run/order_check.h"

#include <fcntl.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/lines.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Reads a file that an untrusted program wrote, block by block. A file that is gone reads as empty.
class BlockReader {
 public:
  explicit BlockReader(fs::path path) : path_(std::move(path)) {
    file_ = base::FileDescriptor(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  }

  bool is_open() const { return file_.is_open(); }

  // The next 64 KiB, fewer at the end.
  std::string_view next() {
    size_t size = 0;
    while (is_open() && size < block_.size()) {
      const size_t count = base::read_some(file_.get(), block_.data() + size, block_.size() - size, path_);
      if (count == 0) break;
      size += count;
    }
    return {block_.data(), size};
  }

 private:
  fs::path path_;
  base::FileDescriptor file_;
  std::vector<char> block_ = std::vector<char>(1 << 16);
};

// The byte at which two files begin to differ; none if they are equal.
std::optional<uint64_t> first_differing_byte(const fs::path& one, const fs::path& other) {
  BlockReader left(one);
  BlockReader right(other);
  for (uint64_t position = 0;;) {
    const std::string_view a = left.next();
    const std::string_view b = right.next();
    const auto [at, same] = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
    if (a != b) return position + static_cast<uint64_t>(at - a.begin());
    if (a.empty()) return std::nullopt;
    position += a.size();
  }
}

std::string line_or_end(const std::vector<std::string_view>& lines, size_t number) {
  return number < lines.size() ? base::in_quotes(lines[number]) : "missing";
}

std::string describe_file(const RunTrace& usual, const RunTrace& other, const std::string& file) {
  const auto has = [&](const RunTrace& run) {
    return fs::is_regular_file(fs::symlink_status(run.folder / file));
  };
  if (!has(other)) return fmt::format("the file {} is not written", base::in_quotes(file));
  if (!has(usual))
    return fmt::format("the file {} is written, which it usually is not", base::in_quotes(file));
  const auto byte = first_differing_byte(usual.folder / file, other.folder / file);
  return fmt::format("the file {} differs from byte {} on", base::in_quotes(file), byte.value_or(0));
}

}  // namespace

Differences Differences::without(const Differences& others) const {
  Differences left;
  left.ending = ending && !others.ending;
  std::set_difference(lines.begin(), lines.end(), others.lines.begin(), others.lines.end(),
                      std::inserter(left.lines, left.lines.end()));
  std::set_difference(files.begin(), files.end(), others.files.begin(), others.files.end(),
                      std::inserter(left.files, left.files.end()));
  return left;
}

Differences differences_between(const RunTrace& one, const RunTrace& other) {
  Differences differences;
  differences.ending = one.ending != other.ending;
  const auto left = base::lines_of(one.output);
  const auto right = base::lines_of(other.output);
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const bool same = i < left.size() && i < right.size() && left[i] == right[i];
    if (!same) differences.lines.insert(i);
  }
  const std::vector<std::string> ours = base::regular_files_below(one.folder);
  const std::vector<std::string> theirs = base::regular_files_below(other.folder);
  std::set_symmetric_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                std::inserter(differences.files, differences.files.end()));
  for (const std::string& file : ours) {
    if (differences.files.contains(file)) continue;
    if (first_differing_byte(one.folder / file, other.folder / file)) differences.files.insert(file);
  }
  return differences;
}

std::string first_difference(const RunTrace& usual, const RunTrace& other, const Differences& differences) {
  CUSET_CHECK(!differences.empty(), "no difference to describe");
  if (differences.ending) return fmt::format("it ends with {} instead of {}", other.ending, usual.ending);
  if (!differences.lines.empty()) {
    const size_t line = *differences.lines.begin();
    return fmt::format("line {} of the output is {} instead of {}", line + 1,
                       line_or_end(base::lines_of(other.output), line),
                       line_or_end(base::lines_of(usual.output), line));
  }
  return describe_file(usual, other, *differences.files.begin());
}

}  // namespace cuset::execute
