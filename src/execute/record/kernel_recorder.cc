#include "execute/record/kernel_recorder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "execute/gpu/installed_file.h"
#include "execute/record/run_record.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Whether the probe's kernel appears in its record.
bool records_kernels(const KernelRecorder& recorder, int index) {
  const base::TemporaryFolder folder;
  const RunRecordFile file(folder / "record");
  std::map<std::string, std::string> environment = recorder.environment;
  file.announce_in(environment);
  const GpuProbe probe = probe_gpu(index, ProbeDepth::kRunKernel, environment);
  const RunRecord record = file.read();
  const bool recorded = std::any_of(
      record.kernels.begin(), record.kernels.end(),
      [](const KernelLaunches& kernel) { return kernel.name == kHealthKernel && kernel.total_ms > 0; });
  if (!recorded) {
    const RunFinding* why = find_finding(record.findings, "unrecorded");
    base::log_info("CUPTI does not record kernels here ({}): the CUDA runtime is interposed instead",
                   why != nullptr          ? why->text
                   : probe.problem.empty() ? "nothing was recorded"
                                           : probe.problem);
  }
  return recorded;
}

std::optional<KernelRecorder> cupti_recorder(const NvccToolkit& toolkit) {
  const fs::path injected = find_installed_file("libcuset_cuda_record.so", CUSET_RECORD_LIBRARY);
  const fs::path cupti = find_cupti_library(toolkit);
  if (injected.empty() || cupti.empty()) {
    base::log_info("{}: the CUDA runtime is interposed instead",
                   cupti.empty() ? "no CUPTI library found" : "built without CUPTI");
    return std::nullopt;
  }
  return KernelRecorder{
      "cupti",
      {{"CUDA_INJECTION64_PATH", injected.string()}, {"CUSET_CUPTI_LIBRARY", cupti.string()}},
      {injected, cupti.parent_path()},
      false};
}

std::optional<KernelRecorder> interposed_recorder() {
  const fs::path interposed = find_installed_file("libcuset_cuda_interpose.so", CUSET_INTERPOSE_LIBRARY);
  if (interposed.empty()) return std::nullopt;
  return KernelRecorder{"interposed runtime", {{"LD_PRELOAD", interposed.string()}}, {interposed}, true};
}

}  // namespace

fs::path find_cupti_library(const NvccToolkit& toolkit) {
  if (const char* named = std::getenv("CUSET_CUPTI_LIBRARY"); named != nullptr && *named != '\0')
    return named;
  for (const fs::path& folder :
       {toolkit.libraries, toolkit.root / "extras/CUPTI/lib64", toolkit.root / "lib"}) {
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
      std::error_code ignored;
      if (fs::exists(folder / name, ignored)) return folder / name;
    }
  }
  return {};
}

KernelRecorder choose_kernel_recorder(const NvccToolkit& toolkit, int index) {
  const char* chosen = std::getenv("CUSET_KERNEL_PROOF");
  const std::string wanted = chosen == nullptr ? "" : chosen;
  if (!wanted.empty() && wanted != "cupti" && wanted != "interposed") {
    throw base::UsageError("CUSET_KERNEL_PROOF is {}", base::in_quotes(wanted))
        .with_remedy("cupti or interposed, or unset it");
  }
  if (wanted != "interposed") {
    const std::optional<KernelRecorder> recorder = cupti_recorder(toolkit);
    if (recorder && records_kernels(*recorder, index)) return *recorder;
  }
  const std::optional<KernelRecorder> recorder = wanted == "cupti" ? std::nullopt : interposed_recorder();
  if (recorder) return *recorder;
  throw base::Error("kernels cannot be recorded on this machine: CUPTI does not work{}",
                    wanted == "cupti" ? "" : " and libcuset_cuda_interpose.so is not beside this program")
      .with_remedy(
          "install the CUDA toolkit with CUPTI, or name libcupti.so in CUSET_CUPTI_LIBRARY, and build again");
}

}  // namespace cuset::execute
