// Scalars for TensorBoard. An event file is a sequence of records
//
//   u64 length, u32 masked CRC-32C of the length, data, u32 masked CRC-32C of the data      (little-endian)
//   masked = (crc >> 15 | crc << 17) + 0xa282ead8
// whose data is an Event in protobuf's encoding: 1 wall_time (double), 2 step (int64), and one of
// 3 file_version ("brain.Event:2", the first record), 5 summary {1 value {1 tag, 2 simple_value (float)}},
// 7 session_log {1 status}. A session log START at step s tells readers to forget what earlier files hold
// from step s on: so a resumed run continues in a new file without drawing its curves twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"

namespace cuset::train {

struct Scalar {
  std::string tag;  // "train/loss"
  double value = 0;
};

class TensorBoardWriter {
 public:
  // Begins a new file in `folder`, which is made if needed. Its name sorts behind those of earlier files,
  // because readers take files in that order. Throws Error.
  explicit TensorBoardWriter(const std::filesystem::path& folder,
                             std::optional<int64_t> forget_from_step = std::nullopt);

  // One event with all of `scalars`; it waits in memory for flush().
  void add(int64_t step, const std::vector<Scalar>& scalars);
  // Hands what waits to the system, so that it survives the end of the program. Throws Error (full disk).
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  void add_record(std::string_view data);

  std::filesystem::path path_;
  base::FileDescriptor file_;
  std::string waiting_;
};

}  // namespace cuset::train
