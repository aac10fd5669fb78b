#include "benchmarks/kernelbench/module_process.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/interrupt.h"
#include "benchmarks/kernelbench/kernelbench_child.h"
#include "benchmarks/kernelbench/light_headers.h"
#include "execute/record/run_outcome.h"
#include "judge/run/data_files.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChild = "child.py";
constexpr const char* kResult = "result.json";
constexpr uint64_t kLargestResult = 4 << 20;
constexpr uint32_t kPlaces = 8;
// The next ninja on the path, at a lower priority: a call that is timed must not wait for a processor.
constexpr const char* kPoliteNinja =
    "#!/bin/sh\nPATH=${PATH#*:}\nexport PATH\nexec nice -n 10 ninja \"$@\"\n";

base::Json result_in(const fs::path& folder) {
  const judge::OutputFile file = judge::read_output(folder, kResult, kLargestResult);
  if (file.state != judge::OutputFile::State::kWhole) return nullptr;
  const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  auto parsed = base::try_parse_json(text);
  base::Json* result = std::get_if<base::Json>(&parsed);
  return result != nullptr && result->is_object() ? std::move(*result) : base::Json();
}

}  // namespace

std::shared_ptr<const base::TemporaryFolder> make_build_tools() {
  auto folder = std::make_shared<base::TemporaryFolder>();
  write_light_headers(*folder / "headers");
  fs::create_directory(*folder / "bin");
  base::write_file_atomic(*folder / "bin/ninja", kPoliteNinja);
  fs::permissions(*folder / "bin/ninja", fs::perms{0755});
  return folder;
}

std::shared_ptr<const base::TemporaryFolder> make_inputs_folder() {
  auto folder = std::make_shared<base::TemporaryFolder>();
  fs::permissions(folder->path(), fs::perms{0755});
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
  execute::KernelRecorder recorder = execute::choose_kernel_recorder(toolkit, index);
  auto queue = std::make_shared<execute::GpuQueue>(probe.device->uuid, kPlaces);
  return {*probe.device,    std::move(toolkit), std::move(recorder),
          std::move(queue), make_build_tools(), std::make_shared<const execute::KeptGpu>(index)};
}

sandbox::SandboxedCommand ModuleServer::command_for(const std::string& role) const {
  sandbox::SandboxedCommand command =
      judge::python_command(process_.python, folder_, folder_ / kChild, {role});
  command.waited = [this] { return channel_.waited(); };
  // What is compiled for one process is there for the next of the same answer.
  command.environment["TORCH_EXTENSIONS_DIR"] = (folder_ / "extensions").string();
  command.environment["TRITON_CACHE_DIR"] = (folder_ / "extensions/triton").string();
  command.environment["TORCHINDUCTOR_CACHE_DIR"] = (folder_ / "extensions/inductor").string();
  command.limits = process_.limits;
  command.confinement = process_.confinement;
  command.readable.insert(command.readable.end(), process_.readable.begin(), process_.readable.end());
  if (process_.gpu != nullptr || process_.emulator != nullptr) record_.announce_in(command.environment);
  if (process_.has_timeline()) timeline_.announce_in(command.environment);
  if (const execute::TorchToolkit* toolkit = process_.emulator) {
    command.environment.insert(toolkit->environment.begin(), toolkit->environment.end());
    command.readable.insert(command.readable.end(), toolkit->readable.begin(), toolkit->readable.end());
  }
  if (process_.gpu != nullptr) add_gpu(command);
  return command;
}

