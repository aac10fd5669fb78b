// PTX's video instructions: differences, sums, extremes and averages of the bytes and halves of words.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int kForms = 7;

#define VIDEO(name, a, b, c, d) asm(name " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c))

__global__ void apply(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = threadIdx.x;
  unsigned* mine = out + i * kForms;
  VIDEO("vabsdiff4.u32.u32.u32.add", a[i], b[i], 100u, mine[0]);
  VIDEO("vabsdiff4.u32.u32.u32", a[i], b[i], 0u, mine[1]);
  VIDEO("vadd4.u32.u32.u32.sat", a[i], b[i], 0u, mine[2]);
  VIDEO("vsub4.s32.s32.s32.sat", a[i], b[i], 0u, mine[3]);
  VIDEO("vmax2.s32.s32.s32", a[i], b[i], 0u, mine[4]);
  VIDEO("vavrg4.u32.u32.u32", a[i], b[i], 0u, mine[5]);
  VIDEO("vabsdiff.u32.s32.s32.add", a[i], b[i], 7u, mine[6]);
}

static unsigned byte(unsigned word, int lane) { return word >> (8 * lane) & 255; }
static int signed_byte(unsigned word, int lane) { return static_cast<int8_t>(byte(word, lane)); }

static void expect(unsigned a, unsigned b, unsigned (&wanted)[kForms]) {
  wanted[0] = 100;
  for (unsigned& word : wanted)
    if (&word != wanted) word = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned difference =
        static_cast<unsigned>(std::abs(static_cast<int>(byte(a, i)) - static_cast<int>(byte(b, i))));
    wanted[0] += difference;
    wanted[1] |= difference << (8 * i);
    wanted[2] |= std::min(byte(a, i) + byte(b, i), 255u) << (8 * i);
    const int rest = std::clamp(signed_byte(a, i) - signed_byte(b, i), -128, 127);
    wanted[3] |= static_cast<unsigned>(rest & 255) << (8 * i);
    wanted[5] |= (byte(a, i) + byte(b, i) + 1) / 2 << (8 * i);
  }
  for (int i = 0; i < 2; ++i) {
    const int16_t x = static_cast<int16_t>(a >> (16 * i)), y = static_cast<int16_t>(b >> (16 * i));
    wanted[4] |= static_cast<unsigned>(static_cast<uint16_t>(std::max(x, y))) << (16 * i);
  }
  const int64_t whole = static_cast<int64_t>(static_cast<int32_t>(a)) - static_cast<int32_t>(b);
  wanted[6] = static_cast<unsigned>(whole < 0 ? -whole : whole) + 7;
}

int main() {
  constexpr int kPairs = 64;
  unsigned *a, *b, *out;
  cudaMallocManaged(&a, kPairs * sizeof(unsigned));
  cudaMallocManaged(&b, kPairs * sizeof(unsigned));
  cudaMallocManaged(&out, kPairs * kForms * sizeof(unsigned));
  for (unsigned i = 0; i < kPairs; ++i) {
    a[i] = i * 2654435761u;
    b[i] = ~i * 2246822519u;
  }
  apply<<<1, kPairs>>>(a, b, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  for (int i = 0; i < kPairs; ++i) {
    unsigned wanted[kForms];
    expect(a[i], b[i], wanted);
    for (int form = 0; form < kForms; ++form)
      if (out[i * kForms + form] != wanted[form])
        return std::printf("FAIL form %d of %08x %08x: %08x, wanted %08x\n", form, a[i], b[i],
                           out[i * kForms + form], wanted[form]),
               1;
  }
  std::puts("PASS");
}
