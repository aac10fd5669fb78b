// Writes the execution record (emulator/execution_record.h) from inside the program whose kernels it counts.
// Every launch is in the file before the call returns, so a program that is killed leaves what it did.
//
// Part of libraries that are loaded into foreign programs: nothing here throws, prints or ends the program,
// and nothing of the project beyond the record's header is used.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/execution_record.h"

namespace cuset_injection {

struct Shape {
  uint32_t grid[3];
  uint32_t block[3];
};

// What a kernel takes of a multiprocessor. Zero, but for the shared memory, where nobody says.
struct KernelUse {
  uint64_t shared_bytes = 0;  // static and dynamic together
  uint64_t static_shared_bytes = 0;
  uint32_t registers = 0;    // of a thread
  uint32_t local_bytes = 0;  // of a thread
};

class RecordWriter {
 public:
  // The writer of this process; null where CUSET_EXECUTION_RECORD names no record. Made at the first call,
  // never destroyed: programs launch kernels from their destructors too.
  static RecordWriter* get();

  // A launch that the driver took, and one that it refused.
  void launched(const char* mangled, const Shape& shape, uint64_t shared_bytes);
  void refused(const char* mangled, const Shape& shape);
  // A launch that ran to its end.
  void completed(const char* mangled, const Shape& shape, const KernelUse& use, uint64_t nanoseconds);
  // A call waited for the device and all was well: what was launched before did not fail.
  void all_is_well();
  // The result of a call. The first that is an error is kept, and the first fault of device code with the
  // kernels that may have raised it.
  void result(int cuda_error);
  // The program asked what went wrong (cudaGetLastError) and was told.
  void error_seen();
  // One line about the recording itself.
  void note(const char* kind, const std::string& text);
  // The process that made the writer; a child of it only inherits the memory.
  pid_t process() const { return process_; }
  // The runtime is shut down in order.
  void finish();

 private:
  struct Kernel {
    CusetKernelRecord* record = nullptr;  // null: the table was full
    uint64_t launched = 0;                // by calls
    uint64_t completed = 0;               // by the device, which also counts launches out of graphs
    uint64_t counted = 0;                 // the greater of the two
  };

  explicit RecordWriter(CusetExecutionRecord* record);
  Kernel& find(const char* mangled, const Shape& shape);
  CusetKernelRecord* add_kernel(const std::string& name, const Shape& shape);
  const std::string& name_of(const char* mangled);
  void count(Kernel& kernel);
  void add_fault(int cuda_error);
  void add_finding(const char* kind, const std::string& kernel, const std::string& text);

  std::mutex mutex_;
  CusetExecutionRecord* record_;
  std::unordered_map<std::string, Kernel> kernels_;     // by name and shape
  std::unordered_map<std::string, std::string> names_;  // plain, by mangled
  bool error_seen_ = false;
  pid_t process_;
  std::string last_launched_;
  std::vector<std::string> unconfirmed_;  // launched since all was well; a few
};

}  // namespace cuset_injection
