#include "gym/noise.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "base/error.h"
#include "cuda_source/lexer.h"
#include "gym/task_source.h"
#include "judge/audit/mutants.h"

namespace cuset::gym {
namespace {

// The program's tokens without comments.
std::string code_of(const std::string& source) {
  std::string text;
  for (const cuda_source::Token& token : cuda_source::lex(source))
    if (token.kind != cuda_source::TokenKind::kComment) text += cuda_source::spelling(source, token) + " ";
  return text;
}

class NoisyProgram : public testing::TestWithParam<uint64_t> {
 protected:
  GymTask task_ = TaskSource({4, GymSplit::kTrain, {}}).task(GetParam());
  GymProgram program_ =
      write_program(task_, task_.draft.solutions[0], base::RandomStream(GetParam(), "program"));
  base::RandomStream stream_ = base::RandomStream(GetParam(), "noise");
};

TEST_P(NoisyProgram, WithoutNoiseIsTheProgram) {
  EXPECT_EQ(with_noise(program_, Noise::kNone, stream_), program_.text);
}

TEST_P(NoisyProgram, WrongDiffersInItsCode) {
  EXPECT_NE(code_of(with_noise(program_, Noise::kWrong, stream_)), code_of(program_.text));
}

TEST_P(NoisyProgram, VerboseIsLonger) {
  EXPECT_GT(with_noise(program_, Noise::kVerbose, stream_).size(), program_.text.size() + 200);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Every line of the program is there, in order; nothing is added before main but at the top, so that kernels stay
// whole.
TEST_P(NoisyProgram, AroundOnlyAddsLines) {
  const std::string around = with_noise(program_, Noise::kAround, stream_);
  const std::vector<std::string> before = lines_of(program_.text), after = lines_of(around);
  EXPECT_GT(after.size(), before.size() + 2);
  size_t found = 0;
  for (const std::string& line : after)
    if (found < before.size() && line == before[found]) ++found;
  EXPECT_EQ(found, before.size()) << around;
  const size_t kernels = program_.text.find("\n\n"), main = program_.text.find("int main");
  EXPECT_NE(around.find(program_.text.substr(kernels, main - kernels)), std::string::npos) << around;
  const auto other = with_noise(program_, Noise::kAround, stream_.child("other"));
  EXPECT_NE(around, other);
}

TEST_P(NoisyProgram, OddStyleKeepsFiles) {
  const std::string odd = with_noise(program_, Noise::kOddStyle, stream_);
  EXPECT_NE(odd, program_.text);
  for (const tasks::TaskOutput& output : task_.task.outputs)
    EXPECT_NE(odd.find("data/" + output.name + ".bin"), std::string::npos) << odd;
}

// The change of a wrong program is none that sizes or the order of threads may hide; a copy that is left out
// leaves no line behind.
TEST_P(NoisyProgram, WrongIsACertainMutant) {
  for (const GymSolution& solution : task_.draft.solutions) {
    const GymProgram program = write_program(task_, solution, base::RandomStream(GetParam(), solution.style));
    std::set<std::string> certain;
    for (const judge::Mutant& mutant : judge::mutants_of(program.text, 99))
      if (mutant.certain) certain.insert(mutant.source);
    std::set<std::string> seen;
    for (uint64_t k = 0; k < 20; ++k) {
      const std::string text = with_noise(program, Noise::kWrong, stream_.child(k));
      EXPECT_TRUE(certain.contains(text) || text.size() < program.text.size()) << text;
      seen.insert(text);
    }
    EXPECT_GE(seen.size(), 3u) << solution.style;
  }
}

INSTANTIATE_TEST_SUITE_P(Gym, NoisyProgram, testing::Range<uint64_t>(0, 12));

TEST(Noise, OddStyleRenamesNoMember) {
  size_t members = 0;
  for (uint64_t number = 0; number < 200; ++number) {
    const GymTask task = TaskSource({5, GymSplit::kTrain, {}}).task(number);
    const GymProgram program =
        write_program(task, task.draft.solutions[0], base::RandomStream(number, "program"));
    const std::string odd = with_noise(program, Noise::kOddStyle, base::RandomStream(number, "noise"));
    for (size_t at = odd.find("Idx."); at != std::string::npos; at = odd.find("Idx.", at + 1)) {
      EXPECT_NE(std::string("xyz").find(odd[at + 4]), std::string::npos) << odd.substr(at - 5, 30);
      EXPECT_EQ(std::isalnum(static_cast<unsigned char>(odd[at + 5])), 0) << odd.substr(at - 5, 30);
      ++members;
    }
  }
  EXPECT_GT(members, 200u);
}

TEST(Noise, SharesAreAsAsked) {
  base::RandomStream stream(1, "shares");
  int counts[5] = {};
  for (int i = 0; i < 10000; ++i) ++counts[static_cast<int>(draw_noise(0.3, {}, stream))];
  EXPECT_NEAR(counts[0], 7000, 200);
  EXPECT_NEAR(counts[1], 1800, 150);
  EXPECT_NEAR(counts[2], 600, 100);
  EXPECT_NEAR(counts[3], 600, 100);
  EXPECT_EQ(counts[4], 0);
}

TEST(Noise, KindsHaveParts) {
  const NoiseMix mix = noise_mix({"around:3", "wrong"});
  base::RandomStream stream(1, "kinds");
  int counts[5] = {};
  for (int i = 0; i < 10000; ++i) ++counts[static_cast<int>(draw_noise(1, mix, stream))];
  EXPECT_NEAR(counts[4], 7500, 200);
  EXPECT_NEAR(counts[1], 2500, 200);
}

TEST(Noise, UnknownKindsAreRefused) {
  for (const char* kind :
       {"", "none", "loud", "wrong:", "wrong:0", "wrong:-1", "wrong:1.5", "wrong:2000", "wrong:1:1"})
    EXPECT_THROW(noise_mix({kind}), base::UsageError) << kind;
  EXPECT_THROW(noise_mix({}), base::UsageError);
}

}  // namespace
}  // namespace cuset::gym
