#include "train/ranks/ranks.h"

#include <ATen/Parallel.h>
#include <torch/cuda.h>
#include <torch/utils.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "train/ranks/heartbeat.h"
#include "train/ranks/process_groups.h"
#include "train/ranks/rendezvous.h"

namespace cuset::train {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int64_t kBucketBytes = 64 << 20;

// Gloo's and our own words for it.
bool is_timeout(std::string_view reason) {
  return reason.find("imed out") != reason.npos || reason.find("pplication timeout") != reason.npos;
}

// How many of `tensors`, from the first on, travel together.
size_t bucket_length(std::span<const torch::Tensor> tensors) {
  size_t length = 0;
  int64_t bytes = 0;
  for (const torch::Tensor& tensor : tensors) {
    const int64_t more = static_cast<int64_t>(tensor.nbytes());
    if (length > 0 && (tensor.scalar_type() != tensors[0].scalar_type() ||
                       tensor.device() != tensors[0].device() || bytes + more > kBucketBytes))
      break;
    bytes += more;
    ++length;
  }
  return length;
}

torch::Tensor flatten(std::span<const torch::Tensor> tensors) {
  std::vector<torch::Tensor> rows;
  for (const torch::Tensor& tensor : tensors) rows.push_back(tensor.reshape(-1));
  return torch::cat(rows);
}

void unflatten(const torch::Tensor& flat, std::span<const torch::Tensor> tensors) {
  int64_t begin = 0;
  for (const torch::Tensor& tensor : tensors) {
    tensor.copy_(flat.narrow(0, begin, tensor.numel()).view(tensor.sizes()));
    begin += tensor.numel();
  }
}

// "learning_rate = 0.1" of a flattened settings object, or that it is not there.
std::string setting_text(const base::Json& settings, const std::string& path) {
  const std::string name = path.substr(std::min<size_t>(1, path.size()));
  return settings.contains(path)
             ? fmt::format("{} = {}", name, base::to_json_line(settings.at(path)).substr(0, 80))
             : fmt::format("no {}", name);
}

// The path of the first value that differs between two flattened objects.
std::string first_difference(const base::Json& a, const base::Json& b) {
  for (const auto& [path, value] : a.items()) {
    if (!b.contains(path) || b.at(path) != value) return path;
  }
  for (const auto& [path, value] : b.items()) {
    if (!a.contains(path)) return path;
  }
  return "";
}

}  // namespace

// The connections of several ranks.
class Ranks::Group {
 public:
  Group(const RankEnvironment& environment, const RanksOptions& options, Rendezvous rendezvous)
      : rank_(environment.rank),
        size_(environment.size),
        timeout_(options.timeout),
        rendezvous_(std::move(rendezvous)) {
    const GroupOptions gloo{rendezvous_.store, rank_, size_, options.start_timeout, one_machine()};
    during("the first connection", [&] { gloo_ = make_gloo_group(gloo); });
    gloo_->setTimeout(timeout_);
  }

  ~Group() {
    if (!nccl_) return;
    heartbeat_.reset();
    try {
      nccl_->abort();
    } catch (const std::exception& fault) {
      base::log_debug("NCCL did not abort: {}", short_reason(fault));
    }
  }

  const RankPlace& place(int rank) const { return rendezvous_.places[rank]; }

  // Uses NCCL from now on for tensors on this GPU.
  void connect_gpu(int device, milliseconds heartbeat) {
    const torch::Device gpu(torch::kCUDA, static_cast<c10::DeviceIndex>(device));
    during("NCCL's start", [&] {
      nccl_ = make_nccl_group({rendezvous_.store, rank_, size_, timeout_});
      nccl_->eagerConnectSingleDevice(gpu);
    });
    heartbeat_ =
        std::make_unique<Heartbeat>(HeartbeatOptions{rendezvous_.store->clone(), rank_, size_, heartbeat});
  }

  void sum(const torch::Tensor& tensor, std::string_view what) {
    exchange(tensor, what, [](c10d::Backend& backend, std::vector<torch::Tensor>& tensors) {
      return backend.allreduce(tensors);
    });
  }

  void broadcast(const torch::Tensor& tensor, std::string_view what) {
    exchange(tensor, what, [](c10d::Backend& backend, std::vector<torch::Tensor>& tensors) {
      return backend.broadcast(tensors);
    });
  }

  void barrier(std::string_view what) {
    during(what, [&] { gloo_->barrier()->wait(); });
  }

