#include "verify/tasks/script/slice.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include "verify/tasks/input_script.h"

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

// Whatever stands in for the reference would fail, or never end, if it were carried out.
TEST(ScriptSlice, LeavesOutWhatTheFilesDoNotNeed) {
  const char* const kScripts[] = {
      "import torch\nb = torch.ones(2)\nC = "
      "torch.conv9d(b)\nb.numpy().tofile('data/b.bin')\nC.tofile('data/c.bin')\n",
      "import numpy as np\nb = np.ones(2)\nout = np.zeros(2)\nwhile True:\n    out[0] += "
      "b[1]\nb.tofile('b.bin')\n",
      "import numpy as np\ndef ref(x):\n    while True:\n        pass\n    return x\nb = np.ones(2)\ny = "
      "ref(b)\n"
      "y[0] = 3\nb.tofile('b.bin')\ny.tofile('y.bin')\n",
      "import numpy as np\nx = np.ones(2)\nx.tofile('b.bin')\nx = x.unknown()\nx.tofile('c.bin')\n",
      "import numpy as np\ndef save(a, name):\n    a.tofile('data/' + name + '.bin')\nb = np.ones(2)\n"
      "r = np.unknown(b)\nsave(b, 'b')\nsave(r, 'r')\n",
      "import numpy as np\ndef main():\n    b = np.ones(2)\n    r = np.unknown(b)\n    b.tofile('b.bin')\n"
      "    r.tofile('r.bin')\nif __name__ == '__main__':\n    main()\n",
      "import numpy as np\nb = np.ones(2)\nassert np.unknown(b)\nprint(np.unknown(b))\nb.tofile('b.bin')\n",
  };
  for (const char* const text : kScripts) EXPECT_EQ(dump(written(text)), dump(written(text))) << text;
  for (const char* const text : kScripts) EXPECT_EQ(written(text).at(1), 1) << text;
}

TEST(ScriptSlice, KeepsWhatChangesAFileThroughAnotherName) {
  const std::pair<const char*, const char*> kScripts[] = {
      {"b = torch.zeros(4)\nf = b.view(2, 2)\ng = f[1]\ng += 1\n", "0 0 1 1"},
      {"def put(x):\n    x[0] = 5\nb = torch.zeros(2)\nput(b.view(-1))\n", "5 0"},
      {"def same(x):\n    return x\nb = torch.zeros(2)\nc = same(b)\nc.fill_(2)\n", "2 2"},
      {"b = torch.zeros(2)\nparts = [b, 3]\nfor p in parts[:1]:\n    p[1] = 4\n", "0 4"},
      {"b = torch.zeros(2)\nparts = []\nparts.append(b)\nparts[0][0] = 6\n", "6 0"},
      {"b = np.zeros(2)\ndef change():\n    global b\n    b = b + 1\nchange()\n", "1 1"},
      {"b = np.zeros(2)\nnp.add(b, 1, out=b)\nb = b\n", "0 0"},
      {"n = 3\nfor i in range(2):\n    n = n * 2\nb = np.zeros(n - 10)\n", "0 0"},
      {"b = np.zeros(2)\nfor i in range(5):\n    if i == 2:\n        break\n    b[i] = i + 1\n", "1 2"},
      {"b = np.zeros(2)\ntry:\n    b[0] = 1\nexcept ValueError:\n    b[1] = 1\n", "1 0"},
  };
  for (const auto& [text, numbers] : kScripts) {
    const std::string whole = std::string("import numpy as np, torch\n") + text + "b.tofile('data/b.bin')\n";
    const std::string got = dump(written(whole));
    EXPECT_EQ(got.substr(got.find(": ") + 2), numbers) << text;
  }
}

}  // namespace
}  // namespace cuset
