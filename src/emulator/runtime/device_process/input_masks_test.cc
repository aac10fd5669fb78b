#include "runtime/device_process/input_masks.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cuset_emulator {
namespace {

template <class T>
std::vector<char> bytes_of(const std::vector<T>& numbers) {
  std::vector<char> bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::vector<float> series(int count, float first, float step) {
  std::vector<float> numbers;
  for (int i = 0; i < count; ++i)
    numbers.push_back(first + step * static_cast<float>(i * i % 97) + static_cast<float>(i));
  return numbers;
}

const std::vector<float> kShown = series(64, 1, 0.37f);
const std::vector<float> kReal = series(64, -900, 0.11f);

InputMasks masks() { return InputMasks({{bytes_of(kShown), bytes_of(kReal), "float32"}}); }

template <class T>
std::vector<char> replaced(const std::vector<T>& numbers) {
  std::vector<char> bytes = bytes_of(numbers);
  masks().replace(bytes);
  return bytes;
}

TEST(InputMasks, WholeInputBecomesTheRealOne) { EXPECT_EQ(replaced(kShown), bytes_of(kReal)); }

TEST(InputMasks, InputBetweenGuardsIsFound) {
  std::vector<float> shown(10, 7.5f), real(10, 7.5f);
  shown.insert(shown.end(), kShown.begin(), kShown.end());
  real.insert(real.end(), kReal.begin(), kReal.end());
  EXPECT_EQ(replaced(shown), bytes_of(real));
}

TEST(InputMasks, PartsOfAnInputAreFound) {
  EXPECT_EQ(replaced(std::vector<float>(kShown.begin() + 13, kShown.begin() + 40)),
            bytes_of(std::vector<float>(kReal.begin() + 13, kReal.begin() + 40)));
}

TEST(InputMasks, RearrangedElementsAreFound) {
  std::vector<float> shown, real;
  for (int i = 0; i < 64; ++i) {
    shown.push_back(kShown[static_cast<size_t>(i * 27 % 64)]);
    real.push_back(kReal[static_cast<size_t>(i * 27 % 64)]);
  }
  EXPECT_EQ(replaced(shown), bytes_of(real));
}

TEST(InputMasks, RearrangedElementsStayWhereThatIsTheTask) {
  InputMasks unbroken({{bytes_of(kShown), bytes_of(kReal), "float32"}}, InputMasks::Recognized::kUnbroken);
  const std::vector<float> turned(kShown.rbegin(), kShown.rend());
  std::vector<char> bytes = bytes_of(turned);
  unbroken.replace(bytes);
  EXPECT_EQ(bytes, bytes_of(turned));
}

TEST(InputMasks, ConvertedElementsAreFound) {
  EXPECT_EQ(replaced(std::vector<double>(kShown.begin(), kShown.end())),
            bytes_of(std::vector<double>(kReal.begin(), kReal.end())));
}

TEST(InputMasks, ComputedElementsStay) {
  std::vector<float> squares;
  for (const float number : kShown) squares.push_back(number * number);
  EXPECT_EQ(replaced(squares), bytes_of(squares));
}

TEST(InputMasks, FillingsStay) {
  const std::vector<float> zeros(64, 0.0f);
  InputMasks with_zeros({{bytes_of(std::vector<float>(32, 0.0f)), bytes_of(kReal), "float32"}});
  std::vector<char> bytes = bytes_of(zeros);
  EXPECT_EQ(with_zeros.replace(bytes), 0u);
  EXPECT_EQ(bytes, bytes_of(zeros));
}

}  // namespace
}  // namespace cuset_emulator
