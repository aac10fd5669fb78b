#include "runtime/launch/recorder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/kernel_name.h"
#include "execution_record.h"
#include "runtime/launch/device_output.h"
#include "runtime/launch/timeline.h"

namespace cuset_emulator {
namespace {

constexpr int kUnsupportedStatus = 87;

CusetExecutionRecord* map_record() {
  const char* path = std::getenv(CUSET_RECORD_VARIABLE);
  if (!path) return nullptr;
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  unsetenv(CUSET_RECORD_VARIABLE);  // programs started by this one must not write into it
  if (file < 0) return nullptr;
  struct stat status;
  void* memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && static_cast<uint64_t>(status.st_size) >= sizeof(CusetExecutionRecord)) {
    memory = mmap(nullptr, sizeof(CusetExecutionRecord), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto* record = static_cast<CusetExecutionRecord*>(memory);
  record->magic = CUSET_RECORD_MAGIC;
  record->version = CUSET_RECORD_VERSION;
  return record;
}

cuset::base::InputKey taken_key(CusetExecutionRecord* record) {
  cuset::base::InputKey key{};
  if (record == nullptr) return key;
  std::copy_n(record->input_key, key.size(), key.begin());
  std::fill_n(record->input_key, key.size(), 0);
  return key;
}

struct Recorder {
  std::mutex mutex;
  CusetExecutionRecord* record = map_record();
  cuset::base::InputKey input_key = taken_key(record);
  pid_t process = getpid();
  std::unordered_map<const CusetKernel*, std::string> names;  // readable ones
};

Recorder& recorder() {
  static Recorder& instance = *new Recorder;
  return instance;
}

// The variable is read before the program's main can look at it or change it.
[[gnu::constructor]] void begin_recording() { recorder(); }

[[gnu::destructor]] void end_recording() {
  if (!recorder().record || recorder().process != getpid()) return;
  note_lost_device_output();
  recorder().record->finished = 1;
}

template <size_t N>
void put_text(char (&field)[N], std::string_view text) {
  field[text.copy(field, N - 1)] = 0;
}

bool same_shape(const CusetKernelRecord& entry, const LaunchShape& shape) {
  return std::equal(entry.grid, entry.grid + 3, shape.grid) &&
         std::equal(entry.block, entry.block + 3, shape.block);
}

// The entry for launches of this kind; null if the record is full.
CusetKernelRecord* entry_for(CusetExecutionRecord& record, std::string_view name, const LaunchShape& shape,
                             uint64_t shared_bytes) {
  name = name.substr(0, CUSET_RECORD_NAME - 1);
  // The last entries are the likeliest.
  for (uint32_t i = record.kernel_count; i-- > 0;) {
    CusetKernelRecord& entry = record.kernels[i];
    if (entry.shared_bytes == shared_bytes && same_shape(entry, shape) && name == entry.name) return &entry;
  }
  if (record.kernel_count == CUSET_RECORD_KERNELS) return nullptr;
  CusetKernelRecord& entry = record.kernels[record.kernel_count];
  put_text(entry.name, name);
  std::copy_n(shape.grid, 3, entry.grid);
  std::copy_n(shape.block, 3, entry.block);
  entry.shared_bytes = shared_bytes;
  ++record.kernel_count;
  return &entry;
}

bool same_finding(const CusetFindingRecord& entry, const Finding& finding) {
  uint32_t line = finding.site ? finding.site->line : 0;
  std::string_view text = finding.text.substr(0, CUSET_RECORD_TEXT - 1);
  return entry.line == line && finding.kind == entry.kind && (line != 0 || text == entry.text) &&
         (!finding.site || !finding.site->file ||
          std::string_view(finding.site->file).substr(0, CUSET_RECORD_NAME - 1) == entry.file);
}

bool count_again(CusetExecutionRecord& record, const Finding& finding) {
  for (uint32_t i = 0; i < record.finding_count; ++i) {
    if (!same_finding(record.findings[i], finding)) continue;
    ++record.findings[i].count;
    return true;
  }
  return false;
}

}  // namespace

const cuset::base::InputKey& input_key() { return recorder().input_key; }

bool kernels_are_off() {
  const CusetExecutionRecord* record = recorder().record;
  return record != nullptr && __atomic_load_n(&record->kernels_off, __ATOMIC_RELAXED) == 1;
}

bool threads_go_backward() {
  const CusetExecutionRecord* record = recorder().record;
  return record != nullptr && __atomic_load_n(&record->backward, __ATOMIC_RELAXED) == 1;
}

void record_launch(const CusetKernel& kernel, const LaunchShape& shape, const LaunchEnd& end) {
  CusetExecutionRecord* record = recorder().record;
  if (!record) return;
  std::lock_guard lock(recorder().mutex);
  std::string& name = recorder().names[&kernel];
  if (name.empty()) name = cuset::base::kernel_signature(std::string(kernel.name).c_str());
  if (end.error == 0) note_kernel(name, shape, kernel.static_shared_bytes, end.nanoseconds);
  ++record->launches;
  CusetKernelRecord* entry =
      entry_for(*record, name, shape, uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes);
  if (!entry) {
    ++record->kernels_left_out;
    return;
  }
  ++entry->launches;
  entry->total_nanoseconds += end.nanoseconds;
  if (end.error != 0) {
    ++entry->failed_launches;
  } else if (entry->shortest_nanoseconds == 0 || end.nanoseconds < entry->shortest_nanoseconds) {
    entry->shortest_nanoseconds = end.nanoseconds;
  }
}

void record_error(int cuda_error, bool from_device) {
  CusetExecutionRecord* record = recorder().record;
  if (!record || cuda_error == 0) return;
  std::lock_guard lock(recorder().mutex);
  if (record->first_error == 0) record->first_error = cuda_error;
  if (from_device && record->device_error == 0) record->device_error = cuda_error;
}

bool count_finding_again(std::string_view kind, const CusetSite* site) {
  CusetExecutionRecord* record = recorder().record;
  if (!record || !site || site->line == 0) return false;
  std::lock_guard lock(recorder().mutex);
  return count_again(*record, {.kind = kind, .kernel = "", .site = site, .text = ""});
}

void record_finding(const Finding& finding) {
  CusetExecutionRecord* record = recorder().record;
  if (!record) return;
  std::lock_guard lock(recorder().mutex);
  if (count_again(*record, finding)) return;
  if (record->finding_count == CUSET_RECORD_FINDINGS) {
    ++record->findings_left_out;
    return;
  }
  CusetFindingRecord& entry = record->findings[record->finding_count];
  put_text(entry.kind, finding.kind);
  put_text(entry.kernel, cuset::base::kernel_signature(std::string(finding.kernel).c_str()));
  put_text(entry.text, finding.text);
  if (finding.site) {
    put_text(entry.file, finding.site->file ? finding.site->file : "");
    entry.line = finding.site->line;
    entry.column = finding.site->column;
  }
  std::copy_n(finding.block, 3, entry.block);
  std::copy_n(finding.thread, 3, entry.thread);
  entry.count = 1;
  ++record->finding_count;
}

void end_as_unsupported(std::string_view construct) {
  record_finding({.kind = "unsupported", .kernel = "", .text = construct});
  std::fflush(stdout);
  std::string line = "cuset: unsupported: " + std::string(construct) + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) {
    // The status says it as well.
  }
  if (recorder().record) recorder().record->finished = 1;
  _exit(kUnsupportedStatus);
}

}  // namespace cuset_emulator
