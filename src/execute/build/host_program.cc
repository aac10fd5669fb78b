#include "execute/build/host_program.h"

#include <fmt/format.h>

#include <set>

namespace cuset::execute {

// Structures that differ between toolkits are filled here, by the toolkit's own header.
const char* const kHostAdapterText = R"(#include <cuda_runtime_api.h>
#include <string.h>

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

}  // namespace

extern "C" {

cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* to, int device) {
  if (to == nullptr) return cudaErrorInvalidValue;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || device < 0 || device >= count) return cudaErrorInvalidDevice;
  size_t free_bytes = 0;
  memset(to, 0, sizeof *to);
  strcpy(to->name, "CUDA device");
  cudaMemGetInfo(&free_bytes, &to->totalGlobalMem);
  to->major = attribute(cudaDevAttrComputeCapabilityMajor, device);
  to->minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  to->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount, device);
  to->warpSize = attribute(cudaDevAttrWarpSize, device);
  to->maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock, device);
  to->maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
  to->maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device);
  to->maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX, device);
  to->maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY, device);
  to->maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ, device);
  to->maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX, device);
  to->maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY, device);
  to->maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ, device);
  to->sharedMemPerBlock = attribute(cudaDevAttrMaxSharedMemoryPerBlock, device);
  to->sharedMemPerBlockOptin = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  to->sharedMemPerMultiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  to->reservedSharedMemPerBlock = attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
  to->regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock, device);
  to->regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
  to->totalConstMem = attribute(cudaDevAttrTotalConstantMemory, device);
  to->memPitch = attribute(cudaDevAttrMaxPitch, device);
  to->l2CacheSize = attribute(cudaDevAttrL2CacheSize, device);
  to->memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  to->asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount, device);
  to->concurrentKernels = attribute(cudaDevAttrConcurrentKernels, device);
  to->unifiedAddressing = attribute(cudaDevAttrUnifiedAddressing, device);
  to->managedMemory = attribute(cudaDevAttrManagedMemory, device);
  to->concurrentManagedAccess = attribute(cudaDevAttrConcurrentManagedAccess, device);
  to->canMapHostMemory = attribute(cudaDevAttrCanMapHostMemory, device);
  to->cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch, device);
  to->memoryPoolsSupported = attribute(cudaDevAttrMemoryPoolsSupported, device);
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned int, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
#endif

}  // extern "C"
)";

std::vector<std::string> host_link_command(const HostLink& link) {
  std::vector<std::string> command{"/usr/bin/env", "g++", std::string(kHostAdapter) + ".o"};
  command.insert(command.end(), link.objects.begin(), link.objects.end());
  command.insert(command.end(), {"-o", kHostProgram, "-Wl,-z,relro,-z,now"});
  for (const std::string& option : link.linker_options) command.push_back("-Wl," + option);
  command.insert(command.end(), {"-L" + link.runtime.string(), "-lcuset_emulator",
                                 "-Wl,-rpath," + link.runtime.string(), "-lpthread", "-ldl", "-lrt"});
  return command;
}

std::vector<std::string> undefined_functions(const std::string& messages) {
  constexpr std::string_view kMark = "undefined reference to `";
  std::set<std::string> names;
  for (size_t at = messages.find(kMark); at != messages.npos; at = messages.find(kMark, at)) {
    at += kMark.size();
    names.insert(messages.substr(at, messages.find_first_of("'\n", at) - at));
  }
  return {names.begin(), names.end()};
}

std::optional<std::string> stand_ins_for(const std::vector<std::string>& functions) {
  constexpr std::string_view kOfC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::string source = "extern \"C\" {\n[[noreturn]] void cuset_unsupported(const char*);\n";
  for (const std::string& name : functions) {
    if (name.find_first_not_of(kOfC) != name.npos) return std::nullopt;
    source += fmt::format("void {0}() {{ cuset_unsupported(\"{0}\"); }}\n", name);
  }
  return source + "}\n";
}

}  // namespace cuset::execute
