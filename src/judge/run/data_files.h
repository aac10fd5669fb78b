// The data files of one run: inputs written before it, outputs read after it.
//
// An untrusted program had write access to the folder and to what lies beside it. So a trial's folder is held open from
// before the run, and what is put in its place is not looked at. Nothing in it is followed: links, pipes and devices
// under an output's name count as not written, and a file's size is known before anything is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "tasks/array.h"
#include "tasks/task.h"

namespace cuset::judge {

struct OutputFile {
  enum class State : uint8_t { kWhole, kAbsent, kNotAFile, kTooLarge };
  State state = State::kAbsent;
  uint64_t size = 0;
  std::vector<std::byte> bytes;  // kWhole
};

// One trial's folder, with data/ and one file per input that the program must not change.
class TrialFolder {
 public:
  // Makes it. `task` and `inputs` must outlive it. Throws Error where the disk fails.
  TrialFolder(const std::filesystem::path& path, const tasks::Task& task,
              const std::vector<tasks::Array>& inputs);

  // The file `name` ("data/out.bin"), if it is an ordinary file of at most `most` bytes.
  OutputFile read(const std::string& name, uint64_t most) const;
  // Whether its path still leads to it.
  bool is_in_place() const;
  // The first input whose file no longer holds what was written; empty: none. Inputs that are also outputs may change.
  std::string changed_input() const;

 private:
  std::filesystem::path path_;
  const tasks::Task& task_;
  const std::vector<tasks::Array>& inputs_;
  base::FileDescriptor folder_;
};

// The file `name` below `folder`, likewise; a link in place of `folder` is not followed.
OutputFile read_output(const std::filesystem::path& folder, const std::string& name, uint64_t most);

// "data/<name>.bin"
std::string data_file(const std::string& name);

}  // namespace cuset::judge
