// The decoder at work on sequences that grow: keys and values of past tokens are kept, several adapters serve
// at once without being merged, and a row's result does not depend on which other rows are in the call.
//
// A slot holds one sequence. Rows of one call may extend their sequences by different numbers of tokens: a
// whole prompt beside single tokens.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/adapter.h"
#include "model/files/config.h"
#include "model/files/safetensors.h"

namespace cuset::model {

struct InferenceLimits {
  int64_t slots = 32;        // sequences at a time
  int64_t positions = 2048;  // tokens of one sequence, prompt included
};

// Bytes of the keys and values that a model with these limits keeps; a value has `element` bytes.
uint64_t cache_bytes(const ModelConfig& config, const InferenceLimits& limits, uint64_t element);

// Takes logits behind neighboring tokens of a row, [tokens, vocab] float32 on the model's device; the first of them is
// token `first` of the row. May be called by any thread.
using LogitsReceiver = std::function<void(int64_t first, const torch::Tensor& logits)>;

// Takes what enters layer `layer` (the last norm, where it is the number of layers) for neighboring tokens of a row,
// [tokens, hidden] float32, which is valid during the call. May be called by any thread.
using StateReceiver = std::function<void(int64_t layer, int64_t first, const torch::Tensor& states)>;

// Tokens that follow what `slot` holds already.
struct SequenceExtension {
  int64_t slot = 0;
  std::span<const int64_t> tokens;  // one or more
  LogitsReceiver on_logits =
      {};  // where there are several tokens: called for all of them, part by part in order
  StateReceiver on_states = {};  // on the CPU only: called for every layer and token
};

class InferenceModel {
 public:
  // Frozen weights, as load_model_weights gives them. Throws Error where the cache does not fit into memory,
  // with its size.
  InferenceModel(const ModelConfig& config, std::vector<NamedTensor> weights, const InferenceLimits& limits);
  InferenceModel(InferenceModel&&) noexcept;
  ~InferenceModel();

  const ModelConfig& config() const;
  const InferenceLimits& limits() const;
  torch::Device device() const;

  // Returns the adapter's number, from 0.
  int64_t add_adapter(const Adapter& adapter);
  // Takes new values for an adapter that is there; sequences that were begun with the old ones must begin again.
  void replace_adapter(int64_t number, const Adapter& adapter);

  // Empties the slot and says which adapter its next sequence uses; -1: none.
  void begin(int64_t slot, int64_t adapter = -1);
  int64_t length(int64_t slot) const;  // tokens it holds

  // Appends, and gives the logits behind the last token of each row: [rows, vocab] float32 on the model's
  // device. Every slot at most once. The bits of a row depend on its own tokens and adapter alone.
  torch::Tensor extend(std::span<const SequenceExtension> rows);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::model
