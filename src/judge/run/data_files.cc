#include "judge/run/data_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/scratch_file.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 1 << 20;

base::FileDescriptor open_folder(const fs::path& folder) {
  return base::FileDescriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Opens the parts of `name` one below the other, none of them through a link. A pipe does not block.
base::FileDescriptor open_below(const base::FileDescriptor& folder, const fs::path& name) {
  base::FileDescriptor at;
  for (auto part = name.begin(); part != name.end(); ++part) {
    const bool last = std::next(part) == name.end();
    const int flags =
        O_CLOEXEC | O_NOFOLLOW | (last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY);
    at = base::FileDescriptor(::openat(at.is_open() ? at.get() : folder.get(), part->c_str(), flags));
    if (!at.is_open()) break;
  }
  return at;
}

// The size of an ordinary file; nothing of anything else.
std::optional<uint64_t> size_of(const base::FileDescriptor& file) {
  struct stat about{};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(about.st_size);
}

// Up to `size` bytes of the file; fewer at its end.
size_t read_up_to(const base::FileDescriptor& file, std::byte* bytes, size_t size, const std::string& name) {
  size_t done = 0;
  while (done < size) {
    const size_t got = base::read_some(file.get(), reinterpret_cast<char*>(bytes) + done, size - done, name);
    if (got == 0) break;
    done += got;
  }
  return done;
}

OutputFile read_below(const base::FileDescriptor& folder, const std::string& name, uint64_t most) {
  OutputFile output;
  if (!folder.is_open()) {
    output.state = OutputFile::State::kNotAFile;
    return output;
  }
  const base::FileDescriptor file = open_below(folder, name);
  if (!file.is_open()) {
    output.state = errno == ENOENT ? OutputFile::State::kAbsent : OutputFile::State::kNotAFile;
    return output;
  }
  const std::optional<uint64_t> size = size_of(file);
  output.size = size.value_or(0);
  output.state = !size                ? OutputFile::State::kNotAFile
                 : output.size > most ? OutputFile::State::kTooLarge
                                      : OutputFile::State::kWhole;
  if (output.state != OutputFile::State::kWhole) return output;
  output.bytes.resize(output.size);
  output.size = read_up_to(file, output.bytes.data(), output.size, name);
  output.bytes.resize(output.size);
  return output;
}

bool holds(const base::FileDescriptor& file, const std::vector<std::byte>& wanted, const std::string& name) {
  if (!file.is_open() || size_of(file) != wanted.size()) return false;
  std::vector<std::byte> block(std::min(kBlock, wanted.size()));
  for (size_t at = 0; at < wanted.size(); at += block.size()) {
    const size_t size = std::min(block.size(), wanted.size() - at);
    if (read_up_to(file, block.data(), size, name) != size) return false;
    if (std::memcmp(block.data(), wanted.data() + at, size) != 0) return false;
  }
  return true;
}

bool is_output(const tasks::Task& task, const std::string& name) {
  return std::any_of(task.outputs.begin(), task.outputs.end(),
                     [&](const tasks::TaskOutput& output) { return output.name == name; });
}

}  // namespace

TrialFolder::TrialFolder(const fs::path& path, const tasks::Task& task,
                         const std::vector<tasks::Array>& inputs)
    : path_(path), task_(task), inputs_(inputs) {
  CUSET_CHECK(task.inputs.size() == inputs.size(), "{} inputs, {} arrays", task.inputs.size(), inputs.size());
  fs::create_directories(path / "data");
  for (size_t i = 0; i < inputs.size(); ++i) {
    const fs::path file = path / data_file(task.inputs[i].name);
    base::write_scratch_file(file, inputs[i].bytes);
    if (!is_output(task, task.inputs[i].name) && ::chmod(file.c_str(), 0444) != 0)
      throw base::file_error("protect", file, errno);
  }
  folder_ = open_folder(path);
  if (!folder_.is_open()) throw base::file_error("open", path, errno);
}

OutputFile TrialFolder::read(const std::string& name, uint64_t most) const {
  return read_below(folder_, name, most);
}

bool TrialFolder::is_in_place() const {
  struct stat held{}, found{};
  return ::fstat(folder_.get(), &held) == 0 && ::lstat(path_.c_str(), &found) == 0 &&
         held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

std::string TrialFolder::changed_input() const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const std::string name = data_file(task_.inputs[i].name);
    if (is_output(task_, task_.inputs[i].name)) continue;
    if (!holds(open_below(folder_, name), inputs_[i].bytes, name)) return task_.inputs[i].name;
  }
  return "";
}

OutputFile read_output(const fs::path& folder, const std::string& name, uint64_t most) {
  return read_below(open_folder(folder), name, most);
}

std::string data_file(const std::string& name) { return "data/" + name + ".bin"; }

}  // namespace cuset::judge
