// Attacks on the compiler, which runs in the sandbox too: bombs, and files of the host drawn into the program
// or into the messages. SECRET_FILE is the path of a secret, as a string; the driver defines it.
#include "hostile.h"

#ifndef SECRET_FILE
#define SECRET_FILE "/etc/hostname"
#endif

#if TRICK == 1  // templates without end
template <unsigned long long N>
struct Deep {
  static constexpr unsigned long long value = Deep<N + 1>::value;
};
static_assert(Deep<0>::value == 0);
#elif TRICK == 2  // templates that double
template <int N, typename... T>
struct Wide {
  using Left = typename Wide<N - 1, T..., int>::Left;
  using Right = typename Wide<N - 1, T..., char>::Right;
};
template <typename... T>
struct Wide<0, T...> {
  using Left = int;
  using Right = int;
};
Wide<40>::Left value;
#elif TRICK == 3  // a file without end
#include "/dev/zero"
#elif TRICK == 4  // a file of chance without end
#include "/dev/urandom"
#elif TRICK == 5  // files that never answer
#include "/dev/stdin"
#include "/dev/tty"
#elif TRICK == 6  // passwords
#include "/etc/shadow"
#elif TRICK == 7  // the secret as source
#include SECRET_FILE
#elif TRICK == 8   // the secret in the data of the program
__asm__(".section .rodata\n.globl stolen\nstolen: .incbin \"" SECRET_FILE "\"\n.byte 0\n.text");
extern "C" const char stolen[];
static const struct Tell {
  Tell() { puts(stolen); }
} tell;
#elif TRICK == 9   // the secret in device code
__global__ void steal() { asm volatile(".incbin \"" SECRET_FILE "\""); }
#elif TRICK == 10  // the secret by the assembler's include
__asm__(".include \"" SECRET_FILE "\"");
#elif TRICK == 11  // whether the secret exists
#if __has_include(SECRET_FILE)
static const struct Tell {
  Tell() { escaped("the compiler sees the secret"); }
} tell;
#endif
#elif TRICK == 12  // the secret embedded
static const char stolen[] = {
#embed SECRET_FILE
    , 0};
static const struct Tell {
  Tell() { puts(stolen); }
} tell;
#elif TRICK == 13  // a file that includes itself, twice
#include __FILE__
#include __FILE__
#elif TRICK == 14  // a static array of a terabyte
char gigantic[1ull << 40];
#elif TRICK == 15  // data of sixteen gigabytes that go into the file
char full[16ull << 30] = {1};
#elif TRICK == 16  // macros that multiply
#define M0 x x
#define M1 M0 M0 M0 M0 M0 M0 M0 M0
#define M2 M1 M1 M1 M1 M1 M1 M1 M1
#define M3 M2 M2 M2 M2 M2 M2 M2 M2
#define M4 M3 M3 M3 M3 M3 M3 M3 M3
#define M5 M4 M4 M4 M4 M4 M4 M4 M4
#define M6 M5 M5 M5 M5 M5 M5 M5 M5
#define M7 M6 M6 M6 M6 M6 M6 M6 M6
#define M8 M7 M7 M7 M7 M7 M7 M7 M7
#define M9 M8 M8 M8 M8 M8 M8 M8 M8
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)
const char* text = TEXT_OF(M9 M9 M9 M9);
#elif TRICK == 17  // a constant expression without end
constexpr unsigned long long forever() {
  unsigned long long sum = 0;
  for (unsigned long long i = 0; i < ~0ull; ++i) sum += i * i;
  return sum;
}
constexpr unsigned long long value = forever();
#elif TRICK == 18  // a constant table of a gigabyte
struct Table {
  int values[1 << 28] = {};
  constexpr Table() {
    for (int i = 0; i < 1 << 28; ++i) values[i] = i;
  }
};
constexpr Table table;
static const struct Tell {
  Tell() { printf("%d\n", table.values[3]); }
} tell;
#elif TRICK == 19  // brackets nested without measure
#define P4(x) ((((x))))
#define P16(x) P4(P4(P4(P4(x))))
#define P64(x) P16(P16(P16(P16(x))))
#define P256(x) P64(P64(P64(P64(x))))
#define P1K(x) P256(P256(P256(P256(x))))
#define P4K(x) P1K(P1K(P1K(P1K(x))))
int nested = P4K(P4K(1));
#elif TRICK == 20  // a list of a hundred million numbers
#include <utility>
template <size_t... I>
constexpr size_t sum_of(std::index_sequence<I...>) {
  return (I + ... + 0);
}
static_assert(sum_of(std::make_index_sequence<100000000>()) != 1);
#elif TRICK == 21  // a pointer that points on without end
template <int N>
struct Link {
  Link<N + 1> operator->() const { return {}; }
};
int follow() { return Link<0>()->value; }
#elif TRICK == 22  // the assembler repeats a billion times
__asm__(".rept 1000000000\nnop\n.endr");
#elif TRICK == 23  // the assembler leaves room for exabytes
__asm__(".data\n.fill 0x7fffffffffff, 8, 1\n.text");
#elif TRICK == 24  // messages without end
#define W0 _Pragma("message(\"again and again and again and again\")")
#define W1 W0 W0 W0 W0 W0 W0 W0 W0
#define W2 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3
#define W5 W4 W4 W4 W4 W4 W4 W4 W4
W5 W5 W5 W5 W5 W5 W5 W5
#elif TRICK == 25  // a message that shows a line of the secret
#line 1 SECRET_FILE
int wrong = ;
#elif TRICK == 26  // the environment of the compiler
#include "/proc/self/environ"
#elif TRICK == 27  // the arguments and the environment of the compiler's parent
#include "/proc/1/cmdline"
#include "/proc/1/environ"
#include "/proc/1/maps"
#elif TRICK == 28  // a dependency on the secret
#pragma GCC dependency SECRET_FILE the secret
#elif TRICK == 29  // lambdas in lambdas
template <int N, typename F>
auto nest(F f) {
  if constexpr (N == 0) {
    return f;
  } else {
    return [=](auto x) { return nest<N - 1>([=](auto y) { return f(x), nest<N - 1>(f)(y); })(x); };
  }
}
int run() {
  return nest<24>([](int x) { return x; })(1);
}
#elif TRICK == 30  // sections that the linker and the loader believe
__attribute__((section(".init_array"), used)) static void (*early)() = [] { _exit(0); };
__asm__(".pushsection .note.GNU-stack,\"x\",@progbits\n.popsection");
__asm__(".pushsection .interp,\"a\"\n.asciz \"/proc/self/cwd/loader\"\n.popsection");
#elif TRICK == 31  // a kernel that unrolls without end
__global__ void unroll(int* out) {
#pragma unroll
  for (int i = 0; i < 100000; ++i) {
#pragma unroll
    for (int j = 0; j < 100000; ++j) out[i ^ j] += i * j;
  }
}
#elif TRICK == 32  // shared memory that no device has
__global__ void large() {
  __shared__ char memory[1ull << 36];
  memory[threadIdx.x] = 1;
  __syncthreads();
  printf("%d\n", memory[0]);
}
#elif TRICK == 33  // files of the host by paths that lead upwards
#include "../../../../../../../../etc/shadow"
#include "../../../../../../../../proc/1/environ"
#include "../secret"
#elif TRICK == 34  // a kernel of ten thousand statements and barriers
#define A10(x) x x x x x x x x x x
#define STATEMENTS(x) A10(A10(A10(A10(x))))
__global__ void wide(int* out) { STATEMENTS(out[0] += out[1] * out[2]; if (out[4] > 3) __syncthreads();) }
#endif

void attack(const World&) {}
