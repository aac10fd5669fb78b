#include "cli/framework/model_path.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/error.h"
#include "train/records/checkpoint_folder.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAdapterFile = "adapter_config.json";
constexpr const char* kFolder =
    "give the folder of a Hugging Face model, with config.json and tokenizer.json";
constexpr const char* kAdapterFolder = "give the folder that `cuset train` or PEFT wrote";
constexpr const char* kOtherTokenizer =
    "in Python, AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER) writes it";
constexpr const char* kGguf = "GGUF is not read: take the model's folder with safetensors";

// "Qwen/Qwen2.5-Coder-7B": one slash between two words, as models are called on the Hub.
bool looks_like_hub_name(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '_' || c == '-'; };
  const size_t slash = name.find('/');
  if (slash == 0 || slash == name.npos || slash + 1 == name.size() || name.starts_with('.')) return false;
  return std::all_of(name.begin(), name.begin() + static_cast<ptrdiff_t>(slash), is_plain) &&
         std::all_of(name.begin() + static_cast<ptrdiff_t>(slash) + 1, name.end(), is_plain);
}

constexpr std::string_view kHub = "https://huggingface.co/";

[[noreturn]] void refuse_missing(fs::path model) {
  if (model.string().starts_with(kHub)) model = model.string().substr(kHub.size());
  const std::string name = model.string();
  base::UsageError error("model: there is no folder {}", base::in_quotes(name, 200));
  if (looks_like_hub_name(name)) {
    throw std::move(error).with_remedy(
        "if it is a name on the Hugging Face Hub: hf download {} --local-dir {}, then --model {}", name,
        model.filename().string(), model.filename().string());
  }
  throw std::move(error).with_remedy(kFolder);
}

// Where the Hub's cache keeps a model: models--Qwen--Qwen3-4B/snapshots/<commit>.
fs::path snapshot_in(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "snapshots", ignored)) {
    if (fs::exists(entry.path() / "config.json")) return entry.path();
  }
  return {};
}

std::string remedy_for_model_folder(const fs::path& folder) {
  if (fs::exists(folder / kAdapterFile))
    return "it is an adapter: --model takes its base model, --adapter this folder";
  const fs::path snapshot = snapshot_in(folder);
  return snapshot.empty() ? kFolder : fmt::format("the model is in {}", snapshot.string());
}

bool holds_gguf(const fs::path& folder) {
  return std::any_of(fs::directory_iterator(folder), fs::directory_iterator(),
                     [](const fs::directory_entry& entry) { return entry.path().extension() == ".gguf"; });
}

}  // namespace

void require_model_folder(const fs::path& model, std::initializer_list<const char*> files) {
  if (!fs::exists(model)) refuse_missing(model);
  if (!fs::is_directory(model)) {
    throw base::UsageError("model: {} is a file, not a folder", base::in_quotes(model.string(), 200))
        .with_remedy("{}", model.extension() == ".gguf" ? kGguf : kFolder);
  }
  for (const char* file : files) {
    if (fs::exists(model / file)) continue;
    const bool is_other_tokenizer = fs::exists(model / "vocab.json") || fs::exists(model / "tokenizer.model");
    throw base::UsageError("model: {} has no {}", base::in_quotes(model.string(), 200), file)
        .with_remedy("{}", holds_gguf(model)    ? kGguf
                           : is_other_tokenizer ? kOtherTokenizer
                                                : remedy_for_model_folder(model));
  }
}

fs::path tokenizer_file_of(const fs::path& model) {
  return fs::is_directory(model) ? model / "tokenizer.json" : model;
}

void require_adapter_folder(const fs::path& adapter) {
  if (fs::exists(adapter / kAdapterFile)) return;
  if (!fs::exists(adapter)) {
    throw base::UsageError("adapter: there is no folder {}", base::in_quotes(adapter.string(), 200))
        .with_remedy(kAdapterFolder);
  }
  base::UsageError error("adapter: {} has no {}", base::in_quotes(adapter.string(), 200), kAdapterFile);
  const std::optional<train::FoundCheckpoint> latest = train::latest_checkpoint(adapter);
  if (latest && fs::exists(latest->path / kAdapterFile)) {
    throw std::move(error).with_remedy("its run did not end: finish it with cuset train --resume, or give {}",
                                       latest->path.string());
  }
  throw std::move(error).with_remedy(kAdapterFolder);
}

}  // namespace cuset::cli
