#include "benchmarks/kernelbench/module_process.h"

#include <exception>
#include <thread>

#include "base/error.h"
#include "base/files/file.h"
#include "benchmarks/kernelbench/kernelbench_child.h"
#include "execute/record/run_outcome.h"
#include "execute/record/run_record.h"
#include "execute/run/gpu_gate.h"
#include "judge/data_files.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChild = "child.py";
constexpr const char* kResult = "result.json";
constexpr uint64_t kLargestResult = 4 << 20;
constexpr uint32_t kPlaces = 8;  // processes that compile most of their time

sandbox::SandboxedCommand command_for(const ModuleProcess& process, const std::string& role,
                                      const fs::path& folder) {
  sandbox::SandboxedCommand command = judge::python_command(process.python, folder, folder / kChild, {role});
  // What is compiled for one process is there for the next of the same answer.
  command.environment["TORCH_EXTENSIONS_DIR"] = (folder / "extensions").string();
  command.environment["TRITON_CACHE_DIR"] = (folder / "extensions/triton").string();
  command.environment["TORCHINDUCTOR_CACHE_DIR"] = (folder / "extensions/inductor").string();
  command.limits = process.limits;
  command.confinement = process.confinement;
  if (process.gpu == nullptr) return command;
  const ModuleGpu& gpu = *process.gpu;
  command.gpu = true;
  command.readable.push_back(gpu.toolkit.root);
  command.readable.insert(command.readable.end(), gpu.proof.readable.begin(), gpu.proof.readable.end());
  if (!gpu.device.driver_library.empty()) command.readable.push_back(gpu.device.driver_library.parent_path());
  command.environment.insert(gpu.proof.environment.begin(), gpu.proof.environment.end());
  command.environment["CUDA_HOME"] = gpu.toolkit.root.string();
  command.environment["CUDA_VISIBLE_DEVICES"] = gpu.device.uuid;
  command.environment["CUDA_CACHE_DISABLE"] = "1";
  if (!gpu.device.driver_library.empty()) {
    const std::string driver = gpu.device.driver_library.parent_path().string();
    command.environment["LD_LIBRARY_PATH"] = driver;
    command.environment["TRITON_LIBCUDA_PATH"] = driver;
  }
  command.environment["TORCH_CUDA_ARCH_LIST"] = gpu.device.compute_capability();
  if (process.light_headers && gpu.headers) {
    command.readable.push_back(gpu.headers->path());
    // Before the folders that PyTorch names by -isystem.
    command.environment["CPATH"] = gpu.headers->path().string();
  }
  return command;
}

// Where in its work a child waits at its gate, and for what.
execute::GatedTurn::Wants wants_of(const std::string& role) {
  using Want = execute::GpuQueue::Want;
  if (role == "answer") return {std::nullopt, Want::kShared};    // compiled
  if (role == "time") return {Want::kShared, Want::kExclusive};  // its inputs on the device
  return {Want::kShared, std::nullopt};
}

sandbox::SandboxResult run_in_turn(const ModuleProcess& process, const std::string& role,
                                   sandbox::SandboxedCommand command) {
  if (process.gpu == nullptr) {
    execute::open_gate(command.folder);
    return sandbox::run_sandboxed(command);
  }
  const execute::GatedTurn turn(*process.gpu->queue, command.folder, wants_of(role));
  command.waited = [&] { return turn.waited(); };
  return sandbox::run_sandboxed(command);
}

// Talks to the process in a thread, as long as both last.
class Conversation {
 public:
  Conversation(const fs::path& folder, execute::KernelTimelineFile* timeline, const ModuleDriver& drive) {
    if (!drive) return;
    channel_.emplace(folder);
    thread_ = std::thread([this, timeline, &drive] {
      try {
        ModuleSession session(*channel_, timeline);
        drive(session);
      } catch (...) {
        failure_ = std::current_exception();
      }
      channel_->end();
    });
  }
  ~Conversation() { stop(); }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // Once the process has ended. Throws what the driver threw.
  void finish() {
    stop();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void stop() {
    if (!thread_.joinable()) return;
    channel_->process_ended();
    thread_.join();
  }

  std::optional<ModuleChannel> channel_;
  std::exception_ptr failure_;
  std::thread thread_;
};

base::Json result_in(const fs::path& folder) {
  const judge::OutputFile file = judge::read_output(folder, kResult, kLargestResult);
  if (file.state != judge::OutputFile::State::kWhole) return nullptr;
  const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  auto parsed = base::try_parse_json(text);
  base::Json* result = std::get_if<base::Json>(&parsed);
  return result != nullptr && result->is_object() ? std::move(*result) : base::Json();
}

}  // namespace

std::shared_ptr<const base::TemporaryFolder> make_light_headers() {
  auto folder = std::make_shared<base::TemporaryFolder>();
  fs::create_directory(*folder / "torch");
  base::write_file_atomic(*folder / "torch/types.h", kTorchTypes);
  base::write_file_atomic(*folder / "torch/extension.h", kTorchExtension);
  return folder;
}

ModuleGpu find_module_gpu(int index) {
  execute::GpuProbe probe = execute::probe_gpu(index, execute::ProbeDepth::kDescribe);
  if (!probe.device) {
    throw base::Error("no GPU to run on: {}", probe.problem)
        .with_remedy("KernelBench's answers need one; cuset doctor says more");
  }
  const std::optional<execute::Nvcc> nvcc = execute::find_nvcc();
  if (!nvcc)
    throw base::Error("no nvcc to compile with")
        .with_remedy("install the CUDA toolkit or name nvcc in CUDACXX");
  execute::NvccToolkit toolkit = execute::find_toolkit(*nvcc);
  execute::KernelProof proof = execute::choose_kernel_proof(toolkit, index);
  auto queue = std::make_shared<execute::GpuQueue>(probe.device->uuid, kPlaces);
  return {*probe.device, std::move(toolkit), std::move(proof), std::move(queue), make_light_headers()};
}

ModuleRun run_module(const ModuleProcess& process, const std::string& role, const fs::path& folder,
                     const base::Json& request, const ModuleDriver& drive) {
  base::write_file_atomic(folder / kChild, kKernelBenchChild);
  base::write_file_atomic(folder / "request.json", request.dump());
  const execute::RunRecordFile record(execute::record_path_in(folder));
  execute::KernelTimelineFile timeline(execute::record_path_in(folder));
  sandbox::SandboxedCommand command = command_for(process, role, folder);
  const bool has_timeline = process.gpu != nullptr && process.gpu->has_timeline();
  if (process.gpu != nullptr) record.announce_in(command.environment);
  if (has_timeline) timeline.announce_in(command.environment);
  Conversation conversation(folder, has_timeline ? &timeline : nullptr, drive);
  sandbox::SandboxResult ended = run_in_turn(process, role, command);
  conversation.finish();
  if (ended.ending == sandbox::Ending::kNotStarted) {
    throw base::Error("cannot start {}: {}", process.python.program.string(), ended.reason)
        .with_remedy("name a Python with PyTorch in CUSET_PYTHON");
  }
  ModuleRun result;
  result.run = execute::classify_run(std::move(ended), record.read(), process.limits);
  result.run.proof = process.gpu == nullptr ? "none" : process.gpu->proof.name;
  result.result = result_in(folder);
  result.timeline = timeline.read_new();
  return result;
}

}  // namespace cuset::benchmarks
