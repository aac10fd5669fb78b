// Where each weight of a model lies among the safetensors files of its folder.
#pragma once

#include <filesystem>
#include <vector>

#include "model/files/config.h"
#include "model/files/safetensors.h"

namespace cuset::model {

struct WeightPlace {
  const SafetensorsFile* file = nullptr;
  const StoredTensor* tensor = nullptr;
};

class WeightFiles {
 public:
  // Opens model.safetensors or the shards of the index. Throws Error for what is missing or disagrees; a
  // shard must lie in the folder itself.
  explicit WeightFiles(const std::filesystem::path& folder);

  // The places of weight_shapes(config), in that order, valid while this object lives. Throws Error as
  // load_model_weights says.
  std::vector<WeightPlace> places(const ModelConfig& config) const;

 private:
  std::filesystem::path folder_;
  std::vector<SafetensorsFile> files_;
};

}  // namespace cuset::model
