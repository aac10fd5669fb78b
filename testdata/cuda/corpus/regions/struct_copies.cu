// Arrays of structs, copied whole and changed by member, in a stride over the grid: sizes from 1 to 72 bytes, alignments from 1 to 16,
// with padding, onto themselves, from shared memory, through a variable that is set in part.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

template <int Size, int Alignment>
struct alignas(Alignment) Bytes {
  unsigned char at[Size];
};

template <class T>
__global__ void copy(T* to, const T* from, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}

template <class T>
__global__ void rotate(T* to, const T* from, int n) {
  __shared__ T line[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < n) line[t] = from[i];
  __syncthreads();
  const int count = min(64, n - static_cast<int>(blockIdx.x) * 64);
  if (i < n) to[i] = line[(t + 1) % count];
}

template <class T>
__global__ void in_part(T* to, const T* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T one;
  one.at[0] = from[i].at[0];
  if (sizeof(one.at) > 2) one.at[2] = 9;
  to[i].at[0] = one.at[0];
  T two = one;
  if (sizeof(one.at) > 2) to[i].at[2] = two.at[2];
}

struct Point {
  float x, y, z;
};

__global__ void members(Point* points, const Point* others, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const Point other = others[i];
    points[i].y = points[i].x + 2 * other.z;
    points[i].x = other.x;
  }
}

__global__ void onto_itself(Point* points, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) points[i] = points[i];
}

int failures = 0;

void expect(const unsigned char* got, const std::vector<unsigned char>& want, const char* what, size_t size) {
  if (std::memcmp(got, want.data(), want.size()) != 0 && failures++ < 5)
    std::printf("FAIL %s of %zu bytes\n", what, size);
}

template <int Size, int Alignment>
void sizes(unsigned char* in, unsigned char* out, size_t room) {
  using T = Bytes<Size, Alignment>;
  constexpr int kMost = 300;
  const auto value = [](size_t byte) { return static_cast<unsigned char>(byte * 7 + byte / 251 + 1); };
  for (int n : {0, 1, 63, 64, 65, kMost}) {
    for (size_t i = 0; i < room; ++i) in[i] = value(i);
    std::vector<unsigned char> copied(room, 0x5c), rotated = copied, parts = copied;
    for (int i = 0; i < n; ++i) {
      const int block = i / 64 * 64, count = n - block < 64 ? n - block : 64;
      for (int b = 0; b < Size; ++b) {
        const size_t at = i * sizeof(T) + b;
        copied[at] = value(at);
        rotated[at] = value((block + (i - block + 1) % count) * sizeof(T) + b);
        if (b == 0) parts[at] = value(at);
        if (b == 2) parts[at] = 9;
      }
    }
    const auto run = [&](auto kernel, const char* what, std::vector<unsigned char>& want) {
      std::memset(out, 0x5c, room);
      kernel<<<(kMost + 63) / 64, 64>>>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), n);
      if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
      // Padding may be copied or left.
      for (size_t i = 0; i < room; ++i)
        if (i % sizeof(T) >= Size && i < n * sizeof(T)) want[i] = out[i];
      expect(out, want, what, sizeof(T));
    };
    run(copy<T>, "copy", copied);
    run(rotate<T>, "rotate", rotated);
    run(in_part<T>, "in_part", parts);
  }
}

void points() {
  constexpr int n = 333;
  Point *a, *b;
  cudaMallocManaged(&a, n * sizeof(Point));
  cudaMallocManaged(&b, n * sizeof(Point));
  for (int i = 0; i < n; ++i) a[i] = {i * 1.0f, i * 2.0f, i * 3.0f}, b[i] = {i * 5.0f, i * 7.0f, i * 11.0f};
  members<<<1, 96>>>(a, b, n);
  onto_itself<<<1, 96>>>(a, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    const bool is_right =
        a[i].x == i * 5.0f && a[i].y == i * 23.0f && a[i].z == i * 3.0f && b[i].z == i * 11.0f;
    if (!is_right && failures++ < 5) std::printf("FAIL point %d: %g %g %g\n", i, a[i].x, a[i].y, a[i].z);
  }
}

int main() {
  const size_t room = 301 * 80;
  unsigned char *in, *out;
  cudaMallocManaged(&in, room);
  cudaMallocManaged(&out, room);
  sizes<1, 1>(in, out, room);
  sizes<3, 1>(in, out, room);
  sizes<4, 1>(in, out, room);
  sizes<6, 2>(in, out, room);
  sizes<8, 4>(in, out, room);
  sizes<12, 4>(in, out, room);
  sizes<12, 16>(in, out, room);
  sizes<13, 1>(in, out, room);
  sizes<16, 16>(in, out, room);
  sizes<24, 8>(in, out, room);
  sizes<32, 16>(in, out, room);
  sizes<40, 8>(in, out, room);
  sizes<64, 16>(in, out, room);
  sizes<72, 8>(in, out, room);
  points();
  if (failures == 0) std::printf("PASS\n");
  return failures != 0;
}
