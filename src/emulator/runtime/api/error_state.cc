#include "runtime/api/error_state.h"

#include <atomic>

#include "cuset_emulator/host_api.h"
#include "runtime/launch/recorder.h"

namespace cuset_emulator {
namespace {

thread_local cudaError_t thread_error = cudaSuccess;
std::atomic<int> waiting{cudaSuccess};
std::atomic<int> shown{cudaSuccess};

}  // namespace

cudaError_t remember(cudaError_t error) {
  // Not ready is an answer of a query, not a failure.
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  thread_error = error;
  if (shown == cudaSuccess) record_error(error, false);
  return error;
}

cudaError_t waiting_fault() { return static_cast<cudaError_t>(waiting.load()); }
cudaError_t shown_fault() { return static_cast<cudaError_t>(shown.load()); }

void show_waiting_fault() {
  if (int fault = waiting; fault != cudaSuccess) shown = fault;
}

cudaError_t last_error(bool take) {
  if (shown != cudaSuccess) return shown_fault();
  cudaError_t error = thread_error;
  if (take) thread_error = cudaSuccess;
  return error;
}

void set_fault(cudaError_t error) {
  int none = cudaSuccess;
  waiting.compare_exchange_strong(none, error);
  record_error(error, true);
}

void clear_fault() {
  waiting = cudaSuccess;
  shown = cudaSuccess;
  thread_error = cudaSuccess;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGetLastError() { return last_error(true); }
cudaError_t cudaPeekAtLastError() { return last_error(false); }

const char* cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CUSET_NAME(name, value, text) \
  case value:                         \
    return #name;
    CUSET_CUDA_ERRORS(CUSET_NAME)
#undef CUSET_NAME
    default:
      return "unrecognized error code";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CUSET_TEXT(name, value, text) \
  case value:                         \
    return text;
    CUSET_CUDA_ERRORS(CUSET_TEXT)
#undef CUSET_TEXT
    default:
      return "unrecognized error code";
  }
}

}  // extern "C"
