#include "curate/stages/duplicates.h"

#include <gtest/gtest.h>

#include "curate/run/row_store.h"
#include "curate/text/compared_text.h"

namespace cuset::curate {
namespace {

struct Programs {
  std::vector<std::string> sources;
  std::vector<std::string> tasks;
  std::vector<Fingerprint> prints = {};

  void finish() {
    for (size_t i = 0; i < sources.size(); ++i)
      prints.push_back(fingerprint_of(sources[i], normalized_tokens(sources[i]), tasks[i], 7));
  }
  std::vector<uint32_t> rows() const {
    std::vector<uint32_t> numbers(sources.size());
    for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    return numbers;
  }
  std::map<uint32_t, uint32_t> exact() const {
    return plain(find_exact_duplicates(
        rows(), [&](uint32_t i) { return ProgramKey{prints[i].code, prints[i].scope}; }));
  }
  std::map<uint32_t, uint32_t> near(double threshold, bool across_tasks = false) const {
    NearDuplicateSearch search;
    search.threshold = threshold;
    search.across_tasks = across_tasks;
    search.signature_of = [&](uint32_t i) -> const Signature& { return prints[i].signature; };
    search.scope_of = [&](uint32_t i) { return prints[i].scope; };
    search.similarity_of = [&](uint32_t a, uint32_t b) {
      return jaccard(runs_of_code(tokens_of_task(sources[a]), 7),
                     runs_of_code(tokens_of_task(sources[b]), 7));
    };
    return plain(find_near_duplicates(rows(), search));
  }
  static std::map<uint32_t, uint32_t> plain(const std::map<uint32_t, DuplicateOf>& found) {
    std::map<uint32_t, uint32_t> rows;
    for (const auto& [row, first] : found) rows[row] = first.row;
    return rows;
  }
};

using Found = std::map<uint32_t, uint32_t>;

std::string kernel(const std::string& name, const std::string& statement) {
  return "__global__ void " + name + "(const float* x, float* y, int n) {\n" +
         "  __shared__ float tile[256];\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         "  tile[threadIdx.x] = i < n ? x[i] : 0.0f;\n  __syncthreads();\n" +
         "  for (int s = blockDim.x / 2; s > 0; s >>= 1) {\n    if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];\n" +
         "    __syncthreads();\n  }\n  " + statement + "\n}\n";
}

const std::string kLast = "if (threadIdx.x == 0) y[blockIdx.x] = tile[0];";
const std::string kScaled = "if (threadIdx.x == 0) y[blockIdx.x] = 2 * tile[0];";
const std::string kOther =
    "__global__ void gather(const int* at, const float* from, float* to, int n) {\n"
    "  for (int k = threadIdx.x; k < n; k += blockDim.x) to[k] = from[at[k]] * 0.5f + sqrtf(from[k]);\n}\n";

TEST(Duplicates, ExactOnesAreToldFromNearOnes) {
  Programs programs{{kernel("sum", kLast), kernel("total", kLast), kernel("sum", kScaled), kOther},
                    {"", "", "", ""}};
  programs.finish();
  EXPECT_EQ(programs.exact(), (Found{{1, 0}}));
  EXPECT_EQ(programs.near(0.8), (Found{{1, 0}, {2, 0}}));
  EXPECT_EQ(programs.near(1.0), (Found{{1, 0}}));
}

TEST(Duplicates, AnswersToDifferentTasksAreDifferentSamples) {
  Programs programs{{kernel("a", kLast), kernel("b", kLast), kernel("c", kScaled), kernel("d", kLast)},
                    {"s", "t", "s", "s"}};
  programs.finish();
  EXPECT_EQ(programs.exact(), (Found{{3, 0}}));
  EXPECT_EQ(programs.near(0.8), (Found{{2, 0}, {3, 0}}));
  EXPECT_EQ(programs.near(0.8, true), (Found{{1, 0}, {2, 0}, {3, 0}}));
}

TEST(Duplicates, ARowWithATaskStaysRatherThanOneWithout) {
  Programs programs{{kernel("a", kLast), kernel("b", kLast), kernel("c", kLast)}, {"", "s", "t"}};
  programs.finish();
  EXPECT_EQ(programs.exact(), (Found{{0, 1}}));
  EXPECT_EQ(programs.near(0.8), (Found{{0, 1}}));
}

TEST(Duplicates, JaccardCountsSharedMembers) {
  const std::vector<uint64_t> a = {1, 2, 3, 5}, b = {2, 3, 4};
  EXPECT_DOUBLE_EQ(jaccard(a, b), 0.4);
  EXPECT_EQ(jaccard({}, {}), 1);
  EXPECT_EQ(jaccard(a, {}), 0);
}

}  // namespace
}  // namespace cuset::curate
