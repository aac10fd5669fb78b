// __vibmax and __vibmin: the larger or smaller of two words or halves, and which of them it is.
#include <cstdio>

struct Choice {
  int value;
  bool first;
};

__global__ void choose(const int* a, const int* b, Choice* wide, unsigned int* halves, bool* which, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  wide[4 * i].value = __vibmax_s32(a[i], b[i], &wide[4 * i].first);
  wide[4 * i + 1].value = __vibmin_s32(a[i], b[i], &wide[4 * i + 1].first);
  const unsigned int x = a[i], y = b[i];
  wide[4 * i + 2].value = static_cast<int>(__vibmax_u32(x, y, &wide[4 * i + 2].first));
  wide[4 * i + 3].value = static_cast<int>(__vibmin_u32(x, y, &wide[4 * i + 3].first));
  halves[4 * i] = __vibmax_s16x2(x, y, &which[8 * i], &which[8 * i + 1]);
  halves[4 * i + 1] = __vibmin_s16x2(x, y, &which[8 * i + 2], &which[8 * i + 3]);
  halves[4 * i + 2] = __vibmax_u16x2(x, y, &which[8 * i + 4], &which[8 * i + 5]);
  halves[4 * i + 3] = __vibmin_u16x2(x, y, &which[8 * i + 6], &which[8 * i + 7]);
}

// Whether a is chosen of operation 0 to 3: signed largest, signed smallest, unsigned largest, unsigned smallest.
template <class Signed, class Unsigned>
bool takes_first(int operation, Signed a, Signed b) {
  if (operation < 2) return operation == 0 ? a >= b : a <= b;
  const Unsigned x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
  return operation == 2 ? x >= y : x <= y;
}

int main() {
  const int n = 6;
  const int first[n] = {5, -5, 0x0001ffff, -1, 0x70008000, 7},
            second[n] = {3, 4, 0x0001fffe, 1, static_cast<int>(0x80007000u), 7};
  int *a, *b;
  Choice* wide;
  unsigned int* halves;
  bool* which;
  cudaMallocManaged(&a, n * sizeof(int));
  cudaMallocManaged(&b, n * sizeof(int));
  cudaMallocManaged(&wide, 4 * n * sizeof(Choice));
  cudaMallocManaged(&halves, 4 * n * sizeof(unsigned int));
  cudaMallocManaged(&which, 8 * n * sizeof(bool));
  for (int i = 0; i < n; ++i) a[i] = first[i], b[i] = second[i];
  choose<<<1, 32>>>(a, b, wide, halves, which, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int operation = 0; operation < 4; ++operation) {
      const bool takes = takes_first<int, unsigned int>(operation, a[i], b[i]);
      const Choice& got = wide[4 * i + operation];
      if (got.first != takes || got.value != (takes ? a[i] : b[i]))
        return std::printf("FAIL word %d of pair %d\n", operation, i), 1;
      unsigned int wanted = 0;
      for (int half = 0; half < 2; ++half) {
        const short x = static_cast<short>(a[i] >> 16 * (1 - half)),
                    y = static_cast<short>(b[i] >> 16 * (1 - half));
        const bool chosen = takes_first<short, unsigned short>(operation, x, y);
        if (which[8 * i + 2 * operation + half] != chosen)
          return std::printf("FAIL predicate %d of pair %d\n", operation, i), 1;
        wanted = wanted << 16 | static_cast<unsigned short>(chosen ? x : y);
      }
      if (halves[4 * i + operation] != wanted)
        return std::printf("FAIL halves %d of pair %d\n", operation, i), 1;
    }
  std::puts("PASS");
}
