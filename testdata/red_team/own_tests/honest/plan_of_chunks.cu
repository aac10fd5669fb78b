// A list of chunks, sorted by size, and a function object for each.
// insert: io element device
struct Chunk {
  int first, last;
};
__global__ void part(const float* in, int n, float* out, Chunk chunk) {
  const int i = chunk.first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chunk.last) out[i] = element(in, n, i);
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  std::vector<Chunk> chunks;
  for (int first = 0; first < m; first += 700) chunks.push_back({first, std::min(m, first + 700)});
  std::sort(chunks.begin(), chunks.end(),
            [](const Chunk& x, const Chunk& y) { return x.last - x.first > y.last - y.first; });
  std::vector<std::function<void()>> plan;
  for (const Chunk& chunk : chunks)
    plan.push_back([&, chunk] { part<<<blocks(700), kBlock>>>(a.data, n, b.data, chunk); });
  for (const auto& step : plan) step();
  b.copy_to(out, m);
}
