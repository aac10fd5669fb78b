#include "judge/data_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/scratch_file.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

// Opens the parts of `name` one below the other, none of them through a link. A pipe does not block.
base::FileDescriptor open_below(const fs::path& folder, const fs::path& name) {
  base::FileDescriptor at(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (auto part = name.begin(); part != name.end() && at.is_open(); ++part) {
    const bool last = std::next(part) == name.end();
    const int flags =
        O_CLOEXEC | O_NOFOLLOW | (last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY);
    at = base::FileDescriptor(::openat(at.get(), part->c_str(), flags));
  }
  return at;
}

}  // namespace

void write_inputs(const fs::path& folder, const std::vector<tasks::TaskInput>& inputs,
                  const std::vector<tasks::Array>& values) {
  CUSET_CHECK(inputs.size() == values.size(), "{} inputs, {} arrays", inputs.size(), values.size());
  fs::create_directories(folder / "data");
  for (size_t i = 0; i < inputs.size(); ++i)
    base::write_scratch_file(folder / data_file(inputs[i].name), values[i].bytes);
}

OutputFile read_output(const fs::path& folder, const std::string& name, uint64_t most) {
  OutputFile output;
  const base::FileDescriptor file = open_below(folder, name);
  if (!file.is_open()) {
    output.state = errno == ENOENT ? OutputFile::State::kAbsent : OutputFile::State::kNotAFile;
    return output;
  }
  struct stat about{};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
    output.state = OutputFile::State::kNotAFile;
    return output;
  }
  output.size = static_cast<uint64_t>(about.st_size);
  if (output.size > most) {
    output.state = OutputFile::State::kTooLarge;
    return output;
  }
  output.bytes.resize(output.size);
  size_t done = 0;
  while (done < output.size) {
    const size_t got = base::read_some(file.get(), reinterpret_cast<char*>(output.bytes.data()) + done,
                                       output.size - done, name);
    if (got == 0) break;
    done += got;
  }
  output.bytes.resize(done);
  output.size = done;
  output.state = OutputFile::State::kWhole;
  return output;
}

std::string data_file(const std::string& name) { return "data/" + name + ".bin"; }

}  // namespace cuset::judge
