#include "verify/tasks/script/draws.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/repeatable_math.h"
#include "verify/tasks/bulk_draws.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

constexpr size_t kPieceSize = 2048;
constexpr double kBelowOne = 1 - 0x1p-24;
constexpr double kSmall = 0x1p-10;
constexpr double kLeast = 0x1p-24;  // of varied uniform draws, whose reciprocals and logarithms stay moderate
constexpr double kFarthest = 12;
constexpr double kHeavyDivisor = 1.30946082421;  // sqrt((240 * 1 + 15 * 9 + 1 * 64) / 256)
constexpr double kSmallRange = 16;

double power_of_two(double exponent) { return repeatable_exp(exponent * 0.69314718055994531); }

// number = change(number, random byte) for all.
template <typename Change>
void change_by_bytes(RandomStream stream, std::span<double> numbers, const Change& change) {
  std::array<uint8_t, kPieceSize> bytes;
  for (size_t begin = 0; begin < numbers.size(); begin += kPieceSize) {
    const size_t count = std::min(kPieceSize, numbers.size() - begin);
    fill_bytes(stream, std::span(bytes).first(count));
    for (size_t i = 0; i < count; ++i) numbers[begin + i] = change(numbers[begin + i], bytes[i]);
  }
}

template <typename Change>
void change_all(std::span<double> numbers, const Change& change) {
  for (double& number : numbers) number = change(number);
}

// Spreads draws u of [0, 1) as the variation says.
void spread(Variation variation, RandomStream& stream, std::span<double> numbers) {
  const double s = power_of_two(-3 * stream.uniform());  // in (1/8, 1]
  switch (variation) {
    case Variation::kPlain:
      return;
    case Variation::kScaled:
      return change_all(numbers, [s](double u) { return s * u; });
    case Variation::kShifted:
      return change_all(numbers, [s](double u) { return std::min((1 - s) + s * u, kBelowOne); });
    case Variation::kHeavyTailed:
      return change_all(numbers, [](double u) { return std::max((u * u) * (u * u), kLeast); });
    case Variation::kZerosAndSigns:
      return change_by_bytes(stream.child("zeros"), numbers, [](double u, uint8_t choice) {
        return choice % 4 == 0 ? std::max(u * kSmall, kLeast) : u;
      });
  }
}

double heavy_normal(double z, uint8_t choice) {
  const double factor = choice == 0 ? 8 : choice < 16 ? 3 : 1;
  return std::clamp(z * factor / kHeavyDivisor, -kFarthest, kFarthest);
}

}  // namespace

void Draws::uniform(std::span<double> numbers, bool coarse) {
  RandomStream stream = next_stream();
  fill_uniform(stream, coarse ? Width::kOneWord : Width::kTwoWords, numbers);
  if (coarse)
    change_all(numbers, [](double u) { return std::max(std::floor(u * 0x1p24) * 0x1p-24, 0x1p-25); });
  else
    change_all(numbers, [](double u) { return std::clamp(u, 0x1p-54, kBelowOne); });
  spread(variation_, stream, numbers);
}

void Draws::normal(std::span<double> numbers, bool coarse) {
  RandomStream stream = next_stream();
  const double scale = power_of_two(4 * stream.uniform() - 3);
  const double centre = (0.5 + 0.5 * stream.uniform()) * ((stream.next_u32() & 1) != 0 ? 1 : -1);
  fill_normal(stream, coarse ? Width::kOneWord : Width::kTwoWords, numbers);
  switch (variation_) {
    case Variation::kPlain:
      return;
    case Variation::kScaled:
      return change_all(numbers, [=](double z) { return scale * z; });
    case Variation::kShifted:
      return change_all(numbers, [=](double z) { return centre + z; });
    case Variation::kHeavyTailed:
      return change_by_bytes(stream.child("tails"), numbers, heavy_normal);
    case Variation::kZerosAndSigns:
      return change_by_bytes(stream.child("zeros"), numbers,
                             [](double z, uint8_t choice) { return choice % 4 == 0 ? 0.0 : z; });
  }
}

void Draws::integers(std::span<double> numbers, double low, double high) {
  const double range = high - low;
  if (!(range >= 1) || std::abs(low) > 0x1p53 || std::abs(high) > 0x1p53)
    throw Failure("random whole numbers from {} to {}", low, high);
  RandomStream stream = next_stream();
  fill_uniform(stream, Width::kTwoWords, numbers);
  const Variation variation = range <= kSmallRange ? Variation::kPlain : variation_;
  const bool zeros = variation == Variation::kZerosAndSigns;
  if (!zeros) spread(variation, stream, numbers);
  change_all(numbers, [=](double u) { return low + std::min(std::floor(u * range), range - 1); });
  const double centre = low <= 0 && 0 < high ? 0 : low;
  if (zeros)
    change_by_bytes(stream.child("zeros"), numbers,
                    [=](double number, uint8_t choice) { return choice % 4 == 0 ? centre : number; });
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