  void announce(std::string_view message) {
    rendezvous_.store->set(kEndedKey, fmt::format("rank {} ended: {}", rank_, message));
  }

  void close() {
    heartbeat_.reset();
    if (nccl_) nccl_->shutdown();
    nccl_.reset();
    gloo_.reset();
  }

 private:
  bool one_machine() const {
    return std::all_of(rendezvous_.places.begin(), rendezvous_.places.end(),
                       [&](const RankPlace& other) { return other.machine == place(rank_).machine; });
  }

  // Runs start(backend, {tensor}) with the backend of the tensor's device and waits for its end. `tensor` is
  // contiguous.
  template <typename Start>
  void exchange(const torch::Tensor& tensor, std::string_view what, Start start) {
    if (tensor.numel() == 0) return;
    const bool by_nccl = tensor.is_cuda() && nccl_;
    std::vector<torch::Tensor> tensors{by_nccl ? tensor : tensor.cpu()};
    during(what, [&] {
      const auto work = start(by_nccl ? *nccl_ : *gloo_, tensors);
      if (by_nccl) wait_for_gpu(*work);
      work->wait();
    });
    if (!tensors[0].is_same(tensor)) tensor.copy_(tensors[0]);
  }

  // NCCL alone would wait for a dead partner until its timeout, or forever.
  void wait_for_gpu(c10d::Work& work) const {
    const auto deadline = Clock::now() + timeout_;
    while (!work.isCompleted()) {
      if (const auto lost = heartbeat_->lost()) throw std::runtime_error(*lost);
      if (Clock::now() > deadline) throw std::runtime_error("timed out");
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    if (work.exception()) std::rethrow_exception(work.exception());
  }

  template <typename Action>
  void during(std::string_view what, Action action) const {
    try {
      action();
    } catch (const base::Error&) {
      throw;
    } catch (const std::exception& fault) {
      throw_lost(what, short_reason(fault));
    }
  }

  [[noreturn]] void throw_lost(std::string_view what, const std::string& reason) const {
    if (is_timeout(reason))
      throw base::Error("rank {} waited {} s for a partner during {}: {}", rank_,
                        std::chrono::duration<double>(timeout_).count(), what, reason)
          .with_remedy("find the rank that hangs, then start all ranks again with --resume");
    const std::string note = note_of_ended_rank();
    throw base::Error("rank {} lost a partner during {}: {}", rank_, what, note.empty() ? reason : note)
        .with_remedy("remove the cause, then start all ranks again with --resume");
  }

  std::string note_of_ended_rank() const {
    try {
      if (rendezvous_.store->check({kEndedKey})) return rendezvous_.store->get_to_str(kEndedKey);
    } catch (const std::exception&) {
      return "rank 0 is gone";
    }
    return "";
  }

  const int rank_;
  const int size_;
  const milliseconds timeout_;
  const Rendezvous rendezvous_;
  c10::intrusive_ptr<c10d::Backend> gloo_;
  c10::intrusive_ptr<c10d::Backend> nccl_;  // null: GPU tensors travel through main memory
  std::unique_ptr<Heartbeat> heartbeat_;    // with nccl_ only; Gloo sees broken connections by itself
};

namespace {

// Gives each of `sharers` ranks on the same cores its part of LibTorch's threads.
void divide_threads(int sharers) {
  if (sharers < 2 || std::getenv("OMP_NUM_THREADS")) return;
  at::set_num_threads(std::max(1, at::get_num_threads() / sharers));
}

}  // namespace

Ranks::Ranks() = default;
Ranks::~Ranks() = default;
Ranks::Ranks(Ranks&&) noexcept = default;
Ranks& Ranks::operator=(Ranks&&) noexcept = default;

Ranks::Ranks(const RankEnvironment& environment, const RanksOptions& options)
    : rank_(environment.rank), size_(environment.size) {
  if (size_ > 1) join(environment, options);
  if (!options.gpu) return;
  const c10::DeviceIndex gpus = torch::cuda::device_count();
  if (gpus == 0)
    throw base::Error("rank {} finds no GPU", rank_).with_remedy("run on the CPU, or check nvidia-smi");
  // srun and others may show each rank its own GPU only, which is number 0 then.
  gpu_ = local_rank_ % gpus;
  if (group_) connect_gpu(options);
}

void Ranks::join(const RankEnvironment& environment, const RanksOptions& options) {
  // Writing to a partner that has just died is to fail with an error, which names it, not to end this process
  // without a word.
  std::signal(SIGPIPE, SIG_IGN);
  group_ = std::make_unique<Group>(environment, options, meet(environment, options.start_timeout));
  const RankPlace& own = group_->place(rank_);
  local_size_ = 0;
  int sharers = 0;
  for (int other = 0; other < size_; ++other) {
    if (other == rank_) local_rank_ = local_size_;
    if (group_->place(other).machine == own.machine) ++local_size_;
    if (group_->place(other) == own) ++sharers;
  }
  if (environment.local_rank) local_rank_ = *environment.local_rank;
  divide_threads(sharers);
}

void Ranks::connect_gpu(const RanksOptions& options) {
  // One rank without NCCL, or two on one GPU, and nobody can use it: all must choose alike.
  const std::vector<std::string> gpus = all_gather(gpu_identity(gpu_), "the choice of NCCL");
  const std::set<std::string> different(gpus.begin(), gpus.end());
  if (static_cast<int>(different.size()) == size_ && !different.contains("")) {
    group_->connect_gpu(gpu_, options.heartbeat);
  } else if (is_first()) {
    base::log_warning("gradients travel through main memory, which is slow: {}",
                      different.contains("") ? "a rank was built without NCCL" : "ranks share a GPU");
  }
}

void Ranks::all_reduce_sum(std::span<const torch::Tensor> tensors, std::string_view what) const {
  if (!group_) return;
  const torch::NoGradGuard no_grad;
  while (!tensors.empty()) {
    const auto bucket = tensors.first(bucket_length(tensors));
    tensors = tensors.subspan(bucket.size());
    if (bucket.size() == 1 && bucket[0].is_contiguous()) {
      group_->sum(bucket[0], what);
    } else {
      const torch::Tensor flat = flatten(bucket);
      group_->sum(flat, what);
      unflatten(flat, bucket);
    }
  }
}

void Ranks::all_reduce_sum(const torch::Tensor& tensor, std::string_view what) const {
  all_reduce_sum(std::span(&tensor, 1), what);
}

void Ranks::broadcast(const torch::Tensor& tensor, std::string_view what) const {
  if (!group_) return;
  const torch::NoGradGuard no_grad;
  const torch::Tensor whole = tensor.contiguous();
  group_->broadcast(whole, what);
  if (!whole.is_same(tensor)) tensor.copy_(whole);
}

void Ranks::barrier(std::string_view what) const {
  if (group_) group_->barrier(what);
}

std::vector<std::string> Ranks::all_gather(std::string_view text, std::string_view what) const {
  if (!group_) return {std::string(text)};
  auto lengths = torch::zeros({size_}, torch::kInt64);
  int64_t* length = lengths.data_ptr<int64_t>();
  length[rank_] = static_cast<int64_t>(text.size());
  group_->sum(lengths, what);

  // Each rank fills in its part of a text of zeros: their sum is the texts one after another.
  auto bytes = torch::zeros({lengths.sum().item<int64_t>()}, torch::kUInt8);
  char* data = reinterpret_cast<char*>(bytes.data_ptr<uint8_t>());
  if (!text.empty())
    std::memcpy(data + std::accumulate(length, length + rank_, int64_t{0}), text.data(), text.size());
  group_->sum(bytes, what);

  std::vector<std::string> texts;
  for (int rank = 0; rank < size_; data += length[rank++]) texts.emplace_back(data, length[rank]);
  return texts;
}

void Ranks::require_same(const base::Json& settings, std::string_view what) const {
  const std::vector<std::string> texts = all_gather(base::to_json_line(settings), what);
  for (int rank = 1; rank < size_; ++rank) {
    if (texts[rank] == texts[0]) continue;
    const base::Json first = base::parse_json(texts[0], "the settings of rank 0").flatten();
    const base::Json other = base::parse_json(texts[rank], "the settings of a rank").flatten();
    const std::string path = first_difference(first, other);
    if (path.empty()) continue;  // the same values in another order
    throw base::UsageError("{}: rank {} has {}, rank 0 has {}", what, rank, setting_text(other, path),
                           setting_text(first, path))
        .with_remedy("start every rank with the same command line, configuration and data");
  }
}

void Ranks::announce_failure(std::string_view message) const noexcept {
  if (!group_) return;
  try {
    group_->announce(message.substr(0, message.find('\n')));
  } catch (const std::exception& fault) {
    base::log_debug("rank {} could not tell the others: {}", rank_, short_reason(fault));
  }
}

void Ranks::finish() {
  if (!group_) return;
  group_->barrier("the end of the run");
  group_->close();
  group_.reset();
}

}  // namespace cuset::train
