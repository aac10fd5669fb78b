#include "model/model_folder.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"
#include "base/progress.h"
#include "model/files/weight_files.h"

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

constexpr size_t kBlockBytes = size_t{64} << 20;
constexpr size_t kSliceBytes = size_t{4} << 20;
constexpr size_t kMostThreads = 8;

// memcpy by several threads. Plain ones: those of OpenMP would spin between the copies.
void copy_bytes(void* target, const void* source, size_t size) {
  const size_t slices = (size + kSliceBytes - 1) / kSliceBytes;
  const base::WorkerPool pool{.threads = std::min(kMostThreads, size_t{base::usable_processors()})};
  pool.run(slices, [&](size_t slice) {
    const size_t at = slice * kSliceBytes;
    std::memcpy(static_cast<char*>(target) + at, static_cast<const char*>(source) + at,
                std::min(kSliceBytes, size - at));
  });
}

// Page-locked memory, and when the copy from it is over.
struct PinnedBlock {
  explicit PinnedBlock(torch::Device device)
      : memory(torch::empty({static_cast<int64_t>(kBlockBytes)},
                            torch::TensorOptions(torch::kUInt8).pinned_memory(true))),
        sent(device.type()) {}

  torch::Tensor memory;
  c10::Event sent;
};

// Copies tensors from mapped files to where they are used, one after another, at the speed of the disk. On the
// CPU several threads copy, for a page that is not in memory yet costs its reader a wait; to a GPU they fill
// page-locked blocks, of which one travels while the next is filled.
class WeightLoader {
 public:
  // When it ends nothing is waited for: LibTorch keeps page-locked memory until the copies from it are over.
  explicit WeightLoader(torch::Device device);

  // Fills `target` (contiguous, of the same shape, on the device) and gives the file's pages back.
  void load(const WeightPlace& place, torch::Tensor& target);

 private:
  void load_through_blocks(const torch::Tensor& source, torch::Tensor& target);

  torch::Device device_;
  std::vector<PinnedBlock> blocks_;  // empty on the CPU
  size_t next_block_ = 0;
};

WeightLoader::WeightLoader(torch::Device device) : device_(device) {
  if (device.is_cpu()) return;
  for (int i = 0; i < 2; ++i) blocks_.emplace_back(device);
}

void WeightLoader::load(const WeightPlace& place, torch::Tensor& target) {
  const torch::NoGradGuard no_gradient;
  place.file->read_ahead(*place.tensor);
  const torch::Tensor source = place.file->view(*place.tensor);
  if (!blocks_.empty()) {
    load_through_blocks(source, target);
  } else if (source.scalar_type() == target.scalar_type()) {
    copy_bytes(target.data_ptr(), source.data_ptr(), source.nbytes());
  } else {
    target.copy_(source);
  }
  place.file->release(*place.tensor);
}

void WeightLoader::load_through_blocks(const torch::Tensor& source, torch::Tensor& target) {
  const c10::impl::VirtualGuardImpl guard(device_.type());
  const torch::Tensor from = source.view(-1);
  torch::Tensor to = target.view(-1);
  const auto step = static_cast<int64_t>(kBlockBytes / source.element_size());
  for (int64_t begin = 0; begin < from.numel(); begin += step) {
    const int64_t count = std::min(step, from.numel() - begin);
    PinnedBlock& block = blocks_[next_block_++ % blocks_.size()];
    block.sent.synchronize();
    const torch::Tensor staged = block.memory.view(source.scalar_type()).narrow(0, 0, count);
    const torch::Tensor piece = from.narrow(0, begin, count);
    copy_bytes(staged.data_ptr(), piece.data_ptr(), piece.nbytes());
    // Converted on the device, where that costs next to nothing.
    to.narrow(0, begin, count).copy_(staged.to(device_, /*non_blocking=*/true));
    block.sent.record(guard.getStream(device_));
  }
}

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
  base::make_folder(folder);
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
