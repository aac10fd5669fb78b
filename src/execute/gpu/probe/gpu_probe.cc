// cuset_gpu_probe INDEX [--run | --keep]: describes a GPU by lines "key value" on standard output; with --run also
// runs a kernel there and checks what it wrote; with --keep holds a context on it until standard input ends. Exit status
// 0 if all went well; else a line "problem ..." says what did not.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/cuda_driver.h"

namespace {

using cuset::emulator::CudaDriver;
using Result = CudaDriver::Result;
using Device = int;
using Handle = CudaDriver::Handle;
using Address = CudaDriver::Address;

constexpr int kMultiprocessors = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int kCapabilityMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kCapabilityMinor = 76;
constexpr int kMemoryClock = 36;  // kHz
constexpr int kBusWidth = 37;     // bits
constexpr int kCacheBytes = 38;   // of the last cache
constexpr int kClock = 13;        // kHz, of the multiprocessors
// Of a multiprocessor.
constexpr int kThreadsOfMultiprocessor = 39;
constexpr int kSharedBytes = 81;
constexpr int kRegisters = 82;
constexpr int kBlocks = 106;
constexpr int kReservedSharedBytes = 111;  // of a block
constexpr int kComputeMode = 20;
constexpr int kShared = 0;  // CU_COMPUTEMODE_DEFAULT: any number of processes
constexpr unsigned kThreads = 256;
constexpr uint32_t kFactor = 2654435761u;

// out[thread] = thread * kFactor. In PTX, so that no compiler is needed here; old enough for every driver in
// use.
constexpr const char* kKernel = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry cuset_health(.param .u64 out) {
  .reg .u64 %address, %offset;
  .reg .u32 %thread, %value;
  ld.param.u64 %address, [out];
  cvta.to.global.u64 %address, %address;
  mov.u32 %thread, %tid.x;
  mul.lo.u32 %value, %thread, 2654435761;
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %address, %address, %offset;
  st.global.u32 [%address], %value;
  ret;
}
)";

std::string uuid_text(const unsigned char (&bytes)[16]) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

// "580.65.06", by the library that comes with the driver; empty where it does not say.
std::string driver_version() {
  const Handle library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr) return "";
  const auto init = reinterpret_cast<Result (*)()>(::dlsym(library, "nvmlInit_v2"));
  const auto ask =
      reinterpret_cast<Result (*)(char*, unsigned)>(::dlsym(library, "nvmlSystemGetDriverVersion"));
  char text[80] = "";
  const bool known = init != nullptr && ask != nullptr && init() == 0 && ask(text, sizeof text) == 0;
  return known ? text : "";
}

Device find(CudaDriver& driver, int index) {
  driver.call("cuInit", 0u);
  int count = 0;
  driver.call("cuDeviceGetCount", &count);
  if (index < 0 || index >= count) {
    throw std::runtime_error("no GPU number " + std::to_string(index) + ": the driver sees " +
                             std::to_string(count));
  }
  Device device = 0;
  driver.call("cuDeviceGet", &device, index);
  return device;
}

void make_context(CudaDriver& driver, Device device) {
  Handle context = nullptr;
  driver.call("cuDevicePrimaryCtxRetain", &context, device);
  driver.call("cuCtxSetCurrent", context);
}

// Bytes a second that pass through memory while it is copied, where the driver does not tell its clock; the best of a few.
double measured_bandwidth(CudaDriver& driver, Device device, size_t memory) {
  constexpr size_t kMost = 256 << 20;
  constexpr int kCopies = 5;
  const size_t bytes = std::min(kMost, memory / 8);
  make_context(driver, device);
  Address from = 0, to = 0;
  Handle before = nullptr, after = nullptr;
  driver.call("cuMemAlloc_v2", &from, bytes);
  driver.call("cuMemAlloc_v2", &to, bytes);
  for (Handle* event : {&before, &after}) driver.call("cuEventCreate", event, 0u);
  float shortest = 0;
  for (int i = 0; i < kCopies; ++i) {
    float milliseconds = 0;
    driver.call("cuEventRecord", before, Handle{nullptr});
    driver.call("cuMemcpyDtoDAsync_v2", to, from, bytes, Handle{nullptr});
    driver.call("cuEventRecord", after, Handle{nullptr});
    driver.call("cuCtxSynchronize");
    driver.call("cuEventElapsedTime", &milliseconds, before, after);
    if (milliseconds > 0 && (shortest == 0 || milliseconds < shortest)) shortest = milliseconds;
  }
  driver.call("cuMemFree_v2", from);
  driver.call("cuMemFree_v2", to);
  return shortest > 0 ? 2.0 * static_cast<double>(bytes) / (shortest * 1e-3) : 0;
}

