#include "cli/builtin_model.h"

#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "base/program_folder.h"

namespace cuset {

namespace fs = std::filesystem;

fs::path builtin_model_folder() {
  std::vector<fs::path> assets;
  if (const char* chosen = std::getenv("CUSET_ASSETS")) assets.emplace_back(chosen);
  if (const fs::path folder = program_folder(); !folder.empty()) {
    assets.push_back(folder.parent_path() / "share/cuset/assets");
  }
  assets.emplace_back(CUSET_ASSETS_FOLDER);
  for (const fs::path& folder : assets) {
    std::error_code failed;
    if (fs::exists(folder / "model/config.json", failed)) return folder / "model";
  }
  throw Error("the built-in model is not at {}", (assets.back() / "model").string())
      .with_remedy("set CUSET_ASSETS to the folder assets/ of a checkout, or give --model");
}

}  // namespace cuset