void ModuleServer::add_gpu(sandbox::SandboxedCommand& command) const {
  const ModuleGpu& gpu = *process_.gpu;
  command.gpu = true;
  command.readable.push_back(gpu.toolkit.root);
  command.readable.insert(command.readable.end(), gpu.recorder.readable.begin(), gpu.recorder.readable.end());
  if (!gpu.device.driver_library.empty()) command.readable.push_back(gpu.device.driver_library.parent_path());
  command.environment.insert(gpu.recorder.environment.begin(), gpu.recorder.environment.end());
  command.environment["CUDA_HOME"] = gpu.toolkit.root.string();
  command.environment["CUDA_VISIBLE_DEVICES"] = gpu.device.uuid;
  command.environment["CUDA_CACHE_DISABLE"] = "1";
  if (!gpu.device.driver_library.empty()) {
    const std::string driver = gpu.device.driver_library.parent_path().string();
    command.environment["LD_LIBRARY_PATH"] = driver;
    command.environment["TRITON_LIBCUDA_PATH"] = driver;
  }
  command.environment["TORCH_CUDA_ARCH_LIST"] = gpu.device.compute_capability();
  if (!gpu.build_tools) return;
  command.readable.push_back(gpu.build_tools->path());
  command.environment["CUSET_BUILD_TOOLS"] = (*gpu.build_tools / "bin").string();
  // Before the folders that PyTorch names by -isystem.
  if (process_.light_headers)
    command.environment["CPATH"] =
        fmt::format("{}:{}", (*gpu.build_tools / "headers").string(), (folder_ / kAnswerHeaders).string());
}

ModuleServer::ModuleServer(const ModuleProcess& process, const std::string& role, fs::path folder,
                           const base::Json& request)
    : process_(process),
      folder_(std::move(folder)),
      record_(execute::record_path_in(folder_)),
      timeline_(execute::record_path_in(folder_)),
      channel_(folder_),
      session_(channel_, process.has_timeline() ? &timeline_ : nullptr) {
  base::write_file_atomic(folder_ / kChild, kKernelBenchChild);
  base::write_file_atomic(folder_ / "module_problem.py", kModuleProblem);
  base::write_file_atomic(folder_ / "module_oracle.py", kModuleOracle);
  base::write_file_atomic(folder_ / "module_weights.py", kModuleWeights);
  base::write_file_atomic(folder_ / "request.json", request.dump());
  const base::InputKey key = role == "model" ? process_.input_key : base::InputKey{};
  if (process_.emulator != nullptr) {
    record_.give_input_key(key);
    timeline_.expect_seals(key);
  }
  // The reference's outputs serve other answers, too: nobody's wish to stop ends its process.
  const base::StopFlag flag = role == "model" ? base::current_stop_flag() : nullptr;
  thread_ = std::thread([this, flag, command = command_for(role)] {
    const base::StopScope scope(flag);
    try {
      ended_ = sandbox::run_sandboxed(command);
    } catch (...) {
      failure_ = std::current_exception();
    }
    channel_.process_ended();
  });
}

ModuleServer::~ModuleServer() { stop(); }

void ModuleServer::stop() {
  if (!thread_.joinable()) return;
  channel_.end();
  thread_.join();
  turn_.reset();
}

void ModuleServer::hold(execute::GpuQueue::Want want) {
  turn_.reset();
  if (process_.gpu != nullptr) turn_.emplace(*process_.gpu->queue, want);
}

void ModuleServer::let_go() { turn_.reset(); }

execute::Run ModuleServer::run_so_far() const {
  execute::Run run;
  run.kernels = record_.read().kernels;
  return run;
}

ModuleRun ModuleServer::finish() {
  stop();
  if (failure_) std::rethrow_exception(failure_);
  if (ended_.ending == sandbox::Ending::kNotStarted) {
    throw base::Error("cannot start {}: {}", process_.python.program.string(), ended_.reason)
        .with_remedy("name a Python with PyTorch in CUSET_PYTHON");
  }
  ModuleRun result;
  result.run = execute::classify_run(std::move(ended_), record_.read(), process_.limits);
  result.run.proof = process_.emulator != nullptr ? "emulator" : "none";
  if (process_.gpu != nullptr) result.run.proof = process_.gpu->recorder.name;
  result.result = result_in(folder_);
  result.timeline = timeline_.read_new();
  return result;
}

}  // namespace cuset::benchmarks
