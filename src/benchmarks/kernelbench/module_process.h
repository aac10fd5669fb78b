// The Python processes in which KernelBench's modules run, each in the sandbox and in a separate folder
// (kernelbench_child.py is what they run).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "sandbox/sandbox.h"
#include "execute/build/nvcc_compiler.h"
#include "execute/executor.h"
#include "execute/record/gpu_device.h"
#include "execute/record/kernel_proof.h"
#include "execute/run/gpu_queue.h"
#include "judge/python.h"

namespace cuset {

// What a process needs to compile CUDA and to have its kernels counted.
struct ModuleGpu {
  GpuInfo device;
  NvccToolkit toolkit;
  KernelProof proof;
  std::shared_ptr<GpuQueue> queue;
};

// GPU number `index`. Throws Error where there is none, no nvcc or no way to record kernels.
ModuleGpu find_module_gpu(int index);

struct ModuleProcess {
  const Python& python;
  const ModuleGpu* gpu = nullptr;  // null: on the CPU
  SandboxLimits limits;
  Confinement confinement = Confinement::kFull;
};

struct ModuleRun {
  Run run;      // how the process ended, and its kernels
  Json result;  // what it left in result.json; null where that is nothing readable. Not to be trusted.
};

// Runs the child as `role` ("oracle", "answer", "time") in `folder`, which holds what it reads and nothing
// that an earlier child left at its gate.
// On a GPU it has the device exclusively while it is timed, and else shares it.
ModuleRun run_module(const ModuleProcess& process, const std::string& role,
                     const std::filesystem::path& folder, const Json& request);

}  // namespace cuset
