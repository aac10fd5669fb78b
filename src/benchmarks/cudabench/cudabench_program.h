// The files that a CUDABench reference program writes, read from its text.
//
// Such programs end in write_binary("data/x.bin", h_x, N * M), a stream's write() or fwrite(). The element
// type comes from the declaration of what is written, the count from the constants of the text. What is not
// to be seen is left open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tasks/array.h"

namespace cuset::benchmarks {

struct WrittenFile {
  std::string name;  // without folder and extension
  std::optional<tasks::NumberType> type;
  std::optional<int64_t> count;
};

std::vector<WrittenFile> files_written_by(const std::string& source);

}  // namespace cuset::benchmarks
