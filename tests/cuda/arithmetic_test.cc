// What kernels compute, bit by bit, beside the lines of an NVIDIA GPU: the programs of testdata/cuda/arithmetic.
//
//   CUSET_TEST_EXECUTOR=cpu|gpu   the executor (default: cpu); tests are skipped where the machine lacks it
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/lines.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

constexpr const char* kFolder = "testdata/cuda/arithmetic";
constexpr uint64_t kNan = ~uint64_t{0};

uint64_t from_hexadecimal(const std::string& text) {
  uint64_t bits = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  EXPECT_TRUE(read.ec == std::errc() && read.ptr == text.data() + text.size()) << text;
  return bits;
}

// Units in the last place that a function's result may be off by, out of its probe's name; 0 where it is exact.
int tolerance_of(const std::string& name) {
  constexpr std::string_view kWord = "_within_";
  const size_t at = name.find(kWord);
  return at == std::string::npos ? 0 : std::stoi(name.substr(at + kWord.size()));
}

// Numbers in their order, neighbors one apart.
template <typename Float, typename Bits>
int64_t place_of(uint64_t bits) {
  const auto number = static_cast<Bits>(bits);
  const auto magnitude = static_cast<int64_t>(number & ~(Bits{1} << (8 * sizeof(Bits) - 1)));
  return std::signbit(std::bit_cast<Float>(number)) ? -magnitude : magnitude;
}

// One unit beside the GPU's own tolerance is the host library's.
bool is_near(const std::string& name, uint64_t wanted, uint64_t found, int tolerance) {
  if (wanted == kNan || found == kNan) return false;
  const bool is_float = name.substr(0, name.find("_within_")).ends_with('f');
  const int64_t distance = is_float ? place_of<float, uint32_t>(wanted) - place_of<float, uint32_t>(found)
                                    : place_of<double, uint64_t>(wanted) - place_of<double, uint64_t>(found);
  return std::abs(distance) <= tolerance + 1;
}

void compare(const std::string& wanted, const std::string& found) {
  std::istringstream wanted_words(wanted), found_words(found);
  std::string name, found_name, wanted_bits, found_bits;
  wanted_words >> name;
  found_words >> found_name;
  ASSERT_EQ(found_name, name);
  name.pop_back();
  const int tolerance = tolerance_of(name);
  for (int i = 0; wanted_words >> wanted_bits; ++i) {
    ASSERT_TRUE(found_words >> found_bits) << name << ": result " << i << " is missing";
    if (found_bits == wanted_bits) continue;
    const bool is_right = tolerance > 0 && is_near(name, from_hexadecimal(wanted_bits),
                                                   from_hexadecimal(found_bits), tolerance);
    EXPECT_TRUE(is_right) << name << ": result " << i << " is " << found_bits << ", a GPU has "
                          << wanted_bits;
  }
}

class Arithmetic : public testing::TestWithParam<const char*> {};

TEST_P(Arithmetic, IsThatOfAGpu) {
  const TestExecutor made = make_test_executor(is_gpu_chosen());
  if (!made.executor) GTEST_SKIP() << "skipped: no executor here: " << made.absent;
  execute::BuildOptions options;
  options.include_folders = {std::filesystem::absolute(kFolder)};
  const std::filesystem::path source = std::filesystem::path(kFolder) / GetParam();
  const execute::Build build = made.executor->build(source, options);
  ASSERT_TRUE(build.done()) << build.messages;
  const base::TemporaryFolder folder;
  execute::RunOptions run_options;
  run_options.folder = folder.path();
  const execute::Run run = made.executor->run(build, run_options);
  std::filesystem::path lines = source;
  const std::string expected = base::read_file(lines.replace_extension(".txt"));
  const auto wanted = base::lines_of(expected);
  const auto found = base::lines_of(run.process.output);
  ASSERT_GE(found.size(), wanted.size()) << run.process.output;
  for (size_t i = 0; i < wanted.size(); ++i) compare(std::string(wanted[i]), std::string(found[i]));
}

INSTANTIATE_TEST_SUITE_P(Programs, Arithmetic,
                         testing::Values("conversions.cu", "dpx.cu", "floats.cu", "halves.cu", "integers.cu",
                                         "math.cu", "simd.cu"),
                         [](const testing::TestParamInfo<const char*>& program) {
                           return std::filesystem::path(program.param).stem().string();
                         });

}  // namespace
}  // namespace cuset::tests
