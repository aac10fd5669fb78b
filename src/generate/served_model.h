// A model folder and its adapters, loaded to write answers. Free of LibTorch headers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "generate/generation.h"
#include "model/declarations.h"
#include "model/placement.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::generate {

struct ServedModelOptions {
  std::filesystem::path folder;
  std::vector<std::string> adapters;  // folders; adapter i has the number i
  model::Placement placement;         // 0 threads: of all cores that other processes leave free
  int64_t slots = 32;                 // answers at a time
  int64_t positions = 4096;           // most tokens of prompt and answer; fewer where the model has fewer
};

class ServedModel {
 public:
  // `stop_tokens` end answers, besides those that the folder names (stop_tokens.h). The tokenizer must
  // outlive this. Throws Error for what cannot be loaded or does not fit into memory.
  ServedModel(const ServedModelOptions& options, const text::Tokenizer& tokenizer,
              std::vector<int64_t> stop_tokens);
  ~ServedModel();
  ServedModel(const ServedModel&) = delete;
  ServedModel& operator=(const ServedModel&) = delete;

  int64_t positions() const;
  // What the engine works with; not while it runs.
  model::InferenceModel& inference();

  // Loads one more adapter and gives its number.
  int64_t add_adapter(const std::filesystem::path& folder);
  // An adapter that is in memory, as one that is being trained, and new values for it.
  int64_t add_adapter(const model::Adapter& adapter);
  void replace_adapter(int64_t number, const model::Adapter& adapter);

  // Frees what an adapter takes; its number may be given to another one by replace_adapter.
  void drop_adapter(int64_t number);
  void replace_adapter(int64_t number, const std::filesystem::path& folder);

  // As Engine::run.
  bool run(std::span<const GenerationRequest> requests, const GenerationEvents& events);
  bool run(RequestSource& source, const GenerationEvents& events);

 private:
  struct Parts;
  GenerationEvents with_threads(const GenerationEvents& events);

  std::filesystem::path folder_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::generate
