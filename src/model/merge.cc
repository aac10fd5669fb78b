#include "model/merge.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files/make_folder.h"
#include "model/adapter.h"
#include "model/decoder.h"
#include "model/files/config.h"
#include "model/model_folder.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

// Float32: the order of additions. Bfloat16: the merged weight is rounded to 8 bits once, the adapter's own
// path rounds its products instead; both errors go through all layers.
constexpr double kFloat32Limit = 1e-4;
constexpr double kBFloat16Limit = 0.1;

torch::ScalarType type_of(const std::string& name, const ModelConfig& config) {
  if (name.empty()) return config.type == torch::kFloat32 ? torch::kFloat32 : torch::kBFloat16;
  if (name == "float32") return torch::kFloat32;
  if (name == "bfloat16") return torch::kBFloat16;
  throw base::UsageError("dtype {}: neither float32 nor bfloat16", base::in_quotes(name));
}

// Removed with the object unless it was moved to its place. Its files lie side by side, without subfolders.
class StagedFolder {
 public:
  explicit StagedFolder(const fs::path& target) : target_(target), path_(target) {
    path_ += fmt::format(".partial-{}", ::getpid());
    base::make_folder(path_);
  }
  ~StagedFolder() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path_, ignored)) fs::remove(entry.path(), ignored);
    fs::remove(path_, ignored);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const fs::path& path() const { return path_; }

  // Takes the place of the target, which is absent or an empty folder.
  void publish() const {
    std::error_code failure;
    fs::rename(path_, target_, failure);
    if (failure) throw base::Error("cannot make {}: {}", target_.string(), failure.message());
  }

 private:
  fs::path target_;
  fs::path path_;
};

// "a/b/" means "a/b".
fs::path without_last_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

void refuse_used_output(const fs::path& output) {
  std::error_code ignored;
  if (!fs::exists(output, ignored)) return;
  if (fs::is_directory(output, ignored) && fs::is_empty(output, ignored)) return;
  throw base::Error("{} exists already", output.string())
      .with_remedy("choose another --output, or remove it");
}

// Fixed sequences of several lengths, spread over the vocabulary.
TokenBatch probe_batch(int64_t vocab) {
  base::RandomStream stream(0, "merge check");
  std::vector<std::vector<int64_t>> samples;
  for (const size_t length : {1, 6, 24, 64}) {
    auto& sample = samples.emplace_back();
    while (sample.size() < length) {
      sample.push_back(static_cast<int64_t>(stream.below(static_cast<uint64_t>(vocab))));
    }
  }
  return make_token_batch(samples, torch::kCPU);
}

torch::Tensor probe_logits(Decoder& decoder, bool adapter) {
  const torch::NoGradGuard no_gradient;
  const auto hidden = decoder.hidden(probe_batch(decoder.config().vocab), {.adapter = adapter});
  return ops::head_logits(hidden, decoder.head().value);
}

// The largest difference of the worst token as a share of the range of `wanted`. With experts, of the median token:
// where two experts are about as good for a token, rounding alone decides between them, and its logits jump.
double relative_difference(const torch::Tensor& logits, const torch::Tensor& wanted, bool has_experts) {
  const double range = (wanted.max() - wanted.min()).item<double>();
  const auto of_tokens = (logits - wanted).abs().amax(1);
  const auto difference = has_experts ? of_tokens.median() : of_tokens.max();
  return difference.item<double>() / std::max(range, 1e-30);
}

struct MergedModel {
  std::vector<NamedTensor> weights;
  torch::Tensor logits;  // [tokens, vocab], of base and adapter
  double adapter_difference = 0;
};

// The base model is gone when this returns, but for the weights that no adapter touches.
MergedModel merge_in_memory(const MergeRequest& request, const ModelConfig& config,
                            const WeightOptions& options) {
  const Adapter adapter = read_adapter(request.adapter, config);
  warn_of_other_base(adapter, request.adapter, request.model);
  Decoder decoder(config, load_model_weights(request.model, config, options));
  decoder.add_adapter(adapter.settings, base::RandomStream(0, "adapter"));
  decoder.load_adapter(adapter);
  MergedModel merged;
  merged.logits = probe_logits(decoder, /*adapter=*/true);
  merged.adapter_difference =
      relative_difference(merged.logits, probe_logits(decoder, /*adapter=*/false), config.experts > 0);
  merged.weights = decoder.merged_weights();
  return merged;
}

torch::Tensor logits_of_folder(const fs::path& folder, const WeightOptions& options) {
  const ModelConfig config = read_model_config(folder);
  Decoder decoder(config, load_model_weights(folder, config, options));
  return probe_logits(decoder, /*adapter=*/false);
}

}  // namespace

MergeCheck merge_adapter(const MergeRequest& request) {
  const fs::path output = without_last_slash(request.output);
  refuse_used_output(output);
  const ModelConfig config = read_model_config(request.model);
  const WeightOptions options{.type = type_of(request.type, config), .device = torch::kCPU};
  MergedModel merged = merge_in_memory(request, config, options);

  const StagedFolder staged(output);
  save_model_folder(staged.path(), merged.weights, {.source = request.model});
  merged.weights.clear();
  const MergeCheck check{
      .merged_difference = relative_difference(logits_of_folder(staged.path(), options), merged.logits,
                                               /*has_experts=*/config.experts > 0),
      .adapter_difference = merged.adapter_difference,
      .limit = options.type == torch::kFloat32 ? kFloat32Limit : kBFloat16Limit};
  if (!(check.merged_difference <= check.limit)) {
    throw base::Error(
        "the merged model differs from {} with {}: {:.2g} of the logits' range, at most {:.2g} wanted",
        request.model.string(), request.adapter.string(), check.merged_difference, check.limit)
        .with_remedy("merge with --dtype float32");
  }
  staged.publish();
  return check;
}

}  // namespace cuset::model
