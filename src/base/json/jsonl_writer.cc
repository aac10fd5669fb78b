#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/json/jsonl.h"
#include "base/log.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 64 << 10;

std::string read_at(int fd, size_t offset, size_t size, const fs::path& path) {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t count = ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_error("read", path, errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

// What stands after the last newline of a file of `size` bytes, or more than `limit` bytes of it.
std::string last_line(int fd, size_t size, size_t limit, const fs::path& path) {
  size_t start = size;
  while (start > 0 && size - start <= limit) {
    const size_t block = std::min(kBlock, start);
    const std::string bytes = read_at(fd, start - block, block, path);
    if (const size_t newline = bytes.rfind('\n'); newline != std::string::npos) {
      start = start - block + newline + 1;
      break;
    }
    start -= block;
  }
  return read_at(fd, start, size - start, path);
}

bool is_same_file(int fd, const fs::path& path) {
  struct stat opened{}, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

JsonlWriter::JsonlWriter(fs::path path, size_t line_limit) : path_(std::move(path)), line_limit_(line_limit) {
  open_locked();
  struct stat info{};
  if (::fstat(file_.get(), &info) != 0) throw file_error("examine", path_, errno);
  size_ = static_cast<size_t>(info.st_size);
  if (size_ == 0) {
    sync_folder_of(path_);
    return;
  }
  refuse_other_formats();
  mend_last_line();
}

void JsonlWriter::open_locked() {
  do {
    file_ = open_file(path_, O_RDWR | O_APPEND | O_CREAT);
    struct stat info{};
    if (::fstat(file_.get(), &info) == 0 && !S_ISREG(info.st_mode)) {
      throw Error("cannot append to {}: it is not a regular file", path_.string())
          .with_remedy("give the name of a file");
    }
    // Between opening and locking, another process may have replaced the file: then the lock is on the old
    // one.
  } while (lock() && !is_same_file(file_.get(), path_));
}

// True with the lock in hand; false where the file system has no locks.
bool JsonlWriter::lock() {
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      throw Error("{}: another process is appending to it", path_.string())
          .with_remedy("wait until it ends, or write to another file");
    }
    log_warning("{}: cannot be locked ({}); do not let two runs write it", path_.string(), errno_text(errno));
    return false;
  }
  return true;
}

// A mistyped output path must not cost anyone the end of a file that never was JSONL.
void JsonlWriter::refuse_other_formats() const {
  const std::string start = read_at(file_.get(), 0, std::min(size_, kBlock), path_);
  std::string_view text = start;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  if (text.empty() || text.front() == '{' || text.front() == '[') return;
  throw Error("{}: cannot append, for it is not a JSONL file: it begins with {}", path_.string(),
              in_quotes(text, 16))
      .with_remedy("write to another file");
}

void JsonlWriter::mend_last_line() {
  const std::string tail = last_line(file_.get(), size_, line_limit_, path_);
  if (tail.empty()) return;
  if (tail.size() > line_limit_) {
    throw Error("{}: cannot append, for its last line is longer than {} bytes", path_.string(), line_limit_)
        .with_remedy("write to another file");
  }
  if (std::holds_alternative<Json>(try_parse_json(tail))) return write_line("\n");
  size_ -= tail.size();
  cut_bytes_ = tail.size();
  cut_back();
  log_warning("{}: removed a torn last line of {} bytes, whose writer was interrupted", path_.string(),
              cut_bytes_);
}

void JsonlWriter::append(const Json& record) {
  CUSET_CHECK(record.is_structured(), "a record is an object or an array, not {}", record.type_name());
  std::string line = to_json_line(record);
  if (line.size() > line_limit_) {
    throw Error("{}: a record of {} bytes is over the limit of {}", path_.string(), line.size(), line_limit_)
        .with_remedy("store large content in a separate file");
  }
  line += '\n';
  const std::lock_guard guard(mutex_);
  if (has_partial_line_) cut_back();
  write_line(line);
}

void JsonlWriter::write_line(std::string_view line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int reason = errno;
      if (rest.size() < line.size()) cut_back();
      throw file_error("append to", path_, reason);
    }
    // Less than asked for means a full disk, which the next round's errno tells.
    rest.remove_prefix(static_cast<size_t>(count));
  }
  size_ += line.size();
}

void JsonlWriter::cut_back() {
  has_partial_line_ = true;
  while (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) {
    if (errno != EINTR) throw file_error("take an incomplete line back from", path_, errno);
  }
  has_partial_line_ = false;
}

void JsonlWriter::flush() {
  const std::lock_guard guard(mutex_);
  if (::fdatasync(file_.get()) != 0) throw file_error("flush", path_, errno);
}

}  // namespace cuset::base
