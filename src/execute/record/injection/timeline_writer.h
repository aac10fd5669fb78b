// Writes the device's timeline from inside the program: one line for each kernel, copy and fill, as CUPTI
// reports it, in the order in which it is reported.
//
//   K <start> <end> <stream> <grid> <block> <shared> <static shared> <local> <registers> <name>    a kernel
//   C <start> <end> <kind> <bytes>                            a copy; kind: HtoD, DtoH, DtoD, other
//   S <start> <end> <bytes>                                   a fill
//   L <name>                                                  a launch, as it was called
//   N <word>                                                  a call worth knowing of
//   R <digest> <given> <sketch> <name>                        the emulator alone: what a library's kernel computed (base/value_sketch.h),
//                                                             given: 1 where nothing of the program's own kernels went into it
//   H <digest>                                                the emulator alone: what a library's copy brought to the host
//
// <grid> and <block> are three numbers with commas; shared memory is in bytes, static and dynamic together and static alone;
// <local> is in bytes of a thread.
//
// Times are nanoseconds of the device. The file is opened for appending and every flush of CUPTI is in it before
// the flush returns, so a process outside can read what came between two points of time. Part of a library that
// is loaded into foreign programs: nothing here throws, prints or ends the program.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "emulator/timeline_variable.h"
#include "execute/record/injection/record_writer.h"

namespace cuset_injection {

struct TimelineKernel {
  const char* mangled;
  Shape shape;
  uint64_t start;
  uint64_t end;
  uint32_t stream;
  KernelUse use;
};

class TimelineWriter {
 public:
  // The writer of this process; null where the variable names no file. Never destroyed.
  static TimelineWriter* get();

  void kernel(const TimelineKernel& kernel);
  // In the file at once: whoever waits for the kernel to appear knows of it.
  void launch(const char* mangled);
  void copy(uint64_t start, uint64_t end, const char* kind, uint64_t bytes);
  void fill(uint64_t start, uint64_t end, uint64_t bytes);
  // In the file at once.
  void note(const char* word);
  // Brings all lines so far into the file.
  void flush();

 private:
  explicit TimelineWriter(int file) : file_(file) {}
  void add(const std::string& line);
  std::string name_of(const char* mangled);

  std::mutex mutex_;
  std::unordered_map<std::string, std::string> names_;  // plain, by mangled
  std::string pending_;
  int file_;
};

}  // namespace cuset_injection
