// The Python processes in which KernelBench's modules run, each in the sandbox and in a separate folder
// (kernelbench_child.py is what they run).
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "benchmarks/kernelbench/module_session.h"
#include "execute/build/nvcc_compiler.h"
#include "execute/build/torch_toolkit.h"
#include "execute/executor.h"
#include "execute/gpu/gpu_search.h"
#include "execute/gpu/kept_gpu.h"
#include "execute/record/kernel_recorder.h"
#include "execute/record/run_record.h"
#include "execute/run/gpu_queue.h"
#include "judge/scripts/python.h"
#include "sandbox/sandbox.h"

namespace cuset::benchmarks {

// What a process needs to compile CUDA and to have its kernels counted.
struct ModuleGpu {
  base::GpuInfo device;
  execute::NvccToolkit toolkit;
  execute::KernelRecorder recorder;
  std::shared_ptr<execute::GpuQueue> queue;
  std::shared_ptr<const base::TemporaryFolder> build_tools;  // that answers are compiled with
  std::shared_ptr<const execute::KeptGpu> awake;             // while this lives

  // Whether what happens on the device can be read while a process runs.
  bool has_timeline() const { return recorder.name == "cupti"; }
};

// A folder with headers that stand in for PyTorch's own and compile several times faster (light_headers.h), and a ninja
// whose compilers stand back behind processes that are timed.
std::shared_ptr<const base::TemporaryFolder> make_build_tools();

// A folder that everyone may read.
std::shared_ptr<const base::TemporaryFolder> make_inputs_folder();

// GPU number `index`. Throws Error where there is none, no nvcc or no way to record kernels.
ModuleGpu find_module_gpu(int index);

// The folder in an answer's own for headers that only it is compiled with (light_headers.h).
inline constexpr const char* kAnswerHeaders = "headers";

struct ModuleProcess {
  const judge::Python& python;
  const ModuleGpu* gpu = nullptr;                   // null: on the CPU
  const execute::TorchToolkit* emulator = nullptr;  // that plays the GPU there; null: no kernel can run
  sandbox::SandboxLimits limits;
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
  std::vector<std::filesystem::path> readable;  // beside what all processes see
  bool light_headers = true;                    // what is compiled finds ours before PyTorch's own
  base::InputKey input_key{};                   // of the emulator: with what the files of inputs are hidden

  // Whether what happens on the device can be read while the process runs.
  bool has_timeline() const { return emulator != nullptr || (gpu != nullptr && gpu->has_timeline()); }
};

struct ModuleRun {
  execute::Run run;   // how the process ended, and its kernels
  base::Json result;  // what it left in result.json; null where that is nothing readable. Not to be trusted.
  std::vector<execute::DeviceActivity> timeline;  // what its session has not read of it
};

// A process that runs the child as `role` ("oracle", "model") and waits for commands. It is asked to use the device only
// while it holds a turn; starting Python and compiling kernels need none, so that they never keep others from the device.
class ModuleServer {
 public:
  // Starts it in `folder`, which holds what it reads. Throws Error where its files
  // cannot be made.
  ModuleServer(const ModuleProcess& process, const std::string& role, std::filesystem::path folder,
               const base::Json& request);
  ~ModuleServer();  // asks it to end and waits for that
  ModuleServer(const ModuleServer&) = delete;
  ModuleServer& operator=(const ModuleServer&) = delete;

  ModuleSession& session() { return session_; }
  const std::filesystem::path& folder() const { return folder_; }

  // Waits for a place on the device, or for the whole of it, in place of what it holds. Nothing on a CPU.
  void hold(execute::GpuQueue::Want want);
  void let_go();

  // From now on kernels do nothing, on the CPU executor.
  void turn_kernels_off() { record_.turn_kernels_off(); }
  void turn_threads_backward() { record_.turn_threads_backward(); }

  // How it runs so far: only its kernels.
  execute::Run run_so_far() const;
  // Asks it to end and waits for that; once. Throws Error where it could not be started.
  ModuleRun finish();

 private:
  void stop();
  sandbox::SandboxedCommand command_for(const std::string& role) const;
  void add_gpu(sandbox::SandboxedCommand& command) const;

  const ModuleProcess process_;
  const std::filesystem::path folder_;
  const execute::RunRecordFile record_;
  execute::KernelTimelineFile timeline_;
  ModuleChannel channel_;
  ModuleSession session_;
  std::optional<execute::GpuQueue::Turn> turn_;
  sandbox::SandboxResult ended_;
  std::exception_ptr failure_;
  std::thread thread_;  // in which the process runs
};

}  // namespace cuset::benchmarks
