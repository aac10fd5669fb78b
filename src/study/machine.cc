#include "study/machine.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/files/file.h"
#include "base/human_readable.h"
#include "base/machine/cpu_instructions.h"
#include "base/machine/machine_share.h"
#include "base/machine/openmp_waiting.h"
#include "base/table_text.h"
#include "emulator/toolchain.h"
#include "execute/build/nvcc_search.h"
#include "execute/gpu/gpu_search.h"
#include "judge/scripts/python.h"
#include "ops/device/backend.h"
#include "sandbox/abilities.h"
#include "sandbox/process.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGiB = 1ULL << 30;

// The text after "name" and a separator on its own line, as in /proc/cpuinfo and /etc/os-release; empty if
// absent.
std::string field_of(const fs::path& file, std::string_view name) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return "";
  const std::string text = base::read_file(file);
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (line.starts_with(name)) {
      const size_t value = line.find_first_not_of(" \t:=\"", name.size());
      if (value == std::string_view::npos) return "";
      return std::string(line.substr(value, line.find_last_not_of("\" \t") + 1 - value));
    }
    start = end + 1;
  }
  return "";
}

Finding examine_disk() {
  const uint64_t free = base::free_disk_bytes(fs::current_path());
  const State state = free < kGiB / 8 ? State::kBad : free < 4 * kGiB ? State::kOptional : State::kGood;
  return {"host", "disk", state, base::human_bytes(free) + " free in the current folder",
          state == State::kGood ? "" : "free some space: checkpoints and models need gigabytes"};
}

// Cores that are usable, and free since `start` where fewer are.
std::string cores_text(const std::optional<base::ProcessorTimes>& start) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // enough ticks of the clock
  const uint32_t free = base::free_processors(base::usable_processors(), start, base::processor_times());
  return fmt::format("{} usable, {} free", base::counted(base::usable_processors(), "core"), free);
}

void examine_host(const std::optional<base::ProcessorTimes>& start, std::vector<Finding>& findings) {
  const std::string system = field_of("/etc/os-release", "PRETTY_NAME");
  const std::string processor = processor_name();
  findings.push_back({"host", "system", State::kGood, system.empty() ? "unknown" : system, ""});
  findings.push_back(
      {"host", "CPU", State::kGood,
       fmt::format("{}, {}{}", processor.empty() ? "unknown" : processor, cores_text(start),
                   base::lacks_announced_tiles() ? "; announces AMX without tiles: left unused" : ""),
       ""});
  const uint64_t memory = base::usable_memory();
  findings.push_back(
      {"host", "memory", memory < 4 * kGiB ? State::kOptional : State::kGood, base::human_bytes(memory),
       memory < 4 * kGiB ? "4 GiB or more are needed to build and to train the built-in model" : ""});
  findings.push_back(examine_disk());
}

// How LibTorch's threads wait for each other.
Finding examine_waiting() {
  std::string variables;
  for (const auto& [name, value] : base::waiting_policy())
    variables += fmt::format("{}{}={}", variables.empty() ? "" : " ", name, value);
  if (!variables.empty()) return {"tensors", "waiting", State::kGood, variables, ""};
  return {"tensors", "waiting", State::kOptional, "threads spin while they wait: slow beside busy processes",
          "set OMP_WAIT_POLICY=passive (without /proc, cuset cannot)"};
}

// The commands that add what is missing: only a source tree has a Makefile.
struct Remedies {
  const char* gpu_kernels;
  const char* libtorch_with_cuda;
  const char* nvcc;
  const char* python;
};

constexpr Remedies kInSourceTree = {
    "make setup && make",
    "fetch one with CUDA and build again: make setup CUSET_TORCH=cuda && make clean && make",
    "make setup (or install the CUDA toolkit and put nvcc on PATH)",
    "make setup (or name a Python with torch in CUSET_PYTHON)",
};
constexpr Remedies kInstalled = {
    "install a cuset that was built with nvcc",
    "install a cuset that was built with CUDA: the wheel whose name has +cu",
    "install the CUDA toolkit and put nvcc on PATH",
    "pip install numpy torch (or name a Python with torch in CUSET_PYTHON)",
};

void examine_libtorch(const ops::TensorBackend& backend, const Remedies& remedies,
                      std::vector<Finding>& findings) {
  const std::string kind =
      backend.libtorch_cuda_version.empty() ? "CPU only" : "with CUDA " + backend.libtorch_cuda_version;
  findings.push_back({"tensors", "LibTorch", State::kGood,
                      fmt::format("{} ({}), {}, {} threads", backend.libtorch_version, kind,
                                  backend.cpu_capability, backend.cpu_threads),
                      ""});
  findings.push_back(examine_waiting());
  const bool compiled = !backend.kernel_cuda_version.empty();
  findings.push_back({"tensors", "GPU kernels", compiled ? State::kGood : State::kOptional,
                      compiled ? fmt::format("compiled by CUDA {} for {}", backend.kernel_cuda_version,
                                             backend.kernel_architectures)
                               : "not compiled: nvcc was not found at build time",
                      compiled ? "" : remedies.gpu_kernels});
}

