// Speed of the random streams and of the Kolmogorov-Smirnov test.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "base/stats/intervals.h"
#include "base/stats/kolmogorov_smirnov.h"
#include "base/stats/random.h"

namespace cuset::bench {
namespace {

std::vector<double> normals(size_t count, double shift, const char* name) {
  base::RandomStream stream(1, name);
  std::vector<double> values(count);
  for (double& x : values) x = stream.normal() + shift;
  return values;
}

void count_bytes(benchmark::State& state, size_t per_iteration) {
  state.SetBytesProcessed(static_cast<int64_t>(static_cast<size_t>(state.iterations()) * per_iteration));
}

void mersenne_twister_u64(benchmark::State& state) {
  std::mt19937_64 engine(1);
  for (auto _ : state) benchmark::DoNotOptimize(engine());
  count_bytes(state, 8);
}
BENCHMARK(mersenne_twister_u64);

void philox_u64(benchmark::State& state) {
  base::RandomStream stream(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(stream.next_u64());
  count_bytes(state, 8);
}
BENCHMARK(philox_u64);

void philox_fill(benchmark::State& state) {
  base::RandomStream stream(1, "bench");
  std::vector<uint32_t> words(1 << 14);
  for (auto _ : state) {
    stream.fill(words);
    benchmark::DoNotOptimize(words.data());
    benchmark::ClobberMemory();
  }
  count_bytes(state, words.size() * 4);
}
BENCHMARK(philox_fill);

void philox_normal(benchmark::State& state) {
  base::RandomStream stream(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(stream.normal());
}
BENCHMARK(philox_normal);

void standard_normal_of_mersenne_twister(benchmark::State& state) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> distribution;
  for (auto _ : state) benchmark::DoNotOptimize(distribution(engine));
}
BENCHMARK(standard_normal_of_mersenne_twister);

// Two samples of `range` values each; exact up to 10,000.
void smirnov(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  const std::vector<double> a = normals(size, 0, "a");
  const std::vector<double> b = normals(size, 0.01, "b");
  for (auto _ : state) benchmark::DoNotOptimize(base::smirnov_test(a, b).p_value);
}
BENCHMARK(smirnov)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// Exact with p far below the range of double, where the wide numbers are needed.
void smirnov_wide(benchmark::State& state) {
  const std::vector<double> a = normals(10'000, 0, "a");
  const std::vector<double> b = normals(10'000, 1.5, "b");
  for (auto _ : state) benchmark::DoNotOptimize(base::smirnov_test(a, b).log_p_value);
}
BENCHMARK(smirnov_wide)->Unit(benchmark::kMillisecond);

// 250 tasks, 10,000 resamples.
void bootstrap_250(benchmark::State& state) {
  const std::vector<double> values = normals(250, 0, "a");
  const base::RandomStream stream(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(base::bootstrap_mean(values, stream).interval.low);
}
BENCHMARK(bootstrap_250)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuset::bench

BENCHMARK_MAIN();
