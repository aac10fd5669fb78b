// Stands in for PyTorch's own: the emulator knows the stream that is current, and those of the pool are new.
#pragma once

#include <c10/core/Stream.h>
#include <c10/cuda/CUDAFunctions.h>

extern "C" void* cuset_current_stream(void);
extern "C" void cuset_use_stream(void* stream);

namespace c10::cuda {

class CUDAStream {
 public:
  enum Unchecked { UNCHECKED };
  explicit CUDAStream(Stream) {}
  CUDAStream(Unchecked, Stream) {}
  explicit CUDAStream(cudaStream_t stream = nullptr) : stream_(stream) {}

  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const { return stream_ != other.stream_; }
  operator cudaStream_t() const { return stream_; }
  operator Stream() const { return unwrap(); }
  cudaStream_t stream() const { return stream_; }
  Stream unwrap() const { return Stream(Stream::DEFAULT, device()); }
  Device device() const { return Device(DeviceType::CUDA, 0); }
  DeviceType device_type() const { return DeviceType::CUDA; }
  DeviceIndex device_index() const { return 0; }
  StreamId id() const { return 0; }
  int priority() const { return 0; }
  bool query() const { return cudaStreamQuery(stream_) == cudaSuccess; }
  void synchronize() const { stream_synchronize(stream_); }

 private:
  cudaStream_t stream_ = nullptr;
};

inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) {
  return CUDAStream(static_cast<cudaStream_t>(cuset_current_stream()));
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex) { return CUDAStream(stream); }
inline void setCurrentCUDAStream(CUDAStream stream) { cuset_use_stream(stream.stream()); }
inline CUDAStream getStreamFromPool(const bool = false, DeviceIndex = -1) {
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return CUDAStream(stream);
}
inline CUDAStream getStreamFromPool(const int, DeviceIndex = -1) { return getStreamFromPool(false); }

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromExternal;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
}  // namespace at::cuda
