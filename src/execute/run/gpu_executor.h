// The executor of GPUs (executor.h): nvcc, the sandbox with the GPU's device nodes, and a record of the
// kernels that ran.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "execute/build/build_cache.h"
#include "execute/build/nvcc_compiler.h"
#include "execute/executor.h"
#include "execute/gpu/gpu_search.h"
#include "execute/gpu/kept_gpu.h"
#include "execute/record/kernel_recorder.h"
#include "execute/run/gpu_gate.h"
#include "execute/run/gpu_queue.h"
#include "execute/run/warm_devices.h"

namespace cuset::execute {

class GpuExecutor : public Executor {
 public:
  // Throws Error with the remedy where there is no GPU, no driver, no nvcc or no way to record kernels.
  explicit GpuExecutor(const ExecutorSettings& settings);

  std::string name() const override { return "gpu"; }
  std::string description() const override;
  Build build(const std::filesystem::path& source, const BuildOptions& options) override;
  Build check(const std::filesystem::path& source, const BuildOptions& options) override;
  Run run(const Build& build, const RunOptions& options) override;
  std::optional<SplitRun> run_split(const Build& build, const RunOptions& options,
                                    const SplitOptions& split) override;
  Executor* checking_executor() override;

  base::GpuInfo gpu() const override { return device_; }
  const KernelRecorder& recorder() const { return recorder_; }

 private:
  using CompileStage = Build (NvccCompiler::*)(const CudaSource&, const BuildOptions&,
                                               const std::filesystem::path&) const;
  Build compile(const std::filesystem::path& source, BuildOptions options, std::string_view stage,
                CompileStage how);
  sandbox::SandboxedCommand command_for(const Build& build, const RunOptions& options) const;
  sandbox::SandboxedCommand on_gpu(sandbox::SandboxedCommand command) const;
  // The two processes of a proof.
  struct Split {
    const Build& build;
    const RunOptions& options;
    const SplitOptions& wanted;
    const GatedTurn& turn;
  };
  Run run_host(const Split& split, const std::filesystem::path& pipes) const;
  Run run_device(const Split& split, const std::filesystem::path& pipes,
                 const std::filesystem::path& folder) const;
  SplitRun run_warm(const Build& build, const RunOptions& options, const SplitOptions& wanted);
  SplitRun run_timed(const Build& build, const RunOptions& options, const SplitOptions& wanted);
  SplitRun run_unless_lost(GatedTurn& turn, const std::function<SplitRun()>& run);
  std::string lost_device();
  void check_device(Run& run);

  ExecutorSettings settings_;
  base::GpuInfo device_;
  NvccToolkit toolkit_;
  KernelRecorder recorder_;
  std::filesystem::path host_runtime_;    // folder of the runtime that host code is linked with in a proof
  std::filesystem::path device_program_;  // the GPU in a proof
  NvccCompiler compiler_;
  BuildCache cache_;
  GpuQueue queue_;
  WarmDevices warm_;
  KeptGpu awake_;
  std::mutex lost_mutex_;
  std::once_flag checking_made_;
  std::unique_ptr<Executor> checking_;  // null: clang or the emulator is missing
  std::string lost_;                    // why the device is retired; empty while it is not
};

}  // namespace cuset::execute
