#include "execute/record/injection/record_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/kernel_name.h"
#include "execute/record/cuda_errors.h"

namespace cuset_injection {
namespace {

constexpr size_t kMostSuspects = 4;

template <size_t N>
void copy_text(char (&field)[N], const std::string& text) {
  std::memset(field, 0, N);
  std::memcpy(field, text.data(), std::min(text.size(), N - 1));
}

CusetExecutionRecord* map_record() {
  const char* path = std::getenv(CUSET_RECORD_VARIABLE);
  if (path == nullptr) return nullptr;
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat about{};
  const bool fits =
      ::fstat(file, &about) == 0 && static_cast<size_t>(about.st_size) >= sizeof(CusetExecutionRecord);
  void* memory =
      fits ? ::mmap(nullptr, sizeof(CusetExecutionRecord), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
           : MAP_FAILED;
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<CusetExecutionRecord*>(memory);
}

}  // namespace

RecordWriter* RecordWriter::get() {
  static RecordWriter* const writer = [] {
    CusetExecutionRecord* record = map_record();
    if (record == nullptr) return static_cast<RecordWriter*>(nullptr);
    record->version = CUSET_RECORD_VERSION;
    record->magic = CUSET_RECORD_MAGIC;
    return new RecordWriter(record);
  }();
  return writer;
}

RecordWriter::RecordWriter(CusetExecutionRecord* record) : record_(record), process_(::getpid()) {}

const std::string& RecordWriter::name_of(const char* mangled) {
  if (mangled == nullptr) mangled = "?";
  const auto [found, added] = names_.try_emplace(mangled);
  if (added) found->second = cuset::base::kernel_name(mangled);
  return found->second;
}

RecordWriter::Kernel& RecordWriter::find(const char* mangled, const Shape& shape) {
  const std::string& name = name_of(mangled);
  std::string key(reinterpret_cast<const char*>(&shape), sizeof shape);
  key += name;
  const auto [found, added] = kernels_.try_emplace(std::move(key));
  if (added) found->second.record = add_kernel(name, shape);
  return found->second;
}

CusetKernelRecord* RecordWriter::add_kernel(const std::string& name, const Shape& shape) {
  if (record_->kernel_count >= CUSET_RECORD_KERNELS) {
    ++record_->kernels_left_out;
    return nullptr;
  }
  CusetKernelRecord& entry = record_->kernels[record_->kernel_count];
  copy_text(entry.name, name);
  std::copy(std::begin(shape.grid), std::end(shape.grid), entry.grid);
  std::copy(std::begin(shape.block), std::end(shape.block), entry.block);
  // Counted when it is complete: whoever kills the program never leaves half an entry.
  __atomic_store_n(&record_->kernel_count, record_->kernel_count + 1, __ATOMIC_RELEASE);
  return &entry;
}

// Launches out of graphs are known by their ends only, launches that never ended by their calls only.
void RecordWriter::count(Kernel& kernel) {
  const uint64_t known = std::max(kernel.launched, kernel.completed);
  record_->launches += known - kernel.counted;
  kernel.counted = known;
  if (kernel.record != nullptr) kernel.record->launches = known;
}

void RecordWriter::launched(const char* mangled, const Shape& shape, uint64_t shared_bytes) {
  const std::lock_guard guard(mutex_);
  Kernel& kernel = find(mangled, shape);
  if (kernel.record != nullptr && kernel.launched == 0) kernel.record->shared_bytes = shared_bytes;
  ++kernel.launched;
  count(kernel);
  const std::string& name = name_of(mangled);
  const bool known = std::find(unconfirmed_.begin(), unconfirmed_.end(), name) != unconfirmed_.end();
  if (!known && unconfirmed_.size() <= kMostSuspects) unconfirmed_.push_back(name);
  last_launched_ = name;
}

void RecordWriter::refused(const char* mangled, const Shape& shape) {
  const std::lock_guard guard(mutex_);
  const Kernel& kernel = find(mangled, shape);
  if (kernel.record != nullptr) ++kernel.record->failed_launches;
}

void RecordWriter::completed(const char* mangled, const Shape& shape, const KernelUse& use,
                             uint64_t nanoseconds) {
  const std::lock_guard guard(mutex_);
  Kernel& kernel = find(mangled, shape);
  ++kernel.completed;
  count(kernel);
  if (CusetKernelRecord* entry = kernel.record) {
    entry->shared_bytes = use.shared_bytes;
    entry->static_shared_bytes = use.static_shared_bytes;
    entry->registers = use.registers;
    entry->local_bytes = use.local_bytes;
    entry->total_nanoseconds += nanoseconds;
    entry->shortest_nanoseconds =
        kernel.completed == 1 ? nanoseconds : std::min(entry->shortest_nanoseconds, nanoseconds);
  }
}

void RecordWriter::all_is_well() {
  const std::lock_guard guard(mutex_);
  unconfirmed_.clear();
}

void RecordWriter::result(int cuda_error) {
  const cuset::execute::CudaErrorKind kind = cuset::execute::kind_of_cuda_error(cuda_error);
  if (kind == cuset::execute::CudaErrorKind::kNone) return;
  const std::lock_guard guard(mutex_);
  if (record_->first_error == 0) record_->first_error = cuda_error;
  if (kind == cuset::execute::CudaErrorKind::kDeviceFault && record_->device_error == 0) {
    record_->device_error = cuda_error;
    add_fault(cuda_error);
  }
}

void RecordWriter::error_seen() {
  const std::lock_guard guard(mutex_);
  if (!std::exchange(error_seen_, true)) add_finding("error_seen", "", "the program asked for the error");
}

void RecordWriter::note(const char* kind, const std::string& text) {
  const std::lock_guard guard(mutex_);
  add_finding(kind, "", text);
}

void RecordWriter::add_fault(int cuda_error) {
  std::string suspects;
  for (size_t i = 0; i < std::min(unconfirmed_.size(), kMostSuspects); ++i) {
    suspects += (i == 0 ? "" : " or ") + unconfirmed_[i];
  }
  if (unconfirmed_.size() > kMostSuspects) suspects += " or another";
  // A wait for one stream may have cleared a kernel of another.
  if (suspects.empty()) suspects = last_launched_;
  add_finding(
      "device_fault", suspects,
      cuset::execute::cuda_error_name(cuda_error) + ": " + cuset::execute::cuda_error_meaning(cuda_error));
}

void RecordWriter::add_finding(const char* kind, const std::string& kernel, const std::string& text) {
  if (record_->finding_count >= CUSET_RECORD_FINDINGS) {
    ++record_->findings_left_out;
    return;
  }
  CusetFindingRecord& entry = record_->findings[record_->finding_count];
  copy_text(entry.kind, kind);
  copy_text(entry.kernel, kernel);
  copy_text(entry.text, text);
  entry.count = 1;
  __atomic_store_n(&record_->finding_count, record_->finding_count + 1, __ATOMIC_RELEASE);
}

void RecordWriter::finish() {
  const std::lock_guard guard(mutex_);
  record_->finished = 1;
}

}  // namespace cuset_injection
