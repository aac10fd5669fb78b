// The Python processes in which KernelBench's modules run, each in the sandbox and in a separate folder
// (kernelbench_child.py is what they run).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "benchmarks/kernelbench/module_session.h"
#include "execute/build/nvcc_compiler.h"
#include "execute/executor.h"
#include "execute/record/gpu_device.h"
#include "execute/record/kernel_proof.h"
#include "execute/run/gpu_queue.h"
#include "judge/python.h"
#include "sandbox/sandbox.h"

namespace cuset::benchmarks {

// What a process needs to compile CUDA and to have its kernels counted.
struct ModuleGpu {
  base::GpuInfo device;
  execute::NvccToolkit toolkit;
  execute::KernelProof proof;
  std::shared_ptr<execute::GpuQueue> queue;
  std::shared_ptr<const base::TemporaryFolder>
      headers;  // that answers are compiled with before PyTorch's own

  // Whether what happens on the device can be read while a process runs.
  bool has_timeline() const { return proof.name == "cupti"; }
};

// A folder with headers that stand in for PyTorch's own and compile several times faster (torch_types.h.in).
std::shared_ptr<const base::TemporaryFolder> make_light_headers();

// GPU number `index`. Throws Error where there is none, no nvcc or no way to record kernels.
ModuleGpu find_module_gpu(int index);

struct ModuleProcess {
  const judge::Python& python;
  const ModuleGpu* gpu = nullptr;  // null: on the CPU
  sandbox::SandboxLimits limits;
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
  bool light_headers = true;  // what is compiled finds ours before PyTorch's own
};

struct ModuleRun {
  execute::Run run;   // how the process ended, and its kernels
  base::Json result;  // what it left in result.json; null where that is nothing readable. Not to be trusted.
  std::vector<execute::DeviceActivity> timeline;  // what no driver has read of it
};

// Runs the child as `role` ("oracle", "answer", "time") in `folder`, which holds what it reads and nothing
// that an earlier child left at its gate.
// On a GPU it has the device exclusively while it is timed, and else shares it. `drive`, where there is one, talks to
// the process while it runs, in a thread of its own; when it returns the process is asked to end.
ModuleRun run_module(const ModuleProcess& process, const std::string& role,
                     const std::filesystem::path& folder, const base::Json& request,
                     const ModuleDriver& drive = {});

}  // namespace cuset::benchmarks
