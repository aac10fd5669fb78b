#include "support/test_kernels.h"

#include <cstring>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/host_api.h"

extern "C" {
extern __thread CusetContext cuset_context __attribute__((tls_model("initial-exec")));
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
}

namespace cuset_emulator {

extern const char kScaleStub = 0, kPrintStub = 0, kAssertStub = 0, kTrapStub = 0, kHeapStub = 0,
                  kStructStub = 0, kMissingStub = 0, kWriteStub = 0, kQuietStub = 0;
char table_shadow[16];

namespace {

int table[4] = {1, 2, 3, 4};

template <class T>
T value(uint64_t slot) {
  T result;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): a pointer is meant where T is one.
  std::memcpy(static_cast<void*>(&result), &slot, sizeof result);
  return result;
}

void scale(const uint64_t* slots) {
  uint32_t i = cuset_context.block_index[0] * cuset_context.block_dim[0] + cuset_context.thread_index[0];
  if (static_cast<int>(i) < value<int>(slots[2])) value<float*>(slots[0])[i] *= value<float>(slots[1]);
}

void quiet(const uint64_t*) {}

void print(const uint64_t* slots) {
  cuset_device_printf("block %u thread %u: %d\n", cuset_context.block_index[0], cuset_context.thread_index[0],
                      value<int>(slots[0]));
}

void fail_assertion(const uint64_t*) { cuset_device_assert_fail("i < n", "kernel.cu", 7, "void k(int)"); }
void trap(const uint64_t*) { cuset_trap(); }

void heap(const uint64_t* slots) {
  int* outcome = value<int*>(slots[0]);
  void* small = cuset_device_malloc(1000);
  void* large = cuset_device_malloc(64 << 20);
  outcome[0] = small != nullptr;
  outcome[1] = large == nullptr;
  if (small) std::memset(small, 0, 1000);
  cuset_device_free(small);
}

void struct_sum(const uint64_t* slots) {
  const Pair3& pair = *value<const Pair3*>(slots[0]);
  *value<float*>(slots[1]) = pair.values[0] + pair.values[1] + pair.values[2];
}

void write(const uint64_t* slots) { *value<int*>(slots[0]) = value<int>(slots[1]); }

constexpr uint8_t kNone[] = {0, 0, 0};

CusetKernel kernel(const char* name, uint32_t parameters, const uint8_t* pointers,
                   void (*run)(const uint64_t*)) {
  CusetKernel made{};
  made.name = name;
  made.parameter_count = parameters;
  made.parameter_is_pointer = pointers;
  made.parameter_is_written = kNone;
  made.run_thread = run;
  return made;
}

constexpr uint8_t kFirst[] = {1, 0, 0};
constexpr uint8_t kBoth[] = {1, 1};

const CusetKernel kernels[] = {
    kernel("_Z5scalePffi", 3, kFirst, scale),       kernel("_Z5printi", 1, kFirst + 1, print),
    kernel("_Z4failv", 0, nullptr, fail_assertion), kernel("_Z4trapv", 0, nullptr, trap),
    kernel("_Z4heapPi", 1, kFirst, heap),           kernel("_Z10struct_sum5Pair3Pf", 2, kBoth, struct_sum),
    kernel("_Z5writePii", 2, kFirst, write),        kernel("_Z5quieti", 1, kFirst + 1, quiet),
};
const CusetVariable variables[] = {{"table", table, sizeof(table), 0}};
const CusetModule module{kernels, 8, 1, variables, 800};

void register_stub(const char& stub, const char* name) {
  __cudaRegisterFunction(nullptr, &stub, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace

void register_test_kernels() {
  static const bool done = [] {
    register_stub(kScaleStub, "_Z5scalePffi");
    register_stub(kPrintStub, "_Z5printi");
    register_stub(kAssertStub, "_Z4failv");
    register_stub(kTrapStub, "_Z4trapv");
    register_stub(kHeapStub, "_Z4heapPi");
    register_stub(kStructStub, "_Z10struct_sum5Pair3Pf");
    register_stub(kMissingStub, "_Z7missingv");
    register_stub(kWriteStub, "_Z5writePii");
    register_stub(kQuietStub, "_Z5quieti");
    const uint32_t sizes[] = {8, 4, 4};
    cuset_register_arguments(&kScaleStub, 3, sizes);
    __cudaRegisterVar(nullptr, table_shadow, nullptr, "table", 0, sizeof(table), 0, 0);
    cuset_register_module(&module);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace cuset_emulator
