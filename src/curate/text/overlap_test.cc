#include "curate/text/overlap.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::curate {
namespace {

class OverlapOfFiles : public testing::Test {
 protected:
  Overlap measure(const std::vector<base::Json>& training, const std::vector<base::Json>& held_out) {
    return measure_overlap(write("train.jsonl", training), write("held_out.jsonl", held_out));
  }

  std::filesystem::path write(const char* name, const std::vector<base::Json>& records) {
    std::string text;
    for (const base::Json& record : records) text += base::to_json_line(record) + "\n";
    base::write_file_atomic(folder_ / name, text);
    return folder_ / name;
  }

  static base::Json sample(const std::string& prompt, const std::string& response) {
    return {{"prompt", prompt}, {"response", response}};
  }

  base::TemporaryFolder folder_;
};

constexpr const char* kKernel =
    "__global__ void add(const float* a, float* b, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) b[i] += a[i];\n}\nint main() { add<<<4, 64>>>(0, 0, 250); }\n";

TEST_F(OverlapOfFiles, CommentsAndWhiteSpaceHideNoRepetition) {
  std::string changed = std::string("// a comment\n") + kKernel;
  changed.insert(changed.find("if"), "\n\n");
  const Overlap overlap = measure({sample("Add a  and b", kKernel)}, {sample("add a and B", changed)});
  EXPECT_EQ(overlap.prompts.repeated, 1u);
  EXPECT_EQ(overlap.programs.repeated, 1u);
  EXPECT_EQ(overlap.programs.overlap, std::vector<double>{1});
}

TEST_F(OverlapOfFiles, HostCodeDoesNotCount) {
  std::string other = kKernel;
  other.replace(other.find("b[i] += a[i]"), 12, "b[i] = 3 * a[i] - b[i] * b[i]");
  other.replace(other.find("(0, 0, 250)"), 11, "(0, 0, 999)");
  const OverlapOfTexts programs = measure({sample("p", kKernel)}, {sample("q", other)}).programs;
  EXPECT_EQ(programs.repeated, 0u);
  ASSERT_EQ(programs.overlap.size(), 1u);
  EXPECT_GT(programs.overlap[0], 0.2);
  EXPECT_LT(programs.overlap[0], 0.9);
}

TEST_F(OverlapOfFiles, OneTrainingTextMustHoldTheRuns) {
  const std::string words = "one two three four five six seven eight nine ten eleven twelve thirteen";
  const std::string more = "a b c d e f g h i j k l m";
  const OverlapOfTexts prompts =
      measure({sample(words, "x"), sample(more, "x")}, {sample(words + " " + more, "x")}).prompts;
  ASSERT_EQ(prompts.overlap.size(), 1u);
  EXPECT_DOUBLE_EQ(prompts.overlap[0], 1.0 / 14);
}

TEST_F(OverlapOfFiles, TasksGiveTheirPrompts) {
  const base::Json task = {
      {"id", "t"}, {"prompts", {{{"level", "1"}, {"text", "Add"}}, {{"level", "2"}, {"text", "Sub"}}}}};
  EXPECT_EQ(measure({sample("add", "x")}, {task}).prompts.repeated, 1u);
}

TEST_F(OverlapOfFiles, ALineThatIsNoObjectIsRefusedWithItsPlace) {
  EXPECT_THROW(measure({base::Json(3)}, {}), base::Error);
}

}  // namespace
}  // namespace cuset::curate
