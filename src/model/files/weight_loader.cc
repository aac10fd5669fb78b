#include "model/files/weight_loader.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstring>

#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"

namespace cuset::model {
namespace {

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

}  // namespace

// Page-locked memory, and when the copy from it is over.
struct WeightLoader::Block {
  explicit Block(torch::Device device)
      : memory(torch::empty({static_cast<int64_t>(kBlockBytes)},
                            torch::TensorOptions(torch::kUInt8).pinned_memory(true))),
        sent(device.type()) {}

  torch::Tensor memory;
  c10::Event sent;
};

WeightLoader::WeightLoader(torch::Device device) : device_(device) {
  if (device.is_cpu()) return;
  for (int i = 0; i < 2; ++i) blocks_.emplace_back(device);
}

// Nothing is waited for: LibTorch keeps page-locked memory until the copies from it are over.
WeightLoader::~WeightLoader() = default;

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
    Block& block = blocks_[next_block_++ % blocks_.size()];
    block.sent.synchronize();
    const torch::Tensor staged = block.memory.view(source.scalar_type()).narrow(0, 0, count);
    const torch::Tensor piece = from.narrow(0, begin, count);
    copy_bytes(staged.data_ptr(), piece.data_ptr(), piece.nbytes());
    // Converted on the device, where that costs next to nothing.
    to.narrow(0, begin, count).copy_(staged.to(device_, /*non_blocking=*/true));
    block.sent.record(guard.getStream(device_));
  }
}

}  // namespace cuset::model
