// Stands in for PyTorch's own: there is one device, which is always the current one.
#pragma once

#include <c10/cuda/CUDAStream.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace c10::cuda {

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  explicit CUDAGuard(Device) {}
  void set_device(Device) {}
  void reset_device(Device) {}
  void set_index(DeviceIndex) {}
  Device original_device() const { return Device(DeviceType::CUDA, 0); }
  Device current_device() const { return Device(DeviceType::CUDA, 0); }
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device>) {}
  explicit OptionalCUDAGuard(std::optional<DeviceIndex>) {}
  void set_device(Device) {}
  void set_index(DeviceIndex) {}
  void reset() {}
};

struct CUDAStreamGuard {
  explicit CUDAStreamGuard(Stream) {}
  explicit CUDAStreamGuard(CUDAStream stream) { setCurrentCUDAStream(stream); }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  ~CUDAStreamGuard() { setCurrentCUDAStream(before_); }
  CUDAStream original_stream() const { return before_; }
  void reset_stream(Stream) {}

 private:
  CUDAStream before_ = getCurrentCUDAStream();
};

struct OptionalCUDAStreamGuard {
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(std::optional<Stream>) {}
  void reset() {}
};

struct CUDAMultiStreamGuard {
  explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream>) {}
};

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
}  // namespace at::cuda
