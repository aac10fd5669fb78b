// The data files of one run: inputs written before it, outputs read after it.
//
// An untrusted program had write access to the folder. Nothing in it is followed: links, pipes and
// devices under an output's name count as not written, and a file's size is known before anything is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tasks/array.h"
#include "tasks/task.h"

namespace cuset::judge {

// Makes folder/data with one file per input. Throws Error where the disk fails.
void write_inputs(const std::filesystem::path& folder, const std::vector<tasks::TaskInput>& inputs,
                  const std::vector<tasks::Array>& values);

struct OutputFile {
  enum class State : uint8_t { kWhole, kAbsent, kNotAFile, kTooLarge };
  State state = State::kAbsent;
  uint64_t size = 0;
  std::vector<std::byte> bytes;  // kWhole
};

// The file `name` below `folder` ("data/out.bin"), if it is an ordinary file of at most `most` bytes.
OutputFile read_output(const std::filesystem::path& folder, const std::string& name, uint64_t most);

// "data/<name>.bin"
std::string data_file(const std::string& name);

}  // namespace cuset::judge
