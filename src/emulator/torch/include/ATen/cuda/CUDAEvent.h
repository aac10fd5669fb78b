// Stands in for PyTorch's own.
#pragma once

#include <ATen/cuda/CUDAContext.h>

namespace at::cuda {

class CUDAEvent {
 public:
  explicit CUDAEvent(unsigned int flags = cudaEventDisableTiming) {
    C10_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags));
  }
  ~CUDAEvent() { cudaEventDestroy(event_); }
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;

  operator cudaEvent_t() const { return event_; }
  cudaEvent_t event() const { return event_; }
  bool query() const { return cudaEventQuery(event_) == cudaSuccess; }
  void record(const CUDAStream& stream = getCurrentCUDAStream()) {
    C10_CUDA_CHECK(cudaEventRecord(event_, stream));
  }
  void block(const CUDAStream& stream) { C10_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
  void synchronize() const { C10_CUDA_CHECK(cudaEventSynchronize(event_)); }
  float elapsed_time(const CUDAEvent& other) const {
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, other.event_));
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace at::cuda
