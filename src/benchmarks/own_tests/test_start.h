// The source of ours in which a program of tests starts and ends, behind judge::kRawCalls. It is plain C++.
//
// Only tests that have passed end the program with status 0: before any other code runs, the program asks the
// kernel (seccomp) to kill it at any exit_group with status 0 that does not come from the one instruction at
// cuset_end, which stands behind the tests' own end. So there is no secret to steal and no file to forge;
// exit(0), _Exit(0), quick_exit(0) and `return 0` from a replaced main all end in SIGSYS. The tests' own calls
// of exit and its relatives are redirected to cuset_test_exit (test_sources.cc).
#pragma once

namespace cuset::benchmarks {

inline constexpr const char* kTestStart = R"(
extern "C" {
int __real_main(int, char**);
void __cxa_finalize(void*);
int fflush(void*);
[[noreturn]] void exit(int) noexcept;
__attribute__((visibility("hidden"), noreturn)) void cuset_end();
extern __attribute__((visibility("hidden"))) const char cuset_ended[];
}

__asm__(
    ".text\n"
    ".type cuset_end, @function\n"
    "cuset_end:\n"
    "  movl $231, %eax\n"
    "  xorl %edi, %edi\n"
    "  syscall\n"
    "cuset_ended:\n"
    "  hlt\n"
    ".size cuset_end, . - cuset_end\n");

namespace {

struct Instruction {
  unsigned short code;
  unsigned char if_true, if_false;
  unsigned value;
};

struct Filter {
  unsigned short count;
  const Instruction* first;
};

constexpr unsigned short kLoad = 0x20, kEqual = 0x15, kAtLeast = 0x35, kAnd = 0x54, kReturn = 0x06;
constexpr unsigned kKill = 0x80000000, kAllow = 0x7fff0000;
constexpr long kControl = 157, kExitGroup = 231;
constexpr int kCannotGuard = 72;

// Before any constructor of the program or of a library.
void guard_the_end(int, char**, char**) {
  const unsigned long place = reinterpret_cast<unsigned long>(cuset_ended);
  const Instruction filter[] = {
      {kLoad, 0, 0, 4},            // the architecture
      {kEqual, 0, 10, 0xc000003e},  // x86-64
      {kLoad, 0, 0, 0},            // the call
      {kAtLeast, 8, 0, 0x40000000},  // the x32 interface
      {kEqual, 0, 8, static_cast<unsigned>(kExitGroup)},
      {kLoad, 0, 0, 16},  // its status
      {kAnd, 0, 0, 0xff},
      {kEqual, 0, 5, 0},
      {kLoad, 0, 0, 8},  // from where
      {kEqual, 0, 2, static_cast<unsigned>(place)},
      {kLoad, 0, 0, 12},
      {kEqual, 1, 0, static_cast<unsigned>(place >> 32)},
      {kReturn, 0, 0, kKill},
      {kReturn, 0, 0, kAllow}};
  const Filter program = {sizeof filter / sizeof filter[0], filter};
  if (raw_call(kControl, 38, 1, 0, 0, 0) != 0 || raw_call(kControl, 22, 2, address(&program)) != 0)
    raw_call(kExitGroup, kCannotGuard);
}

__attribute__((section(".preinit_array"), used)) void (*const at_start)(int, char**, char**) = guard_the_end;

}  // namespace

// The handlers of exit run as they would: the record of kernels is closed by one.
extern "C" [[noreturn]] void cuset_test_exit(int status) {
  if ((status & 0xff) != 0) exit(status);
  __cxa_finalize(nullptr);
  fflush(nullptr);
  cuset_end();
}

extern "C" [[noreturn]] void cuset_test__exit(int status) { cuset_test_exit(status); }
extern "C" [[noreturn]] void cuset_test__Exit(int status) { cuset_test_exit(status); }
extern "C" [[noreturn]] void cuset_test_quick_exit(int status) { cuset_test_exit(status); }

extern "C" int __wrap_main(int count, char** arguments) { cuset_test_exit(__real_main(count, arguments)); }
)";

// Stands before kTestStart where the answer's host work is counted: maps the counters (emulator/host_work.h).
inline constexpr const char* kCountingStart = R"(
namespace {

constexpr long kProcessorControl = 158, kRandom = 318;
constexpr int kCannotCount = 73;

// Before any constructor of the program or of a library. The place is far from where Linux puts programs, libraries, heaps
// and stacks; threads inherit the register.
void map_counters(int, char**, char**) {
  const long file = raw_call(kOpen, address("cuset_host_work"), 02 | kNoLinks, 0);
  for (int tries = 0; file >= 0 && tries < 16; ++tries) {
    unsigned long place = 0;
    if (raw_call(kRandom, address(&place), sizeof place) != sizeof place) break;
    place = (0x100000000000 + place % 0x400000000000) & ~4095ul;
    // Readable and writable, shared, at this place, where nothing else may be.
    const long mapped = raw_call(kMap, static_cast<long>(place), 4096, 3, 0x100001, file, 0);
    if (mapped != static_cast<long>(place)) continue;
    if (raw_call(kProcessorControl, 0x1001, mapped) != 0) break;  // ARCH_SET_GS
    raw_call(kClose, file);
    return;
  }
  raw_call(231, kCannotCount);
}

__attribute__((section(".preinit_array"), used)) void (*const at_first)(int, char**, char**) = map_counters;

}  // namespace
)";

}  // namespace cuset::benchmarks
