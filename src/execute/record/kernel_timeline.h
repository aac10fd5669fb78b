// The device's timeline of a running program (injection/timeline_writer.h has the lines), read from outside while
// the program runs: who reads it before and after a call knows which kernels, copies and fills the call made.
//
// The program could write to the file, so nothing in it is trusted: what was read once stays read, a file that
// became shorter or holds anything but such lines is damaged, and times mean something only together with a
// clock outside the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"
#include "base/input_cipher.h"
#include "base/value_sketch.h"

namespace cuset::execute {

struct DeviceActivity {
  enum class Kind { kKernel, kCopy, kFill, kNote, kLaunch, kResult, kHostCopy };
  Kind kind = Kind::kKernel;
  uint64_t start = 0;  // nanoseconds
  uint64_t end = 0;
  std::string
      name;  // of a kernel or a launch with its template arguments; of a copy its kind; of a note its word; of a
             // result the kernel that computed it
  uint64_t bytes = 0;
  uint64_t stream = 0;
  uint64_t shared_bytes = 0;  // static and dynamic together
  uint64_t registers = 0;     // of a thread
  uint64_t static_shared_bytes = 0;
  uint64_t local_bytes = 0;  // of a thread
  uint32_t grid[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
  uint64_t digest =
      0;  // of a library's result or copy to the host (base/unordered_digest.h); the emulator tells it
  bool is_given = false;          // of a result: nothing of the program's own kernels went into it
  base::ValueSketch sketch = {};  // of the same result, where it holds real numbers

  bool is_work() const { return kind == Kind::kKernel || kind == Kind::kCopy || kind == Kind::kFill; }

  double us() const { return static_cast<double>(end - start) * 1e-3; }
  uint64_t threads() const {
    uint64_t threads = 1;
    for (int i = 0; i < 3; ++i) threads *= uint64_t{grid[i]} * block[i];
    return threads;
  }
};

// One line without its end; nothing where it is not such a line or its end lies before its start.
bool parse_activity(std::string_view line, DeviceActivity& activity);

class KernelTimelineFile {
 public:
  // Makes the file, empty. Throws Error where `path` exists or cannot be made.
  explicit KernelTimelineFile(std::filesystem::path path);
  ~KernelTimelineFile();  // removes it
  KernelTimelineFile(const KernelTimelineFile&) = delete;
  KernelTimelineFile& operator=(const KernelTimelineFile&) = delete;

  // Tells a program in its `environment` to write its timeline here.
  void announce_in(std::map<std::string, std::string>& environment) const;
  // From here on each line must have the seal of its number (base/line_seal.h). Before the first is read.
  void expect_seals(const base::InputKey& key) { seal_key_ = key; }
  // What came since the last call. Throws Error where the file cannot be read.
  std::vector<DeviceActivity> read_new();
  bool is_damaged() const { return damaged_; }

 private:
  std::filesystem::path path_;
  base::FileDescriptor file_;
  uint64_t read_ = 0;    // bytes
  std::string partial_;  // a line that has not ended
  std::optional<base::InputKey> seal_key_;
  uint32_t lines_ = 0;
  bool damaged_ = false;
};

// From the first start to the last end of work, in microseconds.
double span_us(const std::vector<DeviceActivity>& activities);

}  // namespace cuset::execute
