#include "verify/tasks/script/draws.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/repeatable_math.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

constexpr size_t kWords = 4096;
constexpr double kBelowOne = 1 - 0x1p-24;
constexpr double kSmall = 0x1p-10;
constexpr double kLeast = 0x1p-24;  // of varied uniform draws, whose reciprocals and logarithms stay moderate
constexpr double kFarthest = 12;
constexpr double kHeavyDivisor = 1.30946082421;  // sqrt((240 * 1 + 15 * 9 + 1 * 64) / 256)
constexpr double kSmallRange = 16;

// numbers[i] = make(word pair i).
template <typename Make>
void fill(RandomStream& stream, std::span<double> numbers, const Make& make) {
  std::array<uint32_t, kWords> words;
  for (size_t begin = 0; begin < numbers.size(); begin += kWords / 2) {
    const size_t count = std::min(kWords / 2, numbers.size() - begin);
    stream.fill({words.data(), 2 * count});
    for (size_t i = 0; i < count; ++i)
      numbers[begin + i] = make(uint64_t{words[2 * i + 1]} << 32 | words[2 * i]);
  }
}

double fine_uniform(uint64_t bits) { return std::min((static_cast<double>(bits >> 11) + 0.5) * 0x1p-53, kBelowOne); }

double coarse_uniform(uint64_t bits) { return std::max(static_cast<double>(bits >> 40) * 0x1p-24, 0x1p-25); }

double normal_of(uint64_t bits) {
  const double size = normal_upper_quantile((static_cast<double>(bits >> 1) + 0.5) * 0x1p-64);
  return (bits & 1) != 0 ? size : -size;
}

// The lowest bits of a draw change its value by less than it is rounded: they serve for choices.
uint64_t choice_of(uint64_t bits, uint64_t mask) { return bits >> 1 & mask; }

double heavy_normal(uint64_t bits) {
  const uint64_t odds = choice_of(bits, 0xFF);
  const double factor = odds == 0 ? 8 : odds < 16 ? 3 : 1;
  return std::clamp(normal_of(bits) * factor / kHeavyDivisor, -kFarthest, kFarthest);
}

double power_of_two(double exponent) { return repeatable_exp(exponent * 0.69314718055994531); }

// Calls use(f) with the change f(u, bits) that a variation makes to a uniform draw.
template <typename Use>
void with_spread(Variation variation, RandomStream& stream, const Use& use) {
  const double s = power_of_two(-3 * stream.uniform());  // in (1/8, 1]
  switch (variation) {
    case Variation::kPlain: return use([](double u, uint64_t) { return u; });
    case Variation::kScaled: return use([s](double u, uint64_t) { return s * u; });
    case Variation::kShifted: return use([s](double u, uint64_t) { return std::min((1 - s) + s * u, kBelowOne); });
    case Variation::kHeavyTailed: return use([](double u, uint64_t) { return std::max((u * u) * (u * u), kLeast); });
    case Variation::kZerosAndSigns:
      return use([](double u, uint64_t bits) { return choice_of(bits, 3) == 0 ? std::max(u * kSmall, kLeast) : u; });
  }
}

}  // namespace

void Draws::uniform(std::span<double> numbers, bool coarse) {
  RandomStream stream = next_stream();
  with_spread(variation_, stream, [&](const auto& spread) {
    fill(stream, numbers, [&](uint64_t bits) { return spread(coarse ? coarse_uniform(bits) : fine_uniform(bits), bits); });
  });
}

void Draws::normal(std::span<double> numbers) {
  RandomStream stream = next_stream();
  const double scale = power_of_two(4 * stream.uniform() - 3);
  const double centre = (0.5 + 0.5 * stream.uniform()) * ((stream.next_u32() & 1) != 0 ? 1 : -1);
  switch (variation_) {
    case Variation::kPlain: return fill(stream, numbers, normal_of);
    case Variation::kScaled: return fill(stream, numbers, [=](uint64_t bits) { return scale * normal_of(bits); });
    case Variation::kShifted: return fill(stream, numbers, [=](uint64_t bits) { return centre + normal_of(bits); });
    case Variation::kHeavyTailed: return fill(stream, numbers, heavy_normal);
    case Variation::kZerosAndSigns:
      return fill(stream, numbers, [](uint64_t bits) { return choice_of(bits, 3) == 0 ? 0.0 : normal_of(bits); });
  }
}

void Draws::integers(std::span<double> numbers, double low, double high) {
  const double range = high - low;
  if (!(range >= 1) || std::abs(low) > 0x1p53 || std::abs(high) > 0x1p53)
    throw Failure("random whole numbers from {} to {}", low, high);
  RandomStream stream = next_stream();
  const Variation variation = range <= kSmallRange ? Variation::kPlain : variation_;
  const double centre = low <= 0 && 0 < high ? 0 : low;
  with_spread(variation, stream, [&](const auto& spread) {
    fill(stream, numbers, [&](uint64_t bits) {
      if (variation == Variation::kZerosAndSigns && choice_of(bits, 3) == 0) return centre;
      const double u = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
      return low + std::min(std::floor(spread(u, bits | 2) * range), range - 1);
    });
  });
}

std::vector<size_t> Draws::permutation(size_t n) { return next_stream().permutation(n); }

std::vector<size_t> Draws::choice(size_t count, size_t n, bool replace) {
  if (n == 0 || (!replace && count > n)) throw Failure("a choice of {} among {}", count, n);
  RandomStream stream = next_stream();
  if (!replace) return stream.sample_without_replacement(count, n);
  std::vector<size_t> result(count);
  for (size_t& each : result) each = stream.below(n);
  return result;
}

std::vector<size_t> Draws::weighted_choice(size_t count, std::span<const double> weights) {
  std::vector<double> sums;
  double total = 0;
  for (const double weight : weights) sums.push_back(total += weight);
  if (!(total > 0)) throw Failure("a choice with weights that sum to {}", total);
  RandomStream stream = next_stream();
  std::vector<size_t> result(count);
  for (size_t& each : result) {
    const auto found = std::upper_bound(sums.begin(), sums.end(), stream.uniform() * total);
    each = std::min<size_t>(static_cast<size_t>(found - sums.begin()), weights.size() - 1);
  }
  return result;
}

}  // namespace cuset::script
