#include "model/model_folder.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/progress.h"
#include "model/files/weight_files.h"
#include "model/files/weight_loader.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

// Smaller models load before anybody wonders.
constexpr uint64_t kBigModel = uint64_t{1} << 30;
constexpr const char* kConfigFile = "config.json";
constexpr const char* kIndexFile = "model.safetensors.index.json";

// What else a model folder has that belongs to the model; weights in other formats, checkpoints and the like
// do not.
constexpr const char* kCopiedFiles[] = {"generation_config.json",
                                        "tokenizer.json",
                                        "tokenizer_config.json",
                                        "tokenizer.model",
                                        "special_tokens_map.json",
                                        "added_tokens.json",
                                        "vocab.json",
                                        "merges.txt",
                                        "chat_template.jinja",
                                        "chat_template.json",
                                        "LICENSE",
                                        "LICENSE.txt",
                                        "LICENSE.md",
                                        "NOTICE",
                                        "USE_POLICY.md"};

using Shard = std::vector<NamedTensor>;

// In the order given; a shard ends before the tensor that would make it too large.
std::vector<Shard> split(const std::vector<NamedTensor>& weights, uint64_t shard_bytes) {
  std::vector<Shard> shards(1);
  uint64_t size = 0;
  for (const NamedTensor& weight : weights) {
    if (!shards.back().empty() && size + weight.tensor.nbytes() > shard_bytes) {
      shards.emplace_back();
      size = 0;
    }
    shards.back().push_back(weight);
    size += weight.tensor.nbytes();
  }
  return shards;
}

uint64_t bytes_of(const std::vector<NamedTensor>& weights) {
  uint64_t sum = 0;
  for (const NamedTensor& weight : weights) sum += weight.tensor.nbytes();
  return sum;
}

void prepare_folder(const fs::path& folder, uint64_t bytes) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw base::file_error("make the folder", folder, failed.value());
  if (!fs::is_empty(folder)) {
    throw base::Error("{} has files already", folder.string()).with_remedy("give a new or an empty folder");
  }
  const uint64_t free = base::free_disk_bytes(folder);
  if (free < bytes) {
    throw base::Error("{}: the model needs {} bytes, the disk has {} left", folder.string(), bytes, free)
        .with_remedy("free some space, or choose another disk");
  }
}

// The source's config.json with the type of the weights under the key that it uses.
base::Json config_for(const fs::path& source, torch::ScalarType type) {
  base::Json config = base::read_json_file(source / kConfigFile);
  if (!config.is_object()) throw base::Error("{} must hold an object", (source / kConfigFile).string());
  if (config.contains("dtype")) config["dtype"] = name_of_type(type);
  if (config.contains("torch_dtype") || !config.contains("dtype")) config["torch_dtype"] = name_of_type(type);
  return config;
}

void copy_other_files(const fs::path& source, const fs::path& folder) {
  for (const char* name : kCopiedFiles) {
    if (fs::is_regular_file(source / name))
      base::write_file_atomic(folder / name, base::read_file(source / name));
  }
}

std::string shard_name(size_t index, size_t count) {
  return count == 1 ? "model.safetensors" : fmt::format("model-{:05}-of-{:05}.safetensors", index + 1, count);
}

void write_index(const fs::path& folder, const std::vector<Shard>& shards, uint64_t bytes) {
  base::Json map = base::Json::object();
  auto& entries = map.get_ref<base::Json::object_t&>();
  for (size_t i = 0; i < shards.size(); ++i) {
    for (const NamedTensor& weight : shards[i])
      entries.emplace_back(weight.name, shard_name(i, shards.size()));
  }
  base::write_json_file(folder / kIndexFile, {{"metadata", {{"total_size", bytes}}}, {"weight_map", map}});
}

}  // namespace

WeightOptions weight_options(const Placement& placement, int gpu) {
  const torch::Device device = placement.is_gpu()
                                   ? torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(gpu))
                                   : torch::Device(torch::kCPU);
  return {.type = placement.is_bfloat16() ? torch::kBFloat16 : torch::kFloat32, .device = device};
}

std::string_view name_of_type(torch::ScalarType type) {
  switch (type) {
    case torch::kFloat32:
      return "float32";
    case torch::kFloat16:
      return "float16";
    case torch::kBFloat16:
      return "bfloat16";
    default:
      CUSET_CHECK(false, "no model is saved as {}", torch::toString(type));
      return "";
  }
}

std::vector<NamedTensor> load_model_weights(const fs::path& folder, const ModelConfig& config,
                                            const WeightOptions& options) {
  const WeightFiles files(folder);
  const std::vector<WeightPlace> places = files.places(config);
  uint64_t total = 0;
  for (const WeightPlace& place : places) total += place.tensor->end - place.tensor->begin;
  base::Progress progress({.title = "loading", .total = total, .unit = "bytes", .quiet = total < kBigModel});
  WeightLoader loader(options.device);
  std::vector<NamedTensor> weights;
  const auto target_options = torch::TensorOptions(options.type).device(options.device);
  for (const WeightPlace& place : places) {
    weights.push_back({place.tensor->name, torch::empty(place.tensor->shape, target_options)});
    loader.load(place, weights.back().tensor);
    progress.add(place.tensor->end - place.tensor->begin);
  }
  progress.finish();
  return weights;
}

void save_model_folder(const fs::path& folder, const std::vector<NamedTensor>& weights,
                       const SaveOptions& options) {
  CUSET_CHECK(!weights.empty(), "a model without weights");
  const base::Json config = config_for(options.source, weights.front().tensor.scalar_type());
  const uint64_t bytes = bytes_of(weights);
  prepare_folder(folder, bytes);
  copy_other_files(options.source, folder);
  base::write_json_file(folder / kConfigFile, config);
  const std::vector<Shard> shards = split(weights, options.shard_bytes);
  base::Progress progress({.title = "saving", .total = bytes, .unit = "bytes", .quiet = bytes < kBigModel});
  for (size_t i = 0; i < shards.size(); ++i) {
    write_safetensors(folder / shard_name(i, shards.size()), shards[i]);
    progress.add(bytes_of(shards[i]));
  }
  if (shards.size() > 1) write_index(folder, shards, bytes);
  progress.finish();
}

}  // namespace cuset::model
