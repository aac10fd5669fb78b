// Moves tensors from mapped files to where they are used, at the speed of the disk.
#pragma once

#include <torch/types.h>

#include "model/files/weight_files.h"

namespace cuset::model {

// Copies tensors one after another. On the CPU several threads copy, for a page that is not in memory yet
// costs its reader a wait; to a GPU they fill page-locked blocks, of which one travels while the next is
// filled.
class WeightLoader {
 public:
  explicit WeightLoader(torch::Device device);
  ~WeightLoader();
  WeightLoader(const WeightLoader&) = delete;
  WeightLoader& operator=(const WeightLoader&) = delete;

  // Fills `target` (contiguous, of the same shape, on the device) and gives the file's pages back.
  void load(const WeightPlace& place, torch::Tensor& target);

 private:
  struct Block;
  void load_through_blocks(const torch::Tensor& source, torch::Tensor& target);

  torch::Device device_;
  std::vector<Block> blocks_;  // empty on the CPU
  size_t next_block_ = 0;
};

}  // namespace cuset::model