Device describe(CudaDriver& driver, int index) {
  const Device device = find(driver, index);
  const auto attribute = [&](int which) {
    int value = 0;
    driver.call("cuDeviceGetAttribute", &value, which, device);
    return value;
  };
  char name[256] = "";
  driver.call("cuDeviceGetName", name, 255, device);
  unsigned char uuid[16] = {};
  driver.call("cuDeviceGetUuid", uuid, device);
  int version = 0;
  size_t memory = 0;
  driver.call("cuDeviceTotalMem_v2", &memory, device);
  driver.call("cuDriverGetVersion", &version);
  // Two transfers a clock, kHz and bits.
  double bandwidth = 2.0 * attribute(kMemoryClock) * 1000 * attribute(kBusWidth) / 8;
  if (bandwidth == 0) bandwidth = measured_bandwidth(driver, device, memory);
  std::printf(
      "name %s\nuuid %s\ncapability %d.%d\nmultiprocessors %d\nmemory %zu\nbandwidth %.0f\ncache %d\n", name,
      uuid_text(uuid).c_str(), attribute(kCapabilityMajor), attribute(kCapabilityMinor),
      attribute(kMultiprocessors), memory, bandwidth, attribute(kCacheBytes));
  std::printf("threads %d\nblocks %d\nregisters %d\nshared %d\nreserved_shared %d\nclock %lld\n",
              attribute(kThreadsOfMultiprocessor), attribute(kBlocks), attribute(kRegisters),
              attribute(kSharedBytes), attribute(kReservedSharedBytes), 1000LL * attribute(kClock));
  std::printf("cuda %d\ndriver %s\nlibrary %s\n", version, driver_version().c_str(), driver.path().c_str());
  std::fflush(stdout);
  return device;
}

void keep(CudaDriver& driver, Device device) {
  int mode = 0;
  driver.call("cuDeviceGetAttribute", &mode, kComputeMode, device);
  if (mode != kShared) return;  // it would keep all others out
  make_context(driver, device);
  while (std::getchar() != EOF) {
  }
}

void run_kernel(CudaDriver& driver, Device device) {
  Handle module = nullptr, kernel = nullptr;
  make_context(driver, device);
  driver.call("cuModuleLoadData", &module, static_cast<const void*>(kKernel));
  driver.call("cuModuleGetFunction", &kernel, module, "cuset_health");
  Address memory = 0;
  std::vector<uint32_t> values(kThreads, 0);
  driver.call("cuMemAlloc_v2", &memory, values.size() * sizeof values[0]);
  void* arguments[] = {&memory};
  driver.call("cuLaunchKernel", kernel, 1u, 1u, 1u, kThreads, 1u, 1u, 0u, Handle{nullptr}, &arguments[0],
              static_cast<void**>(nullptr));
  driver.call("cuCtxSynchronize");
  driver.call("cuMemcpyDtoH_v2", static_cast<void*>(values.data()), memory, values.size() * sizeof values[0]);
  for (uint32_t i = 0; i < kThreads; ++i) {
    if (values[i] != i * kFactor) throw std::runtime_error("the GPU computed a wrong result");
  }
  std::printf("healthy yes\n");
}

}  // namespace

int main(int count, char** arguments) {
  try {
    CudaDriver driver;
    const Device device = describe(driver, count > 1 ? std::atoi(arguments[1]) : 0);
    const char* const wanted = count > 2 ? arguments[2] : "";
    if (std::strcmp(wanted, "--run") == 0) run_kernel(driver, device);
    if (std::strcmp(wanted, "--keep") == 0) keep(driver, device);
    return 0;
  } catch (const std::exception& failure) {
    std::printf("problem %s\n", failure.what());
    return 1;
  }
}
