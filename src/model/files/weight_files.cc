#include "model/files/weight_files.h"

#include <map>

#include "base/error.h"
#include "base/json/json_cursor.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";
constexpr const char* kDownloadModelAgain = "download the model again";

[[noreturn]] void refuse_folder_without_weights(const fs::path& folder) {
  base::Error error("{} has neither {} nor {}", folder.string(), kSingleFile, kIndexFile);
  for (const char* old : {"pytorch_model.bin", "pytorch_model.bin.index.json"}) {
    if (!fs::exists(folder / old)) continue;
    throw std::move(error).with_remedy(
        "its weights are in {}: convert them to safetensors, in Python with AutoModelForCausalLM"
        ".from_pretrained(FOLDER).save_pretrained(FOLDER)",
        old);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".gguf")
      throw std::move(error).with_remedy("GGUF is not read: take the model's folder with safetensors");
  }
  throw std::move(error).with_remedy(kDownloadModelAgain);
}

// The names of the tensors that each shard should have.
using Shards = std::map<std::string, std::vector<std::string>>;

// A name with a path in it could reach any file of the machine.
void check_shard_name(const std::string& shard, const fs::path& index) {
  if (!shard.empty() && shard != "." && shard != ".." && shard.find('/') == std::string::npos &&
      shard.find('\0') == std::string::npos) {
    return;
  }
  throw base::Error("{}: the shard {} lies outside the model's folder", index.string(),
                    base::in_quotes(shard))
      .with_remedy("do not use this model: its index is wrong or forged");
}

Shards read_index(const fs::path& index) {
  const base::Json json = base::read_json_file(index);
  const std::string name = index.string();
  const base::JsonCursor map = base::JsonCursor(json, name).with_remedy(kDownloadModelAgain).at("weight_map");
  Shards shards;
  for (const auto& [tensor, shard] : map.members()) shards[shard.string()].emplace_back(tensor);
  if (shards.empty()) map.refuse("must name a shard for every weight");
  for (const auto& [shard, tensors] : shards) check_shard_name(shard, index);
  return shards;
}

std::vector<SafetensorsFile> open_shards(const fs::path& folder) {
  const fs::path index = folder / kIndexFile;
  std::vector<SafetensorsFile> files;
  for (const auto& [shard, tensors] : read_index(index)) {
    if (!fs::exists(folder / shard)) {
      throw base::Error("{}: the shard {} is missing", index.string(), base::in_quotes(shard))
          .with_remedy(kDownloadModelAgain);
    }
    files.emplace_back(folder / shard);
    for (const std::string& tensor : tensors) {
      if (files.back().find(tensor) != nullptr) continue;
      throw base::Error("{}: tensor {} is missing, which {} places here", files.back().path().string(),
                        base::in_quotes(tensor, 200), kIndexFile)
          .with_remedy(kDownloadModelAgain);
    }
  }
  return files;
}

void check_tensor(const WeightPlace& place, const WeightShape& weight) {
  const StoredTensor& tensor = *place.tensor;
  if (!torch::isFloatingType(tensor.type)) {
    throw base::Error("{}: tensor {} has the type {}, not a floating-point one", place.file->path().string(),
                      base::in_quotes(tensor.name, 200), torch::toString(tensor.type))
        .with_remedy("quantized weights are not supported; take the model in bfloat16");
  }
  if (tensor.shape != weight.shape) {
    throw base::Error("{}: tensor {} has the shape {}, but config.json asks for {}",
                      place.file->path().string(), base::in_quotes(tensor.name, 200),
                      shown_shape(tensor.shape), shown_shape(weight.shape))
        .with_remedy("config.json and the weights are of different models, or the file is damaged");
  }
}

// Tensors that some folders have and the computation does not need.
bool may_be_left_over(const std::string& name, const ModelConfig& config) {
  return name.ends_with("rotary_emb.inv_freq") || (config.tied_embeddings && name == "lm_head.weight");
}

// Ordered, so that of several faults the same one is always reported.
using PlacesByName = std::map<std::string_view, WeightPlace>;

PlacesByName places_by_name(const std::vector<SafetensorsFile>& files) {
  PlacesByName places;
  for (const SafetensorsFile& file : files) {
    for (const StoredTensor& tensor : file.tensors()) {
      const auto [earlier, is_new] = places.try_emplace(tensor.name, WeightPlace{&file, &tensor});
      if (is_new) continue;
      throw base::Error("{}: tensor {} is also in {}", file.path().string(),
                        base::in_quotes(tensor.name, 200), earlier->second.file->path().filename().string())
          .with_remedy(kDownloadModelAgain);
    }
  }
  return places;
}

void check_left_over(const PlacesByName& places, const ModelConfig& config) {
  for (const auto& [name, place] : places) {
    if (may_be_left_over(place.tensor->name, config)) continue;
    throw base::Error("{}: tensor {} belongs to no part of a {} as config.json describes it",
                      place.file->path().string(), base::in_quotes(name, 200), name_of(config.model_class))
        .with_remedy("config.json and the weights are of different models, or the file is damaged");
  }
}

}  // namespace

WeightFiles::WeightFiles(const fs::path& folder) : folder_(folder) {
  if (!fs::is_directory(folder)) {
    throw base::Error("{} is not a folder", folder.string()).with_remedy("give the folder of a model");
  }
  if (fs::exists(folder / kSingleFile)) {
    files_.emplace_back(folder / kSingleFile);
  } else if (fs::exists(folder / kIndexFile)) {
    files_ = open_shards(folder);
  } else {
    refuse_folder_without_weights(folder);
  }
}

std::vector<WeightPlace> WeightFiles::places(const ModelConfig& config) const {
  PlacesByName by_name = places_by_name(files_);
  std::vector<WeightPlace> places;
  for (const WeightShape& weight : weight_shapes(config)) {
    const auto found = by_name.find(weight.name);
    if (found == by_name.end()) {
      throw base::Error("{}: the weights have no tensor {}", folder_.string(),
                        base::in_quotes(weight.name, 200))
          .with_remedy("config.json asks for it; the two are of different models, or a file is damaged");
    }
    places.push_back(found->second);
    check_tensor(places.back(), weight);
    by_name.erase(found);
  }
  check_left_over(by_name, config);
  return places;
}

}  // namespace cuset::model
