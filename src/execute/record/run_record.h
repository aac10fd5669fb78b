// The execution record (emulator/execution_record.h) from outside: made before a program starts, read when it
// is dead. The program could write to it, so nothing in it is trusted: counts are bounded, texts are cut at
// their field's end and freed of control characters, and damage is an outcome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"
#include "base/input_cipher.h"
#include "execute/executor.h"

namespace cuset::execute {

struct RunRecord {
  enum class State {
    kAbsent,  // nobody wrote to it: the runtime was never started
    kWhole,
    kDamaged,  // not a record of this version; all else is empty
  };
  State state = State::kAbsent;
  bool finished = false;  // the runtime was shut down in order
  uint64_t launches = 0;
  uint64_t kernels_left_out = 0;  // shapes beyond the record's room
  uint64_t findings_left_out = 0;
  int first_error = 0;                  // cudaError_t
  int device_error = 0;                 // only from device code
  std::vector<KernelLaunches> kernels;  // in the order of their first launch
  std::vector<RunFinding> findings;
};

// Reads the bytes of a record; fewer bytes than a record has are kDamaged.
RunRecord parse_run_record(std::span<const std::byte> bytes);

// The first finding of this kind; null where there is none.
const RunFinding* find_finding(const std::vector<RunFinding>& findings, std::string_view kind);

// A name for a run's record in `folder`, never the same twice: an earlier program of that folder may have
// left anything under a name it knew.
std::filesystem::path record_path_in(const std::filesystem::path& folder);

// The file of one run. Whatever the program does to the name, what is read is the file that was made.
class RunRecordFile {
 public:
  // Makes the file, of full size and zero. Throws Error where `path` exists or cannot be made.
  explicit RunRecordFile(std::filesystem::path path);
  ~RunRecordFile();  // removes it
  RunRecordFile(const RunRecordFile&) = delete;
  RunRecordFile& operator=(const RunRecordFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Tells a program in its `environment` to write its record here.
  void announce_in(std::map<std::string, std::string>& environment) const;
  RunRecord read() const;
  // Before the program starts: its inputs are hidden with this key. The emulator takes it away.
  void give_input_key(const base::InputKey& key) const;
  // From now on launches do nothing in a running program of the CPU executor, which is not told.
  void turn_kernels_off() const;
  // From now on its threads run in the reverse of their natural order.
  void turn_threads_backward() const;

 private:
  void write_field(const void* value, size_t bytes, size_t place) const;

  std::filesystem::path path_;
  base::FileDescriptor file_;
};

}  // namespace cuset::execute
