// Data parallelism: the same program runs as several ranks, each with a copy of the model and a share of
// every batch, and gradients are summed over all ranks. docs/data-parallel.md tells users the rest.
//
// Tensors in main memory are exchanged with Gloo, tensors on GPUs with NCCL, or through main memory where
// NCCL is missing or ranks share a GPU. A sum has the same bits on every rank, and in every run with the same
// number of ranks.
//
// All ranks call the same functions in the same order. A partner that died, or failed with an error of its
// own, turns the call that waits for it into an Error; so does one that hangs, after a timeout. Only the
// destructor may follow such an Error.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "train/ranks/rank_environment.h"

namespace cuset::train {

struct RanksOptions {
  bool gpu = false;  // tensors on GPU gpu() will be exchanged
  std::chrono::milliseconds start_timeout = std::chrono::minutes(10);  // until all ranks have come
  std::chrono::milliseconds timeout = std::chrono::minutes(10);        // for one exchange
  std::chrono::milliseconds heartbeat = std::chrono::seconds(2);  // with NCCL; 15 without a sign are a death
};

class Ranks {
 public:
  // One rank alone: no sockets, and every function returns at once.
  Ranks();

  // Meets the other ranks where there are any. Where several share the processor cores of a machine and
  // OMP_NUM_THREADS is not set, each is given its part of LibTorch's threads. Throws what meet() throws, and
  // Error where a GPU is wanted and there is none.
  explicit Ranks(const RankEnvironment& environment, const RanksOptions& options = {});

  // Closes the connections without waiting, which ends the other ranks unless all called finish().
  ~Ranks();
  Ranks(Ranks&&) noexcept;
  Ranks& operator=(Ranks&&) noexcept;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int local_rank() const { return local_rank_; }  // among the ranks of this machine
  int local_size() const { return local_size_; }
  int gpu() const { return gpu_; }              // the GPU of this rank; -1 unless RanksOptions asked for one
  bool is_first() const { return rank_ == 0; }  // the one that writes files and messages

  // Replaces each tensor by its sum over all ranks. Float types and int64; shapes and types are the same on
  // all ranks. Many small tensors travel together. `what` is what a failure is said to have happened during.
  void all_reduce_sum(std::span<const torch::Tensor> tensors, std::string_view what) const;
  void all_reduce_sum(const torch::Tensor& tensor, std::string_view what) const;

  // Replaces the tensor by rank 0's.
  void broadcast(const torch::Tensor& tensor, std::string_view what) const;

  // Returns when all ranks have called it.
  void barrier(std::string_view what) const;

  // The texts of all ranks, by rank. For short texts.
  std::vector<std::string> all_gather(std::string_view text, std::string_view what) const;

  // Throws UsageError, on all ranks, where one has other settings than rank 0; it names the first difference.
  void require_same(const base::Json& settings, std::string_view what) const;

  // Tells the others why this rank ends, for their message: the first line, as LibTorch's faults continue with a
  // stack trace. Called before leaving with an error; never throws.
  void announce_failure(std::string_view message) const noexcept;

  // Waits for all ranks, then closes the connections.
  void finish();

 private:
  class Group;

  void join(const RankEnvironment& environment, const RanksOptions& options);
  void connect_gpu(const RanksOptions& options);

  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
  int gpu_ = -1;
  std::unique_ptr<Group> group_;  // null where size is 1
};

}  // namespace cuset::train