// NVIDIA display controllers on the PCI bus, whether or not a driver serves them.
int nvidia_cards() {
  int cards = 0;
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", ignored)) {
    const bool nvidia = fs::exists(device.path() / "vendor", ignored) &&
                        base::read_file(device.path() / "vendor").starts_with("0x10de");
    if (nvidia && base::read_file(device.path() / "class").starts_with("0x03")) ++cards;
  }
  return cards;
}

Finding describe_missing_gpu(const ops::TensorBackend& backend, bool has_driver, const Remedies& remedies) {
  Finding finding{"GPU", "device", State::kOptional, "", ""};
  if (has_driver && backend.libtorch_cuda_version.empty()) {
    finding.detail = "a GPU is here, but this LibTorch is CPU only";
    finding.remedy = remedies.libtorch_with_cuda;
  } else if (!has_driver && nvidia_cards() > 0) {
    finding.detail = "an NVIDIA card is here, but no driver answers";
    finding.remedy = "install NVIDIA's driver (Debian: apt-get install nvidia-driver) and reboot";
  } else {
    finding.detail = has_driver ? "the driver answers, but LibTorch sees no GPU" : "none";
    finding.remedy = has_driver ? "check CUDA_VISIBLE_DEVICES and that the driver is new enough for CUDA " +
                                      backend.libtorch_cuda_version
                                : "everything runs on the CPU; training large models needs an NVIDIA GPU";
  }
  return finding;
}

// "580.65.06, serves CUDA 13.0".
std::string driver_text(const base::GpuInfo& gpu) {
  return fmt::format("{}, serves CUDA {}.{}", gpu.driver_version.empty() ? "unknown" : gpu.driver_version,
                     gpu.cuda_version / 1000, gpu.cuda_version % 1000 / 10);
}

void examine_gpu(const ops::TensorBackend& backend, const Remedies& remedies,
                 std::vector<Finding>& findings) {
  // Also where the variable hides the GPUs from LibTorch.
  const std::optional<base::GpuInfo> probed =
      execute::probe_gpu(0, execute::ProbeDepth::kDescribe, {{"CUDA_VISIBLE_DEVICES", "0"}}).device;
  if (backend.gpus.empty()) {
    findings.push_back(describe_missing_gpu(backend, probed.has_value(), remedies));
  }
  for (const base::GpuInfo& gpu : backend.gpus) {
    findings.push_back(
        {"GPU", "device", State::kGood,
         fmt::format("{}, {}, compute capability {}, {} multiprocessors", gpu.name,
                     base::human_bytes(gpu.memory_bytes), gpu.compute_capability(), gpu.multiprocessors),
         ""});
  }
  if (probed) findings.push_back({"GPU", "driver", State::kGood, driver_text(*probed), ""});
}

void examine_compilers(const std::optional<execute::Nvcc>& nvcc, const Remedies& remedies,
                       std::vector<Finding>& findings) {
  findings.push_back({"compilers", "nvcc", nvcc ? State::kGood : State::kOptional,
                      nvcc ? fmt::format("{} ({})", nvcc->version, nvcc->path.string()) : "not found",
                      nvcc ? "" : remedies.nvcc});
  const sandbox::ProcessResult host = sandbox::run_process({"g++", "-dumpfullversion"});
  findings.push_back({"compilers", "g++", host.succeeded() ? State::kGood : State::kOptional,
                      host.succeeded() ? host.output.substr(0, host.output.find('\n')) : "not found",
                      host.succeeded() ? "" : "apt-get install g++ (nvcc needs it)"});
}

void examine_cpu_executor(const emulator::ToolchainSearch& search, std::vector<Finding>& findings) {
  const bool found = search.toolchain.has_value();
  findings.push_back({"compilers", "CPU executor", found ? State::kGood : State::kOptional,
                      found ? fmt::format("clang {} ({}), our pass and runtime", search.toolchain->version,
                                          search.toolchain->clang.string())
                            : search.missing,
                      found ? "" : search.remedy});
}

// CUDABench's scripts run in it; most of them, and KernelBench's modules, need torch as well. Whether it has that.
bool examine_python(const Remedies& remedies, std::vector<Finding>& findings) {
  Finding finding{"compilers", "Python", State::kOptional, "", ""};
  bool has_torch = false;
  try {
    const judge::Python python = judge::find_python(judge::PythonLibrary::kNumpy);
    has_torch = python.has_torch;
    finding.detail = fmt::format("{} ({})", python.version, python.program.string());
    finding.state = python.has_torch ? State::kGood : State::kOptional;
    if (!python.has_torch) finding.remedy = remedies.python;
  } catch (const base::Error& error) {
    finding.detail = error.what();
    finding.remedy = remedies.python;
  }
  findings.push_back(std::move(finding));
  return has_torch;
}

