#include "ops/cached_attention.h"

#include "ops/attention.h"
#include "ops/rms_norm.h"
#include "ops/swiglu.h"
#include "support/test_tensors.h"

#include <numeric>

namespace cuset::ops {
namespace {

struct Shape {
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
};

RotaryAngles angles_of(int64_t positions, int64_t dim, torch::Device device) {
  const auto frequencies = torch::pow(0.3, torch::arange(dim / 2, torch::kFloat64)).to(device);
  return rotary_angles(frequencies,
                       torch::arange(positions, torch::TensorOptions(torch::kInt64).device(device)));
}

CachePlaces places_of(const std::vector<int64_t>& slots, const std::vector<int64_t>& positions,
                      torch::Device device) {
  return {torch::tensor(slots, torch::kInt64).to(device), torch::tensor(positions, torch::kInt64).to(device),
          *std::max_element(positions.begin(), positions.end()) + 1};
}

KeyValueCache random_cache(const Shape& shape, int64_t slots, int64_t positions,
                           const support::Place& place) {
  const auto drawn = [&] {
    return torch::randn({slots, shape.kv_heads, positions, shape.dim}).to(place.device, place.type);
  };
  return {drawn(), drawn()};
}

torch::Tensor exact(const torch::Tensor& x) { return x.defined() ? x.to(torch::kCPU, torch::kFloat64) : x; }

TEST(CachedAttention, ReferenceEqualsAttentionOverTheWholeSequence) {
  torch::manual_seed(1);
  const auto q = torch::randn({20, 6, 10}, torch::kFloat64);
  const auto k = torch::randn({20, 2, 10}, torch::kFloat64), v = torch::randn({20, 2, 10}, torch::kFloat64);
  const auto cache_of = [](const torch::Tensor& x) {  // slot 1 holds it
    const auto one = x.transpose(0, 1).unsqueeze(0);
    return torch::cat({torch::zeros_like(one), one}).contiguous();
  };
  const auto wanted = attention_reference(q, k, v, make_segments({20}, torch::kCPU), 0.3);
  const auto places = places_of({1, 1, 0}, {19, 4, -1}, torch::kCPU);
  const auto y =
      cached_attention_reference(torch::stack({q[19], q[4], q[0]}), places, {cache_of(k), cache_of(v)}, 0.3);
  EXPECT_LT(support::relative_error(y[0], wanted[19]), 1e-13);
  EXPECT_LT(support::relative_error(y[1], wanted[4]), 1e-13);
  EXPECT_EQ(y[2].abs().sum().item<double>(), 0);
}

TEST(CachedAttention, ReferenceHasTheSameWindowsAsAttention) {
  torch::manual_seed(1);
  const auto q = torch::randn({20, 6, 10}, torch::kFloat64);
  const auto k = torch::randn({20, 2, 10}, torch::kFloat64), v = torch::randn({20, 2, 10}, torch::kFloat64);
  const auto cache_of = [](const torch::Tensor& x) { return x.transpose(0, 1).unsqueeze(0).contiguous(); };
  std::vector<int64_t> slots(20, 0), positions(20);
  std::iota(positions.begin(), positions.end(), 0);
  for (const int64_t window : {1, 7, 20, 30}) {
    const auto wanted = attention_reference(q, k, v, make_segments({20}, torch::kCPU), {0.3, window});
    const auto y = cached_attention_reference(q, places_of(slots, positions, torch::kCPU),
                                              {cache_of(k), cache_of(v)}, {0.3, window});
    EXPECT_LT(support::relative_error(y, wanted), 1e-13) << window;
  }
}

void compare_storing(const Shape& shape, const support::Place& place, bool norms) {
  torch::manual_seed(2);
  const auto cache = random_cache(shape, 3, 50, place);
  const KeyValueCache oracle{exact(cache.keys).clone(), exact(cache.values).clone()};
  const auto qkv =
      torch::randn({4, (shape.heads + 2 * shape.kv_heads) * shape.dim}).to(place.device, place.type);
  HeadTransform transform{.epsilon = 1e-6, .angles = angles_of(50, shape.dim, place.device)};
  if (norms) {
    transform.q_norm = torch::randn({shape.dim}).to(place.device, place.type);
    transform.k_norm = torch::randn({shape.dim}).to(place.device, place.type);
  }
  const auto q =
      store_keys_values(qkv, transform, places_of({2, 0, 2, 1}, {7, 49, 8, -1}, place.device), cache);
  const HeadTransform exactly{exact(transform.q_norm), exact(transform.k_norm), 1e-6,
                              angles_of(50, shape.dim, torch::kCPU)};
  const auto wanted = store_keys_values_reference(
      exact(qkv), exactly, places_of({2, 0, 2, 1}, {7, 49, 8, -1}, torch::kCPU), oracle);
  EXPECT_LT(support::relative_error(q.narrow(0, 0, 3), wanted.narrow(0, 0, 3)), place.limit);
  EXPECT_LT(support::relative_error(cache.keys, oracle.keys), place.limit);
  EXPECT_LT(support::relative_error(cache.values, oracle.values), place.limit);
}

void compare_attention(const Shape& shape, const support::Place& place, int64_t longest, int64_t window = 0) {
  torch::manual_seed(3);
  const auto cache = random_cache(shape, 4, longest, place);
  const std::vector<int64_t> slots = {3, 0, 1, 2, 2},
                             positions = {0, longest - 1, longest / 2, -1, longest / 3};
  const auto q = torch::randn({5, shape.heads, shape.dim}).to(place.device, place.type);
  const AttentionScores scores(0.2, window);
  const auto y = cached_attention(q, places_of(slots, positions, place.device), cache, scores);
  const auto wanted = cached_attention_reference(exact(q), places_of(slots, positions, torch::kCPU),
                                                 {exact(cache.keys), exact(cache.values)}, scores);
  EXPECT_LT(support::relative_error(y, wanted), place.limit)
      << shape.heads << " " << shape.dim << " " << longest << " " << window;
  EXPECT_EQ(y[3].abs().sum().item<double>(), 0);

  // The same token among others, in another place.
  const auto one =
      cached_attention(q.narrow(0, 2, 1), places_of({1}, {longest / 2}, place.device), cache, scores);
  EXPECT_TRUE(torch::equal(one[0], y[2]));
}

void compare_run(const Shape& shape, const support::Place& place, int64_t position, int64_t tokens,
                 int64_t window = 0) {
  torch::manual_seed(4);
  const auto cache = random_cache(shape, 2, position + tokens + 3, place);
  const auto q = torch::randn({tokens + 5, shape.heads, shape.dim}).to(place.device, place.type);
  std::vector<int64_t> slots(static_cast<size_t>(tokens) + 5, 1),
      positions(static_cast<size_t>(tokens) + 5, -1);
  for (int64_t t = 0; t < tokens; ++t) positions[static_cast<size_t>(t)] = position + t;
  const auto y =
      cached_run_attention(q, places_of(slots, positions, place.device),
                           make_cache_run(1, position, tokens, place.device), cache, {0.2, window});
  const auto wanted = cached_attention_reference(exact(q), places_of(slots, positions, torch::kCPU),
                                                 {exact(cache.keys), exact(cache.values)}, {0.2, window});
  EXPECT_LT(support::relative_error(y.narrow(0, 0, tokens), wanted.narrow(0, 0, tokens)), place.limit)
      << shape.dim << " " << position << " " << tokens;
}

void compare_between_blocks(const support::Place& place, int64_t rows, int64_t width) {
  torch::manual_seed(5);
  const auto drawn = [&](at::IntArrayRef shape) { return torch::randn(shape).to(place.device, place.type); };
  auto x = drawn({rows, width});
  const auto before = exact(x).clone();
  const auto delta = drawn({rows, width}), weight = drawn({width}), gate_up = drawn({rows, 2 * width});
  const auto y = residual_norm(x, delta, weight, 1e-6);
  const auto sum = before + exact(delta);
  EXPECT_LT(support::relative_error(x, sum), place.limit);
  EXPECT_LT(support::relative_error(y, rms_norm_reference(sum, exact(weight), 1e-6)), place.limit);
  const auto halves = exact(gate_up).chunk(2, 1);
  EXPECT_LT(support::relative_error(swiglu_joined(gate_up), halves[0] * halves[0].sigmoid() * halves[1]),
            place.limit);
}

const Shape kShapes[] = {{6, 2, 10}, {28, 4, 128}, {3, 3, 64}, {24, 2, 32}, {1, 1, 256}, {5, 1, 2}};

TEST(CachedAttention, CpuEqualsTheReference) {
  for (const support::Place& place : support::cpu_places()) {
    for (const bool norms : {false, true}) compare_storing(kShapes[0], place, norms);
    compare_attention(kShapes[0], place, 33);
    compare_attention(kShapes[0], place, 33, 9);
    compare_run(kShapes[0], place, 3, 9);
    compare_run(kShapes[0], place, 3, 9, 5);
    compare_between_blocks(place, 3, 20);
  }
}

TEST(CachedAttentionGpu, StoringEqualsTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    for (const Shape& shape : kShapes) {
      for (const bool norms : {false, true}) compare_storing(shape, place, norms);
    }
  }
}

TEST(CachedAttentionGpu, AttentionEqualsTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    for (const Shape& shape : kShapes) {
      for (const int64_t longest : {3, 127, 128, 129, 1000}) compare_attention(shape, place, longest);
      for (const int64_t window : {1, 127, 128, 129, 300}) compare_attention(shape, place, 1000, window);
    }
  }
}

TEST(CachedAttentionGpu, RunsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    for (const Shape& shape : kShapes) {
      compare_run(shape, place, 0, 70);
      compare_run(shape, place, 131, 70);
      compare_run(shape, place, 300, 2);
      compare_run(shape, place, 131, 70, 33);
      compare_run(shape, place, 300, 2, 128);
    }
  }
}

TEST(CachedAttentionGpu, SumsAndGatesEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare_between_blocks(place, 1, 3584);
    compare_between_blocks(place, 64, 20);
    compare_between_blocks(place, 7, 33);
  }
}

}  // namespace
}  // namespace cuset::ops
