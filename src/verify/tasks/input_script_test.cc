#include "verify/tasks/input_script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/jsonl.h"
#include "verify/tasks/script/run_script.h"

namespace cuset {
namespace {

Array written(const std::string& text, Variation variation = Variation::kPlain, uint64_t seed = 1) {
  return run_input_script(text, {"b"}, variation, RandomStream(seed, "test"))[0];
}

std::string dump(const Array& array) {
  std::string text = fmt::format("{} {}:", name_of(array.type), text_of(array.shape));
  for (uint64_t i = 0; i < array.count(); ++i) text += fmt::format(" {:.6g}", array.at(i));
  return text;
}

// The message without its beginning and remedy.
std::string message_of(const std::string& text, const script::Budget::Limits& limits = {}) {
  try {
    script::run_script(text, {"b"}, RandomStream(1, "test"),
                       {.variation = Variation::kPlain, .limits = limits});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(InputScript, AFailureMattersOnlyWhereItIsUsed) {
  EXPECT_EQ(dump(written(
                "import numpy as np\nfor n, x in [('b', np.ones(1)), ('r', None)]:\n    y = np.unknown(x)\n"
                "    x.tofile(f'data/{n}.bin') if n == 'b' else None\n")),
            "float64 (1,): 1");
  EXPECT_EQ(
      message_of("import numpy as np\nb = np.zeros(3)\nc = b[1:]\nc[0] = np.unknown(1)\nb.tofile('b.bin')\n"),
      "input script, line 4: numpy.unknown is not understood");
}

TEST(InputScript, ErrorsNameTheLine) {
  const std::pair<const char*, const char*> kScripts[] = {
      {"x = (1,\n", "input script, line 2: a name was expected"},
      {"x = 'abc\n", "input script, line 1: a string that is not closed"},
      {"if True:\n    x = 1\n  y = 2\n", "input script, line 3: indentation that matches no outer block"},
      {"x = 1\nb = x + y\nb.tofile('b.bin')\n", "input script, line 2: the name y is not defined"},
      {"import torch\nb = torch.zeros(2, 3)\nb = b.view(4)\nb.tofile('b.bin')\n",
       "input script, line 3: cannot reshape an array of shape (2, 3) into (4,)"},
      {"import numpy as np\nb = np.arange(3)[5]\nb.tofile('b.bin')\n",
       "input script, line 2: index 5 is out of bounds for 3 items"},
      {"b = 2 ** 70\nb.tofile('b.bin')\n", "input script, line 1: a whole number beyond 64 bits"},
      {"import numpy as np\nb = np.array([[1, 2], [3]])\nb.tofile('b.bin')\n",
       "input script, line 2: lists of different lengths in one array"},
      {"class A:\n    pass\nb = A()\nb.tofile('b.bin')\n",
       "input script, line 1: classes are not understood"},
      {"x = 1\n", "input script: it writes no file b.bin"},
  };
  for (const auto& [text, message] : kScripts)
    EXPECT_EQ(message_of(text).substr(0, std::string(message).size()), message);
}

TEST(InputScript, StaysWithinItsLimits) {
  const script::Budget::Limits limits{.seconds = 0.05, .bytes = 1 << 20, .items = 10000, .depth = 100};
  const std::pair<const char*, const char*> kScripts[] = {
      {"b = 0\nwhile True:\n    b += 1\nb.tofile('b.bin')\n", "takes more than"},
      {"import numpy as np\nb = np.zeros((1 << 20, 1 << 15))\nb.tofile('b.bin')\n", "more than 0.0 GiB"},
      {"def f(x):\n    return f(x)\nb = f(1)\nb.tofile('b.bin')\n", "calls nested too deeply"},
      {"b = [1]\nwhile True:\n    b = b + b\nb.tofile('b.bin')\n", "its lists take more than"},
      {"b = []\nwhile True:\n    b = [b]\nb.tofile('b.bin')\n", "takes more than"},
      {"import numpy as np\nb = np.zeros((1 << 40, 1 << 40))\nb.tofile('b.bin')\n", "more than 2^40 numbers"},
  };
  for (const auto& [text, message] : kScripts)
    EXPECT_NE(message_of(text, limits).find(message), std::string::npos) << text << message_of(text, limits);
  EXPECT_NE(message_of("x = " + std::string(100000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(message_of("x = 1" + std::string(100000, '-')).find("nested too deeply"), std::string::npos);
}

TEST(InputScript, ListsThatHoldThemselvesAreFreed) {
  EXPECT_EQ(message_of("a = []\na.append(a)\nd = {}\nd['d'] = d\nb = [a, d]\nb.tofile('b.bin')\n"),
            "input script, line 6: .tofile() of a list is not understood");
}

TEST(InputScript, TheSameStreamGivesTheSameNumbers) {
  const std::string text =
      "import numpy as np\nnp.random.seed(3)\nb = np.random.randn(100)\nb.tofile('b.bin')\n";
  EXPECT_EQ(written(text).bytes, written(text).bytes);
  EXPECT_NE(written(text).bytes, written(text, Variation::kPlain, 2).bytes);
  EXPECT_NE(written(text).bytes, written(text, Variation::kHeavyTailed).bytes);
}

// The smallest row of each family, in all variations: declared type and count, and finite numbers.
TEST(InputScript, MakesTheInputsOfCudaBench) {
  const char* const folder = std::getenv("CUSET_FIXTURES");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/fixtures") /
      "benchmarks/cudabench-open.jsonl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path << " (set CUSET_FIXTURES)";
  JsonlReader reader(path);
  std::map<std::string, Json> smallest;
  while (auto record = reader.next()) {
    const std::string family = record->at("task_name");
    if (smallest.count(family) == 0) smallest[family] = *std::move(record);
  }
  EXPECT_GE(smallest.size(), 60u);
  for (const auto& [family, row] : smallest) {
    std::vector<std::string> names;
    for (const Json& input : row.at("inputs")) names.push_back(input.at("name"));
    const auto variation = static_cast<Variation>(family.size() % kVariations);
    const std::vector<Array> arrays =
        run_input_script(row.at("gen.py"), names, variation, RandomStream(5, family));
    for (size_t i = 0; i < arrays.size(); ++i) {
      EXPECT_EQ(name_of(arrays[i].type), row["inputs"][i]["dtype"].get<std::string>()) << family;
      EXPECT_GT(arrays[i].count(), 0u) << family;
      for (uint64_t at = 0; at < arrays[i].count(); at += 97)
        ASSERT_TRUE(std::isfinite(arrays[i].at(at))) << family;
    }
  }
}

}  // namespace
}  // namespace cuset