void examine_sandbox(const sandbox::SandboxAbilities& abilities, std::vector<Finding>& findings) {
  const auto add = [&](const char* name, const sandbox::Ability& ability, const char* remedy) {
    findings.push_back({"sandbox", name, ability.present ? State::kGood : State::kOptional, ability.detail,
                        ability.present ? "" : remedy});
  };
  add("user namespaces", abilities.user_namespaces,
      "as root: sysctl -w kernel.unprivileged_userns_clone=1 "
      "(Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0)");
  add("bubblewrap", abilities.bubblewrap,
      abilities.bubblewrap.detail == "not installed" ? "apt-get install bubblewrap"
                                                     : "it is installed but needs the user namespaces above");
  add("seccomp", abilities.seccomp, "a kernel with CONFIG_SECCOMP_FILTER");
  add("cgroups", abilities.cgroups,
      "limits hold all the same, by watching; exact ones: systemd-run --user --scope -p Delegate=yes cuset "
      "...");
  add("landlock", abilities.landlock, "a kernel from 5.13 on with landlock enabled");
  add("full confinement", abilities.full_confinement,
      "running untrusted programs is refused; --sandbox=limits runs them with limits only");
}

std::string training_ability(const ops::TensorBackend& backend) {
  if (backend.gpus.empty()) return fmt::format("on the CPU, {} threads", backend.cpu_threads);
  if (backend.kernel_cuda_version.empty()) return "on the GPU, without our fused kernels";
  return fmt::format("on {} GPU{}", backend.gpus.size(), backend.gpus.size() > 1 ? "s" : "");
}

std::string running_ability(const ops::TensorBackend& backend, bool nvcc, bool cpu_executor) {
  const bool gpu = !backend.gpus.empty() && nvcc;
  if (gpu) return cpu_executor ? "on the GPU, and on the CPU with checks" : "on the GPU";
  return cpu_executor ? "on the CPU, with checks" : "no: neither a GPU with nvcc nor the CPU executor";
}

std::string module_ability(const ops::TensorBackend& backend, bool nvcc, bool cpu_executor, bool python) {
  if (!python) return "no: Python with PyTorch is missing";
  if (!backend.gpus.empty() && nvcc) return "on the GPU";
  return cpu_executor ? "on the CPU, without times" : "no: neither a GPU with nvcc nor the CPU executor";
}

const char* name_of(State state) {
  switch (state) {
    case State::kGood:
      return "good";
    case State::kOptional:
      return "optional";
    case State::kBad:
      return "bad";
  }
  return "";
}

}  // namespace

std::string processor_name() { return field_of("/proc/cpuinfo", "model name"); }

bool MachineReport::has_bad() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.state == State::kBad; });
}

MachineReport examine_machine(bool from_source_tree) {
  const Remedies& remedies = from_source_tree ? kInSourceTree : kInstalled;
  MachineReport report;
  const std::optional<base::ProcessorTimes> start = base::processor_times();
  const ops::TensorBackend backend = ops::describe_tensor_backend();
  const std::optional<execute::Nvcc> nvcc = execute::find_nvcc();
  const sandbox::SandboxAbilities sandbox = sandbox::probe_sandbox_abilities();
  examine_host(start, report.findings);
  examine_libtorch(backend, remedies, report.findings);
  examine_gpu(backend, remedies, report.findings);
  const emulator::ToolchainSearch emulator = emulator::find_emulator_toolchain();
  examine_compilers(nvcc, remedies, report.findings);
  examine_cpu_executor(emulator, report.findings);
  const bool python = examine_python(remedies, report.findings);
  examine_sandbox(sandbox, report.findings);

  report.abilities = {
      {"train", training_ability(backend)},
      {"compile CUDA kernels", nvcc ? "with nvcc " + nvcc->version : "no: nvcc is missing"},
      {"run CUDA programs", running_ability(backend, nvcc.has_value(), emulator.toolchain.has_value())},
      {"judge KernelBench",
       module_ability(backend, nvcc.has_value(), emulator.toolchain.has_value(), python)},
      {"confine untrusted kernels", sandbox.full_confinement.present ? "yes" : "no: see sandbox above"}};
  return report;
}

base::Json to_json(const MachineReport& report) {
  base::Json findings = base::Json::array();
  for (const Finding& finding : report.findings) {
    base::Json entry = {{"area", finding.area},
                        {"name", finding.name},
                        {"state", name_of(finding.state)},
                        {"detail", finding.detail}};
    if (!finding.remedy.empty()) entry["remedy"] = finding.remedy;
    findings.push_back(std::move(entry));
  }
  base::Json abilities = base::Json::object();
  for (const auto& [ability, how] : report.abilities) abilities[ability] = how;
  return {{"findings", std::move(findings)}, {"abilities", std::move(abilities)}};
}

}  // namespace cuset::study
